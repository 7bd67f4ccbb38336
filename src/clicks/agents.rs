//! User agents of programs, by the patterns of crawler-user-agents, which the build embeds.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::{Regex, RegexSet};

/// One pattern per line: kind, text or regular expression, pattern.
const LIST: &str = include_str!(concat!(env!("OUT_DIR"), "/agents.txt"));

/// Kinds of self-declared programs; first match wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AgentKind {
    /// Link previews of a messenger.
    Preview,
    /// Crawlers.
    Bot,
    /// HTTP libraries.
    Program,
    /// Automated browsers.
    Automated,
}

struct List {
    texts: AhoCorasick,
    of_texts: Vec<(AgentKind, &'static str)>,
    expressions: RegexSet,
    of_expressions: Vec<(AgentKind, Regex)>,
}

static KNOWN: LazyLock<Option<List>> = LazyLock::new(List::read);

impl List {
    /// Parses the list; `None` only if the build is broken.
    fn read() -> Option<Self> {
        let mut of_texts = Vec::new();
        let mut of_expressions = Vec::new();
        for line in LIST.lines() {
            let mut parts = line.splitn(3, '\t');
            let kind = match parts.next()? {
                "preview" => AgentKind::Preview,
                "program" => AgentKind::Program,
                "automated" => AgentKind::Automated,
                _ => AgentKind::Bot,
            };
            match (parts.next()?, parts.next()?) {
                ("text", text) => of_texts.push((kind, text)),
                (_, expression) => of_expressions.push((kind, Regex::new(expression).ok()?)),
            }
        }
        Some(Self {
            texts: AhoCorasick::new(of_texts.iter().map(|(_, text)| text)).ok()?,
            expressions: RegexSet::new(of_expressions.iter().map(|(_, regex)| regex.as_str()))
                .ok()?,
            of_texts,
            of_expressions,
        })
    }

    fn find(&self, agent: &str) -> Option<(AgentKind, String)> {
        let texts = self.texts.find_overlapping_iter(agent).map(|found| {
            let (kind, text) = self.of_texts[found.pattern().as_usize()];
            (kind, text.to_owned())
        });
        let matches = self.expressions.matches(agent);
        let expressions = matches.iter().filter_map(|index| {
            let (kind, expression) = &self.of_expressions[index];
            Some((*kind, expression.find(agent)?.as_str().to_owned()))
        });
        texts.chain(expressions).min_by_key(|(kind, _)| *kind)
    }
}

/// Words in names of programs that no browser has, except a phone called CUBOT, and the contact
/// address of crawlers.
static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)[\w.-]*(bot|crawl|spider|scrap|monitor)[\w.-]*|\+https?:[^\s;)]*").ok()
});

/// Classifies a user agent, with its name; `None` if it may be a person's browser.
pub(super) fn program_of(agent: &str) -> Option<(AgentKind, String)> {
    let listed = KNOWN.as_ref().and_then(|list| list.find(agent));
    let listed = listed.map(|(kind, name)| (kind, trim_name(&name)));
    let words = WORDS.as_ref().into_iter();
    let mut names = words
        .flat_map(|words| words.find_iter(agent))
        .map(|found| found.as_str());
    let named = names.find(|name| !name.to_ascii_uppercase().starts_with("CUBOT"));
    let named = named.map(|name| (AgentKind::Bot, trim_name(name)));
    match listed {
        Some((AgentKind::Preview, _)) => listed,
        // An address says less than a name.
        Some((AgentKind::Bot, ref name)) if !name.contains('/') => listed,
        listed => named.or(listed),
    }
}

/// Trims a name.
fn trim_name(name: &str) -> String {
    name.trim_matches(['/', ' ', '(', ';', '.', '-', '+'])
        .to_owned()
}

/// Returns true if a user agent seems to be a browser that a person uses.
pub fn is_browser(agent: &str) -> bool {
    begins_like_a_browser(agent) && program_of(agent).is_none()
}

/// Returns true if it starts like a browser or an in-app browser.
pub(super) fn begins_like_a_browser(agent: &str) -> bool {
    ["Mozilla/", "Opera/", "[FBAN/"]
        .iter()
        .any(|begin| agent.starts_with(begin))
}

/// Browsers, and their first versions with `Sec-Fetch-Site` over https.
const FETCH_METADATA: [(&str, &str, f32); 3] = [
    ("Chrome/", "", 80.0),
    ("Firefox/", "", 90.0),
    ("Version/", "Safari/", 16.4),
];

/// Returns true for a browser that sends `Sec-Fetch-Site` with every https request (Fetch
/// Metadata).
pub(super) fn sends_fetch_metadata(agent: &str) -> bool {
    FETCH_METADATA.iter().any(|(before, besides, first)| {
        let Some((_, rest)) = agent.split_once(before) else {
            return false;
        };
        let mut parts = rest.split(|c: char| !c.is_ascii_digit());
        let version = [parts.next(), parts.next()]
            .map(Option::unwrap_or_default)
            .join(".");
        agent.contains(besides)
            && version
                .trim_end_matches('.')
                .parse::<f32>()
                .is_ok_and(|version| version >= *first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the agents of an isbot fixture: its list items.
    fn agents(yaml: &str) -> Vec<&str> {
        yaml.lines()
            .filter_map(|line| line.trim_start().strip_prefix("- "))
            .map(|agent| agent.trim_matches(['"', '\'']))
            .collect()
    }

    fn is_left_out(agent: &&&str) -> bool {
        program_of(agent).is_some() || !begins_like_a_browser(agent)
    }

    #[test]
    #[expect(clippy::print_stdout, reason = "the figures are what the test is for")]
    fn most_crawlers_are_recognized_by_their_user_agent() {
        let crawlers = agents(include_str!("../../tests/data/isbot-crawlers.yml"));
        let browsers = agents(include_str!("../../tests/data/isbot-browsers.yml"));
        let found = crawlers.iter().filter(is_left_out).count();
        let taken = browsers.iter().filter(is_left_out).count();
        let listed = browsers
            .iter()
            .filter(|agent| program_of(agent).is_some())
            .count();
        println!(
            "{found} of {} crawlers are known; of {} browsers {taken} are left out, {listed} by \
             their names",
            crawlers.len(),
            browsers.len()
        );
        assert!(
            found * 100 >= crawlers.len() * 91,
            "{found} of {}",
            crawlers.len()
        );
        assert!(
            taken * 100 <= browsers.len() * 21,
            "{taken} of {}",
            browsers.len()
        );
        assert!(listed <= 12, "{listed} of {}", browsers.len());
    }
}
