-- # Base data

-- ## Prices

DROP TRIGGER prices_on_update;

-- The former price ends now, or at its last check where that is more than a week ago. The new one
-- starts after every other, even if the clock was put back. A lower price stays proven until its proof is computed again.
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
    UPDATE products SET proven_discount = 0 WHERE key = new.key AND proven_discount > 0 AND new.final_price > old.final_price;
END;
