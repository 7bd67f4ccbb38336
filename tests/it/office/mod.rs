//! What an owner does and reads.

mod looks;
mod overview;
mod reports;
mod sources;
mod verdicts;
