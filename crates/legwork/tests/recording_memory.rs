//! A million rows go to a file and back in memory that does not grow.

mod recording_support;

use legwork::recording::{Column, Ending, Format, Metadata, Reader, Recorder};
use recording_support::Folder;

const ROWS: usize = 1_000_000;

/// Largest memory of this process so far \[bytes\]; `None` where the system does not tell.
fn most_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.trim().trim_end_matches(" kB").parse::<usize>().ok()?)
}

#[test]
fn a_million_rows_need_no_more_memory_than_a_few() {
    let folder = Folder::new("memory");
    let columns = [Column::time(), Column::new("a", "m"), Column::new("b", "N m")];
    let row = |k: usize| [k as f64 * 1e-3, (k as f64).sqrt(), 1.0 / k as f64];
    let mut most = None;
    for rows in [5_000, ROWS] {
        for format in Format::ALL {
            let path = folder.file("long", format);
            let mut recorder = Recorder::start(&path, &columns, &Metadata::new()).unwrap();
            for k in 0..rows {
                recorder.push(&row(k)).unwrap();
            }
            recorder.finish("end").unwrap();
            let mut reader = Reader::open(&path).unwrap();
            let mut block = vec![Vec::new(); 3];
            let mut read = 0;
            loop {
                let count = reader.read_block(&mut block).unwrap();
                if count == 0 {
                    break;
                }
                for (c, column) in block.iter().enumerate() {
                    let expected = (read..read + count).map(|k| row(k)[c].to_bits());
                    assert!(
                        column.iter().map(|value| value.to_bits()).eq(expected),
                        "{format:?}, column {c}"
                    );
                }
                read += count;
                block.iter_mut().for_each(Vec::clear);
            }
            assert_eq!((read, reader.ending()), (rows, Some(&Ending::Finished("end".into()))));
            // The numbers alone have 24 MB; the tables of contents of 1000 blocks below 2 MB.
            if let (Some(before), Some(now)) = (most, most_memory()) {
                let grown = now - before;
                println!("{format:?}: {} kB more", grown / 1024);
                assert!(grown < 4 << 20, "{format:?}: {grown} bytes more for {rows} rows");
            }
        }
        most = most_memory();
    }
}
