import type { ChainId } from '../../../engine/core/chain.ts'
import { lifi } from '../../../engine/venues/lifi/venue.ts'
import { type RecordedAnswer, recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { takenThrough } from '../../support/venueKit/calls.ts'
import { type Canned, canned } from '../../support/venueKit/canned.ts'
import vectors from './vectors.json' with { type: 'json' }

export const VECTORS = Object.fromEntries(vectors.vectors.map((vector) => [vector.name, vector]))

type Place = readonly [ChainId, string]
type Row = {
  readonly vector: string
  readonly from: Place
  readonly to: Place
  readonly amount: string
  readonly expected: string
  readonly minimum: string
  readonly recipient: string
  readonly fees: string
  readonly refusedBecause?: string
  readonly refusedWith?: string
  readonly notOffered?: string
}

const WALLET = '0x1111111111111111111111111111111111111111'
const USDC = {
  base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  arbitrum: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
} as const

/** What was asked for each vector, and the rest of the answer that has it for its call. */
export const ROWS: readonly Row[] = [
  {
    vector: 'swapAndStart_AcrossV4_fee_only',
    ...{ from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: '10000000', fees: '25000' },
    // Across gives its exact output as the least, as the recorded quote had it.
    ...{ expected: '9966225', minimum: '9966225', recipient: '0x5555555555555555555555555555555555555555' },
  },
  {
    vector: 'start_Mayan_to_solana',
    ...{ from: [42161, USDC.arbitrum], to: [-2, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'], amount: '100000000', fees: '0' },
    ...{ expected: '99000000', minimum: '98500000', recipient: '7ZWmjYK1YQcYEwMrNgDiiw6hUuTnQmGBqTkgCrKn4D8E' },
    refusedBecause: "Mayan's orders are not read here: whoever wants them asks Mayan itself",
    notOffered: 'another product',
    refusedWith: 'fixes neither recipient nor least amount',
  },
  {
    vector: 'genericSwapV3_single_erc20_to_native',
    ...{ from: [8453, USDC.base], to: [8453, '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'], amount: '25000000', fees: '0' },
    ...{ expected: '9849246231155778', minimum: '9800000000000000', recipient: '0x5555555555555555555555555555555555555555' },
  },
]

/** The clock of the one that has times in it. */
export const RECORDED_AT = 1_790_000_030_000

const wire = ([chainId, address]: Place) => ({
  chainId: chainId === -2 ? 1151111081099710 : chainId,
  address: /^0x(ee)+$/i.test(address) ? '0x0000000000000000000000000000000000000000' : address,
})

export const cannedBy = (row: Row): Canned => {
  const { from, to, amount, expected, minimum, fees, vector } = row
  const { calldata: data = '', to: diamond = '', value = '0' } = VECTORS[vector] ?? {}
  const [fromToken, toToken] = [wire(from), wire(to)]
  const body = {
    action: { fromChainId: fromToken.chainId, toChainId: toToken.chainId, fromToken, toToken, fromAmount: amount },
    estimate: {
      ...{ fromAmount: amount, toAmount: expected, toAmountMin: minimum, approvalAddress: diamond },
      feeCosts: [{ name: 'LIFI Fixed Fee', amount: fees, included: true, token: fromToken }],
    },
    transactionRequest: { to: diamond, data, value: `0x${BigInt(value).toString(16)}`, chainId: from[0] },
  }
  return canned(lifi, () => ({ body }), { now: () => RECORDED_AT })
}

export const orderOf = ({ from, to, amount, recipient }: Row) =>
  recordedOrder({ wallet: WALLET, recipient, from, to }, amount, 50)

/** The calls of the vectors, of which the first has the shape of an answer that was recorded. */
export const recordedAnswers: readonly RecordedAnswer[] = ROWS.map((row) => {
  const { vector: name, refusedBecause, refusedWith, notOffered } = row
  const told = { name, source: VECTORS[name]?.source ?? '', recordedAt: null }
  return recordedAnswer(
    {
      ...told,
      ...(refusedBecause && { refusedBecause }),
      ...(refusedWith && { refusedWith }),
      ...(notOffered && { notOffered }),
    },
    async () => {
      const { execution } = await takenThrough(cannedBy(row).venue, orderOf(row), RECORDED_AT)
      if (String(execution.slippage?.guaranteedMin) !== row.minimum) throw new Error('the minimum is not the recorded one')
    },
  )
})
