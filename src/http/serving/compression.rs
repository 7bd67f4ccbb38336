//! Encodings, and the effort spent on compressing a response.

use std::io::{self, Write as _};

use actix_web::HttpRequest;
use brotli::CompressorWriter;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::caching::accepts;

/// Levels of gzip (of 9) and Brotli (of 11), for responses that may be used once and for cached
/// ones.
const QUICK: (u32, u32) = (1, 0);
const THOROUGH: (u32, u32) = (6, 5);
/// Window of 256 kB: the default of 4 MB takes longer to allocate than a page to compress.
const BROTLI_WINDOW: u32 = 18;

/// Content encoding of a response.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Encoding {
    Identity,
    Gzip,
    Brotli,
}

/// Effort spent on compressing a response.
#[derive(Clone, Copy)]
pub(crate) enum Effort {
    /// Used for one response.
    Once,
    Cached,
}

impl Encoding {
    pub(crate) fn accepted_by(request: &HttpRequest) -> Self {
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

    /// Encodes a body.
    pub(super) fn encode(self, bytes: Vec<u8>, effort: Effort) -> io::Result<Vec<u8>> {
        let (gzip, level) = match effort {
            Effort::Once => QUICK,
            Effort::Cached => THOROUGH,
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
