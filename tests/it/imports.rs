//! Dependencies between the files of `src`, by `use` declarations and paths.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module's path; empty for the crate.
pub type Module = Vec<String>;

/// Dependencies of every file of `src`.
pub struct Imports {
    files: BTreeMap<Module, PathBuf>,
    /// Paths used by each module, as written.
    named: BTreeMap<Module, BTreeSet<Vec<String>>>,
    /// Re-exports (`pub use`) by path.
    exported: BTreeMap<Vec<String>, Vec<String>>,
}

impl Imports {
    pub fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = BTreeMap::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    files.insert(module_of(path.strip_prefix(&root).unwrap()), path);
                }
            }
        }
        let mut imports = Self {
            files,
            named: BTreeMap::new(),
            exported: BTreeMap::new(),
        };
        for (module, path) in imports.files.clone() {
            let source = fs::read_to_string(path).unwrap();
            // Tests may use any module.
            let source = source.split("#[cfg(test)]\nmod ").next().unwrap();
            imports.read_file(&module, &without_comments(source));
        }
        imports
    }

    fn read_file(&mut self, module: &Module, source: &str) {
        let mut named = BTreeSet::new();
        let mut rest = String::new();
        for statement in source.split_inclusive(';') {
            let Some((public, tree)) = use_declaration(statement) else {
                rest.push_str(statement);
                continue;
            };
            for leaf in leaves(tree) {
                let (path, name) = leaf.split_once(" as ").unwrap_or((&leaf, ""));
                let path: Vec<String> = path.split("::").map(str::to_owned).collect();
                let Some(path) = self.absolute(module, &path) else {
                    continue;
                };
                if public {
                    let name = [name, path.last().unwrap()][usize::from(name.is_empty())];
                    let exported = [module.clone(), vec![name.to_owned()]].concat();
                    self.exported.insert(exported, path);
                } else {
                    named.insert(path);
                }
            }
        }
        for path in paths(&rest) {
            named.extend(self.absolute(module, &path));
        }
        self.named.insert(module.clone(), named);
    }

    /// Returns the path from the crate root; `None` for another crate.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Vec<String>> {
        let ups = path.iter().take_while(|part| *part == "super").count();
        let (from, rest) = match path[0].as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (module.clone(), &path[1..]),
            "super" => (
                module[..module.len().checked_sub(ups)?].to_vec(),
                &path[ups..],
            ),
            _ => {
                let child = [module.clone(), vec![path[0].clone()]].concat();
                if !self.files.contains_key(&child) {
                    return None;
                }
                (module.clone(), path)
            }
        };
        Some([from, rest.to_vec()].concat())
    }

    fn file_of(&self, path: &[String]) -> Module {
        for length in (1..=path.len()).rev() {
            if let Some(target) = self.exported.get(&path[..length]) {
                return self.file_of(&[target, &path[length..]].concat());
            }
            if self.files.contains_key(&path[..length]) {
                return path[..length].to_vec();
            }
        }
        Vec::new()
    }

    /// Returns the files that each file uses, without its ancestors: they are facades that their
    /// children extend.
    pub fn edges(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let uses = |(module, paths): (&Module, &BTreeSet<Vec<String>>)| {
            let targets = paths.iter().map(|path| self.file_of(path));
            let targets = targets.filter(|target| !module.starts_with(target));
            (module.clone(), targets.collect())
        };
        self.named.iter().map(uses).collect()
    }
}

pub fn cycles<T: Ord + Clone>(edges: &BTreeMap<T, BTreeSet<T>>) -> Vec<BTreeSet<T>> {
    let reached = |from: &T| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(module) = open.pop() {
            for next in edges.get(module).into_iter().flatten() {
                if reached.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        reached
    };
    let reached: BTreeMap<&T, BTreeSet<T>> = edges
        .keys()
        .map(|module| (module, reached(module)))
        .collect();
    let mut cycles: Vec<BTreeSet<T>> = Vec::new();
    for (module, all) in &reached {
        if all.contains(*module) && !cycles.iter().any(|cycle| cycle.contains(*module)) {
            let back = all.iter().filter(|other| {
                reached
                    .get(other)
                    .is_some_and(|reached| reached.contains(*module))
            });
            cycles.push(back.cloned().collect());
        }
    }
    cycles
}

fn module_of(file: &Path) -> Module {
    let mut parts: Module = file
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    if matches!(parts.last().unwrap().as_str(), "mod" | "lib" | "main") {
        parts.pop();
    }
    parts
}

fn without_comments(source: &str) -> String {
    let code = source.lines().map(|line| line.split("//").next().unwrap());
    code.collect::<Vec<_>>().join("\n")
}

/// Parses a `use`: whether it is public, and its tree.
fn use_declaration(statement: &str) -> Option<(bool, &str)> {
    let at = statement.rfind("\nuse ").map(|at| at + 1);
    let at = at.or_else(|| {
        let at = statement.rfind("use ")?;
        let before = statement[..at].rsplit('\n').next()?.trim();
        (before.is_empty() || before.starts_with("pub")).then_some(at)
    })?;
    let before = statement[..at].rsplit('\n').next()?;
    let tree = statement[at + 4..].strip_suffix(';')?;
    Some((before.contains("pub"), tree))
}

/// Expands a `use` tree to paths.
fn leaves(tree: &str) -> Vec<String> {
    let tree = tree.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some(open) = tree.find('{') else {
        return vec![tree.trim().to_owned()];
    };
    let before = tree[..open].trim();
    let inside = &tree[open + 1..tree.rfind('}').unwrap()];
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0, 0);
    for (at, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inside[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[from..]);
    let parts = parts
        .into_iter()
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts
        .flat_map(leaves)
        .map(|leaf| match leaf.as_str() {
            "self" => before.trim_end_matches("::").to_owned(),
            _ => format!("{before}{leaf}"),
        })
        .collect()
}

/// Returns every path in code: identifiers joined by `::`.
fn paths(code: &str) -> Vec<Vec<String>> {
    code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
        .filter(|word| word.contains("::") && !word.starts_with(':'))
        .map(|word| {
            let parts = word.split("::").filter(|part| !part.is_empty());
            parts.map(str::to_owned).collect::<Vec<_>>()
        })
        .filter(|path| path.len() > 1)
        .collect()
}

#[test]
fn every_form_of_a_module_path_is_parsed() {
    for (tree, expected) in [
        ("crate::http", vec!["crate::http"]),
        (
            "crate::{http, store as s}",
            vec!["crate::http", "crate::store as s"],
        ),
        (
            "crate::{\n    http::{self, api::{a, b}},\n    cli,\n}",
            vec![
                "crate::http",
                "crate::http::api::a",
                "crate::http::api::b",
                "crate::cli",
            ],
        ),
        ("super::super::x", vec!["super::super::x"]),
    ] {
        assert_eq!(leaves(tree), expected);
    }
    assert_eq!(use_declaration("\n\npub use a::b;"), Some((true, "a::b")));
    assert_eq!(
        use_declaration("}\n    use super::c;"),
        Some((false, "super::c"))
    );
    assert_eq!(use_declaration("\nlet because = 1;"), None);
    assert_eq!(paths("crate::a::B::new(x) + y::z")[1], ["y", "z"]);
}
