import { PERMIT2 } from '../../../engine/chains/evm/permit2.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { ALLOWANCE_HOLDER } from '../../../engine/venues/zerox/protocol.ts'
import { type RecordedAnswer, recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { takenThrough } from '../../support/venueKit/calls.ts'
import recordings from './recordings.json' with { type: 'json' }
import { cannedZerox } from './support.ts'

const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** What answers have told since 2025, and those of 2024 did not all tell. */
const today = (spender: string | null): object => ({
  allowanceTarget: spender,
  tokenMetadata: { buyToken: { buyTaxBps: '0', sellTaxBps: '0', transferTaxBps: '0' } },
})

type Swap = (typeof recordings.swaps)[number]

/** A call as it was sent or told; of the answer around it what was published, completed by what the call says. */
const acceptSwap =
  (live: Swap): RecordedAnswer['run'] =>
  async () => {
    const { chainId, wallet, sellToken, buyToken, amount, minimum, expected, deadline, value, data } = live
    const fee = 'fee' in live && live.fee ? live.fee : null
    const told = 'toldSellAmount' in live ? live.toldSellAmount : amount
    const answer = {
      ...today(sellToken === NATIVE ? null : ALLOWANCE_HOLDER),
      ...{ liquidityAvailable: true, sellToken, buyToken, buyAmount: expected, minBuyAmount: minimum, gas: '288079' },
      ...{
        sellAmount: told,
        fees: {
          integratorFee: fee && { amount: '1', token: buyToken },
          zeroExFee: { amount: String(BigInt(amount) - BigInt(told)), token: sellToken },
        },
        issues: { allowance: null },
      },
      transaction: { to: ALLOWANCE_HOLDER.toLowerCase(), data, value, gas: '288079', gasPrice: '1' },
    }
    const now = (deadline - 300) * 1_000
    const { venue } = cannedZerox(
      ({ path }) => ({ body: path.startsWith('/gasless') ? { liquidityAvailable: false } : answer }),
      { now: () => now, settings: fee ? { FEE_RECIPIENT: fee.recipient } : {} },
    )
    const places = { wallet, from: [chainId as ChainId, sellToken], to: [chainId as ChainId, buyToken] } as const
    const order = { ...recordedOrder(places, amount, 200), feeBps: fee?.bps ?? 0 }
    const swap = await takenThrough(venue, order, now)
    if (swap.offer.outputAmount !== BigInt(expected)) throw new Error(`offers ${swap.offer.outputAmount}`)
  }

type Gasless = (typeof recordings.gasless)[number]

const acceptGasless =
  ({ chainId, amount, deadline, answer }: Gasless): RecordedAnswer['run'] =>
  async () => {
    const { sellToken, buyToken, trade } = answer
    const now = (deadline - 3_600) * 1_000
    // What is signed was asked for; a call has not been recorded with it.
    const { venue, asked } = cannedZerox(
      ({ path }) => ({ body: path.startsWith('/gasless') ? { ...today(PERMIT2), ...answer } : { liquidityAvailable: false } }),
      { now: () => now },
    )
    const wallet = trade.eip712.message.slippageAndActions.recipient
    const order = recordedOrder({ wallet, from: [chainId as ChainId, sellToken], to: [chainId as ChainId, buyToken] }, amount, 30)
    const swap = await takenThrough(venue, order, now).catch((error: unknown) => {
      // By signature it cannot be had, which leaves the transaction that nobody recorded.
      if (asked.filter(({ path }) => path === '/gasless/quote').length > 1) throw error
      throw new Error('what is to be signed is no permit of exactly the input')
    })
    if (swap.offer.outputAmount !== BigInt(answer.buyAmount)) throw new Error(`offers ${swap.offer.outputAmount}`)
    if (swap.execution.venueRef !== trade.hash) throw new Error(`signs ${swap.execution.venueRef}`)
  }

export const recordedAnswers: readonly RecordedAnswer[] = [
  ...recordings.swaps.map((row) => recordedAnswer(row, acceptSwap(row))),
  ...recordings.gasless.map((row) => recordedAnswer(row, acceptGasless(row))),
]
