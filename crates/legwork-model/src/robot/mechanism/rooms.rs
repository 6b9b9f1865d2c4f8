//! Memory of calls: made before the first call and used again by each, one for every thread that calls at the same time.

use crate::mechanism::{Configuration, MechanismModel, Ordered, Workspace};
use legwork_core::engine::Pose;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Rooms that wait for a call at most.
const MOST: usize = 64;

/// The memory of one call. What an earlier call has left there is not read.
#[derive(Clone)]
pub(super) struct Room {
    pub ordered: Ordered,
    /// Where the mechanism is.
    pub at: Configuration,
}

impl Room {
    fn new(model: &MechanismModel) -> Self {
        Self { ordered: Ordered::new(model), at: model.home().clone() }
    }

    /// The mechanism in the order of elimination that its posture needs, memory for it, and where it is.
    #[inline]
    pub fn parts<'a>(
        &'a mut self,
        own: &'a MechanismModel,
    ) -> (&'a MechanismModel, &'a mut Workspace<f64>, &'a Configuration) {
        let (model, workspace) = self.ordered.parts(own);
        (model, workspace, &self.at)
    }

    /// The platform's pose.
    pub fn pose(&mut self, model: &MechanismModel) -> Pose<f64> {
        let (model, workspace, at) = self.parts(model);
        super::as_pose(&model.platform_pose(at, workspace))
    }

    /// How far the loops are open, in lengths of the mechanism and rad.
    pub fn gap(&mut self, model: &MechanismModel) -> f64 {
        let (model, workspace, at) = self.parts(model);
        model.closing_gap(at, workspace)
    }
}

/// Rooms that wait for a call.
pub(super) struct Rooms(Mutex<Vec<Room>>);

impl Rooms {
    pub fn new(model: &MechanismModel) -> Self {
        Self::with(Some(Room::new(model)))
    }

    fn with(first: Option<Room>) -> Self {
        let mut rooms = Vec::with_capacity(MOST);
        rooms.extend(first);
        Self(Mutex::new(rooms))
    }

    /// A room, which comes back when it is dropped.
    pub fn take(&self, model: &MechanismModel) -> Taken<'_> {
        let waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut room = waiting.unwrap_or_else(|| Room::new(model));
        room.ordered.reset();
        Taken { rooms: self, room: Some(room) }
    }
}

impl Clone for Rooms {
    fn clone(&self) -> Self {
        Self::with(self.0.lock().unwrap_or_else(PoisonError::into_inner).first().cloned())
    }
}

impl fmt::Debug for Rooms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rooms")
    }
}

/// A room in use.
pub(super) struct Taken<'a> {
    rooms: &'a Rooms,
    /// None only while it is dropped.
    room: Option<Room>,
}

impl Deref for Taken<'_> {
    type Target = Room;
    fn deref(&self) -> &Room {
        self.room.as_ref().expect("there until it is dropped")
    }
}

impl DerefMut for Taken<'_> {
    fn deref_mut(&mut self) -> &mut Room {
        self.room.as_mut().expect("there until it is dropped")
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let mut rooms = self.rooms.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(room) = self.room.take()
            && rooms.len() < MOST
        {
            rooms.push(room);
        }
    }
}
