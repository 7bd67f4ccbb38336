//! People with roles, and programs with keys.

mod examples;
mod invitations;
pub mod keys;
mod names;
pub mod permissions;
mod roles;
pub mod webhooks;
