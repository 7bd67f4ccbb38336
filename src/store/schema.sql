-- The tables, indexes, triggers and views of a new database; `src/store/db/schema.rs` has the later
-- versions.
--
-- A trigger is next to the table that it updates. Times are milliseconds since 1970, UTC, money is
-- paise, and days are days in India, counted from 1970. Comments are not stored in the database.

-- # Base data
--
-- Everything that a backup has to keep.

-- ## Products

-- The products, in every state.
CREATE TABLE products (
    key             INTEGER PRIMARY KEY, -- internal; the full-text index refers to it
    id              TEXT    NOT NULL UNIQUE CHECK (id <> ''), -- public, in addresses and files
    title           TEXT    NOT NULL,
    description     TEXT    NOT NULL,
    price           INTEGER NOT NULL CHECK (price BETWEEN 0 AND 100000000000),
    discount        INTEGER NOT NULL CHECK (discount BETWEEN 0 AND 10000), -- hundredths of a percent
    final_price     INTEGER NOT NULL CHECK (final_price BETWEEN 0 AND price),
    category        TEXT    NOT NULL CHECK (category IN ('Electronics', 'Clothing', 'Books', 'Home')),
    source          TEXT    NOT NULL, -- the seller
    affiliate_link  TEXT    NOT NULL,
    images          TEXT    NOT NULL CHECK (json_type(images) = 'array'), -- addresses
    clicks          INTEGER NOT NULL DEFAULT 0 CHECK (clicks >= 0), -- no statement changes them with other columns
    average_rating  REAL    NOT NULL CHECK (average_rating BETWEEN 0 AND 5),
    total_ratings   INTEGER NOT NULL CHECK (total_ratings >= 0),
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL, -- also the version that a form is saved over
    draft           INTEGER NOT NULL DEFAULT 0 CHECK (draft IN (0, 1)),
    starts_at       INTEGER,
    ends_at         INTEGER CHECK (ends_at > starts_at),
    state           INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 3), -- derived: 0 live, 1 scheduled, 2 ended, 3 draft
    proven_discount INTEGER NOT NULL DEFAULT 0 CHECK (proven_discount BETWEEN 0 AND 10000), -- derived from prices, hundredths of a percent
    offers          TEXT    NOT NULL DEFAULT '[]' CHECK (json_type(offers) = 'array') -- coupons and other offers
) STRICT;

-- An import finds the product to update by its link.
CREATE INDEX products_by_link ON products (affiliate_link, source);

-- One index for each sort of live products; the id breaks ties, and SQLite reads an index backwards
-- for the descending order. Sorts by clicks are in memory; until they are, `products_by_popularity`
-- has everything but the ties in order.
CREATE INDEX products_by_created_at      ON products (created_at, id) WHERE state = 0;
CREATE INDEX products_by_price           ON products (price, id) WHERE state = 0;
CREATE INDEX products_by_final_price     ON products (final_price, id) WHERE state = 0;
CREATE INDEX products_by_average_rating  ON products (average_rating, id) WHERE state = 0;
CREATE INDEX products_by_discount        ON products (discount, id) WHERE state = 0;
CREATE INDEX products_by_proven_discount ON products (proven_discount, id) WHERE state = 0;
CREATE INDEX products_by_saving          ON products (price - final_price, id) WHERE discount > 0 AND state = 0;
CREATE INDEX products_by_popularity      ON products (clicks, total_ratings, id) WHERE state = 0;

-- Products that are not live, and what starts or ends next.
CREATE INDEX products_by_state ON products (state, starts_at) WHERE state > 0;
CREATE INDEX products_by_start ON products (starts_at) WHERE state = 0 AND starts_at IS NOT NULL;
CREATE INDEX products_by_end   ON products (ends_at) WHERE state = 0 AND ends_at IS NOT NULL;

-- Keys of products that a running import has added but not published. No reader shows them, and
-- they are deleted if the import is killed.
CREATE TABLE hidden_products (
    first INTEGER PRIMARY KEY,
    last  INTEGER NOT NULL CHECK (last >= first)
) STRICT;

-- Every published product. Readers use this view or `live_products`; only the import reads the table.
CREATE VIEW listed_products AS
SELECT * FROM products
WHERE NOT EXISTS (SELECT 1 FROM hidden_products WHERE products.key BETWEEN first AND last);

-- The products that lists, counts and sorts are about.
CREATE VIEW live_products AS
SELECT * FROM products
WHERE state = 0
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE products.key BETWEEN first AND last);

-- When scheduled starts and ends were last applied to `products.state`.
CREATE TABLE schedule (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    applied_at INTEGER NOT NULL
) STRICT;

INSERT INTO schedule (id, applied_at) VALUES (1, 0);

-- Images that several visitors' browsers or an owner's could not load, for a week, or until an owner's
-- browser loads them or the product's images change.
CREATE TABLE broken_images (
    product  INTEGER NOT NULL, -- products.key
    image    TEXT    NOT NULL,
    at       INTEGER NOT NULL,
    by_owner INTEGER NOT NULL DEFAULT 0 CHECK (by_owner IN (0, 1)), -- whether an owner's browser failed; shares leave out these only
    PRIMARY KEY (product, image)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER broken_images_on_update AFTER UPDATE OF images ON products
WHEN old.images <> new.images BEGIN
    DELETE FROM broken_images WHERE product = new.key;
END;

CREATE TRIGGER broken_images_on_delete AFTER DELETE ON products BEGIN
    DELETE FROM broken_images WHERE product = old.key;
END;

-- ## Prices

-- Sellers whose programme forbids storing former prices: a copy of the settings, for the triggers.
CREATE TABLE untracked_sources (
    source TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- The price history: each price of a product and the time for which it was seen.
CREATE TABLE prices (
    product     INTEGER NOT NULL, -- products.key
    from_at     INTEGER NOT NULL,
    until_at    INTEGER, -- null for the current price, which lasts until its last check
    price       INTEGER NOT NULL,
    final_price INTEGER NOT NULL,
    set_by      TEXT    NOT NULL DEFAULT '', -- the administrator; empty for an import
    PRIMARY KEY (product, from_at)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER prices_on_insert AFTER INSERT ON products
WHEN NOT EXISTS (SELECT 1 FROM untracked_sources WHERE source = new.source) BEGIN
    INSERT OR REPLACE INTO prices (product, from_at, price, final_price)
    VALUES (new.key, CAST(unixepoch('subsec') * 1000 AS INTEGER), new.price, new.final_price);
END;

-- The former price ends now, or at its last check where that is more than a week ago. The new one
-- starts after every other, even if the clock was put back.
CREATE TRIGGER prices_on_update AFTER UPDATE OF price, final_price ON products
WHEN (old.price, old.final_price) IS NOT (new.price, new.final_price)
  AND NOT EXISTS (SELECT 1 FROM untracked_sources WHERE source = new.source) BEGIN
    UPDATE prices SET until_at = max(from_at, CASE
        WHEN coalesce((SELECT at FROM price_checks WHERE price_checks.product = old.key), old.updated_at)
             < unixepoch() * 1000 - 7 * 86400000
        THEN coalesce((SELECT at FROM price_checks WHERE price_checks.product = old.key), old.updated_at)
        ELSE CAST(unixepoch('subsec') * 1000 AS INTEGER) END)
    WHERE product = new.key AND until_at IS NULL;
    INSERT INTO prices (product, from_at, price, final_price)
    VALUES (new.key, max(CAST(unixepoch('subsec') * 1000 AS INTEGER),
                         coalesce((SELECT max(from_at) FROM prices WHERE product = new.key), 0) + 1),
            new.price, new.final_price);
    INSERT OR IGNORE INTO stale_proofs (product) VALUES (new.key);
    UPDATE products SET proven_discount = 0 WHERE key = new.key AND proven_discount > 0;
END;

CREATE TRIGGER prices_on_source_change AFTER UPDATE OF source ON products
WHEN old.source <> new.source BEGIN
    DELETE FROM prices WHERE product = new.key;
    INSERT INTO prices (product, from_at, price, final_price)
    SELECT new.key, CAST(unixepoch('subsec') * 1000 AS INTEGER), new.price, new.final_price
    WHERE NOT EXISTS (SELECT 1 FROM untracked_sources WHERE source = new.source);
    UPDATE products SET proven_discount = 0 WHERE key = new.key AND proven_discount > 0;
END;

CREATE TRIGGER prices_on_delete AFTER DELETE ON products BEGIN
    DELETE FROM prices WHERE product = old.key;
    DELETE FROM stale_proofs WHERE product = old.key;
END;

-- When the settings change. Includes hidden products, like the next trigger.
CREATE TRIGGER prices_on_untrack AFTER INSERT ON untracked_sources BEGIN
    DELETE FROM prices WHERE product IN (SELECT key FROM products WHERE source = new.source);
    UPDATE products SET proven_discount = 0 WHERE source = new.source AND proven_discount > 0;
END;

CREATE TRIGGER prices_on_track AFTER DELETE ON untracked_sources BEGIN
    INSERT INTO prices (product, from_at, price, final_price)
    SELECT key, CAST(unixepoch('subsec') * 1000 AS INTEGER), price, final_price FROM products
    WHERE source = old.source AND NOT EXISTS (SELECT 1 FROM prices WHERE product = key);
END;

-- When a product's price was last checked, where that is not `products.updated_at`: later, because an
-- import or an administrator confirmed it, or earlier, because something else was changed.
CREATE TABLE price_checks (
    product INTEGER PRIMARY KEY, -- products.key
    at      INTEGER NOT NULL
) STRICT;

CREATE TRIGGER price_checks_on_delete AFTER DELETE ON products BEGIN
    DELETE FROM price_checks WHERE product = old.key;
END;

-- ## Offers

-- When a product's offers were last checked: changed, saved by an administrator, or named in the row
-- of an import.
CREATE TABLE offer_checks (
    product INTEGER PRIMARY KEY, -- products.key
    at      INTEGER NOT NULL
) STRICT;

CREATE TRIGGER offer_checks_on_insert AFTER INSERT ON products WHEN new.offers <> '[]' BEGIN
    INSERT OR REPLACE INTO offer_checks VALUES (new.key, new.updated_at);
END;

CREATE TRIGGER offer_checks_on_update AFTER UPDATE OF offers ON products WHEN old.offers <> new.offers BEGIN
    INSERT OR REPLACE INTO offer_checks VALUES (new.key, new.updated_at);
END;

CREATE TRIGGER offer_checks_on_delete AFTER DELETE ON products WHEN old.offers <> '[]' BEGIN
    DELETE FROM offer_checks WHERE product = old.key;
END;

-- ## Reports

-- Products that were clicked or viewed, also deleted ones, for the reports.
CREATE TABLE clicked_products (
    number       INTEGER PRIMARY KEY, -- never reused, unlike products.key
    id           TEXT    NOT NULL UNIQUE, -- products.id
    title        TEXT    NOT NULL, -- as it was last, like source and category
    source       TEXT    NOT NULL,
    category     TEXT    NOT NULL,
    classified   INTEGER NOT NULL DEFAULT 0, -- clicks with a classification
    counted      INTEGER NOT NULL DEFAULT 0, -- those that a person made, by their classification
    last_counted INTEGER NOT NULL DEFAULT 0 -- day of the last counted click; 0 without one
) STRICT;

CREATE TRIGGER clicked_products_on_delete AFTER DELETE ON products BEGIN
    UPDATE clicked_products SET title = old.title, source = old.source, category = old.category
    WHERE id = old.id;
END;

-- Clicks of recent hours by channel, place and classification (the codes of the domain's enums): at most 20,000
-- rows an hour, and the rest as product 0, "Other deals", by classification.
CREATE TABLE hourly_clicks (
    hour    INTEGER NOT NULL, -- since 1970, in India
    product INTEGER NOT NULL, -- clicked_products.number
    channel INTEGER NOT NULL,
    place   INTEGER NOT NULL,
    verdict INTEGER NOT NULL,
    clicks  INTEGER NOT NULL,
    PRIMARY KEY (hour, product, channel, place, verdict)
) STRICT, WITHOUT ROWID;

-- Clicks of earlier days, one blob of fixed-size records for each (`clicks/days.rs`): a year of a busy
-- shop has a million of them. A day has at most 50,000, and the rest as product 0.
CREATE TABLE daily_clicks (
    day  INTEGER PRIMARY KEY,
    sums BLOB    NOT NULL
) STRICT;

-- The newest clicks that were not counted, each with the reason; never an address.
CREATE TABLE excluded_clicks (
    key        INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    product    INTEGER NOT NULL, -- clicked_products.number
    verdict    INTEGER NOT NULL,
    reason     TEXT    NOT NULL,
    user_agent TEXT    NOT NULL
) STRICT;

-- Views of each product's page, of at most 20,000 products a day.
CREATE TABLE daily_views (
    day     INTEGER NOT NULL,
    product INTEGER NOT NULL, -- clicked_products.number
    views   INTEGER NOT NULL,
    PRIMARY KEY (day, product)
) STRICT, WITHOUT ROWID;

-- Searches that found nothing.
CREATE TABLE zero_result_searches (
    day   INTEGER NOT NULL,
    query TEXT    NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (day, query)
) STRICT, WITHOUT ROWID;

-- ## Activity log and undo

-- Who changed what and when, written in the transaction of the change.
CREATE TABLE activity (
    key     INTEGER PRIMARY KEY,
    batch   INTEGER NOT NULL, -- key of the first line that the same call wrote
    is_undo INTEGER NOT NULL CHECK (is_undo IN (0, 1)),
    at      INTEGER NOT NULL,
    actor   TEXT    NOT NULL, -- the username at that time
    action  TEXT    NOT NULL CHECK (action IN ('added', 'changed', 'deleted', 'imported', 'set')),
    product TEXT, -- products.id; the product may be gone
    title   TEXT, -- at that time
    details TEXT    NOT NULL CHECK (json_valid(details))
) STRICT;

CREATE INDEX activity_by_batch ON activity (batch);

-- Distinguishes a deleted product from one that never existed.
CREATE INDEX activity_of_deleted ON activity (product) WHERE action = 'deleted';

-- Bulk changes that can be undone, for a minute.
CREATE TABLE undos (
    key INTEGER PRIMARY KEY,
    id  TEXT    NOT NULL UNIQUE,
    at  INTEGER NOT NULL
) STRICT;

-- The products of such a change as they were before it.
CREATE TABLE undo_products (
    undo             INTEGER NOT NULL REFERENCES undos (key) ON DELETE CASCADE,
    version          INTEGER, -- updated_at after the change; null if it deleted the product
    key              INTEGER NOT NULL,
    id               TEXT    NOT NULL,
    product          TEXT    NOT NULL CHECK (json_valid(product)), -- its columns, as an object
    prices           TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(prices)),
    price_checked_at INTEGER,
    PRIMARY KEY (undo, id)
) STRICT, WITHOUT ROWID;

-- ## Accounts
--
-- Nothing here lets a reader sign in: passwords and codes are hashes with a key that is not in this
-- file, session ids are hashes of 256 random bits.

-- Accounts with a confirmed address.
CREATE TABLE users (
    key           INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE,
    username      TEXT    NOT NULL,
    email         TEXT    NOT NULL,
    email_key     TEXT    NOT NULL UNIQUE, -- the address in the form in which it is compared
    role          TEXT    NOT NULL CHECK (role IN ('admin', 'user')),
    password_hash TEXT    NOT NULL,
    created_at    INTEGER NOT NULL
) STRICT;

-- Signed-in browsers and programs.
CREATE TABLE sessions (
    key          INTEGER PRIMARY KEY,
    id_hash      BLOB    NOT NULL UNIQUE, -- of the id in the cookie
    sid          TEXT    NOT NULL UNIQUE, -- the session in its token
    user         INTEGER NOT NULL REFERENCES users (key) ON DELETE CASCADE,
    audience     TEXT    NOT NULL CHECK (audience IN ('me', 'api')), -- a browser's or a program's token
    created_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sessions_by_user ON sessions (user);
CREATE INDEX sessions_by_created_at ON sessions (created_at);

-- Registrations that wait for their code. An address may have several: a code confirms the one that
-- it was sent for. One for an address with an account waits in vain, so that a response does not
-- reveal the account.
CREATE TABLE registrations (
    key           INTEGER PRIMARY KEY,
    handle        TEXT    NOT NULL UNIQUE, -- names the registration in later calls
    username      TEXT    NOT NULL,
    email         TEXT    NOT NULL,
    email_key     TEXT    NOT NULL,
    password_hash TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    failures      INTEGER NOT NULL DEFAULT 0 -- wrong codes
) STRICT;

CREATE INDEX registrations_by_email ON registrations (email_key, key);
CREATE INDEX registrations_by_created_at ON registrations (created_at);

-- Codes that were sent: one for each registration, and one for each request for a new password.
CREATE TABLE codes (
    key          INTEGER PRIMARY KEY,
    email_key    TEXT    NOT NULL,
    registration INTEGER UNIQUE REFERENCES registrations (key) ON DELETE CASCADE,
    user         INTEGER REFERENCES users (key) ON DELETE CASCADE,
    handle       TEXT    UNIQUE, -- of a request for a new password
    code_hash    BLOB    NOT NULL,
    tries        INTEGER NOT NULL DEFAULT 0, -- wrong codes without the handle
    handle_tries INTEGER NOT NULL DEFAULT 0, -- wrong codes with it
    expires_at   INTEGER NOT NULL,
    CHECK ((registration IS NULL) <> (user IS NULL)),
    CHECK ((handle IS NULL) = (user IS NULL))
) STRICT;

CREATE INDEX codes_by_email ON codes (email_key);
CREATE INDEX codes_by_expires_at ON codes (expires_at);
CREATE INDEX codes_by_user ON codes (user);

-- What the limits of an address count: requests of mails by their kind, also where nobody gets one, by a
-- keyed hash of the address, and wrong codes. 'known-reset' is a request by a browser that has signed in
-- before, which strangers can't use up.
CREATE TABLE code_events (
    key       INTEGER PRIMARY KEY,
    email_key TEXT    NOT NULL,
    kind      TEXT    NOT NULL CHECK (kind IN ('register', 'reset', 'known-reset', 'failure')),
    at        INTEGER NOT NULL,
    client    INTEGER NOT NULL DEFAULT 0 -- code of the client's address under a salt in memory; 0 for wrong codes
) STRICT;

CREATE INDEX code_events_by_email ON code_events (email_key, kind, at);
CREATE INDEX code_events_by_at ON code_events (at);

-- How often a command has reset the login throttle of an address, which the server keeps in memory.
CREATE TABLE throttle_resets (
    email_key TEXT    PRIMARY KEY,
    resets    INTEGER NOT NULL
) STRICT;

-- Mails to be sent. A row is deleted as soon as its mail is sent.
CREATE TABLE outbox (
    key          INTEGER PRIMARY KEY,
    kind         TEXT    NOT NULL CHECK (kind IN ('register-code', 'known-address', 'reset-code', 'password-changed')),
    recipient    TEXT    NOT NULL,
    username     TEXT    NOT NULL,
    seed         BLOB, -- random bytes from which the code is made with the shop's key
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    attempts     INTEGER NOT NULL DEFAULT 0,
    next_at      INTEGER NOT NULL,
    submitted_at INTEGER -- when the form was submitted that the mail answers
) STRICT;

CREATE INDEX outbox_by_next_at ON outbox (next_at);
CREATE INDEX outbox_by_expires_at ON outbox (expires_at);

-- A MAC of a fixed text, which shows whether the shop's key is the one that the hashes were made with.
CREATE TABLE key_check (
    id  INTEGER PRIMARY KEY CHECK (id = 1),
    mac BLOB NOT NULL
) STRICT;

-- ## Settings

-- The owner's settings and the shop's logo.
CREATE TABLE settings (
    id        INTEGER PRIMARY KEY CHECK (id = 1),
    version   INTEGER NOT NULL, -- counts changes, to refuse one that is based on an older version
    shop      TEXT    NOT NULL CHECK (json_valid(shop)),
    mark_type TEXT    CHECK (mark_type IN ('image/svg+xml', 'image/png', 'image/jpeg')),
    mark      BLOB,
    CHECK ((mark IS NULL) = (mark_type IS NULL))
) STRICT;

INSERT INTO settings (id, version, shop) VALUES (1, 0, '{}');

-- When a part of the setup was last tested with success, like mail, or a proxy was seen that is not
-- trusted. 'setup-link:' and a SHA-256 is the open setup link, with the time at which it was made.
CREATE TABLE setup_checks (
    name      TEXT    PRIMARY KEY,
    passed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Random bytes by which a running server recognises its file: another file in its place has others.
CREATE TABLE server_token (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    token BLOB    NOT NULL
) STRICT;

-- # Derived data
--
-- Everything that can be computed again from the base data.

-- ## Lists

-- Live products of each category, and of 'all': counting rows takes longer than reading a page.
CREATE TABLE product_counts (
    category TEXT    PRIMARY KEY,
    products INTEGER NOT NULL CHECK (products >= 0)
) STRICT, WITHOUT ROWID;

INSERT INTO product_counts (category, products)
VALUES ('all', 0), ('Electronics', 0), ('Clothing', 0), ('Books', 0), ('Home', 0);

-- Live products of each source in each category; a missing row means 0.
CREATE TABLE product_source_counts (
    source   TEXT    NOT NULL,
    category TEXT    NOT NULL,
    products INTEGER NOT NULL CHECK (products >= 0),
    PRIMARY KEY (source, category)
) STRICT, WITHOUT ROWID;

-- An upsert would not do: the conflict clause of the statement that fires a trigger overrides its own.
CREATE TRIGGER product_counts_on_insert AFTER INSERT ON products
WHEN new.state = 0
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE new.key BETWEEN first AND last) BEGIN
    UPDATE product_counts SET products = products + 1 WHERE category IN ('all', new.category);
    INSERT OR IGNORE INTO product_source_counts (source, category, products)
    VALUES (new.source, new.category, 0);
    UPDATE product_source_counts SET products = products + 1
    WHERE source = new.source AND category = new.category;
END;

CREATE TRIGGER product_counts_on_delete AFTER DELETE ON products
WHEN old.state = 0
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE old.key BETWEEN first AND last) BEGIN
    UPDATE product_counts SET products = products - 1 WHERE category IN ('all', old.category);
    UPDATE product_source_counts SET products = products - 1
    WHERE source = old.source AND category = old.category;
    DELETE FROM product_source_counts
    WHERE source = old.source AND category = old.category AND products = 0;
END;

CREATE TRIGGER product_counts_on_update AFTER UPDATE OF source, category, state ON products
WHEN (old.source, old.category, old.state = 0) IS NOT (new.source, new.category, new.state = 0)
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE new.key BETWEEN first AND last) BEGIN
    UPDATE product_counts SET products = products - 1
    WHERE old.state = 0 AND category IN ('all', old.category);
    UPDATE product_source_counts SET products = products - 1
    WHERE old.state = 0 AND source = old.source AND category = old.category;
    DELETE FROM product_source_counts
    WHERE old.state = 0 AND source = old.source AND category = old.category AND products = 0;
    INSERT OR IGNORE INTO product_source_counts (source, category, products)
    SELECT new.source, new.category, 0 WHERE new.state = 0;
    UPDATE product_source_counts SET products = products + 1
    WHERE new.state = 0 AND source = new.source AND category = new.category;
    UPDATE product_counts SET products = products + 1
    WHERE new.state = 0 AND category IN ('all', new.category);
END;

-- At least the last 8,192 changes of published products, which keep the sorts in memory and a running
-- import up to date.
CREATE TABLE product_changes (
    number      INTEGER PRIMARY KEY,
    key         INTEGER NOT NULL, -- products.key; 0 for more products than can be listed
    clicks_only INTEGER NOT NULL
) STRICT;

INSERT INTO product_changes (key, clicks_only) VALUES (0, 0);

CREATE TRIGGER product_changes_on_insert AFTER INSERT ON products
WHEN NOT EXISTS (SELECT 1 FROM hidden_products WHERE new.key BETWEEN first AND last) BEGIN
    INSERT INTO product_changes (key, clicks_only) VALUES (new.key, 0);
END;

CREATE TRIGGER product_changes_on_delete AFTER DELETE ON products
WHEN NOT EXISTS (SELECT 1 FROM hidden_products WHERE old.key BETWEEN first AND last) BEGIN
    INSERT INTO product_changes (key, clicks_only) VALUES (old.key, 0);
END;

CREATE TRIGGER product_changes_on_update AFTER UPDATE ON products
WHEN new.clicks = old.clicks BEGIN
    INSERT INTO product_changes (key, clicks_only) VALUES (new.key, 0);
END;

CREATE TRIGGER product_changes_on_click AFTER UPDATE OF clicks ON products BEGIN
    INSERT INTO product_changes (key, clicks_only) VALUES (new.key, 1);
END;

-- Deletes many at once, because the oldest changes are on a page that a click would otherwise not write.
CREATE TRIGGER product_changes_trim AFTER INSERT ON product_changes WHEN new.number % 256 = 0 BEGIN
    DELETE FROM product_changes WHERE number <= new.number - 8192;
END;

-- ## Search

-- The version of the word rules with which the full-text index was built; the program rebuilds the
-- index when its own version differs.
CREATE TABLE search_format (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
) STRICT;

INSERT INTO search_format (id, version) VALUES (1, 0);

-- The terms of the full-text index. A term is a word or a stem; or, by its first character, '*' and the
-- first letters of words, '@' and a category, '$' and a source. '=' before a word or a '*' means titles
-- only. A term is never deleted, so that its number is never reused.
CREATE TABLE search_terms (
    number   INTEGER PRIMARY KEY,
    term     TEXT    NOT NULL UNIQUE,
    products INTEGER NOT NULL CHECK (products >= 0),
    chunks   INTEGER NOT NULL -- a bit for each chunk of 65,536 keys (modulo 64) that may have the term
) STRICT;

-- The posting lists: the products of one chunk that have a term.
CREATE TABLE search_postings (
    chunk_and_term INTEGER PRIMARY KEY, -- chunk * 2^32 + search_terms.number, so that new products are written at the end
    ids            BLOB NOT NULL -- roaring bitmap of keys
) STRICT;

-- index_words() is a function of the program that collects changes for the next commit: a tool without
-- it can't change products and leave the index behind.
CREATE TRIGGER search_postings_on_insert AFTER INSERT ON products BEGIN
    SELECT index_words(new.key, NULL, NULL, NULL, NULL,
                       new.title, new.description, new.source, new.category);
END;

CREATE TRIGGER search_postings_on_delete AFTER DELETE ON products BEGIN
    SELECT index_words(old.key, old.title, old.description, old.source, old.category,
                       NULL, NULL, NULL, NULL);
END;

CREATE TRIGGER search_postings_on_update
AFTER UPDATE OF title, description, source, category ON products
WHEN (old.title, old.description, old.source, old.category)
    IS NOT (new.title, new.description, new.source, new.category) BEGIN
    SELECT index_words(old.key, old.title, old.description, old.source, old.category,
                       new.title, new.description, new.source, new.category);
END;

-- ## Proofs and ends

-- Products whose `proven_discount` has to be computed again.
CREATE TABLE stale_proofs (
    product INTEGER PRIMARY KEY -- products.key
) STRICT;

-- When offers end, in whole seconds and rounded up, so that no page is made again too early.
CREATE TABLE offer_ends (
    product INTEGER NOT NULL, -- products.key
    at      INTEGER NOT NULL
) STRICT;

CREATE INDEX offer_ends_by_at ON offer_ends (at);
CREATE INDEX offer_ends_by_product ON offer_ends (product);

CREATE TRIGGER offer_ends_on_insert AFTER INSERT ON products WHEN new.offers <> '[]' BEGIN
    INSERT INTO offer_ends (product, at)
    SELECT new.key, (unixepoch(value ->> 'endsAt') + 1) * 1000 FROM json_each(new.offers)
    WHERE unixepoch(value ->> 'endsAt') IS NOT NULL;
END;

CREATE TRIGGER offer_ends_on_update AFTER UPDATE OF offers ON products WHEN old.offers <> new.offers BEGIN
    DELETE FROM offer_ends WHERE product = new.key;
    INSERT INTO offer_ends (product, at)
    SELECT new.key, (unixepoch(value ->> 'endsAt') + 1) * 1000 FROM json_each(new.offers)
    WHERE unixepoch(value ->> 'endsAt') IS NOT NULL;
END;

CREATE TRIGGER offer_ends_on_delete AFTER DELETE ON products WHEN old.offers <> '[]' BEGIN
    DELETE FROM offer_ends WHERE product = old.key;
END;
