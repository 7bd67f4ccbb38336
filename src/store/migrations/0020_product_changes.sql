-- The JSON of a product is kept until one of these changes; products_changed_click notes clicks.
DROP TRIGGER products_changed_update;
CREATE TRIGGER products_changed_update
AFTER UPDATE OF id, title, description, price, discount, final_price, category, source, affiliate_link,
    images, average_rating, total_ratings, draft, starts_at, ends_at, offers, created_at, updated_at, state,
    proof, badge
ON products BEGIN
    INSERT INTO product_changes (key, clicks_only) VALUES (new.key, 0);
END;
