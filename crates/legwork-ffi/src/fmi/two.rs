//! The 44 functions of FMI 2.0.
#![allow(non_snake_case, missing_docs)] // names and meaning are those of the standard

use super::calls::{
    DISCARD, Logger, OK, call, call_or, free, free_state, get, get_whole, input, instantiate, keep, none,
    output, put, restore, set, state_bytes, state_of_bytes, state_size, step, text,
};
use std::ffi::{c_char, c_int, c_uint, c_void};

type Component = *mut c_void;

/// `fmi2CallbackFunctions`
#[repr(C)]
pub struct Callbacks {
    logger:
        Option<unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...)>,
    allocate: *const c_void,
    free: *const c_void,
    step_finished: *const c_void,
    environment: *mut c_void,
}

/// `fmi2EventInfo`
#[repr(C)]
pub struct EventInfo {
    new_discrete_states_needed: c_int,
    terminate_simulation: c_int,
    nominals_changed: c_int,
    values_changed: c_int,
    next_event_time_defined: c_int,
    next_event_time: f64,
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetDebugLogging(
    component: Component,
    _on: c_int,
    _count: usize,
    _categories: *const *const c_char,
) -> c_int {
    call(component, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: c_int,
    guid: *const c_char,
    resources: *const c_char,
    functions: *const Callbacks,
    _visible: c_int,
    _logging_on: c_int,
) -> Component {
    // SAFETY: the standard's promise: null, or a whole structure; texts end with a zero.
    unsafe {
        let (logger, user) =
            functions.as_ref().map_or((None, std::ptr::null_mut()), |it| (it.logger, it.environment));
        // fmi2ModelExchange is 0.
        instantiate(text(name), text(guid), text(resources), kind == 0, Logger::Two(logger, user))
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2FreeInstance(component: Component) {
    free(component);
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetupExperiment(
    component: Component,
    _tolerance_defined: c_int,
    _tolerance: f64,
    start: f64,
    _stop_defined: c_int,
    _stop: f64,
) -> c_int {
    call(component, |it| it.unit.begin_at(start))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2EnterInitializationMode(component: Component) -> c_int {
    call(component, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2ExitInitializationMode(component: Component) -> c_int {
    call(component, |it| {
        // What cannot start is told now.
        it.unit.start()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2Terminate(component: Component) -> c_int {
    call(component, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2Reset(component: Component) -> c_int {
    call(component, |it| {
        it.unit.reset();
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetReal(
    component: Component,
    references: *const c_uint,
    count: usize,
    values: *mut f64,
) -> c_int {
    // SAFETY: the standard's promise about lists.
    unsafe { get(component, references, count, values, count) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetInteger(
    component: Component,
    references: *const c_uint,
    count: usize,
    values: *mut c_int,
) -> c_int {
    // SAFETY: the standard's promise about lists.
    unsafe { get_whole(component, references, count, values, count) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetReal(
    component: Component,
    references: *const c_uint,
    count: usize,
    values: *const f64,
) -> c_int {
    // SAFETY: the standard's promise about lists.
    unsafe { set(component, references, count, values, count) }
}

/// Variables of types that no unit of ours has.
macro_rules! no_variables {
    ($($name:ident: $value:ty,)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(component: Component, _references: *const c_uint, count: usize, _values: $value) -> c_int {
            none(component, count)
        }
    )*};
}

no_variables! {
    fmi2GetBoolean: *mut c_int,
    fmi2GetString: *mut *const c_char,
    fmi2SetInteger: *const c_int,
    fmi2SetBoolean: *const c_int,
    fmi2SetString: *const *const c_char,
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetFMUstate(component: Component, state: *mut *mut c_void) -> c_int {
    // SAFETY: the standard's promise about `state`.
    unsafe { keep(component, state) }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetFMUstate(component: Component, state: *mut c_void) -> c_int {
    restore(component, state)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeFMUstate(component: Component, state: *mut *mut c_void) -> c_int {
    // SAFETY: the standard's promise about `state`.
    unsafe { free_state(component, state) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializedFMUstateSize(
    component: Component,
    state: *mut c_void,
    size: *mut usize,
) -> c_int {
    // SAFETY: the standard's promise about `size`.
    unsafe { state_size(component, state, size) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializeFMUstate(
    component: Component,
    state: *mut c_void,
    bytes: *mut u8,
    size: usize,
) -> c_int {
    // SAFETY: the standard's promise about lists.
    unsafe { state_bytes(component, state, bytes, size) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DeSerializeFMUstate(
    component: Component,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> c_int {
    // SAFETY: the standard's promise about lists.
    unsafe { state_of_bytes(component, bytes, size, state) }
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetDirectionalDerivative(
    component: Component,
    _unknowns: *const c_uint,
    _unknown_count: usize,
    _knowns: *const c_uint,
    _known_count: usize,
    _known_steps: *const f64,
    _unknown_steps: *mut f64,
) -> c_int {
    call(component, |_| Err("directional derivatives are not provided".into()))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2EnterEventMode(component: Component) -> c_int {
    call(component, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2NewDiscreteStates(component: Component, info: *mut EventInfo) -> c_int {
    call(component, |it| {
        let values_changed = c_int::from(it.unit.put_back()?);
        let found = EventInfo {
            new_discrete_states_needed: 0,
            terminate_simulation: 0,
            nominals_changed: 0,
            values_changed,
            next_event_time_defined: 0,
            next_event_time: 0.0,
        };
        // SAFETY: the standard's promise about `info`.
        unsafe { put(info, found) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2EnterContinuousTimeMode(component: Component) -> c_int {
    call(component, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CompletedIntegratorStep(
    component: Component,
    _no_way_back: c_int,
    enter_event_mode: *mut c_int,
    terminate: *mut c_int,
) -> c_int {
    call(component, |it| {
        let is_off = it.unit.completed_step()?;
        // SAFETY: the standard's promise about both.
        unsafe {
            put(enter_event_mode, c_int::from(is_off));
            put(terminate, 0);
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetTime(component: Component, time: f64) -> c_int {
    call(component, |it| it.unit.set_time(time))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetContinuousStates(
    component: Component,
    states: *const f64,
    count: usize,
) -> c_int {
    call(component, |it| {
        // SAFETY: the standard's promise about lists.
        let states = unsafe { input(states, count) }?;
        if count != it.unit.states() {
            return Err(format!("there are {} continuous states", it.unit.states()));
        }
        it.unit.set_continuous_states(states)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDerivatives(component: Component, rates: *mut f64, count: usize) -> c_int {
    call_or(component, DISCARD, |it| {
        if count != it.unit.states() {
            return Err(format!("there are {} continuous states", it.unit.states()));
        }
        // SAFETY: the standard's promise about lists.
        it.unit.derivatives(unsafe { output(rates, count, f64::NAN) }?)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetEventIndicators(component: Component, _indicators: *mut f64, count: usize) -> c_int {
    none(component, count)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetContinuousStates(
    component: Component,
    states: *mut f64,
    count: usize,
) -> c_int {
    call(component, |it| {
        if count != it.unit.states() {
            return Err(format!("there are {} continuous states", it.unit.states()));
        }
        // SAFETY: the standard's promise about lists.
        it.unit.continuous_states(unsafe { output(states, count, f64::NAN) }?)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetNominalsOfContinuousStates(
    component: Component,
    nominals: *mut f64,
    count: usize,
) -> c_int {
    call(component, |_| {
        // SAFETY: the standard's promise about lists.
        unsafe { output(nominals, count, 1.0) }.map(|_| ())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2SetRealInputDerivatives(
    component: Component,
    _references: *const c_uint,
    count: usize,
    _orders: *const c_int,
    _values: *const f64,
) -> c_int {
    none(component, count)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetRealOutputDerivatives(
    component: Component,
    _references: *const c_uint,
    count: usize,
    _orders: *const c_int,
    _values: *mut f64,
) -> c_int {
    none(component, count)
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2DoStep(component: Component, time: f64, duration: f64, _no_way_back: c_int) -> c_int {
    step(component, time, duration, |_| ())
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2CancelStep(component: Component) -> c_int {
    call(component, |_| Err("no step is under way: steps are made at once".into()))
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetStatus(_component: Component, _kind: c_int, _value: *mut c_int) -> c_int {
    DISCARD
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealStatus(component: Component, kind: c_int, value: *mut f64) -> c_int {
    // fmi2LastSuccessfulTime
    if kind != 2 {
        return DISCARD;
    }
    call(component, |it| {
        // SAFETY: the standard's promise about `value`.
        unsafe { put(value, it.unit.time()) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetIntegerStatus(_component: Component, _kind: c_int, _value: *mut c_int) -> c_int {
    DISCARD
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBooleanStatus(
    _component: Component,
    kind: c_int,
    value: *mut c_int,
) -> c_int {
    // fmi2Terminated
    if kind != 3 {
        return DISCARD;
    }
    // SAFETY: the standard's promise about `value`.
    unsafe { put(value, 0) };
    OK
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetStringStatus(
    _component: Component,
    _kind: c_int,
    _value: *mut *const c_char,
) -> c_int {
    DISCARD
}
