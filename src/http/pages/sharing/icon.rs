//! Icons of the shop for home screens, tabs and programs: its logo, or the letter of its name.

use std::borrow::Cow;

use sha2::{Digest as _, Sha256};

use super::canvas::{Area, Canvas};
use super::letters::{width, writable};
use crate::domain::{AccentColours, Colour, hex};
use crate::http::error::ApiError;
use crate::http::pages::assets;
use crate::storefront::{Storefront, accent_colours, letter_of};

/// Ground of an icon with a logo that is transparent.
const GROUND: Colour = Colour::of_channels([0xff, 0xff, 0xff]);
/// Share of a maskable icon's side that a logo takes: a square in the circle that no mask cuts (Web App
/// Manifest, "icon masks": a radius of 40 %).
const SAFE: f32 = 0.56;
/// Em of the letter, as a share of the side, and the same of a maskable icon.
const LETTER: f32 = 0.64;
const SAFE_LETTER: f32 = 0.48;

/// An icon of a size that a vendor asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::http::pages) enum Icon {
    /// 48 pixels, for tabs.
    Favicon,
    /// 180 pixels, for iPhones.
    Touch,
    /// 192 pixels.
    Small,
    /// 512 pixels.
    Large,
    /// 512 pixels, of which a launcher may cut the edges.
    Maskable,
}

impl Icon {
    /// The icons of the manifest.
    pub(in crate::http::pages) const OF_MANIFEST: [Self; 3] =
        [Self::Small, Self::Large, Self::Maskable];

    /// Width and height in pixels.
    pub(in crate::http::pages) fn side(self) -> u16 {
        match self {
            Self::Favicon => 48,
            Self::Touch => 180,
            Self::Small => 192,
            Self::Large | Self::Maskable => 512,
        }
    }

    pub(in crate::http::pages) fn is_maskable(self) -> bool {
        self == Self::Maskable
    }

    fn name(self) -> &'static str {
        match self {
            Self::Favicon => "48",
            Self::Touch => "180",
            Self::Small => "192",
            Self::Large => "512",
            Self::Maskable => "maskable-512",
        }
    }

    /// Finds an icon by its file's name.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let all = [Self::Favicon, Self::Touch]
            .into_iter()
            .chain(Self::OF_MANIFEST);
        all.into_iter().find(|icon| icon.name() == name)
    }

    /// Path of the icon, which changes with the logo, because phones cache icons by their address.
    pub(in crate::http::pages) fn path(self, front: &Storefront) -> String {
        let mut hash = Sha256::new();
        hash.update(&front.logo.path);
        hash.update(accent_colours(&front.settings).fill.to_string());
        let version = hex(&hash.finalize()[..4]);
        format!("/icon/{}.png?v={version}", self.name())
    }

    /// Draws the icon as a PNG file.
    pub(super) fn draw(self, front: &Storefront) -> Result<Vec<u8>, ApiError> {
        if front.has_default_logo()
            && let Some(file) = assets::default_icon(self.name())
        {
            return Ok(file.into_owned());
        }
        let side = f32::from(self.side());
        let share = if self.is_maskable() { SAFE } else { 1.0 };
        let edge = side * (1.0 - share) / 2.0;
        let area = Area {
            x: edge,
            y: edge,
            width: side * share,
            height: side * share,
        };
        let mut canvas = Canvas::new(self.side(), self.side(), GROUND);
        if !logo_of(front).is_some_and(|file| canvas.place(&file, area)) {
            let whole = Area {
                x: 0.0,
                y: 0.0,
                width: side,
                height: side,
            };
            let share = if self.is_maskable() {
                SAFE_LETTER
            } else {
                LETTER
            };
            draw_letter(&mut canvas, front, whole, 0.0, share);
        }
        canvas.into_png()
    }
}

/// Draws the logo into a square, or the letter with rounded corners.
pub(super) fn draw_logo(canvas: &mut Canvas, front: &Storefront, tile: Area) {
    if !logo_of(front).is_some_and(|file| canvas.place(&file, tile)) {
        draw_letter(canvas, front, tile, tile.width * 0.22, LETTER);
    }
}

/// Draws the first letter of the name as in the letter logo.
fn draw_letter(canvas: &mut Canvas, front: &Storefront, tile: Area, radius: f32, share: f32) {
    let name = writable(front.name()).unwrap_or_default();
    let letter = letter_of(&name).unwrap_or_default();
    let size = tile.width * share;
    let left = tile.x + (tile.width - width(&letter, size)) / 2.0;
    // Capitals of the face are 0.72 em high.
    let baseline = tile.y + tile.height / 2.0 + size * 0.36;
    let AccentColours { fill, on_fill, .. } = accent_colours(&front.settings);
    canvas.fill(tile, radius, fill);
    canvas.write(&letter, size, (left, baseline), on_fill);
}

/// Returns the logo's file, unless it is a drawing.
fn logo_of(front: &Storefront) -> Option<Cow<'_, [u8]>> {
    match &front.settings.logo {
        Some(logo) => (logo.kind != "image/svg+xml").then_some(Cow::Borrowed(&logo.bytes)),
        None if front.has_default_logo() => assets::default_icon("192"),
        None => None,
    }
}
