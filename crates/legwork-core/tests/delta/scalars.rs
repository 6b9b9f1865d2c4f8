//! The Delta in every scalar: lanes and traces equal `f64` to the bit, and the
//! tracer's operation counts are kept as snapshots.
use legwork_core::lanes::{f64x4, pack4, unpack4};
use legwork_core::robots::catalog;
use legwork_core::robots::delta::{Assembly, Delta, Forearm, Motion};
use legwork_core::trace::Tape;
use legwork_core::{Real, Trace, V3};
use legwork_testkit::Seeded;

const SEED: u64 = 0x5ca1a;

/// Motions inside the workspace of the industrial Delta.
fn motions<const N: usize>(rng: &mut Seeded) -> [Motion<f64>; N] {
    std::array::from_fn(|_| Motion {
        position: V3::new(rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3), rng.uniform(-0.95, -0.65)),
        velocity: rng.triple(3.0).into(),
        acceleration: rng.triple(60.0).into(),
    })
}

fn bits(v: V3<f64>) -> [u64; 3] {
    v.map(f64::to_bits).to_array()
}

/// Every function of the platform state that needs no trigonometry, as one list of vectors.
fn from_platform<T: Real>(delta: &Delta<T>, m: &Motion<T>) -> [V3<T>; 8] {
    let posture = delta.linkage().posture_at(m.position).value;
    let j = posture.jacobian();
    let a = delta.mass_matrix(&posture);
    let forward = delta.acceleration(&posture, m.velocity, m.acceleration, V3::zero()).value;
    [
        delta.torque_for(m, V3::zero()).value.torque,
        delta.coriolis_torque(&posture, m.velocity),
        delta.gravity_torque(&posture),
        j.0.x,
        a.diagonal,
        a.off,
        forward.platform,
        forward.joint,
    ]
}

#[test]
fn every_lane_equals_f64_to_the_bit() {
    let mut rng = Seeded::new(SEED);
    for model in [Forearm::Exact, Forearm::SIMPLIFIED] {
        let delta = catalog::delta_industrial().with_forearm(model);
        let wide = delta.cast::<f64x4>();
        for _ in 0..500 {
            let four: [Motion<f64>; 4] = motions(&mut rng);
            let packed = Motion {
                position: pack4(four.map(|m| m.position)),
                velocity: pack4(four.map(|m| m.velocity)),
                acceleration: pack4(four.map(|m| m.acceleration)),
            };
            let lanes = from_platform(&wide, &packed).map(unpack4);
            for (i, motion) in four.iter().enumerate() {
                for (found, exact) in lanes.iter().zip(from_platform(&delta, motion)) {
                    assert_eq!(bits(found[i]), bits(exact));
                }
            }
        }
    }
}

#[test]
fn a_bad_lane_stays_alone() {
    let mut rng = Seeded::new(SEED + 1);
    let delta = catalog::delta_industrial();
    let mut four: [Motion<f64>; 4] = motions(&mut rng);
    four[2].position = V3::new(0.0, 0.0, -3.0); // out of reach
    let at_rest = Motion::rest(pack4(four.map(|m| m.position)));
    let found = delta.cast::<f64x4>().torque_for(&at_rest, V3::zero());
    let (torques, margins) = (unpack4(found.value.torque), found.margin.to_array());
    for i in 0..4 {
        assert_eq!(margins[i] > 0.0, i != 2);
        assert_eq!(torques[i].x.is_nan(), i == 2);
        if i != 2 {
            assert_eq!(
                bits(torques[i]),
                bits(delta.gravity_torque(&delta.linkage().posture(four[i].position).unwrap()))
            );
        }
    }
}

fn inputs<'t>(tape: &'t Tape, name: &str) -> V3<Trace<'t>> {
    V3::new("x", "y", "z").map(|axis| tape.input(&format!("{name}_{axis}")))
}

/// What one evaluation costs, counted by running it: change it knowingly.
#[test]
fn operation_counts() {
    let counts: [(&str, &str, Formula); 6] = [
        (
            "inverse kinematics",
            "flops 64 | mul 35 | add 23 | div 3 | sqrt 3 | sin 0 | cos 0 | atan2 3 | select 0 | neg 4 | abs 0 | lt 0",
            Formula::Angles,
        ),
        (
            "forward kinematics",
            "flops 82 | mul 48 | add 32 | div 1 | sqrt 1 | sin 3 | cos 3 | atan2 0 | select 1 | neg 1 | abs 0 | lt 1",
            Formula::Position,
        ),
        (
            "mass matrix",
            "flops 221 | mul 130 | add 84 | div 4 | sqrt 3 | sin 0 | cos 0 | atan2 0 | select 0 | neg 0 | abs 0 | lt 0",
            Formula::MassMatrix,
        ),
        (
            "inverse dynamics",
            "flops 284 | mul 165 | add 109 | div 7 | sqrt 3 | sin 0 | cos 0 | atan2 0 | select 0 | neg 0 | abs 0 | lt 0",
            Formula::Torque,
        ),
        (
            "forward dynamics, platform state",
            "flops 384 | mul 226 | add 146 | div 9 | sqrt 3 | sin 0 | cos 0 | atan2 0 | select 0 | neg 0 | abs 0 | lt 0",
            Formula::Platform,
        ),
        (
            "forward dynamics, joint state",
            "flops 470 | mul 281 | add 180 | div 8 | sqrt 1 | sin 3 | cos 3 | atan2 0 | select 1 | neg 1 | abs 0 | lt 1",
            Formula::Joint,
        ),
    ];
    for (name, snapshot, formula) in counts {
        let tape = Tape::new();
        let delta = catalog::delta_industrial().cast::<Trace<'_>>();
        let outputs = formula.run(&delta, ["x", "v", "a"].map(|name| inputs(&tape, name)));
        assert_eq!(tape.count(&outputs).to_string(), snapshot, "{name}");

        // and the recording computes what the formula computes, to the bit
        let mut rng = Seeded::new(SEED + 2);
        for m in motions::<50>(&mut rng) {
            let state = match formula {
                Formula::Position | Formula::Joint => [m.velocity * 0.2, m.velocity, m.acceleration],
                _ => [m.position, m.velocity, m.acceleration],
            };
            let values: Vec<f64> = state.iter().flat_map(|v| v.to_array()).collect();
            let bits = |v: Vec<f64>| v.iter().map(|x| (x + 0.0).to_bits()).collect::<Vec<_>>(); // 0 has no sign here
            let direct = formula.run(&catalog::delta_industrial(), state);
            assert_eq!(bits(tape.evaluate(&outputs, &values).unwrap()), bits(direct), "{name}");
        }
    }
}

#[derive(Clone, Copy)]
enum Formula {
    Angles,
    Position,
    MassMatrix,
    Torque,
    Platform,
    Joint,
}

impl Formula {
    /// The formula on three vectors: platform or joint position, velocity, and acceleration or torque.
    fn run<T: Real>(self, delta: &Delta<T>, [x, v, a]: [V3<T>; 3]) -> Vec<T> {
        let posture = delta.linkage().posture_at(x).value;
        let force = V3::zero();
        let vectors = match self {
            Self::Angles => vec![posture.angles()],
            Self::Position => vec![delta.linkage().posture_of(x, Assembly::Below).value.position],
            Self::MassMatrix => {
                let mass = delta.mass_matrix(&posture);
                vec![mass.diagonal, mass.off]
            }
            Self::Torque => {
                let motion = Motion { position: x, velocity: v, acceleration: a };
                vec![delta.torque_for(&motion, force).value.torque]
            }
            Self::Platform => {
                let found = delta.acceleration(&posture, v, a, force).value;
                vec![found.platform, found.joint]
            }
            Self::Joint => vec![delta.acceleration_of(x, v, a, force, Assembly::Below).value.joint],
        };
        vectors.into_iter().flat_map(V3::to_array).collect()
    }
}
