import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { BITCOIN, SOLANA } from '../../../engine/core/chain.ts'
import { WALLETS } from '../anOrder.ts'
import type { VenueBench } from '../venueBench.ts'
import { type Attacked, allows, otherWords, STRANGER } from './attackPayload.ts'
import { altered, depositOf, prove, type Swap, swapOf } from './calls.ts'
import { countMutations, flips } from './mutations.ts'
import { SOMEONE } from './payloads.ts'

type Alteration = readonly [path: string, value: unknown]

/** Each text of the evidence with one bit of each letter turned over. */
const otherTexts = (value: unknown, path: string): readonly Alteration[] => {
  if (typeof value === 'string') return flips(Buffer.from(value)).map((bytes) => [path, Buffer.from(bytes).toString('latin1')])
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => otherTexts(part, `${path}.${name}`))
}

/** The transfer, and what the venue says beside it: other values, one value more, and nothing. */
const otherDeposits = ({ execution }: Swap): readonly Alteration[] => {
  const { evidence } = execution
  const { chainId, address, amount } = depositOf(execution)
  const beside: readonly Alteration[] =
    evidence === null
      ? []
      : [
          ['evidence', null],
          ['evidence.more', true],
        ]
  const call = { chainId: 1, to: STRANGER, data: '0x', value: amount }
  return [
    ...[STRANGER, SOMEONE, ...Object.values(WALLETS), `${address} `].map(
      (other): Alteration => ['payload.deposit.address', other],
    ),
    ...otherWords(amount).map(([, other]): Alteration => ['payload.deposit.amount', other]),
    ...[1, 8453, BITCOIN, SOLANA].map((other): Alteration => ['payload.deposit.chainId', other === chainId ? 10 : other]),
    ['payload', { executionType: 'TRANSACTION', transaction: call }],
    ...otherWords(evidence, 'evidence'),
    ...otherTexts(evidence, 'evidence'),
    ...beside,
  ]
}

/** The same deposit beside another quote, or for other parties. */
const otherSwaps = (swap: Swap): readonly Alteration[] => [
  ['offer.fee.bps', swap.offer.fee.bps + 1],
  ['offer.slippage.guaranteedMin', swap.offer.outputAmount * 2n],
  ['binding.recipient', STRANGER],
  ['binding.refundTo', STRANGER],
]

export type DepositAttack = {
  readonly venue: string
  readonly open: (options: { readonly settings: { readonly [name: string]: string } }) => Promise<VenueBench>
  readonly swaps: readonly Attacked[]
  /** Which alterations of the execution harm no party, by their paths. */
  readonly harmless?: Parameters<typeof allows>[0]
  /** More alterations of the execution, by their paths; each must be refused. */
  readonly also?: (swap: Swap) => Iterable<Alteration>
}

/**
 * Tests that the payload proof refuses every alteration of the venue's deposits. It alters address, amount, chain, and each word and
 * letter of the evidence. Only what `harmless` allows is left out. It also tries a call in place of the deposit, and another quote.
 */
export const attackDeposit = ({ venue, open, swaps, harmless = {}, also = () => [] }: DepositAttack): void => {
  const count = countMutations(venue)
  const benches: VenueBench[] = []
  afterAll(() => Promise.all(benches.map((bench) => bench.close())))

  test.each(swaps)('proof: rejects any altered deposit, evidence or quote: $title', async ({ order, settings = {} }) => {
    const bench = await open({ settings })
    benches.push(bench)
    const swap = await swapOf(bench.venue, order)
    expect(await prove(bench.venue, swap)).toEqual([])
    const accepted: string[] = []
    const harmful = otherDeposits(swap).filter(([path, value]) => !allows(harmless, swap.execution, path, value))
    for (const [path, value] of [...harmful, ...also(swap)]) {
      const other = altered(swap.execution, path, value)
      if (isDeepStrictEqual(other, swap.execution)) continue
      count(`${path} = ${value}`, await prove(bench.venue, swap, other), accepted)
    }
    for (const [path, value] of otherSwaps(swap)) count(path, await prove(bench.venue, altered(swap, path, value)), accepted)
    expect(accepted).toEqual([])
  })
}
