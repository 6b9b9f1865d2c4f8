//! The arguments of `legwork reproduce`.

use clap::Args;
use std::path::PathBuf;

pub const HELP: &str = "\
Examples:
  legwork reproduce                                     every figure, table and claim, and the errata
  legwork reproduce codourey1998 fig7                   one of them, with all its numbers
  legwork reproduce bortoff2018 errata                  what is misprinted, and by how much it matters
  legwork reproduce --out papers.html --figures papers  one report, and the pictures as files

Ours is compared with the number that the paper prints, to one unit of its last digit; where the paper prints none,
with that of an independent program under the same conditions.
Exit code: 0 all agrees, 1 something does not, 2 bad input.";

#[derive(Debug, Default, Args)]
pub struct ReproduceArgs {
    /// Which paper, or `errata` for those of all papers [default: everything]
    pub paper: Option<String>,
    /// Which figure, table or claim of it, or `errata`
    pub figure: Option<String>,
    /// List what there is, without computing it
    #[arg(long, conflicts_with_all = ["out", "figures"])]
    pub list: bool,
    /// Write one report to this file
    #[cfg(feature = "studio")]
    #[arg(long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,
    /// Write the figures to this folder, as SVG and PNG
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
}
