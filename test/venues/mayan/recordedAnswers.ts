import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import { nativeAsset } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import {
  addressOfWord,
  CREATE_ORDER,
  chainOfWormhole,
  FORWARD_TOKEN,
  FORWARDER,
  orderHash,
  SWIFT,
  type SwiftOrder,
  wordOf,
  ZERO_WORD,
} from '../../../engine/venues/mayan/protocol.ts'
import { mayan } from '../../../engine/venues/mayan/venue.ts'
import { proveCall, type RecordedAnswer, type RecordedRow, recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { never, takenThrough } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import { createNetworkChains } from '../../support/venueKit/network.ts'
import recordings from './recordings.json' with { type: 'json' }
import { WITH_FEE } from './support.ts'
import vectors from './vectors.json' with { type: 'json' }

const createChains = () => createNetworkChains({ tables: new Map() })

const placeAt = (wormholeId: unknown, contract: string) => {
  const chainId = chainOfWormhole(Number(wormholeId))
  if (chainId === null) throw new Error(`chain ${wormholeId} of Wormhole is not served`)
  return [chainId, contract === ZERO_EVM_ADDRESS ? nativeAsset(chainId).address : contract] as const
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
const hashOf = ({ status, lockedDecimals = 6 }: Status): string => {
  const of = (name: string): string => String(status[name])
  const [[from], [to]] = [placeAt(of('sourceChain'), ''), placeAt(of('destChain'), '')]
  const addressIn = (chainId: ChainId, name: string): Hex => wordOf(chainId, of(name) as typeof SWIFT)
  const fee = (name: string): bigint => BigInt(Number(of(name)).toFixed(lockedDecimals).replace('.', ''))
  const parties = { trader: addressIn(from, 'trader'), destAddr: addressIn(to, 'destAddress') }
  const order: SwiftOrder = {
    ...{
      ...parties,
      payloadType: Number(of('payloadId')),
      destChainId: Number(of('destChain')),
      tokenOut: ZERO_WORD,
      gasDrop: 0n,
    },
    ...{ referrerAddr: addressIn(from, 'referrerAddress'), referrerBps: Number(of('referrerBps')) },
    ...{ cancelFee: fee('redeemRelayerFee'), refundFee: fee('refundRelayerFee'), minAmountOut: BigInt(of('minAmountOut64')) },
    ...{
      deadline: BigInt(Date.parse(of('deadline'))) / 1_000n,
      auctionMode: Number(of('auctionMode')),
      random: of('randomKey') as Hex,
    },
  }
  const placed = { sourceId: Number(of('sourceChain')), tokenIn: addressIn(from, 'refundTokenAddress') }
  return orderHash(order, placed, Number(of('mayanBps')))
}

const runStatus = async (recorded: Status): Promise<void> => {
  const { status, state, decimals, delivered } = recorded
  const { sourceChain, fromTokenAddress = '', destChain, toTokenAddress = '', trader = '', destAddress = '' } = status
  const [from, to] = [placeAt(sourceChain, fromTokenAddress), placeAt(destChain, toTokenAddress)]
  const order = recordedOrder({ wallet: trader, recipient: destAddress, from, to }, '1', 100)
  const { venue } = canned(mayan, () => ({ body: status }))
  const sale = { order, offer: { decimals: { output: decimals } }, executed: null }
  const word = await venue.tracker?.track(status['sourceTxHash'] ?? '', sale as never, never())
  const got = [word?.state, word?.deliveredAmount?.toString() ?? null]
  if (got.join() !== [state, delivered].join()) throw new Error(`${got} in place of ${[state, delivered]}`)
  if (status['service'] === 'SWIFT_V2' && hashOf(recorded) !== status['orderHash']) throw new Error('another order hash')
}

type Token = { readonly contract: string; readonly wChainId: number }
type Vector = Omit<RecordedRow, 'recordedAt'> & {
  readonly swapper?: string
  readonly destination?: string
  readonly quote?: { readonly [name: string]: unknown; readonly fromToken: Token; readonly toToken: Token }
}
const SWITCHES = [1, 2, 5, 23, 30].map((wChainId) => ({ wChainId, originActive: true, destinationActive: true }))
const ROUTER = { swapRouterAddress: '0x3333333333333333333333333333333333333333', swapRouterCalldata: '0x12aa3caf00' }

const run = async ({ quote, swapper = '', destination = '' }: Vector): Promise<void> => {
  if (!quote) throw new TypeError('no quote')
  const now = (Number(quote['deadline64']) - 3_600) * 1_000
  const answers: { readonly [path: string]: object } = { '/init': { chains: SWITCHES }, '/get-swap/evm': ROUTER }
  const quoted = { quotes: [quote], minimumSdkVersion: [7, 0, 0] }
  const options = { chains: createChains(), now: () => now, settings: WITH_FEE }
  const { venue } = canned(mayan, ({ path }) => ({ body: answers[path] ?? quoted }), options)
  const [from, to] = [quote.fromToken, quote.toToken].map(({ wChainId, contract }) => placeAt(wChainId, contract))
  if (!from || !to) throw new TypeError('no route')
  const order = recordedOrder({ wallet: swapper, recipient: destination, from, to }, String(quote['effectiveAmountIn64']), 100)
  await takenThrough(venue, { ...order, feeBps: Number(quote['referrerBps'] ?? 0) }, now)
}

const NO_PERMIT = { value: 0n, deadline: 0n, v: 0, r: ZERO_WORD, s: ZERO_WORD }

/** An order that was placed: the call of Swift as it was recorded, in the call of the Forwarder that forwards it. */
const prove = async ({ chainId, data, delivers, keeps }: (typeof recordings.orders)[number]): Promise<void> => {
  const [token, amount, order] = decodeFunctionData({ abi: CREATE_ORDER, data: data as Hex }).args
  const to = chainOfWormhole(order.destChainId) ?? 1
  const [, output] = placeAt(order.destChainId, addressOfWord(to, order.tokenOut) ?? ZERO_EVM_ADDRESS)
  const args = [token, amount, NO_PERMIT, SWIFT as Hex, data as Hex] as const
  const call = { to: FORWARDER, data: encodeFunctionData({ abi: FORWARD_TOKEN, functionName: 'forwardERC20', args }), delivers }
  const now = (Number(order.deadline) - 3_600) * 1_000
  const { venue } = canned(mayan, () => ({ status: 500, body: {} }), { chains: createChains(), now: () => now })
  const wallet = addressOfWord(chainId as ChainId, order.trader) ?? ZERO_EVM_ADDRESS
  const recipient = addressOfWord(to, order.destAddr) ?? ZERO_EVM_ADDRESS
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
