//! Words for the same thing, in lines like `saree = sari = sadi` or `kurta > kurti`.

use std::collections::BTreeMap;

use crate::domain::folded_words;

/// A line of different folded words: each finds the others, or the first one finds the second, which is
/// a kind of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SameWordsLine {
    words: Vec<String>,
    has_kind: bool,
}

impl SameWordsLine {
    /// Limits: lines, words of a line, characters of a word, and other words that a word may find.
    const MAX_LINES: usize = 200;
    const MAX_WORDS: usize = 10;
    const MAX_LENGTH: usize = 40;
    const MAX_OTHERS: usize = 20;

    /// Parses a text of lines; empty ones and those that begin with `#` are left out.
    ///
    /// # Errors
    ///
    /// Returns a sentence for each wrong line, with its number.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, Vec<String>> {
        let (mut lines, mut problems) = (Vec::new(), Vec::new());
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        for (at, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let parsed = Self::parse(line).and_then(|line| {
                for (word, others) in line.finds() {
                    let sum = found.entry(word.to_owned()).or_default();
                    *sum += others.len();
                    if *sum > Self::MAX_OTHERS {
                        let most = Self::MAX_OTHERS;
                        return Err(format!("{word} would find more than {most} other words."));
                    }
                }
                Ok(line)
            });
            match parsed {
                Ok(line) => lines.push(line),
                Err(reason) => problems.push(format!("Line {at}: {reason}")),
            }
        }
        if lines.len() > Self::MAX_LINES {
            let most = Self::MAX_LINES;
            problems.push(format!("There can be at most {most} lines."));
        }
        if problems.is_empty() {
            Ok(lines)
        } else {
            Err(problems)
        }
    }

    fn parse(line: &str) -> Result<Self, String> {
        let has_kind = line.contains('>');
        if has_kind && line.contains('=') {
            return Err("use = or >, not both.".to_owned());
        }
        let mut words: Vec<String> = Vec::new();
        for part in line.split(['=', '>']).map(str::trim) {
            let mut folded = folded_words(part);
            let (Some(word), true) = (folded.pop(), folded.is_empty()) else {
                return Err(match part {
                    "" => "a word is missing beside = or >.".to_owned(),
                    part => format!("“{part}” must be one word."),
                });
            };
            let most = Self::MAX_LENGTH;
            if word.chars().count() > most {
                return Err(format!("a word has at most {most} characters."));
            }
            if words.contains(&word) {
                return Err(format!("{word} stands there twice."));
            }
            words.push(word);
        }
        match (words.len(), has_kind) {
            (1, _) => Err("write it like saree = sari, or kurta > kurti.".to_owned()),
            (3.., true) => Err("give each kind a line of its own.".to_owned()),
            (words, _) if words > Self::MAX_WORDS => {
                let most = Self::MAX_WORDS;
                Err(format!("a line has at most {most} words."))
            }
            _ => Ok(Self { words, has_kind }),
        }
    }

    /// The words, folded.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns the words that find others, each with these.
    pub fn finds(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        let finding = if self.has_kind { 1 } else { self.words.len() };
        self.words.iter().take(finding).map(|word| {
            let others = self.words.iter().filter(|other| *other != word);
            (word.as_str(), others.map(String::as_str).collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_give_equal_words_and_kinds() {
        let lines = "# Sarees\n\nSaree = sari=Sádi\r\n kurta > kurti ";
        let lines = SameWordsLine::parse_all(lines).unwrap();
        let finds: Vec<_> = lines.iter().flat_map(SameWordsLine::finds).collect();
        assert_eq!(
            finds,
            [
                ("saree", vec!["sari", "sadi"]),
                ("sari", vec!["saree", "sadi"]),
                ("sadi", vec!["saree", "sari"]),
                ("kurta", vec!["kurti"]),
            ]
        );
    }

    #[test]
    fn a_wrong_line_is_refused_with_its_number_and_reason() {
        let long = format!("{} = saree", "a".repeat(41));
        let many = (0..11).map(|n| format!("w{n}")).collect::<Vec<_>>();
        let many = many.join(" = ");
        for (line, reason) in [
            ("saree", "write it like saree = sari"),
            ("saree =", "a word is missing"),
            ("= saree", "a word is missing"),
            ("saree = = sari", "a word is missing"),
            ("saree = half saree", "“half saree” must be one word."),
            ("saree = ★", "“★” must be one word."),
            ("saree = SAREE", "saree stands there twice."),
            ("kurta > kurti = top", "use = or >, not both."),
            ("kurta > kurti > top", "give each kind a line of its own."),
            (&long, "a word has at most 40 characters."),
            (&many, "a line has at most 10 words."),
        ] {
            let text = format!("tee = tshirt\n\n{line}\nmug = cup");
            let problems = SameWordsLine::parse_all(&text).unwrap_err();
            assert_eq!(problems.len(), 1, "{line}");
            let expected = format!("Line 3: {reason}");
            assert!(problems[0].starts_with(&expected), "{problems:?}");
        }
    }

    #[test]
    fn the_lines_and_the_other_words_of_a_word_are_limited() {
        let lines = |number: usize| -> Result<_, _> {
            let lines: Vec<String> = (0..number).map(|n| format!("a{n} = b{n}")).collect();
            SameWordsLine::parse_all(&lines.join("\n"))
        };
        assert_eq!(lines(200).map(|lines| lines.len()), Ok(200));
        assert_eq!(
            lines(201),
            Err(vec!["There can be at most 200 lines.".to_owned()])
        );
        let kinds: Vec<String> = (0..21).map(|n| format!("shoe > kind{n}")).collect();
        let problems = SameWordsLine::parse_all(&kinds.join("\n")).unwrap_err();
        let expected = "Line 21: shoe would find more than 20 other words.";
        assert_eq!(problems, [expected]);
    }
}
