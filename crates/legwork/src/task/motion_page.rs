//! What a page says about a fastest motion and about motors, before the motion itself.

use super::{MotorResult, MoveResult, PeakPlace, PeakResult, PlanResult, SizeResult, UsageResult, WayResult};
use crate::report::{Axis, Section, Table};
use crate::text::{fixed, four_digits as short, in_rpm};

/// Motors with their gears on a page at most.
const MOST_MOTORS: usize = 20;

fn heads<const N: usize>(title: &str, names: [(&str, &str); N]) -> Table {
    Table::new(title, names.map(|(name, unit)| Axis::new(name, unit)))
}

fn percent(share: f64) -> String {
    fixed(100.0 * share, 1)
}

impl PlanResult {
    /// Times, limits and peaks.
    pub(super) fn section(&self) -> Section {
        // The way of a turn is an angle.
        let (unit, scale) = if self.path == "turn" { ("deg", 1_f64.to_degrees()) } else { ("mm", 1e3) };
        let text = format!(
            "{}, {} {unit}: a cycle takes {} s, {} per minute.",
            self.path,
            fixed(self.length * scale, 1),
            fixed(self.cycle_time, 4),
            fixed(60.0 / self.cycle_time, 1)
        );
        let mut section = Section::new("As fast as its motors allow").with(text);
        if !self.moves.is_empty() {
            section = section.with(moves(&self.moves));
        }
        let named = [("There", &self.there), ("Back", &self.back)];
        for (title, way) in named.into_iter().filter_map(|(title, way)| Some((title, way.as_ref()?))) {
            section = section.with(parts(title, way, unit, scale));
        }
        let usage: Vec<&UsageResult> = self.ways().flat_map(|way| &way.usage).collect();
        section.with(limits(&usage)).with(peaks(&self.peaks))
    }
}

impl SizeResult {
    /// What the cycle asks of every motor, and the motors that can do it.
    pub(super) fn section(&self) -> Section {
        let text = format!(
            "{}: a cycle of {} s. All motors together: {} W at most, {} W on average; {} J a cycle, {} J if nothing is \
             fed back.",
            self.path,
            fixed(self.cycle_time, 4),
            short(self.peak_power),
            short(self.settled(self.energy) / self.cycle_time),
            short(self.settled(self.energy)),
            short(self.energy_without_regeneration)
        );
        let section = Section::new("What a cycle asks of the motors").with(text);
        let section = if self.moves.is_empty() { section } else { section.with(moves(&self.moves)) };
        let section = section.with(self.demand());
        let geared = self.joints.iter().any(|joint| joint.gear_ratio != 1.0);
        let section = if geared { section.with(self.demand_of_shafts()) } else { section };
        let section = section.with(peaks(&self.peaks));
        match &self.motors {
            Some(motors) => section.with(choices(motors)),
            None => section,
        }
    }

    /// The same before the gears of motors that turn.
    fn demand_of_shafts(&self) -> Table {
        let names = [
            ("joint", ""),
            ("gear ratio", ""),
            ("peak torque", "N m"),
            ("rms torque", "N m"),
            ("peak speed", "rpm"),
            ("rms speed", "rpm"),
        ];
        let turning = self.joints.iter().filter(|joint| !joint.slides);
        turning.fold(heads("At the shafts of the motors", names), |table, joint| {
            let side = &joint.motor_side;
            let speeds = [side.peak_speed, side.rms_speed].map(in_rpm);
            let numbers = [joint.gear_ratio, side.peak_effort, side.rms_effort, speeds[0], speeds[1]];
            table.with_row(std::iter::once(joint.name.clone()).chain(numbers.map(short)))
        })
    }

    fn demand(&self) -> Table {
        let slides = self.joints.iter().any(|joint| joint.slides);
        let turns = self.joints.iter().any(|joint| !joint.slides);
        let unit = |turning: &str, sliding: &str| match (turns, slides) {
            (true, true) => format!("{turning} or {sliding}"),
            (_, false) => turning.to_owned(),
            _ => sliding.to_owned(),
        };
        let (effort, speed, inertia) = (unit("N m", "N"), unit("rad/s", "m/s"), unit("kg m^2", "kg"));
        let table = heads(
            "At the joints",
            [
                ("joint", ""),
                ("peak effort", &effort),
                ("rms effort", &effort),
                ("peak speed", &speed),
                ("rms speed", &speed),
                ("peak power", "W"),
                ("peak braking", "W"),
                ("largest load inertia", &inertia),
            ],
        );
        self.joints.iter().fold(table, |table, joint| {
            let numbers = [
                joint.peak_effort,
                joint.rms_effort,
                joint.peak_speed,
                joint.rms_speed,
                joint.peak_power,
                joint.peak_braking,
                joint.load_inertia[1],
            ];
            table.with_row(std::iter::once(joint.name.clone()).chain(numbers.map(short)))
        })
    }
}

fn moves(moves: &[MoveResult]) -> Table {
    let names = [
        ("move", ""),
        ("path", ""),
        ("timing", ""),
        ("length", "mm"),
        ("begins at", "ms"),
        ("takes", "ms"),
        ("dwell", "ms"),
        ("carried", "kg"),
    ];
    moves.iter().fold(heads("Moves", names), |table, one| {
        let [first, last] = one.moves;
        let name = if first == last { first.to_string() } else { format!("{first} to {last}") };
        let times = [one.length, one.begin, one.duration, one.dwell].map(|number| fixed(number * 1e3, 1));
        let words = [name, one.path.clone(), one.law.clone()];
        table.with_row(words.into_iter().chain(times).chain([short(one.carried)]))
    })
}

fn parts(title: &str, way: &WayResult, unit: &str, scale: f64) -> Table {
    let title = format!("{title}: {} s", fixed(way.duration, 4));
    let table = heads(&title, [("from", unit), ("to", unit), ("takes", "ms"), ("held back by", "")]);
    way.parts.iter().fold(table, |table, part| {
        table.with_row([
            fixed(part.from * scale, 1),
            fixed(part.to * scale, 1),
            fixed((part.end - part.begin) * 1e3, 1),
            part.held_back_by(),
        ])
    })
}

/// The largest use of each limit over all ways.
fn limits(usage: &[&UsageResult]) -> Table {
    let mut most: Vec<&UsageResult> = Vec::new();
    for one in usage {
        match most.iter_mut().find(|known| known.limit == one.limit) {
            Some(known) if one.used > known.used => *known = one,
            Some(_) => {}
            None => most.push(one),
        }
    }
    let names = [("limit", ""), ("largest", ""), ("of", ""), ("unit", ""), ("used", "%")];
    if most.iter().all(|one| one.motor_side.is_none()) {
        return most.iter().fold(heads("Limits", names), |table, one| table.with_row(limit(one)));
    }
    // Behind the gear and before it.
    let [_, largest, of, unit, used] = names;
    let names = [("limit at the joint", ""), largest, of, unit, used, ("at the motor", ""), ("of", "")];
    most.iter().fold(heads("Limits", names), |table, one| {
        table.with_row(limit(one).into_iter().chain(one.at_the_motor().unwrap_or_default()))
    })
}

/// A limit and how far it is used, at the joint.
fn limit(one: &UsageResult) -> [String; 5] {
    [one.limit.clone(), short(one.largest), short(one.of), one.unit.clone(), percent(one.used)]
}

fn peaks(peaks: &[PeakResult]) -> Table {
    let table = heads("Peaks", [("of", ""), ("peak", ""), ("unit", ""), ("at", "ms"), ("platform at", "")]);
    peaks.iter().fold(table, |table, motor| {
        let (effort, speed) = if motor.slides { ("N", "m/s") } else { ("N m", "rad/s") };
        let name = if motor.slides { "force" } else { "torque" };
        let row = |what: &str, unit: &str, peak: &PeakPlace| {
            let place = [short(peak.value), unit.to_owned(), fixed(peak.time * 1e3, 1), peak.place.clone()];
            std::iter::once(format!("{what} of {}", motor.joint)).chain(place)
        };
        table
            .with_row(row(name, effort, &motor.effort))
            .with_row(row("speed", speed, &motor.speed))
            .with_row(row("power", "W", &motor.power))
    })
}

fn choices(motors: &[MotorResult]) -> Table {
    let feasible = motors.iter().filter(|motor| motor.feasible).count();
    let title = format!("{feasible} of {} motors with their gears can do it", motors.len());
    let names =
        [("motor", ""), ("gear", ""), ("can do it", ""), ("smallest margin", "%"), ("least left of", "")];
    motors.iter().take(MOST_MOTORS).fold(heads(&title, names), |table, motor| {
        let gear = match motor.lead {
            Some(lead) => format!("{} mm", short(lead * 1e3)),
            None => short(motor.gear_ratio.unwrap_or(f64::NAN)),
        };
        let margin = motor.margin.map_or_else(|| "unlimited".into(), percent);
        let known = motor.margins.iter().filter_map(|one| Some((one.margin?, one)));
        let least = known.min_by(|(a, _), (b, _)| a.total_cmp(b));
        let least = least.map_or_else(String::new, |(_, one)| one.of.clone());
        let verdict = if motor.feasible { "yes" } else { "no" };
        table.with_row([motor.motor.clone(), gear, verdict.into(), margin, least])
    })
}
