//! Enums whose variants have a name on the wire and in the database.

/// Defines an enum with `ALL`, `as_str` and `parse`: `named! { Name { Variant = "name"; } }`.
macro_rules! named_enum {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $wire:literal;)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, utoipa::ToSchema)]
        pub enum $name {
            $(
                $(#[$doc])*
                #[doc = concat!("`", $wire, "`")]
                #[schema(rename = $wire)]
                $variant,
            )+
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl $name {
            /// Every variant, in the order of declaration.
            pub const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];

            /// The name on the wire and in the database.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire,)+ }
            }

            /// Finds a variant by its exact name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.as_str() == name)
            }
        }
    };
}

pub(crate) use named_enum as named;
