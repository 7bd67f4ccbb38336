//! The page of a product: `product_page`, with its `offers` and the `history` of its price.

mod history;
mod offers;
mod product_page;

pub(super) use product_page::{Contents, details};
