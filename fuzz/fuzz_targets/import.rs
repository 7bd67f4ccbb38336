//! Any bytes as a file of products: they are imported or refused.
#![no_main]

use deals::catalog::formats::Input;
use deals::catalog::import::{ImportOptions, Source, import};
use deals::catalog::reading::Reading;
use deals::store::Import;
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: Vec<u8>| {
    let session = Import::begin_in_memory().unwrap();
    let options = ImportOptions {
        dry_run: true,
        skip_invalid: true,
    };
    let now = Timestamp::UNIX_EPOCH;
    let folder = std::env::temp_dir();
    let source = Source {
        input: Input::bytes(file),
        reading: &Reading::default(),
        folder: &folder,
    };
    let _ = import(
        source,
        session,
        options,
        "fuzz",
        now,
        |_| (),
        None,
        None,
    );
});
