import type { SimClock } from '../world.ts'

/** The offline Bitcoin, read as an Esplora API. It takes no transactions. */
export interface BitcoinChain {
  /** The answer to `GET path`, or null where there is nothing. Texts are plain, everything else JSON. */
  get(path: string): unknown
  /** Pays an address out of nothing, confirmed at once. Satoshi. RangeError beyond all the bitcoin there can be. */
  faucet(address: string, amount: bigint): void
}

/** Satoshi per virtual byte by confirmation target in blocks, as Esplora gives them: with fractions. */
const FEE_ESTIMATES = {
  '1': 14.203,
  '2': 12.087,
  '3': 9.514,
  '6': 6.005,
  '12': 4.21,
  '144': 1.7,
  '504': 1.002,
  '1008': 1.002,
} as const

/** Block 840000, the halving of 2024-04-20. */
const ANCHOR = { height: 840_000, at: Date.UTC(2024, 3, 20, 0, 9, 27) } as const
const SUPPLY_MAX = 21_000_000n * 10n ** 8n
const BLOCK_MS = 600_000

export const createBitcoinChain = ({ clock }: { readonly clock: SimClock }): BitcoinChain => {
  const received = new Map<string, { total: bigint; payments: number }>()
  const addressStats = (address: string) => {
    const { total, payments } = received.get(address) ?? { total: 0n, payments: 0 }
    const chain_stats = {
      funded_txo_count: payments,
      funded_txo_sum: Number(total),
      spent_txo_count: 0,
      spent_txo_sum: 0,
      tx_count: payments,
    }
    return { address, chain_stats }
  }
  return {
    get: (path) => {
      if (path === '/fee-estimates') return FEE_ESTIMATES
      if (path === '/blocks/tip/height') return String(ANCHOR.height + Math.floor((clock.now() - ANCHOR.at) / BLOCK_MS))
      const address = /^\/address\/([0-9A-Za-z]{26,90})$/.exec(path)?.[1]
      return address === undefined ? null : addressStats(address)
    },
    faucet: (address, amount) => {
      const { total, payments } = received.get(address) ?? { total: 0n, payments: 0 }
      if (total + amount > SUPPLY_MAX) throw new RangeError('is more than all the bitcoin there can be')
      received.set(address, { total: total + amount, payments: payments + 1 })
    },
  }
}
