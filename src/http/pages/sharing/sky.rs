//! The price over 90 days as on the pictures of cards: a line of steps, filled below.

use super::canvas::{Area, Canvas};
use crate::domain::Colour;

/// Width of the line in pixels.
const PEN: f32 = 6.0;

/// Colours of the area, of the line, and of what is below it.
pub(super) struct SkyColours {
    pub(super) ground: Colour,
    pub(super) line: Colour,
    pub(super) below: Colour,
}

/// Draws the small plot of a verdict into an area, down to its foot.
pub(super) fn draw_sky(canvas: &mut Canvas, path: &str, area: Area, colours: &SkyColours) {
    let SkyColours {
        ground,
        line,
        below,
    } = *colours;
    let foot = area.y + area.height;
    let part = |x: f32, y: f32, width: f32, height: f32| Area {
        x,
        y,
        width,
        height,
    };
    canvas.fill(area, 0.0, ground);
    let mut before: Option<(f32, f32)> = None;
    for (left, right, height) in steps(path) {
        // The line is between 3 and 17 of 20 units: in the middle of the area.
        let y = area.y + area.height * (0.25 + (height - 3.0) / 14.0 * 0.5);
        let x = |at: f32| area.x + at / 64.0 * area.width;
        let (left, right) = (x(left), x(right));
        canvas.fill(part(left, y, right - left, foot - y), 0.0, below);
        canvas.fill(part(left, y, right - left, PEN), 0.0, line);
        if let Some((end, other)) = before.filter(|(end, _)| *end >= left) {
            let (top, bottom) = (y.min(other), y.max(other) + PEN);
            canvas.fill(part(end - PEN / 2.0, top, PEN, bottom - top), 0.0, line);
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
