//! Looks at the site's certificate.

use jiff::Timestamp;

use super::Context;
use super::runner::{Next, Outcome};

/// Logs a certificate that visitors' browsers refuse, or soon will, and a key that others can read.
pub(super) fn run(context: &Context) -> Outcome {
    let Some(certificate) = &context.certificate else {
        return Ok(Next::Off);
    };
    certificate.condition(Timestamp::now()).log();
    if let Some(exposed) = certificate.exposed_key() {
        tracing::warn!("certificate: {exposed}");
    }
    Ok(Next::AtInterval)
}
