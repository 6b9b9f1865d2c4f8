//! The file of a unit: its description, the shared library, the robot.

use super::{FmuModel, FmuVersion};
use crate::zip::Archive;
use std::env::consts::{ARCH, OS};

/// The request of a unit among its resources, from which the library makes the same model.
pub const MODEL_FILE: &str = "model.json";

/// The shared library that is the binary of every unit.
pub const LIBRARY_FILE: &str = if cfg!(target_os = "windows") {
    "legwork_c.dll"
} else if cfg!(target_os = "macos") {
    "liblegwork_c.dylib"
} else {
    "liblegwork_c.so"
};

/// Whether these are the bytes of a library with the functions of units.
pub fn is_library(bytes: &[u8]) -> bool {
    let holds = |word: &[u8]| bytes.windows(word.len()).any(|part| part == word);
    holds(b"fmi2DoStep") && holds(b"fmi3DoStep") && holds(b"legwork_version")
}

/// Where the standard wants the binary of this machine.
fn folder(version: FmuVersion) -> String {
    match version {
        FmuVersion::Two => {
            let system = match OS {
                "windows" => "win",
                "macos" => "darwin",
                _ => "linux",
            };
            format!("{system}{}", if cfg!(target_pointer_width = "32") { 32 } else { 64 })
        }
        FmuVersion::Three => {
            let system = match OS {
                "macos" => "darwin",
                other => other,
            };
            format!("{ARCH}-{system}")
        }
    }
}

impl FmuModel {
    /// The whole file, with this shared library.
    pub fn package(&self, library: &[u8]) -> Vec<u8> {
        let version = self.request().version;
        let mut archive = Archive::default();
        archive.deflated("modelDescription.xml", self.description(version).as_bytes());
        let ending = LIBRARY_FILE.rsplit('.').next().unwrap_or("so");
        archive.deflated(&format!("binaries/{}/{}.{ending}", folder(version), self.identifier()), library);
        let request = serde_json::to_string_pretty(self.request()).unwrap_or_default();
        archive.deflated(&format!("resources/{MODEL_FILE}"), request.as_bytes());
        if let Some(text) = &self.request().robot.text {
            archive.deflated("resources/robot.toml", text.as_bytes());
        }
        archive.finish()
    }
}
