//! Accounts, their sessions, and whoever attacks them.

mod attacks;
mod codes;
mod guessing;
mod mails;
mod registration;
mod sessions;
