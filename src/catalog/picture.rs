//! Uploaded pictures: read within limits, turned as their EXIF says, and written anew in three sizes without
//! anything else, so that no place, comment or script of the file is kept.

use std::io::Cursor;

use fast_image_resize::{ResizeOptions, Resizer};
use image::codecs::jpeg::JpegDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, Limits};
use memchr::memmem;
use sha2::{Digest, Sha256};
use webp_rust::{ImageBuffer, LossyEncodingConfig, encode_lossy_with_config};

use crate::domain::{NewPicture, PICTURE_SIDES, PictureName, hex};

/// Maximum size of a file in bytes.
pub const MAX_PICTURE_BYTES: u64 = 8 * 1_024 * 1_024;
/// Maximum number of pixels: cameras of 24 megapixels have some more.
const MAX_PIXELS: u64 = 25_000_000;
/// Maximum width and height in pixels.
const MAX_SIDE: u32 = 20_000;
/// Memory in bytes that decoding may take.
const MAX_MEMORY: u64 = 100_000_000;
/// Quality of the files, 0 to 100.
const QUALITY: f32 = 78.0;

/// Reason why a picture is not taken, as a sentence that says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// Not of a known format.
    #[error(
        "This is not a JPEG, PNG or WebP picture. Save it as one of these, then choose it again."
    )]
    Format,
    /// The format of iPhones.
    #[error(
        "This is a HEIC or AVIF picture, which not every browser shows. Save it as JPEG, then choose it again."
    )]
    Heic,
    /// Larger than [`MAX_PICTURE_BYTES`].
    #[error("This picture has more than 8 MB. Save it smaller, then choose it again.")]
    Bytes,
    /// Too many pixels for the memory of a small server.
    #[error(
        "This picture has {0} × {1} pixels, which is too large. Save it smaller, then choose it again."
    )]
    Pixels(u32, u32),
    /// More than one frame.
    #[error("This picture is animated. Save one frame of it, then choose it again.")]
    Animated,
    /// Cut off, or not what it says.
    #[error("This picture is damaged or cut off. Copy or save it once more, then choose it again.")]
    Damaged,
}

/// Reads a picture and writes its files.
///
/// # Errors
///
/// [`PictureError`] if it is not taken.
pub fn read_picture(bytes: &[u8]) -> Result<NewPicture, PictureError> {
    if bytes.len() as u64 > MAX_PICTURE_BYTES {
        return Err(PictureError::Bytes);
    }
    let largest = decode(bytes)?;
    write_files(&largest)
}

/// Checks files of a picture that were stored before: whether they are those that [`read_picture`] writes, and
/// contain nothing else.
pub(super) fn stored_picture(picture: NewPicture) -> Option<NewPicture> {
    let NewPicture { name, files } = &picture;
    let (width, height) = (name.width, name.height);
    let longer = width.max(height);
    let has_file = |side: &&u32| **side == PICTURE_SIDES[0] || longer > **side;
    let sides = PICTURE_SIDES.iter().filter(has_file);
    let (_, largest) = files.first()?;
    let hash = hex(&Sha256::digest(largest));
    if PictureName::new(&hash, width, height) != *name || !sides.eq(files.iter().map(|it| &it.0)) {
        return None;
    }
    let are_right = files.iter().all(|(side, webp)| {
        let size = own_size(webp);
        match *side == PICTURE_SIDES[0] {
            true => size == Some((width, height)) && longer <= *side,
            false => size.is_some_and(|(width, height)| width.max(height) == *side),
        }
    });
    are_right.then_some(picture)
}

/// Returns the size of a file that [`webp`] wrote: one lossy picture that can be decoded, without data about it.
fn own_size(webp: &[u8]) -> Option<(u32, u32)> {
    let [b'R', b'I', b'F', b'F', a, b, c, d, rest @ ..] = webp else {
        return None;
    };
    let [
        b'W',
        b'E',
        b'B',
        b'P',
        b'V',
        b'P',
        b'8',
        b' ',
        e,
        f,
        g,
        h,
        data @ ..,
    ] = rest
    else {
        return None;
    };
    let is_all = |length: [u8; 4], part: &[u8]| {
        let length = u32::from_le_bytes(length) as usize;
        // A chunk of odd length is padded.
        length == part.len() || length + 1 == part.len() && length % 2 == 1
    };
    if !is_all([*a, *b, *c, *d], rest) || !is_all([*e, *f, *g, *h], data) {
        return None;
    }
    let decoder = WebPDecoder::new(Cursor::new(webp)).ok()?;
    let size = decoder.dimensions();
    if size.0.max(size.1) > PICTURE_SIDES[0] {
        return None;
    }
    DynamicImage::from_decoder(decoder).ok().map(|_| size)
}

/// Decodes a picture and scales it down to the largest side.
fn decode(bytes: &[u8]) -> Result<DynamicImage, PictureError> {
    let file = Cursor::new(bytes);
    match image::guess_format(bytes) {
        Ok(ImageFormat::Jpeg) => {
            let scan = first_scan(bytes).ok_or(PictureError::Damaged)?;
            let decoder = JpegDecoder::new(file).map_err(damaged)?;
            // Coefficients of three channels, in two bytes each.
            let more = if scan.is_progressive { 6 } else { 0 };
            check_size(&decoder, more)?;
            turned_and_scaled(decoder)
        }
        Ok(ImageFormat::Png) => {
            let decoder = PngDecoder::with_limits(file, limits()).map_err(damaged)?;
            check_size(&decoder, 0)?;
            if decoder.is_apng().map_err(damaged)? {
                return Err(PictureError::Animated);
            }
            turned_and_scaled(decoder)
        }
        Ok(ImageFormat::WebP) => {
            let decoder = WebPDecoder::new(file).map_err(damaged)?;
            // A lossless file is unpacked with four bytes a pixel, a lossy one with half as many.
            let is_lossless = memmem::find(&bytes[..bytes.len().min(64)], b"VP8L").is_some();
            check_size(&decoder, if is_lossless { 4 } else { 2 })?;
            if decoder.has_animation() {
                return Err(PictureError::Animated);
            }
            turned_and_scaled(decoder)
        }
        Ok(ImageFormat::Avif) => Err(PictureError::Heic),
        _ if bytes.get(4..8) == Some(b"ftyp") => Err(PictureError::Heic),
        _ => Err(PictureError::Format),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
fn damaged(error: image::ImageError) -> PictureError {
    tracing::debug!(%error, "a picture can't be read");
    PictureError::Damaged
}

fn limits() -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_MEMORY);
    limits
}

/// Checks the size that the head states, before memory is taken for it. `more` is the number of bytes a
/// pixel that the decoder takes besides the pixels.
fn check_size(decoder: &impl ImageDecoder, more: u64) -> Result<(), PictureError> {
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    let memory = decoder.total_bytes().saturating_add(pixels * more);
    let is_too_large = pixels > MAX_PIXELS || width.max(height) > MAX_SIDE || memory > MAX_MEMORY;
    if is_too_large || pixels == 0 {
        return Err(PictureError::Pixels(width, height));
    }
    Ok(())
}

/// Scaled before it is turned, because that takes another copy.
fn turned_and_scaled(mut decoder: impl ImageDecoder) -> Result<DynamicImage, PictureError> {
    let orientation = decoder.orientation().map_err(damaged)?;
    let whole = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    let mut scaled = scale(whole, PICTURE_SIDES[0])?;
    scaled.apply_orientation(orientation);
    Ok(on_white(&scaled))
}

/// Scales a picture down, so that it fits within a square.
fn scale(picture: DynamicImage, side: u32) -> Result<DynamicImage, PictureError> {
    let (width, height) = (picture.width(), picture.height());
    let longer = width.max(height);
    if longer <= side {
        return Ok(picture);
    }
    let scaled = |length: u32| (length * side).div_ceil(longer).max(1);
    let mut smaller = DynamicImage::new(scaled(width), scaled(height), picture.color());
    Resizer::new()
        .resize(&picture, &mut smaller, &ResizeOptions::default())
        .map_err(|_| PictureError::Damaged)?;
    Ok(smaller)
}

/// Lays a transparent picture on white, the ground of sellers' pictures.
fn on_white(picture: &DynamicImage) -> DynamicImage {
    let mut pixels = picture.to_rgba8();
    for pixel in pixels.pixels_mut() {
        let [channels @ .., cover] = &mut pixel.0;
        for channel in channels {
            let mixed = u32::from(*channel) * u32::from(*cover) + 255 * (255 - u32::from(*cover));
            *channel = (mixed / 255) as u8;
        }
        *cover = u8::MAX;
    }
    pixels.into()
}

fn write_files(largest: &DynamicImage) -> Result<NewPicture, PictureError> {
    let (width, height) = (largest.width(), largest.height());
    let mut files = vec![(PICTURE_SIDES[0], webp(largest)?)];
    let mut picture = largest.clone();
    for side in &PICTURE_SIDES[1..] {
        if width.max(height) > *side {
            picture = scale(picture, *side)?;
            files.push((*side, webp(&picture)?));
        }
    }
    let hash = hex(&Sha256::digest(&files[0].1));
    Ok(NewPicture {
        name: PictureName::new(&hash, width, height),
        files,
    })
}

/// Writes an opaque WebP file. Of the encoder's methods only the fastest is used: on photos, version 0.3.2
/// fails with others.
fn webp(picture: &DynamicImage) -> Result<Vec<u8>, PictureError> {
    let pixels = ImageBuffer {
        width: picture.width() as usize,
        height: picture.height() as usize,
        rgba: picture.to_rgba8().into_raw(),
    };
    let config = LossyEncodingConfig {
        quality: QUALITY,
        method: 0,
        no_alpha: true,
        ..LossyEncodingConfig::default()
    };
    encode_lossy_with_config(&pixels, &config, None).map_err(|error| {
        tracing::warn!(?error, "a picture can't be written");
        PictureError::Damaged
    })
}

/// The first scan of a JPEG file.
struct Scan {
    is_progressive: bool,
}

/// Finds the first scan of a JPEG file that has its end; the decoder would fill in what was cut off. No
/// marker stands within a scan's data but those of restarts.
fn first_scan(bytes: &[u8]) -> Option<Scan> {
    let mut rest = bytes.get(2..)?;
    let mut is_progressive = false;
    loop {
        let [0xff, marker, segment @ ..] = rest else {
            return None;
        };
        match marker {
            // Fill bytes.
            0xff => {
                rest = &rest[1..];
                continue;
            }
            0xc2 => is_progressive = true,
            0xda => {
                return memmem::find(segment, &[0xff, 0xd9]).map(|_| Scan { is_progressive });
            }
            _ => {}
        }
        let length = u16::from_be_bytes([*segment.first()?, *segment.get(1)?]);
        rest = segment.get(usize::from(length).max(2)..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A photo of which every part differs.
    fn photo(width: u32, height: u32) -> DynamicImage {
        let mut seed = 1_u32;
        image::RgbImage::from_fn(width, height, |x, y| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let noise = (seed >> 28) as u8;
            image::Rgb([(x / 3) as u8 ^ noise, (y / 2) as u8, ((x * y) / 99) as u8])
        })
        .into()
    }

    fn file(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn a_picture_is_written_in_three_sizes() {
        let picture = read_picture(&file(&photo(1_000, 500), ImageFormat::Jpeg)).unwrap();
        assert_eq!((picture.name.width, picture.name.height), (720, 360));
        let sizes = picture.files.iter().map(|(side, webp)| {
            let read = image::load_from_memory_with_format(webp, ImageFormat::WebP).unwrap();
            (*side, read.width(), read.height())
        });
        let sizes: Vec<_> = sizes.collect();
        assert_eq!(sizes, [(720, 720, 360), (360, 360, 180), (96, 96, 48)]);
    }

    #[test]
    fn pictures_of_every_size_and_kind_are_written() {
        for (width, height) in [(1, 1), (1, 900), (900, 1), (15, 17), (97, 96), (721, 719)] {
            for noise in [false, true] {
                let plain = DynamicImage::new_luma_a8(width, height);
                let picture = if noise { photo(width, height) } else { plain };
                let read = read_picture(&file(&picture, ImageFormat::Png)).unwrap();
                assert!(read.name.width.max(read.name.height) <= 720);
            }
        }
    }

    #[test]
    fn a_transparent_picture_is_laid_on_white() {
        let clear = DynamicImage::new_rgba8(32, 32);
        let picture = read_picture(&file(&clear, ImageFormat::Png)).unwrap();
        let read = image::load_from_memory(&picture.files[0].1).unwrap();
        assert!(
            read.to_rgb8()
                .pixels()
                .all(|it| it.0.iter().all(|c| *c > 250))
        );
    }

    #[test]
    fn a_file_that_was_cut_off_is_refused() {
        for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
            let whole = file(&photo(300, 300), format);
            for length in [whole.len() / 2, whole.len() * 9 / 10, 40] {
                let refused = read_picture(&whole[..length]).unwrap_err();
                assert_eq!(refused, PictureError::Damaged, "{format:?} {length}");
            }
        }
    }

    #[test]
    fn files_that_are_no_pictures_are_refused() {
        for other in [&b"GIF89a"[..], b"<svg/>", b"%PDF-1.7", b"", b"MZ"] {
            assert_eq!(read_picture(other).unwrap_err(), PictureError::Format);
        }
        let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1";
        assert_eq!(read_picture(heic).unwrap_err(), PictureError::Heic);
        let large = vec![0xff; MAX_PICTURE_BYTES as usize + 1];
        assert_eq!(read_picture(&large).unwrap_err(), PictureError::Bytes);
    }

    /// A PNG file whose head states a size.
    fn png_of(width: u32, height: u32) -> Vec<u8> {
        let mut png = file(&DynamicImage::new_rgb8(1, 1), ImageFormat::Png);
        png[16..20].copy_from_slice(&width.to_be_bytes());
        png[20..24].copy_from_slice(&height.to_be_bytes());
        let checksum = crc32fast::hash(&png[12..29]).to_be_bytes();
        png[29..33].copy_from_slice(&checksum);
        png
    }

    #[test]
    fn a_head_that_states_too_many_pixels_is_refused_before_memory_is_taken() {
        for (width, height) in [(50_000, 50_000), (100_000, 1), (1, 100_000), (6_000, 5_000)] {
            let refused = read_picture(&png_of(width, height)).unwrap_err();
            assert_eq!(refused, PictureError::Pixels(width, height));
        }
    }
}
