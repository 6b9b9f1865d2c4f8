//! `legwork map`: a field over a slice or a volume of the workspace.

#[cfg(feature = "studio")]
mod page;
mod ranges;
mod report;
mod volume;

use super::{in_mode, interrupt, open};
use crate::Outcome;
use crate::args::{MapArgs, Model};
use crate::failure::{Failure, Message};
use crate::progress::Progress;
use crate::verb::simulate::metadata;
use legwork::AnyRobot;
use legwork::analysis::map::{Direction, Map, MapError, MapTask, Quantity};
use legwork::coordinates::number;
use legwork::figure::Figure;
use legwork::recording::Format;
use legwork::units;
use std::io::Write;
use std::path::Path;

pub fn run(args: &MapArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    args.out.iter().try_for_each(|path| check_name(path))?;
    if let Some(path) = args.page().filter(|path| !is_page(path)) {
        let message = Message::new(format!("`--report {}` is a page", path.display()));
        return Err(message.hint("let its name end in .html").into());
    }
    let robot = robot(args)?;
    if args.volume {
        if let Some(word) = &args.quantity {
            let message =
                Message::new(format!("`--volume` measures the workspace and maps nothing: `{word}`"));
            return Err(message.hint("leave one of them out").into());
        }
        return volume::run(args, &robot, as_json, out);
    }
    let quantities = quantities(args.quantity.as_deref().unwrap_or(""))?;
    let grid = ranges::grid(args, &robot)?;
    let refused = |error: MapError| failure(&error);
    let mut task = MapTask::new(&robot, grid, &quantities).map_err(refused)?;
    if let [x, y, z] = args.direction.as_slice() {
        let number = |text: &String| number("direction", units::Quantity::Ratio, text);
        task = task.towards(Direction::Along([number(x)?, number(y)?, number(z)?])).map_err(refused)?;
    }
    if args.ignore_limits {
        task = task.ignoring_limits();
    }
    let progress = Progress::new();
    let tell = |share: f64| progress.show(share, "");
    let pressed = interrupt::watch()?;
    let map = task.on_threads(args.threads.map_or(0, usize::from)).until(&pressed).telling(&tell).run();
    drop(progress);

    if map.reached == 0 && !map.is_partial() {
        return Err(out_of_reach(&map, &robot));
    }
    for path in args.files() {
        save(&map, path, &args.robot)?;
    }
    if as_json {
        report::json(&map, args, out)?;
    } else {
        report::print(&map, args, out)?;
    }
    Ok(if map.is_partial() { Outcome::Interrupted } else { Outcome::Done })
}

fn robot(args: &MapArgs) -> Result<AnyRobot, Failure> {
    let mut robot = in_mode(open(&args.robot)?, args.mode.as_ref())?;
    let told = |error| Failure::of(error, &args.robot);
    if let Some(payload) = &args.payload {
        robot = robot.with_payload(number("payload", units::Quantity::Mass, payload)?).map_err(told)?;
    }
    if args.model != Model::Complete {
        robot = robot.with_forearm_model(args.model.into()).map_err(told)?;
    }
    Ok(robot)
}

/// "condition,mass-matrix"
fn quantities(text: &str) -> Result<Vec<Quantity>, Failure> {
    let one = |word: &str| {
        Quantity::named(word).map_err(|nearest| {
            let names: Vec<&str> = Quantity::ALL.iter().map(|quantity| quantity.name()).collect();
            let hint = match nearest {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("the quantities are {}", names.join(", ")),
            };
            Failure::from(Message::new(format!("`{word}` is not a quantity")).hint(hint))
        })
    };
    let mut all: Vec<Quantity> = Vec::new();
    for quantity in text.split(',').map(|word| one(word.trim())) {
        let quantity = quantity?;
        if all.contains(&quantity) {
            return Err(Message::new(format!("`{quantity}` is given twice")).into());
        }
        all.push(quantity);
    }
    Ok(all)
}

/// The name of a file says its format: told before the work, not after it.
fn check_name(path: &Path) -> Result<(), Failure> {
    if is_page(path)
        || Figure::is_name_of_picture(path)
        || matches!(Format::of(path), Some(Format::Csv | Format::Parquet))
    {
        return Ok(());
    }
    let message = Message::new(format!("`--out {}` does not say a format", path.display()));
    let ends = if cfg!(feature = "studio") {
        ".csv, .parquet, .svg, .png or .html"
    } else {
        ".csv, .parquet, .svg or .png"
    };
    Err(message.hint(format!("let its name end in {ends}")).into())
}

/// Whether a file is a page for a browser.
fn is_page(path: &Path) -> bool {
    cfg!(feature = "studio") && path.extension().is_some_and(|end| end.eq_ignore_ascii_case("html"))
}

fn save(map: &Map, path: &Path, robot: &str) -> Result<(), Failure> {
    #[cfg(feature = "studio")]
    if is_page(path) {
        return page::save(map, path, &metadata(robot)?);
    }
    let cause = if Figure::is_name_of_picture(path) {
        map.figure().save(path).err().map(|error| error.to_string())
    } else {
        map.save(path, &metadata(robot)?).err().map(|error| error.to_string())
    };
    match cause {
        Some(cause) => {
            let message = Message::new(format!("`--out {}` cannot be written", path.display()));
            Err(message.caused_by(cause).into())
        }
        None => Ok(()),
    }
}

fn failure(error: &MapError) -> Failure {
    let message = Message::new(error.to_string());
    match error.hint() {
        Some(hint) => message.hint(hint).into(),
        None => message.into(),
    }
}

fn out_of_reach(map: &Map, robot: &AnyRobot) -> Failure {
    let poses = map.grid.len();
    let middle = map.grid.platform(map.grid.coordinates(poses / 2));
    let message = Message::new(format!("`{}` reaches none of the {poses} poses", map.robot));
    let message = match robot.state(&middle) {
        Err(error) => message.caused_by(error.to_string()),
        Ok(_) => message.caused_by("a motor is outside its limits in all of them"),
    };
    let home = ranges::place(&legwork::analysis::map::Grid::at_home(robot));
    message.hint(format!("its home is at {home}; without ranges the map goes as far as it reaches")).into()
}
