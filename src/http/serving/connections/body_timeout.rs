//! How long a request's body may take to arrive.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_http::BoxedPayloadStream;
use actix_web::body::MessageBody;
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::http::Version;
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpRequest};
use futures_core::Stream;
use tokio::time::{Instant, Sleep, sleep};

use super::limits::Requests;

/// How long a body may take that is small (security, R9).
const PATIENCE: Duration = Duration::from_secs(12);
/// The slowest that a large one may come, in bytes a millisecond.
const SLOWEST: u64 = 16;

/// How long whoever still sends a body when they are answered may take to read that.
pub(crate) const LINGER: Duration = Duration::from_secs(1);

/// Ends bodies that stall or trickle: actix waits for them for ever. Over HTTP/1 the
/// connection ends with a body that is late, even where nobody reads it.
pub(crate) async fn body(
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
                connection: connection_of(&request),
                has_ended: false,
            });
            Payload::Stream { payload: timed }
        }
    };
    next.call(ServiceRequest::from_parts(request, payload))
        .await
}

/// The connection, where a body that is not read would be waited for: of HTTP/2, only the
/// stream is ended.
fn connection_of(request: &HttpRequest) -> Option<Requests> {
    let requests = request.conn_data::<Requests>()?;
    (request.version() < Version::HTTP_2).then(|| requests.clone())
}

/// Whether a body was ended because it took too long.
pub(crate) fn is_too_late(error: &PayloadError) -> bool {
    matches!(error, PayloadError::Io(error) if error.kind() == io::ErrorKind::TimedOut)
}

struct Timed {
    payload: Payload,
    deadline: Pin<Box<Sleep>>,
    connection: Option<Requests>,
    has_ended: bool,
}

impl Drop for Timed {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take_if(|_| !self.has_ended) {
            let until = self.deadline.deadline().max(Instant::now() + LINGER);
            connection.leave_unread(until);
        }
    }
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
            ended => {
                this.has_ended = true;
                ended
            }
        }
    }
}
