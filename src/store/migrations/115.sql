-- # Derived data

-- ## Proofs and ends

-- Proven discounts are computed in another way.
INSERT INTO stale_proofs SELECT DISTINCT product FROM prices
WHERE until_at IS NOT NULL AND product NOT IN (SELECT product FROM stale_proofs);
