//! Motors, stops and encoders under the same proof.

use legwork_core::V3;
use legwork_core::drive::{CurrentLoop, Encoder, Friction, JointParts, LoopState, SoftStop, SpeedLimit};
use legwork_core::engine::{Pose, Twist};
use legwork_core::integrate::{Dopri5, Settings};
use legwork_core::motion::{DeltaMinimal, Driven, Formulation, Input, Passive};
use legwork_core::robots::catalog;

struct Machine {
    command: [f64; 6],
    motor: CurrentLoop,
    parts: JointParts,
}

impl Input for Machine {
    fn effort(&mut self, t: f64, effort: &mut [f64]) {
        for (slot, command) in effort.iter_mut().zip(self.command) {
            *slot = self.motor.follow(LoopState::default(), command, 1.0).0.effort(t);
        }
    }

    fn feels_joints(&self) -> bool {
        true
    }

    fn at_joints(&mut self, q: &[f64], qdot: &[f64], effort: &mut [f64]) -> Passive {
        let mut passive = Passive::default();
        for ((slot, q), speed) in effort.iter_mut().zip(q).zip(qdot) {
            let acting = self.parts.acting(*q, *speed, *slot);
            *slot = acting.motor + acting.passive;
            passive.power += acting.passive * speed;
            passive.heat += acting.heat;
        }
        passive
    }
}

/// A Delta behind motors with every limit, on stops; negative if it stops.
#[unsafe(no_mangle)]
pub extern "C" fn machine_motion(start: &[f64; 3], command: &[f64; 6]) -> f64 {
    let form = DeltaMinimal::new(catalog::delta_industrial());
    let Ok(x) = form.state_at(&Pose::translation(V3::from(*start)), Twist::zero()) else { return -1.0 };
    let [lag, limit, rate, stiffness, speed, resolution] = *command;
    let stop = SoftStop { min: -0.2, max: 0.2, stiffness, damping: 0.1 };
    let parts =
        JointParts { speed_limit: Some(SpeedLimit::new(speed)), friction: Friction::none(), stop: Some(stop) };
    let machine = Machine { command: *command, motor: CurrentLoop { lag, limit, rate }, parts };
    let mut system = Driven::new(form, machine);
    let mut run = Dopri5::new(0.0, (x, [0.0; 2]), Settings::default());
    if run.advance_to(&mut system, 0.01).is_err() {
        return -2.0;
    }
    let (mut q, mut qdot) = ([0.0; 3], [0.0; 3]);
    if form.joints(&run.state().0, &mut q, &mut qdot).is_err() {
        return -3.0;
    }
    q.iter().map(|q| Encoder { resolution }.read(*q)).sum::<f64>() + parts.energy(limit)
}
