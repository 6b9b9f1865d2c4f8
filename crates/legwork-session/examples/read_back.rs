//! Whether recordings that a page gave away are what it had: `read_back ANSWER.json FILE...`, where the answer is that to
//! the task `simulate`, with its samples. Every file must hold them to the bit. `read_back --bits FILE` prints its columns
//! instead: a name, and the bits of each number. For `./ci.sh studio`.

use legwork::recording::Recording;
use serde_json::Value;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let first = words.next().ok_or("no answer")?;
    if first == "--bits" {
        let recording = Recording::open(words.next().ok_or("no file")?)?;
        for (column, values) in recording.columns().iter().zip(recording.all_values()) {
            let bits: Vec<String> = values.iter().map(|x| format!("{:016x}", x.to_bits())).collect();
            println!("{} {}", column.name, bits.join(" "));
        }
        return Ok(());
    }
    let answer: Value = serde_json::from_str(&std::fs::read_to_string(first)?)?;
    let rows = answer["ok"]["result"]["samples"]["rows"].as_array().ok_or("the answer has no samples")?;
    let mut count = 0;
    for file in words {
        let recording = Recording::open(&file)?;
        if rows.is_empty() || recording.len() != rows.len() {
            return Err(format!("{file}: {} rows of {}", recording.len(), rows.len()).into());
        }
        for (k, column) in recording.all_values().iter().enumerate() {
            for (row, value) in rows.iter().zip(column) {
                let had = row[k].as_f64();
                if had.map(f64::to_bits) != Some(*value).filter(|x| x.is_finite()).map(f64::to_bits) {
                    let name = &recording.columns()[k].name;
                    return Err(format!("{file}: {name} is {value:?}, the page had {had:?}").into());
                }
            }
        }
        count += 1;
    }
    println!("{count} recordings of {} rows, the same to the bit", rows.len());
    if count == 0 { Err("no recordings".into()) } else { Ok(()) }
}
