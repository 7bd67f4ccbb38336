//! JSON texts, written eight bytes at a time.

use serde::Serialize;

pub(crate) fn plain(json: &mut Vec<u8>, before: &str, written: &str) {
    json.extend_from_slice(before.as_bytes());
    json.extend_from_slice(written.as_bytes());
}

pub(crate) fn value(
    json: &mut Vec<u8>,
    before: &str,
    value: &impl Serialize,
) -> serde_json::Result<()> {
    json.extend_from_slice(before.as_bytes());
    serde_json::to_writer(json, value)
}

/// Writes a string (RFC 8259, section 7).
pub(crate) fn text(json: &mut Vec<u8>, before: &str, text: &str) {
    plain(json, before, "\"");
    let mut rest = text.as_bytes();
    while let Some((clean, escaped, after)) = split_at_escape(rest) {
        json.extend_from_slice(clean);
        escape(json, escaped);
        rest = after;
    }
    json.extend_from_slice(rest);
    json.push(b'"');
}

fn escape(json: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        0x0c => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        _ => {
            json.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
            return;
        }
    };
    json.extend_from_slice(&[b'\\', short]);
}

/// What comes before the first byte that must not stand in a JSON string, that byte, and
/// what comes behind it.
fn split_at_escape(bytes: &[u8]) -> Option<(&[u8], u8, &[u8])> {
    let (words, rest) = bytes.as_chunks::<8>();
    // The last word is filled up with what need not be escaped.
    let mut last = [b' '; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mut words = words.iter().chain([&last]).enumerate();
    let at = words.find_map(|(word, bytes)| {
        let found = escapes_in(u64::from_le_bytes(*bytes));
        (found != 0).then(|| word * 8 + found.trailing_zeros() as usize / 8)
    })?;
    let (before, from) = bytes.split_at(at);
    let (escaped, after) = from.split_first()?;
    Some((before, *escaped, after))
}

/// Zero when none of the eight bytes must be escaped; otherwise the lowest bit that is set
/// belongs to the first one that must. Bits above that one may be set for nothing: taking
/// away borrows from the bytes that follow.
fn escapes_in(word: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGHEST: u64 = u64::from_le_bytes([0x80; 8]);
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (below(word, 0x20) | equal(b'"') | equal(b'\\')) & HIGHEST
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(example: &str) -> String {
        let mut json = Vec::new();
        text(&mut json, "", example);
        String::from_utf8(json).unwrap()
    }

    #[test]
    fn every_text_is_written_as_by_serde_json() {
        let all: String = (0..0x300).filter_map(char::from_u32).collect();
        for length in [all.len(), 0, 1, 7, 8, 9, 16] {
            let example: String = all.chars().take(length).collect();
            assert_eq!(written(&example), serde_json::to_string(&example).unwrap());
        }
    }

    #[test]
    fn a_byte_is_escaped_wherever_it_stands_and_whatever_stands_around_it() {
        let neighbours = [
            "a", " ", "!", "#", "[", "]", "\u{7f}", "é", "\0", "\"", "\\",
        ];
        for byte in 0..0x80_u8 {
            for neighbour in neighbours {
                for before in 0..17 {
                    let example = format!(
                        "{}{}{}",
                        neighbour.repeat(before),
                        char::from(byte),
                        neighbour.repeat(9)
                    );
                    assert_eq!(written(&example), serde_json::to_string(&example).unwrap());
                }
            }
        }
    }
}
