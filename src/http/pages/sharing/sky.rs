//! The price over 90 days as on the pictures of cards: a line of steps, filled below.

use super::canvas::{Area, Canvas};
use super::card::{INK_3, LINE, RAISED, SAVING, SAVING_BG, WIDTH};

/// Left edge in pixels.
pub(super) const SKY_LEFT: f32 = 780.0;
/// Places of the highest and the lowest price.
const TOP: f32 = 150.0;
const BOTTOM: f32 = 470.0;
/// Width of the line.
const PEN: f32 = 6.0;

/// Draws the small plot of a verdict from [`SKY_LEFT`] to the right edge, down to `floor`; green for a price that is
/// proven to be lower.
pub(super) fn draw_sky(canvas: &mut Canvas, path: &str, is_cheaper: bool, floor: f32) {
    let (line, below) = match is_cheaper {
        true => (SAVING, SAVING_BG),
        false => (INK_3, LINE),
    };
    let width = f32::from(WIDTH) - SKY_LEFT;
    let area = |x: f32, y: f32, width: f32, height: f32| Area {
        x,
        y,
        width,
        height,
    };
    canvas.fill(area(SKY_LEFT, 0.0, width, floor), 0.0, RAISED);
    let mut before: Option<(f32, f32)> = None;
    for (left, right, height) in steps(path) {
        // The line is between 3 and 17 of 20 units.
        let y = TOP + (height - 3.0) / 14.0 * (BOTTOM - TOP);
        let (left, right) = (
            SKY_LEFT + left / 64.0 * width,
            SKY_LEFT + right / 64.0 * width,
        );
        canvas.fill(area(left, y, right - left, floor - y), 0.0, below);
        canvas.fill(area(left, y, right - left, PEN), 0.0, line);
        if let Some((end, other)) = before.filter(|(end, _)| *end >= left) {
            let (top, bottom) = (y.min(other), y.max(other) + PEN);
            canvas.fill(area(end - PEN / 2.0, top, PEN, bottom - top), 0.0, line);
        }
        before = Some((right, y));
    }
}

/// Returns the level parts of a path like `M0 17H20V3H64`: left and right end, and height.
fn steps(path: &str) -> Vec<(f32, f32, f32)> {
    let mut numbers = path
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|number| number.parse().ok());
    let mut next = || numbers.next().unwrap_or_default();
    let (mut x, mut y) = (0.0, 0.0);
    let mut steps = Vec::new();
    for command in path.chars() {
        match command {
            'M' => (x, y) = (next(), next()),
            'V' => y = next(),
            'H' => {
                let right = next();
                steps.push((x, right, y));
                x = right;
            }
            _ => {}
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_a_path_keep_its_gaps() {
        assert_eq!(
            steps("M0 17H20V3H56M60 17H64"),
            [(0.0, 20.0, 17.0), (20.0, 56.0, 3.0), (60.0, 64.0, 17.0)]
        );
        assert_eq!(steps(""), []);
    }
}
