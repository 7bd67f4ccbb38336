//! Looks at the site's certificate.

use jiff::Timestamp;

use super::Context;
use super::runner::{Next, Outcome};
use crate::maintenance::certificates::Condition;

/// Logs a certificate that visitors' browsers refuse, or soon will.
pub(super) fn run(context: &Context) -> Outcome {
    let Some(files) = &context.certificate else {
        return Ok(Next::Off);
    };
    match files.condition(Timestamp::now()) {
        Condition::Fine(found) => tracing::debug!("certificate: {found}"),
        Condition::EndsSoon(found) => tracing::warn!("certificate: {found}"),
        Condition::Unusable(found) => tracing::error!("certificate: {found}"),
    }
    Ok(Next::AtInterval)
}
