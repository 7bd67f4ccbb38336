-- # Base data

-- ## Products

ALTER TABLE products ADD COLUMN tags TEXT NOT NULL DEFAULT '[]' CHECK (json_type(tags) = 'array'); -- short texts by which it is found

-- ## Webhooks

DROP TRIGGER webhook_events_on_update;

CREATE TRIGGER webhook_events_on_update AFTER UPDATE OF
    title, description, price, discount, final_price, category, source, affiliate_link, images,
    average_rating, total_ratings, starts_at, ends_at, state, offers, external_id, tags
ON products
WHEN (old.state = 0 OR new.state = 0)
  AND EXISTS (SELECT 1 FROM webhooks WHERE is_on = 1)
  AND (old.title, old.description, old.price, old.discount, old.final_price, old.category, old.source,
       old.affiliate_link, old.images, old.average_rating, old.total_ratings, old.starts_at,
       old.ends_at, old.state, old.offers, old.external_id, old.tags)
   IS NOT (new.title, new.description, new.price, new.discount, new.final_price, new.category, new.source,
       new.affiliate_link, new.images, new.average_rating, new.total_ratings, new.starts_at,
       new.ends_at, new.state, new.offers, new.external_id, new.tags)
  AND NOT EXISTS (SELECT 1 FROM hidden_products WHERE new.key BETWEEN first AND last) BEGIN
    INSERT INTO webhook_news SELECT
        CASE WHEN old.state <> 0 THEN 'product.added' WHEN new.state = 0 THEN 'product.changed'
             ELSE 'product.ended' END,
        new.id,
        CASE new.state WHEN 0 THEN 'live' WHEN 1 THEN 'scheduled' WHEN 2 THEN 'ended' ELSE 'draft' END;
END;

-- # Derived data

-- ## Search

DROP TRIGGER search_postings_on_insert;
DROP TRIGGER search_postings_on_delete;
DROP TRIGGER search_postings_on_update;

-- A tag is a term too: '#' and its text in lower case.
CREATE TRIGGER search_postings_on_insert AFTER INSERT ON products BEGIN
    SELECT index_words(new.key, NULL, NULL, NULL, NULL, NULL,
                       new.title, new.description, new.source, new.category, new.tags);
END;

CREATE TRIGGER search_postings_on_delete AFTER DELETE ON products BEGIN
    SELECT index_words(old.key, old.title, old.description, old.source, old.category, old.tags,
                       NULL, NULL, NULL, NULL, NULL);
END;

CREATE TRIGGER search_postings_on_update
AFTER UPDATE OF title, description, source, category, tags ON products
WHEN (old.title, old.description, old.source, old.category, old.tags)
    IS NOT (new.title, new.description, new.source, new.category, new.tags) BEGIN
    SELECT index_words(old.key, old.title, old.description, old.source, old.category, old.tags,
                       new.title, new.description, new.source, new.category, new.tags);
END;
