import { type Kysely, sql } from 'kysely'

/**
 * What keeps the version before alive beside this one, on a SQLite file: that one claims payouts in `deliveries`, and
 * knows that a swap was followed from two times. To be dropped, with that table and `swaps.updated_at`, once no such
 * version can be running any more.
 */

/** A claim made by either version is seen by the other. */
export const besidePayoutClaims = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    CREATE TRIGGER deliveries_claimed AFTER INSERT ON deliveries BEGIN
      INSERT INTO payout_claims (swap_id, tx_hash, payee, least, place, created_at)
      SELECT new.swap_id, new.tx_hash, new.payee, new.least,
        (SELECT count(*) FROM payout_claims WHERE tx_hash = new.tx_hash AND payee = new.payee), new.created_at
      WHERE NOT EXISTS (
        SELECT 1 FROM payout_claims WHERE tx_hash = new.tx_hash AND payee = new.payee AND swap_id = new.swap_id);
    END`.execute(db)
  await sql`
    CREATE TRIGGER payout_claims_told AFTER INSERT ON payout_claims BEGIN
      INSERT INTO deliveries (swap_id, tx_hash, payee, least, created_at)
      SELECT new.swap_id, new.tx_hash, new.payee, new.least, new.created_at
      WHERE NOT EXISTS (SELECT 1 FROM deliveries WHERE tx_hash = new.tx_hash AND swap_id = new.swap_id);
    END`.execute(db)
}

/** A status the version before has seen is seen as one by this version too. */
export const besideFollowed = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    CREATE TRIGGER swaps_followed AFTER UPDATE OF updated_at ON swaps
    WHEN new.followed_at IS NOT new.updated_at AND new.updated_at > new.created_at BEGIN
      UPDATE swaps SET followed_at = new.updated_at WHERE id = new.id;
    END`.execute(db)
}

/** A deposit address the version before hands out is taken for this version too. */
export const besideSwapKeys = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    CREATE TRIGGER swaps_addressed AFTER INSERT ON swaps
    WHEN new.execution_type = 'DEPOSIT' AND new.is_sandbox = 0 AND new.ref IS NOT NULL BEGIN
      INSERT INTO swap_keys (venue, kind, value, swap_id, created_at)
      SELECT new.venue, 'address', new.ref, new.id, new.created_at
      WHERE NOT EXISTS (SELECT 1 FROM swap_keys WHERE venue = new.venue AND kind = 'address' AND value = new.ref);
    END`.execute(db)
}
