import { BITCOIN } from '../../../core/chain.ts'
import { REFERENCES } from '../../../venues/thorchain/protocol.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import * as fields from '../../kit/fields.ts'
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import type { World } from '../../kit/world.ts'
import type { Pool } from './networks.ts'
import { readMemo } from './swaps.ts'

const BLOCK_MS = 6_000
const TTL_BLOCKS = 3_600

/** A memo that the network stores, and the transactions that used it. */
type Registration = {
  readonly hash: string
  readonly reference: bigint
  readonly memo: string
  readonly endsAt: number
  readonly usedBy: string[]
}

const DECIMAL = fields.matching('a decimal', /^[0-9]+(\.[0-9]{1,8})?$/)
const BODY = {
  required: { asset: fields.oneOf('BTC.BTC'), memo: fields.text(1, 250), requested_in_asset_amount: DECIMAL },
  optional: {},
}

/** Memos of deposits without one: the last five digits of the deposit's amount are the reference. */
export const createRegistrations = ({ clock, random }: Pick<World, 'clock' | 'random'>, pools: readonly Pool[]) => {
  const byReference = new BoundedMap<bigint, Registration>()
  const byHash = new BoundedMap<string, Registration>()
  const height = (): number => Math.floor(clock.now() / BLOCK_MS)
  let last = BigInt(random.integer(Number(REFERENCES) - 1))

  const find = (amount: bigint): Registration | null => {
    const kept = byReference.get(amount % REFERENCES)
    return kept && height() < kept.endsAt ? kept : null
  }

  return {
    height,
    /** The memo of a deposit of this amount. Each memo is used once; null without an unused one. */
    take: (amount: bigint, txHash: string): string | null => {
      const kept = find(amount)
      if (!kept || kept.usedBy.some((hash) => hash !== txHash)) return null
      kept.usedBy.splice(0, 1, txHash)
      return kept.memo
    },
    /** POST /register of the registration service. */
    register: (body: unknown) => {
      const { asset, memo } = fields.readFields(body, BODY, ({ name }) => new Refusal('INVALID_REQUEST', `invalid ${name}`))
      refuseIf(readMemo(memo, pools, BITCOIN) === null, 'INVALID_MEMO', 'memo cannot be parsed')
      last = (last % (REFERENCES - 1n)) + 1n
      const hash = random.hex(64).toUpperCase()
      const kept: Registration = { hash, reference: last, memo, endsAt: height() + TTL_BLOCKS, usedBy: [] }
      byReference.set(kept.reference, kept)
      byHash.set(hash, kept)
      return { success: true, asset, memo, reference: String(kept.reference).padStart(5, '0'), registration_hash: hash }
    },
    /** GET /thorchain/memo/{hash}; null for an unknown hash. */
    byHash: (hash: string, isSeen: (txHash: string) => boolean) => {
      const { memo, reference, usedBy } = byHash.get(hash) ?? {}
      if (memo === undefined) return null
      return {
        asset: 'BTC.BTC',
        memo,
        reference: String(reference),
        registration_hash: hash,
        used_by_txs: usedBy?.filter(isSeen),
      }
    },
    /** GET /thorchain/memo/check/BTC.BTC/{amount}. */
    check: (amount: bigint) => {
      const { endsAt = 0, memo = '', usedBy = [] } = find(amount) ?? {}
      return { reference: `${amount % REFERENCES}`, expires_at: `${endsAt}`, memo, usage_count: `${usedBy.length}` }
    },
  }
}
