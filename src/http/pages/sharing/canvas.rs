//! Canvas for rectangles, text and a bitmap, saved as PNG.

use png::{BitDepth, ColorType, Compression, Encoder};

use super::bitmap::Bitmap;
use super::letters::Line;
use crate::domain::Colour;
use crate::http::error::ApiError;

/// An RGB raster with the origin at the upper left.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    /// Red, green and blue of each pixel, row by row.
    pixels: Vec<u8>,
}

/// A rectangle in pixels.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) width: f32,
    pub(super) height: f32,
}

impl Canvas {
    pub(super) fn new(width: u16, height: u16, ground: Colour) -> Self {
        let (width, height) = (usize::from(width), usize::from(height));
        Self {
            width,
            height,
            pixels: ground.channels().repeat(width * height),
        }
    }

    /// Fills a rectangle with rounded corners.
    pub(super) fn fill(&mut self, area: Area, radius: f32, colour: Colour) {
        let (half_width, half_height) = (area.width / 2.0, area.height / 2.0);
        let (middle_x, middle_y) = (area.x + half_width, area.y + half_height);
        for y in area.y as usize..(area.y + area.height).ceil() as usize {
            for x in area.x as usize..(area.x + area.width).ceil() as usize {
                // Distance from the pixel's centre to the edges of the inner rectangle.
                let across = (x as f32 + 0.5 - middle_x).abs() - half_width + radius;
                let down = (y as f32 + 0.5 - middle_y).abs() - half_height + radius;
                let outside = across.max(0.0).hypot(down.max(0.0)) + across.max(down).min(0.0);
                self.blend(x, y, colour, radius - outside + 0.5);
            }
        }
    }

    /// Draws a line of text with an em of `size` pixels from a point on its baseline.
    pub(super) fn write(&mut self, text: &str, size: f32, from: (f32, f32), colour: Colour) {
        for drawn in Line::new(text, size).draw(from) {
            drawn.raster.for_each_pixel_2d(|across, down, cover| {
                let (x, y) = (drawn.left + f64::from(across), drawn.top + f64::from(down));
                if x >= 0.0 && y >= 0.0 {
                    self.blend(x as usize, y as usize, colour, cover);
                }
            });
        }
    }

    /// Draws a PNG or JPEG file into a square area; false if it cannot be decoded.
    pub(super) fn place(&mut self, file: &[u8], area: Area) -> bool {
        let Some(bitmap) = Bitmap::read(file) else {
            return false;
        };
        let longest = bitmap.width.max(bitmap.height) as f32;
        let (wide, high) = (
            area.width * bitmap.width as f32 / longest,
            area.height * bitmap.height as f32 / longest,
        );
        let left = area.x + (area.width - wide) / 2.0;
        let top = area.y + (area.height - high) / 2.0;
        for y in 0..high as usize {
            for x in 0..wide as usize {
                let [red, green, blue, cover] = bitmap.average(
                    (x as f32 / wide, (x as f32 + 1.0) / wide),
                    (y as f32 / high, (y as f32 + 1.0) / high),
                );
                let colour = Colour::of_channels([red, green, blue]);
                self.blend(
                    left as usize + x,
                    top as usize + y,
                    colour,
                    f32::from(cover) / 255.0,
                );
            }
        }
        true
    }

    /// Blends a colour into a pixel with a coverage from 0 to 1.
    fn blend(&mut self, x: usize, y: usize, colour: Colour, cover: f32) {
        if x >= self.width || y >= self.height {
            return;
        }
        let from = (y * self.width + x) * 3;
        let cover = cover.clamp(0.0, 1.0);
        for (pixel, new) in self.pixels[from..from + 3]
            .iter_mut()
            .zip(colour.channels())
        {
            let old = f32::from(*pixel);
            *pixel = (old + (f32::from(new) - old) * cover).round() as u8;
        }
    }

    pub(super) fn into_png(self) -> Result<Vec<u8>, ApiError> {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, self.width as u32, self.height as u32);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Fast);
        encoder
            .write_header()
            .and_then(|mut writer| {
                writer.write_image_data(&self.pixels)?;
                writer.finish()
            })
            .map_err(|error| ApiError::Internal(error.to_string()))?;
        Ok(file)
    }
}
