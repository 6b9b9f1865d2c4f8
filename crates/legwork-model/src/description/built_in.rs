//! The robots that come with legwork: `crates/legwork-model/robots/*.toml`, listed by their families.

/// A robot that comes with legwork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name, which is also the stem of its file.
    pub name: &'static str,
    /// Its robot file.
    pub text: &'static str,
}

/// The built-in robots with these names.
macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        &[$($crate::description::BuiltIn {
            name: $name,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/robots/", $name, ".toml")),
        }),*]
    };
}

pub(crate) use built_in;
