//! Workbooks of parts that are written as they are given.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const HEADER: &str = "title,description,price,category,source,link,image";
const ROW: &str = "Tea,Green tea of 100 g,399,Home,Shop,https://s.example/1,https://p.example/1";

pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Parts of a workbook.
pub struct Book {
    pub texts: String,
    pub styles: String,
    pub workbook: String,
    pub sheet: String,
}

impl Book {
    /// One product, with a shared text.
    fn new() -> Self {
        let mut book = Self {
            texts: "<sst><si><t>Tea</t></si></sst>".to_owned(),
            styles: "<styleSheet/>".to_owned(),
            workbook:
                "<workbook><sheets><sheet name='A' sheetId='1' r:id='s'/></sheets></workbook>"
                    .to_owned(),
            sheet: String::new(),
        };
        book.sheet = book.with_rows("");
        book
    }

    pub fn with_rows(&self, rows: &str) -> String {
        let inline = |text: &str| format!("<c t='inlineStr'><is><t>{text}</t></is></c>");
        let header: String = HEADER.split(',').map(inline).collect();
        let cells: String = ROW.split(',').skip(1).map(inline).collect();
        format!(
            "<worksheet><sheetData><row r='1'>{header}</row><row r='2'><c t='s'><v>0</v></c>{cells}</row>\
             {rows}</sheetData></worksheet>"
        )
    }

    fn bytes(&self) -> Vec<u8> {
        let relation = |id: &str, kind: &str, target: &str| {
            format!(
                "<Relationship Id='{id}' Type='http://x/relationships/{kind}' Target='{target}'/>"
            )
        };
        let root = relation("r", "officeDocument", "xl/workbook.xml");
        let all = [
            relation("s", "worksheet", "worksheets/sheet1.xml"),
            relation("t", "sharedStrings", "sharedStrings.xml"),
            relation("y", "styles", "styles.xml"),
        ];
        let list = |inside: &str| format!("<Relationships>{inside}</Relationships>");
        zip(&[
            ("[Content_Types].xml", b"<Types/>"),
            ("_rels/.rels", list(&root).as_bytes()),
            ("xl/_rels/workbook.xml.rels", list(&all.concat()).as_bytes()),
            ("xl/workbook.xml", self.workbook.as_bytes()),
            ("xl/sharedStrings.xml", self.texts.as_bytes()),
            ("xl/styles.xml", self.styles.as_bytes()),
            ("xl/worksheets/sheet1.xml", self.sheet.as_bytes()),
        ])
    }
}

/// Makes a workbook of one product with a change.
pub fn book(change: impl FnOnce(&mut Book)) -> Vec<u8> {
    let mut book = Book::new();
    change(&mut book);
    book.bytes()
}
