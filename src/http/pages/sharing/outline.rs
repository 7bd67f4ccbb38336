//! Outlines of glyphs, drawn on rasters.

use ab_glyph_rasterizer::{Point, Rasterizer, point};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// A glyph on a raster aligned to the canvas's pixels.
pub(super) struct Outline {
    pub(super) raster: Rasterizer,
    pub(super) left: f64,
    pub(super) top: f64,
}

impl Outline {
    /// Draws a glyph from a point on its baseline; `None` if it has no outline, like a space.
    pub(super) fn draw(
        font: &Face<'_>,
        id: GlyphId,
        size: f32,
        (x, y): (f32, f32),
    ) -> Option<Self> {
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
