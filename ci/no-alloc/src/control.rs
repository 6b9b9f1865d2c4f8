//! Supervised regulators under the same proof: every law, in `f64` and in `f32`.

use legwork_core::control::{
    Guard, Limits, Measured, Model, Number, ObserverSettings, PayloadSettings, Platform, Reference, Regulator,
    SafeCommand, Settings, Supervisor,
};
use legwork_core::engine::Pose;
use legwork_core::robots::{catalog, gough_stewart};
use legwork_core::V3;

/// Samples of a supervised regulator, one of them lost; the sum of the efforts. With an observer it also looks for a payload.
fn stepped<M: Model<T, K> + Copy, T: Number, const K: usize>(
    model: M,
    settings: Settings<T, K>,
    pose: &Pose<T>,
    measured: &[T; K],
    dt: T,
) -> Option<T> {
    let start = Reference::at(&model, &Platform::rest(*pose)).value;
    let [one, ten] = [1.0, 10.0].map(T::from_f64);
    let mut regulator = Regulator::new(model, settings, &start).ok()?;
    if settings.observer.is_some() {
        let found = PayloadSettings { most: ten, start: one, memory: one, bandwidth: ten, least: one };
        regulator = regulator.adapting(model, one, found).ok()?;
    }
    let safe = SafeCommand::Hold { proportional: [ten; K], derivative: [one; K] };
    let guard = Guard::equal((-ten, ten), ten * ten, one, one, safe);
    let mut it = Supervisor::new(regulator, guard, &start).ok()?;
    it.update(&start, Some(&Measured::angles(*measured)), dt);
    it.update(&start, Some(&Measured::angles(*measured)), dt);
    let command = it.update(&start, Some(&Measured::angles(*measured)), dt);
    let safe = it.update(&start, None, dt);
    it.reset(&start);
    Some(command.effort.iter().chain(&safe.effort).fold(T::zero(), |sum, u| sum + *u))
}

/// Every law of a robot.
fn all<M: Model<T, K> + Copy, T: Number, const K: usize>(model: M, pose: &Pose<T>, q: &[T; K], dt: T) -> T {
    let [gain, mean] = [100.0, 0.05].map(T::from_f64);
    let pd = Settings::pd([gain; K], [T::one(); K]).with_limits(Limits::equal(gain, gain * gain));
    let laws = [
        pd.with_model().with_shift(2).with_differences(),
        pd.with_constant_inertia(mean),
        pd.with_gravity().with_mass_matrix(mean),
        Settings::computed_torque(gain, T::one()),
        Settings::platform(gain, T::one()),
        pd.with_model().with_observer(ObserverSettings::equal(gain, gain)).with_drive_lag(dt),
    ];
    laws.into_iter().fold(T::zero(), |sum, law| sum + stepped(model, law, pose, q, dt).unwrap_or(T::zero()))
}

/// The Delta on a large controller.
#[unsafe(no_mangle)]
pub extern "C" fn delta_control(position: &[f64; 3], q: &[f64; 3], dt: f64) -> f64 {
    all(catalog::delta_industrial(), &Pose::translation(V3::from(*position)), q, dt)
}

/// The Delta on a small one.
#[unsafe(no_mangle)]
pub extern "C" fn delta_control_single(position: &[f32; 3], q: &[f32; 3], dt: f32) -> f32 {
    all(catalog::delta_industrial().cast::<f32>(), &Pose::translation(V3::from(*position)), q, dt)
}

/// A hexapod.
#[unsafe(no_mangle)]
pub extern "C" fn gough_control(p: &gough_stewart::Parameters<f64>, pose: &Pose<f64>, q: &[f64; 6], dt: f64) -> f64 {
    all(p.hexapod(), pose, q, dt)
}
