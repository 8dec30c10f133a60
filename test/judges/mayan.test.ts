import { createRequire, registerHooks } from 'node:module'
import type * as swapSdk from '@mayanfinance/swap-sdk'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { decodeSolanaTransaction, encodeSolanaTransaction } from '../../engine/chains/solana/solanaCodec.ts'
import { addressOf } from '../../engine/core/address.ts'
import type { VenueOrder } from '../../engine/core/order.ts'
import { FORWARDER, orderHash, pinned, SWIFT_PROGRAM, wordOf } from '../../engine/venues/mayan/protocol.ts'
import { readPlacing } from '../../engine/venues/mayan/svm.ts'
import { WALLETS } from '../support/anOrder.ts'
import { closedAfterEach } from '../support/venueKit/benches.ts'
import { type Swap, swapOf, transactionOf } from '../support/venueKit/calls.ts'
import { readCall, writeCall } from '../venues/mayan/abi.ts'
import { FEE_RECIPIENT, type MayanBench, openBench, orders, QUOTE, REFERRER, WITH_FEE } from '../venues/mayan/support.ts'
import vectors from '../venues/mayan/vectors.json' with { type: 'json' }
import { judgeByTypes } from './typeJudge.ts'

/** The official SDK: @mayanfinance/swap-sdk 12.2.5. */

// What it needs for Sui alone is not installed.
const withoutSui = registerHooks({
  resolve: (name, context, next) => next(name.startsWith('@mysten/sui/') ? '@mysten/sui' : name, context),
})
const sdk = createRequire(import.meta.url)('@mayanfinance/swap-sdk') as typeof swapSdk
withoutSui.deregister()

// The program that 15.2.0 places orders with on Solana: 12.2.5 has the one before it.
const published = { ...sdk.addresses }
Object.assign(sdk.addresses, { SWIFT_V2_PROGRAM_ID: SWIFT_PROGRAM })
afterAll(() => Object.assign(sdk.addresses, published))

const open = closedAfterEach(async (settings: Parameters<typeof openBench>[0] = {}) => {
  const bench = await openBench(settings)
  Object.assign(sdk.addresses, { PRICE_URL: bench.baseUrl, EXPLORER_URL: bench.baseUrl })
  return bench
})

type Quote = swapSdk.Quote

/** The very question that the adapter asked last, asked by the SDK. */
const askAgain = async ({ sent }: MayanBench): Promise<readonly Quote[]> => {
  const asked = sent.filter(({ path }) => path === QUOTE).at(-1)?.body as swapSdk.QuoteParams & swapSdk.QuoteOptions
  const { wormhole, swift, mctp, shuttle, fastMctp, monoChain, gasless, onlyDirect, fullList, ...params } = asked
  const options = { wormhole, swift, mctp, shuttle, fastMctp, monoChain, gasless, onlyDirect, fullList } as swapSdk.QuoteOptions
  return sdk.fetchQuote(params, options)
}

/** A quote as the SDK was told it, under the name that our order has: what it would choose by chance is chosen. */
const quoteFor = async (bench: MayanBench, random: string, auctionMode: number): Promise<Quote> => {
  const quote = (await askAgain(bench)).find(({ swiftAuctionMode }) => swiftAuctionMode === auctionMode)
  if (!quote) throw new Error('no such quote')
  return { ...quote, quoteId: random }
}

/** Of the SDK's own vectors. */
const WALLET = vectors.vectors.find(({ name }) => name === 'solana_usdc_to_base_eth')?.swapper ?? ''
const REFERRERS = { evm: FEE_RECIPIENT, solana: REFERRER }

const evmOrder = ({ execution }: Swap) => readCall(transactionOf(execution).data).inner.order

describe('mayan: the EVM payload equals that of the SDK byte for byte', () => {
  test.each<[string, VenueOrder]>([
    ['a token that the order is paid with', orders.usdc({ feeBps: 15 })],
    ['to SOL', orders.toSol({ feeBps: 15 })],
    ['no fee', orders.usdc()],
    ['coins', orders.ether({ feeBps: 15 })],
    ['coins that are exchanged', orders.pol({ feeBps: 15 })],
    ['a token that is exchanged, for one of eighteen decimals', orders.arb({ feeBps: 15 })],
  ])('%s', async (_what, order) => {
    const bench = await open({ settings: WITH_FEE })
    const swap = await swapOf(bench.venue, order)
    const { to, data, value, chainId } = transactionOf(swap.execution)
    const { random, auctionMode } = evmOrder(swap)
    const quote = await quoteFor(bench, random, auctionMode)
    const referrers = order.feeBps > 0 ? REFERRERS : null
    const built = await sdk.getSwapFromEvmTxPayload(
      quote,
      order.sender,
      order.recipient,
      referrers,
      order.sender,
      chainId,
      null,
      null,
    )
    expect([built.to, built.chainId, BigInt(built.value ?? 0)]).toEqual([to, chainId, value])
    expect(to).toBe(FORWARDER)
    // `getEvmSwiftParams` of 15.2.0 names zeros for coins that are wrapped: 12.2.5 does not know of them.
    const call = readCall(String(built.data))
    const { tokenIn } = readCall(data).inner
    const isCoins = (quote as { swiftWrapAndLock?: boolean }).swiftWrapAndLock === true
    expect([isCoins, isCoins ? writeCall({ ...call, inner: { ...call.inner, tokenIn } }) : built.data]).toEqual([
      /^0x0+$/.test(tokenIn),
      data,
    ])
  })

  test('and the order hash equals that of the SDK', async () => {
    const bench = await open({ settings: WITH_FEE })
    const order = orders.toSol({ feeBps: 15 })
    const swap = await swapOf(bench.venue, order)
    const own = evmOrder(swap)
    const quote = await quoteFor(bench, own.random, own.auctionMode)
    const name = sdk.createSwiftOrderHash(quote, order.sender, order.recipient, FEE_RECIPIENT, own.random.slice(2), null)
    const { tokenIn } = readCall(transactionOf(swap.execution).data).inner
    const at = { sourceId: pinned(8453)?.wormholeId ?? 0, tokenIn: wordOf(8453, tokenIn as never) }
    expect(`0x${name.toString('hex')}`).toBe(orderHash(own as never, at, quote.protocolBps ?? -1))
  })
})

test.each([
  ['a token', orders.fromSolana],
  ['SOL', orders.sol],
])('mayan: the Solana payload for %s equals that of the SDK, with every account and its flags', async (_what, orderOf) => {
  const bench = await open({ settings: WITH_FEE })
  // The SDK derives accounts for keys of wallets alone.
  const order = orderOf({ feeBps: 15, sender: addressOf('solana', WALLET), refundTo: addressOf('solana', WALLET) })
  const { execution } = await swapOf(bench.venue, order)
  const { data } = transactionOf(execution)
  const transaction = await decodeSolanaTransaction(data)
  const placed = transaction?.instructions.map(readPlacing).find((each) => each !== null)
  if (!transaction || !placed) throw new Error('not read')
  const quote = await quoteFor(bench, placed.order.random, placed.order.auctionMode)
  // It tells the console what it does.
  const quiet = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const connection = { getMultipleAccountsInfo: async () => [] }
  const { instructions, signers } = await sdk.createSwapFromSolanaInstructions(
    ...([quote, order.sender, order.recipient, REFERRERS, connection as never] as const),
  )
  quiet.mockRestore()
  expect(signers).toEqual([])
  const again = await encodeSolanaTransaction({
    feePayer: order.sender,
    recentBlockhash: transaction.recentBlockhash,
    instructions: instructions.map(({ programId, keys, data: bytes }) => ({
      programId: addressOf('solana', programId.toBase58()),
      accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
        ...{ address: addressOf('solana', pubkey.toBase58()), isSigner, isWritable },
      })),
      data: Uint8Array.from(bytes),
    })),
  })
  expect(again).toBe(data)
})

describe('mayan: the SDK on the simulated venue', () => {
  test('sends its requests, and receives answers of its types', async () => {
    const bench = await open()
    await swapOf(bench.venue, orders.usdc())
    const quotes = await askAgain(bench)
    expect(bench.sent.at(-1)).toMatchObject({ method: 'GET', path: QUOTE })
    expect(quotes.map(({ type, swiftVersion }) => [type, swiftVersion])).toEqual([
      ['SWIFT', 'V2'],
      ['SWIFT', 'V2'],
    ])
    // What the SDK declares of other routes, and has in floats besides, nobody reads here.
    const fields = Object.keys(quotes[0] ?? {}).map((name) => `'${name}'`)
    const own = `Pick<Quote, Extract<keyof Quote, ${fields.join(' | ')}>>`
    const faults = judgeByTypes(
      ["import type { Quote } from '@mayanfinance/swap-sdk'"],
      [...quotes.map((quote) => [own, quote] as const), [own, { ...quotes[0], minAmountOut: '1' }]],
    )
    expect(faults.slice(0, 2)).toEqual([[], []])
    expect(faults.at(-1)).not.toEqual([])
  })

  test('receives errors that it can read', async () => {
    const bench = await open()
    await swapOf(bench.venue, orders.usdc())
    const asked = {
      slippageBps: 100,
      fromToken: WALLETS.evm,
      fromChain: 'base',
      toToken: WALLETS.evm,
      toChain: 'solana',
    } as const
    await expect(sdk.fetchQuote({ ...asked, toChain: 'nowhere' as never, amountIn64: '1' })).rejects.toMatchObject({
      message: 'unknown chain nowhere',
    })
    await expect(sdk.fetchQuote(asked)).rejects.toMatchObject({ message: 'amountIn64 or amountIn is required' })
  })
})
