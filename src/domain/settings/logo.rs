//! The shop's logo, which the owner uploads.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::domain::CONSTANTS;

/// The shop's logo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    /// `image/svg+xml`, `image/png` or `image/jpeg`.
    pub kind: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Allowed SVG elements: none that can run, load, link or animate (OWASP ASVS 5.0, 1.3.4).
const ELEMENTS: [&str; 20] = [
    "svg",
    "g",
    "defs",
    "symbol",
    "use",
    "title",
    "desc",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "text",
    "tspan",
    "linearGradient",
    "radialGradient",
    "stop",
    "clipPath",
];

impl Logo {
    /// Validates an SVG file without scripts, a PNG or a JPEG.
    ///
    /// # Errors
    ///
    /// Returns a message that says what to upload instead.
    pub fn read(bytes: Vec<u8>) -> Result<Self, String> {
        if bytes.len() > CONSTANTS.max_logo_bytes {
            return Err("The logo must be at most 256 kB.".to_owned());
        }
        let kind = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            "image/png"
        } else if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
            "image/jpeg"
        } else if let Ok(text) = std::str::from_utf8(&bytes)
            && text.contains("<svg")
        {
            check_drawing(text)?;
            "image/svg+xml"
        } else {
            return Err("The logo must be an SVG, PNG or JPEG file.".to_owned());
        };
        Ok(Self { kind, bytes })
    }

    /// Finds a media type among the allowed ones.
    pub fn media_type(name: &str) -> Option<&'static str> {
        ["image/svg+xml", "image/png", "image/jpeg"]
            .into_iter()
            .find(|kind| *kind == name)
    }
}

fn check_drawing(text: &str) -> Result<(), String> {
    let broken = || "The logo's SVG file can't be read: it is not well-formed.".to_owned();
    let mut reader = Reader::from_str(text);
    let mut first = true;
    let mut open = 0_usize;
    loop {
        match reader.read_event().map_err(|_| broken())? {
            Event::Start(element) => {
                check_element(&element, first)?;
                first = false;
                open += 1;
            }
            Event::Empty(element) => {
                check_element(&element, first)?;
                first = false;
            }
            Event::End(_) => open = open.saturating_sub(1),
            Event::DocType(_) | Event::PI(_) => {
                return Err("The logo's SVG file must not have a DOCTYPE or instructions: save it as plain SVG.".to_owned());
            }
            Event::Eof if first || open > 0 => return Err(broken()),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

fn check_element(element: &BytesStart<'_>, first: bool) -> Result<(), String> {
    let name = element.name();
    let named: &str = name.as_ref();
    if first && named != "svg" {
        return Err("The logo's SVG file must begin with <svg>.".to_owned());
    }
    if !ELEMENTS.contains(&named) {
        return Err(format!(
            "The logo's SVG file has <{named}>, which is not allowed: only shapes, gradients and text are."
        ));
    }
    for attribute in element.attributes() {
        let attribute =
            attribute.map_err(|_| "The logo's SVG file has a broken attribute.".to_owned())?;
        let key = attribute.key.as_ref().to_lowercase();
        let value = attribute.value.to_lowercase();
        let value: String = value.chars().filter(|c| !c.is_whitespace()).collect();
        let links = key == "href" || key.ends_with(":href");
        let leads_out = links && !value.starts_with('#');
        // `url()` may only refer to parts of the same file.
        let loads = value.replace("url(#", "").contains("url(") || value.contains("@import");
        let hides = value.contains('&') || value.contains('\\');
        if key.starts_with("on") || leads_out || loads || (hides && !key.starts_with("xmlns")) {
            return Err(format!(
                "The logo's SVG file has {key} in <{named}>, which can run or load something: remove it."
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SVG: &str = "http://www.w3.org/2000/svg";

    fn read(inner: &str) -> Result<Logo, String> {
        Logo::read(format!("<svg xmlns=\"{SVG}\" viewBox=\"0 0 1 1\">{inner}</svg>").into_bytes())
    }

    #[test]
    fn svg_and_png_logos_are_accepted() {
        let drawing = "<defs><linearGradient id=\"a\"><stop offset=\"0\" stop-color=\"#fff\"/>\
                       </linearGradient></defs><path fill=\"url(#a)\" d=\"M0 0h1v1z\"/>\
                       <use href=\"#a\"/><text style=\"font-weight:600\">S &amp; A</text>";
        assert_eq!(read(drawing).unwrap().kind, "image/svg+xml");
        assert_eq!(
            Logo::read(b"\x89PNG\r\n\x1a\n....".to_vec()).unwrap().kind,
            "image/png"
        );
    }

    #[test]
    fn svg_logos_with_scripts_or_external_references_are_refused() {
        for refused in [
            "<script>alert(1)</script>",
            "<path onload=\"alert(1)\"/>",
            "<path ONCLICK=\"alert(1)\"/>",
            "<image href=\"https://evil.example/\"/>",
            "<foreignObject><b/></foreignObject>",
            "<use href=\"https://evil.example/#a\"/>",
            "<use xlink:href=\"data:image/svg+xml,x\"/>",
            "<a href=\"javascript:alert(1)\"><path/></a>",
            "<animate attributeName=\"href\"/>",
            "<set attributeName=\"x\"/>",
            "<style>@import url(https://evil.example)</style>",
            "<path style=\"fill:url(https://evil.example)\"/>",
            "<path style=\"fill:u&#114;l(https://evil.example)\"/>",
            "<path style=\"fill:\\75rl(https://evil.example)\"/>",
            "<svg:script>1</svg:script>",
            "<path",
            "<g>",
        ] {
            assert!(read(refused).is_err(), "{refused}");
        }
        let entity = "<!DOCTYPE svg [<!ENTITY a \"b\">]><svg/>";
        assert!(Logo::read(entity.into()).is_err());
        assert!(Logo::read(b"<?xml-stylesheet href=\"x\"?><svg/>".to_vec()).is_err());
        assert!(Logo::read(b"GIF89a".to_vec()).is_err());
        assert!(Logo::read(vec![0; CONSTANTS.max_logo_bytes + 1]).is_err());
    }
}
