//! `docs/schema.md`, written from `src/store/schema.sql` and the migrations.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use regex::Regex;

const UPDATE: &str = "DEALS_UPDATE=1 cargo test --test it -- schema";

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

/// Lines between two blank lines: a comment, and the statements below it.
struct Block {
    comment: String,
    sql: String,
}

/// The SQL of a new database: `schema.sql`, then each migration.
fn sources() -> Vec<String> {
    let store = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    let migrations = fs::read_dir(store.join("migrations")).unwrap();
    let mut paths: Vec<_> = migrations.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.insert(0, store.join("schema.sql"));
    let read = paths.iter().map(|path| fs::read_to_string(path).unwrap());
    read.collect()
}

/// The blocks of a file; in a comment, `--` alone separates paragraphs.
fn blocks(sql: &str) -> Vec<Block> {
    let block = |text: &str| {
        let is_comment = |line: &&str| line.starts_with("--");
        let comment = text.lines().take_while(is_comment);
        let paragraphs: Vec<&str> = comment.map(|line| line[2..].trim()).collect();
        Block {
            comment: paragraphs.join("\n"),
            sql: text
                .lines()
                .skip_while(is_comment)
                .collect::<Vec<_>>()
                .join("\n"),
        }
    };
    sql.trim_end().split("\n\n").map(block).collect()
}

#[derive(Default)]
struct Table {
    name: String,
    /// The heading that it stands below.
    feature: String,
    comment: String,
    is_view: bool,
    /// Each column, or constraint of the table, with its comment.
    columns: Vec<(String, String)>,
    /// A group of indexes, with its comment.
    indexes: Vec<(Vec<String>, String)>,
}

struct Trigger {
    name: String,
    on: String,
    event: String,
    feeds: BTreeSet<String>,
    comment: String,
}

/// Tables and other parts that the file creates, by the features that its headings name.
#[derive(Default)]
struct Schema {
    introduction: String,
    /// Level, title and text.
    headings: Vec<(usize, String, String)>,
    /// The heading that the next table stands below, and the place of the next new one.
    feature: String,
    place: usize,
    tables: Vec<Table>,
    triggers: Vec<Trigger>,
}

impl Schema {
    fn read() -> Self {
        let mut schema = Self::default();
        let sources = sources();
        let mut all = sources.iter().flat_map(|source| blocks(source));
        schema.introduction = all.next().unwrap().comment;
        for Block { comment, sql } in all {
            match heading(&comment) {
                Some(((level, title), text)) => schema.read_heading(level, title, text),
                None => schema.read_statements(&comment, &sql),
            }
        }
        schema
    }

    /// Reads a heading; a migration repeats that of the part which it extends.
    fn read_heading(&mut self, level: usize, title: String, text: String) {
        let known = self
            .headings
            .iter()
            .position(|found| (found.0, &found.1) == (level, &title));
        self.feature = title.clone();
        if let Some(known) = known {
            let of_part = self.headings[known + 1..].iter();
            self.place = known + 1 + of_part.take_while(|(below, ..)| *below > level).count();
            return;
        }
        self.headings.insert(self.place, (level, title, text));
        self.place += 1;
    }

    fn read_statements(&mut self, comment: &str, sql: &str) {
        let kind = sql.split_whitespace().nth(1).unwrap_or_default();
        let name = |place| sql.split_whitespace().nth(place).unwrap().to_owned();
        match kind {
            "TABLE" | "VIEW" if sql.starts_with("CREATE") => self.tables.push(Table {
                name: name(2),
                feature: self.feature.clone(),
                comment: comment.to_owned(),
                is_view: kind == "VIEW",
                columns: if kind == "TABLE" {
                    columns(sql)
                } else {
                    Vec::new()
                },
                indexes: Vec::new(),
            }),
            "TABLE" | "VIEW" if sql.starts_with("DROP") => {
                let dropped = name(2);
                let dropped = dropped.trim_end_matches(';');
                self.tables.retain(|table| table.name != dropped);
                self.triggers.retain(|trigger| trigger.on != dropped);
            }
            "INDEX" if sql.starts_with("DROP") => {
                let dropped = format!(
                    "`{} ",
                    sql.trim_start_matches("DROP INDEX ").trim_end_matches(';')
                );
                for table in &mut self.tables {
                    for (names, _) in &mut table.indexes {
                        names.retain(|name| !name.starts_with(&dropped));
                    }
                    table.indexes.retain(|(names, _)| !names.is_empty());
                }
            }
            "INDEX" | "UNIQUE" => {
                let index = regex(r"CREATE (?:UNIQUE )?INDEX (\w+)\s+ON (\w+) (.*);");
                let found: Vec<_> = index.captures_iter(sql).collect();
                let of = self
                    .tables
                    .iter_mut()
                    .find(|table| table.name == found[0][2]);
                let indexes = found.iter().map(|it| format!("`{} {}`", &it[1], &it[3]));
                of.unwrap()
                    .indexes
                    .push((indexes.collect(), comment.to_owned()));
            }
            _ if sql.starts_with("ALTER TABLE") => {
                let dropped = regex(r"ALTER TABLE (\w+) DROP COLUMN (\w+);");
                for it in dropped.captures_iter(sql) {
                    let table = self.tables.iter_mut().find(|table| table.name == it[1]);
                    let start = format!("{} ", &it[2]);
                    let columns = &mut table.unwrap().columns;
                    columns.retain(|(column, _)| !column.starts_with(&start));
                }
                let added = regex(r"ALTER TABLE (\w+) ADD COLUMN (.*);(?: -- (.*))?");
                for it in added.captures_iter(sql) {
                    let table = self.tables.iter_mut().find(|table| table.name == it[1]);
                    let comment = it.get(3).map_or("", |comment| comment.as_str());
                    let column = (it[2].to_owned(), comment.to_owned());
                    table.unwrap().columns.push(column);
                }
            }
            "TRIGGER" if sql.starts_with("DROP") => {
                let dropped = name(2);
                let dropped = dropped.trim_end_matches(';');
                self.triggers.retain(|trigger| trigger.name != dropped);
            }
            "TRIGGER" => self.triggers.push(trigger(comment, sql)),
            "TEMP" if sql.starts_with("CREATE") => {}
            "sqlite_schema" => self.replace_in_columns(sql),
            _ => assert!(sql.starts_with("INSERT INTO"), "{sql}"),
        }
    }

    /// Reads a statement that edits the SQL of a table's columns in place.
    fn replace_in_columns(&mut self, sql: &str) {
        let edit = regex(r"replace\(sql, '((?:[^']|'')+)', '([^']+)'\)\s+WHERE name = '(\w+)'");
        let edit = edit.captures(sql).unwrap();
        let old = edit[1].replace("''", "'");
        let table = self.tables.iter_mut().find(|table| table.name == edit[3]);
        for (column, _) in &mut table.unwrap().columns {
            *column = column.replace(&old, &edit[2]);
        }
    }

    fn features_below(&self, part: &str) -> Vec<&(usize, String, String)> {
        let from = self
            .headings
            .iter()
            .position(|(_, title, _)| title == part)
            .unwrap();
        let below = self.headings[from + 1..].iter();
        below.take_while(|(level, ..)| *level == 2).collect()
    }

    fn of_feature<'a>(&'a self, feature: &'a str) -> impl Iterator<Item = &'a Table> {
        self.tables
            .iter()
            .filter(move |table| table.feature == feature)
    }
}

/// `# Title` with its text: level, title, text.
fn heading(comment: &str) -> Option<((usize, String), String)> {
    let (first, text) = comment.split_once('\n').unwrap_or((comment, ""));
    let title = first.trim_start_matches('#');
    let level = first.len() - title.len();
    (level > 0).then(|| ((level, title.trim().to_owned()), text.trim().to_owned()))
}

fn columns(sql: &str) -> Vec<(String, String)> {
    let line = regex(r"^    (.*?),?(?: -- (.*))?$");
    let spaces = regex(" +");
    let captures = sql.lines().filter_map(|text| line.captures(text));
    captures
        .map(|it| {
            let comment = it.get(2).map_or("", |comment| comment.as_str());
            (
                spaces.replace_all(&it[1], " ").into_owned(),
                comment.to_owned(),
            )
        })
        .collect()
}

fn trigger(comment: &str, sql: &str) -> Trigger {
    let (head, body) = sql.split_once("BEGIN").unwrap();
    let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
    let of = regex(r"CREATE TRIGGER (\w+) (?:AFTER|INSTEAD OF) (.+?) ON (\w+)")
        .captures(&head)
        .unwrap();
    let fed = regex(r"(?:INTO|UPDATE|DELETE FROM) (\w+)");
    let mut feeds: BTreeSet<String> = fed.captures_iter(body).map(|it| it[1].to_owned()).collect();
    if body.contains("index_words(") {
        feeds.extend(["search_postings", "search_terms"].map(str::to_owned));
    }
    Trigger {
        name: of[1].to_owned(),
        on: of[3].to_owned(),
        event: of[2].to_owned(),
        feeds,
        comment: comment.to_owned(),
    }
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}

fn document(schema: &Schema) -> String {
    let mut text = format!(
        "# Database schema\n\nWritten from [src/store/schema.sql](../src/store/schema.sql) and the migrations by `{UPDATE}`; do not edit.\n\n{}\n\n## Map\n\n",
        schema.introduction
    );
    text.push_str("| | tables and views |\n|---|---|\n");
    for part in schema.headings.iter().filter(|(level, ..)| *level == 1) {
        for (_, feature, _) in schema.features_below(&part.1) {
            let anchor = feature.to_lowercase().replace(' ', "-");
            let names = schema
                .of_feature(feature)
                .map(|table| format!("`{}`", table.name));
            let names = names.collect::<Vec<_>>().join(", ");
            writeln!(text, "| {}: [{feature}](#{anchor}) | {names} |", part.1).unwrap();
        }
    }
    write_triggers(&mut text, schema);
    for (level, title, comment) in &schema.headings {
        writeln!(text, "\n{} {title}", "#".repeat(level + 1)).unwrap();
        if !comment.is_empty() {
            writeln!(text, "\n{comment}").unwrap();
        }
        for table in schema.of_feature(title) {
            write_table(&mut text, schema, table);
        }
    }
    text
}

fn write_triggers(text: &mut String, schema: &Schema) {
    text.push_str("\n## Triggers\n");
    let mut by_table: BTreeMap<&str, Vec<&Trigger>> = BTreeMap::new();
    for trigger in &schema.triggers {
        by_table.entry(&trigger.on).or_default().push(trigger);
    }
    for (table, triggers) in by_table {
        writeln!(text, "\n{} on `{table}`:\n", triggers.len()).unwrap();
        text.push_str("| trigger | after | updates | |\n|---|---|---|---|\n");
        for Trigger {
            name,
            event,
            feeds,
            comment,
            ..
        } in triggers
        {
            let feeds = feeds
                .iter()
                .map(|table| format!("`{table}`"))
                .collect::<Vec<_>>();
            let (feeds, comment) = (feeds.join(", "), one_line(comment));
            writeln!(text, "| `{name}` | {event} | {feeds} | {comment} |").unwrap();
        }
    }
}

fn write_table(text: &mut String, schema: &Schema, table: &Table) {
    let view = if table.is_view { " (view)" } else { "" };
    writeln!(text, "\n#### `{}`{view}\n\n{}", table.name, table.comment).unwrap();
    if !table.is_view {
        text.push_str("\n| column or constraint | |\n|---|---|\n");
    }
    for (column, comment) in &table.columns {
        writeln!(text, "| `{column}` | {comment} |").unwrap();
    }
    let feeding = schema
        .triggers
        .iter()
        .filter(|it| it.feeds.contains(&table.name));
    let feeding: Vec<_> = feeding
        .map(|trigger| format!("`{}`", trigger.name))
        .collect();
    if !table.indexes.is_empty() {
        text.push_str("\nIndexes:\n\n");
    }
    for (indexes, comment) in &table.indexes {
        let comment = [". ", &one_line(comment)].concat();
        let comment = if comment == ". " { "" } else { &comment };
        writeln!(text, "- {}{comment}", indexes.join(", ")).unwrap();
    }
    if !feeding.is_empty() {
        writeln!(text, "\nUpdated by {}.", feeding.join(", ")).unwrap();
    }
}

/// The document is as the file says. `DEALS_UPDATE=1 cargo test --test it -- schema` writes it.
#[test]
fn the_document_of_the_schema_is_up_to_date() {
    let schema = Schema::read();
    let written = document(&schema);
    let database = rusqlite::Connection::open_in_memory().unwrap();
    let writable = "PRAGMA writable_schema = ON";
    database.execute_batch(writable).unwrap();
    for sql in sources() {
        database.execute_batch(&sql).unwrap();
    }
    let mut statement = database
        .prepare("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
        .unwrap();
    let names = statement
        .query_map([], |row| row.get::<_, String>(0))
        .unwrap();
    for name in names.map(Result::unwrap) {
        assert!(written.contains(&format!("`{name}")), "{name} is missing");
    }
    for table in &schema.tables {
        assert!(!table.comment.is_empty(), "{} has no comment", table.name);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema.md");
    if std::env::var("DEALS_UPDATE").is_ok_and(|value| value == "1") {
        fs::write(path, written).unwrap();
        return;
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    assert!(found == written, "docs/schema.md is out of date: {UPDATE}");
}
