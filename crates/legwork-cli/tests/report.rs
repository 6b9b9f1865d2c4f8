//! Pages that the program writes.
#![cfg(feature = "studio")]

mod program;

use program::legwork;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// A folder of one test, gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("legwork-report-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

const RUN: &[&str] = &["simulate", "delta-industrial", "--duration", "0.1s"];

#[test]
fn a_run_and_its_recording_give_the_same_page_but_for_the_title() {
    let scratch = Scratch::new("same");
    let (recording, page, later) =
        (scratch.file("run.parquet"), scratch.file("run.html"), scratch.file("later.html"));
    let run = legwork(&[RUN, &["--out", &recording, "--report", &page, "--json"]].concat(), b"");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let said: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(said["report"], page.as_str());
    let again = legwork(&["report", &recording, "--out", &later, "--title", "delta-industrial: a run"], b"");
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(again.stdout.contains("page"), "{}", again.stdout);
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("delta-industrial: a run") && text.contains("simulate delta-industrial"));
    assert_eq!(text, fs::read_to_string(&later).unwrap());
}

/// `plan` and `size` have pages too: what was found, the robot moving, the curves.
#[test]
fn a_plan_and_a_sizing_have_pages() {
    let scratch = Scratch::new("motion");
    let page = scratch.file("page.html");
    for (words, shown) in [
        (&["plan", "delta-industrial", "--torque-limit", "60"][..], ["held back by", "Motor torques"]),
        (&["size", "delta-industrial", "--motors", "sample"], ["can do it", "motor torque over motor speed"]),
    ] {
        let run = legwork(&[words, &["--report", &page]].concat(), b"");
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{words:?}");
        assert!(run.stdout.contains(&page), "{}", run.stdout);
        let text = fs::read_to_string(&page).unwrap();
        for part in shown.iter().chain(&["platform at", "\"animation\""]) {
            assert!(text.contains(part), "{words:?}: `{part}` is not on the page");
        }
    }
    let wrong = legwork(&["plan", "delta-industrial", "--torque-limit", "60", "--report", "page.pdf"], b"");
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("let its name end in .html"), "{}", wrong.stderr);
}

#[test]
fn a_static_page_of_two_runs_has_their_plots() {
    let scratch = Scratch::new("static");
    let [a, b] = ["a.csv", "b.mcap"].map(|name| scratch.file(name));
    for path in [&a, &b] {
        assert_eq!(legwork(&[RUN, &["--out", path]].concat(), b"").code, 0);
    }
    let page = scratch.file("page.html");
    let run = legwork(&["report", &a, &b, "--out", &page, "--static", "--json"], b"");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let said: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(said["page"], "static");
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("Motor torques") && text.contains("<svg") && text.contains("a, b"));
}

#[test]
fn what_cannot_be_read_or_written_is_told() {
    let scratch = Scratch::new("bad");
    let page = scratch.file("page.html");
    let cases: [(&str, &[u8], &str); 3] = [
        ("notes.csv", b"not a recording", "has no samples"),
        ("broken.parquet", b"PAR1 and no more", "cannot be read as a recording"),
        ("missing.csv", b"", "cannot be read as a recording"),
    ];
    for (name, bytes, said) in cases {
        let file = scratch.file(name);
        if !bytes.is_empty() {
            fs::write(&file, bytes).unwrap();
        }
        let run = legwork(&["report", &file, "--out", &page], b"");
        assert_eq!(run.code, 2, "{name}");
        assert!(run.stderr.contains(said) && run.stderr.contains("hint"), "{name}: {}", run.stderr);
        assert!(!PathBuf::from(&page).exists(), "a page was left behind");
    }
    let nowhere = scratch.file("no/such/folder.html");
    let run = legwork(&[RUN, &["--report", &nowhere]].concat(), b"");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("cannot be written"), "{}", run.stderr);
}

/// Both ways of asking for it, with every quantity on the page.
#[test]
fn a_map_is_a_page_too() {
    let scratch = Scratch::new("map");
    let [one, two] = ["one.html", "two.html"].map(|name| scratch.file(name));
    let map = ["map", "delta-bortoff-b", "stability,mass-matrix", "--x", "-0.1..0.1/5", "--y", "-0.1..0.1/4"];
    let run = legwork(&[&map[..], &["--z", "-0.35", "--report", &one, "--out", &two]].concat(), b"");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("one.html") && run.stdout.contains("two.html"), "{}", run.stdout);
    for path in [&one, &two] {
        let text = fs::read_to_string(path).unwrap();
        assert!(
            text.contains("Largest real part of the poles") && text.contains("Mass matrix at the motors")
        );
        assert!(text.contains("map delta-bortoff-b"), "the command line");
    }
    let sliced =
        legwork(&["map", "gough-stewart", "stability", "--x", "-0.1..0.1/3", "--out", &one, "--json"], b"");
    assert_eq!(sliced.code, 0, "{}", sliced.stderr);
    let said: Value = serde_json::from_str(&sliced.stdout).unwrap();
    assert!(said["unstable_share"].as_f64().is_some_and(|share| (0.0..=1.0).contains(&share)), "{said}");
}

/// The studio as a file, with the robot that it begins with; or, where it was not built, the words that say what to do.
#[test]
fn the_studio_is_written_or_it_is_said_how_to_build_it() {
    let scratch = Scratch::new("studio");
    let page = scratch.file("studio.html");
    let mine = scratch.file("mine.toml");
    let shown = legwork(&["show", "five-bar", "--toml"], b"").stdout;
    // What would end the script that carries it must not.
    let noted =
        shown.lines().map(|line| if line.starts_with("note =") { "note = \"</script><!--\"" } else { line });
    fs::write(&mine, noted.collect::<Vec<_>>().join("\n")).unwrap();
    for (robot, held) in [
        (None, r#"id="settings">{"robot":null}<"#),
        (Some("five-bar"), r#"{"name":"five-bar","text":null}"#),
        (Some(mine.as_str()), r#"note = \"\u003c/script>\u003c!--\""#),
    ] {
        let words: Vec<&str> = ["studio"].into_iter().chain(robot).chain(["--out", &page]).collect();
        let run = legwork(&words, b"");
        if run.code == 0 {
            let text = fs::read_to_string(&page).unwrap();
            assert!(run.stdout.contains("MB") && text.contains(held), "{robot:?}: {}", run.stdout);
            // One file: its own policy forbids every connection, and the library is in it.
            assert!(text.contains("default-src 'none'") && text.contains(r#"id="wasm">"#), "{robot:?}");
            assert!(!text.contains("<!--WASM-->") && !text.contains("<!--SETTINGS-->"), "{robot:?}");
            fs::remove_file(&page).unwrap();
        } else {
            assert!(run.code == 2 && run.stderr.contains("built without the studio"), "{}", run.stderr);
            assert!(run.stderr.contains("ci/studio.sh") && run.stdout.is_empty(), "{}", run.stderr);
            assert!(!fs::exists(&page).unwrap());
        }
    }
    let refused = legwork(&["studio", "five-baar", "--out", &page], b"");
    assert!(refused.code == 2 && refused.stderr.contains("five-bar"), "{}", refused.stderr);
    let nowhere = legwork(&["studio", "--out", &scratch.file("no/such/folder/studio.html")], b"");
    assert!(nowhere.code == 2 && !nowhere.stderr.is_empty(), "{}", nowhere.stderr);
}
