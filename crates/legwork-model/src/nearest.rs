//! The nearest known word to one that is not known.

use strsim::osa_distance;

/// Names are short; the work grows with the product of the lengths.
const LONGEST: usize = 64;

/// The word nearest to `given`, if it is near enough to be meant. Case, hyphens and spaces do not matter.
///
/// ```
/// use legwork::description::nearest_word;
/// assert_eq!(nearest_word("Fore-Arm", ["arm", "forearm"].into_iter()), Some("forearm"));
/// ```
pub fn nearest<'a>(given: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |word: &str| {
        let word: String = word.chars().take(LONGEST).collect();
        word.to_lowercase().replace(['-', ' '], "_")
    };
    let given = plain(given);
    let known: Vec<&'a str> = known.collect();
    // Letters to add, drop, change or swap with their neighbour.
    let by_letters = known.iter().map(|word| (osa_distance(&given, &plain(word)), *word));
    let (distance, word) = by_letters.min_by_key(|(d, _)| *d)?;
    // A slip, and one more for every four letters; beyond that it is another word.
    if distance <= 1 + given.chars().count().min(word.chars().count()) / 4 {
        return Some(word);
    }
    // `arm_length` for `arm`, `radius` for `base_radius`: the same word with parts more or fewer, if only one is so.
    let mut related =
        known.into_iter().filter(|word| is_part_of(&given, &plain(word)) || is_part_of(&plain(word), &given));
    related.next().filter(|_| related.next().is_none())
}

/// Whether every part of `less`, split at underscores, is a part of `more`.
fn is_part_of(less: &str, more: &str) -> bool {
    !less.is_empty() && less.split('_').all(|part| more.split('_').any(|other| other == part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_near_word_is_suggested() {
        let known = || ["base_radius", "platform_radius", "arm", "forearm"].into_iter();
        assert_eq!(nearest("Fore-Arm", known()), Some("forearm"));
        assert_eq!(nearest("base_radios", known()), Some("base_radius"));
        assert_eq!(nearest("weather", known()), None);
        assert_eq!(nearest("arm_length", known()), Some("arm"));
        assert_eq!(nearest("radius", known()), None); // of two things
        assert_eq!(nearest("", known()), None);
    }
}
