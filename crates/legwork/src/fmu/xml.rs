//! `modelDescription.xml` of both standards.

use super::{Causality, FmuModel, FmuVersion, Role, Variable};
use crate::exchange::{escaped, number};
use std::fmt::Write;

/// Units and what they are made of.
const UNITS: [(&str, &str); 11] = [
    ("m", "m=\"1\""),
    ("rad", "rad=\"1\""),
    ("kg", "kg=\"1\""),
    ("s", "s=\"1\""),
    ("m/s", "m=\"1\" s=\"-1\""),
    ("rad/s", "rad=\"1\" s=\"-1\""),
    ("m/s^2", "m=\"1\" s=\"-2\""),
    ("rad/s^2", "rad=\"1\" s=\"-2\""),
    ("N", "kg=\"1\" m=\"1\" s=\"-2\""),
    ("N.m", "kg=\"1\" m=\"2\" s=\"-2\""),
    ("J", "kg=\"1\" m=\"2\" s=\"-2\""),
];

/// Our units as FMI writes them.
fn unit(ours: &str) -> &str {
    match ours {
        "N m" => "N.m",
        "m/s²" => "m/s^2",
        "rad/s²" => "rad/s^2",
        "Hz" => "",
        other => other,
    }
}

impl FmuModel {
    /// The description of the unit.
    pub fn description(&self, version: FmuVersion) -> String {
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let name = escaped(self.robot.name());
        let tool = format!("legwork {}", env!("CARGO_PKG_VERSION"));
        let inside = if self.request.controller.is_some() { ", a regulator inside" } else { "" };
        let about = escaped(&format!("parallel robot {}{inside}", self.robot.name()));
        let (number, token) = match version {
            FmuVersion::Two => ("2.0", "guid"),
            FmuVersion::Three => ("3.0", "instantiationToken"),
        };
        let _ = write!(
            text,
            "<fmiModelDescription fmiVersion=\"{number}\" modelName=\"{name}\" {token}=\"{}\" description=\"{about}\" \
             generationTool=\"{tool}\" variableNamingConvention=\"structured\"",
            self.token()
        );
        text += if version == FmuVersion::Two { " numberOfEventIndicators=\"0\">\n" } else { ">\n" };
        self.interfaces(version, &mut text);
        text += "  <UnitDefinitions>\n";
        for (name, base) in UNITS {
            let _ = writeln!(text, "    <Unit name=\"{name}\"><BaseUnit {base}/></Unit>");
        }
        text += "  </UnitDefinitions>\n  <LogCategories><Category name=\"logStatusWarning\"/><Category name=\"logStatusDiscard\"/><Category \
             name=\"logStatusError\"/></LogCategories>\n";
        text +=
            "  <DefaultExperiment startTime=\"0\" stopTime=\"1\" tolerance=\"1e-9\" stepSize=\"0.01\"/>\n";
        text += "  <ModelVariables>\n";
        let own: Vec<(usize, &Variable)> = self.variables_of(version).collect();
        for (reference, variable) in &own {
            match version {
                FmuVersion::Two => scalar(*reference, variable, &own, &mut text),
                FmuVersion::Three => float(*reference, variable, &mut text),
            }
        }
        text += "  </ModelVariables>\n  <ModelStructure>\n";
        structure(version, &own, &mut text);
        text += "  </ModelStructure>\n</fmiModelDescription>\n";
        text
    }

    /// The variables that a standard has, with their value references.
    fn variables_of(&self, version: FmuVersion) -> impl Iterator<Item = (usize, &Variable)> {
        let kept = move |variable: &Variable| match variable.causality {
            Causality::Independent => version == FmuVersion::Three,
            Causality::Local => version == FmuVersion::Two,
            _ => true,
        };
        self.variables.iter().enumerate().filter(move |(_, variable)| kept(variable))
    }

    fn interfaces(&self, version: FmuVersion, text: &mut String) {
        let identifier = self.identifier();
        let step = "canHandleVariableCommunicationStepSize=\"true\"";
        let state = match version {
            FmuVersion::Two => "FMUstate",
            FmuVersion::Three => "FMUState",
        };
        let states = format!("canGetAndSet{state}=\"true\" canSerialize{state}=\"true\"");
        if version == FmuVersion::Two && self.request.controller.is_none() {
            let _ = writeln!(text, "  <ModelExchange modelIdentifier=\"{identifier}\" {states}/>");
        }
        let _ = writeln!(text, "  <CoSimulation modelIdentifier=\"{identifier}\" {step} {states}/>");
    }
}

fn scalar(reference: usize, variable: &Variable, own: &[(usize, &Variable)], text: &mut String) {
    let (causality, variability, initial) = words(variable);
    let _ = write!(
        text,
        "    <ScalarVariable name=\"{}\" valueReference=\"{reference}\" description=\"{}\" causality=\"{causality}\" \
         variability=\"{variability}\"",
        escaped(&variable.name),
        escaped(&variable.description),
    );
    if let Some(initial) = initial {
        let _ = write!(text, " initial=\"{initial}\"");
    }
    *text += ">";
    if variable.role == Role::Fault {
        *text += "<Integer/></ScalarVariable>\n";
        return;
    }
    *text += "<Real";
    if let Some(start) = variable.start {
        let _ = write!(text, " start=\"{}\"", number(start));
    }
    let unit = unit(variable.unit);
    if !unit.is_empty() {
        let _ = write!(text, " unit=\"{unit}\"");
    }
    if let Role::Derivative(state) = variable.role {
        let of = own.iter().position(|(_, variable)| variable.role == Role::State(state));
        let _ = write!(text, " derivative=\"{}\"", of.map_or(0, |at| at + 1));
    }
    *text += "/></ScalarVariable>\n";
}

/// Causality, variability and `initial` as the standards say them.
fn words(variable: &Variable) -> (&'static str, &'static str, Option<&'static str>) {
    match variable.causality {
        Causality::Independent => ("independent", "continuous", None),
        Causality::Input => ("input", "continuous", None),
        Causality::TunableParameter => ("parameter", "tunable", Some("exact")),
        Causality::FixedParameter => ("parameter", "fixed", Some("exact")),
        Causality::Output if variable.role == Role::Fault => ("output", "discrete", Some("calculated")),
        Causality::Output => ("output", "continuous", Some("calculated")),
        Causality::Local => ("local", "continuous", Some("calculated")),
    }
}

fn float(reference: usize, variable: &Variable, text: &mut String) {
    let (causality, variability, initial) = words(variable);
    let kind = if variable.role == Role::Fault { "Int32" } else { "Float64" };
    let _ = write!(
        text,
        "    <{kind} name=\"{}\" valueReference=\"{reference}\" description=\"{}\" causality=\"{causality}\" \
         variability=\"{variability}\"",
        escaped(&variable.name),
        escaped(&variable.description),
    );
    if let Some(initial) = initial {
        let _ = write!(text, " initial=\"{initial}\"");
    }
    if let Some(start) = variable.start {
        let _ = write!(text, " start=\"{}\"", number(start));
    }
    let unit = unit(variable.unit);
    if !unit.is_empty() {
        let _ = write!(text, " unit=\"{unit}\"");
    }
    *text += "/>\n";
}

fn structure(version: FmuVersion, own: &[(usize, &Variable)], text: &mut String) {
    let is_output = |variable: &Variable| variable.causality == Causality::Output;
    let is_rate = |variable: &Variable| matches!(variable.role, Role::Derivative(_));
    let is_unknown = |variable: &Variable| is_output(variable) || variable.causality == Causality::Local;
    match version {
        FmuVersion::Two => {
            let mut part = |name: &str, kept: &dyn Fn(&Variable) -> bool| {
                let places: Vec<usize> =
                    own.iter().enumerate().filter(|(_, (_, it))| kept(it)).map(|(at, _)| at + 1).collect();
                if places.is_empty() {
                    return;
                }
                let _ = writeln!(text, "    <{name}>");
                for place in places {
                    let _ = writeln!(text, "      <Unknown index=\"{place}\"/>");
                }
                let _ = writeln!(text, "    </{name}>");
            };
            part("Outputs", &is_output);
            part("Derivatives", &is_rate);
            part("InitialUnknowns", &is_unknown);
        }
        FmuVersion::Three => {
            for (name, reference) in [("Output", "valueReference"), ("InitialUnknown", "valueReference")] {
                for (place, _) in own.iter().filter(|(_, variable)| is_output(variable)) {
                    let _ = writeln!(text, "    <{name} {reference}=\"{place}\"/>");
                }
            }
        }
    }
}
