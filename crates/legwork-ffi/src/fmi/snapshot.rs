//! A unit as it was: kept in memory, or as bytes that another process can read. Both give the same future to the bit.

use super::unit::Unit;
use legwork::sim::{MotionEquations, MotionState};

/// A unit as it was.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Of which unit.
    token: String,
    has_started: bool,
    values: Vec<f64>,
    /// [`MotionState::memory`]; empty if there was no state yet.
    state: Vec<f64>,
    time: f64,
    begin: f64,
    samples: u64,
    begun_with: Vec<f64>,
    command: Vec<f64>,
    /// What the regulator remembered; empty if it has not sampled yet.
    remembered: Vec<f64>,
}

impl Unit {
    /// Everything as it is now.
    pub fn snapshot(&mut self) -> Snapshot {
        let remembered = match (&mut self.inside, &self.remembered) {
            (Some(inside), _) if self.samples > 0 => inside.memory(),
            (None, Some(memory)) => memory.clone(),
            _ => Vec::new(),
        };
        Snapshot {
            token: self.model.token(),
            has_started: self.has_started,
            values: self.values.clone(),
            state: self.state.as_ref().map(MotionState::memory).unwrap_or_default(),
            time: self.time,
            begin: self.begin,
            samples: self.samples,
            begun_with: self.begun_with.clone().unwrap_or_default(),
            command: self.command.clone(),
            remembered,
        }
    }

    /// Everything as it was, also in another unit of the same export; a state that cannot be changes nothing.
    pub fn restore(&mut self, kept: &Snapshot) -> Result<(), String> {
        if kept.token != self.model.token() {
            return Err("the state is of another unit".into());
        }
        let now = self.snapshot();
        let restored = self.take_over(kept);
        if restored.is_err() {
            self.take_over(&now)?;
        }
        restored
    }

    fn take_over(&mut self, kept: &Snapshot) -> Result<(), String> {
        let before = std::mem::replace(&mut self.values, kept.values.clone());
        // A regulator depends on its gains and on the reference that it began with.
        self.forget_what_depends_on(&before);
        let given = |list: &Vec<f64>| (!list.is_empty()).then(|| list.clone());
        let begun_with = given(&kept.begun_with);
        if self.begun_with != begun_with {
            self.inside = None;
        }
        (self.begun_with, self.remembered) = (begun_with, given(&kept.remembered));
        self.command.clone_from(&kept.command);
        (self.time, self.begin, self.samples) = (kept.time, kept.begin, kept.samples);
        (self.state, self.outputs, self.has_started) = (None, None, kept.has_started);
        self.make_robot()?;
        if let (Some(robot), false) = (&self.robot, kept.state.is_empty()) {
            let equations = MotionEquations::of(robot).map_err(|error| error.to_string())?;
            let mut state = equations.start(&robot.home()).map_err(|fault| fault.to_string())?;
            if !state.set_memory(&kept.state) {
                return Err("the state is of another robot".into());
            }
            self.state = Some(state);
        }
        if kept.samples == 0 {
            self.inside = None;
        } else if let Some(inside) = &mut self.inside
            && !inside.set_memory(&kept.remembered)
        {
            return Err("the state is of another regulator".into());
        }
        if self.inside.is_some() {
            self.remembered = None;
        }
        if kept.has_started { self.ready() } else { Ok(()) }
    }

    /// The same from bytes.
    pub fn of_bytes(&self, bytes: &[u8]) -> Result<Snapshot, String> {
        let kept =
            Snapshot::of_bytes(bytes, &self.model.token()).ok_or("the bytes are no state of this unit")?;
        let fits = kept.values.len() == self.values.len() && kept.command.len() == self.command.len();
        if fits { Ok(kept) } else { Err("the bytes are no state of this unit".into()) }
    }
}

impl Snapshot {
    /// Numbers one after the other, little end first, lists with their length before them; then a sum over them and over the
    /// token of the unit, so that other bytes are told from a state.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut numbers =
            vec![f64::from(u8::from(self.has_started)), self.time, self.begin, self.samples as f64];
        for list in [&self.values, &self.state, &self.begun_with, &self.command, &self.remembered] {
            numbers.push(list.len() as f64);
            numbers.extend(list);
        }
        let mut bytes: Vec<u8> = numbers.into_iter().flat_map(f64::to_le_bytes).collect();
        bytes.extend(sum(&bytes, &self.token).to_le_bytes());
        bytes
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole numbers, protected by the sum"
    )]
    fn of_bytes(bytes: &[u8], token: &str) -> Option<Self> {
        let (numbers, end) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
        if sum(numbers, token).to_le_bytes() != end {
            return None;
        }
        let (whole, rest) = numbers.as_chunks::<8>();
        let mut numbers = whole.iter().map(|bytes| f64::from_le_bytes(*bytes));
        let (has_started, time, begin) = (numbers.next()? == 1.0, numbers.next()?, numbers.next()?);
        let samples = numbers.next()? as u64;
        let mut list = || -> Option<Vec<f64>> {
            let length = numbers.next()? as usize;
            let list: Vec<f64> = numbers.by_ref().take(length).collect();
            (list.len() == length).then_some(list)
        };
        let [values, state, begun_with, command, remembered] = [list()?, list()?, list()?, list()?, list()?];
        let whole = rest.is_empty() && numbers.next().is_none();
        let kept = Self {
            token: token.into(),
            has_started,
            values,
            state,
            time,
            begin,
            samples,
            begun_with,
            command,
            remembered,
        };
        whole.then_some(kept)
    }
}

/// The sum of Fowler, Noll and Vo over bytes and a word.
fn sum(bytes: &[u8], word: &str) -> u64 {
    let all = word.bytes().chain(bytes.iter().copied());
    all.fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
