import { readFileSync } from 'node:fs'
import { zeroAddress, zeroHash } from 'viem'
import { across } from '../../../engine/venues/across/venue.ts'
import { proveCall, type RecordedRow, type RecordedSwap, recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { altered, takenThrough } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import { encoded, writeCall } from './acrossAbi.ts'
import { word } from './fakeNetwork.ts'
import recordings from './recordings.json' with { type: 'json' }
import { HANDLER, WETH } from './support.ts'

type Row = RecordedRow &
  RecordedSwap & {
    /** Epoch ms of the recording. */
    readonly at: number
    /** Which file of `recorded`. */
    readonly answer: string
    readonly amount: string
    readonly slippageBps?: number
    /** The contract, and what the calldata delivers: where the calldata is taken alone. */
    readonly deposit?: { readonly pool: string; readonly delivers: string }
    /** With the transaction that the figures of the answer call for, in place of another order's. */
    readonly fitted?: true
  }
type Answer = { readonly swapTx: { readonly data: string } }

const read = (file: string): Answer => JSON.parse(readFileSync(new URL(`recorded/${file}.json`, import.meta.url), 'utf8'))

/** The transaction that the figures of the answer call for: api/swap/approval/_utils.ts of across-protocol/frontend. */
const swapThatFits = (): string => {
  const depositor = '0xA4d353BBc130cbeF1811f27ac70989F9d568CeAB'
  const drain = { target: HANDLER, callData: encoded('drainLeftoverTokens', [WETH.arbitrum, depositor]), value: 0n }
  const quoteTimestamp = 1_770_679_043 - 3_600
  const depositData = {
    ...{ inputToken: '0x4200000000000000000000000000000000000006', outputToken: word(WETH.arbitrum), depositor },
    ...{ outputAmount: 464_434_354_522_974n, recipient: word(HANDLER), destinationChainId: 42_161n },
    ...{ exclusiveRelayer: zeroHash, exclusivityParameter: 0, quoteTimestamp, fillDeadline: quoteTimestamp + 7_200 },
    message: { calls: [drain, drain], fallbackRecipient: zeroAddress },
  }
  const swapAndDepositData = {
    ...{ submissionFees: { amount: 0n, recipient: zeroAddress }, depositData, exchange: HANDLER, transferType: 0, nonce: 0n },
    ...{ swapToken: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', swapTokenAmount: 1_000_000n, routerCalldata: '0x' },
    ...{ minExpectedInputTokenAmount: 468_764_504_022_050n, enableProportionalAdjustment: true },
    spokePool: '0x6f26Bf09B1C792e3228e5467807a900A503c0281',
  }
  return writeCall({ functionName: 'swapAndBridge', swapAndDepositData, tail: '73c0de' })
}

const take = async (row: Row): Promise<void> => {
  const { at, amount, deposit, fitted, slippageBps = 50 } = row
  const recorded = read(row.answer)
  const body = fitted ? altered(recorded, 'swapTx.data', swapThatFits()) : recorded
  const { venue } = canned(across, () => ({ body }), { now: () => at })
  const order = recordedOrder(row, amount, slippageBps)
  if (deposit) await proveCall(venue, order, at, { ...recorded.swapTx, to: deposit.pool, delivers: deposit.delivers })
  else await takenThrough(venue, order, at)
}

/** What the live API answered, as far as public repositories keep it. */
export const recordedAnswers = (recordings as unknown as readonly Row[]).map((row) => recordedAnswer(row, () => take(row)))
