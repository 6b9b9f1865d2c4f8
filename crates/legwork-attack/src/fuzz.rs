//! The loop around the targets: memory and work of every input are bounded, and an input that breaks something is
//! kept in a file.

use crate::corpus::{kept, mutate, seeds};
use crate::targets::{TARGETS, Target};
use crate::{Found, Length, grouped};
use legwork_testkit::Seeded;
use peak_alloc::PeakAlloc;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counts the memory of the program.
pub static MEMORY: PeakAlloc = PeakAlloc;

/// Memory that an input may take besides \[bytes\]: a robot, a parser, a block of a recording.
const FIXED_MEMORY: usize = 48 << 20;
/// Memory for each byte of an input \[bytes\].
const MEMORY_PER_BYTE: usize = 400;
/// Time of the processor that an input may take \[s\]; a thousand times what the slowest takes.
const PROCESSOR_SECONDS: u64 = 20;

/// What is being tried: the target, the number of the case, the input.
static UNDER_WAY: Mutex<Option<(&'static str, u64, Vec<u8>)>> = Mutex::new(None);
/// Grows with every case.
static CASES: AtomicU64 = AtomicU64::new(0);

/// Writes what is being tried to a file, and says where.
pub fn keep_what_is_under_way() {
    let Ok(mut under_way) = UNDER_WAY.lock() else { return };
    let Some((target, case, input)) = under_way.take() else { return };
    let mut hash = DefaultHasher::new();
    input.hash(&mut hash);
    let name = format!("{target}-{:016x}", hash.finish());
    let folder = std::env::temp_dir().join("legwork-attack-found");
    let path = folder.join(&name);
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, &input));
    eprintln!(
        "target `{target}`, case {case}, {} bytes; kept in {}: {written:?}",
        input.len(),
        path.display()
    );
    eprintln!("when it is mended, add it as crates/legwork-attack/corpus/{target}/{name}");
}

/// Time of the processor that this process has taken \[s\]; nothing where the system does not tell.
fn processor_seconds() -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut numbers = stat.rsplit(')').next()?.split_whitespace().skip(11);
    let ticks: u64 = numbers.next()?.parse::<u64>().ok()? + numbers.next()?.parse::<u64>().ok()?;
    Some(ticks / 100)
}

/// Ends the process if one case takes too much time of the processor.
fn watch() {
    std::thread::spawn(|| {
        let mut since = (0, 0);
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let (case, Some(now)) = (CASES.load(Ordering::Relaxed), processor_seconds()) else { return };
            if since.0 != case {
                since = (case, now);
            } else if now > since.1 + PROCESSOR_SECONDS && UNDER_WAY.lock().is_ok_and(|it| it.is_some()) {
                eprintln!("error: a reader does not come to an end");
                keep_what_is_under_way();
                std::process::exit(3);
            }
        }
    });
}

/// The memory that one input took \[bytes\].
fn try_one(target: &Target, case: u64, input: &[u8]) -> usize {
    if let Ok(mut under_way) = UNDER_WAY.lock() {
        *under_way = Some((target.name, case, input.to_vec()));
    }
    CASES.fetch_add(1, Ordering::Relaxed);
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    (target.run)(input);
    let taken = MEMORY.peak_usage().saturating_sub(before);
    if let Ok(mut under_way) = UNDER_WAY.lock() {
        *under_way = None;
    }
    taken
}

fn attack(target: &Target, count: u32, seed: u64, found: &mut Found) {
    let (seeds, kept) = (seeds(target.name), kept(target.name));
    let mut random = Seeded::new(seed);
    let (mut most, mut share) = (0, 0.0_f64);
    let mut judge = |case: u64, input: &[u8]| {
        let taken = try_one(target, case, input);
        (most, share) =
            (Ord::max(most, taken), legwork_testkit::nan_max(share, taken as f64 / (input.len() + 1) as f64));
        let bound = FIXED_MEMORY + MEMORY_PER_BYTE * input.len();
        (taken > bound).then(|| {
            format!("{}, case {case}: {} bytes of memory for {} of input", target.name, taken, input.len())
        })
    };
    for (case, input) in seeds.iter().chain(&kept).enumerate() {
        found.failures.extend(judge(case as u64, input));
    }
    for case in 0..count {
        let seed = &seeds[case as usize % seeds.len()];
        let input = mutate(seed, &seeds, &mut random);
        if let Some(failure) = judge(u64::from(case), &input) {
            found.fail(failure);
        }
    }
    println!(
        "  {:13} {:>9} inputs from {} seeds, at most {:.1} MB of memory",
        target.name,
        grouped(u64::from(count)),
        seeds.len(),
        most as f64 / 1e6
    );
}

/// One kept input again.
///
/// # Errors
/// If there is no such target or file.
pub fn replay(target: &str, path: &str) -> Result<(), String> {
    let known = TARGETS.iter().find(|known| known.name == target);
    let known = known.ok_or_else(|| format!("there is no reader `{target}`"))?;
    let input = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let taken = try_one(known, 0, &input);
    println!("{target}: {} bytes read, {taken} bytes of memory", input.len());
    Ok(())
}

/// One reader alone.
///
/// # Errors
/// If there is no such reader, or its memory is not bounded.
pub fn one(target: &str, length: Length, seed: u64) -> Result<(), String> {
    let place = TARGETS.iter().position(|known| known.name == target);
    let place = place.ok_or_else(|| format!("there is no reader `{target}`"))?;
    watch();
    let (known, mut found) = (&TARGETS[place], Found::default());
    attack(known, length.pick(known.cases[0], known.cases[1]), seed + place as u64, &mut found);
    if found.failures.is_empty() { Ok(()) } else { Err(found.failures.join("\n")) }
}

/// Every reader under damaged inputs. A panic or an endless run ends the process with the input in a file.
pub fn run(length: Length, seed: u64) -> Found {
    watch();
    let mut found = Found::default();
    let mut all = 0;
    for (number, target) in TARGETS.iter().enumerate() {
        let count = length.pick(target.cases[0], target.cases[1]);
        attack(target, count, seed + number as u64, &mut found);
        all += u64::from(count);
    }
    found.figure = format!("{} inputs to {} readers, no panic, none endless", grouped(all), TARGETS.len());
    found
}
