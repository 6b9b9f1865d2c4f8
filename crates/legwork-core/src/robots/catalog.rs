//! Deltas with all their masses, source cited at each. The robot files of the
//! same name in `robots/` hold the same numbers; a test compares them.

use super::delta::{Delta, Geometry, Inertia, Linkage, Motor};

const G0: f64 = 9.81;

/// Radii R_A, R_B, lengths a, b \[m\], directions 0°, 120°, 240°.
fn geometry(base_radius: f64, platform_radius: f64, arm: f64, forearm: f64) -> Geometry<f64> {
    Geometry { base_radius, platform_radius, arm, forearm, azimuth: Geometry::regular_azimuth() }
}

fn delta(geometry: Geometry<f64>, inertia: Inertia<f64>, motor: Motor<f64>) -> Delta<f64> {
    Delta::unchecked(Linkage::unchecked(geometry), inertia, motor)
}

/// The direct-drive Delta of \[Codourey1998, Fig. 4–5\]; masses fitted to the
/// ratios printed there (the authors' are not published).
pub fn delta_direct_drive() -> Delta<f64> {
    let g = geometry(0.11, 0.03, 0.26, 0.48);
    let inertia = Inertia { elbow: 0.06, ..Inertia::thin_rods(&g, 0.27, 0.40, 0.10, G0) };
    delta(g, inertia, Motor { inertia: 0.012, ..Motor::ideal() })
}

/// \[NgocKim2010, Table 1\]; 48.2 g is one rod, a forearm has two (errata).
pub fn delta_ngoc_kim() -> Delta<f64> {
    let g = geometry(0.060, 0.022, 0.100, 0.224);
    delta(g, Inertia::thin_rods(&g, 0.0836, 0.0829, 0.0964, G0), Motor::ideal())
}

/// An industrial size with payload and rotor inertia; the robot of the golden file `delta_industrial.json`.
pub fn delta_industrial() -> Delta<f64> {
    let g = geometry(0.20, 0.045, 0.35, 0.80);
    let inertia = Inertia { payload: 1.0, elbow: 0.15, ..Inertia::thin_rods(&g, 0.5, 1.2, 0.3, G0) };
    delta(g, inertia, Motor { inertia: 0.02, ..Motor::ideal() })
}

/// The textbook-sized Delta whose torques were worked out twice independently
/// (golden numbers in the tests): thin uniform bars.
pub fn survey_delta() -> Delta<f64> {
    let g = geometry(0.20, 0.05, 0.30, 0.60);
    delta(g, Inertia::thin_rods(&g, 0.5, 1.0, 0.3, G0), Motor::ideal())
}

/// Parameter set A fitted to the poles of \[Bortoff2018, Fig. 5\].
pub fn delta_bortoff_a() -> Delta<f64> {
    bortoff(0.135, [0.2086, 0.4093], [1.504, 0.834, 0.402], 0.0895)
}

/// Parameter set B: all poles of \[Bortoff2018, Fig. 5\] but −2 ± j.
pub fn delta_bortoff_b() -> Delta<f64> {
    bortoff(0.103, [0.196, 0.387], [0.755, 0.231, 0.340], 0.0412)
}

/// Parameter set C: one damping value for all joints.
pub fn delta_bortoff_c() -> Delta<f64> {
    bortoff(0.1336, [0.2103, 0.4083], [1.243, 0.753, 0.329], 0.0863)
}

/// l_3 = 30 mm; masses M1, M2 and M3 = one third of the platform.
fn bortoff(offset: f64, [l1, l2]: [f64; 2], [m1, m2, m3]: [f64; 3], damping: f64) -> Delta<f64> {
    let g = geometry(offset + 0.03, 0.03, l1, l2);
    delta(g, Inertia::thin_rods(&g, 3.0 * m3, m1, m2, G0), Motor { viscous: damping, ..Motor::ideal() })
}
