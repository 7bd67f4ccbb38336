//! People with roles, and programs with keys.

mod examples;
mod keys;
mod permissions;
