//! Mechanisms of bodies and joints with loops: golden files, identities, two formulations, units, bad mechanisms.

mod bad;
mod identities;
mod orders;
mod reactions;
mod support;
mod verdicts;

use legwork::check::check_golden;
use support::golden_path;

/// States and motions that this code did not make: every quantity of every file.
#[test]
fn golden_mechanisms_agree_in_every_quantity() {
    for (name, quantities) in [
        ("agile_eye", 28),
        ("delta4", 28),
        ("exechon", 28),
        ("planar_table", 28),
        ("prs3", 28),
        ("quattro", 28),
        ("rps3", 28),
        ("tricept", 28),
        ("upu3", 28),
        ("delta_ss", 28),
        ("two_deltas_bar", 26), // redundant motors: no mass matrix, no Coriolis effort
        ("sarrus", 28),
        ("made_up_1_29", 28),
        ("made_up_3_30", 28),
        ("rps3_swing", 15),
        ("andrews", 15),
    ] {
        let report = check_golden(golden_path(name)).unwrap();
        assert_eq!(report.findings.len(), quantities, "{name}: {:?}", report.findings);
        for finding in &report.findings {
            println!("{name:16} {:44} {:.1e}", finding.name, finding.worst);
            assert!(finding.holds(), "{name}: {} is off by {:.1e}", finding.name, finding.worst);
        }
        assert!(report.holds());
    }
}
