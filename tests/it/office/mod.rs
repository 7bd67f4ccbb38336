//! What an owner does and reads.

mod lifetimes;
mod looks;
mod offers;
mod overview;
mod pictures;
mod prices;
mod reports;
mod sources;
mod states;
mod verdicts;
