//! Words for a device, from its User-Agent.

/// Marks of browsers in a User-Agent, more specific ones first: most claim to be others as well.
const BROWSERS: [(&str, &str); 8] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Marks of systems, more specific ones first.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "Chromebook"),
    ("Linux", "Linux"),
];

/// Returns words like "Chrome on Android"; for programs the name before the version, as in "curl".
pub(super) fn device_words(agent: &str) -> String {
    let named = |marks: &[(&str, &'static str)]| {
        let found = marks.iter().find(|(mark, _)| agent.contains(mark));
        found.map(|(_, name)| *name)
    };
    match (named(&BROWSERS), named(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => {
            let name = agent.split(['/', ' ']).next().unwrap_or_default();
            name.chars()
                .filter(|char| !char.is_control())
                .take(40)
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_agents_are_described_by_browser_and_system() {
        let mobile = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) \
             Chrome/126.0.0.0 Mobile Safari/537.36";
        for (agent, words) in [
            (mobile, "Chrome on Android"),
            (&format!("{mobile} EdgA/126.0"), "Edge on Android"),
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
                "Firefox on Linux",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1",
                "Safari on iPhone",
            ),
            ("curl/8.5.0", "curl"),
            ("", ""),
        ] {
            assert_eq!(device_words(agent), words, "{agent}");
        }
    }
}
