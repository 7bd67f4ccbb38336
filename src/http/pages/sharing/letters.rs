//! Glyphs, text width and line breaking for preview pictures.

use std::sync::LazyLock;

use ab_glyph_rasterizer::{Point, Rasterizer, point};
use ttf_parser::{Face, OutlineBuilder};
use unicode_normalization::UnicodeNormalization as _;

static INTER: &[u8] = include_bytes!("../../../../assets/share/inter-bold.ttf");
static FONT: LazyLock<Option<Face<'static>>> = LazyLock::new(|| Face::parse(INTER, 0).ok());

/// A glyph on a raster aligned to the canvas's pixels.
pub(super) struct Letter {
    pub(super) raster: Rasterizer,
    pub(super) left: f64,
    pub(super) top: f64,
}

impl Letter {
    /// Draws a glyph from a point on its baseline; `None` if it has no outline, like a space.
    pub(super) fn draw(letter: char, size: f32, (x, y): (f32, f32)) -> Option<Self> {
        let font = FONT.as_ref()?;
        let id = font.glyph_index(letter)?;
        let bounds = font.glyph_bounding_box(id)?;
        let scale = size / f32::from(font.units_per_em());
        let left = (x + f32::from(bounds.x_min) * scale).floor();
        let top = (y - f32::from(bounds.y_max) * scale).floor();
        let wide = (x + f32::from(bounds.x_max) * scale - left).ceil();
        let high = (y - f32::from(bounds.y_min) * scale - top).ceil();
        let mut pen = Pen {
            raster: Rasterizer::new(wide as usize + 1, high as usize + 1),
            origin: point(x - left, y - top),
            scale,
            begun: point(0.0, 0.0),
            at: point(0.0, 0.0),
        };
        font.outline_glyph(id, &mut pen)?;
        Some(Self {
            raster: pen.raster,
            left: f64::from(left),
            top: f64::from(top),
        })
    }
}

/// Draws outlines, flipping their y axis.
struct Pen {
    raster: Rasterizer,
    origin: Point,
    scale: f32,
    /// Start of the contour, and the current point.
    begun: Point,
    at: Point,
}

impl Pen {
    fn on_raster(&self, x: f32, y: f32) -> Point {
        point(
            self.origin.x + x * self.scale,
            self.origin.y - y * self.scale,
        )
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.at = self.on_raster(x, y);
        self.begun = self.at;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.on_raster(x, y);
        self.raster.draw_line(self.at, to);
        self.at = to;
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (bend, to) = (self.on_raster(x1, y1), self.on_raster(x, y));
        self.raster.draw_quad(self.at, bend, to);
        self.at = to;
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (one, two) = (self.on_raster(x1, y1), self.on_raster(x2, y2));
        let to = self.on_raster(x, y);
        self.raster.draw_cubic(self.at, one, two, to);
        self.at = to;
    }

    fn close(&mut self) {
        self.raster.draw_line(self.at, self.begun);
        self.at = self.begun;
    }
}

/// Returns the width of a line in pixels.
pub(super) fn width(text: &str, size: f32) -> f32 {
    let Some(font) = &*FONT else { return 0.0 };
    let advances = text
        .chars()
        .filter_map(|letter| font.glyph_hor_advance(font.glyph_index(letter)?));
    let units: f32 = advances.map(f32::from).sum();
    units * size / f32::from(font.units_per_em())
}

/// Replaces characters that the font lacks, e.g. accented letters by plain ones; `None` if more
/// than a quarter would be missing.
pub(super) fn writable(text: &str) -> Option<String> {
    let font = FONT.as_ref()?;
    let has = |letter: &char| font.glyph_index(*letter).is_some();
    let mut written = String::new();
    let (mut all, mut missing) = (0, 0);
    for letter in text.nfc() {
        all += 1;
        let before = written.len();
        if letter.is_whitespace() {
            written.push(' ');
        } else if has(&letter) {
            written.push(letter);
        } else {
            written.extend(std::iter::once(letter).nfkd().filter(has));
        }
        missing += usize::from(written.len() == before);
    }
    let words: Vec<&str> = written.split(' ').filter(|word| !word.is_empty()).collect();
    (missing * 4 <= all && !words.is_empty()).then(|| words.join(" "))
}

/// Breaks a text into lines of a width in pixels; an ellipsis ends the last one if more than `most`
/// are needed.
pub(super) fn lines(text: &str, size: f32, widest: f32, most: usize) -> Vec<String> {
    let fits = |line: &str| width(line, size) <= widest;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last().map_or("", String::as_str);
        let longer = format!("{last} {word}");
        let mut rest = word;
        if last.is_empty() || fits(&longer) {
            rest = longer.trim_start();
            lines.pop();
        }
        // A word longer than a line is split.
        let mut line = String::new();
        for letter in rest.chars() {
            line.push(letter);
            if !fits(&line) {
                line.pop();
                lines.push(std::mem::replace(&mut line, letter.to_string()));
            }
        }
        lines.push(line);
    }
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            while !fits(&format!("{last}…")) && last.pop().is_some() {}
            *last = format!("{}…", last.trim_end());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_at_spaces_and_long_words_where_the_line_ends() {
        let wide = width("one two", 20.0) + 1.0;
        assert_eq!(lines("one two three", 20.0, wide, 3), ["one two", "three"]);
        let cut = lines("one two three four five", 20.0, wide, 2);
        assert_eq!(cut[0], "one two");
        assert!(
            cut[1].ends_with('…') && width(&cut[1], 20.0) <= wide,
            "{cut:?}"
        );
        let long = lines(&"x".repeat(40), 20.0, wide, 9);
        assert!(
            long.len() > 3 && long.concat() == "x".repeat(40),
            "{long:?}"
        );
        assert_eq!(lines("", 20.0, wide, 3), [""]);
    }

    #[test]
    fn what_the_font_lacks_is_left_out_or_written_plainly() {
        let written = |text| writable(text);
        assert_eq!(written("₹99 – “best”").as_deref(), Some("₹99 – “best”"));
        assert_eq!(written("Čokoláda  ﬁne").as_deref(), Some("Cokoláda fine"));
        assert_eq!(written("Hot deal 🎧").as_deref(), Some("Hot deal"));
        assert_eq!(written("नमस्ते"), None);
        assert_eq!(written(" "), None);
    }
}
