//! CPU time of child processes.

use std::fs::read_to_string;

/// Ticks a second of the times in `/proc` (`man 5 proc`, `sysconf(_SC_CLK_TCK)`).
const TICKS: f64 = 100.0;

/// Returns the CPU seconds of all descendant processes of this name.
pub fn cpu_seconds(name: &str) -> f64 {
    descendants(std::process::id())
        .into_iter()
        .filter_map(|process| ticks(process, name))
        .sum::<f64>()
        / TICKS
}

fn descendants(process: u32) -> Vec<u32> {
    let children = read_to_string(format!("/proc/{process}/task/{process}/children"));
    let children = children.unwrap_or_default();
    let children = children.split_whitespace().map(|id| id.parse().unwrap());
    children
        .flat_map(|child| [vec![child], descendants(child)].concat())
        .collect()
}

/// Returns the user and system time of a process, if it has this name.
fn ticks(process: u32, name: &str) -> Option<f64> {
    let stat = read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (before, fields) = stat.rsplit_once(") ")?;
    let is_it = before.split_once('(')?.1 == name;
    let fields: Vec<f64> = fields
        .split(' ')
        .filter_map(|field| field.parse().ok())
        .collect();
    // The first field is the state.
    is_it.then(|| fields[10] + fields[11])
}
