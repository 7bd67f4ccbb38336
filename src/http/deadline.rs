//! How long a request's body may take to arrive.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_http::BoxedPayloadStream;
use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use futures_core::Stream;
use tokio::time::{Sleep, sleep};

/// How long a body may take that is small (security, R9).
const PATIENCE: Duration = Duration::from_secs(12);
/// The slowest that a large one may come, in bytes a millisecond.
const SLOWEST: u64 = 16;

/// Ends bodies that stall or trickle: actix waits for them for ever.
pub(super) async fn body(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let (request, payload) = request.into_parts();
    let payload = match payload {
        Payload::None => Payload::None,
        payload => {
            let timed: BoxedPayloadStream = Box::pin(Timed {
                payload,
                deadline: Box::pin(sleep(PATIENCE)),
            });
            Payload::Stream { payload: timed }
        }
    };
    next.call(ServiceRequest::from_parts(request, payload))
        .await
}

/// Whether a body was ended because it took too long.
pub(super) fn is_too_late(error: &PayloadError) -> bool {
    matches!(error, PayloadError::Io(error) if error.kind() == io::ErrorKind::TimedOut)
}

struct Timed {
    payload: Payload,
    deadline: Pin<Box<Sleep>>,
}

impl Stream for Timed {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        match Pin::new(&mut this.payload).poll_next(context) {
            Poll::Ready(Some(Ok(bytes))) => {
                let earned = Duration::from_millis(bytes.len() as u64 / SLOWEST);
                let until = this.deadline.deadline() + earned;
                this.deadline.as_mut().reset(until);
                Poll::Ready(Some(Ok(bytes)))
            }
            Poll::Pending => this
                .deadline
                .as_mut()
                .poll(context)
                .map(|()| Some(Err(PayloadError::Io(io::ErrorKind::TimedOut.into())))),
            ended => ended,
        }
    }
}
