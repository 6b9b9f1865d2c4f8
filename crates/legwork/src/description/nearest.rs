//! The nearest known word to one that is not known.

/// The word nearest to `given`, if it is near enough to be meant.
pub fn nearest(given: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let plain = |word: &str| word.to_lowercase().replace(['-', ' '], "_");
    let given = plain(given);
    let known: Vec<&'static str> = known.collect();
    let by_letters = known.iter().map(|word| (distance(&given, &plain(word)), *word));
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

/// How many letters to add, drop, change or swap with their neighbour to get from one word to the other.
fn distance(a: &str, b: &str) -> usize {
    // Names in a robot file are short; the work grows with the product of the lengths.
    const LONGEST: usize = 64;
    let a: Vec<char> = a.chars().take(LONGEST).collect();
    let b: Vec<char> = b.chars().take(LONGEST).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let change = above[j] + usize::from(x != y);
            let mut best = change.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_letters() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "arm", 3),
            ("arm", "arm", 0),
            ("fore_arm", "forearm", 1),
            ("amr", "arm", 1),
            ("center", "centre", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

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
