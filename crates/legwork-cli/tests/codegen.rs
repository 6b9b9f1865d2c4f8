//! `legwork codegen`: the commands of the book run, and what the book shows of the code is there.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_commands_of_the_book_run() {
    let book = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/src/codegen.md")).unwrap();
    let folder = std::env::temp_dir().join(format!("legwork-codegen-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let commands: Vec<&str> = book.lines().filter(|line| line.starts_with("legwork codegen ")).collect();
    assert!(commands.len() >= 5, "{} commands", commands.len());
    for command in commands {
        let words = command.split_whitespace().skip(1);
        let run =
            Command::new(env!("CARGO_BIN_EXE_legwork")).args(words).current_dir(&folder).output().unwrap();
        assert!(run.status.success(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
        assert!(!run.stdout.is_empty(), "{command}");
    }
    for file in [
        "model/delta_industrial.c",
        "model/delta_industrial_test.c",
        "plc/five_bar.st",
        "firmware/delta_industrial.h",
    ] {
        assert!(folder.join(Path::new(file)).exists(), "{file}");
    }
    // The listing with the margin calls the function as it is: the last command made the payload its last argument.
    let header = fs::read_to_string(folder.join("model/delta_industrial.h")).unwrap();
    let signature = "delta_industrial_inverse_dynamics(const double position[3], const double velocity[3], \
                     const double acceleration[3], double payload, double torque[3], double *margin);";
    assert!(header.contains(signature), "{header}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn bad_words_are_answered() {
    for (words, answer) in [
        (vec!["five-bar", "--what", "torqe"], "did you mean `torque`?"),
        (vec!["five-bar", "--lang", "ada"], "there are c, rust, st"),
        (vec!["3-rps"], "--name robot_3_rps"),
        (vec!["klipper-rotary-delta", "--what", "torque"], "has no masses"),
        (
            vec!["five-bar", "--out", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")],
            "is a file, not a folder",
        ),
        (vec!["gough-stewart", "--what", "simplified-torque"], "only a rotary Delta has forearms"),
    ] {
        let run = Command::new(env!("CARGO_BIN_EXE_legwork")).arg("codegen").args(&words).output().unwrap();
        let text = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(2), "{words:?}: {text}");
        assert!(text.contains(answer), "{words:?}: {text}");
    }
}
