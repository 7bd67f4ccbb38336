//! Preview picture for pages without a suitable one: logo and name above a product's title and
//! price, or above the shop's tagline.

use sha2::{Digest as _, Sha256};

use super::canvas::{Area, Canvas};
use super::icon::draw_logo;
use super::letters::{lines, width, writable};
use super::sky::{SkyColours, draw_sky};
use crate::domain::{Colour, Product, hex, short_rupees, time_in_india};
use crate::http::error::ApiError;
use crate::http::pages::format::price_text;
use crate::storefront::{Storefront, accent_colours};

/// Width and height in pixels, the ratio of Open Graph's large cards (1.91:1).
pub(super) const WIDTH: u16 = 1_200;
pub(super) const HEIGHT: u16 = 630;

const LEFT: f32 = 72.0;
const TEXT_WIDTH: f32 = WIDTH as f32 - 2.0 * LEFT;
/// Height of the strip at the lower edge in pixels.
const STRIP: f32 = 16.0;

/// Colours of `tokens.css`, light theme.
const SURFACE: Colour = Colour::of_channels([0xff, 0xff, 0xff]);
const INK: Colour = Colour::of_channels([0x15, 0x17, 0x1c]);
const INK_2: Colour = Colour::of_channels([0x47, 0x4c, 0x54]);
const INK_3: Colour = Colour::of_channels([0x62, 0x67, 0x6f]);
const LINE: Colour = Colour::of_channels([0xe3, 0xe3, 0xdf]);
const RAISED: Colour = Colour::of_channels([0xf4, 0xf4, 0xf2]);
const SAVING: Colour = Colour::of_channels([0x0b, 0x6b, 0x3a]);
const SAVING_BG: Colour = Colour::of_channels([0xdf, 0xf2, 0xe6]);
/// Left edge of the plot in pixels, and the distance of text from it.
const SKY_LEFT: f32 = 780.0;
const GAP: f32 = 40.0;

pub(super) struct Card<'a> {
    front: &'a Storefront,
    heading: String,
    offer: Option<PriceLines>,
}

/// Price texts; empty if the price is hidden.
#[derive(Default)]
struct PriceLines {
    price: String,
    /// Original price.
    was: String,
    /// Statement of the price history that the price is lower than before.
    verdict: String,
    /// Where and when the price was seen, or why the product is in no list.
    note: String,
    /// Small plot of the price as SVG path data; empty without one.
    path: String,
}

impl<'a> Card<'a> {
    /// Card of a product, as visitors see it.
    pub(super) fn of_product(front: &'a Storefront, product: &Product) -> Self {
        let title = writable(&product.details.title);
        Self {
            front,
            heading: title.unwrap_or_else(|| format!("A deal in {}", product.details.category)),
            offer: Some(PriceLines::new(product)),
        }
    }

    pub(super) fn of_shop(front: &'a Storefront) -> Self {
        let tagline = writable(&front.settings.shop.tagline);
        Self {
            front,
            heading: tagline.unwrap_or_else(|| "Product deals with prices in rupees.".to_owned()),
            offer: None,
        }
    }

    /// Eight hex digits that change with the picture.
    pub(super) fn version(&self) -> String {
        let mut hash = Sha256::new();
        let mut add = |words: &str| {
            hash.update(words);
            hash.update([0]);
        };
        add(self.front.name());
        add(&self.front.logo.path);
        add(&accent_colours(&self.front.settings).fill.to_string());
        add(&self.heading);
        if let Some(offer) = &self.offer {
            let PriceLines {
                price,
                was,
                verdict,
                note,
                path,
            } = offer;
            for words in [price, was, verdict, note, path] {
                add(words);
            }
        }
        hex(&hash.finalize()[..4])
    }

    /// Draws the picture as a PNG file.
    pub(super) fn draw(&self) -> Result<Vec<u8>, ApiError> {
        let mut canvas = Canvas::new(WIDTH, HEIGHT, SURFACE);
        let strip = Area {
            x: 0.0,
            y: f32::from(HEIGHT) - STRIP,
            width: f32::from(WIDTH),
            height: STRIP,
        };
        canvas.fill(strip, 0.0, accent_colours(&self.front.settings).fill);
        if let Some(offer) = &self.offer {
            if !offer.path.is_empty() {
                offer.draw_plot(&mut canvas, strip.y);
            }
            self.draw_name(&mut canvas, 60.0, 88.0);
            write_lines(
                &mut canvas,
                &self.heading,
                236.0,
                (3, offer.text_width()),
                INK,
            );
            offer.draw_price(&mut canvas);
            offer.draw_note(&mut canvas);
        } else {
            self.draw_name(&mut canvas, 150.0, 160.0);
            write_lines(&mut canvas, &self.heading, 420.0, (2, TEXT_WIDTH), INK_2);
        }
        canvas.into_png()
    }

    /// Draws the logo, `size` pixels high, and the name.
    fn draw_name(&self, canvas: &mut Canvas, top: f32, size: f32) {
        let tile = Area {
            x: LEFT,
            y: top,
            width: size,
            height: size,
        };
        draw_logo(canvas, self.front, tile);
        let name = writable(self.front.name()).unwrap_or_default();
        let left = LEFT + size * 1.25;
        for line in lines(&name, size / 2.0, LEFT + TEXT_WIDTH - left, 1) {
            canvas.write(&line, size / 2.0, (left, top + size * 0.68), INK);
        }
    }
}

impl PriceLines {
    fn new(product: &Product) -> Self {
        let details = &product.details;
        if let Some(notice) = product
            .shown
            .as_ref()
            .and_then(|shown| shown.notice.clone())
        {
            return Self {
                note: notice,
                ..Self::default()
            };
        }
        let price = price_text(product);
        let price = writable(price.trim_end_matches(".00")).unwrap_or_default();
        if product.hides_price() {
            return Self {
                price,
                ..Self::default()
            };
        }
        let seller = writable(&details.source);
        let at = seller.map_or_else(String::new, |seller| format!("at {seller} "));
        let seen = product.price_as_of();
        let seen = seen.map_or_else(String::new, |seen| format!("as of {}", time_in_india(seen)));
        let has_discount = details.discount.get() > 0;
        let verdict = product.verdict.as_ref();
        let cheaper = verdict.filter(|verdict| verdict.kind.is_cheaper());
        Self {
            price,
            was: if has_discount {
                short_rupees(details.price)
            } else {
                String::new()
            },
            verdict: cheaper.map_or_else(String::new, |verdict| match verdict.less() {
                Some(less) => format!("{less} than usual"),
                None => verdict.words.clone(),
            }),
            note: format!("{at}{seen}"),
            path: verdict.and_then(|it| it.path.clone()).unwrap_or_default(),
        }
    }

    /// Width of the lines of text, beside the plot if there is one.
    fn text_width(&self) -> f32 {
        match self.path.is_empty() {
            true => TEXT_WIDTH,
            false => SKY_LEFT - GAP - LEFT,
        }
    }

    /// Draws the price over 90 days above `foot`, green if it is proven to be lower.
    fn draw_plot(&self, canvas: &mut Canvas, foot: f32) {
        let (line, below) = match self.verdict.is_empty() {
            true => (INK_3, LINE),
            false => (SAVING, SAVING_BG),
        };
        let area = Area {
            x: SKY_LEFT,
            y: 0.0,
            width: f32::from(WIDTH) - SKY_LEFT,
            height: foot,
        };
        let ground = RAISED;
        let colours = SkyColours {
            ground,
            line,
            below,
        };
        draw_sky(canvas, &self.path, area, &colours);
    }

    /// Draws the price, and the original one if it fits.
    fn draw_price(&self, canvas: &mut Canvas) {
        const BASELINE: f32 = 500.0;
        let text_width = self.text_width();
        let fits = width(&self.price, 96.0) <= text_width;
        let size = if fits { 96.0 } else { 56.0 };
        for line in lines(&self.price, size, text_width, 1) {
            canvas.write(&line, size, (LEFT, BASELINE), INK);
        }
        let strike = Area {
            x: LEFT + width(&self.price, size) + 28.0,
            y: BASELINE - 18.0,
            width: width(&self.was, 44.0),
            height: 4.0,
        };
        if !self.was.is_empty() && strike.x + strike.width <= LEFT + text_width {
            canvas.write(&self.was, 44.0, (strike.x, BASELINE), INK_2);
            canvas.fill(strike, 0.0, INK_2);
        }
    }

    fn draw_note(&self, canvas: &mut Canvas) {
        const BASELINE: f32 = 570.0;
        let mut left = LEFT;
        if !self.verdict.is_empty() {
            let pill = Area {
                x: left,
                y: BASELINE - 39.0,
                width: width(&self.verdict, 32.0) + 40.0,
                height: 56.0,
            };
            canvas.fill(pill, 12.0, SAVING_BG);
            canvas.write(&self.verdict, 32.0, (left + 20.0, BASELINE), SAVING);
            left += pill.width + 24.0;
        }
        for line in lines(&self.note, 32.0, LEFT + self.text_width() - left, 1) {
            canvas.write(&line, 32.0, (left, BASELINE), INK_2);
        }
    }
}

/// Draws at most `most` lines of text of a width from a baseline on.
fn write_lines(
    canvas: &mut Canvas,
    text: &str,
    mut baseline: f32,
    (most, width): (usize, f32),
    ink: Colour,
) {
    const SIZE: f32 = 52.0;
    for line in lines(text, SIZE, width, most) {
        canvas.write(&line, SIZE, (LEFT, baseline), ink);
        baseline += SIZE * 1.25;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_picture_colours_match_the_style_sheet() {
        let tokens = include_str!("../../../../frontend/src/styles/tokens.css");
        let (light, _) = tokens.split_once("@utility dark-tokens").unwrap();
        for (name, colour) in [
            ("surface", SURFACE),
            ("ink", INK),
            ("ink-2", INK_2),
            ("ink-3", INK_3),
            ("line", LINE),
            ("raised", RAISED),
            ("saving", SAVING),
            ("saving-bg", SAVING_BG),
        ] {
            let line = format!("  --{name}: {colour};");
            assert!(light.contains(&line), "{line}");
        }
    }
}
