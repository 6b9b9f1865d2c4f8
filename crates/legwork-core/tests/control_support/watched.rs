//! A supervised regulator of the direct-drive Delta, and what it is held against.

use legwork_core::control::{
    Command, Guard, Number, Platform, Reference, Regulator, SafeCommand, Settings, Supervisor,
};
use legwork_core::engine::Pose;
use legwork_core::robots::catalog;
use legwork_core::robots::delta::Delta;
use legwork_core::{Real, V3};

pub const DT: f64 = 1e-3;
pub const RANGE: (f64, f64) = (-1.2, 1.6);
pub const SPEED: f64 = 30.0;
pub const TRACKING: f64 = 0.1;
pub const RAMP: f64 = 0.02;
pub const BRAKE: f64 = 0.08;
pub const HOLD_KP: f64 = 300.0;
pub const HOLD_KD: f64 = 5.0;

pub type Watched<T> = Supervisor<Regulator<Delta<T>, T, 3>, T, 3>;

pub fn number<T: Real>(x: f64) -> T {
    T::from_f64(x)
}

pub fn guard<T: Number>(safe: SafeCommand<T, 3>) -> Guard<T, 3> {
    let guard = Guard::equal(
        (number(RANGE.0), number(RANGE.1)),
        number(SPEED),
        number(TRACKING),
        number(5.0 * DT),
        safe,
    );
    // D² of f32 has a noise of 1e-7.
    Guard { margin: number(1e-5), ..guard }
}

pub fn hold<T: Number>() -> SafeCommand<T, 3> {
    SafeCommand::Hold { proportional: [number(HOLD_KP); 3], derivative: [number(HOLD_KD); 3] }
}

pub fn brake<T: Number>() -> SafeCommand<T, 3> {
    let (proportional, derivative) = ([number(HOLD_KP); 3], [number(HOLD_KD); 3]);
    SafeCommand::Brake { time: number(BRAKE), proportional, derivative }
}

pub fn still<T: Number>(delta: &Delta<T>, at: V3<f64>) -> Reference<T, 3> {
    Reference::at(delta, &Platform::rest(Pose::translation(at.map(T::from_f64)))).value
}

pub fn settings<T: Number>() -> Settings<T, 3> {
    Settings::pd([number(700.0); 3], [number(7.8); 3]).with_model().with_shift(2)
}

pub fn watched<T: Number>(safe: SafeCommand<T, 3>, start: &Reference<T, 3>) -> Watched<T> {
    let delta = catalog::delta_direct_drive().cast::<T>();
    let regulator = Regulator::new(delta, settings(), start).unwrap();
    Supervisor::new(regulator, guard(safe), start).unwrap()
}

pub fn all_finite<T: Number>(command: &Command<T, 3>) -> bool {
    command.effort.iter().all(|u| (*u).into().is_finite())
}

pub const HOME: V3<f64> = V3::new(0.02, -0.03, -0.32);
