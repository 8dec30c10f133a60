import { readFileSync } from 'node:fs'
import { encodeAbiParameters, encodeFunctionData, type Hex, pad, zeroAddress, zeroHash } from 'viem'
import { proveCall, type RecordedRow, type RecordedSwap, recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { altered, takenThrough } from '../../support/venueKit/calls.ts'
import { ACTIONS, DEPOSITS, INSTRUCTIONS } from './abi.ts'
import recordings from './recordings.json' with { type: 'json' }
import { told, WETH } from './support.ts'

/** The wallet of most of Across's own examples. */
const DEPOSITOR: Hex = '0xA4d353BBc130cbeF1811f27ac70989F9d568CeAB'
const USDC_OPTIMISM = '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'
const WETH_OPTIMISM = '0x4200000000000000000000000000000000000006'

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
const swapThatFits = (): Hex => {
  const handler: Hex = '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E'
  const recipient = DEPOSITOR
  const callData = encodeFunctionData({ abi: ACTIONS, functionName: 'drainLeftoverTokens', args: [WETH.arbitrum, recipient] })
  const calls = [callData, callData].map((drain) => ({ target: handler, callData: drain, value: 0n }) as const)
  const quoteTimestamp = 1_770_679_043 - 3_600
  const depositData = {
    inputToken: WETH_OPTIMISM,
    outputToken: pad(WETH.arbitrum),
    outputAmount: 464_434_354_522_974n,
    depositor: recipient,
    recipient: pad(handler),
    destinationChainId: 42_161n,
    exclusiveRelayer: zeroHash,
    quoteTimestamp,
    fillDeadline: quoteTimestamp + 7_200,
    exclusivityParameter: 0,
    message: encodeAbiParameters(INSTRUCTIONS, [{ calls, fallbackRecipient: zeroAddress }]),
  } as const
  const data = {
    submissionFees: { amount: 0n, recipient: zeroAddress },
    depositData,
    swapToken: USDC_OPTIMISM,
    exchange: handler,
    transferType: 0,
    swapTokenAmount: 1_000_000n,
    minExpectedInputTokenAmount: 468_764_504_022_050n,
    routerCalldata: '0x',
    enableProportionalAdjustment: true,
    spokePool: '0x6f26Bf09B1C792e3228e5467807a900A503c0281',
    nonce: 0n,
  } as const
  return `${encodeFunctionData({ abi: DEPOSITS, functionName: 'swapAndBridge', args: [data] })}73c0de`
}

const take = async (row: Row): Promise<void> => {
  const { at, amount, deposit, fitted, slippageBps = 50 } = row
  const recorded = read(row.answer)
  const body = fitted ? altered(recorded, 'swapTx.data', swapThatFits()) : recorded
  const { venue } = told(() => ({ body }), { now: () => at })
  const order = recordedOrder(row, amount, slippageBps)
  if (deposit) await proveCall(venue, order, at, { ...recorded.swapTx, to: deposit.pool, delivers: deposit.delivers })
  else await takenThrough(venue, order, at)
}

/** What the live API answered, as far as public repositories keep it. */
export const recordedAnswers = (recordings as unknown as readonly Row[]).map((row) => recordedAnswer(row, () => take(row)))
