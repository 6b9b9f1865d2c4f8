//! How long a session takes natively: `session_times LIST.json`, a list of `{ open, ask, times }`. Prints the best time of each in
//! milliseconds, as JSON. For the figures of `./ci.sh studio` beside those of the browser.

use legwork_session::Session;
use serde_json::Value;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let list = std::fs::read_to_string(std::env::args().nth(1).ok_or("no list")?)?;
    let list: Vec<Value> = serde_json::from_str(&list)?;
    let mut found = Vec::new();
    for entry in &list {
        let mut session = Session::default();
        session.call(&entry["open"].to_string());
        let ask = entry["ask"].to_string();
        let mut best = f64::INFINITY;
        for _ in 0..entry["times"].as_u64().unwrap_or(1) {
            let begin = Instant::now();
            let answer = session.call(&ask);
            best = best.min(1e3 * begin.elapsed().as_secs_f64());
            if answer.starts_with("{\"error\"") {
                return Err(format!("{ask}: {answer}").into());
            }
        }
        found.push(best);
    }
    println!("{}", serde_json::to_string(&found)?);
    Ok(())
}
