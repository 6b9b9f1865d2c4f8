//! A regulator together with what it borrows: its robot and its experiment. A handle must own all of it.

use legwork::experiment::{Controller, Experiment, LiveReference, LiveTarget, ReferenceMotion};
use legwork::task::{FollowRequest, Handle, TaskError};
use legwork::{AnyRobot, PlatformState};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::Arc;

/// A regulator, its experiment and its robot.
pub struct OwnedRegulator {
    /// Borrows from the experiment, and from the robot through it. Dropped first.
    controller: ManuallyDrop<Controller<'static>>,
    /// Borrows from the robot. A box that was taken apart, so that moving this structure moves no owner of borrowed memory.
    experiment: NonNull<Experiment<'static>>,
    robot: NonNull<AnyRobot>,
    /// Where the reference comes from, if the caller gives it.
    target: Option<Arc<LiveTarget>>,
}

// SAFETY: it owns everything that its pointers lead to, and all of that may go to another thread: the controller is `Send`
// (its trait says so), the robot and the experiment are only read, and are `Sync`.
unsafe impl Send for OwnedRegulator {}

/// What the line above relies on, told to the compiler.
const _: () = {
    const fn is_send<T: Send>() {}
    const fn is_sync<T: Sync>() {}
    is_send::<Controller<'static>>();
    is_sync::<Experiment<'static>>();
    is_send::<Experiment<'static>>();
    is_sync::<AnyRobot>();
};

/// A box that was taken apart, given back if nobody takes it.
struct Parted<T>(NonNull<T>);

impl<T> Parted<T> {
    fn new(value: T) -> Self {
        Self(NonNull::from(Box::leak(Box::new(value))))
    }
}

impl<T> Drop for Parted<T> {
    fn drop(&mut self) {
        // SAFETY: made from a box by `new`, and nobody else gives it back: `OwnedRegulator` takes it by `forget`.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl OwnedRegulator {
    /// The regulator of a request along its motion.
    pub fn along(request: &FollowRequest) -> Result<Self, TaskError> {
        Self::new(request, false, None)
    }

    /// The regulator of a request along what the caller gives sample by sample: gains at home, where it also begins.
    pub fn live(request: &FollowRequest) -> Result<Self, TaskError> {
        Self::new(request, true, None)
    }

    /// The same, beginning with a reference.
    pub fn live_from(request: &FollowRequest, start: &PlatformState) -> Result<Self, TaskError> {
        Self::new(request, true, Some(start))
    }

    fn new(request: &FollowRequest, is_live: bool, start: Option<&PlatformState>) -> Result<Self, TaskError> {
        let robot = Parted::new(request.robot.open()?);
        // SAFETY: the robot stays where it is, and is not written to, until `Drop` frees it after all that borrow it.
        let borrowed: &'static AnyRobot = unsafe { robot.0.as_ref() };
        let target = is_live.then(|| LiveTarget::at(&borrowed.home()));
        let motion =
            target.clone().map(|target| Box::new(LiveReference::of(target)) as Box<dyn ReferenceMotion>);
        if let (Some(target), Some(start)) = (&target, start) {
            target.set(start);
        }
        let (experiment, kind) = request.experiment_on(borrowed, motion, &Handle::none())?;
        let experiment = Parted::new(experiment);
        // SAFETY: as of the robot.
        let lent: &'static Experiment<'static> = unsafe { experiment.0.as_ref() };
        let controller = ManuallyDrop::new(lent.controller(kind)?);
        let owned = Self { controller, experiment: experiment.0, robot: robot.0, target };
        std::mem::forget((experiment, robot));
        Ok(owned)
    }

    /// The regulator. Its lifetime is hidden, so nobody can keep what it borrows.
    pub fn controller(&mut self) -> &mut Controller<'static> {
        &mut self.controller
    }

    /// The experiment that it is of.
    pub fn experiment(&self) -> &Experiment<'_> {
        // SAFETY: alive and not written to until `Drop`.
        unsafe { self.experiment.as_ref() }
    }

    /// Where its reference comes from, if the caller gives it.
    pub fn target(&self) -> Option<&Arc<LiveTarget>> {
        self.target.as_ref()
    }
}

impl Drop for OwnedRegulator {
    fn drop(&mut self) {
        // SAFETY: each once and in the order of borrowing: the controller, then the experiment, then the robot.
        unsafe {
            ManuallyDrop::drop(&mut self.controller);
            drop(Box::from_raw(self.experiment.as_ptr()));
            drop(Box::from_raw(self.robot.as_ptr()));
        }
    }
}
