import type { FaultName, Faults } from './faults.ts'

/** How a paid order is going to end, or did. */
export type Fate = {
  readonly ends: 'filled' | 'refunded' | 'failed' | 'unheardOf'
  /** When that is due. Epoch ms. */
  readonly at: number
  /** What the recipient is to get, or is said to have got; zero for other ends. Smallest units of the output. */
  readonly amount: bigint
  /** Nothing is delivered: it is only said. */
  readonly isClaim: boolean
  /** What the venue keeps of the deposit; what is there beyond it goes back. Null: nothing does. Smallest units of the input. */
  readonly keeps: bigint | null
  /** In the vendor's words. */
  readonly reason: string | null
}

const NOTHING = { amount: 0n, isClaim: false, keeps: null, reason: null } as const

export const fills = (at: number, amount: bigint, keeps: bigint): Fate => ({ ...NOTHING, ends: 'filled', at, amount, keeps })
export const claims = (at: number, amount: bigint, keeps: bigint | null): Fate => ({
  ...fills(at, amount, 0n),
  isClaim: true,
  keeps,
})
export const refunds = (at: number, reason: string): Fate => ({ ...NOTHING, ends: 'refunded', at, keeps: 0n, reason })
export const fails = (at: number, reason: string | null): Fate => ({ ...NOTHING, ends: 'failed', at, reason })

/** The faults of settlement that every venue can commit. */
export const SETTLEMENT_FAULTS = ['fails', 'lying-success', 'short-fill', 'never-fills'] as const satisfies readonly FaultName[]
export type SettlementFault = (typeof SETTLEMENT_FAULTS)[number]

/** The one that is on now, using up one of its count. */
export const takeSettlementFault = (faults: Faults, venue: string): SettlementFault | null =>
  SETTLEMENT_FAULTS.find((fault) => faults.take(venue, fault) !== null) ?? null

/** What a fault makes of an order that would have been filled at `fill.at`. */
export const fateByFault = (
  fault: SettlementFault,
  { fill, minimum, refundAt, reason }: { fill: Fate; minimum: bigint; refundAt: number; reason: string },
): Fate => {
  switch (fault) {
    case 'fails':
      return fails(fill.at, reason)
    case 'lying-success':
      return claims(fill.at, fill.amount, null)
    case 'short-fill':
      return { ...fill, amount: (minimum * 9n) / 10n }
    case 'never-fills':
      return refunds(refundAt, reason)
  }
}
