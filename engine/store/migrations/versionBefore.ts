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

/** An end the version before has seen has its time. */
export const besideEnded = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    CREATE TRIGGER swaps_ended AFTER UPDATE OF state ON swaps
    WHEN new.ended_at IS NULL AND new.state IN ('success', 'refunded', 'failed') BEGIN
      UPDATE swaps SET ended_at = new.updated_at WHERE id = new.id;
    END`.execute(db)
}

/** `chain:token:recipient`, as the payee of a payout claim is spelled, in its three parts. */
const PAYEE = {
  chain: (row: string) => `substr(${row}.payee, 1, instr(${row}.payee, ':') - 1)`,
  rest: (row: string) => `substr(${row}.payee, instr(${row}.payee, ':') + 1)`,
}

const asPayment = (row: string): string => `
  SELECT ${row}.swap_id, 'output', CAST(${PAYEE.chain(row)} AS INTEGER), ${row}.tx_hash,
    'whole:' || ${row}.tx_hash || ':' || ${row}.payee || ':' || ${row}.swap_id,
    substr(${PAYEE.rest(row)}, 1, instr(${PAYEE.rest(row)}, ':') - 1), substr(${PAYEE.rest(row)}, instr(${PAYEE.rest(row)}, ':') + 1),
    ${row}.least, 0, ${row}.created_at`

const PAYMENT_COLUMNS = 'swap_id, kind, chain_id, tx_hash, place, token, recipient, amount, is_final, created_at'

/** What was claimed of payouts before, and what a version that runs beside claims, is taken as a whole. */
export const besidePayments = async (db: Kysely<unknown>): Promise<void> => {
  await sql.raw(`INSERT INTO payments (${PAYMENT_COLUMNS}) ${asPayment('payout_claims')} FROM payout_claims`).execute(db)
  await sql
    .raw(`
    CREATE TRIGGER payout_claims_paid AFTER INSERT ON payout_claims
    WHEN NOT EXISTS (
      SELECT 1 FROM payments WHERE swap_id = new.swap_id AND tx_hash = new.tx_hash
        AND chain_id || ':' || token || ':' || recipient = new.payee) BEGIN
      INSERT INTO payments (${PAYMENT_COLUMNS}) ${asPayment('new')};
    END`)
    .execute(db)
  await sql`
    CREATE TRIGGER payments_told AFTER INSERT ON payments WHEN new.kind = 'output' AND new.place NOT LIKE 'whole:%' BEGIN
      INSERT INTO payout_claims (swap_id, tx_hash, payee, least, place, created_at)
      SELECT new.swap_id, new.tx_hash, new.chain_id || ':' || new.token || ':' || new.recipient, coalesce(new.amount, '1'),
        (SELECT count(*) FROM payout_claims
          WHERE tx_hash = new.tx_hash AND payee = new.chain_id || ':' || new.token || ':' || new.recipient), new.created_at
      WHERE NOT EXISTS (
        SELECT 1 FROM payout_claims WHERE tx_hash = new.tx_hash AND swap_id = new.swap_id
          AND payee = new.chain_id || ':' || new.token || ':' || new.recipient);
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
