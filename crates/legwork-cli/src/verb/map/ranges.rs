//! Which poses a command line asks for.

use super::failure;
use crate::args::MapArgs;
use crate::failure::{Failure, Message};
use legwork::AnyRobot;
use legwork::analysis::map::{Coordinate, Extent, Grid, Range};
use legwork::coordinates::number;
use legwork::text::short;
use legwork::units::Quantity;

/// Poses along a range without a count.
const COUNT: usize = 41;

/// What the options say of each coordinate.
fn given(args: &MapArgs) -> [(Coordinate, Option<&String>); 6] {
    [
        (Coordinate::X, args.x.as_ref()),
        (Coordinate::Y, args.y.as_ref()),
        (Coordinate::Z, args.z.as_ref()),
        (Coordinate::Roll, args.roll.as_ref()),
        (Coordinate::Pitch, args.pitch.as_ref()),
        (Coordinate::Yaw, args.yaw.as_ref()),
    ]
}

/// Home with the coordinates that are given as one number.
pub fn fixed(args: &MapArgs, robot: &AnyRobot) -> Result<Grid, Failure> {
    let mut grid = Grid::at_home(robot);
    for (coordinate, text) in given(args) {
        if let Some(text) = text.filter(|text| !text.contains("..")) {
            let value = number(coordinate.name(), kind(coordinate), text)?;
            grid = grid.fixed(coordinate, value).map_err(|error| failure(&error))?;
        }
    }
    Ok(grid)
}

/// The poses of a map; as wide as the robot reaches where no range is given.
pub fn grid(args: &MapArgs, robot: &AnyRobot) -> Result<Grid, Failure> {
    let mut grid = fixed(args, robot)?;
    let ranges = given(args).into_iter().filter_map(|(coordinate, text)| Some((coordinate, text?)));
    let ranges: Vec<_> = ranges.filter(|(_, text)| text.contains("..")).collect();
    for (coordinate, text) in &ranges {
        grid = grid.along(range(*coordinate, text)?).map_err(|error| failure(&error))?;
    }
    if ranges.is_empty() {
        let is_fixed = |c: &Coordinate| given(args).iter().any(|(other, text)| other == c && text.is_some());
        let free: Vec<Coordinate> =
            Coordinate::of(robot).into_iter().filter(|c| !is_fixed(c)).take(2).collect();
        let extent = Extent::of(robot, &grid, &free, !args.ignore_limits);
        for (coordinate, from, to) in extent.ranges {
            // Whole millimetres; angles are whole turns already.
            let (from, to) = if coordinate.turns() {
                (from, to)
            } else {
                ((from * 1e3).floor() / 1e3, (to * 1e3).ceil() / 1e3)
            };
            grid = grid.along(Range::new(coordinate, from, to, COUNT)).map_err(|error| failure(&error))?;
        }
    }
    Ok(grid)
}

fn kind(coordinate: Coordinate) -> Quantity {
    if coordinate.turns() { Quantity::Angle } else { Quantity::Length }
}

/// "-250..250mm/26": a unit at the end is that of both.
fn range(coordinate: Coordinate, text: &str) -> Result<Range, Failure> {
    let name = coordinate.name();
    let text = text.replace('\u{2212}', "-");
    let shape = || {
        let message = Message::new(format!("`--{name} {text}` is not a range"));
        message.hint(format!("FROM..TO/COUNT, such as --{name} {}", example(coordinate)))
    };
    let (from, rest) = text.split_once("..").ok_or_else(shape)?;
    let (to, count) = rest.split_once('/').map_or((rest, None), |(to, count)| (to, Some(count)));
    if from.trim().is_empty() || to.trim().is_empty() {
        return Err(shape().into());
    }
    let count = match count {
        None => COUNT,
        Some(count) => count.trim().parse().map_err(|_| {
            Message::new(format!("`--{name}`: `{}` is not a number of poses", count.trim()))
                .hint("a whole number from 2 on")
        })?,
    };
    let ends_in_digit = |text: &str| text.trim_end().ends_with(|c: char| c.is_ascii_digit() || c == '.');
    let unit = to.trim_start().trim_start_matches(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let from = if ends_in_digit(from) && !ends_in_digit(to) { format!("{from}{unit}") } else { from.into() };
    let (from, to) = (number(name, kind(coordinate), &from)?, number(name, kind(coordinate), to)?);
    Ok(Range::new(coordinate, from, to, count))
}

fn example(coordinate: Coordinate) -> &'static str {
    if coordinate.turns() { "-30deg..30deg/21" } else { "-250mm..250mm/26" }
}

/// A coordinate for people: "z -350 mm".
pub fn said(coordinate: Coordinate, value: f64) -> String {
    let (value, unit) = if coordinate.turns() { (value.to_degrees(), "deg") } else { (value * 1e3, "mm") };
    // A tenth of a micrometre is more than anybody reads.
    format!("{coordinate} {} {unit}", short((value * 1e4).round() / 1e4))
}

/// The coordinates of a grid that stay.
pub fn place(grid: &Grid) -> String {
    grid.rest().iter().map(|(c, value)| said(*c, *value)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (f64, f64, usize) {
        let range = range(Coordinate::X, text).unwrap();
        (range.from, range.to, range.count)
    }

    #[test]
    fn ranges_carry_units() {
        assert_eq!(read("-0.25..0.25/26"), (-0.25, 0.25, 26));
        assert_eq!(read("\u{2212}250mm..250mm/26"), (-0.25, 0.25, 26));
        assert_eq!(read("-250..250mm"), (-0.25, 0.25, 41));
        assert_eq!(read("10 cm .. 20 cm / 3"), (0.1, 0.2, 3));
    }

    #[test]
    fn what_is_no_range_says_so() {
        let error = |text: &str| range(Coordinate::X, text).unwrap_err().reason();
        assert_eq!(error("..3"), "`--x ..3` is not a range");
        assert_eq!(error("1..2/many"), "`--x`: `many` is not a number of poses");
        assert_eq!(error("1kg..2"), "`x` is a length: `kg` is a mass");
    }
}
