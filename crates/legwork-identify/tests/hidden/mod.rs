//! Robots that differ from their files by numbers that only the test knows, and measurements on them.
#![allow(dead_code)] // each test uses some of it

use legwork::engine::{Pose, turn_by};
use legwork::random::Random;
use legwork::{AnyRobot, PlatformState, V3};
use legwork_identify::geometry::estimate::Fit;
use legwork_identify::geometry::model::{Built, Drawn, Model, Place};
use legwork_identify::geometry::observation::{Noise, Observations, Row, Setup};
use legwork_identify::geometry::parameters::{ParameterSet, Parameters};
use legwork_identify::geometry::residual::Problem;

/// A robot and by what it really differs from its file.
pub struct Hidden {
    pub model: Model,
    pub truth: Vec<f64>,
}

/// What a measurement sees and what is known of it.
#[derive(Clone, Debug)]
pub struct Seen {
    pub frame_is_known: bool,
    pub rotation: bool,
    /// Where the tracker stands, if its frame is not known.
    pub frame: Pose<f64>,
    pub target: Option<[f64; 3]>,
}

impl Default for Seen {
    fn default() -> Self {
        let frame = Pose::new(turn_by(V3::new(0.3, -0.2, 1.1)), V3::new(1.4, -0.7, 0.4));
        Self { frame_is_known: false, rotation: false, frame, target: Some([0.0; 3]) }
    }
}

impl Seen {
    pub fn known_frame() -> Self {
        Self { frame_is_known: true, frame: Pose::identity(), ..Self::default() }
    }

    pub fn setup(&self) -> Setup {
        Setup {
            frame_is_known: self.frame_is_known,
            target: self.target,
            plane_height: None,
            centre: None,
            sensors_are_zeroed: false,
        }
    }
}

impl Hidden {
    /// A robot whose numbers are off by about so much \[m\].
    pub fn new(name: &str, set: ParameterSet, error: f64, seed: u64) -> Self {
        Self::of(AnyRobot::open(name).unwrap(), set, error, seed)
    }

    pub fn of(robot: AnyRobot, set: ParameterSet, error: f64, seed: u64) -> Self {
        let drawn = Drawn::of(&robot).unwrap();
        let parameters = Parameters::of(&robot, &drawn, set, 2e-3);
        let mut random = Random::new(seed);
        let truth = parameters.list.iter().map(|p| random.normal() * error * p.prior / 2e-3).collect();
        Self { model: Model::new(robot, parameters).unwrap(), truth }
    }

    /// The robot that its calibrated file would be.
    pub fn robot(&self) -> AnyRobot {
        AnyRobot::new(self.model.calibrated(&self.truth, None)).unwrap()
    }

    pub fn state(&self, place: &Place) -> PlatformState {
        self.model.state(&place.pose)
    }

    /// Poses spread over what the robot reaches around its home.
    pub fn poses(&self, count: usize, seed: u64) -> Vec<Place> {
        let drawn = &self.model.drawn;
        let mut random = Random::new(seed);
        let truth = self.robot();
        let reach = 0.35 * drawn.reach;
        let mut found = Vec::new();
        let mut tries = 0;
        while found.len() < count {
            tries += 1;
            assert!(tries < 100_000, "no poses");
            let (mut shift, mut turn) = ([0.0; 3], [0.0; 3]);
            for place in &drawn.freedoms {
                let x = random.uniform(-1.0, 1.0);
                if *place < 3 { shift[*place] = x * reach } else { turn[*place - 3] = 0.3 * x }
            }
            let pose = Pose::new(
                turn_by(V3::from(turn)) * drawn.home.pose.rotation,
                drawn.home.pose.position + V3::from(shift),
            );
            // Well inside, and both robots go there.
            let clear = |robot: &AnyRobot| {
                let state = self.model.state(&pose);
                robot.inverse_kinematics(&state).is_ok()
                    && robot.singularity(&state).is_ok_and(|s| s.condition < 40.0)
            };
            if clear(&truth) && clear(&self.model.robot) {
                found.extend(self.model.place(&pose));
            }
        }
        found
    }

    pub fn measured(&self, count: usize, noise: f64, seen: &Seen, seed: u64) -> Observations {
        let mut random = Random::new(seed + 1000);
        let built = self.model.built(&self.truth);
        let target = V3::from(seen.target.unwrap_or([0.02, -0.03, 0.05]));
        let is_planar = self.model.drawn.is_planar();
        let turns = self.turn_noise(noise);
        let poses = self.poses(count, seed);
        let rows = poses.iter().map(|pose| {
            let q = self.model.readings(&built, pose);
            // What follows from the freedoms is the hidden robot's, too.
            let truth = self.model.pose(&built, &q, pose).unwrap();
            let user = self.model.to_user(&truth.pose);
            let place = seen.frame.of(user.position + user.rotation * target);
            let mut position = place.to_array().map(|x| Some(x + noise * random.normal()));
            if is_planar {
                position[2] = None;
            }
            let wobble = turn_by(V3::from([0; 3].map(|_| turns * random.normal())));
            let rotation = seen.rotation.then(|| wobble * seen.frame.rotation * user.rotation);
            Row { q, position, rotation, ..Row::default() }
        });
        Observations { rows: rows.collect(), sensors: Vec::new() }
    }

    fn turn_noise(&self, noise: f64) -> f64 {
        noise / self.model.drawn.size.max(0.05)
    }

    pub fn noise(&self) -> Noise {
        let noise = 1e-5;
        Noise {
            position: noise,
            rotation: self.turn_noise(noise),
            plane: noise,
            distance: noise,
            sensor: 1e-4,
            is_known: false,
        }
    }

    pub fn problem<'a>(&'a self, data: &'a Observations, seen: &Seen) -> Problem<'a> {
        let setup = seen.setup();
        let start = |q: &Vec<f64>| self.model.nominal(q).ok();
        let starts = data
            .rows
            .iter()
            .map(|row| {
                let other = row.distance.as_ref().and_then(|(_, to)| to.as_ref()).and_then(start);
                [start(&row.q), other]
            })
            .collect();
        let layout = Problem::layout(&self.model, data, &setup);
        Problem { model: &self.model, data, setup, noise: self.noise(), layout, starts }
    }

    /// Root mean square of the platform's error at poses that were not measured, in the frame of the measurement.
    pub fn platform_error(&self, fit: &Fit, seen: &Seen) -> f64 {
        let truth = self.model.built(&self.truth);
        let found = self.model.built(&fit.values);
        let mut sum = 0.0;
        let poses = self.poses(40, 99);
        for pose in &poses {
            let q = self.model.readings(&truth, pose);
            let at = |built: &Built| self.model.to_user(&self.model.pose(built, &q, pose).unwrap().pose);
            let (a, b) = (at(&truth), at(&found));
            let gap = seen.frame.of(a.position) - fit.unknowns.frame.of(b.position);
            sum += gap.norm_sq();
        }
        (sum / poses.len() as f64).sqrt()
    }
}

/// A built-in robot of legs as a file of bodies and joints.
pub fn as_bodies(name: &str) -> AnyRobot {
    let robot = AnyRobot::open(name).unwrap();
    robot.with_separate_legs().unwrap()
}
