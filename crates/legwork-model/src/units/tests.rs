//! What is a quantity and what is not.

use super::*;

fn value(quantity: Quantity, text: &str) -> f64 {
    quantity.parse(text).unwrap().value
}

#[test]
fn a_decimal_unit_gives_the_bits_of_the_literal() {
    for (text, literal) in [
        ("350 mm", 0.35_f64),
        ("0.35 m", 0.35),
        ("0.35", 0.35),
        ("38.1mm", 0.0381),
        ("12.7 cm", 0.127),
        ("−3.3 µm", -3.3e-6),
        ("10 in", 0.254),
        ("+1e-3 m", 0.001),
        ("1.5e2 mm", 0.15),
    ] {
        assert_eq!(value(Quantity::Length, text).to_bits(), literal.to_bits(), "{text}");
    }
    assert_eq!(value(Quantity::Mass, "83.6 g"), 0.0836);
    assert_eq!(value(Quantity::Angle, "-34.25 °"), (-34.25_f64).to_radians());
    for text in ["0.27e-4 kg m^2", "27 kg·mm²", "0.27 kgcm2", "270 g cm^2", "2.7e-5"] {
        assert_eq!(value(Quantity::Inertia, text), 2.7e-5, "{text}");
    }
    assert_eq!(value(Quantity::AngularSpeed, "30 rpm"), std::f64::consts::PI);
    assert_eq!(value(Quantity::ViscousFriction, "0.1 Nm s / rad"), 0.1);
    assert_eq!(value(Quantity::Acceleration, "9.81 m/s²"), 9.81);
    assert_eq!(value(Quantity::Torque, "500 mN*m"), 0.5);
    assert_eq!(value(Quantity::Force, "1.2 kN"), 1200.0);
    assert_eq!(value(Quantity::Speed, "250 mm / s"), 0.25);
    assert_eq!(value(Quantity::Speed, "30 m/min"), 0.5);
    assert_eq!(value(Quantity::LinearFriction, "0.3 N·s/mm"), 300.0);
    assert_eq!(value(Quantity::Ratio, "55"), 55.0);
}

#[test]
fn what_is_not_a_quantity_says_why() {
    let quantity = Quantity::Length;
    let error = |text: &str| quantity.parse(text).unwrap_err();
    for text in ["", "mm", "nan", "inf", ".", "-", "1,5 mm", "1..2 mm", "e3"] {
        assert_eq!(error(text), UnitError::NotANumber { text: text.into() });
    }
    assert_eq!(error("1e400 m"), UnitError::TooLarge { text: "1e400 m".into() });
    assert_eq!(
        error("9e99999999999999999999"),
        UnitError::TooLarge { text: "9e99999999999999999999".into() }
    );
    for unit in ["furlong", "m m", "MM", "e", "2"] {
        assert_eq!(error(&format!("1 {unit}")), UnitError::UnknownUnit { unit: unit.into(), quantity });
    }
    let wrong = UnitError::WrongDimension { unit: "kg".into(), found: Quantity::Mass, quantity };
    assert_eq!(error("1 kg"), wrong);
    assert_eq!(wrong.hint(), "use m, mm, cm, um, in");
}

#[test]
fn the_table_has_one_owner_per_spelling_and_accepts_its_own_symbols() {
    for unit in UNITS {
        let owners = |s| UNITS.iter().filter(|other| other.spellings.contains(s)).count();
        assert!(unit.spellings.iter().all(|s| owners(s) == 1), "{}", unit.symbol);
        assert!(unit.quantity.parse(&format!("1 {}", unit.symbol)).is_ok(), "{}", unit.symbol);
    }
    for quantity in Quantity::ALL {
        let first = quantity.units().next();
        assert!(first.is_none_or(|unit| unit.to_si == ToSi::Shift(0)), "{quantity:?} starts with SI");
    }
}
