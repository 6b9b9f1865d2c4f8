//! Words of a request that stand for one of a few things.

/// One of a few things, each with its word in a request and what it means.
pub trait Choice: Copy + PartialEq + Sized + 'static {
    /// Every one: the value, its word, its meaning.
    const CHOICES: &'static [(Self, &'static str, &'static str)];

    /// Its word in a request.
    fn word(self) -> &'static str {
        Self::CHOICES.iter().find(|(value, ..)| *value == self).map_or("", |(_, word, _)| word)
    }

    /// The one with this word.
    fn from_word(word: &str) -> Option<Self> {
        Self::CHOICES.iter().find(|(_, known, _)| *known == word).map(|(value, ..)| *value)
    }
}

/// An enum with its words and meanings; the words are those that serde reads and writes.
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident = $word:literal: $meaning:literal,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
            #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
            pub enum $name {
                $(#[doc = $meaning] #[serde(rename = $word)] $variant,)*
            }

            impl $crate::task::Choice for $name {
                const CHOICES: &'static [(Self, &'static str, &'static str)] =
                    &[$((Self::$variant, $word, $meaning),)*];
            }
        )*
    };
}
pub(super) use choices;
