import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import type { ChainId } from '../../../engine/core/chain.ts'
import { addressOfWord, orderHash, type SwiftOrder, wordOf, ZERO_WORD } from '../../../engine/venues/mayan/protocol.ts'
import { mayan } from '../../../engine/venues/mayan/venue.ts'
import {
  proveCall,
  type RecordedAnswer,
  type RecordedRow,
  type RecordedSwap,
  recordedAnswer,
  recordedOrder,
} from '../../support/recordedAnswers.ts'
import { never, takenThrough } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import { FORWARDER_ABI, SWIFT_ABI } from './abi.ts'
import recordings from './recordings.json' with { type: 'json' }
import { createChains } from './support.ts'
import vectors from './vectors.json' with { type: 'json' }

type Vector = Omit<RecordedRow, 'recordedAt'> & {
  readonly swapper?: string
  readonly destination?: string
  readonly quote?: { readonly [name: string]: unknown }
}

const ZERO = '0x0000000000000000000000000000000000000000'
const NATIVE = { 1: 'So11111111111111111111111111111111111111112', 2: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE' }
const CHAINS: { readonly [wormholeId: number]: ChainId } = { 1: -2, 2: 1, 4: 56, 5: 137, 23: 42161, 30: 8453, 47: 999 }
const SWITCHES = [1, 2, 5, 23, 30].map((wChainId) => ({ wChainId, originActive: true, destinationActive: true }))
const ROUTER = { swapRouterAddress: '0x3333333333333333333333333333333333333333', swapRouterCalldata: '0x12aa3caf00' }

type Token = { readonly contract: string; readonly wChainId: number }
const placeAt = (wChainId: number, contract: string) => {
  const chainId = CHAINS[wChainId]
  if (chainId === undefined) throw new Error(`chain ${wChainId} of Wormhole is not served`)
  return [chainId, contract === ZERO ? NATIVE[wChainId === 1 ? 1 : 2] : contract] as const
}
const placeOf = (quote: Vector['quote'], name: string) => {
  const { contract, wChainId } = (quote?.[name] ?? {}) as Token
  return placeAt(wChainId, contract)
}

type Status = RecordedRow & {
  readonly state: string
  readonly decimals: number
  /** Of the locked token, in which fees are told; left out, 6. */
  readonly lockedDecimals?: number
  readonly delivered: string | null
  readonly status: { readonly [name: string]: string }
}

/** The name of a recorded order of Swift V2, by all that its status tells of it. */
const hashOf = ({ status: told, lockedDecimals = 6 }: Status): string => {
  const of = (name: string): string => String(told[name])
  const [from, to] = [placeAt(Number(of('sourceChain')), ZERO)[0], placeAt(Number(of('destChain')), ZERO)[0]]
  const fee = (name: string): bigint => BigInt(Number(of(name)).toFixed(lockedDecimals).replace('.', ''))
  const order: SwiftOrder = {
    ...{
      payloadType: Number(of('payloadId')),
      trader: wordOf(from, of('trader') as never),
      destAddr: wordOf(to, of('destAddress') as never),
    },
    ...{ destChainId: Number(of('destChain')), referrerAddr: wordOf(from, of('referrerAddress') as never), tokenOut: ZERO_WORD },
    ...{
      minAmountOut: BigInt(of('minAmountOut64')),
      gasDrop: 0n,
      cancelFee: fee('redeemRelayerFee'),
      refundFee: fee('refundRelayerFee'),
    },
    ...{ deadline: BigInt(Date.parse(of('deadline'))) / 1_000n, referrerBps: Number(of('referrerBps')) },
    ...{ auctionMode: Number(of('auctionMode')), random: of('randomKey') as `0x${string}` },
  }
  const placed = { sourceId: Number(of('sourceChain')), tokenIn: wordOf(from, of('refundTokenAddress') as never) }
  return orderHash(order, placed, Number(of('mayanBps')))
}

const runStatus = async (recorded: Status): Promise<void> => {
  const { status, state, decimals, delivered } = recorded
  const { sourceChain, fromTokenAddress = '', destChain, toTokenAddress = '', trader = '', destAddress = '' } = status
  const [from, to] = [placeAt(Number(sourceChain), fromTokenAddress), placeAt(Number(destChain), toTokenAddress)]
  const order = recordedOrder({ wallet: trader, recipient: destAddress, from, to }, '1', 100)
  const { venue } = canned(mayan, () => ({ body: status }))
  const sale = { order, offer: { decimals: { output: decimals } }, executed: null }
  const word = await venue.tracker?.track(status['sourceTxHash'] ?? '', sale as never, never())
  const got = [word?.state, word?.deliveredAmount?.toString() ?? null]
  if (got.join() !== [state, delivered].join()) throw new Error(`${got} in place of ${[state, delivered]}`)
  if (status['service'] === 'SWIFT_V2' && hashOf(recorded) !== status['orderHash']) throw new Error('another order hash')
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

const FORWARDER = '0x337685fdaB40D39bd02028545a4FfA7D287cC3E2'
const SWIFT = '0x40fFE85A28DC9993541449464d7529a922142960'
const NO_PERMIT = { value: 0n, deadline: 0n, v: 0, r: ZERO_WORD, s: ZERO_WORD }

/** An order that was placed: the call of Swift as it was recorded, in the call of the Forwarder that forwards it. */
const prove = async ({ chainId, data, delivers, keeps }: (typeof recordings.orders)[number]): Promise<void> => {
  const [token, amount, order] = decodeFunctionData({ abi: SWIFT_ABI, data: data as Hex }).args
  const [to, output] = placeAt(order.destChainId, addressOfWord(CHAINS[order.destChainId] ?? 1, order.tokenOut) ?? ZERO)
  const args = [token, amount, NO_PERMIT, SWIFT, data as Hex] as const
  const call = { to: FORWARDER, data: encodeFunctionData({ abi: FORWARDER_ABI, functionName: 'forwardERC20', args }), delivers }
  const now = (Number(order.deadline) - 3_600) * 1_000
  const { venue } = canned(mayan, () => ({ status: 500, body: {} }), { chains: createChains(), now: () => now })
  const wallet = addressOfWord(chainId as ChainId, order.trader) ?? ZERO
  const recipient = addressOfWord(to, order.destAddr) ?? ZERO
  const swap = { wallet, recipient, from: [chainId as ChainId, token], to: [to, output] } as const
  await proveCall(venue, recordedOrder(swap, `${amount}`, 100), now, call, { carry: { v: 1, keeps, name: ZERO_WORD } })
}

/** What its own SDK was given to build from, and what a wallet recorded. */
export const recordedAnswers: readonly RecordedAnswer[] = [
  ...(vectors.vectors as unknown as readonly Vector[])
    .filter(({ quote }) => quote !== undefined)
    .map((row) => recordedAnswer({ ...row, recordedAt: null, vector: 'its quote is constructed' }, () => run(row))),
  ...recordings.orders.map((row) => recordedAnswer(row, () => prove(row))),
  ...recordings.quotes.map((quote) => recordedAnswer(quote, () => run(quote))),
  ...(recordings.statuses as unknown as readonly Status[]).map((status) => recordedAnswer(status, () => runStatus(status))),
]
