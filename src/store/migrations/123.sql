-- # Base data

-- ## Collections

-- Deals that belong together, by a rule or chosen one by one.
CREATE TABLE collections (
    key        INTEGER PRIMARY KEY,
    slug       TEXT    NOT NULL UNIQUE CHECK (slug <> ''), -- part of its address
    name       TEXT    NOT NULL CHECK (name <> ''),
    text       TEXT    NOT NULL, -- Markdown
    picture    TEXT    NOT NULL, -- address, may be empty
    rule       TEXT, -- the list's query; null if the products are chosen
    products   TEXT    NOT NULL CHECK (json_type(products) = 'array'), -- products.id in their order
    starts_at  INTEGER,
    ends_at    INTEGER CHECK (ends_at > starts_at),
    on_home    INTEGER NOT NULL CHECK (on_home IN (0, 1)),
    in_menu    INTEGER NOT NULL CHECK (in_menu IN (0, 1)),
    is_running INTEGER NOT NULL CHECK (is_running IN (0, 1)), -- between start and end, as last applied
    version    INTEGER NOT NULL, -- time of the last change
    CHECK ((rule IS NULL) = (products <> '[]'))
) STRICT;
