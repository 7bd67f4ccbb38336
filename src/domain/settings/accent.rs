//! Derives the accent colours of both themes, with readable contrast.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Minimum contrast of text (WCAG 2.2, 1.4.3, level AA).
const READABLE: f64 = 4.5;
/// Minimum contrast between a button and its surroundings.
const VISIBLE: f64 = 1.6;
/// Minimum contrast between the band and the page.
const BOUNDED: f64 = 1.06;
/// Minimum contrast of the accent's text in the dark theme, where a dim one is dull.
const LIT: f64 = 6.5;
/// Contrast between a selected item and its surroundings.
const TINTED: f64 = 1.15;
/// Contrast of quiet text on the band, as far as its colour can have it.
const QUIET: f64 = 6.0;
/// Minimum contrasts of the band in the dark theme: with white, and of its texts.
const DEEP: f64 = 15.5;
const ON_DEEP: f64 = 11.5;
const QUIET_ON_DEEP: f64 = 7.5;
/// Share of the accent in the darkest text, in percent.
const WARMTH: u8 = 14;
/// Largest difference between the channels of a grey.
const GREY: u8 = 24;
/// Steps between a colour and white or black.
const STEPS: u8 = 100;

/// Background colours of `frontend/src/styles/tokens.css`: the darkest of the light theme and the
/// lightest of the dark one.
const LIGHT_GROUND: Colour = Colour([0xf4, 0xf4, 0xf2]);
const LIGHT_SURFACE: Colour = Colour([0xff, 0xff, 0xff]);
const DARK_GROUND: Colour = Colour([0x26, 0x2a, 0x31]);
const DARK_SURFACE: Colour = Colour([0x19, 0x1c, 0x21]);
const WHITE: Colour = Colour([0xff; 3]);
const BLACK: Colour = Colour([0; 3]);

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
    /// Ground of the band at the top of every page.
    pub band: Colour,
    /// Text on the band.
    pub on_band: Colour,
    /// Quiet text on the band.
    pub on_band_2: Colour,
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
        Self {
            light: light(accent),
            dark: dark(accent),
        }
    }
}

fn light(accent: Colour) -> AccentColours {
    let lead = accent.or_opposite(LIGHT_SURFACE, BLACK);
    let near = lead.until(BLACK, |colour| colour.contrast(LIGHT_SURFACE) >= VISIBLE);
    let accent_bg = WHITE.until(near, |colour| colour.contrast(LIGHT_SURFACE) >= TINTED);
    let (fill, on_fill) = filled(near, lead);
    let bright = accent.until(BLACK, |colour| colour.contrast(LIGHT_SURFACE) >= BOUNDED);
    let (band, on_band) = filled(bright, accent);
    AccentColours {
        accent: lead.until(BLACK, |colour| {
            colour.reads_on(LIGHT_GROUND) && colour.reads_on(accent_bg)
        }),
        accent_bg,
        fill,
        fill_strong: hovered(fill, on_fill),
        on_fill,
        band,
        on_band,
        on_band_2: band.until(on_band, |colour| colour.contrast(band) >= QUIET),
    }
}

/// Returns the colours of the dark theme, whose band is deep, so that nothing glares.
fn dark(accent: Colour) -> AccentColours {
    let lead = accent.or_opposite(DARK_SURFACE, WHITE);
    let near = lead.until(WHITE, |colour| colour.contrast(DARK_SURFACE) >= VISIBLE);
    let accent_bg = near.until(BLACK, |colour| colour.contrast(DARK_SURFACE) <= TINTED);
    let (fill, on_fill) = filled(near, lead);
    let band = accent.until(BLACK, |colour| colour.contrast(WHITE) >= DEEP);
    let on_band = accent.until(WHITE, |colour| colour.contrast(band) >= ON_DEEP);
    AccentColours {
        accent: lead.until(WHITE, |colour| {
            colour.contrast(DARK_GROUND) >= LIT && colour.reads_on(accent_bg)
        }),
        accent_bg,
        fill,
        fill_strong: hovered(fill, on_fill),
        on_fill,
        band,
        on_band,
        on_band_2: band.until(on_band, |colour| colour.contrast(band) >= QUIET_ON_DEEP),
    }
}

/// Returns a ground near a colour, and its text: white, or the accent's darkest shade.
fn filled(near: Colour, accent: Colour) -> (Colour, Colour) {
    let ink = BLACK.towards(accent, WARMTH);
    if WHITE.reads_on(near) {
        (near, WHITE)
    } else if ink.reads_on(near) {
        (near, ink)
    } else {
        // Neither text colour has enough contrast.
        (near.until(BLACK, |colour| WHITE.reads_on(colour)), WHITE)
    }
}

/// Moves a ground away from its text, to keep the contrast.
fn hovered(fill: Colour, on_fill: Colour) -> Colour {
    let away = if on_fill == WHITE { BLACK } else { WHITE };
    fill.towards(away, 18)
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

    /// Returns the opposite if this is a grey near the ground: made just visible, it would look like
    /// a button that is disabled.
    fn or_opposite(self, ground: Self, opposite: Self) -> Self {
        let [red, green, blue] = self.0;
        let spread = red.max(green).max(blue) - red.min(green).min(blue);
        if spread <= GREY && self.contrast(ground) < VISIBLE {
            opposite
        } else {
            self
        }
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
                            (colours.on_band, colours.band),
                            (colours.on_band_2, colours.band),
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
    fn the_band_is_the_accent_by_day_and_deep_by_night() {
        for (accent, day, night) in [
            ("#f4b223", ("#f4b223", "#221905"), "#2e2207"),
            ("#2f3aa8", ("#2f3aa8", "#ffffff"), "#181d54"),
            ("#ffff00", ("#ffff00", "#242400"), "#242400"),
            ("#000000", ("#000000", "#ffffff"), "#000000"),
            ("#ffffff", ("#f7f7f7", "#242424"), "#242424"),
        ] {
            let Palette { light, dark } = Palette::from_accent(Colour::parse(accent).unwrap());
            let (band, on_band) = day;
            assert_eq!(
                [light.band, light.on_band, dark.band].map(|it| it.to_string()),
                [band, on_band, night],
                "{accent}"
            );
        }
    }

    #[test]
    fn a_grey_near_the_ground_has_buttons_of_the_opposite() {
        for (accent, day, night) in [
            ("#ffffff", "#000000", "#ffffff"),
            ("#000000", "#000000", "#ffffff"),
            ("#808080", "#808080", "#808080"),
        ] {
            let Palette { light, dark } = Palette::from_accent(Colour::parse(accent).unwrap());
            assert_eq!(
                [light.fill, dark.fill].map(|it| it.to_string()),
                [day, night],
                "{accent}"
            );
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
