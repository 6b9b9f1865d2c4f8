//! What a cycle asks of the joints.

use super::SizeError;
use super::rotors::Rotors;
use crate::experiment::{LoadedRobot, ReferenceMotion};
use crate::plan::{MotorPeaks, PeakTracker};
use crate::sorting::sort_by;
use crate::{AnyRobot, State};
use legwork_core::Real;

/// Panels of a cycle at least; each smooth part has one at least.
const PANELS: f64 = 400.0;
/// Most instants that are kept.
const MOST: usize = 4_000_000;

/// Places and weights of Gauss and Legendre on [0, 1], five points: exact to degree 9.
const GAUSS: [(f64, f64); 5] = [
    (0.046_910_077_030_668_0, 0.118_463_442_528_094_54),
    (0.230_765_344_947_158_45, 0.239_314_335_249_683_24),
    (0.5, 0.284_444_444_444_444_44),
    (0.769_234_655_052_841_5, 0.239_314_335_249_683_24),
    (0.953_089_922_969_332, 0.118_463_442_528_094_54),
];
/// Beside the ends of a smooth part: there peaks are, and accelerations may jump.
const BESIDE: f64 = 1e-9;

/// A joint at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// q̇ \[rad/s or m/s\]
    pub speed: f64,
    /// q̈ \[rad/s² or m/s²\]
    pub acceleration: f64,
    /// Effort with the motor of the robot's file and with friction \[N m or N\].
    pub effort: f64,
    /// The same without the inertia of any motor; shared out as least effort does where motors are more than freedoms.
    pub load: f64,
    /// The part of it that is friction.
    pub friction: f64,
}

/// All joints at one instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Instant {
    /// When \[s\].
    pub time: f64,
    /// What it stands for in an integral over the cycle \[s\]; zero where only peaks are looked for.
    pub weight: f64,
    /// One for each joint.
    pub joints: Vec<Moment>,
}

/// What a cycle asks of one joint, with the motor of the robot's file.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JointDemand {
    /// Its name: `q1`.
    pub name: String,
    /// Whether it slides.
    pub slides: bool,
    /// \[N m or N\]
    pub peak_effort: f64,
    /// \[N m or N\]
    pub rms_effort: f64,
    /// \[rad/s or m/s\]
    pub peak_speed: f64,
    /// \[rad/s or m/s\]
    pub rms_speed: f64,
    /// Largest power it gives \[W\].
    pub peak_power: f64,
    /// Largest power it takes back \[W\].
    pub peak_braking: f64,
    /// Mean power \[W\].
    pub mean_power: f64,
    /// Least and largest inertia that it feels along the cycle, without any motor \[kg m² or kg\].
    pub load_inertia: [f64; 2],
    /// What the robot's file gives its motor, at the joint \[kg m² or kg\].
    pub own_inertia: f64,
    /// Turns of the motor of the file for one turn of the joint; 1 without a gear.
    pub gear_ratio: f64,
    /// The same at the shaft of this motor, before the gear.
    pub motor_side: MotorSide,
}

/// What a cycle asks of the motor of the robot's file, at its shaft.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MotorSide {
    /// \[N m or N\]
    pub peak_effort: f64,
    /// \[N m or N\]
    pub rms_effort: f64,
    /// \[rad/s or m/s\]
    pub peak_speed: f64,
    /// \[rad/s or m/s\]
    pub rms_speed: f64,
}

/// What a cycle asks of a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Demand {
    /// Name of the robot.
    pub robot: String,
    /// Duration of one cycle \[s\].
    pub duration: f64,
    /// In order.
    pub joints: Vec<JointDemand>,
    /// Largest power of all motors together \[W\].
    pub peak_power: f64,
    /// Energy of a cycle if what the robot gives back is used again \[J\].
    pub energy: f64,
    /// Energy of a cycle if it is lost \[J\].
    pub energy_without_regeneration: f64,
    /// What friction takes in a cycle \[J\].
    pub dissipated: f64,
    /// Work less friction less what the robot has gained: zero but for rounding \[J\].
    pub imbalance: f64,
    /// When and where each motor has its peaks.
    pub peaks: Vec<MotorPeaks>,
    /// Rising in time.
    pub instants: Vec<Instant>,
}

impl Demand {
    /// Of one cycle of a motion, with what it picks up and puts down.
    pub fn of(robot: &AnyRobot, motion: &dyn ReferenceMotion) -> Result<Self, SizeError> {
        let motors = robot.joints().len();
        let rotors = Rotors::of(robot)?;
        let duration = motion.cycle_duration();
        let joints = motion.cycle_joints();
        if !(duration > 0.0 && duration.is_finite()) || joints.len() > MOST / 8 {
            return Err(SizeError::Duration { duration });
        }
        let loaded = LoadedRobot::new(robot, motion)?;
        let asked = |robot: &AnyRobot, time: f64| {
            let state = robot.state(&motion.platform(time));
            state.map_err(|cause| SizeError::At { time, cause })
        };
        let heavier = rotors.twice.as_ref().map(|twice| LoadedRobot::new(twice, motion)).transpose()?;
        let ask = |time: f64| {
            let heavier = heavier.as_ref().map(|heavier| asked(heavier.at(time), time)).transpose()?;
            Ok(Asked { state: asked(loaded.at(time), time)?, heavier })
        };
        let mut ledger = DemandLedger::new(motors);
        let step = duration / PANELS;
        for (from, to) in joints.iter().zip(joints.iter().skip(1)) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 400")]
            let panels = ((to - from) / step).ceil().clamp(1.0, PANELS) as u32;
            let width = (to - from) / f64::from(panels);
            for k in 0..panels {
                let begin = from + width * f64::from(k);
                ledger.see(begin + BESIDE * width, 0.0, &ask(begin + BESIDE * width)?, &rotors);
                for (place, weight) in GAUSS {
                    let time = begin + place * width;
                    ledger.see(time, weight * width, &ask(time)?, &rotors);
                }
                let end = begin + (1.0 - BESIDE) * width;
                ledger.see(end, 0.0, &ask(end)?, &rotors);
            }
        }
        for k in 0..motors {
            ledger.refine(&ask, &rotors, |instant| instant.joints[k].effort.abs())?;
            ledger.refine(&ask, &rotors, |instant| instant.joints[k].speed.abs())?;
            ledger.refine(&ask, &rotors, |instant| {
                (instant.joints[k].effort * instant.joints[k].speed).abs()
            })?;
        }
        // What is picked up brings its energy along, what is put down takes it away.
        let mut carrier = loaded.at(0.0);
        let mut gained = -energy(&asked(carrier, 0.0)?);
        for load in motion.loads().iter().filter(|load| load.time > 0.0 && load.time < duration) {
            let next = loaded.at(load.time);
            gained -= energy(&asked(next, load.time)?) - energy(&asked(carrier, load.time)?);
            carrier = next;
        }
        gained += energy(&asked(carrier, duration)?);
        let demand = ledger.closed(robot, duration, gained, &rotors);
        match demand.not_finite() {
            Some(what) => Err(SizeError::NotFinite { what }),
            None => Ok(demand),
        }
    }

    /// The first number that is beyond the range of numbers.
    fn not_finite(&self) -> Option<String> {
        for joint in &self.joints {
            let all = [
                ("peak effort", joint.peak_effort),
                ("rms effort", joint.rms_effort),
                ("peak speed", joint.peak_speed),
                ("rms speed", joint.rms_speed),
                ("peak power", joint.peak_power),
                ("peak braking power", joint.peak_braking),
                ("mean power", joint.mean_power),
                ("least inertia of the load", joint.load_inertia[0]),
                ("largest inertia of the load", joint.load_inertia[1]),
                ("own inertia", joint.own_inertia),
            ];
            if let Some((what, _)) = all.iter().find(|(_, value)| !value.is_finite()) {
                return Some(format!("the {what} of {}", joint.name));
            }
        }
        let all = [
            ("the peak power", self.peak_power),
            ("the mean power", self.mean_power()),
            ("the energy", self.energy),
            ("the energy without regeneration", self.energy_without_regeneration),
            ("what friction takes", self.dissipated),
            ("the imbalance of the energies", self.imbalance),
        ];
        all.iter().find(|(_, value)| !value.is_finite()).map(|(what, _)| (*what).to_owned())
    }

    /// Mean power of all motors \[W\].
    pub fn mean_power(&self) -> f64 {
        self.energy / self.duration
    }
}

fn energy(state: &State) -> f64 {
    state.dynamics.as_ref().map_or(f64::NAN, |dynamics| dynamics.kinetic_energy + dynamics.potential_energy)
}

/// The robot at one instant, and the same with rotors twice as heavy where they are needed.
struct Asked {
    state: State,
    heavier: Option<State>,
}

/// Sums and peaks of the joints so far.
#[derive(Clone, Default)]
struct Sums {
    effort: [f64; 2],
    speed: [f64; 2],
    power: [f64; 3],
    inertia: [f64; 2],
}

struct DemandLedger {
    sums: Vec<Sums>,
    peak_power: f64,
    lost: f64,
    dissipated: f64,
    peaks: PeakTracker,
    instants: Vec<Instant>,
}

impl DemandLedger {
    fn new(motors: usize) -> Self {
        let sums = Sums { inertia: [f64::INFINITY, 0.0], ..Sums::default() };
        Self {
            sums: vec![sums; motors],
            peak_power: 0.0,
            lost: 0.0,
            dissipated: 0.0,
            peaks: PeakTracker::new(motors),
            instants: Vec::new(),
        }
    }

    /// Looks for the peak of a measure between the neighbours of its largest number, by golden section.
    fn refine(
        &mut self,
        ask: &dyn Fn(f64) -> Result<Asked, SizeError>,
        rotors: &Rotors,
        measure: impl Fn(&Instant) -> f64,
    ) -> Result<(), SizeError> {
        const SHARE: f64 = 0.618_033_988_749_894_9;
        let sizes = self.instants.iter().map(&measure).enumerate();
        let (peak, _) = sizes.fold((0, 0.0), |most, one| if one.1 > most.1 { one } else { most });
        let time = |k: usize| self.instants.get(k).map_or(0.0, |instant| instant.time);
        let (mut a, mut b) = (time(peak.saturating_sub(1)), time((peak + 1).min(self.instants.len() - 1)));
        let mut look = |time: f64| -> Result<f64, SizeError> {
            self.see(time, 0.0, &ask(time)?, rotors);
            // What was seen goes to the end of the list; it is put in order below.
            Ok(self.instants.last().map_or(0.0, &measure))
        };
        let (mut c, mut d) = (b - SHARE * (b - a), a + SHARE * (b - a));
        let (mut at_c, mut at_d) = (look(c)?, look(d)?);
        // A smooth peak is flat: half the digits of the time give all of its value.
        for _ in 0..20 {
            if at_c > at_d {
                (b, d, at_d) = (d, c, at_c);
                c = b - SHARE * (b - a);
                at_c = look(c)?;
            } else {
                (a, c, at_c) = (c, d, at_d);
                d = a + SHARE * (b - a);
                at_d = look(d)?;
            }
        }
        sort_by(&mut self.instants, |a, b| a.time.total_cmp(&b.time));
        Ok(())
    }

    fn see(&mut self, time: f64, weight: f64, asked: &Asked, rotors: &Rotors) {
        let state = &asked.state;
        let Some(dynamics) = &state.dynamics else { return };
        let heavier = asked.heavier.as_ref().and_then(|state| state.dynamics.as_ref());
        self.peaks.see(time, state);
        let mut joints = Vec::with_capacity(self.sums.len());
        let mut all = 0.0;
        for (k, sums) in self.sums.iter_mut().enumerate() {
            let (speed, acceleration) = (state.qd[k], state.qdd[k]);
            let (effort, friction) = (dynamics.motor[k], dynamics.friction[k]);
            let power = effort * speed;
            all += power;
            let [most, sum] = &mut sums.effort;
            (*most, *sum) = (Real::max(*most, effort.abs()), *sum + weight * effort * effort);
            let [most, sum] = &mut sums.speed;
            (*most, *sum) = (Real::max(*most, speed.abs()), *sum + weight * speed * speed);
            let [most, least, sum] = &mut sums.power;
            (*most, *least, *sum) =
                (Real::max(*most, power), Real::max(*least, -power), *sum + weight * power);
            // Without the rotors, in which both are linear.
            let (mass, own) = (dynamics.mass_matrix[k][k], rotors.own[k]);
            let (load, inertia) = heavier.map_or((effort - own * acceleration, mass - own), |heavier| {
                (2.0 * effort - heavier.motor[k], 2.0 * mass - heavier.mass_matrix[k][k])
            });
            let [low, high] = &mut sums.inertia;
            (*low, *high) = (Real::min(*low, inertia), Real::max(*high, inertia));
            self.lost += weight * power.max(0.0);
            self.dissipated += weight * friction * speed;
            joints.push(Moment { speed, acceleration, effort, load, friction });
        }
        self.peak_power = Real::max(self.peak_power, all);
        self.instants.push(Instant { time, weight, joints });
    }

    fn closed(self, robot: &AnyRobot, duration: f64, gained: f64, rotors: &Rotors) -> Demand {
        let energy: f64 = self.sums.iter().map(|sums| sums.power[2]).sum();
        let joints = robot.joints().iter().zip(&self.sums).zip(&rotors.own);
        let rms = |squares: f64| (squares / duration).sqrt();
        let joints = joints.map(|((joint, sums), own)| JointDemand {
            gear_ratio: joint.gear_ratio(),
            motor_side: MotorSide {
                peak_effort: joint.motor_effort(sums.effort[0]),
                rms_effort: joint.motor_effort(rms(sums.effort[1])),
                peak_speed: joint.motor_speed(sums.speed[0]),
                rms_speed: joint.motor_speed(rms(sums.speed[1])),
            },
            name: joint.name.clone(),
            slides: joint.slides,
            peak_effort: sums.effort[0],
            rms_effort: rms(sums.effort[1]),
            peak_speed: sums.speed[0],
            rms_speed: rms(sums.speed[1]),
            peak_power: sums.power[0],
            peak_braking: sums.power[1],
            mean_power: sums.power[2] / duration,
            load_inertia: sums.inertia,
            own_inertia: *own,
        });
        Demand {
            robot: robot.name().into(),
            duration,
            joints: joints.collect(),
            peak_power: self.peak_power,
            energy,
            energy_without_regeneration: self.lost,
            dissipated: self.dissipated,
            imbalance: energy - self.dissipated - gained,
            peaks: self.peaks.peaks(),
            instants: self.instants,
        }
    }
}
