//! Both pages of one report: what must be in them and what must not.

use legwork::report::{Axis, Cloud, HeatMap, Lines, Marker, Report, Section, Table};
use legwork_studio::{Page, why_static, write_report};

const NASTY: &str = "</script><!-- \"a\" & 'b' <img src=x onerror=alert(1)>";

fn report() -> Report {
    let axis = || Axis::new(NASTY, "m");
    let map = HeatMap::new(
        NASTY,
        (axis(), vec![0.0, 1.0]),
        (axis(), vec![0.0, 1.0]),
        axis(),
        vec![1.0, f64::NAN, 3.0, 2.0],
    );
    Report::new(NASTY).with_command(NASTY).with_robot(NASTY, NASTY).with_section(
        Section::new(NASTY)
            .with(NASTY)
            .with(Table::new(NASTY, [axis()]).with_row([NASTY]))
            .with(Lines::new(NASTY, axis(), axis()).with_curve(
                NASTY,
                &[0.0, 1.0, 2.0],
                &[0.0, f64::NAN, 1.0],
            ))
            .with(map)
            .with(Cloud::new(NASTY, axis(), axis()).with_points(NASTY, Marker::Cross, &[[0.0, 1.0]])),
    )
}

fn page(kind: Page) -> String {
    let mut html = Vec::new();
    assert_eq!(write_report(&report(), kind, &mut html).unwrap(), kind);
    String::from_utf8(html).unwrap()
}

#[test]
fn the_static_page_has_no_script_and_no_tag_of_the_user() {
    let html = page(Page::Static);
    assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("http"), "{html}");
    assert!(!html.contains("NaN"), "a number that is none went into a drawing");
    // One drawing for the curve, the map and the cloud each.
    assert_eq!(html.matches("<svg").count(), 3);
    assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
    // Three cells have a value; the gap breaks the curve into two pieces.
    assert_eq!(html.matches("<path fill=\"#").count(), 3);
    let curve = html.split("d=\"M").find(|part| part.contains('M') && part.starts_with("64.0")).unwrap();
    assert_eq!(curve.split('"').next().unwrap().matches('M').count(), 1);
}

/// A map says "hatched: out of reach" and shows it: one stroke for each cell without a value, none for cells that have
/// one or were not computed.
#[test]
fn cells_without_a_value_are_hatched_on_the_static_page() {
    let axis = || Axis::new("x", "m");
    let strokes = |cells: Vec<f64>, computed: usize| {
        let mut map = HeatMap::new("map", (axis(), vec![0.0, 1.0]), (axis(), vec![0.0, 1.0]), axis(), cells);
        map.computed = computed;
        let mut html = Vec::new();
        let report = Report::new("maps").with_section(Section::new("map").with(map));
        write_report(&report, Page::Static, &mut html).unwrap();
        let html = String::from_utf8(html).unwrap();
        let hatching = html.split("<path class=\"h\" d=\"").nth(1).and_then(|rest| rest.split('"').next());
        (hatching.map_or(0, |path| path.matches('M').count()), html.contains("<svg"))
    };
    assert_eq!(strokes(vec![1.0, f64::NAN, 3.0, f64::NAN], 4), (2, true));
    assert_eq!(strokes(vec![1.0, f64::NAN, 3.0, f64::NAN], 3), (1, true));
    assert_eq!(strokes(vec![1.0, 2.0, 3.0, 4.0], 4), (0, true));
    assert_eq!(strokes(vec![f64::NAN; 4], 4), (4, true));
}

/// Without Node there is no such page, and the program says so.
#[test]
fn the_interactive_page_holds_the_report_and_ends_its_scripts_itself() {
    if let Some(reason) = why_static() {
        assert!(std::env::var_os("CI").is_none(), "the page must be there in CI: {reason}");
        return;
    }
    let html = page(Page::Interactive);
    // The page has two scripts, the document and the code; the user's text opens and ends none.
    assert_eq!(html.matches("<script").count(), 2);
    assert_eq!(html.matches("</script").count(), 2);
    assert!(!html.contains("<img") && !html.contains("<!-- \"a\""));
    let json = html.split_once("id=\"report\">").unwrap().1.split_once("</script>").unwrap().0;
    let read: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(read, report().to_json());
    assert!(html.contains("default-src 'none'"), "the page must not be able to ask for anything");
    for whose in ["three.js authors", "Leon Sorokin"] {
        assert!(html.contains(whose), "the terms of {whose} are missing");
    }
}
