//! Addresses of places in object storage, like `s3://bucket/shop`.

use std::fmt;

use object_store::path::Path;

/// A bucket, and the prefix of a shop's objects in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    pub(super) bucket: String,
    pub(super) prefix: Path,
}

impl Address {
    /// Parses an address; `None` for the name of a file or folder.
    ///
    /// # Errors
    ///
    /// A sentence about an address that no bucket can have.
    pub fn parse(text: &str) -> Option<Result<Self, String>> {
        let (scheme, rest) = text.split_once("://")?;
        Some(Self::parse_rest(scheme, rest))
    }

    fn parse_rest(scheme: &str, rest: &str) -> Result<Self, String> {
        if scheme != "s3" {
            return Err(format!(
                "{scheme}:// is not known: write s3://bucket/shop. Cloudflare, Tigris, MinIO, Google and \
                 others speak S3 too: AWS_ENDPOINT_URL names their address"
            ));
        }
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        if bucket.len() < 3 || !bucket.chars().all(is_name) {
            return Err(format!(
                "no bucket can be named {bucket:?}: names have at least three letters, digits, \
                 hyphens and dots. Write s3://bucket/shop"
            ));
        }
        let prefix = Path::parse(prefix).map_err(|_| {
            format!(
                "{prefix:?} can't be a prefix: it has an empty part, a part . or .., or a control \
                 character. Write s3://{bucket}/shop"
            )
        })?;
        Ok(Self {
            bucket: bucket.to_owned(),
            prefix,
        })
    }

    /// Splits an address into the one above and the last part of its name.
    pub fn split(&self) -> (Self, String) {
        let name = self.prefix.filename().unwrap_or_default().to_owned();
        let parts = self.prefix.parts().count().saturating_sub(1);
        let above = Self {
            prefix: self.prefix.parts().take(parts).collect(),
            ..self.clone()
        };
        (above, name)
    }

    /// Returns the address of an object with this name below the prefix.
    pub fn join(&self, name: &str) -> Self {
        let mut prefix = self.prefix.clone();
        for part in name.split('/') {
            prefix = prefix.join(part);
        }
        Self {
            prefix,
            ..self.clone()
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s3://{}", self.bucket)?;
        if self.prefix.as_ref().is_empty() {
            return Ok(());
        }
        write!(f, "/{}", self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bucket_addresses_are_distinguished_from_file_paths() {
        for (text, written) in [
            ("s3://my-bucket/shop", "s3://my-bucket/shop"),
            ("s3://my-bucket/", "s3://my-bucket"),
            ("s3://shop/a/b/", "s3://shop/a/b"),
            ("s3://shop/दुकान एक", "s3://shop/दुकान एक"),
        ] {
            let address = Address::parse(text).unwrap().unwrap();
            assert_eq!(address.to_string(), written);
        }
        for file in ["/backup", "backups", "s3:", "a:b/c"] {
            assert!(Address::parse(file).is_none(), "{file}");
        }
        for wrong in [
            "r2://shop/a",
            "gs://shop/a",
            "s3://",
            "s3://my shop/a",
            "s3://shop/a//b",
        ] {
            let error = Address::parse(wrong).unwrap().unwrap_err();
            assert!(
                error.contains("Write") || error.contains("write"),
                "{error}"
            );
        }
    }

    #[test]
    fn the_file_name_of_a_bucket_address_is_split_and_joined() {
        let address = Address::parse("s3://shop/दुकान एक/b.gz").unwrap().unwrap();
        let (above, name) = address.split();
        assert_eq!(above.to_string(), "s3://shop/दुकान एक");
        assert_eq!(name, "b.gz");
        assert_eq!(above.join("b.gz"), address);
    }
}
