//! `--mode`: of every robot, every word that the program suggests is taken.

mod program;

use program::legwork;
use serde_json::Value;

/// The words between back-ticks of the hint after a mode that does not exist.
fn suggested(stderr: &str) -> Vec<String> {
    let hint = stderr.lines().find(|line| line.starts_with("hint: ")).unwrap();
    hint.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_suggested_word_is_taken() {
    let robots: Value = serde_json::from_str(&legwork(&["robots", "--json"], b"").stdout).unwrap();
    let mut with_words = Vec::new();
    for robot in robots["robots"].as_array().unwrap() {
        let (name, family) = (robot["name"].as_str().unwrap(), robot["family"].as_str().unwrap());
        let shown: Value = serde_json::from_str(&legwork(&["show", name, "--json"], b"").stdout).unwrap();
        let home = shown["home"]["position"].as_array().unwrap().iter().map(Value::to_string);
        let home: Vec<String> = home.collect();
        let ik = |mode: &str| {
            let mut words = vec!["ik", name];
            words.extend(home.iter().map(String::as_str));
            words.extend(["--mode", mode]);
            legwork(&words, b"")
        };
        let refused = ik("sideways");
        assert_eq!(refused.code, 2, "{name}");
        let words = suggested(&refused.stderr);
        if words == ["--mode"] {
            assert!(shown["branches"].is_null(), "{name}");
            continue;
        }
        assert_eq!(shown["branches"]["names"], Value::from(words.clone()), "{name}");
        with_words.push(family.to_owned());
        // Each word for all legs, and both in turn, one for each leg.
        let legs = usize::try_from(shown["branches"]["legs"].as_u64().unwrap()).unwrap();
        let in_turn: Vec<&str> = words.iter().cycle().map(String::as_str).take(legs).collect();
        for mode in [&words[0], &words[1], &in_turn.join("-")] {
            let taken = ik(mode);
            assert_eq!(taken.code, 0, "{name} --mode {mode}: {}", taken.stderr);
        }
    }
    for family in ["delta", "hexa", "hexaglide", "linear-delta", "five-bar", "3-rrr", "custom"] {
        assert!(with_words.iter().any(|name| name == family), "{family}");
    }
}
