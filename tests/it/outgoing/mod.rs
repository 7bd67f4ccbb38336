//! What the shop sends out by itself, to services in the test's process.

mod channels;
