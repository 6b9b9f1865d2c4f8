//! scratch
use legwork::experiment::{Experiment, Motion, Scheme, Tuning};
use legwork::sim::{ModelError, Plant};
use legwork::trajectory::{Geodesic, Law, Path, SemiEllipse, Shape, Turning};
use legwork::{AnyRobot, M3, V3, rotation_from_roll_pitch_yaw};

fn motion(peak: f64, tilt: f64) -> Motion {
    let (from, to) = (V3::new(-0.125, 0.0, 0.8), V3::new(0.125, 0.0, 0.8));
    let path = SemiEllipse::new(from, to, V3::along_z(0.06)).unwrap();
    let turn = |p: f64| {
        let [x, y, z] = rotation_from_roll_pitch_yaw([0.0, p, 0.0]).map(V3::from);
        M3::from_rows(x, y, z)
    };
    let orientation = Geodesic::new(turn(-tilt), turn(tilt)).unwrap();
    let law = Law::by_peak_acceleration(Shape::sine(), path.length(), peak).unwrap();
    Motion::new(Turning { path, orientation }, law)
}

fn main() {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    for peak in [10.0, 20.0, 40.0] {
        for (name, part, lag) in
            [("exact", 0.0, 2e-3), ("+10", 0.1, 2e-3), ("-10", -0.1, 2e-3), ("no lag", 0.0, 0.0)]
        {
            let error = ModelError { mass: part, motor_inertia: part, ..ModelError::default() };
            let known = robot.with_model_error(&error).unwrap();
            let plant = if lag > 0.0 { Plant::ideal().with_lag(lag) } else { Plant::ideal() };
            let experiment = Experiment::new(&robot, motion(peak, 0.17))
                .knowing(known)
                .on_plant(plant)
                .tuned(Tuning::default());
            println!(
                "peak {peak} {name} T {} gains {:?}",
                experiment.motion().duration(),
                experiment.applied(Scheme::Pd).map(|a| (a.inertia[0], a.proportional[0], a.derivative[0]))
            );
            let mut first = None;
            for scheme in Scheme::ALL {
                let o = experiment.run(scheme).unwrap();
                let f = first.get_or_insert(o.clone());
                let (a, b) = o.factors(f);
                println!(
                    "  {:18} {:8.4} mm {:8.4} mm {:8.4} mrad  factors {a:.2} {b:.2}  force {:.0} N rest {:?} {:?} {:?}",
                    scheme.name(),
                    o.sliding.unwrap().max * 1e3,
                    o.position.max * 1e3,
                    o.orientation.unwrap().max * 1e3,
                    o.peak_force.unwrap(),
                    o.arrival.map(|a| (a.overshoot * 1e3, a.rest * 1e3, a.settling)),
                    o.fault,
                    o.summary.ending
                );
            }
        }
    }
}
