-- # Base data

-- ## Subscribers

-- Mail addresses that were asked whether they want mails, or that left: so that they are not asked again soon.
-- Deleted 30 days after the last mail or the refusal.
CREATE TABLE asked_addresses (
    address     BLOB    PRIMARY KEY CHECK (length(address) = 32), -- hash of the address with the shop's key
    asked_at    INTEGER NOT NULL, -- time of the last mail that asks; 0 without one
    network     INTEGER NOT NULL, -- code of the network of the client who entered it, under a salt in memory
    quiet_until INTEGER NOT NULL -- only its owner, signed in, can have it asked before; 0 once it was confirmed
) STRICT, WITHOUT ROWID;

CREATE INDEX asked_addresses_by_time ON asked_addresses (asked_at, network);
