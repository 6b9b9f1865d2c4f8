//! A progress bar on stderr, for work that takes longer than a second. Where stderr is no terminal nothing is shown.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Work that is done before shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// Steps of the bar.
const STEPS: u64 = 1000;

/// The bar; it disappears with this value.
pub struct Progress {
    begin: Instant,
    is_terminal: bool,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    pub fn new() -> Self {
        Self { begin: Instant::now(), is_terminal: io::stderr().is_terminal(), bar: OnceLock::new() }
    }

    /// Shows the fraction that is done, 0 to 1, and what is being done; from any thread, as often as one likes.
    pub fn show(&self, fraction: f64, message: &str) {
        if !self.is_terminal || self.begin.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let style = ProgressStyle::with_template("[{bar:30}] {percent:>3} %  {msg}");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("#>-");
            ProgressBar::new(STEPS).with_style(style)
        });
        if bar.message() != message {
            bar.set_message(message.to_owned());
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
        bar.set_position((fraction.clamp(0.0, 1.0) * STEPS as f64) as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
