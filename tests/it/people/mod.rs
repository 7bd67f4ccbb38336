//! People with roles, and programs with keys.

mod examples;
mod invitations;
mod keys;
mod permissions;
mod roles;
mod webhooks;
