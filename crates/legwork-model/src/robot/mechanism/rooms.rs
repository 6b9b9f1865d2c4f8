//! Memory of calls: made before the first call and used again by each, one for every thread that calls at the same time.

use crate::mechanism::{Configuration, MechanismModel, Workspace};
use legwork_core::engine::Pose;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Rooms that wait for a call at most.
const MOST: usize = 64;

/// The memory of one call. What an earlier call has left there is not read.
#[derive(Clone)]
pub(super) struct Room {
    pub workspace: Workspace<f64>,
    /// Where the mechanism is.
    pub at: Configuration,
}

impl Room {
    /// The platform's pose.
    pub fn pose(&mut self, model: &MechanismModel) -> Pose<f64> {
        super::as_pose(&model.platform_pose(&self.at, &mut self.workspace))
    }

    /// How far the loops are open, in lengths of the mechanism and rad.
    pub fn gap(&mut self, model: &MechanismModel) -> f64 {
        model.closing_gap(&self.at, &mut self.workspace)
    }
}

/// Rooms that wait for a call.
pub(super) struct Rooms(Mutex<Vec<Room>>);

impl Rooms {
    pub fn new(model: &MechanismModel) -> Self {
        Self::with(Some(Room { workspace: model.workspace(), at: model.home().clone() }))
    }

    fn with(first: Option<Room>) -> Self {
        let mut rooms = Vec::with_capacity(MOST);
        rooms.extend(first);
        Self(Mutex::new(rooms))
    }

    /// A room, which comes back when it is dropped.
    pub fn take(&self, model: &MechanismModel) -> Taken<'_> {
        let waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let room = waiting.unwrap_or_else(|| Room { workspace: model.workspace(), at: model.home().clone() });
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
