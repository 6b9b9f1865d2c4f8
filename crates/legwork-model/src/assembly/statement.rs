//! What may be said of a list of postures.

use serde_json::{Map, Value, json};
use std::fmt;

/// How complete a list of postures is, and why. Its text is the sentence that may be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Completeness {
    /// As many solutions as six legs can have at most, each certified with every rounding bounded, all different.
    Proved {
        /// Complex solutions.
        solutions: usize,
        /// Those that are real.
        real: usize,
    },
    /// As many certified solutions as the Bézout number of the three circles.
    Bezout {
        /// Complex solutions.
        solutions: usize,
        /// Those that are real.
        real: usize,
    },
    /// All roots of one polynomial in the angle of a planar platform.
    Degree {
        /// Its degree.
        degree: usize,
        /// Roots that are no postures.
        spurious: usize,
        /// Real postures.
        real: usize,
    },
    /// A closed form gives all there are.
    ClosedForm {
        /// Real postures.
        real: usize,
    },
    /// As many certified solutions as the geometry has with two random sets of lengths; the other paths go to infinity.
    Numerical {
        /// Complex solutions.
        solutions: usize,
        /// Paths that go to infinity.
        infinite: usize,
        /// Those solutions that are real.
        real: usize,
    },
    /// All paths ended, some of them in singular postures.
    SingularEnds {
        /// Certified complex solutions.
        solutions: usize,
        /// Paths that end in a singular posture.
        paths: usize,
        /// Those solutions that are real.
        real: usize,
    },
    /// The postures are not isolated.
    Moves {
        /// Paths that end in singular postures.
        paths: usize,
        /// All paths.
        of: usize,
    },
    /// Singular in every pose, or two legs that ask the same.
    NoFiniteSet,
    /// What was found; some paths are open.
    AtLeast {
        /// Real postures.
        real: usize,
        /// Paths whose end is not known.
        open: usize,
    },
    /// What seeded starts of Newton's method found.
    Searched {
        /// Real postures.
        real: usize,
        /// Starts.
        starts: usize,
    },
}

impl Completeness {
    /// Whether it is certain that no posture is missing.
    pub fn is_complete(&self) -> bool {
        matches!(
            self,
            Self::Proved { .. } | Self::Bezout { .. } | Self::Degree { .. } | Self::ClosedForm { .. }
        )
    }

    /// Its name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Proved { .. } => "proved",
            Self::Bezout { .. } => "bezout_number",
            Self::Degree { .. } => "degree",
            Self::ClosedForm { .. } => "closed_form",
            Self::Numerical { .. } => "numerically_complete",
            Self::SingularEnds { .. } => "singular_ends",
            Self::Moves { .. } => "not_isolated",
            Self::NoFiniteSet => "no_finite_set",
            Self::AtLeast { .. } => "at_least",
            Self::Searched { .. } => "searched",
        }
    }

    /// Its name, its numbers and its sentence.
    pub fn json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("kind".into(), json!(self.name()));
        object.insert("complete".into(), json!(self.is_complete()));
        let mut put = |name: &str, count: usize| object.insert(name.into(), json!(count));
        match *self {
            Self::Proved { solutions, real } | Self::Bezout { solutions, real } => {
                put("solutions", solutions);
                put("real", real);
            }
            Self::Degree { degree, spurious, real } => {
                put("degree", degree);
                put("spurious", spurious);
                put("real", real);
            }
            Self::ClosedForm { real } => {
                put("real", real);
            }
            Self::Numerical { solutions, infinite, real } => {
                put("solutions", solutions);
                put("infinite", infinite);
                put("real", real);
            }
            Self::SingularEnds { solutions, paths, real } => {
                put("solutions", solutions);
                put("singular_paths", paths);
                put("real", real);
            }
            Self::Moves { paths, of } => {
                put("singular_paths", paths);
                put("paths", of);
            }
            Self::NoFiniteSet => {}
            Self::AtLeast { real, open } => {
                put("real", real);
                put("open_paths", open);
            }
            Self::Searched { real, starts } => {
                put("real", real);
                put("seeded_starts", starts);
            }
        }
        object.insert("sentence".into(), json!(self.to_string()));
        object
    }
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

impl fmt::Display for Completeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Proved { solutions, real } => write!(
                f,
                "All postures: {solutions} complex solutions, {real} of them real. Complete and proved: {solutions} is \
                 the largest possible number."
            ),
            Self::Bezout { solutions, real } => write!(
                f,
                "All postures: {solutions} complex solutions, {real} of them real. Complete: {solutions} is the Bézout \
                 number of this closure."
            ),
            Self::Degree { degree, spurious: 0, real } => {
                write!(f, "All postures: {degree} complex solutions, {real} of them real. Complete by degree.")
            }
            Self::Degree { degree, spurious, real } => write!(
                f,
                "All postures: {} complex solutions, {real} of them real. Complete by degree: {spurious} of the {degree} \
                 roots are no postures.",
                degree - spurious
            ),
            Self::ClosedForm { real } => {
                write!(f, "All postures: {real}. Complete: a closed form has no others.")
            }
            Self::Numerical { solutions, infinite, real } => write!(
                f,
                "All postures as far as can be computed: this geometry has {solutions} ({infinite} paths go to \
                 infinity), {real} real. Numerically complete, not proved."
            ),
            Self::SingularEnds { solutions, paths, real } => write!(
                f,
                "{solutions} complex solutions, {real} of them real; {} in a singular posture, where two or more \
                 assembly modes meet; they are not told apart.",
                plural(paths, "path ends", "paths end")
            ),
            Self::Moves { paths, of } => write!(
                f,
                "The postures are not isolated: the platform can move with locked motors ({paths} of {of} paths end \
                 in singular postures)."
            ),
            Self::NoFiniteSet => f.write_str(
                "This geometry is singular in every pose (or two legs are the same); there is no finite set of \
                 postures.",
            ),
            Self::AtLeast { real, open } => write!(
                f,
                "At least {}; the search is not complete: {} open.",
                plural(real, "posture", "postures"),
                plural(open, "path is", "paths are")
            ),
            Self::Searched { real, starts } => write!(
                f,
                "At least {}; the search is not complete: {starts} seeded starts of Newton's method.",
                plural(real, "posture", "postures")
            ),
        }
    }
}
