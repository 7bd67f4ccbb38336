//! Pages for visitors.

mod assets;
mod browser;
mod capture;
mod crawling;
mod engines;
mod home;
mod icons;
mod publication;
mod removed;
pub mod seo;
pub mod server_rendering;
mod sharing;
mod structured_data;
mod weight;
