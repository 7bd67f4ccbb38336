//! Derives the accent colours of both themes, with readable contrast.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Minimum contrast of text (WCAG 2.2, 1.4.3, level AA).
const READABLE: f64 = 4.5;
/// Minimum contrast between a button and its surroundings.
const VISIBLE: f64 = 1.6;
/// Steps between a colour and white or black.
const STEPS: u8 = 100;

/// Background colours of `frontend/src/styles/tokens.css`: the darkest of the light theme and the
/// lightest of the dark one.
const LIGHT_GROUND: Colour = Colour([0xef, 0xef, 0xe9]);
const LIGHT_SURFACE: Colour = Colour([0xff, 0xff, 0xff]);
const DARK_GROUND: Colour = Colour([0x26, 0x2a, 0x30]);
const DARK_SURFACE: Colour = Colour([0x1b, 0x1e, 0x23]);
const WHITE: Colour = Colour([0xff; 3]);
const BLACK: Colour = Colour([0; 3]);
const INK: Colour = Colour([0x16, 0x18, 0x1d]);

/// A colour of the sRGB space, written like `#1a56b0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(value_type = String)]
#[serde(try_from = "String", into = "String")]
pub struct Colour([u8; 3]);

/// The accent in one theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[derive(ToSchema)]
pub struct AccentColours {
    /// Text and borders.
    pub accent: Colour,
    /// Background of selected items, whose text is `accent`.
    pub accent_bg: Colour,
    /// Background of the primary button.
    pub fill: Colour,
    /// Background of the primary button on hover.
    pub fill_strong: Colour,
    /// Text of the primary button.
    pub on_fill: Colour,
}

/// The accent in both themes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Palette {
    /// In the light theme.
    pub light: AccentColours,
    /// In the dark theme.
    pub dark: AccentColours,
}

impl Palette {
    /// Derives the colours nearest to an accent that satisfy level AA.
    pub fn from_accent(accent: Colour) -> Self {
        let light_bg = LIGHT_SURFACE.towards(accent, 14);
        let dark_bg = DARK_SURFACE.towards(accent, 25);
        Self {
            light: theme(
                accent.until(BLACK, |colour| {
                    colour.reads_on(LIGHT_GROUND) && colour.reads_on(light_bg)
                }),
                light_bg,
                accent.until(BLACK, |colour| colour.contrast(LIGHT_SURFACE) >= VISIBLE),
            ),
            dark: theme(
                accent.until(WHITE, |colour| {
                    colour.reads_on(DARK_GROUND) && colour.reads_on(dark_bg)
                }),
                dark_bg,
                accent.until(WHITE, |colour| colour.contrast(DARK_SURFACE) >= VISIBLE),
            ),
        }
    }
}

fn theme(accent: Colour, accent_bg: Colour, near: Colour) -> AccentColours {
    let (fill, on_fill) = if WHITE.reads_on(near) {
        (near, WHITE)
    } else if INK.reads_on(near) {
        (near, INK)
    } else {
        // Neither text colour has enough contrast.
        (near.until(BLACK, |colour| WHITE.reads_on(colour)), WHITE)
    };
    // Away from the text colour, to keep the contrast.
    let away = if on_fill == WHITE { BLACK } else { WHITE };
    AccentColours {
        accent,
        accent_bg,
        fill,
        fill_strong: fill.towards(away, 18),
        on_fill,
    }
}

impl Colour {
    /// Makes a colour of red, green and blue.
    pub const fn of_channels(channels: [u8; 3]) -> Self {
        Self(channels)
    }

    /// Red, green and blue.
    pub const fn channels(self) -> [u8; 3] {
        self.0
    }

    /// Parses `#1a56b0`, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#')?;
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let value = u32::from_str_radix(digits, 16).ok()?;
        let [_, red, green, blue] = value.to_be_bytes();
        Some(Self([red, green, blue]))
    }

    /// The contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio").
    pub fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    fn reads_on(self, ground: Self) -> bool {
        self.contrast(ground) >= READABLE
    }

    /// WCAG 2.2, "relative luminance".
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|value| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// Mixes in `percent` of another colour.
    fn towards(self, other: Self, percent: u8) -> Self {
        let mixed = |index: usize| {
            let (from, to) = (u32::from(self.0[index]), u32::from(other.0[index]));
            let mixed = (from * u32::from(100 - percent) + to * u32::from(percent) + 50) / 100;
            mixed as u8
        };
        Self([mixed(0), mixed(1), mixed(2)])
    }

    /// Returns the first colour on the way to `other` that satisfies `does`.
    fn until(self, other: Self, does: impl Fn(Self) -> bool) -> Self {
        (0..=STEPS)
            .map(|percent| self.towards(other, percent))
            .find(|colour| does(*colour))
            .unwrap_or(other)
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl From<Colour> for String {
    fn from(colour: Colour) -> Self {
        colour.to_string()
    }
}

impl TryFrom<String> for Colour {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("a colour is written like #1a56b0")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_wcag() {
        let grey = Colour::parse("#767676").unwrap();
        assert!((grey.contrast(WHITE) - 4.54).abs() < 0.01);
        assert!((WHITE.contrast(BLACK) - 21.0).abs() < 1e-9);
    }

    #[test]
    fn theme_backgrounds_match_the_style_sheet() {
        let tokens = include_str!("../../../frontend/src/styles/tokens.css");
        let (light, dark) = tokens.split_once("@utility dark-tokens").unwrap();
        for (theme, name, colour) in [
            (light, "raised", LIGHT_GROUND),
            (light, "surface", LIGHT_SURFACE),
            (light, "ink", INK),
            (dark, "raised", DARK_GROUND),
            (dark, "surface", DARK_SURFACE),
        ] {
            let line = format!("  --{name}: {colour};");
            assert!(theme.contains(&line), "{line}");
        }
    }

    #[test]
    fn every_accent_can_be_read_in_both_themes() {
        let steps = [0x00, 0x33, 0x66, 0x80, 0x99, 0xcc, 0xff];
        for red in steps {
            for green in steps {
                for blue in steps {
                    let chosen = Colour([red, green, blue]);
                    let Palette { light, dark } = Palette::from_accent(chosen);
                    for (colours, ground) in [(light, LIGHT_GROUND), (dark, DARK_GROUND)] {
                        let pairs = [
                            (colours.accent, ground),
                            (colours.accent, colours.accent_bg),
                            (colours.on_fill, colours.fill),
                            (colours.on_fill, colours.fill_strong),
                        ];
                        for (one, two) in pairs {
                            assert!(one.reads_on(two), "{chosen}: {one} on {two}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_readable_accent_is_not_changed() {
        let blue = Colour::parse("#1A56B0").unwrap();
        assert_eq!(
            Palette::from_accent(blue).light.accent.to_string(),
            "#1a56b0"
        );
        assert_eq!(Palette::from_accent(blue).light.fill, blue);
        assert_eq!(Colour::parse("1a56b0"), None);
        assert_eq!(Colour::parse("#1a56b"), None);
        assert_eq!(Colour::parse("#1a56bg"), None);
    }
}
