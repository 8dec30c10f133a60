import { BoundedMap } from '../../kit/boundedMap.ts'
import { matching, readFields, text, type } from '../../kit/fields.ts'
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import type { World } from '../../kit/world.ts'
import { readMemo } from './memo.ts'
import type { Pool } from './networks.ts'

export const BLOCK_MS = 6_000
const TTL_BLOCKS = 3_600
const REFERENCES = 100_000n

/** A memo that the network keeps, and what used it. */
type Registration = {
  readonly hash: string
  readonly reference: bigint
  readonly memo: string
  readonly height: number
  readonly usedBy: string[]
}

const BODY = {
  required: {
    asset: matching('BTC.BTC', /^BTC\.BTC$/),
    memo: text(1, 250),
    requested_in_asset_amount: type('a decimal', (value) =>
      typeof value === 'string' && /^[0-9]+(\.[0-9]{1,8})?$/.test(value) ? value : undefined,
    ),
  },
  optional: {},
}

/** Memos without deposits of their own: told apart by the last five digits of what is paid. */
export const createRegistrations = ({ clock, random }: Pick<World, 'clock' | 'random'>, pools: readonly Pool[]) => {
  const byReference = new BoundedMap<bigint, Registration>()
  const byHash = new BoundedMap<string, Registration>()
  const height = (): number => Math.floor(clock.now() / BLOCK_MS)
  const isAlive = (kept: Registration): boolean => height() < kept.height + TTL_BLOCKS
  let last = BigInt(random.integer(Number(REFERENCES) - 1))

  const nextReference = (): bigint => {
    last = (last % (REFERENCES - 1n)) + 1n
    return last
  }

  const find = (amount: bigint): Registration | null => {
    const kept = byReference.get(amount % REFERENCES)
    return kept && isAlive(kept) ? kept : null
  }

  return {
    height,
    /** The memo that a deposit of this amount stands for, once; null for none. */
    take: (amount: bigint, txHash: string): string | null => {
      const kept = find(amount)
      if (!kept || kept.usedBy.some((hash) => hash !== txHash)) return null
      if (!kept.usedBy.includes(txHash)) kept.usedBy.push(txHash)
      return kept.memo
    },
    /** POST /register of the service. */
    register: (body: unknown) => {
      const { asset, memo } = readFields(body, BODY, ({ name }) => new Refusal('INVALID_REQUEST', `invalid ${name}`))
      refuseIf(readMemo(`${memo}`, pools, -1) === null, 'INVALID_MEMO', 'memo cannot be parsed')
      const reference = nextReference()
      const kept: Registration = { hash: random.hex(64).toUpperCase(), reference, memo, height: height(), usedBy: [] }
      byReference.set(reference, kept)
      byHash.set(kept.hash, kept)
      const digits = String(reference).padStart(5, '0')
      return {
        ...{ success: true, asset, decimals: 8, height: kept.height, internal_api_id: random.hex(16), memo },
        ...{ minimum_amount_to_send: `0.000${digits}`, reference: digits, reference_length: 5, registered_by: 'thor1offline' },
        ...{ registration_hash: kept.hash, txHash: kept.hash },
      }
    },
    /** GET /thorchain/memo/{hash}; null where nobody knows it. */
    byHash: (hash: string, isSeen: (txHash: string) => boolean) => {
      const kept = byHash.get(hash.toUpperCase())
      if (!kept) return null
      return {
        ...{ asset: 'BTC.BTC', memo: kept.memo, reference: String(kept.reference), height: String(kept.height) },
        ...{ registration_hash: kept.hash, registered_by: 'thor1offline', used_by_txs: kept.usedBy.filter(isSeen) },
      }
    },
    /** GET /thorchain/memo/check/BTC.BTC/{amount}. */
    check: (amount: bigint) => {
      const kept = find(amount)
      const base = { reference: String(amount % REFERENCES), available: kept === null, can_register: kept === null, max_use: '1' }
      return {
        ...base,
        expires_at: String(kept ? kept.height + TTL_BLOCKS : 0),
        memo: kept?.memo ?? '',
        usage_count: String(kept?.usedBy.length ?? 0),
      }
    },
  }
}

export type Registrations = ReturnType<typeof createRegistrations>
