//! The content security policy, which every answer has (OWASP ASVS 3.4.3).

/// An empty style element, which a code input inserts.
const EMPTY_STYLE: &str = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/// Scripts only from the site itself, styles from the site, and in a page only its own, by their hashes.
/// Product pictures come from anywhere.
pub(super) fn content_security_policy(styles: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' {EMPTY_STYLE} {styles}; \
         img-src 'self' https: http:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
         font-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
    )
}
