import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { keccakText } from '../../../engine/chains/evm/evmCodec.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { Binding, Execution, Hex, TypedData } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import type { SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import type { SimEvm } from '../../../engine/simnet/kit/world.ts'
import { createCow } from '../../../engine/simnet/venues/cow/cow.ts'
import { cow } from '../../../engine/venues/cow/venue.ts'
import type { SignedPayload, Venue } from '../../../engine/venues/venue.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { unnoticed } from '../../support/unnoticed.ts'
import { createVenueBench, START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { createFakeEvm, ethFlowLogs, type FakeEvm } from './fakeEvm.ts'

export const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
export const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
export const SETTLEMENT = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'
export const VAULT_RELAYER = '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110'
export const ETH_FLOW = '0xbA3cB449bD2B4ADddBc894D8697F5170800EAdeC'
export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
export const SETTINGS = { FEE_RECIPIENT, APP_CODE: 'example-aggregator' }

/** The public development key behind WALLETS.evm. */
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

export type CowBench = VenueBench & { readonly fake: FakeEvm }

export const aBench = async ({
  evm = {},
  ...options
}: {
  settings?: Record<string, string>
  apiKey?: string
  evm?: Partial<SimEvm>
  chains?: FakeChains
} = {}): Promise<CowBench> => {
  const fake = createFakeEvm()
  const bench = await createVenueBench(cow, createCow, {
    chains: createFakeChains(),
    settings: SETTINGS,
    ...options,
    evm: { ...fake.evm, ...evm },
  })
  fake.tell = bench.sim.onTransaction
  return { ...bench, fake }
}

export const never = (): AbortSignal => new AbortController().signal

/** The example of the venue's fact sheet: 1,000 USDC to WETH on Ethereum, paid out to another wallet. */
export const usdcToWeth = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({ from: [1, USDC], to: [1, WETH], amount: 1_000_000_000n, recipient: WALLETS.evmOther, feeBps: 30, ...wish })

/** 1 ether to USDC on Ethereum. */
export const etherToUsdc = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({ from: [1, NATIVE], to: [1, USDC], amount: 10n ** 18n, recipient: WALLETS.evmOther, feeBps: 30, ...wish })

export const bindingOf = ({ recipient, refundTo }: VenueOrder): Binding => ({ recipient, refundTo })

/** Quotes and executes an order, as the engine would. */
export const executed = async (venue: Venue, order: VenueOrder): Promise<ExecutedSwap> => {
  const offer = await venue.quote(order, never())
  const binding = bindingOf(order)
  return { order, offer, binding, execution: await venue.execute({ order, offer }, binding, never()) }
}

export const typedDataOf = ({ payload }: Execution): TypedData => {
  if (payload.executionType !== 'SIGNATURE') throw new TypeError('nothing to sign')
  return payload.typedData
}

export const transactionOf = ({ payload }: Execution) => {
  if (payload.executionType !== 'TRANSACTION') throw new TypeError('nothing to send')
  return payload.transaction
}

export const sign = async (typedData: TypedData): Promise<Hex> =>
  account.signTypedData({ ...typedData, types: typedData.types } as unknown as Parameters<typeof account.signTypedData>[0])

/** `personal_sign` over a digest. */
export const signAsMessage = (digest: Hex): Promise<Hex> => account.signMessage({ message: { raw: digest } })

export const signed = async (execution: Execution): Promise<SignedPayload> => ({
  signature: await sign(typedDataOf(execution)),
  approvalSignature: null,
  scheme: 'ecdsa',
})

/** Signs and posts: the reference to follow the swap by. */
export const submitted = async (venue: Venue, swap: ExecutedSwap): Promise<string> => {
  const answer = await venue.submitter?.submit(swap, await signed(swap.execution), never())
  return answer?.statusRef ?? ''
}

/** The transaction of a native order as the network tells of it; its events are those of its calldata. */
export const sentBy = ({ execution, order }: ExecutedSwap, change: Partial<SimTransaction> = {}): SimTransaction => {
  const { chainId, to, data, value } = transactionOf(execution)
  const call = { chainId, from: order.sender, to, data, value, txHash: `0x${'e'.repeat(64)}`, ...change }
  return { logs: ethFlowLogs(call), status: 'success', ...call }
}

const PLACEMENT = parseAbi([
  'struct Order { address sellToken; address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; bytes32 kind; bool partiallyFillable; bytes32 sellTokenBalance; bytes32 buyTokenBalance; }',
  'struct OnchainSignature { uint8 scheme; bytes data; }',
  'event OrderPlacement(address indexed sender, Order order, OnchainSignature signature, bytes data)',
])

/** The event by which the contract tells of the order it placed. */
export const orderPlacement = ({ execution, order }: ExecutedSwap) => {
  const { appData } = execution.evidence as { appData: string }
  const erc20 = keccakText('erc20')
  const placed = {
    sellToken: WETH as Hex,
    buyToken: order.output.address as Hex,
    receiver: order.recipient as Hex,
    sellAmount: order.inputAmount as bigint,
    buyAmount: (execution.slippage?.guaranteedMin ?? 0n) as bigint,
    validTo: 0xffffffff,
    appData: keccakText(appData),
    feeAmount: 0n,
    kind: keccakText('sell'),
    partiallyFillable: false,
    sellTokenBalance: erc20,
    buyTokenBalance: erc20,
  } as const
  const [event] = PLACEMENT.filter(({ type }) => type === 'event')
  const unindexed = event?.inputs.slice(1) ?? []
  return {
    address: ETH_FLOW.toLowerCase() as Hex,
    topics: encodeEventTopics({ abi: PLACEMENT, eventName: 'OrderPlacement', args: { sender: order.sender as Hex } }) as Hex[],
    data: encodeAbiParameters(unindexed, [placed, { scheme: 0, data: ETH_FLOW }, '0x0000000000000007'] as never),
  }
}

/** The owner takes the coins of a native order back. */
export const takenBack = (swap: ExecutedSwap, change: Partial<SimTransaction> = {}): SimTransaction => {
  const data = sentBy(swap).data.replace(/^0x322bba21/, '0x7bc41b96')
  return sentBy(swap, { data, value: 0n, txHash: `0x${'d'.repeat(64)}`, ...change })
}

export const trackedBy = (swap: ExecutedSwap) => ({ order: swap.order, offer: swap.offer, executed: swap })

export const track = async (venue: Venue, ref: string, swap: ExecutedSwap) => {
  if (!venue.tracker) throw new TypeError('no tracker')
  return venue.tracker.track(ref, trackedBy(swap), never())
}

/** The VenueError a call ends in; anything else, or no error at all, fails the test. */
export const venueErrorOf = async (call: Promise<unknown> | undefined): Promise<VenueError> => {
  const outcome: unknown = await Promise.resolve(call).then(
    () => new Error('no error'),
    (error: unknown) => error,
  )
  if (outcome instanceof VenueError) return outcome
  throw outcome
}

export type Call = {
  readonly method: string
  readonly path: string
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: unknown
}
export type Answering = (call: Call) => { readonly status?: number; readonly body?: unknown; readonly raw?: string }

/** The real adapter against a server of canned answers, with its own clock. */
export const againstAnswers = async (
  answering: Answering,
  { now = START_OF_TIME, settings = SETTINGS }: { now?: number; settings?: Record<string, string> } = {},
) => {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const { method = '', url: path = '', headers } = request
      const call = { method, path, headers, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
      calls.push(call)
      const { status = 200, body, raw } = answering(call)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(raw ?? JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const http = createHttpClient()
  const venue = cow.create(
    { baseUrl, apiKey: null, settings },
    { http, chains: createFakeChains(), clock: { now: () => now }, notice: unnoticed },
  )
  const close = async () => {
    await http.close()
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { venue, calls, close }
}

type Json = Record<string, unknown>

/** A quote answer for the request as the order book documents it, changed where a test wants it wrong. */
export const quoteAnswer = (request: Json, change: { quote?: Json; top?: Json } = {}): Json => {
  const { sellToken, buyToken, receiver, from, validTo, appData, appDataHash, kind, signingScheme, sellAmountBeforeFee } = request
  const feeAmount = 800_000n
  const lower = (value: unknown) => String(value).toLowerCase()
  return {
    quote: {
      sellToken: lower(sellToken),
      buyToken: lower(buyToken),
      receiver: lower(receiver),
      sellAmount: (BigInt(String(sellAmountBeforeFee)) - feeAmount).toString(),
      buyAmount: '249800000000000000',
      feeAmount: feeAmount.toString(),
      gasAmount: '150000',
      gasPrice: '1333333333',
      sellTokenPrice: '0.00025',
      validTo,
      appData,
      appDataHash,
      kind,
      partiallyFillable: false,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
      signingScheme,
      ...change.quote,
    },
    from: lower(from),
    expiration: '2026-09-21T13:13:20.123456789Z',
    id: 123_456_789,
    verified: true,
    protocolFeeBps: '2',
    ...change.top,
  }
}
