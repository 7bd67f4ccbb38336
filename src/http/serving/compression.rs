//! Which encoding a client takes, and how much work a response is worth.

use std::io::{self, Write as _};

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

    /// The body in this encoding.
    pub(super) fn encode(self, bytes: Vec<u8>, effort: Effort) -> io::Result<Vec<u8>> {
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
                let body = Vec::with_capacity(bytes.len() / 2);
                let size = bytes.len().max(1);
                let mut encoder = CompressorWriter::new(body, size, level, BROTLI_WINDOW);
                encoder.write_all(&bytes)?;
                Ok(encoder.into_inner())
            }
        }
    }
}
