-- # Base data

-- ## Products

-- Visitors' reports that a deal is over, since the last price check. Keeps 1,000 products.
CREATE TABLE over_reports (
    product INTEGER PRIMARY KEY, -- products.key
    reports INTEGER NOT NULL,
    at      INTEGER NOT NULL -- of the last report; older than the last price check: answered
) STRICT;

CREATE TRIGGER over_reports_on_delete AFTER DELETE ON products BEGIN
    DELETE FROM over_reports WHERE product = old.key;
END;
