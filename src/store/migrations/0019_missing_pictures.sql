-- Pictures that somebody's browser could not show, until they load in an owner's or the product changes.
CREATE TABLE missing_pictures (
    product INTEGER NOT NULL,                      -- the key in products
    image   TEXT    NOT NULL,
    at      INTEGER NOT NULL,                      -- milliseconds since 1970, UTC
    PRIMARY KEY (product, image)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER products_changed_picture AFTER UPDATE OF images ON products
WHEN old.images <> new.images BEGIN
    DELETE FROM missing_pictures WHERE product = new.key;
END;

CREATE TRIGGER products_deleted_picture AFTER DELETE ON products BEGIN
    DELETE FROM missing_pictures WHERE product = old.key;
END;
