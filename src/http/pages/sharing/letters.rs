//! Faces, shaping, text width and line breaking for preview pictures.

use std::sync::LazyLock;

use harfrust::{Buffer, Font, ShapeOptions, ShaperFont};
use ttf_parser::{Face, GlyphId};
use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

use super::outline::Outline;

static INTER: &[u8] = include_bytes!("../../../../assets/share/inter-bold.ttf");
static DEVANAGARI: &[u8] = include_bytes!("../../../../assets/share/noto-sans-devanagari-bold.ttf");
/// The faces, the preferred one first.
static FACES: LazyLock<Vec<Typeface>> = LazyLock::new(|| {
    let faces = [INTER, DEVANAGARI].into_iter();
    faces.filter_map(Typeface::read).collect()
});

struct Typeface {
    shapes: Font,
    outlines: Face<'static>,
}

impl Typeface {
    fn read(file: &'static [u8]) -> Option<Self> {
        Some(Self {
            shapes: Font::new(file, 0)?,
            outlines: Face::parse(file, 0).ok()?,
        })
    }
}

/// A glyph of a line, from whose start its place is measured in pixels.
struct Glyph {
    face: &'static Typeface,
    id: GlyphId,
    x: f32,
    y: f32,
}

/// A line of text as glyphs.
pub(super) struct Line {
    glyphs: Vec<Glyph>,
    width: f32,
    size: f32,
}

impl Line {
    /// Shapes a text with an em of `size` pixels.
    pub(super) fn new(text: &str, size: f32) -> Self {
        let mut line = Self {
            glyphs: Vec::new(),
            width: 0.0,
            size,
        };
        for (face, run) in runs(text) {
            line.add(face, run);
        }
        line
    }

    fn add(&mut self, face: &'static Typeface, run: &str) {
        let mut buffer = Buffer::new();
        buffer.push_str(run);
        buffer.guess_segment_properties();
        let font = ShaperFont::new(&face.shapes);
        if harfrust::shape(&font, &mut buffer, ShapeOptions::default()).is_err() {
            return;
        }
        let scale = self.size / f32::from(face.outlines.units_per_em());
        let shaped = buffer.glyph_infos().iter().zip(buffer.glyph_positions());
        for (info, place) in shaped {
            self.glyphs.push(Glyph {
                face,
                id: GlyphId(u16::try_from(info.glyph_id).unwrap_or_default()),
                x: self.width + place.x_offset as f32 * scale,
                y: -place.y_offset as f32 * scale,
            });
            self.width += place.x_advance as f32 * scale;
        }
    }

    /// Draws the glyphs from a point on the baseline.
    pub(super) fn draw(&self, (x, y): (f32, f32)) -> impl Iterator<Item = Outline> {
        self.glyphs.iter().filter_map(move |glyph| {
            let at = (x + glyph.x, y + glyph.y);
            Outline::draw(&glyph.face.outlines, glyph.id, self.size, at)
        })
    }
}

/// Splits a text into parts of one face; spaces and joiners stay with the letter before them.
fn runs(text: &str) -> Vec<(&'static Typeface, &str)> {
    let mut starts: Vec<(&'static Typeface, usize)> = Vec::new();
    for (at, letter) in text.char_indices() {
        let follows = letter == ' ' || is_joiner(letter);
        let Some(face) = face_of(letter) else {
            continue;
        };
        match starts.last() {
            Some((last, _)) if follows || std::ptr::eq(*last, face) => {}
            _ => starts.push((face, at)),
        }
    }
    let ends = starts.iter().skip(1).map(|(_, start)| *start);
    let ends: Vec<usize> = ends.chain([text.len()]).collect();
    let parts = starts.into_iter().zip(ends);
    parts
        .map(|((face, start), end)| (face, &text[start..end]))
        .collect()
}

fn face_of(letter: char) -> Option<&'static Typeface> {
    FACES
        .iter()
        .find(|face| face.outlines.glyph_index(letter).is_some())
}

/// True for U+200C and U+200D, which choose between forms of a conjunct.
fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}')
}

fn is_devanagari(letter: char) -> bool {
    matches!(letter, '\u{900}'..='\u{97f}')
}

/// Returns the width of a line in pixels.
pub(super) fn width(text: &str, size: f32) -> f32 {
    Line::new(text, size).width
}

/// Replaces characters that the faces lack, e.g. accented letters by plain ones, and leaves out emoji;
/// `None` if more than a quarter of the letters and digits would be missing.
pub(super) fn writable(text: &str) -> Option<String> {
    let has = |letter: &char| !is_joiner(*letter) && face_of(*letter).is_some();
    let mut written = String::new();
    let (mut all, mut missing) = (0, 0);
    for letter in text.nfc() {
        let before = written.len();
        if letter.is_whitespace() {
            written.push(' ');
        } else if has(&letter) || (is_joiner(letter) && written.ends_with(is_devanagari)) {
            written.push(letter);
        } else {
            written.extend(std::iter::once(letter).nfkd().filter(has));
        }
        if letter.is_alphanumeric() {
            all += 1;
            missing += usize::from(written.len() == before);
        }
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
        if fits(rest) {
            lines.push(rest.to_owned());
        } else {
            lines.extend(parts(rest, fits));
        }
    }
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            while let Some((start, _)) = last.grapheme_indices(true).next_back()
                && !fits(&format!("{last}…"))
            {
                last.truncate(start);
            }
            *last = format!("{}…", last.trim_end());
        }
    }
    lines
}

/// Splits a word that is longer than a line.
fn parts(word: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut parts = vec![String::new()];
    let letters = word.graphemes(true).flat_map(|letter| {
        // A letter with more marks than a line holds.
        let is_split = !fits(letter);
        letter.split_inclusive(move |_: char| is_split)
    });
    for letter in letters {
        match parts.last_mut() {
            Some(part) if part.is_empty() || fits(&format!("{part}{letter}")) => {
                part.push_str(letter);
            }
            _ => parts.push(letter.to_owned()),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_picture_text_is_wrapped_at_spaces() {
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
    fn hindi_conjuncts_are_one_glyph() {
        let ids = |text: &str| -> Vec<u16> {
            let line = Line::new(text, 20.0);
            line.glyphs.iter().map(|glyph| glyph.id.0).collect()
        };
        assert_eq!(ids("क्ष").len(), 1);
        assert_eq!(ids("हि")[1..], ids("ह"));
        assert!(!ids("₹499 में स्टील की केतली, 1.5 लीटर").contains(&0));
        let line = Line::new("केतली 1.5 l", 20.0);
        let sum = width("केतली ", 20.0) + width("1.5 l", 20.0);
        assert!((line.width - sum).abs() < 0.01);
    }

    #[test]
    fn conjuncts_are_not_split() {
        let word = "क्षत्रिय".repeat(9);
        let split = lines(&word, 20.0, 120.0, 99);
        assert!(split.len() > 3 && split.concat() == word, "{split:?}");
        let is_whole = |line: &String| !line.ends_with('\u{94d}') && !line.starts_with('ि');
        assert!(split.iter().all(is_whole), "{split:?}");
    }

    #[test]
    fn characters_missing_in_the_font_are_left_out() {
        let written = |text| writable(text);
        assert_eq!(written("₹99 – “best”").as_deref(), Some("₹99 – “best”"));
        assert_eq!(written("Čokoláda  ﬁne").as_deref(), Some("Cokoláda fine"));
        assert_eq!(written("Hot deal 🎧").as_deref(), Some("Hot deal"));
        assert_eq!(written("நன்றி"), None);
        let joined = "क्\u{200d}ष का नया सेट";
        let decorated = format!("🎁 {joined} 👩\u{200d}💻");
        assert_eq!(written(&decorated).as_deref(), Some(joined));
        assert_eq!(written("Toy set 👨‍👩‍👧‍👦").as_deref(), Some("Toy set"));
        assert_eq!(written("🎧🎧"), None);
        assert_eq!(written(" "), None);
    }
}
