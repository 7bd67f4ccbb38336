//! Files that are made to take memory or time: each is read within both, or refused in a sentence.

use std::io::Write;
use std::process::{Command, Output};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::workbooks::{book, zip};
use crate::support::harness::{Server, Shop, product, text};
use crate::support::people::People;

/// Address space of the program in bytes: an allocation of a size that a file states fails.
const ADDRESS_SPACE: u64 = 400 << 20;
/// Memory that a server may take above its own for a file, in kB.
const ABOVE_IDLE: u64 = 96 * 1_024;

const HEADER: &str = "title,description,price,category,source,link,image";
const ROW: &str = "Tea,Green tea of 100 g,399,Home,Shop,https://s.example/1,https://p.example/1";

fn rows(rows: &str) -> Vec<u8> {
    book(|book| book.sheet = book.with_rows(rows))
}

fn repeated(count: usize, of: impl Fn(usize) -> String) -> String {
    (0..count).map(of).collect()
}

/// Returns a number that does not compress well.
fn scattered(at: usize) -> usize {
    at.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn list(items: &str) -> String {
    format!("[{{\"name\": \"x\", \"url\": \"https://a.example\"}}{items}]")
}

fn feed(items: &str) -> String {
    format!("<rss><channel><item><title>x</title></item>{items}</channel></rss>")
}

/// Files that are refused, with a part of the sentence.
fn refused() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let mega = "x".repeat(2 << 20);
    let half = "x".repeat(40_000);
    let noise = repeated(130_000, |at| scattered(at).to_string());
    let names = |length: usize| repeated(900, |at| format!(",{{\"{at:0>length$}\": 1}}"));
    let elements = |length: usize| {
        repeated(900, |at| {
            format!("<item><a{at:0>length$}>1</a{at:0>length$}></item>")
        })
    };
    let header = |length: usize| repeated(900, |at| format!("c{at:0>length$},"));
    let text = |text: String| text.into_bytes();
    let own = |fields: &str| text(format!("[{{\"affiliateLink\": \"x\", {fields}}}]"));
    let directory = {
        let mut bytes = zip(&[("a.csv", b"x")]);
        let end = bytes.len() - 22;
        bytes[end + 8..end + 12].copy_from_slice(&[0xff, 0xfe, 0xff, 0xfe]);
        bytes
    };
    let signatures = [b"PK\x03\x04".to_vec(), b"PK\x06\x06".repeat(1 << 20)].concat();
    let many_objects = format!("\"images\": [{}0]", "{\"\":0},".repeat(140_000));
    vec![
        (
            "names.json",
            text(list(&names(1_000))),
            "longer than 200 characters",
        ),
        ("names.json", text(list(&names(150))), "more than 64 kB"),
        (
            "names.xml",
            text(feed(&elements(1_000))),
            "longer than 200 characters",
        ),
        ("names.xml", text(feed(&elements(150))), "more than 64 kB"),
        (
            "names.csv",
            text(format!("{}\n1", header(1_000))),
            "longer than 200 characters",
        ),
        (
            "names.csv",
            text(format!("{}\n1", header(150))),
            "more than 64 kB",
        ),
        (
            "path.json",
            text(list(&format!(
                ",{}1{}",
                "{\"abcdefgh\":".repeat(60),
                "}".repeat(60)
            ))),
            "longer than 200",
        ),
        (
            "row.json",
            own(&format!("\"description\": \"{mega}\"")),
            "more than 1 MB",
        ),
        (
            "row.json",
            own(&format!("\"note\": \"{mega}\"")),
            "more than 1 MB",
        ),
        ("objects.json", own(&many_objects), "more than 1 MB"),
        (
            "objects.json",
            text(list(&format!(",{{{many_objects}}}"))),
            "more than 1 MB",
        ),
        (
            "line.json",
            text(format!(
                "{{\"affiliateLink\": 1}}\n{{\"title\": \"{mega}\"}}\n"
            )),
            "more than 1 MB",
        ),
        (
            "row.json",
            text(list(&format!(",{{\"a\": \"{mega}\"}}"))),
            "more than 1 MB",
        ),
        (
            "deep.json",
            text(list(&format!(",{{\"a\": {}", "[".repeat(10_000)))),
            "recursion limit",
        ),
        (
            "row.xml",
            text(feed(&format!("<item><title>{mega}</title></item>"))),
            "more than 1 MB",
        ),
        (
            "comment.xml",
            text(feed(&format!("<!-- <<{mega} -->"))),
            "more than 1 MB",
        ),
        (
            "row.csv",
            text(format!("{HEADER}\n{ROW}\n\"{mega}\",1\n")),
            "more than 1 MB",
        ),
        (
            "wide.csv",
            text(format!(
                "{}\n{ROW}\n",
                repeated(100_000, |at| format!("c{at},"))
            )),
            "1,00,000 columns",
        ),
        (
            "cell.csv",
            text(format!("{HEADER}\n{}\n", ROW.replace("Green", &half))),
            "row 2: The column “description” has more than 32,768 characters",
        ),
        (
            "cell.json",
            text(list(&format!(",{{\"description\": \"{half}\"}}"))),
            "row 2: The column “description” has more than 32,768 characters",
        ),
        (
            "cell.xml",
            text(feed(&format!("<item><title>{half}</title></item>"))),
            "row 2: The column “title” has more than 32,768 characters",
        ),
        (
            "cell.xlsx",
            book(|book| book.texts = format!("<sst><si><t>{half}</t></si></sst>")),
            "row 2: The column “title” has more than 32,768 characters",
        ),
        (
            "pieces.xlsx",
            book(|book| {
                book.texts = format!(
                    "<sst><si><t>{}</t></si></sst>",
                    repeated(300_000, |at| format!("a<!--{}-->", scattered(at)))
                );
            }),
            "row 2: The column “title” has more than 32,768",
        ),
        (
            "event.xlsx",
            book(|book| book.texts = format!("<sst><!-- <<{noise} --></sst>")),
            "more than 1 MB",
        ),
        (
            "attribute.xlsx",
            book(|book| book.texts = format!("<sst a='<{noise}'/>")),
            "more than 1 MB",
        ),
        (
            "missing-text.xlsx",
            rows("<row><c t='s'><v>18446744073709551615</v></c></row>"),
            "damaged",
        ),
        (
            "column.xlsx",
            rows("<row><c r='XFD3'><v>1</v></c><c r='A3'><v>1</v></c></row>"),
            "column XFD, which has no name",
        ),
        (
            "column.xlsx",
            rows("<row><c r='ZZZZZZZZZZZ3'><v>1</v></c><c r='A3'><v>1</v></c></row>"),
            "which has no name",
        ),
        (
            "header.xlsx",
            book(|book| {
                book.sheet = "<worksheet><sheetData><row><c r='XFD1'><v>1</v></c></row></sheetData></worksheet>".to_owned();
            }),
            "16,384 columns",
        ),
        (
            "one-column.xlsx",
            rows(&format!(
                "<row>{}</row>",
                "<c r='A3'><v>1</v></c>".repeat(20_000)
            )),
            "row 3 takes more than 1 MB",
        ),
        (
            "shared.xlsx",
            book(|book| {
                book.texts = format!("<sst><si><t>{}</t></si></sst>", "x".repeat(30_000));
                book.sheet = book.with_rows(&format!(
                    "<row>{}</row>",
                    "<c r='A3' t='s'><v>0</v></c>".repeat(40)
                ));
            }),
            "row 3 takes more than 1 MB",
        ),
        (
            "deep.xlsx",
            book(|book| book.texts = "<a>".repeat(1_000_000)),
            "damaged",
        ),
        (
            "merged.xlsx",
            book(|book| {
                book.sheet = book.sheet.replace(
                    "</worksheet>",
                    &format!(
                        "<mergeCells>{}</mergeCells></worksheet>",
                        "<mergeCell ref='A1:B4294967296'/>".repeat(100_000)
                    ),
                );
            }),
            "are merged",
        ),
        ("directory.zip", directory, "more than 1,000 files"),
        ("signatures.zip", signatures, "damaged or cut off"),
        (
            "pictures.csv",
            text(format!(
                "Handle,Title,Body (HTML),Variant Price,Affiliate URL,Image Src\n\
             h,Tea,Green tea of 100 g,1,https://s.example,https://p.example\n{}",
                repeated(60_000, |at| format!("h,,,,,https://p.example/{at}\n"))
            )),
            "row 2: The product has more than 1 MB of pictures",
        ),
    ]
}

/// Files that are imported as one product, whatever they state.
fn accepted() -> Vec<(&'static str, Vec<u8>)> {
    let far = format!("<!--{}-->", "x".repeat(65 << 10));
    let texts = [
        "<sst count='99999999999' uniqueCount='99999999999'>",
        "<sst uniqueCount = \"99999999999\">",
        "<sst\n uniqueCount\t=\n'99999999999'>",
        "<x:sst xmlns:x='y' x:uniqueCount='99999999999'>",
        "<sst uniqueCount='&#57;9999999999' a='>'>",
        "<sst uniqueCount='18446744073709551615'>",
        "<?xml version='1.0'?><!-- uniqueCount='1' --><sst uniqueCount='99999999999'>",
        &format!("{far}<sst uniqueCount='99999999999'>"),
        &format!("<sst a='{far}' uniqueCount='99999999999'>")
            .replace("<!--", "")
            .replace("-->", ""),
    ];
    let mut files: Vec<(&str, Vec<u8>)> = texts
        .iter()
        .map(|head| {
            let end = if head.contains("x:sst") {
                "</x:sst>"
            } else {
                "</sst>"
            };
            let texts = format!("{head}<si><t>Tea</t></si>{end}");
            ("count.xlsx", book(|book| book.texts = texts))
        })
        .collect();
    let dimension =
        "<worksheet><dimension ref='A1:XFD1048576'/><dimension ref='ZZZZZZZZ9:A99999999999'/>";
    let code = repeated(5_000, |at| scattered(at).to_string());
    files.extend([
        ("dimension.xlsx", book(|book| book.sheet = book.sheet.replace("<worksheet>", dimension))),
        ("styles.xlsx", book(|book| book.styles = format!(
            "<styleSheet><numFmts count='99999999999'><numFmt numFmtId='200' formatCode='{code}'/></numFmts>\
             <fonts><font><name val='{code}'/></font></fonts><cellXfs count='99999999999'>{}</cellXfs></styleSheet>",
            repeated(100_000, |at| format!("<xf numFmtId='200' fontId='0' a='{}'/>", scattered(at)))
        ))),
        ("sheets.xlsx", book(|book| book.workbook = book.workbook.replace("</sheets>", &format!(
            "{}</sheets><definedNames>{}</definedNames>",
            repeated(100_000, |at| format!("<sheet name='{}' sheetId='2' r:id='s'/>", scattered(at))),
            repeated(100_000, |at| format!("<definedName name='n{}'>A!$A$1</definedName>", scattered(at)))
        )))),
        ("plain.csv", format!("{HEADER}\n{ROW}\n").into_bytes()),
        ("beside.json", format!("{{\"products\": [{}], \"meta\": \"{}\"}}", product(1), "x".repeat(2 << 20)).into_bytes()),
    ]);
    files
}

/// Runs an import in a bounded address space.
fn bounded(shop: &Shop, name: &str, bytes: &[u8]) -> Output {
    std::fs::write(shop.file(name), bytes).unwrap();
    let program = shop.command();
    let mut command = Command::new("prlimit");
    command.arg(format!("--as={ADDRESS_SPACE}"));
    command.arg(program.get_program()).args(["import", name]);
    command.args(["--source", "Shop", "--category", "Home"]);
    command.current_dir(shop.folder()).output().unwrap()
}

#[test]
fn files_that_would_exhaust_memory_are_refused() {
    for (name, bytes, message) in refused() {
        let shop = Shop::new();
        let output = bounded(&shop, name, &bytes);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}, {message}: {error}");
        assert!(error.contains(message), "{name}, {message}: {error}");
        assert!(!shop.db().exists(), "{name}");
    }
}

#[test]
fn cell_counts_stated_by_a_file_are_ignored() {
    for (at, (name, bytes)) in accepted().into_iter().enumerate() {
        let shop = Shop::new();
        let output = bounded(&shop, name, &bytes);
        let said = text(&output.stdout);
        let error = text(&output.stderr);
        assert!(said.contains("1 added"), "{at}, {name}: {said}{error}");
    }
}

fn peak(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.unwrap().parse().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn import_previews_use_bounded_memory() {
    let people = People::new();
    let owner = people.join_as_admin("owner@example.com");
    let send = |path: &str, bytes: Vec<u8>| {
        let request = people
            .request(reqwest::Method::POST, path)
            .header("cookie", &owner.cookie)
            .header("content-type", "application/octet-stream");
        request.body(bytes).send().unwrap()
    };
    send("/product/import/preview", b"title\n".to_vec());
    let idle = peak(&people.server);
    let files = refused().into_iter().map(|(name, bytes, _)| (name, bytes));
    for (name, bytes) in files.chain(accepted()) {
        let packed = gzip(&bytes);
        for (path, bytes) in [
            ("/product/import/preview", bytes),
            ("/product/import/refused", packed),
        ] {
            let status = send(path, bytes).status();
            assert!([200, 400].contains(&status.as_u16()), "{name}: {status}");
        }
        let taken = peak(&people.server).saturating_sub(idle);
        assert!(taken < ABOVE_IDLE, "{name}: {taken} kB");
    }
}
