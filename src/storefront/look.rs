//! The shop's colours and logo.

use sha2::{Digest, Sha256};

use crate::domain::{AccentColours, Categories, Colour, Palette, Settings, hex};

/// Default accent colour, that of `tokens.css` in the light theme.
pub(super) const USUAL_ACCENT: Colour = Colour::of_channels([0xf4, 0xb2, 0x23]);
/// The default logo.
const FAVICON: &[u8] = include_bytes!("../../frontend/public/favicon.svg");

/// The logo as a file to serve.
pub(crate) struct LogoFile {
    /// Path that changes with the content.
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// The tokens of `frontend/src/styles/tokens.css` that depend on the accent.
pub(super) fn colour_styles(Palette { light, dark }: &Palette) -> String {
    let (light, dark) = (tokens(light), tokens(dark));
    // Tokens that both themes share are written once, with the specificity of the file's dark tokens, which they replace.
    let of_dark = dark.iter().zip(&light);
    let of_dark = of_dark.filter_map(|(dark, light)| (dark != light).then_some(dark.as_str()));
    let (dark, light) = (of_dark.collect::<Vec<_>>().join(";"), light.join(";"));
    format!(
        ":root:root{{{light}}}@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\
         :root[data-theme=dark]{{{dark}}}"
    )
}

fn tokens(colours: &AccentColours) -> [String; 8] {
    [
        ("accent", colours.accent),
        ("accent-bg", colours.accent_bg),
        ("fill", colours.fill),
        ("fill-below", colours.fill_strong),
        ("on-fill", colours.on_fill),
        ("band", colours.band),
        ("on-band", colours.on_band),
        ("on-band-2", colours.on_band_2),
    ]
    .map(|(name, colour)| format!("--{name}:{colour}"))
}

/// Rules of the grounds after the fourth, which few shops have (`frontend/src/product/product-picture.tsx`).
const GROUNDS: &str = ".ground-5{--g:light-dark(#e6def4,#a69bbc)}\
.ground-6{--g:light-dark(#d5ebec,#88a9ab)}\
.ground-7{--g:light-dark(#f6e1cc,#b8a183)}\
.ground-8{--g:light-dark(#e5e5e1,#a3a39d)}";

/// Returns the rules of further grounds if a category has one.
pub(super) fn ground_styles(categories: &Categories) -> &'static str {
    if categories.all().iter().any(|listed| listed.ground > 4) {
        GROUNDS
    } else {
        ""
    }
}

/// The owner's logo, else the first letter of the shop's name, else the default.
pub(super) fn logo_file(settings: &Settings) -> LogoFile {
    let (kind, bytes) = match &settings.logo {
        Some(logo) => (logo.kind, logo.bytes.clone()),
        None if settings.shop.name.is_empty() => ("image/svg+xml", FAVICON.to_vec()),
        None => ("image/svg+xml", letter_logo(settings).into()),
    };
    let ending = match kind {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        _ => "svg",
    };
    let hash = Sha256::digest(&bytes);
    let name = hex(&hash[..8]);
    LogoFile {
        path: format!("/mark/{name}.{ending}"),
        kind,
        bytes,
    }
}

/// First letter or digit of a name, in upper case.
pub(crate) fn letter_of(name: &str) -> Option<String> {
    let first = name.chars().find(|c| c.is_alphanumeric())?;
    Some(first.to_uppercase().collect())
}

/// Accent colours of the light theme.
pub(crate) fn accent_colours(settings: &Settings) -> AccentColours {
    Palette::from_accent(settings.shop.accent.unwrap_or(USUAL_ACCENT)).light
}

fn letter_logo(settings: &Settings) -> String {
    let letter = letter_of(&settings.shop.name).unwrap_or_else(|| "D".to_owned());
    let AccentColours { fill, on_fill, .. } = accent_colours(settings);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 32\">\
         <rect width=\"32\" height=\"32\" rx=\"7\" fill=\"{fill}\"/>\
         <text x=\"16\" y=\"23\" fill=\"{on_fill}\" font-family=\"system-ui,sans-serif\" \
         font-size=\"20\" font-weight=\"700\" text-anchor=\"middle\">{letter}</text></svg>"
    )
}
