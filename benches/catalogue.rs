//! Writes a catalogue of any size, for `deals import -`: `cargo bench --bench catalogue -- 100000 >
//! products.ndjson`.

mod support;

use std::io::{BufWriter, Write};

use support::catalogue::Catalogue;

fn main() -> std::io::Result<()> {
    let size = support::sizes().first().copied().unwrap_or_default();
    let mut output = BufWriter::new(std::io::stdout().lock());
    Catalogue::new(1).write(size, &mut output)?;
    output.flush()
}
