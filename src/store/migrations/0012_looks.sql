-- How often people looked at a product's own page, on days of India (days since 1970 there).
CREATE TABLE view_days (
    day     INTEGER NOT NULL,
    product INTEGER NOT NULL,                      -- the number in clicked_products
    views   INTEGER NOT NULL,
    PRIMARY KEY (day, product)
) STRICT, WITHOUT ROWID;

-- What people searched for and did not find, on days of India.
CREATE TABLE vain_searches (
    day   INTEGER NOT NULL,
    words TEXT    NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (day, words)
) STRICT, WITHOUT ROWID;

-- What the owner has tried, like a mail, and when it went well for the last time.
CREATE TABLE trials (
    name TEXT    PRIMARY KEY,
    at   INTEGER NOT NULL                          -- milliseconds since 1970, UTC
) STRICT, WITHOUT ROWID;
