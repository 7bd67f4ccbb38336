//! The content security policy of every response (OWASP ASVS 3.4.3).

/// Hash of the empty style element that a code input inserts.
const EMPTY_STYLE: &str = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/// Allows scripts of the site itself, styles of the site and by hash, and pictures from anywhere.
pub(super) fn content_security_policy(styles: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' {EMPTY_STYLE} {styles}; \
         img-src 'self' https: http:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
         font-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
    )
}
