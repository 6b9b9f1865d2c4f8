//! \[KhalilIbrahim2007\]: a method without numbers, so its identities are what can be shown, and a run.

use crate::lagrange::{self, angular_velocity, rotation_by};
use crate::{BoxError, Expected, Findings, Item, Paper, Source, Work};
use Paper::KhalilIbrahim2007;
use legwork::description::FamilyData;
use legwork::engine::chain::frame_with_z;
use legwork::engine::legs::UpsLeg;
use legwork::engine::{AnyLeg, Drive, Leg, LegPosture, Pose, RigidBody, Twist, Wrench, matrix};
use legwork::random::{DEFAULT_SEED, Random};
use legwork::report::{Axis, Lines, Table};
use legwork::sim::{Efforts, Integrator, Simulation};
use legwork::task::Handle;
use legwork::{AnyRobot, PlatformState};
use legwork::{Dual, M3, Real, Sym3, V3};
use nalgebra::{DMatrix, DVector};

/// In the order of the paper.
pub(crate) const ITEMS: &[Item] = &[
    Item::drawing(KhalilIbrahim2007, "fig1", "Equivalent tree structure"),
    Item::drawing(KhalilIbrahim2007, "fig2", "The Space robot"),
    Item::drawing(KhalilIbrahim2007, "fig3", "Base and platform frames"),
    Item::drawing(KhalilIbrahim2007, "fig4", "Frames of a leg"),
    Item {
        open: "a list of parameters, without numbers; the robot space-table1 is built on it",
        ..Item::drawing(KhalilIbrahim2007, "table1", "Geometric parameters of a leg")
    },
    Item::drawing(KhalilIbrahim2007, "fig5", "The C5 robot"),
    Item::drawing(KhalilIbrahim2007, "fig6", "Path through a leg"),
    Item {
        paper: KhalilIbrahim2007,
        id: "identities",
        title: "Inverse and direct model",
        statement: "The inverse model is (20), cheaper (21); the direct model (28) undoes it; the mass matrix of the robot is \
                    symmetric and positive. The paper prints no number.",
        conditions: "Robots space-table1, space-radial, gough-stewart, c5 and delta-industrial through the general engine, 12 \
                     random states each (seed 1998). Lagrange's equation from the energies alone, by differences of sixth \
                     order; (20) with all joints of the legs as chains. Errors relative to the size of the efforts.",
        open: "Nothing of the paper: there are no numbers in it.",
        work: Work::Compute(identities),
    },
    Item {
        paper: KhalilIbrahim2007,
        id: "run",
        title: "Inverse model into the direct model over half a second",
        statement: "The direct model serves simulation. The paper shows no run.",
        conditions: "Robot gough-stewart, all six axes in sines (30 mm, 0.1 rad, 5 to 8 rad/s): efforts of the inverse model \
                     fed into the direct model, Runge–Kutta with 2 ms, 0.5 s. Robot delta-industrial under constant torques, \
                     1 ms, 0.5 s.",
        open: "The independent program ran a hexapod of other masses (4.5e-11 there): the size is compared.",
        work: Work::Compute(run),
    },
];

const ROBOTS: [&str; 5] = ["space-table1", "space-radial", "gough-stewart", "c5", "delta-industrial"];
const STATES: usize = 12;

/// |a − b| over |b|.
pub(crate) fn relative(a: &[f64], b: &[f64]) -> f64 {
    let norm = |list: &mut dyn Iterator<Item = f64>| list.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut a.iter().zip(b).map(|(a, b)| a - b)) / norm(&mut b.iter().copied()).max(f64::MIN_POSITIVE)
}

/// A motion about the home of a robot: a tenth of its size away, turned by up to 10°.
pub(crate) fn scattered(robot: &AnyRobot, random: &mut Random) -> PlatformState {
    let mut state = robot.home();
    let size = 0.1 * state.position.iter().fold(robot.platform_size(), |m, x| m.max(x.abs()));
    let mut turn = [0.0; 3];
    for freedom in robot.freedoms() {
        let k = freedom.component;
        if freedom.turns() {
            turn[k - 3] = random.uniform(-0.17, 0.17);
        } else {
            state.position[k] += random.uniform(-size, size);
        }
        state.twist[k] = random.uniform(-1.0, 1.0);
        state.acceleration[k] = random.uniform(-10.0, 10.0);
    }
    let [x, y, z] = state.rotation.map(V3::from);
    state.rotation = (rotation_by(V3::from(turn)) * M3::from_rows(x, y, z)).to_rows();
    state
}

/// Random states where the robot is well conditioned.
pub(crate) fn states(robot: &AnyRobot, count: usize) -> Vec<PlatformState> {
    let mut random = Random::new(DEFAULT_SEED);
    let tries = std::iter::repeat_with(|| scattered(robot, &mut random)).take(50 * count);
    let sound = |at: &PlatformState| robot.state(at).is_ok_and(|state| state.singularity.condition < 100.0);
    tries.filter(sound).take(count).collect()
}

fn identities(handle: &Handle<'_>) -> Result<Findings, BoxError> {
    let mut findings = Findings::default();
    let names = ["robot", "(21) − Lagrange", "(21) − (20)", "direct∘inverse", "asymmetry"];
    let mut table = Table::new("Largest relative errors", names.map(|name| Axis::new(name, "")));
    for name in ROBOTS {
        let mut robot = AnyRobot::open(name)?;
        if robot.as_delta().is_some() {
            robot = robot.through_the_engine()?;
        }
        let mut worst = [0.0_f64; 4];
        let mut positive = true;
        for at in states(&robot, STATES) {
            handle.go_on()?;
            let state = robot.state(&at)?;
            let found = state.dynamics.as_ref().ok_or("the robot has no masses")?;
            let back = robot.forward_dynamics(&at, &found.motor)?;
            let wanted: Vec<f64> = robot.freedoms().iter().map(|f| at.acceleration[f.component]).collect();
            let errors = [
                relative(&found.effort, &lagrange::efforts(&robot, &at)?),
                relative(&found.effort, &complete(&robot, &at)?),
                relative(&back.platform, &wanted),
                asymmetry(&found.platform_mass_matrix),
            ];
            for (worst, error) in worst.iter_mut().zip(errors) {
                *worst = Real::max(*worst, error);
            }
            let n = found.platform_mass_matrix.len();
            let mass = DMatrix::from_fn(n, n, |i, j| found.platform_mass_matrix[i][j]);
            positive &= mass.symmetric_eigenvalues().min() > 0.0;
        }
        // Differences: rounding over the step, 1e-16/2e-4, times the condition. The others are rounding.
        let bars = [1e-9, 1e-11, 1e-11, 1e-13];
        for ((what, worst), bar) in names[1..].iter().zip(worst).zip(bars) {
            findings.number(format!("{name}: {what}"), "", worst, Expected::AtMost(bar), Source::Theory);
        }
        findings.claim(format!("{name}: the mass matrix is positive"), positive, Source::Theory);
        let cells = worst.map(|error| format!("{error:.1e}"));
        table = table.with_row(std::iter::once(name.to_owned()).chain(cells));
    }
    findings.show(table);
    Ok(findings)
}

fn asymmetry(m: &[Vec<f64>]) -> f64 {
    let pairs = || (0..m.len()).flat_map(|i| (0..m.len()).map(move |j| (i, j)));
    let largest = pairs().fold(0.0, |size, (i, j)| Real::max(size, m[i][j].abs()));
    pairs().fold(0.0, |size, (i, j)| Real::max(size, (m[i][j] - m[j][i]).abs())) / largest
}

/// What a leg as a chain adds to (20), and the rows of J_r⁻¹ that belong to it.
pub(crate) struct LegShare {
    /// J_viᵀ J_i⁻ᵀ H_i
    pub wrench: [f64; 6],
    /// Of its active joints.
    pub rows: Vec<[f64; 6]>,
}

/// A platform's motion in the words of the engine.
pub(crate) fn motion(at: &PlatformState) -> (Pose<f64>, Twist<f64>, Twist<f64>) {
    let [x, y, z] = at.rotation.map(V3::from);
    let pose = Pose::new(M3::from_rows(x, y, z), at.position.into());
    let twist = Twist::from_vector_linear_first;
    (pose, twist(at.twist), twist(at.acceleration))
}

/// The leg's posture, and H_i of all of its joints.
pub(crate) fn joint_efforts<const N: usize>(
    leg: &Leg<f64, N>,
    at: &PlatformState,
    gravity: V3<f64>,
) -> (LegPosture<f64, N>, [f64; N]) {
    let (pose, twist, acceleration) = motion(at);
    let posture = leg.posture(&pose).value;
    let rates = leg.rates(&posture, &pose, twist);
    let joint = matrix::sum(&posture.following(acceleration), &rates.bias);
    (posture, leg.chain.effort(&posture.chain, &rates.motion, &joint, gravity))
}

fn share<const N: usize>(leg: &Leg<f64, N>, at: &PlatformState, gravity: V3<f64>) -> LegShare {
    let (posture, efforts) = joint_efforts(leg, at, gravity);
    LegShare {
        wrench: matrix::transposed_times(&posture.follow(), &efforts),
        rows: active_rows(leg, &posture),
    }
}

/// The rows of J_r⁻¹ of a leg.
pub(crate) fn active_rows<const N: usize>(leg: &Leg<f64, N>, posture: &LegPosture<f64, N>) -> Vec<[f64; 6]> {
    let active = leg.chain.links.iter().zip(posture.follow()).filter(|(link, _)| link.active);
    active.map(|(_, row)| row).collect()
}

/// F_P of (12).
pub(crate) fn platform_wrench(body: &RigidBody<f64>, at: &PlatformState, gravity: V3<f64>) -> [f64; 6] {
    let (pose, twist, acceleration) = motion(at);
    let inertia = body.spatial(&pose, pose.position);
    let w = twist.angular;
    let still = inertia.apply(Twist::new(acceleration.linear - gravity, acceleration.angular));
    let moving = Wrench::new(w.cross(w.cross(inertia.first)), w.cross(inertia.inertia * w));
    (still + moving).to_vector_linear_first()
}

/// Γ with (J_r⁻¹)ᵀ Γ = Sᵀ w.
pub(crate) fn motor_efforts(
    robot: &AnyRobot,
    rows: &[[f64; 6]],
    wrench: &[f64; 6],
) -> Result<Vec<f64>, BoxError> {
    let places: Vec<usize> = robot.freedoms().iter().map(|freedom| freedom.component).collect();
    let matrix = DMatrix::from_fn(places.len(), rows.len(), |i, j| rows[j][places[i]]);
    let right = DVector::from_fn(places.len(), |i, _| wrench[places[i]]);
    let found = matrix.lu().solve(&right).ok_or("the Jacobian is singular")?;
    Ok(found.iter().copied().collect())
}

/// Every leg of a Gough–Stewart platform as a chain of three joints.
pub(crate) fn hexapod_chains(robot: &AnyRobot) -> Result<Vec<Leg<f64, 3>>, BoxError> {
    let FamilyData::GoughStewart(d) = &robot.description().data else { return Err("not a hexapod".into()) };
    let mass = d.mass.as_ref().ok_or("the robot has no masses")?;
    let rigid = |body: &legwork::description::Body| {
        let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = body.inertia;
        let inertia = Sym3 { diagonal: V3::new(xx, yy, zz), off: V3::new(yz, xz, xy) };
        RigidBody { mass: body.mass, centre: body.centre.into(), inertia }
    };
    let g = &d.geometry;
    let points = g.base_points.iter().zip(&g.platform_points).zip(&g.base_axes);
    let legs = points.map(|((base, point), axis)| UpsLeg {
        base: Pose::new(frame_with_z(V3::from(*axis)), (*base).into()),
        platform_point: (*point).into(),
        cylinder: rigid(&mass.cylinder),
        rod: rigid(&mass.rod),
        first: None,
        slide: Drive::with_inertia(d.motor.actuator_inertia),
    });
    Ok(legs.map(|leg| leg.leg()).collect())
}

/// Γ by (20), every joint of every leg.
fn complete(robot: &AnyRobot, at: &PlatformState) -> Result<Vec<f64>, BoxError> {
    let model = robot.engine_model().ok_or("not of the engine")?;
    let g = model.gravity;
    let mut wrench = platform_wrench(&model.platform, at, g);
    let mut rows = Vec::new();
    let mut take = |leg: LegShare| {
        wrench = matrix::sum(&wrench, &leg.wrench);
        rows.extend(leg.rows);
    };
    if model.legs.iter().any(|leg| matches!(leg, AnyLeg::Ups(_))) {
        hexapod_chains(robot)?.iter().for_each(|leg| take(share(leg, at, g)));
    } else {
        for leg in &model.legs {
            match leg {
                AnyLeg::One(leg) => take(share(leg, at, g)),
                AnyLeg::Two(leg) => take(share(leg, at, g)),
                AnyLeg::Three(leg) => take(share(leg, at, g)),
                _ => return Err("a leg of more than three joints".into()),
            }
        }
    }
    motor_efforts(robot, &rows, &wrench)
}

/// Where the hexapod should be: sines about its home, all six axes, 5 to 8 rad/s.
fn wanted(home: &PlatformState, t: f64) -> PlatformState {
    let frequencies = [5.0, 6.0, 7.0, 8.0, 5.5, 6.5];
    let time = Dual::<Dual<f64, 1>, 1>::variable(Dual::variable(t, 0), 0);
    let sine = |k: usize, size: f64| {
        let angle = time * Dual::constant(Dual::constant(frequencies[k]))
            + Dual::constant(Dual::constant(0.4 * k as f64));
        angle.sin_cos().0 * Dual::constant(Dual::constant(size))
    };
    let way = [0, 1, 2].map(|k| sine(k, 0.03));
    let turn = [3, 4, 5].map(|k| sine(k, 0.1));
    // Value and rate of the angles as functions of time that still have a derivative.
    let phi = V3::from(turn.map(|x| x.re));
    let omega = angular_velocity(phi, V3::from(turn.map(|x| x.eps[0])));
    let [r0, r1, r2] = home.rotation.map(V3::from);
    let rotation = rotation_by(phi.map(|x| x.re)) * M3::from_rows(r0, r1, r2);
    let [x, y, z] = way.map(|x| (x.re.re, x.re.eps[0], x.eps[0].eps[0]));
    let (w, b) = (omega.map(|x| x.re), omega.map(|x| x.eps[0]));
    PlatformState {
        position: [home.position[0] + x.0, home.position[1] + y.0, home.position[2] + z.0],
        rotation: rotation.to_rows(),
        twist: [x.1, y.1, z.1, w.x, w.y, w.z],
        acceleration: [x.2, y.2, z.2, b.x, b.y, b.z],
        wrench: [0.0; 6],
    }
}

fn run(handle: &Handle<'_>) -> Result<Findings, BoxError> {
    let mut findings = Findings::default();
    let robot = AnyRobot::open("gough-stewart")?;
    let home = robot.home();
    let inverse = robot.clone();
    let efforts = Efforts::Function(Box::new(move |t, effort| {
        let found = inverse.state(&wanted(&home, t)).ok().and_then(|state| state.dynamics);
        match found {
            Some(found) => effort.copy_from_slice(&found.motor),
            None => effort.fill(f64::NAN),
        }
    }));
    let mut simulation = Simulation::new(&robot, efforts)
        .starting_at(wanted(&home, 0.0))
        .lasting(0.5)
        .sampled_every(2e-3)
        .integrated_by(Integrator::Rk4 { step: 2e-3 });
    if let Some(flag) = handle.cancel_flag() {
        simulation = simulation.cancelled_by(flag);
    }
    let ran = simulation.run()?;
    handle.go_on()?;
    let (mut worst, mut force) = (0.0_f64, 0.0_f64);
    let mut curve = (Vec::new(), Vec::new());
    for sample in ran.samples.iter() {
        let goal = wanted(&home, sample.time);
        let way = sample.platform.position.iter().zip(goal.position).map(|(a, b)| (a - b).powi(2));
        let turn = sample.platform.rotation.as_flattened().iter().zip(goal.rotation.as_flattened());
        let off = (way.sum::<f64>() + turn.map(|(a, b)| (a - b).powi(2)).sum::<f64>() / 2.0).sqrt();
        worst = Real::max(worst, off);
        force = sample.effort.iter().fold(force, |m, f| Real::max(m, f.abs()));
        curve.0.push(sample.time * 1e3);
        curve.1.push(off.max(1e-17).log10());
    }
    // Another robot than that of the independent program, so the size: within a factor of thirty.
    let size = Expected::Within(0.0, 30.0 * 4.5e-11);
    findings.number("pose error after 0.5 s", "m, rad", worst, size, Source::Independent);
    findings.number("largest force of a leg", "N", force, Expected::Open, Source::Independent);
    let axes = (Axis::new("time", "ms"), Axis::new("log10 of the pose error", "m, rad"));
    findings.show(Lines::new("Inverse into direct model", axes.0, axes.1).with_curve("", &curve.0, &curve.1));

    let delta = AnyRobot::open("delta-industrial")?;
    let place = PlatformState::at([0.0, 0.0, -0.8]);
    let hold = delta.state(&place)?.dynamics.ok_or("the robot has no masses")?.motor;
    let balance = Simulation::new(&delta, Efforts::Constant(hold))
        .starting_at(PlatformState::at([0.1, -0.05, -0.75]))
        .lasting(0.5)
        .integrated_by(Integrator::Rk4 { step: 1e-3 })
        .run()?
        .summary;
    // 1e-10: the fourth order of the step, (1 ms / 0.3 s)⁴, times the energy of some joules; rounding is 1e-14.
    let most = Expected::AtMost(1e-10);
    findings.number("Delta: energy less work after 0.5 s", "J", balance.imbalance, most, Source::Theory);
    Ok(findings)
}
