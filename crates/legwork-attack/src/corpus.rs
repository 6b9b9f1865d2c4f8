//! Inputs to begin with, and what is done to them. The repository's own files are the seeds; inputs that once found
//! something are kept in `corpus/TARGET/` beside this crate and are always tried as they are.

use legwork::description::BUILT_IN;
use legwork::recording::{Column, Format, Metadata, Recorder, metadata_file};
use legwork_testkit::Seeded;
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder with one of these endings; none if there is no such folder.
fn files(folder: &Path, endings: &[&str]) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let fits = |path: &PathBuf| endings.iter().any(|end| path.to_string_lossy().ends_with(end));
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.is_file() && fits(path)).collect();
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).collect()
}

/// The inputs that once found something.
pub fn kept(target: &str) -> Vec<Vec<u8>> {
    files(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target), &[""])
}

/// Requests of the book: its blocks of TOML with a task.
fn requests_of_the_book() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for text in files(&repository().join("book/src"), &[".md"]) {
        let text = String::from_utf8_lossy(&text).into_owned();
        for block in text.split("```").skip(1).step_by(2) {
            let body = block.split_once('\n').map_or("", |(_, body)| body);
            if body.contains("task =") || body.contains("\"task\"") {
                found.push(body.as_bytes().to_vec());
            }
        }
    }
    found
}

const REQUESTS: &[&str] = &[
    "task = 'simulate'\nrobot = 'delta-industrial'\nduration = '100 ms'\nefforts = { constant = ['1 N m', 2, 3] }\n",
    "task = 'follow'\nrobot = 'delta-direct-drive'\n",
    "task = 'plan'\nrobot = 'five-bar'\n",
    "task = 'size'\nrobot = 'delta-industrial'\n",
    "task = 'map'\nrobot = 'gough-stewart'\nquantities = ['condition']\n",
    "task = 'linearize'\nrobot = 'delta-bortoff-b'\n",
    "task = 'sensitivity'\nrobot = 'delta-bortoff-b'\n",
    "task = 'check'\nrobot = 'hexa'\nstates = 10\nseed = 3\n",
];

/// A small recording in one format: its file, and the metadata beside it if it is CSV.
fn recording(format: Format, columns: &[Column], rows: &[Vec<f64>]) -> (Vec<u8>, Vec<u8>) {
    let name = format!("legwork-attack-{}-seed.{}", std::process::id(), format.extension());
    let path = std::env::temp_dir().join(name);
    let written = Recorder::start(&path, columns, &Metadata::new().with("seed", "7")).and_then(|recorder| {
        let mut recorder = recorder.with_block_rows(5);
        rows.iter().try_for_each(|row| recorder.push(row))?;
        recorder.finish("end")
    });
    written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let metadata = fs::read(metadata_file(&path)).unwrap_or_default();
    let _ = (fs::remove_file(metadata_file(&path)), fs::remove_file(path));
    (bytes, metadata)
}

/// A recording of some samples.
fn samples(format: Format) -> Vec<u8> {
    let columns = [Column::time(), Column::new("q1", "rad"), Column::new("x", "m").in_frame("base")];
    let row = |t: f64| vec![t, t.sin(), 1.0 / (t + 0.1)];
    let rows: Vec<Vec<f64>> = (0..17).map(|k| row(f64::from(k) * 1e-3)).collect();
    recording(format, &columns, &rows).0
}

/// The inputs that a target begins with.
///
/// # Panics
/// If there are none: the repository is not where it should be.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let tests = repository().join("crates/legwork-cli/tests");
    let mut seeds: Vec<Vec<u8>> = match target {
        "robot" => {
            let own = BUILT_IN.iter().map(|robot| robot.text.as_bytes().to_vec());
            own.chain(files(&tests.join("robots"), &[".toml"])).collect()
        }
        "request-toml" => {
            let own = REQUESTS.iter().map(|text| text.as_bytes().to_vec());
            own.chain(requests_of_the_book()).collect()
        }
        "request-json" => {
            use legwork::task::{Request, RequestFormat};
            let read = REQUESTS.iter().filter_map(|text| Request::parse(text, RequestFormat::Toml).ok());
            read.map(|request| request.to_json().into_bytes()).chain(requests_of_the_book()).collect()
        }
        "motors" => {
            let built_in = repository().join("crates/legwork/src/analysis/size");
            [files(&tests.join("motors"), &[".toml"]), files(&built_in, &[".toml"])].concat()
        }
        "efforts" => files(&tests.join("streams"), &["efforts.csv", "efforts-nan.csv"]),
        "golden" => {
            let mut all = files(&repository().join("golden"), &[".json"]);
            all.retain(|file| file.len() < 60_000); // the long ones take long, and hold nothing else
            all
        }
        "recording" => {
            let own = Format::ALL.into_iter().map(samples);
            own.chain(files(&tests.join("streams"), &[".csv"])).collect()
        }
        "csv-metadata" => {
            let columns = [Column::time(), Column::new("x", "m").in_frame("base")];
            let (table, metadata) =
                recording(Format::Csv, &columns, &[vec![0.0, 0.1], vec![0.001, f64::NAN]]);
            assert_eq!(table, crate::targets::TABLE.as_bytes(), "the table of the target");
            vec![metadata]
        }
        "stream" => files(&tests.join("streams"), &[".csv", ".jsonl", ".json"]),
        other => panic!("no target `{other}`"),
    };
    seeds.extend(kept(target));
    assert!(!seeds.is_empty(), "no seeds for `{target}`");
    seeds
}

const ODD_NUMBERS: &[&str] = &[
    "nan",
    "inf",
    "-inf",
    "0",
    "-0",
    "-1",
    "1e308",
    "-1e308",
    "1e-308",
    "1e-320",
    "1e999",
    "4294967296",
    "9223372036854775807",
    "99999999999999999999",
    "0x7f",
    "1e",
    "--1",
    "1_000",
    "\"1 mm\"",
    "null",
    "true",
    "[]",
    "",
];

/// A whole number below `most`.
pub fn below(random: &mut Seeded, most: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and a length")]
    let number = random.uniform(0.0, most as f64) as usize;
    Ord::min(number, most.saturating_sub(1))
}

fn byte(random: &mut Seeded) -> u8 {
    u8::try_from(below(random, 256)).unwrap_or(0)
}

/// Where numbers stand in a text.
fn numbers(data: &[u8]) -> Vec<(usize, usize)> {
    let of_number = |c: &u8| c.is_ascii_digit() || matches!(*c, b'.' | b'-' | b'+');
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = data.iter().skip(at).position(u8::is_ascii_digit).map(|k| k + at) {
        let length = data.iter().skip(start).take_while(|c| of_number(c)).count();
        found.push((start, start + length));
        at = start + length;
    }
    found
}

/// Changes an input in one to four ways: bytes, lengths, numbers, lines, a piece of another input.
pub fn mutate(data: &[u8], others: &[Vec<u8>], random: &mut Seeded) -> Vec<u8> {
    let mut data = data.to_vec();
    for _ in 0..=below(random, 4) {
        let at = below(random, data.len() + 1);
        let end = Ord::min(at + below(random, 64), data.len());
        match below(random, 11) {
            0 => data.truncate(at),
            1 => drop(data.drain(at..end)),
            2 => data.iter_mut().skip(at).take(1).for_each(|c| *c ^= 1 << below(random, 8)),
            3 => data.iter_mut().skip(at).take(1).for_each(|c| *c = byte(random)),
            4 => data.insert(at, byte(random)),
            5 => data.iter_mut().take(end).skip(at).for_each(|c| *c = 0xFF),
            6 => {
                let piece = data.get(at..end).map(<[u8]>::to_vec).unwrap_or_default();
                drop(data.splice(at..at, piece));
            }
            7 => {
                let Some(other) = others.get(below(random, others.len())) else { continue };
                let from = below(random, other.len() + 1);
                let to = Ord::min(from + below(random, 400), other.len());
                drop(data.splice(at..end, other.get(from..to).unwrap_or_default().iter().copied()));
            }
            8 => {
                let all = numbers(&data);
                let Some(&(from, to)) = all.get(below(random, all.len())) else { continue };
                let odd = ODD_NUMBERS.get(below(random, ODD_NUMBERS.len())).copied().unwrap_or("");
                drop(data.splice(from..to, odd.bytes()));
            }
            9 => {
                // A line twice, or at another place.
                let mut lines: Vec<Vec<u8>> =
                    data.split_inclusive(|c| *c == b'\n').map(<[u8]>::to_vec).collect();
                let Some(line) = lines.get(below(random, lines.len())).cloned() else { continue };
                lines.insert(below(random, lines.len()), line);
                data = lines.concat();
            }
            _ => {
                let mut lines: Vec<Vec<u8>> =
                    data.split_inclusive(|c| *c == b'\n').map(<[u8]>::to_vec).collect();
                if !lines.is_empty() {
                    lines.remove(below(random, lines.len()));
                }
                data = lines.concat();
            }
        }
    }
    data.truncate(200_000);
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_seeds_and_mutations_do_not_repeat_themselves() {
        for target in crate::targets::TARGETS {
            let seeds = seeds(target.name);
            let mut random = Seeded::new(1);
            let made: Vec<Vec<u8>> = (0..50).map(|_| mutate(&seeds[0], &seeds, &mut random)).collect();
            let different = made.iter().filter(|bytes| **bytes != seeds[0]).count();
            assert!(different > 30, "{}: {different}", target.name);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_inputs() {
        let seeds = seeds("robot");
        let make = || mutate(&seeds[3], &seeds, &mut Seeded::new(9));
        assert_eq!(make(), make());
    }
}
