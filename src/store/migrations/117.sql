-- # Base data

-- ## Reports

-- The sums of two older tables, copied as they are into the new one, which SQLite then packs without gaps.
CREATE TEMP TABLE older_click_sums (
    period INTEGER NOT NULL,
    kind   INTEGER NOT NULL,
    clicks INTEGER NOT NULL,
    PRIMARY KEY (period, kind)
) STRICT, WITHOUT ROWID;

-- Rows of hours, and a blob of 12-byte records for each day, in parts of 64 records because SQLite copies
-- the rest of a blob for each step.
INSERT INTO older_click_sums
WITH RECURSIVE
    parts (day, part, rest) AS (
        SELECT day, x'', sums FROM daily_clicks
        UNION ALL
        SELECT day, substr(rest, 1, 768), substr(rest, 769) FROM parts WHERE rest <> x''
    ),
    records (day, product_and_clicks, codes, rest) AS (
        SELECT day, 0, 0, part FROM parts WHERE part <> x''
        UNION ALL
        SELECT day, ('0x' || hex(substr(rest, 1, 8))) ->> '$', ('0x' || hex(substr(rest, 9, 3))) ->> '$',
               substr(rest, 13)
        FROM records WHERE rest <> x''
    ),
    sums (period, kind, clicks) AS (
        SELECT day,
               (product_and_clicks >> 32) * 2048 + (codes >> 16) * 128 + (codes >> 8 & 255) * 16 + (codes & 255),
               product_and_clicks & 4294967295
        FROM records WHERE product_and_clicks > 0
        UNION ALL
        SELECT 1000000 + hour, product * 2048 + channel * 128 + place * 16 + verdict, clicks FROM hourly_clicks
    )
SELECT period, kind, sum(clicks) FROM sums GROUP BY period, kind;

DROP TABLE hourly_clicks;

DROP TABLE daily_clicks;

-- Clicks by product, channel, place and classification: in rows of hours for 15 days, then in rows of days. An hour
-- has at most 20,000 kinds and a day 50,000, and the rest as product 0, "Other deals", by classification.
CREATE TABLE click_sums (
    period INTEGER NOT NULL, -- since 1970, in India: the day, or 1,000,000 + the hour
    kind   INTEGER NOT NULL, -- clicked_products.number * 2048 + channel * 128 + place * 16 + classification, by the codes of the domain's enums
    clicks INTEGER NOT NULL,
    PRIMARY KEY (period, kind)
) STRICT, WITHOUT ROWID;

INSERT INTO click_sums SELECT * FROM older_click_sums;

DROP TABLE older_click_sums;
