//! The papers' equations, with the numbers of a state in them.

use crate::Failure;
use crate::opened::Opened;
use crate::state::{StateAsk, ellipsoids};
use legwork::analysis::linear::Reduced;
use legwork::task::StateAnswer;
use legwork::text::{aligned, short, short_list};
use serde::Serialize;

/// An equation and what it comes to.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Equation {
    /// What it is of: `joints`, `jacobian`, `torque`, `gravity`, `mass-matrix`, `serial`, `parallel`, `condition`, `poles`,
    /// `velocity`, `force`, `inertia`.
    pub quantity: String,
    /// What it says, in words.
    pub title: String,
    /// The equation.
    pub formula: String,
    /// Where it stands: a key of the bibliography and the number there; empty for a definition of this library.
    pub source: String,
    /// Its letters.
    pub symbols: Vec<Symbol>,
    /// The same with numbers.
    pub filled: Vec<String>,
}

/// A letter of an equation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Symbol {
    /// The letter.
    pub symbol: String,
    /// What it means.
    pub meaning: String,
    /// What it is now, with its unit.
    pub value: String,
}

fn equation(quantity: &str, title: &str, formula: &str, source: &str) -> Equation {
    Equation {
        quantity: quantity.into(),
        title: title.into(),
        formula: formula.into(),
        source: source.into(),
        symbols: Vec::new(),
        filled: Vec::new(),
    }
}

impl Equation {
    fn with(mut self, symbol: &str, meaning: &str, numbers: &[f64], unit: &str) -> Self {
        let list = short_list(&numbers.iter().map(|x| rounded(*x)).collect::<Vec<_>>());
        let list = if numbers.len() == 1 { list } else { format!("({list})") };
        let value = if unit.is_empty() { list } else { format!("{list} {unit}") };
        self.symbols.push(Symbol { symbol: symbol.into(), meaning: meaning.into(), value });
        self
    }

    fn filled(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.filled.extend(lines);
        self
    }
}

/// Five digits are enough to read.
fn rounded(x: f64) -> f64 {
    format!("{x:.4e}").parse().unwrap_or(x)
}

/// A matrix, row by row, with common decimals.
fn matrix(name: &str, rows: &[Vec<f64>]) -> Vec<String> {
    let numbers: Vec<f64> = rows.concat();
    let cells = aligned(&numbers);
    let width = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    let columns = rows.first().map_or(1, Vec::len).max(1);
    let lines = cells.chunks(columns).enumerate().map(|(k, row)| {
        let row: Vec<String> = row.iter().map(|cell| format!("{cell:>width$}")).collect();
        let head = if k == 0 { format!("{name} = ") } else { " ".repeat(name.chars().count() + 3) };
        format!("{head}[ {} ]", row.join("  "))
    });
    lines.collect()
}

pub(crate) fn equations(opened: &Opened, ask: &StateAsk) -> Result<Vec<Equation>, Failure> {
    let values = ask.values(opened);
    let refused = |error| Failure::of_state(error, &opened.text);
    let answer = ask.row(opened, &values).and_then(|row| opened.answer(&row)).map_err(refused)?;
    let mut all = kinematic(opened, &answer);
    all.extend(dynamic(opened, &answer));
    all.extend(ellipsoids(opened, &answer).into_iter().map(|shape| {
        let (title, formula) = match shape.name.as_str() {
            "velocity" => {
                ("How fast unit speeds of the motors move the platform point", "v = J_v q̇,  |q̇| = 1")
            }
            "force" => ("What unit efforts of the motors hold at the platform point", "|J_vᵀ f| = 1"),
            _ => ("The mass that a push at the platform point meets", "Λ = ((M⁻¹)_vv)⁻¹"),
        };
        let lengths: Vec<f64> = shape.axes.iter().map(|axis| axis.length).collect();
        let line = |axis: &crate::AxisOfEllipsoid| {
            let direction = axis.direction.map(|x| format!("{x:.4}")).join(", ");
            format!("{} {} along ({direction})", short(rounded(axis.length)), shape.unit)
        };
        let filled: Vec<String> = shape.axes.iter().map(line).collect();
        equation(&shape.name, title, formula, "")
            .with("half axes", &shape.meaning, &lengths, &shape.unit)
            .filled(filled)
    }));
    Ok(all)
}

/// Where the motors are, how they move the platform, and how far that is from ending.
fn kinematic(opened: &Opened, answer: &StateAnswer) -> Vec<Equation> {
    let (robot, schema, state) = (opened.robot(), opened.schema(), &answer.state);
    let is_delta = robot.linkage().is_some();
    let joint_unit = schema.either("rad", "m");
    let joints = if is_delta {
        equation(
            "joints",
            "Every forearm keeps its length",
            "s_i = X − R_i (R + L_A (cos q_i, 0, −sin q_i)),  |s_i| = L_B",
            "[Codourey1998, Eq. 28]",
        )
    } else {
        equation(
            "joints",
            "Every leg ends at the platform",
            "x_i(q_i) = x_P(X)",
            "[KhalilIbrahim2007, Sec. II]",
        )
    };
    let (jacobian, source) = if is_delta {
        ("ẋ = J q̇,  J = −S⁻¹ K", "[Codourey1998, Eq. 36]")
    } else {
        ("V = J q̇,  J⁻¹ = rows of the motors in J_i⁻¹ J_vi", "[KhalilIbrahim2007, Eq. 18]")
    };
    let velocities: Vec<f64> =
        robot.freedoms().iter().map(|freedom| state.platform.twist[freedom.component]).collect();
    let singularity = &state.singularity;
    let parallel = "√det(WᵀW) / (K/D)^(D/2),  row k of W is row k of J⁻¹ over its length";
    vec![
        joints.with("X", "where the platform is", &opened.values_of(&state.platform), "m, rad").with(
            "q",
            "joint values",
            &state.q,
            &joint_unit,
        ),
        equation("jacobian", "How the platform follows its motors", jacobian, source)
            .with("q̇", "speeds of the motors", &state.qd, &schema.either("rad/s", "m/s"))
            .with("V", "velocity of the platform", &velocities, "m/s, rad/s")
            .filled(matrix("J", &state.jacobian)),
        equation(
            "serial",
            "How well the motors of a leg move its end; 0 is singular",
            "smallest transmission of each leg",
            "",
        )
        .with("serial", "of each leg", &singularity.serial, ""),
        equation("parallel", "How well the motors hold the platform; 0 is singular", parallel, "").with(
            "parallel",
            "volume of the unit wrenches of the motors",
            &[singularity.parallel],
            "",
        ),
        equation("condition", "How alike the directions are; 1 is best", "cond(J) = σ_max / σ_min", "").with(
            "cond",
            "turns measured at the size of the platform",
            &[singularity.condition],
            "",
        ),
    ]
}

/// Efforts with their parts, mass matrix and poles, of a robot with masses.
fn dynamic(opened: &Opened, answer: &StateAnswer) -> Vec<Equation> {
    let (robot, schema, state) = (opened.robot(), opened.schema(), &answer.state);
    let Some(dynamics) = &state.dynamics else { return Vec::new() };
    let is_delta = robot.linkage().is_some();
    let unit = schema.either("N m", "N");
    let source = if is_delta { "[Codourey1998, Eq. 14]" } else { "[KhalilIbrahim2007, Eq. 20]" };
    let list = |numbers: &[f64]| {
        format!("({})", short_list(&numbers.iter().map(|x| rounded(*x)).collect::<Vec<_>>()))
    };
    let sum =
        [&dynamics.inertial, &dynamics.coriolis, &dynamics.gravity, &dynamics.external, &dynamics.friction];
    let sum: Vec<String> = sum.iter().map(|part| list(part)).collect();
    let mut all = vec![
        equation("torque", "What the motors must give", "τ = A q̈ + V + G + τ_ext + τ_f", source)
            .with("A q̈", "for the acceleration", &dynamics.inertial, &unit)
            .with("V", "Coriolis and centrifugal", &dynamics.coriolis, &unit)
            .with("G", "against the weight", &dynamics.gravity, &unit)
            .with("τ_ext", "against what pulls at the platform", &dynamics.external, &unit)
            .with("τ_f", "friction", &dynamics.friction, &unit)
            .with("τ", "efforts of the motors", &dynamics.motor, &unit)
            .filled([format!("{} = {} {unit}", list(&dynamics.motor), sum.join(" + "))]),
        equation(
            "gravity",
            "What holds the robot against its weight",
            "G = −Σ J_bᵀ m_b g,  over all bodies",
            if is_delta { "[Codourey1998, Eq. 51]" } else { "[KhalilIbrahim2007, Eq. 21]" },
        )
        .with("g", "gravity", &robot.description().gravity_vector(), "m/s²")
        .with("G", "efforts against the weight", &dynamics.gravity, &unit),
        equation(
            "mass-matrix",
            "The inertia that the motors feel",
            "A = Σ J_bᵀ M_b J_b,  over all bodies",
            if is_delta { "[Codourey1998, Eq. 5]" } else { "[KhalilIbrahim2007, Eq. 20]" },
        )
        .filled(matrix("A", &dynamics.mass_matrix)),
    ];
    if let Ok(poles) = Reduced::at(robot, &state.platform.at_rest()).and_then(|model| model.poles()) {
        let shown = poles.iter().map(|pole| {
            let re = short(rounded(pole.re));
            if pole.im == 0.0 {
                format!("s = {re} 1/s")
            } else {
                format!("s = {re} {:+} i 1/s", rounded(pole.im))
            }
        });
        let verdict = if poles.iter().all(|pole| pole.re < 0.0) {
            "stable: small motions die out while the motors keep their efforts"
        } else {
            "not stable: the motors must be regulated to stay here"
        };
        all.push(
            equation(
                "poles",
                "What small motions do while the motors keep their efforts",
                "det(M s² + D s + K) = 0",
                "[Bortoff2018, Fig. 5]",
            )
            .filled(shown.chain([verdict.to_owned()])),
        );
    }
    all
}
