//! What is seen of a run.

use crate::PlatformState;
use legwork_core::motion::{Energy, EnergyLedger};

/// One instant of a run, in the user's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// \[s\]
    pub time: f64,
    /// Position, orientation, twist and outside wrench; accelerations are zero.
    pub platform: PlatformState,
    /// Actuated joints \[rad or m\].
    pub q: &'a [f64],
    /// Their velocities.
    pub qd: &'a [f64],
    /// What their motors give \[N m or N\].
    pub effort: &'a [f64],
    /// What the motors are told to give \[N m or N\]; the same where they are ideal.
    pub command: &'a [f64],
    /// What the encoders gave last \[rad or m\], if there is a controller or a plant with encoders.
    pub measured: Option<&'a [f64]>,
    /// Energies of all moving bodies and of springs in joint stops \[J\].
    pub energy: Energy,
    /// Work and dissipation since the start \[J\]. A payload that is picked up brings its energy as
    /// work, and takes it along when it is put down.
    pub ledger: EnergyLedger,
    /// How far the loops are open \[m\].
    pub loop_gap: f64,
}

/// Lists of joints in a sample.
const LISTS: usize = 5;

/// All samples of a run, column by column.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    motors: usize,
    has_readings: bool,
    /// What is not a list of joints.
    rows: Vec<Row>,
    /// q, qd, effort, command and readings of all rows, one after the other.
    joints: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    time: f64,
    platform: PlatformState,
    energy: Energy,
    ledger: EnergyLedger,
    loop_gap: f64,
}

impl Samples {
    /// Empty, with room for so many.
    pub(super) fn with_room(count: usize, motors: usize) -> Self {
        Self {
            motors,
            has_readings: false,
            rows: Vec::with_capacity(count),
            joints: Vec::with_capacity(LISTS * motors * count),
        }
    }

    pub(super) fn push(&mut self, sample: &Sample<'_>) {
        let Sample { time, platform, energy, ledger, loop_gap, .. } = *sample;
        self.rows.push(Row { time, platform, energy, ledger, loop_gap });
        for list in [sample.q, sample.qd, sample.effort, sample.command] {
            self.joints.extend_from_slice(list);
        }
        self.has_readings = sample.measured.is_some();
        self.joints.extend_from_slice(sample.measured.unwrap_or(sample.q));
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Sample number k, from 0.
    pub fn get(&self, k: usize) -> Option<Sample<'_>> {
        let Row { time, platform, energy, ledger, loop_gap } = *self.rows.get(k)?;
        let joints = self.joints.get(LISTS * self.motors * k..LISTS * self.motors * (k + 1))?;
        let (q, rest) = joints.split_at(self.motors);
        let (qd, rest) = rest.split_at(self.motors);
        let (effort, rest) = rest.split_at(self.motors);
        let (command, readings) = rest.split_at(self.motors);
        let measured = self.has_readings.then_some(readings);
        Some(Sample { time, platform, q, qd, effort, command, measured, energy, ledger, loop_gap })
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = Sample<'_>> {
        (0..self.len()).filter_map(|k| self.get(k))
    }

    /// The last one.
    pub fn last(&self) -> Option<Sample<'_>> {
        self.get(self.len().checked_sub(1)?)
    }
}
