-- The day in India of a product's last counted click, 0 without one.
ALTER TABLE clicked_products ADD COLUMN last_counted INTEGER NOT NULL DEFAULT 0;
UPDATE clicked_products SET last_counted = coalesce(
    (SELECT max(day) FROM click_sums WHERE product = number AND verdict = 0), 0);

DROP VIEW click_sums;
ALTER TABLE click_days RENAME TO click_days_before;

-- The sums of a day that is over are one blob, as src/store/clicks/days.rs reads and writes it: a
-- year of a busy shop has a million of them.
CREATE TABLE click_days (
    day  INTEGER PRIMARY KEY,                      -- days since 1970 in India
    sums BLOB    NOT NULL
) STRICT;

INSERT INTO click_days
SELECT day, unhex(group_concat(
    printf('%08x%08x%02x%02x%02x00', product, clicks, channel, place, verdict), ''
)) FROM click_days_before GROUP BY day;

DROP TABLE click_days_before;
