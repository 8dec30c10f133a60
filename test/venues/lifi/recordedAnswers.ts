import type { ChainId, EvmChainId } from '../../../engine/core/chain.ts'
import { DEPLOYED } from '../../../engine/venues/lifi/published.ts'
import { lifi } from '../../../engine/venues/lifi/venue.ts'
import { type RecordedRow, recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { takenThrough } from '../../support/venueKit/calls.ts'
import { type Canned, canned } from '../../support/venueKit/canned.ts'
import recordings from './recordings.json' with { type: 'json' }

type Place = readonly [ChainId, string]
/** A call, and what was asked for it. */
export type Row = {
  readonly from: Place
  readonly to: Place
  readonly amount: string
  /** The least, where nobody published what was expected. */
  readonly expected: string
  readonly minimum: string
  readonly recipient: string
  /** All that the call takes as fees, which an answer names. */
  readonly fees: string
  readonly calldata: string
  readonly value: string
  /** Left out where the recipient itself asked. */
  readonly wallet?: string
  readonly feeBps?: number
  /** What an operator of that day had set. */
  readonly settings?: Readonly<Record<string, string>>
  /** Epoch ms, where the call has times in it. */
  readonly at?: number
}

const wire = ([chainId, address]: Place) => ({
  chainId: chainId === -2 ? 1151111081099710 : chainId,
  address: /^0x(ee)+$/i.test(address) ? '0x0000000000000000000000000000000000000000' : address,
})

/** The adapter, given the rest of the answer that has this call. */
export const cannedBy = (row: Row): Canned => {
  const { from, to, amount, expected, minimum, fees, calldata: data, value, settings = {}, at = START_OF_TIME } = row
  const { diamond } = DEPLOYED[from[0] as EvmChainId] ?? {}
  const [fromToken, toToken] = [wire(from), wire(to)]
  const body = {
    action: { fromChainId: fromToken.chainId, toChainId: toToken.chainId, fromToken, toToken, fromAmount: amount },
    estimate: {
      ...{ fromAmount: amount, toAmount: expected, toAmountMin: minimum, approvalAddress: diamond },
      feeCosts: [{ name: 'LIFI Fixed Fee', amount: fees, included: true, token: fromToken }],
    },
    transactionRequest: { to: diamond, data, value: `0x${BigInt(value).toString(16)}`, chainId: from[0] },
  }
  return canned(lifi, () => ({ body }), { settings, now: () => at })
}

export const orderOf = ({ from, to, amount, recipient, wallet = recipient, feeBps = 0 }: Row) => ({
  ...recordedOrder({ wallet, recipient, from, to }, amount, 100),
  feeBps,
})

const take = async (row: Row): Promise<void> => {
  const { execution } = await takenThrough(cannedBy(row).venue, orderOf(row), row.at)
  if (String(execution.slippage?.guaranteedMin) !== row.minimum) throw new Error('the minimum is not the recorded one')
}

/** Of a recorded answer its call is kept: the rest is as documented, and says what the call does. */
export const recordedAnswers = (recordings as unknown as readonly (RecordedRow & Row)[]).map((row) =>
  recordedAnswer(row, () => take(row)),
)
