//! What is said of a cycle and of motors.

use crate::args::SizeArgs;
use crate::json;
use crate::table::Table;
use legwork::analysis::size::{Check, Choice, Demand, JointDemand, Margin, Transmission};
use legwork::coordinates::CoordinateSchema;
use legwork::text::{fixed, short};
use serde_json::{Value, json};
use std::f64::consts::PI;
use std::io::{self, Write};

pub struct Report<'a> {
    pub args: &'a SizeArgs,
    pub schema: &'a CoordinateSchema,
    pub demand: &'a Demand,
    pub choices: Option<&'a [Choice]>,
    pub path: &'static str,
    pub law: &'static str,
}

impl Report<'_> {
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let demand = self.demand;
        writeln!(out, "{}: what a cycle asks of the motors\n", self.schema.robot)?;
        let mut table = Table::with_left(&[1]);
        let way = if self.args.one_way { "one way" } else { "there and back" };
        let law = if self.law == "fastest" {
            "as fast as the limits allow".to_owned()
        } else {
            format!("{} law", self.law)
        };
        table.row([
            "cycle".to_owned(),
            format!("{}, {law}, {way}: {} s", self.path, fixed(demand.duration, 4)),
        ]);
        let watts = |power: f64| format!("{} W", digits(power));
        table.row([
            "power".to_owned(),
            format!(
                "peak {}, mean {}",
                watts(demand.peak_power),
                watts(settled(demand.energy, demand) / demand.duration)
            ),
        ]);
        table.row([
            "energy".to_owned(),
            format!(
                "{} J a cycle, {} J if nothing is fed back; friction takes {} J",
                digits(settled(demand.energy, demand)),
                digits(demand.energy_without_regeneration),
                digits(settled(demand.dissipated, demand))
            ),
        ]);
        for path in &self.args.files.out {
            table.row(["written to".to_owned(), path.display().to_string()]);
        }
        table.print(out)?;
        writeln!(out)?;
        self.print_joints(out)?;
        if let Some(choices) = self.choices {
            print_choices(choices, out)?;
        }
        Ok(())
    }

    fn print_joints(&self, out: &mut dyn Write) -> io::Result<()> {
        let joints = &self.demand.joints;
        let mut table = Table::default();
        let names = joints.iter().map(|joint| joint.name.clone());
        table.row(std::iter::once(String::new()).chain(names));
        let mut add = |name: String, get: &dyn Fn(&JointDemand) -> f64| {
            table.row(std::iter::once(name).chain(joints.iter().map(|joint| digits(get(joint)))));
        };
        let effort = self.schema.either("N m", "N");
        let speed = self.schema.either("rad/s", "m/s");
        let inertia = self.schema.either("kg m^2", "kg");
        let name = self.schema.either("torque", "force");
        add(format!("peak {name} [{effort}]"), &|joint| joint.peak_effort);
        add(format!("rms {name} [{effort}]"), &|joint| joint.rms_effort);
        add(format!("peak speed [{speed}]"), &|joint| joint.peak_speed);
        add(format!("rms speed [{speed}]"), &|joint| joint.rms_speed);
        add("peak power [W]".into(), &|joint| joint.peak_power);
        add("peak braking [W]".into(), &|joint| joint.peak_braking);
        add(format!("load inertia, least [{inertia}]"), &|joint| joint.load_inertia[0]);
        add(format!("load inertia, largest [{inertia}]"), &|joint| joint.load_inertia[1]);
        add(format!("motor of the file [{inertia}]"), &|joint| joint.own_inertia);
        table.print(out)
    }

    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let demand = self.demand;
        let joints: Vec<Value> = demand
            .joints
            .iter()
            .map(|joint| {
                json!({
                    "name": joint.name, "slides": joint.slides,
                    "peak_effort": joint.peak_effort, "rms_effort": joint.rms_effort,
                    "peak_speed": joint.peak_speed, "rms_speed": joint.rms_speed,
                    "peak_power": joint.peak_power, "peak_braking": joint.peak_braking,
                    "mean_power": joint.mean_power,
                    "load_inertia": joint.load_inertia, "own_inertia": joint.own_inertia,
                })
            })
            .collect();
        let mut object = json!({
            "robot": self.schema.robot,
            "path": self.path,
            "law": self.law,
            "cycle_time": demand.duration,
            "peak_power": demand.peak_power,
            "mean_power": demand.mean_power(),
            "energy": demand.energy,
            "energy_without_regeneration": demand.energy_without_regeneration,
            "dissipated": demand.dissipated,
            "imbalance": demand.imbalance,
            "joints": joints,
            "out": self.args.files.out.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        });
        if let Some(choices) = self.choices {
            object["motors"] = choices.iter().map(choice_object).collect();
        }
        json::print(&object, out)
    }
}

fn choice_object(choice: &Choice) -> Value {
    let margins = |margin: &Margin| {
        json!({
            "of": margin.check.to_string(), "unit": margin.check.unit(), "joint": margin.joint + 1,
            "needed": margin.needed, "available": margin.available,
            "margin": if margin.share.is_finite() { json!(margin.share) } else { Value::Null },
        })
    };
    let duties: Vec<Value> = choice
        .duties
        .iter()
        .map(|duty| {
            json!({
                "peak_torque": duty.peak_torque, "rms_torque": duty.rms_torque,
                "peak_speed": duty.peak_speed, "rms_speed": duty.rms_speed, "inertia_ratio": duty.inertia_ratio,
            })
        })
        .collect();
    let (ratio, lead) = match choice.transmission {
        Transmission::Gear(ratio) => (Some(ratio), None),
        Transmission::Lead(lead) => (None, Some(lead)),
    };
    json!({
        "motor": choice.motor.name, "gear_ratio": ratio, "lead": lead,
        "feasible": choice.is_feasible(), "margin": choice.margin(),
        "margins": choice.margins.iter().map(margins).collect::<Vec<_>>(),
        "duties": duties,
    })
}

fn print_choices(choices: &[Choice], out: &mut dyn Write) -> io::Result<()> {
    let gear = |choice: &Choice| match choice.transmission {
        Transmission::Gear(ratio) => short(ratio),
        Transmission::Lead(lead) => format!("{} mm", short(lead * 1e3)),
    };
    let slides = choices.iter().any(|choice| matches!(choice.transmission, Transmission::Lead(_)));
    let gears = if slides { "lead" } else { "gear" };
    let feasible: Vec<&Choice> = choices.iter().filter(|choice| choice.is_feasible()).collect();
    writeln!(out, "\n{} of {} motors with their gears can do it\n", feasible.len(), choices.len())?;
    if !feasible.is_empty() {
        let mut table = Table::default();
        let percent = |choice: &Choice, check: Check| {
            let margin = choice.margins.iter().find(|margin| margin.check == check);
            margin.map_or("-".into(), |margin| format!("{:.0} %", 100.0 * margin.share))
        };
        table.row([
            "motor",
            gears,
            "margin",
            "peak torque",
            "rms torque",
            "peak speed",
            "rms speed",
            "inertia ratio",
        ]);
        for choice in feasible {
            let ratio = choice.duties.iter().fold(0.0_f64, |most, duty| most.max(duty.inertia_ratio));
            table.row([
                choice.motor.name.clone(),
                gear(choice),
                format!("{:.0} %", 100.0 * choice.margin()),
                percent(choice, Check::PeakTorque),
                percent(choice, Check::RmsTorque),
                percent(choice, Check::PeakSpeed),
                percent(choice, Check::RmsSpeed),
                digits(ratio),
            ]);
        }
        table.print(out)?;
        writeln!(out)?;
    }
    let mut table = Table::with_left(&[2]);
    for choice in choices.iter().filter(|choice| !choice.is_feasible()) {
        let why: Vec<String> = choice.shortfalls().iter().map(said).collect();
        table.row([choice.motor.name.clone(), gear(choice), why.join("; ")]);
    }
    table.print(out)
}

/// "peak torque 12.3 N m at q1, has 8.4: 32 % short"
fn said(margin: &Margin) -> String {
    let (factor, unit) = match margin.check {
        Check::PeakSpeed | Check::RmsSpeed => (30.0 / PI, " rpm"),
        Check::PeakTorque | Check::RmsTorque => (1.0, " N m"),
        Check::InertiaRatio => (1.0, ""),
    };
    let (needed, available) = (digits(margin.needed * factor), digits(margin.available * factor));
    let missing = if margin.share < 0.0 {
        format!("{:.0} % short", -100.0 * margin.share)
    } else {
        format!("only {:.0} % left", 100.0 * margin.share)
    };
    format!("{} {needed}{unit} at q{}, has {available}: {missing}", margin.check, margin.joint + 1)
}

/// Zero where only rounding is left of the energy that goes round.
fn settled(energy: f64, demand: &Demand) -> f64 {
    if energy.abs() < 1e-9 * demand.energy_without_regeneration { 0.0 } else { energy }
}

/// Four digits.
fn digits(number: f64) -> String {
    short(format!("{number:.3e}").parse().unwrap_or(number))
}
