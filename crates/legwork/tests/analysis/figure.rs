//! Pictures: what is in them, and that both kinds of file come out whole.

use legwork::figure::{Axis, ColorMap, Field, Figure, FigureError, Panel};
use std::path::PathBuf;

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("figures");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Saves both kinds and gives the SVG.
fn both(name: &str, figure: &Figure) -> String {
    figure.save(folder().join(format!("{name}.png"))).unwrap();
    let path = folder().join(format!("{name}.svg"));
    figure.save(&path).unwrap();
    let png = std::fs::read(folder().join(format!("{name}.png"))).unwrap();
    assert!(png.starts_with(b"\x89PNG") && png.ends_with(b"IEND\xae\x42\x60\x82"));
    std::fs::read_to_string(path).unwrap()
}

fn wave(columns: usize, rows: usize, phase: f64) -> Field {
    let at = |k: usize| {
        let (x, y) = ((k % columns) as f64 / columns as f64 - 0.5, (k / columns) as f64 / rows as f64 - 0.5);
        if x.hypot(y) > 0.48 { f64::NAN } else { (6.0 * x + phase).sin() + 2.0 * y }
    };
    let values = (0..columns * rows).map(at).collect();
    Field { x: (-250.0, 250.0), y: (-250.0, 250.0), columns, values }
}

/// A cell that was not computed looks unlike one without a value.
#[test]
fn what_was_not_computed_has_a_colour_of_its_own() {
    let picture = |computed: usize| {
        let field =
            Field { x: (0.0, 1.0), y: (0.0, 1.0), columns: 2, values: vec![1.0, 2.0, f64::NAN, f64::NAN] };
        let panel = Panel::new(Axis::new("x", "m"), Axis::new("y", "m")).field_computed_to(field, computed);
        Figure::new("").colored(Axis::new("value", ""), ColorMap::Sequential).panel(panel).to_png()
    };
    assert_ne!(picture(4), picture(3));
    assert_ne!(picture(3), picture(2));
}

#[test]
fn lines_and_limits() {
    let sine = |phase: f64| -> Vec<[f64; 2]> {
        (0..=200).map(|k| f64::from(k) / 200.0).map(|t| [t, 30.0 * (9.0 * t + phase).sin()]).collect()
    };
    let panel = Panel::new(Axis::new("time", "s"), Axis::new("torque", "N m"))
        .line("motor 1", sine(0.0))
        .line("motor 2", sine(2.1))
        .line("motor 3", sine(4.2))
        .limit("largest torque", [[0.0, 25.0], [1.0, 25.0]]);
    let svg = both("lines", &Figure::new("Torques of a swing").noted("delta-industrial, 1 s").panel(panel));
    for text in
        ["Torques of a swing", "time [s]", "torque [N m]", "motor 3", "largest torque", "stroke-dasharray"]
    {
        assert!(svg.contains(text), "{text}");
    }
}

#[test]
fn clouds_and_roots() {
    let cloud: Vec<[f64; 2]> = (0..600)
        .map(|k| f64::from(k) * 0.37)
        .map(|t| [9.0 * t.sin(), 24.0 * (1.7 * t + 0.4).sin() * (0.6 + 0.4 * (0.2 * t).cos())])
        .collect();
    let speed = Panel::new(Axis::new("speed", "rad/s"), Axis::new("torque", "N m"))
        .with_origin()
        .cloud("motor 1", cloud)
        .limit("peak", [[-8.0, 22.0], [8.0, 22.0], [12.0, 10.0]]);
    let roots = Panel::of_roots()
        .poles("poles", [[-5.0, 0.0], [-2.0, 1.0], [-2.0, -1.0], [3.5, 0.0]])
        .zeros("zeros", [[-5.0, 0.0]]);
    let svg = both("clouds", &Figure::new("Clouds and roots").in_columns(2).panel(speed).panel(roots));
    assert!(svg.matches("<circle").count() > 500 && svg.contains("imaginary part [rad/s]"));
}

#[test]
fn fields_share_their_colours() {
    let axes = || Panel::new(Axis::new("x", "mm"), Axis::new("y", "mm")).with_equal_axes();
    let one = Figure::new("A field")
        .noted("z = −350 mm, 41 × 41 poses")
        .colored(Axis::new("condition number", ""), ColorMap::Sequential)
        .without_value("out of reach")
        .panel(axes().field(wave(41, 41, 0.0)));
    let svg = both("field", &one);
    assert!(svg.contains("out of reach") && svg.contains("x [mm]"));
    // Cells are one embedded image, not a rectangle each.
    assert!(svg.len() < 12_000, "{}", svg.len());
    let many = (0..36).fold(
        Figure::new("Six by six").in_columns(6).colored(Axis::new("entry", "kg"), ColorMap::Diverging),
        |figure, k| {
            figure.panel(axes().titled(format!("A{}{}", k / 6 + 1, k % 6 + 1)).field(wave(
                21,
                21,
                f64::from(k),
            )))
        },
    );
    let svg = many.to_svg();
    assert_eq!(svg.matches("<image").count(), 37, "36 panels and one bar");
    assert_eq!(svg.matches("x [mm]").count(), 6, "labels at the outer panels only");
}

#[test]
fn what_is_empty_or_not_a_number_is_drawn_without_a_panic() {
    let axes = || Panel::new(Axis::new("x", "mm"), Axis::new("y", "mm"));
    both("nothing", &Figure::new("Nothing"));
    both("empty", &Figure::new("Empty").panel(axes()));
    let nan = axes().line("a", [[f64::NAN, 0.0], [1.0, f64::INFINITY]]).cloud("b", [[f64::NAN; 2]]);
    both("nan", &Figure::new("NaN").panel(nan));
    let flat = Field { x: (0.0, 0.0), y: (0.0, 0.0), columns: 1, values: vec![3.0] };
    both("flat", &Figure::new("One cell").panel(axes().with_equal_axes().field(flat)));
    let none = Field { x: (0.0, 1.0), y: (0.0, 1.0), columns: 2, values: vec![f64::NAN; 4] };
    both("none", &Figure::new("No value").panel(axes().field(none)));
}

#[test]
fn a_name_says_the_format() {
    let refused = Figure::new("").save("picture.bmp").unwrap_err();
    assert_eq!(refused, FigureError::Format { path: "picture.bmp".into() });
    assert!(Figure::is_name_of_picture("A.SVG") && !Figure::is_name_of_picture("a.csv"));
    assert!(matches!(Figure::new("").save("no/such/folder/a.svg"), Err(FigureError::Io { .. })));
}
