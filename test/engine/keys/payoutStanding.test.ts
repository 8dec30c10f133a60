import { expect, test } from 'vitest'
import { countsFrom, payoutStanding, replacedBy } from '../../../engine/keys/payoutStanding.ts'
import type { PayoutAddress } from '../../../engine/store/partners.ts'
import cases from './payoutStanding.json' with { type: 'json' }

/** The hold of every case. */
const HOLD = 72

type Sets = readonly (readonly [address: string, at: number])[]

/** Sets addresses one after the other; returns all of them. */
const history = (...sets: Sets): readonly PayoutAddress[] => {
  let all: readonly PayoutAddress[] = []
  for (const [address, at] of sets) {
    const before = payoutStanding(all, 'evm', at)
    const from = countsFrom(before, address, { now: at, holdMs: HOLD })
    if (from === null) continue
    const replaced = replacedBy(before, from, at).map(({ id }) => id)
    all = all.map((one) => (replaced.includes(one.id) ? { ...one, replacedAt: at } : one))
    all = [...all, { id: all.length, ecosystem: 'evm', address, countsFrom: from, replacedAt: null, createdAt: at }]
  }
  return all
}

const standing = (all: readonly PayoutAddress[], now: number) => {
  const { counts, awaited } = payoutStanding(all, 'evm', now)
  return [counts?.address ?? null, awaited?.address ?? null]
}

test.each(cases as unknown as readonly [string, Sets, number, readonly (string | null)[]][])(
  'payout address: %s',
  (_what, sets, now, expected) => {
    const all = history(...sets)
    expect(standing(all, now)).toEqual(expected)
    // The marks only save reading: the times alone give the same.
    const unmarked = all.map((one) => ({ ...one, replacedAt: null }))
    expect(standing(unmarked, now)).toEqual(expected)
    const solana = { id: 9, ecosystem: 'solana', address: 's', countsFrom: 0, replacedAt: null, createdAt: 0 } as const
    expect(standing([...all, solana], now)).toEqual(expected)
  },
)
