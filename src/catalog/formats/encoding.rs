//! Text of any usual encoding as UTF-8.

use std::io::{self, Read};

use encoding_rs::{Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::{memchr, memchr_iter};

use super::error::invalid_file;

const CHUNK: usize = 64 * 1_024;
/// Bytes in which an XML declaration is searched.
const DECLARATION: usize = 200;

/// Reader that yields valid UTF-8 without a byte order mark or U+0000.
///
/// Text is UTF-8 until the first byte that is not; if all before it is ASCII, it is Windows-1252.
pub(super) struct Utf8<R> {
    input: R,
    decoder: Option<Decoder>,
    is_ascii: bool,
    /// Lines before the chunk.
    lines: usize,
    chunk: Box<[u8]>,
    /// Bytes that are not decoded yet.
    raw: Vec<u8>,
    /// Decoded bytes, read up to `at`.
    text: Vec<u8>,
    at: usize,
    is_done: bool,
}

/// Returns the encoding that the first bytes declare.
fn declared(start: &[u8]) -> Option<&'static Encoding> {
    if let Some((encoding, _)) = Encoding::for_bom(start) {
        return (encoding != UTF_8).then_some(encoding);
    }
    match start {
        [1..=127, 0, 1..=127, 0, ..] => return Some(UTF_16LE),
        [0, 1..=127, 0, 1..=127, ..] => return Some(UTF_16BE),
        _ => {}
    }
    let start = String::from_utf8_lossy(&start[..start.len().min(DECLARATION)]);
    let xml = start.strip_prefix("<?xml")?;
    let (_, rest) = xml.split_once("?>")?.0.split_once("encoding=")?;
    let label = rest.get(1..)?.split(['"', '\'']).next()?;
    // A text of one-byte units cannot be UTF-16, whatever it declares.
    Encoding::for_label(label.as_bytes())
        .filter(|encoding| ![UTF_8, UTF_16LE, UTF_16BE].contains(encoding))
}

impl<R: Read> Utf8<R> {
    /// Reads `input`, whose first bytes are `start`.
    pub(super) fn new(input: R, start: &[u8]) -> Self {
        Self {
            input,
            decoder: declared(start).map(Encoding::new_decoder_with_bom_removal),
            is_ascii: true,
            lines: 0,
            chunk: vec![0; CHUNK].into_boxed_slice(),
            raw: Vec::with_capacity(CHUNK),
            text: Vec::with_capacity(CHUNK),
            at: 0,
            is_done: false,
        }
    }

    /// Decodes the next chunk into `text`.
    fn fill(&mut self) -> io::Result<()> {
        self.text.clear();
        self.at = 0;
        let read = loop {
            match self.input.read(&mut self.chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        self.raw.extend_from_slice(&self.chunk[..read]);
        self.is_done = read == 0;
        if self.decoder.is_none() && !self.copy_utf8()? {
            self.decoder = Some(WINDOWS_1252.new_decoder_without_bom_handling());
        }
        if self.decoder.is_some() {
            self.decode()?;
        }
        if memchr(0, &self.text).is_some() {
            return Err(invalid_file(
                "it is not a text file: export it as CSV, XLSX, XML or JSON",
            ));
        }
        self.lines += memchr_iter(b'\n', &self.text).count();
        Ok(())
    }

    /// Copies UTF-8, without a letter that is not complete yet; false if it is Windows-1252.
    fn copy_utf8(&mut self) -> io::Result<bool> {
        let valid = match std::str::from_utf8(&self.raw) {
            Ok(_) => self.raw.len(),
            Err(error) => {
                let valid = error.valid_up_to();
                let is_cut = error.error_len().is_none();
                if is_cut && self.is_done {
                    return Err(invalid_file(
                        "it ends in the middle of a letter, so it is cut off: fetch it again, or \
                         save it as UTF-8",
                    ));
                }
                if !is_cut {
                    if self.is_ascii && self.raw[..valid].is_ascii() {
                        return Ok(false);
                    }
                    let lines = memchr_iter(b'\n', &self.raw[..valid]).count();
                    return Err(invalid_file(format!(
                        "line {} is not UTF-8, although lines before it are: save the file as \
                         UTF-8",
                        self.lines + lines + 1
                    )));
                }
                valid
            }
        };
        self.is_ascii &= self.raw[..valid].is_ascii();
        let mut start = 0;
        if self.lines == 0 && self.raw.starts_with(b"\xef\xbb\xbf") {
            start = 3;
        }
        self.text
            .extend_from_slice(&self.raw[start.min(valid)..valid]);
        self.raw.drain(..valid);
        Ok(true)
    }

    fn decode(&mut self) -> io::Result<()> {
        let Some(decoder) = &mut self.decoder else {
            return Ok(());
        };
        let name = decoder.encoding().name();
        let most = decoder.max_utf8_buffer_length(self.raw.len()).unwrap_or(0);
        self.text.resize(most, 0);
        let (_, _, written, has_errors) =
            decoder.decode_to_utf8(&self.raw, &mut self.text, self.is_done);
        self.text.truncate(written);
        self.raw.clear();
        if has_errors {
            return Err(invalid_file(format!(
                "a text is not {name}, or the file is cut off: fetch it again, or save it as UTF-8"
            )));
        }
        // Windows-1252 assigns no character to five bytes, which other encodings use.
        let has_unassigned = std::str::from_utf8(&self.text)
            .is_ok_and(|text| text.contains(|c| ('\u{80}'..='\u{9f}').contains(&c)));
        if has_unassigned {
            return Err(invalid_file(
                "its text is neither UTF-8, UTF-16 nor Windows-1252: save it as UTF-8",
            ));
        }
        Ok(())
    }
}

impl<R: Read> Read for Utf8<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.text.len() {
            if self.is_done {
                return Ok(0);
            }
            self.fill()?;
        }
        let count = buffer.len().min(self.text.len() - self.at);
        buffer[..count].copy_from_slice(&self.text[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reader that returns one byte at a time.
    struct ByteByByte<'a>(&'a [u8]);

    impl Read for ByteByByte<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let one = buffer.len().min(1);
            self.0.read(&mut buffer[..one])
        }
    }

    fn decoded(bytes: &[u8]) -> Result<String, String> {
        let mut results = [String::new(), String::new()].map(Ok);
        for (result, slow) in results.iter_mut().zip([false, true]) {
            let input: Box<dyn Read + '_> = if slow {
                Box::new(ByteByByte(bytes))
            } else {
                Box::new(bytes)
            };
            let mut text = String::new();
            *result = Utf8::new(input, bytes)
                .read_to_string(&mut text)
                .map(|_| text)
                .map_err(|error| error.to_string());
        }
        let [fast, slow] = results;
        assert_eq!(fast, slow, "{bytes:?}");
        fast
    }

    fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn every_usual_encoding_is_recognized() {
        let text = "title;₹ मूल्य 😀\nCafé;1";
        assert_eq!(decoded(text.as_bytes()).unwrap(), text);
        assert_eq!(decoded(format!("\u{feff}{text}").as_bytes()).unwrap(), text);
        let marked = format!("\u{feff}{text}");
        for bytes in [
            utf_16(&marked, u16::to_le_bytes),
            utf_16(&marked, u16::to_be_bytes),
            utf_16(text, u16::to_le_bytes),
            utf_16(text, u16::to_be_bytes),
        ] {
            assert_eq!(decoded(&bytes).unwrap(), text);
        }
        assert_eq!(decoded(b"Caf\xe9 \x80 5\n").unwrap(), "Café € 5\n");
        let far = [vec![b'x'; 3 * CHUNK], b"\xe9t\xe9".to_vec()].concat();
        assert!(decoded(&far).unwrap().ends_with("xété"));
        let declared = b"<?xml version=\"1.0\" encoding='iso-8859-5'?><a>\xb0</a>";
        assert!(decoded(declared).unwrap().ends_with("<a>А</a>"));
    }

    #[test]
    fn text_of_no_or_two_encodings_is_refused() {
        for (bytes, message) in [
            (
                b"a\n\xe2\x82\xb9\n\xe9t\xe9".as_slice(),
                "line 3 is not UTF-8",
            ),
            (b"\xe2\x82\xb9 \xe2\x82", "cut off"),
            (b"\xff\xfea\0b\0\x3d\xd8", "cut off"),
            (b"Name\x81\x8d", "neither UTF-8"),
            (b"\x01\0\0\x02\x03\x04", "it is not a text file"),
        ] {
            let error = decoded(bytes).unwrap_err();
            assert!(error.contains(message), "{bytes:?}: {error}");
        }
    }
}
