//! Channels that visitors come from.

use crate::domain::Channel;

/// Values of `utm_source` and parts of host names.
const KNOWN: [(&str, Channel); 45] = [
    ("telegram", Channel::Telegram),
    ("t.me", Channel::Telegram),
    ("discord", Channel::Discord),
    ("whatsapp", Channel::Whatsapp),
    ("wa.me", Channel::Whatsapp),
    ("instagram", Channel::Instagram),
    ("ig", Channel::Instagram),
    ("facebook", Channel::Facebook),
    ("fb", Channel::Facebook),
    ("fb.me", Channel::Facebook),
    ("messenger", Channel::Facebook),
    ("x", Channel::X),
    ("x.com", Channel::X),
    ("t.co", Channel::X),
    ("twitter", Channel::X),
    ("youtube", Channel::Youtube),
    ("youtu.be", Channel::Youtube),
    ("reddit", Channel::Reddit),
    ("chatgpt", Channel::Ai),
    ("openai", Channel::Ai),
    ("perplexity", Channel::Ai),
    ("gemini", Channel::Ai),
    ("copilot", Channel::Ai),
    ("claude", Channel::Ai),
    ("mail", Channel::Mail),
    ("email", Channel::Mail),
    ("newsletter", Channel::Mail),
    ("gmail", Channel::Mail),
    ("outlook", Channel::Mail),
    ("feed", Channel::Feed),
    ("rss", Channel::Feed),
    ("feedly", Channel::Feed),
    ("push", Channel::Push),
    ("notification", Channel::Push),
    ("google", Channel::Search),
    ("bing", Channel::Search),
    ("duckduckgo", Channel::Search),
    ("yahoo", Channel::Search),
    ("ecosia", Channel::Search),
    ("brave", Channel::Search),
    ("yandex", Channel::Search),
    ("baidu", Channel::Search),
    ("startpage", Channel::Search),
    ("qwant", Channel::Search),
    ("search", Channel::Search),
];

/// In-app browsers that send no referrer.
const APPS: [(&str, Channel); 4] = [
    ("Instagram", Channel::Instagram),
    ("FBAV", Channel::Facebook),
    ("[FBAN/", Channel::Facebook),
    ("MetaIAB", Channel::Facebook),
];

/// Returns the channel by `utm_source` or referrer, else by the app; `own` is the shop's host.
pub(super) fn channel_of(from: &str, agent: &str, own: &str) -> Channel {
    let name = host(from.trim()).to_ascii_lowercase();
    if name.is_empty() || name == own {
        let app = APPS.iter().find(|(word, _)| agent.contains(word));
        return app.map_or(Channel::Direct, |(_, channel)| *channel);
    }
    let is_part = |known: &str| {
        name == known
            || name.ends_with(&format!(".{known}"))
            || !known.contains('.') && known.len() > 2 && name.split('.').any(|part| part == known)
    };
    let known = KNOWN.iter().find(|(known, _)| is_part(known));
    known.map_or(Channel::Site, |(_, channel)| *channel)
}

/// The host of an address, or the text itself.
fn host(from: &str) -> &str {
    let Some((_, rest)) = from.split_once("://") else {
        return from;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.split(':').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn click_channels_are_found_by_name_and_host() {
        for (from, agent, channel) in [
            ("", "Mozilla/5.0", Channel::Direct),
            (
                "https://deals.example/?page=2",
                "Mozilla/5.0",
                Channel::Direct,
            ),
            ("telegram", "", Channel::Telegram),
            ("discord", "", Channel::Discord),
            ("https://web.telegram.org/", "", Channel::Telegram),
            ("https://t.me/example", "", Channel::Telegram),
            ("https://www.google.co.in/", "", Channel::Search),
            ("android-app://com.google.android.gm/", "", Channel::Search),
            ("https://l.instagram.com/?u=1", "", Channel::Instagram),
            ("https://x.com/a", "", Channel::X),
            ("https://netflix.com/a", "", Channel::Site),
            ("https://example.org:8443/x", "", Channel::Site),
            (
                "",
                "Mozilla/5.0 (iPhone) Instagram 300.0",
                Channel::Instagram,
            ),
            ("", "[FBAN/FBIOS;FBAV/400]", Channel::Facebook),
        ] {
            assert_eq!(
                channel_of(from, agent, "deals.example"),
                channel,
                "{from} {agent}"
            );
        }
    }
}
