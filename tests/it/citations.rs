//! Checks references in comments and documents: cited sections and rules, links, and the list of
//! dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Documents that are cited by section or rule.
const PAGES: [&str; 3] = ["spec", "decisions", "security"];

/// Folders and file endings that are searched for citations.
const CITING: [(&str, &[&str]); 10] = [
    ("src", &["rs", "sql"]),
    ("frontend/src", &["ts", "tsx", "css"]),
    ("frontend/build", &["ts", "js"]),
    ("frontend/ssr", &["ts", "tsx"]),
    ("tests", &["rs", "mjs", "sh", "py"]),
    ("benches", &["rs", "mjs"]),
    ("fuzz/fuzz_targets", &["rs"]),
    ("docs", &["md"]),
    ("build.rs", &["rs"]),
    ("README.md", &["md"]),
];

const DOCUMENTS: [&str; 5] = [
    "docs",
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the files with these endings in a folder, or the file itself.
fn files(start: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![root().join(start)];
    while let Some(path) = waiting.pop() {
        if path.ends_with("node_modules") {
            continue;
        }
        if path.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            waiting.extend(entries.map(|entry| entry.unwrap().path()));
        } else if path
            .extension()
            .is_some_and(|ending| endings.iter().any(|known| ending == *known))
        {
            found.push(path);
        }
    }
    assert!(!found.is_empty(), "{start} is empty");
    found.sort();
    found
}

/// A cited section or rule: its line, its document, and its number.
type Citation = (usize, String, String);

/// Returns the citations of a text, and the lines of malformed ones.
fn citations(source: &str) -> (Vec<Citation>, Vec<String>) {
    // A citation may span the lines of a comment.
    let mark = Regex::new(r"(?m)^[ \t]*(?:///|//!|//|/\*+|\*|#|--)?[ \t]*").unwrap();
    let text = mark.replace_all(source, "");
    let line_of = |offset: usize| text[..offset].matches('\n').count() + 1;
    let page = r"(?i:\b(spec|decisions|security)(?:\.md)?(?:['’]s?)?\]?,?\s+)";
    let list = |item: &str| {
        format!(r"((?:{item})(?:(?:,\s+(?:and\s+)?|\s+and\s+|\s+to\s+|\s*[–-]\s*)(?:{item})\b)*)")
    };
    let (numbers, rules) = (list(r"\d+"), list(r"R\d+"));
    let understood = Regex::new(&format!(r"{page}(?:sections?\s+{numbers}|{rules})\b")).unwrap();
    // A document and possibly its section; a section or a rule of any document.
    let suspect = Regex::new(
        r"(?xi) \b(?:spec|specification|decisions|security)(?:\.md)?(?:['’]s?)?\]?[,:]?\s+\(?
            (?: § | sect | sec\b | chapter | rules?\s+R?\d | (?-i:R)?\d )
          | \bsections?\s+\d | §\s*\d | \b(?-i:R)\d{1,2}\b",
    )
    .unwrap();
    // External documents.
    let foreign = Regex::new(
        r#"(?:RFC\s\d+|NIST\sSP\s[\w-]+|SQLite\sfile\sformat|"?Database\sFile"|XML\s1\.0|CSP\slevel\s3),?\s\(?section\s\d"#,
    )
    .unwrap();
    let mut found = Vec::new();
    let mut known: Vec<_> = foreign.find_iter(&text).map(|it| it.range()).collect();
    for captures in understood.captures_iter(&text) {
        let whole = captures.get(0).unwrap().range();
        let items = captures.get(2).or(captures.get(3)).unwrap().as_str();
        for what in expand(items) {
            found.push((line_of(whole.start), captures[1].to_lowercase(), what));
        }
        known.push(whole);
    }
    let strange = suspect.find_iter(&text).filter(|it| {
        let is_in = |range: &Range<usize>| range.start <= it.start() && it.end() <= range.end;
        !known.iter().any(is_in)
    });
    let strange = strange.map(|it| format!("{}: {}", line_of(it.start()), it.as_str()));
    (found, strange.collect())
}

/// Returns the items of a list like `3, 5 and 6` or `R23 to R25`.
fn expand(items: &str) -> Vec<String> {
    let parts = Regex::new(r"(R?)(\d+)|(?:to|[–-])").unwrap();
    let mut all: Vec<String> = Vec::new();
    let mut last = 0;
    let mut is_range = false;
    for captures in parts.captures_iter(items) {
        let Some(number) = captures.get(2) else {
            is_range = true;
            continue;
        };
        let number: u32 = number.as_str().parse().unwrap();
        let first = if is_range { last + 1 } else { number };
        all.extend((first..=number).map(|number| format!("{}{number}", &captures[1])));
        last = number;
        is_range = false;
    }
    all
}

fn sections() -> BTreeMap<&'static str, BTreeSet<String>> {
    let heading = Regex::new(r"(?m)^## (\d+)\. |^\|(R\d+)\|").unwrap();
    let of = |page: &str| {
        let text = read(&root().join(format!("docs/{page}.md")));
        let found = heading.captures_iter(&text).map(|captures| {
            let number = captures.get(1).or(captures.get(2)).unwrap();
            number.as_str().to_owned()
        });
        found.collect::<BTreeSet<_>>()
    };
    PAGES.into_iter().map(|page| (page, of(page))).collect()
}

#[test]
fn cited_sections_and_rules_exist() {
    let sections = sections();
    for (page, found) in &sections {
        assert!(found.len() > 7, "docs/{page}.md: {found:?}");
    }
    let mut wrong = Vec::new();
    let mut right = 0;
    for (start, endings) in CITING {
        for path in files(start, endings) {
            // Its examples are not citations.
            if path.ends_with("tests/it/citations.rs") {
                continue;
            }
            let name = path.strip_prefix(root()).unwrap().display();
            let (cited, mut strange) = citations(&read(&path));
            if path.ends_with("docs/security.md") {
                strange.retain(|text| !text.contains(": R"));
            }
            for (line, page, what) in cited {
                if sections[page.as_str()].contains(&what) {
                    right += 1;
                } else {
                    wrong.push(format!("{name}:{line}: {page} has no {what}"));
                }
            }
            let strange = strange.into_iter();
            wrong.extend(strange.map(|text| format!("{name}:{text}: of which page?")));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    assert!(right > 60, "only {right} citations were found");
}

#[test]
fn every_form_of_a_citation_is_understood() {
    let cited = |text: &str| {
        let (found, strange) = citations(text);
        let found = found.iter().map(|(_, page, what)| format!("{page} {what}"));
        (found.collect::<Vec<_>>().join("; "), strange.len())
    };
    let forms = [
        ("// (spec section 9).", "spec 9"),
        (
            "//! (spec section 5, decisions\n//! section 3)",
            "spec 5; decisions 3",
        ),
        ("decisions sections 5 and 6.", "decisions 5; decisions 6"),
        ("by the decisions' section 5", "decisions 5"),
        ("[Decisions, section 6](x)", "decisions 6"),
        ("(security, R22 and R23), R", "security R22; security R23"),
        (
            "(security, R23 to\n/// R25)",
            "security R23; security R24; security R25",
        ),
        (
            "(RFC 9110, section 13; RFC 9110 (section 9.1)) of section headings",
            "",
        ),
        ("the spec wants 5 seconds, for security", ""),
    ];
    for (text, expected) in forms {
        assert_eq!(cited(text), (expected.to_owned(), 0), "{text}");
    }
    for text in [
        "spec §5",
        "spec, chapter 5",
        "spec 5",
        "decisions.md, sec. 6",
        "security rule 9",
        "section 5 of the spec",
        "R19",
        "as in section\n// 3.2",
    ] {
        let (found, strange) = cited(text);
        assert!(found.is_empty() && strange > 0, "{text}: {found}");
    }
}

fn without_code(text: &str) -> String {
    let code = Regex::new(r"(?s)(?m:^\s*```.*?^\s*```$)|`[^`\n]*`").unwrap();
    code.replace_all(text, "").into_owned()
}

/// Returns GitHub's anchors of the headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let code = Regex::new(r"(?ms)^\s*```.*?^\s*```$").unwrap();
    let text = code.replace_all(text, "");
    let headings = text
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').trim().to_lowercase());
    headings
        .map(|heading| {
            let kept = heading
                .chars()
                .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
            kept.collect::<String>().replace(' ', "-")
        })
        .collect()
}

#[test]
fn links_of_the_documents_resolve() {
    let link = Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let mut wrong = Vec::new();
    let mut right = 0;
    for path in DOCUMENTS.iter().flat_map(|start| files(start, &["md"])) {
        for captures in link.captures_iter(&without_code(&read(&path))) {
            let target = &captures[1];
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = match file {
                "" => path.clone(),
                file => path.parent().unwrap().join(file),
            };
            let is_there =
                file.exists() && (anchor.is_empty() || anchors(&read(&file)).contains(anchor));
            if is_there {
                right += 1;
            } else {
                wrong.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    assert!(right > 20, "only {right} links were found");
}

/// Returns the names of all folders of the repository, and every path with each of its ends:
/// `http/error.rs` for `src/http/error.rs`, and `http/error`, as documents name modules.
fn folders_and_path_ends() -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut folders, mut ends) = (BTreeSet::new(), BTreeSet::new());
    let mut waiting = vec![root().to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if ["node_modules", "target", ".git"].contains(&name.as_str()) {
                continue;
            }
            let relative = path.strip_prefix(root()).unwrap();
            let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            for start in 0..parts.len() {
                let end = parts[start..].join("/");
                ends.extend(end.rsplit_once('.').map(|(module, _)| module.to_owned()));
                ends.insert(end);
            }
            if path.is_dir() {
                folders.insert(name);
                waiting.push(path);
            }
        }
    }
    (folders, ends)
}

#[test]
fn paths_in_the_documents_exist() {
    let (folders, ends) = folders_and_path_ends();
    let path = Regex::new(
        r"`(\.?[a-z_][\w-]*(?:/[\w-]+)+(?:\.(?:rs|tsx?|css|sql|md|json|m?js|sh|py|toml|txt))?)/?`",
    )
    .unwrap();
    let is_placeholder = |part: &str| part.starts_with(|first: char| first.is_ascii_uppercase());
    let mut wrong = Vec::new();
    let mut right = 0;
    let documents = ["docs", "README.md", "CONTRIBUTING.md"];
    for document in documents.iter().flat_map(|start| files(start, &["md"])) {
        let text = read(&document);
        for captures in path.captures_iter(&text) {
            let named = &captures[1];
            let (first, _) = named.split_once('/').unwrap();
            let is_ours = folders.contains(first) && !named.split('/').any(is_placeholder);
            // Generated, and not committed.
            if !is_ours || named == "frontend/generated" {
                continue;
            }
            if ends.contains(named) {
                right += 1;
            } else {
                wrong.push(format!("{}: {named}", document.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    assert!(right > 100, "only {right} paths were found");
}

#[test]
fn running_and_decisions_have_at_most_5000_words() {
    let pages = ["docs/running.md", "docs/decisions.md"].map(|page| read(&root().join(page)));
    let words: usize = pages
        .iter()
        .map(|page| page.split_whitespace().count())
        .sum();
    assert!(words <= 5_000, "{words} words");
}

#[test]
fn the_reason_for_each_dependency_is_written_down() {
    let cargo = read(&root().join("Cargo.toml"));
    let mut needed = BTreeSet::new();
    let mut is_list = false;
    for line in cargo.lines() {
        if line.starts_with('[') {
            is_list = line.contains("dependencies]");
        } else if is_list && let Some((name, _)) = line.split_once(" =") {
            needed.insert(name.to_owned());
        }
    }
    let package: serde_json::Value =
        serde_json::from_str(&read(&root().join("frontend/package.json"))).unwrap();
    for list in ["dependencies", "devDependencies"] {
        let names = package[list].as_object().unwrap().keys();
        needed.extend(names.cloned());
    }
    let text = read(&root().join("docs/dependencies.md"));
    let row = Regex::new(r"(?m)^\| ([^|]+) \|").unwrap();
    let name = Regex::new("`([^`]+)`").unwrap();
    let listed: BTreeSet<_> = row
        .captures_iter(&text)
        .flat_map(|row| {
            let names = name.captures_iter(row.get(1).unwrap().as_str());
            names.map(|name| name[1].to_owned()).collect::<Vec<_>>()
        })
        .collect();
    let missing: Vec<_> = needed.difference(&listed).collect();
    assert!(missing.is_empty(), "docs/dependencies.md lacks {missing:?}");
    let gone: Vec<_> = listed.difference(&needed).collect();
    assert!(gone.is_empty(), "docs/dependencies.md still has {gone:?}");
}
