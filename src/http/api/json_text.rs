//! JSON texts in parts.

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
