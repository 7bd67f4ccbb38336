-- Clicks by what they were found to be, on days of India (days since 1970 there) that are some days
-- ago; the codes are those of the domain's Verdict, Channel and Place.
CREATE TABLE click_days (
    day     INTEGER NOT NULL,
    product INTEGER NOT NULL,                      -- the number in clicked_products
    channel INTEGER NOT NULL,
    place   INTEGER NOT NULL,
    verdict INTEGER NOT NULL,
    clicks  INTEGER NOT NULL,
    PRIMARY KEY (day, product, channel, place, verdict)
) STRICT, WITHOUT ROWID;

-- The same by hours since 1970 in India, of the last days: each click is added to one row.
CREATE TABLE click_hours (
    hour    INTEGER NOT NULL,
    product INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    place   INTEGER NOT NULL,
    verdict INTEGER NOT NULL,
    clicks  INTEGER NOT NULL,
    PRIMARY KEY (hour, product, channel, place, verdict)
) STRICT, WITHOUT ROWID;

CREATE VIEW click_sums AS
    SELECT day, product, channel, place, verdict, clicks FROM click_days
    UNION ALL
    SELECT hour / 24, product, channel, place, verdict, clicks FROM click_hours;

-- Products that were clicked, by a number of their own, which outlives them: what they were
-- called last, and how many of their clicks are explained and counted.
CREATE TABLE clicked_products (
    number    INTEGER PRIMARY KEY,
    id        TEXT    NOT NULL UNIQUE,
    title     TEXT    NOT NULL,
    source    TEXT    NOT NULL,
    category  TEXT    NOT NULL,
    explained INTEGER NOT NULL DEFAULT 0,
    counted   INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TRIGGER products_deleted_clicked AFTER DELETE ON products BEGIN
    UPDATE clicked_products SET title = OLD.title, source = OLD.source, category = OLD.category
    WHERE id = OLD.id;
END;

-- The newest clicks that were left out, each with its reason; never an address.
CREATE TABLE left_out (
    key     INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,                      -- milliseconds since 1970, UTC
    product INTEGER NOT NULL,                      -- the number in clicked_products
    verdict INTEGER NOT NULL,
    why     TEXT    NOT NULL,
    agent   TEXT    NOT NULL
) STRICT;
