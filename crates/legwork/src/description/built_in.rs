//! The robots that come with legwork: `crates/legwork/robots/*.toml`.

/// A robot that comes with legwork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name, which is also the stem of its file.
    pub name: &'static str,
    /// Its robot file.
    pub text: &'static str,
}

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        &[$(BuiltIn { name: $name, text: include_str!(concat!("../../robots/", $name, ".toml")) }),*]
    };
}

/// Every robot that comes with legwork, by family; in each, robots with masses first, then those with geometry
/// only.
pub const BUILT_IN: &[BuiltIn] = built_in![
    "delta-direct-drive",
    "delta-industrial",
    "delta-ngoc-kim",
    "delta-bortoff-a",
    "delta-bortoff-b",
    "delta-bortoff-c",
    "survey-delta",
    "autonox-rl5-1450",
    "kaist-delta",
    "irb360-1600",
    "irb360-flexpicker",
    "fanuc-dr3ib",
    "microdelta-240",
    "trossen-tutorial",
    "linuxcnc-rotary-delta",
    "klipper-rotary-delta",
    "deltax-v2",
    "gough-stewart",
    "mathworks-stewart",
    "linuxcnc-hexapod",
    "space-radial",
    "space-table1",
    "c5",
    "hexa",
    "hexaglide",
    "modified-paradex",
    "linear-delta",
    "five-bar",
    "planar-3rrr",
    "custom-gough-stewart",
    "custom-delta",
    "custom-five-bar",
];
