//! Lines that say what is going on.

use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// A stage that takes longer shows that it goes on, on a terminal.
const LONG: Duration = Duration::from_secs(1);

/// Writes a line to stdout at once. Nobody may be listening.
pub(crate) fn say(text: impl Display) {
    let mut out = io::stdout();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// Runs a stage, between a line that says that it begins and one that says how long it took.
pub(crate) fn stage<T>(name: &str, quiet: bool, run: impl FnOnce() -> T) -> T {
    if quiet {
        return run();
    }
    say(format_args!("{name} .."));
    let start = Instant::now();
    let bar = spinner(name);
    let value = run();
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    say(format_args!(
        "{name}: {:.3}s",
        start.elapsed().as_secs_f64()
    ));
    value
}

/// A bar on stderr that shows how long a stage has taken; none where stderr is no terminal.
fn spinner(name: &str) -> Option<ProgressBar> {
    if !io::stderr().is_terminal() {
        return None;
    }
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}").expect("a template");
    let bar = ProgressBar::new_spinner().with_style(style);
    bar.set_message(name.to_owned());
    bar.enable_steady_tick(LONG / 4);
    Some(bar)
}

/// A bar on stderr for `total` steps; a hidden one where stderr is no terminal.
pub(crate) fn bar(name: &str, total: u64, quiet: bool) -> ProgressBar {
    if quiet || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{msg} {bar:40} {pos}/{len} {eta}").expect("a template");
    let bar = ProgressBar::new(total).with_style(style);
    bar.set_message(name.to_owned());
    bar
}
