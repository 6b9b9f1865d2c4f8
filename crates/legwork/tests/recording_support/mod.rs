//! What the tests of recordings share: folders that vanish, and a recording with everything in it.
#![allow(dead_code)] // each test file uses a part

use legwork::recording::{Column, Format, Metadata, Record, Recorder, Recording};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder of its own that is removed at the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        // Tests of one program run side by side, some with the same name.
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("legwork-{name}-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A file in it, by the ending of its format.
    pub fn file(&self, stem: &str, format: Format) -> PathBuf {
        self.0.join(format!("{stem}.{}", format.extension()))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Numbers that are easily lost.
pub const HARD: [u64; 14] = [
    0x0000_0000_0000_0000, // 0
    0x8000_0000_0000_0000, // −0
    0x0000_0000_0000_0001, // smallest subnormal
    0x800F_FFFF_FFFF_FFFF, // largest subnormal, negative
    0x7FEF_FFFF_FFFF_FFFF, // largest
    0x0010_0000_0000_0000, // smallest normal
    0x7FF0_0000_0000_0000, // ∞
    0xFFF0_0000_0000_0000, // −∞
    0x7FF8_0000_0000_0000, // NaN
    0xFFF8_0000_0000_0000, // the NaN of 0/0 on x86
    0x7FF8_0000_DEAD_BEEF, // a NaN with a message
    0x7FF0_0000_0000_0001, // a signalling NaN
    0x3FB9_9999_9999_999A, // 0.1
    0x3FD5_5555_5555_5555, // 1/3
];

/// Columns and metadata as awkward as they may be.
pub fn awkward() -> (Vec<Column>, Metadata) {
    let names = [
        "x",
        "y",
        "z",
        "roll",
        "pitch",
        "yaw",
        "q1",
        "q2",
        "qd1",
        "tau1",
        "left.x",
        "left.y",
        "left.q1",
        "a,b",
        "say \"a\"",
        "two\nlines",
        "cr\r\nlf",
        "x [m]",
        "#",
        " space ",
        "größe→",
        "1.5",
        "NaN",
        "tail]",
        "\t",
        "X",
        "'",
        "\"",
        "a[b",
    ];
    let mut columns = vec![Column::time()];
    columns.extend(names.map(|name| Column::new(name, if name.len() == 1 { "m" } else { "" })));
    columns[1] = Column::new("x", "m").in_frame("base");
    columns[5] = Column::new("pitch", "rad").in_frame("größer \"B\", 1");
    columns[8] = Column::new("q2", "N m/rad²");
    columns[11] = Column::new("left.x", "m").in_frame("");
    columns[12] = Column::new("left.y", "m");
    let metadata = Metadata::new()
        .with_robot("family = \"delta\"\r\n[geometry]\n\narm = \"0,3 m\" # größer → 長い 🤖\n")
        .with_command("legwork simulate 'my robot.toml' --gain=\"a: b\"")
        .with("empty", "")
        .with("seed", "7")
        .with("a key: with, \"quotes\"\nand lines", "\n\n \u{0} \u{2028} \\n \\")
        .with("ключ", "no end of line\n+ more")
        .with("end", "mine")
        .with("columns", "[]");
    (columns, metadata)
}

/// A seeded stream of bits (SplitMix64).
pub fn bits(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// A finished recording of so many rows: hard numbers and any bits there are.
pub fn hard_recording(rows: usize) -> Recording {
    let (columns, metadata) = awkward();
    let mut recording = Recording::new(&columns, &metadata).unwrap();
    let mut next = bits(1);
    for k in 0..rows {
        let mut row: Vec<_> = columns.iter().map(|_| f64::from_bits(next())).collect();
        row[0] = k as f64 * 1e-3;
        for (c, value) in row.iter_mut().enumerate().skip(1) {
            match (k + c) % 3 {
                0 => *value = f64::from_bits(HARD[(k + 5 * c) % HARD.len()]),
                1 => *value = (k * c) as f64 * 1e-3,
                _ => {}
            }
        }
        if k % 7 == 6 {
            row[0] = f64::from_bits(HARD[k % HARD.len()]);
        }
        recording.push(&row).unwrap();
    }
    recording.finish("all done,\n\"really\" — größer").unwrap();
    recording
}

/// What a format gives back of a recording: CSV has one NaN.
pub fn as_read(recording: &Recording, format: Format) -> Recording {
    if format != Format::Csv {
        return recording.clone();
    }
    let mut plain = Recording::new(recording.columns(), recording.metadata()).unwrap();
    let one = |value: f64| if value.is_nan() { f64::NAN } else { value };
    for k in 0..recording.len() {
        plain.push(&recording.all_values().iter().map(|column| one(column[k])).collect::<Vec<_>>()).unwrap();
    }
    if let legwork::recording::Ending::Finished(reason) = recording.ending() {
        plain.finish(reason).unwrap();
    }
    plain
}

/// How many files a recording has.
pub fn file_count(format: Format) -> usize {
    if format == Format::Csv { 2 } else { 1 }
}

/// Writes a recording with blocks of so many rows.
pub fn write(recording: &Recording, path: &Path, block_rows: usize) {
    let recorder = Recorder::start(path, recording.columns(), recording.metadata()).unwrap();
    let mut recorder = recorder.with_block_rows(block_rows);
    for k in 0..recording.len() {
        let row: Vec<_> = recording.all_values().iter().map(|column| column[k]).collect();
        recorder.push(&row).unwrap();
    }
    let legwork::recording::Ending::Finished(reason) = recording.ending() else { panic!("not finished") };
    recorder.finish(reason).unwrap();
}

/// Whether the rows of one are the first rows of the other, to the bit.
pub fn begins(whole: &Recording, part: &Recording) -> bool {
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    let columns = whole.all_values().iter().zip(part.all_values());
    part.len() <= whole.len() && columns.into_iter().all(|(w, p)| bits(&w[..p.len()]) == bits(p))
}
