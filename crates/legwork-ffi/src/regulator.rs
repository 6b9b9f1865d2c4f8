//! Regulators, sample by sample.

use crate::border::{Given, Output, State, apart, call, call_for_code, legwork_state, long_text, put};
use crate::codes::Code;
use crate::handles::Table;
use crate::message::Failure;
use crate::owned_regulator::OwnedRegulator;
use legwork::coordinates::CoordinateSchema;
use legwork::experiment::fault_in_words;
use legwork::sim::{Measured, SampledController};
use legwork::task::{Request, RequestFormat};
use std::ffi::{c_char, c_int};
use std::sync::{Mutex, TryLockError};

/// A regulator, as the caller holds it.
#[repr(C)]
pub struct legwork_regulator {
    _opaque: [u8; 0],
}

/// What is known of a regulator from the beginning, as the header has it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct legwork_regulator_info {
    /// Joints.
    pub joints: usize,
    /// Freedoms of the platform.
    pub freedoms: usize,
    /// Numbers of a pose.
    pub coordinates: usize,
    /// Time between two samples \[s\].
    pub period: f64,
    /// Duration of the motion and of what follows it \[s\].
    pub duration: f64,
}

struct Regulator {
    owned: OwnedRegulator,
    schema: CoordinateSchema,
    info: legwork_regulator_info,
}

static REGULATORS: Table<Mutex<Regulator>> = Table::new("regulator", 2);

fn with_regulator<R>(
    regulator: *const legwork_regulator,
    user: impl FnOnce(&mut Regulator) -> Result<R, Failure>,
) -> Result<R, Failure> {
    REGULATORS.with(regulator, |regulator| match regulator.try_lock() {
        Ok(mut regulator) => user(&mut regulator),
        Err(TryLockError::Poisoned(poisoned)) => user(&mut poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => {
            Err(Failure::Argument(Code::Busy, "regulator", "is in use in another thread"))
        }
    })
}

fn finite(time: f64) -> Result<(), Failure> {
    if time.is_finite() { Ok(()) } else { Err(Failure::Argument(Code::NotFinite, "time", "is not finite")) }
}

unsafe fn made(
    request: *const c_char,
    request_length: usize,
    is_live: bool,
    out: *mut *mut legwork_regulator,
) -> Result<(), Failure> {
    // SAFETY: the promise of the caller of this function, which is that of the header, here and below.
    unsafe { put("out", out, std::ptr::null_mut()) }?;
    // SAFETY: as above.
    let text = unsafe { long_text("request", request, request_length) }?;
    let Request::Follow(request) = Request::parse(text, RequestFormat::Json)? else {
        let text = "a regulator is made of a request with \"task\": \"follow\"";
        return Err(Failure::Text(Code::InvalidRequest, text.into()));
    };
    let owned = if is_live { OwnedRegulator::live(&request)? } else { OwnedRegulator::along(&request)? };
    let experiment = owned.experiment();
    let (robot, schema) = (experiment.robot(), CoordinateSchema::of(experiment.robot()));
    let info = legwork_regulator_info {
        joints: robot.joints().len(),
        freedoms: robot.freedoms().len(),
        coordinates: schema.coordinate_count(),
        period: experiment.period(),
        duration: if is_live { f64::INFINITY } else { experiment.duration() },
    };
    let handle = REGULATORS.insert(Mutex::new(Regulator { owned, schema, info }))?;
    // SAFETY: as above.
    unsafe { put("out", out, handle) }
}

/// The regulator of a request `follow`, along its motion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_regulator_new(
    request: *const c_char,
    request_length: usize,
    out: *mut *mut legwork_regulator,
) -> c_int {
    // SAFETY: "Pointers" of the header.
    call(|| unsafe { made(request, request_length, false, out) })
}

/// The same along what the caller gives sample by sample.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_regulator_live(
    request: *const c_char,
    request_length: usize,
    out: *mut *mut legwork_regulator,
) -> c_int {
    // SAFETY: "Pointers" of the header.
    call(|| unsafe { made(request, request_length, true, out) })
}

/// Finishes a regulator.
#[unsafe(no_mangle)]
pub extern "C" fn legwork_regulator_free(regulator: *mut legwork_regulator) -> c_int {
    call(|| REGULATORS.remove(regulator))
}

/// What is known of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_regulator_about(
    regulator: *const legwork_regulator,
    info: *mut legwork_regulator_info,
) -> c_int {
    call(|| {
        with_regulator(regulator, |regulator| {
            // SAFETY: "Pointers" of the header.
            unsafe { put("info", info, regulator.info) }
        })
    })
}

/// From now on this is where the platform should be, how fast, with which acceleration.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_regulator_set_target(
    regulator: *mut legwork_regulator,
    state: *const legwork_state,
) -> c_int {
    call(|| {
        with_regulator(regulator, |regulator| {
            // SAFETY: "Pointers" of the header.
            let state = unsafe { State::read(state) }?.of(&regulator.schema)?;
            let Some(target) = regulator.owned.target() else {
                let text = "the regulator follows the motion of its request; `legwork_regulator_live` makes one for targets";
                return Err(Failure::Text(Code::InvalidInput, text.into()));
            };
            target.set(&state);
            Ok(())
        })
    })
}

/// The efforts for what is measured now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_regulator_step(
    regulator: *mut legwork_regulator,
    time: f64,
    q: *const f64,
    q_length: usize,
    qd: *const f64,
    qd_length: usize,
    efforts: *mut f64,
    efforts_length: usize,
) -> c_int {
    call_for_code(|| {
        with_regulator(regulator, |regulator| {
            let joints = regulator.info.joints;
            // SAFETY: "Pointers" of the header; `q` and `qd` are copied, so `efforts` may be where they are.
            let (q, qd, mut efforts) = unsafe {
                (
                    Given::new("q", q, q_length)?,
                    Given::optional("qd", qd, qd_length)?,
                    Output::new("efforts", efforts, efforts_length, joints)?,
                )
            };
            let q = q.exactly("q", joints)?;
            let qd = qd.as_ref().map(|qd| qd.exactly("qd", joints)).transpose()?;
            finite(time)?;
            let controller = regulator.owned.controller();
            efforts.answer(|efforts| {
                controller
                    .sample(&Measured { time, q, qd }, efforts)
                    .map_err(|fault| Failure::Text(Code::NoAnswer, fault.to_string()))
            })?;
            Ok(if controller.fault().is_some() { Code::SafeCommand } else { Code::Ok })
        })
    })
}

/// Where the joints should be at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_regulator_reference(
    regulator: *mut legwork_regulator,
    time: f64,
    q: *mut f64,
    q_length: usize,
) -> c_int {
    call(|| {
        with_regulator(regulator, |regulator| {
            // SAFETY: "Pointers" of the header.
            let mut q = unsafe { Output::new("q", q, q_length, regulator.info.joints) }?;
            finite(time)?;
            q.answer(|q| {
                let margin = regulator.owned.controller().reference(time, q);
                if margin > 0.0 && q.iter().all(|q| q.is_finite()) {
                    return Ok(());
                }
                let text = "has the platform out of reach, at a singularity or where no number is";
                Err(Failure::Argument(Code::Unreachable, "the reference", text))
            })
        })
    })
}

/// Where the platform should be at a time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_regulator_target(
    regulator: *mut legwork_regulator,
    time: f64,
    pose: *mut f64,
    pose_length: usize,
    velocity: *mut f64,
    acceleration: *mut f64,
    freedoms: usize,
) -> c_int {
    call(|| {
        with_regulator(regulator, |regulator| {
            apart(&[
                (pose.cast_const(), pose_length),
                (velocity.cast_const(), freedoms),
                (acceleration.cast_const(), freedoms),
            ])?;
            let info = regulator.info;
            // SAFETY: "Pointers" of the header; the lists are apart.
            let (mut pose, mut velocity, mut acceleration) = unsafe {
                (
                    Output::new("pose", pose, pose_length, info.coordinates)?,
                    Output::new("velocity", velocity, freedoms, info.freedoms)?,
                    Output::new("acceleration", acceleration, freedoms, info.freedoms)?,
                )
            };
            finite(time)?;
            let experiment = regulator.owned.experiment();
            let place = experiment.motion().platform(time);
            regulator.schema.coordinates_into(&place, pose.list());
            for (list, six) in [(&mut velocity, place.twist), (&mut acceleration, place.acceleration)] {
                let freedoms = experiment.robot().freedoms();
                for (slot, freedom) in list.list().iter_mut().zip(freedoms) {
                    *slot = six[freedom.component];
                }
            }
            Ok(())
        })
    })
}

/// Begins anew.
#[unsafe(no_mangle)]
pub extern "C" fn legwork_regulator_reset(regulator: *mut legwork_regulator) -> c_int {
    call(|| {
        with_regulator(regulator, |regulator| {
            regulator.owned.controller().reset();
            Ok(())
        })
    })
}

/// When and why it gave up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_regulator_fault(
    regulator: *mut legwork_regulator,
    time: *mut f64,
    text: *mut c_char,
    text_length: usize,
) -> c_int {
    call(|| {
        with_regulator(regulator, |regulator| {
            let fault = regulator.owned.controller().fault();
            let robot = regulator.owned.experiment().robot();
            let words = fault.map(|(_, fault)| fault_in_words(robot, &fault)).unwrap_or_default();
            // SAFETY: "Pointers" of the header.
            unsafe {
                Output::text(text, text_length, &words);
                put("time", time, fault.map_or(f64::NAN, |(time, _)| time))
            }
        })
    })
}
