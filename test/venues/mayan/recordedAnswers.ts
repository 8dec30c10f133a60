import { mayan } from '../../../engine/venues/mayan/venue.ts'
import {
  type RecordedAnswer,
  type RecordedRow,
  type RecordedSwap,
  recordedAnswer,
  recordedOrder,
} from '../../support/recordedAnswers.ts'
import { takenThrough } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import { createChains } from './support.ts'
import vectors from './vectors.json' with { type: 'json' }

type Vector = {
  readonly name: string
  readonly source: string
  readonly swapper?: string
  readonly destination?: string
  readonly quote?: { readonly [name: string]: unknown }
}

const ZERO = '0x0000000000000000000000000000000000000000'
const NATIVE = { 1: 'So11111111111111111111111111111111111111112', 2: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE' }
const CHAINS: { readonly [wormholeId: number]: 8453 | 42161 | 137 | -2 } = { 1: -2, 5: 137, 23: 42161, 30: 8453 }
const SWITCHES = [1, 5, 23, 30].map((wChainId) => ({ wChainId, originActive: true, destinationActive: true }))
const ROUTER = { swapRouterAddress: '0x3333333333333333333333333333333333333333', swapRouterCalldata: '0x12aa3caf00' }

type Token = { readonly contract: string; readonly wChainId: number }
const placeOf = (quote: Vector['quote'], name: string) => {
  const { contract, wChainId } = (quote?.[name] ?? {}) as Token
  const address = contract === ZERO ? NATIVE[wChainId === 1 ? 1 : 2] : contract
  return [CHAINS[wChainId] ?? 8453, address] as const
}

/** Why those of other kinds are not bought. */
const REFUSED: { readonly [name: string]: Pick<RecordedRow, 'refusedBecause' | 'refusedWith' | 'notOffered'> } = {
  fast_mctp_bridge: {
    refusedBecause: 'only orders of Swift are bought',
    refusedWith: 'no order of Swift',
    notOffered: 'another product',
  },
  mono_chain_erc20_to_native: {
    refusedBecause: 'a swap on one chain is not asked for',
    refusedWith: 'not asked',
    notOffered: 'another product',
  },
}

const run = async ({ quote, swapper = '', destination = '' }: Vector): Promise<void> => {
  const now = (Number(quote?.['deadline64']) - 3_600) * 1_000
  const { venue } = canned(
    mayan,
    ({ path }) => {
      if (path === '/init') return { body: { chains: SWITCHES } }
      if (path === '/get-swap/evm') return { body: ROUTER }
      return { body: { quotes: [quote], minimumSdkVersion: [7, 0, 0] } }
    },
    {
      chains: createChains(),
      now: () => now,
      settings: { FEE_RECIPIENT: `0x${'22'.repeat(20)}`, REFERRER: '9uTnbH5cQv2rKfXwYd3mLs6gPzJ8eAoR4iBxEqCk7WnV' },
    },
  )
  const swap: RecordedSwap = {
    wallet: swapper,
    recipient: destination,
    ...{ from: placeOf(quote, 'fromToken'), to: placeOf(quote, 'toToken') },
  }
  const order = recordedOrder(swap, String(quote?.['effectiveAmountIn64']), 100)
  await takenThrough(venue, { ...order, feeBps: Number(quote?.['referrerBps'] ?? 0) }, now)
}

/** No answer of the live venue is published with its sheet: these are what its own SDK was given to build from. */
export const recordedAnswers: readonly RecordedAnswer[] = (vectors.vectors as unknown as readonly Vector[])
  .filter(({ quote }) => quote !== undefined)
  .map((vector) => recordedAnswer({ ...vector, recordedAt: null, ...REFUSED[vector.name] }, () => run(vector)))
