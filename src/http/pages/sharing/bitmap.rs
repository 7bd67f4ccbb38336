//! Scaled drawing of the owner's logo, a PNG or JPEG file.

use std::io::Cursor;

use png::{ColorType, Decoder, Limits, Transformations};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Maximum width and height in pixels.
const MAX_SIDE: u32 = 2_048;
/// Maximum number of passes of a progressive JPEG file; cameras and programs make ten.
const MAX_SCANS: usize = 20;
/// Memory limit of the PNG decoder in bytes.
const DECODER_MEMORY: usize = 32 * 1_024 * 1_024;

/// RGBA pixels.
pub(super) struct Bitmap {
    pub(super) width: usize,
    pub(super) height: usize,
    pixels: Vec<u8>,
}

impl Bitmap {
    /// Decodes a file; `None` if it is invalid or too large.
    pub(super) fn read(file: &[u8]) -> Option<Self> {
        Self::read_png(file).or_else(|| Self::read_jpeg(file))
    }

    fn read_jpeg(file: &[u8]) -> Option<Self> {
        let options = DecoderOptions::default()
            .set_max_width(MAX_SIDE as usize)
            .set_max_height(MAX_SIDE as usize)
            .jpeg_set_max_scans(MAX_SCANS)
            .jpeg_set_out_colorspace(ColorSpace::RGB);
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), options);
        let pixels = decoder.decode().ok()?;
        let pixels = pixels.chunks_exact(3);
        let pixels = pixels.flat_map(|pixel| [pixel[0], pixel[1], pixel[2], u8::MAX]);
        let (width, height) = decoder.dimensions()?;
        Some(Self {
            width,
            height,
            pixels: pixels.collect(),
        })
    }

    fn read_png(file: &[u8]) -> Option<Self> {
        let limits = Limits {
            bytes: DECODER_MEMORY,
        };
        let mut decoder = Decoder::new_with_limits(Cursor::new(file), limits);
        decoder
            .set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
        let mut reader = decoder.read_info().ok()?;
        let info = reader.info();
        if info.width > MAX_SIDE || info.height > MAX_SIDE {
            return None;
        }
        let mut pixels = vec![0; reader.output_buffer_size()?];
        let frame = reader.next_frame(&mut pixels).ok()?;
        pixels.truncate(frame.buffer_size());
        if frame.color_type == ColorType::GrayscaleAlpha {
            pixels = pixels
                .chunks_exact(2)
                .flat_map(|pixel| [pixel[0], pixel[0], pixel[0], pixel[1]])
                .collect();
        }
        Some(Self {
            width: frame.width as usize,
            height: frame.height as usize,
            pixels,
        })
    }

    /// Returns the mean of an area, given as fractions of width and height.
    pub(super) fn average(&self, across: (f32, f32), down: (f32, f32)) -> [u8; 4] {
        let (mut sums, mut opacity, mut area) = ([0.0; 3], 0.0, 0.0);
        for (y, high) in covered(down, self.height) {
            for (x, wide) in covered(across, self.width) {
                let from = (y * self.width + x) * 4;
                let Some([red, green, blue, cover]) = self.pixels.get(from..from + 4) else {
                    continue;
                };
                // Transparent pixels have no colour.
                let seen = f32::from(*cover) * wide * high;
                for (sum, channel) in sums.iter_mut().zip([red, green, blue]) {
                    *sum += f32::from(*channel) * seen;
                }
                opacity += seen;
                area += wide * high;
            }
        }
        let [red, green, blue] = sums.map(|sum| (sum / opacity.max(f32::EPSILON)).round() as u8);
        [red, green, blue, (opacity / area).round() as u8]
    }
}

/// Returns the pixels between two fractions of a length, each with its coverage.
fn covered((from, to): (f32, f32), length: usize) -> impl Iterator<Item = (usize, f32)> {
    let (from, to) = (from * length as f32, to * length as f32);
    (from as usize..to.ceil() as usize)
        .map(move |pixel| (pixel, to.min(pixel as f32 + 1.0) - from.max(pixel as f32)))
}
