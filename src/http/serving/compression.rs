//! Which encoding a client takes, and how much work a response is worth.

use std::io::{self, Write as _};
use std::sync::OnceLock;

use actix_web::HttpRequest;
use brotli::CompressorWriter;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::caching::accepts;

/// Levels of gzip (of 9) and Brotli (of 11): for what may never be asked for again, where a page takes
/// longer to compress than to make, and for what is kept.
const QUICK: (u32, u32) = (1, 0);
const THOROUGH: (u32, u32) = (6, 4);
/// A window of 256 kB in place of 4 MB, which takes longer to set up than a page takes to compress.
const BROTLI_WINDOW: u32 = 18;
const BEST_BROTLI: u32 = 11;

/// What many bodies begin with: Brotli of it is made once and stands before that of the rest, which
/// spares a third of the time that Brotli takes for a page that nobody asked for before.
pub(crate) struct Beginning {
    plain: String,
    compressed: OnceLock<Vec<u8>>,
}

impl Beginning {
    pub(crate) fn new(plain: String) -> Self {
        Self {
            plain,
            compressed: OnceLock::new(),
        }
    }

    pub(crate) fn plain(&self) -> &str {
        &self.plain
    }

    /// The first part of a stream, which ends at a whole byte and where others can go on.
    fn compressed(&self) -> io::Result<&[u8]> {
        if let Some(compressed) = self.compressed.get() {
            return Ok(compressed);
        }
        let mut encoder = brotli(self.plain.len(), BEST_BROTLI);
        encoder.write_all(self.plain.as_bytes())?;
        encoder.flush()?;
        Ok(self.compressed.get_or_init(|| encoder.get_ref().clone()))
    }
}

/// How the body of a response is sent.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Encoding {
    Identity,
    Gzip,
    Brotli,
}

/// How much work is put into compressing a response.
#[derive(Clone, Copy)]
pub(crate) enum Effort {
    /// It may never be asked for again.
    Once,
    Kept,
}

impl Encoding {
    pub(crate) fn of(request: &HttpRequest) -> Self {
        if accepts(request, "br") {
            Self::Brotli
        } else if accepts(request, "gzip") {
            Self::Gzip
        } else {
            Self::Identity
        }
    }

    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
        }
    }

    /// The body in this encoding; `beginning` is used where the body begins with it.
    pub(super) fn encode(
        self,
        bytes: Vec<u8>,
        effort: Effort,
        beginning: Option<&Beginning>,
    ) -> io::Result<Vec<u8>> {
        let (gzip, level) = match effort {
            Effort::Once => QUICK,
            Effort::Kept => THOROUGH,
        };
        match self {
            Self::Identity => Ok(bytes),
            Self::Gzip => {
                let body = Vec::with_capacity(bytes.len() / 2);
                let mut encoder = GzEncoder::new(body, Compression::new(gzip));
                encoder.write_all(&bytes)?;
                encoder.finish()
            }
            Self::Brotli => {
                let mut encoder = brotli(bytes.len(), level);
                let rest = match (effort, beginning) {
                    (Effort::Once, Some(beginning)) => begin(&mut encoder, beginning, &bytes)?,
                    _ => &bytes,
                };
                encoder.write_all(rest)?;
                Ok(encoder.into_inner())
            }
        }
    }
}

fn brotli(bytes: usize, level: u32) -> CompressorWriter<Vec<u8>> {
    let body = Vec::with_capacity(bytes / 2);
    CompressorWriter::new(body, bytes.max(1), level, BROTLI_WINDOW)
}

/// Writes the beginning as it was compressed before, and gives what comes after it. At the quick
/// level a stream refers to nothing before its own first byte, so it can follow any other.
fn begin<'a>(
    encoder: &mut CompressorWriter<Vec<u8>>,
    beginning: &Beginning,
    bytes: &'a [u8],
) -> io::Result<&'a [u8]> {
    let Some(rest) = bytes.strip_prefix(beginning.plain.as_bytes()) else {
        return Ok(bytes);
    };
    // The size of the window, which the beginning has said already (RFC 7932, section 9.1), up to a
    // whole byte.
    encoder.flush()?;
    encoder.get_mut().clear();
    encoder.get_mut().extend_from_slice(beginning.compressed()?);
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(brotli: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        let mut decoder = brotli::Decompressor::new(brotli, 4_096);
        io::Read::read_to_end(&mut decoder, &mut plain).unwrap();
        plain
    }

    #[test]
    fn a_body_with_a_known_beginning_unpacks_to_itself_and_is_smaller() {
        let plain: String = (0..1_000)
            .map(|index| format!(".card-{index}{{gap:{index}px}}"))
            .collect();
        let beginning = Beginning::new(plain.clone());
        let page = "<p>Braided USB-C cable</p>".repeat(1_000);
        for rest in ["", "x", &page, &plain] {
            let body = format!("{plain}{rest}").into_bytes();
            let known = Encoding::Brotli.encode(body.clone(), Effort::Once, Some(&beginning));
            assert_eq!(unpacked(&known.unwrap()), body);
        }
        let body = format!("{plain}{page}").into_bytes();
        let [known, whole] = [Some(&beginning), None]
            .map(|known| Encoding::Brotli.encode(body.clone(), Effort::Once, known))
            .map(|packed| packed.unwrap().len());
        assert!(known < whole, "{known} of {whole}");
    }

    #[test]
    fn a_body_with_another_beginning_is_compressed_whole() {
        let beginning = Beginning::new("<style>".repeat(100));
        let body = b"<style><p>no more styles</p>".to_vec();
        let packed = Encoding::Brotli.encode(body.clone(), Effort::Once, Some(&beginning));
        assert_eq!(unpacked(&packed.unwrap()), body);
    }
}
