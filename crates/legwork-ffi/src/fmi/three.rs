//! The 75 functions of FMI 3.0, of which those of co-simulation do something.
#![allow(non_snake_case, missing_docs)] // names and meaning are those of the standard
#![allow(clippy::too_many_arguments)]

use super::calls::{
    DISCARD, ERROR, Logger, OK, call, free, free_state, get, get_whole, instantiate, keep, none, put,
    restore, set, state_bytes, state_of_bytes, state_size, step, text,
};
use std::ffi::{c_char, c_int, c_void};

type Instance = *mut c_void;
type LogMessage = Option<unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char)>;

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetDebugLogging(
    instance: Instance,
    _on: bool,
    _count: usize,
    _categories: *const *const c_char,
) -> c_int {
    call(instance, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging_on: bool,
    _event_mode_used: bool,
    _early_return_allowed: bool,
    _intermediate_variables: *const u32,
    _intermediate_count: usize,
    environment: *mut c_void,
    log: LogMessage,
    _intermediate_update: *const c_void,
) -> Instance {
    // SAFETY: the standard's promise: texts are null or end with a zero.
    unsafe { instantiate(text(name), text(token), text(resources), false, Logger::Three(log, environment)) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateModelExchange(
    name: *const c_char,
    _token: *const c_char,
    _resources: *const c_char,
    _visible: bool,
    _logging_on: bool,
    environment: *mut c_void,
    log: LogMessage,
) -> Instance {
    // SAFETY: the standard's promise: texts are null or end with a zero.
    Logger::Three(log, environment).line(
        unsafe { text(name) },
        ERROR,
        "of FMI 3.0 this unit has co-simulation only",
    );
    std::ptr::null_mut()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateScheduledExecution(
    name: *const c_char,
    _token: *const c_char,
    _resources: *const c_char,
    _visible: bool,
    _logging_on: bool,
    environment: *mut c_void,
    log: LogMessage,
    _clock_update: *const c_void,
    _lock: *const c_void,
    _unlock: *const c_void,
) -> Instance {
    // SAFETY: the standard's promise: texts are null or end with a zero.
    Logger::Three(log, environment).line(
        unsafe { text(name) },
        ERROR,
        "of FMI 3.0 this unit has co-simulation only",
    );
    std::ptr::null_mut()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3FreeInstance(instance: Instance) {
    free(instance);
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3EnterInitializationMode(
    instance: Instance,
    _tolerance_defined: bool,
    _tolerance: f64,
    start: f64,
    _stop_defined: bool,
    _stop: f64,
) -> c_int {
    call(instance, |it| it.unit.begin_at(start))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3ExitInitializationMode(instance: Instance) -> c_int {
    call(instance, |it| it.unit.start())
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3Reset(instance: Instance) -> c_int {
    call(instance, |it| {
        it.unit.reset();
        Ok(())
    })
}

/// Changes of mode that change nothing here.
macro_rules! modes {
    ($($name:ident,)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(instance: Instance) -> c_int {
            call(instance, |_| Ok(()))
        }
    )*};
}

modes! {
    fmi3EnterEventMode,
    fmi3Terminate,
    fmi3EnterConfigurationMode,
    fmi3ExitConfigurationMode,
    fmi3EnterContinuousTimeMode,
    fmi3EnterStepMode,
    fmi3EvaluateDiscreteStates,
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFloat64(
    instance: Instance,
    references: *const u32,
    count: usize,
    values: *mut f64,
    value_count: usize,
) -> c_int {
    // SAFETY: the standard's promise about lists; variables are scalars.
    unsafe { get(instance, references, count, values, value_count) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFloat64(
    instance: Instance,
    references: *const u32,
    count: usize,
    values: *const f64,
    value_count: usize,
) -> c_int {
    // SAFETY: the standard's promise about lists; variables are scalars.
    unsafe { set(instance, references, count, values, value_count) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetInt32(
    instance: Instance,
    references: *const u32,
    count: usize,
    values: *mut c_int,
    value_count: usize,
) -> c_int {
    // SAFETY: the standard's promise about lists; variables are scalars.
    unsafe { get_whole(instance, references, count, values, value_count) }
}

/// Variables of types that no unit of ours has.
macro_rules! no_variables {
    ($($get:ident $set:ident $kind:ty,)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $get(instance: Instance, _references: *const u32, count: usize, _values: *mut $kind, _value_count: usize) -> c_int {
            none(instance, count)
        }
        #[unsafe(no_mangle)]
        pub extern "C" fn $set(instance: Instance, _references: *const u32, count: usize, _values: *const $kind, _value_count: usize) -> c_int {
            none(instance, count)
        }
    )*};
}

no_variables! {
    fmi3GetFloat32 fmi3SetFloat32 f32,
    fmi3GetInt8 fmi3SetInt8 i8,
    fmi3GetUInt8 fmi3SetUInt8 u8,
    fmi3GetInt16 fmi3SetInt16 i16,
    fmi3GetUInt16 fmi3SetUInt16 u16,
    fmi3GetUInt32 fmi3SetUInt32 u32,
    fmi3GetInt64 fmi3SetInt64 i64,
    fmi3GetUInt64 fmi3SetUInt64 u64,
    fmi3GetBoolean fmi3SetBoolean bool,
    fmi3GetString fmi3SetString *const c_char,
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetInt32(
    instance: Instance,
    _references: *const u32,
    count: usize,
    _values: *const i32,
    _value_count: usize,
) -> c_int {
    none(instance, count)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetBinary(
    instance: Instance,
    _references: *const u32,
    count: usize,
    _sizes: *mut usize,
    _values: *mut *const u8,
    _value_count: usize,
) -> c_int {
    none(instance, count)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetBinary(
    instance: Instance,
    _references: *const u32,
    count: usize,
    _sizes: *const usize,
    _values: *const *const u8,
    _value_count: usize,
) -> c_int {
    none(instance, count)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetClock(
    instance: Instance,
    _references: *const u32,
    count: usize,
    _values: *mut bool,
) -> c_int {
    none(instance, count)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetClock(
    instance: Instance,
    _references: *const u32,
    count: usize,
    _values: *const bool,
) -> c_int {
    none(instance, count)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetNumberOfVariableDependencies(
    instance: Instance,
    _reference: u32,
    _count: *mut usize,
) -> c_int {
    call(instance, |_| Err("dependencies are not told".into()))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVariableDependencies(
    instance: Instance,
    _dependent: u32,
    _elements: *mut usize,
    _independents: *mut u32,
    _independent_elements: *mut usize,
    _kinds: *mut c_int,
    _count: usize,
) -> c_int {
    call(instance, |_| Err("dependencies are not told".into()))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFMUState(instance: Instance, state: *mut *mut c_void) -> c_int {
    // SAFETY: the standard's promise about `state`.
    unsafe { keep(instance, state) }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi3SetFMUState(instance: Instance, state: *mut c_void) -> c_int {
    restore(instance, state)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeFMUState(instance: Instance, state: *mut *mut c_void) -> c_int {
    // SAFETY: the standard's promise about `state`.
    unsafe { free_state(instance, state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializedFMUStateSize(
    instance: Instance,
    state: *mut c_void,
    size: *mut usize,
) -> c_int {
    // SAFETY: the standard's promise about `size`.
    unsafe { state_size(instance, state, size) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializeFMUState(
    instance: Instance,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> c_int {
    // SAFETY: the standard's promise about lists.
    unsafe { state_bytes(instance, state, bytes, size) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DeserializeFMUState(
    instance: Instance,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> c_int {
    // SAFETY: the standard's promise about lists.
    unsafe { state_of_bytes(instance, bytes, size, state) }
}

/// Derivatives that are not provided.
macro_rules! no_derivatives {
    ($($name:ident,)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(
            instance: Instance,
            _unknowns: *const u32,
            _unknown_count: usize,
            _knowns: *const u32,
            _known_count: usize,
            _seed: *const f64,
            _seed_count: usize,
            _sensitivity: *mut f64,
            _sensitivity_count: usize,
        ) -> c_int {
            call(instance, |_| Err("directional and adjoint derivatives are not provided".into()))
        }
    )*};
}

no_derivatives! {
    fmi3GetDirectionalDerivative,
    fmi3GetAdjointDerivative,
}

/// Of clocks, model exchange and scheduled execution, which this unit does not have.
macro_rules! not_here {
    ($($name:ident($($argument:ident: $kind:ty),*),)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(instance: Instance, $($argument: $kind),*) -> c_int {
            $(let _ = $argument;)*
            call(instance, |_| Err(concat!(stringify!($name), ": this unit has co-simulation only").into()))
        }
    )*};
}

not_here! {
    fmi3GetIntervalDecimal(references: *const u32, count: usize, intervals: *mut f64, qualifiers: *mut c_int),
    fmi3GetIntervalFraction(references: *const u32, count: usize, counters: *mut u64, resolutions: *mut u64, qualifiers: *mut c_int),
    fmi3GetShiftDecimal(references: *const u32, count: usize, shifts: *mut f64),
    fmi3GetShiftFraction(references: *const u32, count: usize, counters: *mut u64, resolutions: *mut u64),
    fmi3SetIntervalDecimal(references: *const u32, count: usize, intervals: *const f64),
    fmi3SetIntervalFraction(references: *const u32, count: usize, counters: *const u64, resolutions: *const u64),
    fmi3SetShiftDecimal(references: *const u32, count: usize, shifts: *const f64),
    fmi3SetShiftFraction(references: *const u32, count: usize, counters: *const u64, resolutions: *const u64),
    fmi3CompletedIntegratorStep(no_way_back: bool, enter_event_mode: *mut bool, terminate: *mut bool),
    fmi3SetTime(time: f64),
    fmi3SetContinuousStates(states: *const f64, count: usize),
    fmi3GetContinuousStateDerivatives(rates: *mut f64, count: usize),
    fmi3GetEventIndicators(indicators: *mut f64, count: usize),
    fmi3GetContinuousStates(states: *mut f64, count: usize),
    fmi3GetNominalsOfContinuousStates(nominals: *mut f64, count: usize),
    fmi3GetOutputDerivatives(references: *const u32, count: usize, orders: *const i32, values: *mut f64, value_count: usize),
    fmi3ActivateModelPartition(clock: u32, time: f64),
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfEventIndicators(instance: Instance, count: *mut usize) -> c_int {
    call(instance, |_| {
        // SAFETY: the standard's promise about `count`.
        unsafe { put(count, 0) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetNumberOfContinuousStates(instance: Instance, count: *mut usize) -> c_int {
    call(instance, |_| {
        // SAFETY: the standard's promise about `count`.
        unsafe { put(count, 0) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3UpdateDiscreteStates(
    instance: Instance,
    needed: *mut bool,
    terminate: *mut bool,
    nominals_changed: *mut bool,
    values_changed: *mut bool,
    next_event_defined: *mut bool,
    next_event: *mut f64,
) -> c_int {
    // SAFETY: the standard's promise about all of them.
    unsafe {
        for flag in [needed, terminate, nominals_changed, values_changed, next_event_defined] {
            put(flag, false);
        }
        put(next_event, 0.0);
    }
    if instance.is_null() { DISCARD } else { OK }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    instance: Instance,
    time: f64,
    duration: f64,
    _no_way_back: bool,
    event_needed: *mut bool,
    terminate: *mut bool,
    early_return: *mut bool,
    last_time: *mut f64,
) -> c_int {
    step(instance, time, duration, |it| {
        // SAFETY: the standard's promise about all of them.
        unsafe {
            for flag in [event_needed, terminate, early_return] {
                put(flag, false);
            }
            put(last_time, it.unit.time());
        }
    })
}
