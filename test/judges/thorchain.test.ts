import { Configuration, MimirApi, NetworkApi, PoolsApi, QuoteApi, TransactionsApi } from '@xchainjs/xchain-thornode'
import { expect, test } from 'vitest'
import { parseMemo } from '../../engine/venues/thorchain/protocol.ts'
import { thorchain } from '../../engine/venues/thorchain/venue.ts'
import { WALLETS } from '../support/anOrder.ts'
import { closedAfterEach } from '../support/venueKit/benches.ts'
import { swapOf } from '../support/venueKit/calls.ts'
import { openAnyBench, pay } from '../venues/everyVenue.ts'
import { BITCOIN_VAULT, orders, QUOTE, ROUTER_4, ROUTER_6, USDC_BASE_POOL, VAULT } from '../venues/thorchain/support.ts'
import { judgeByTypes } from './typeJudge.ts'

const LISTED_VAULT = VAULT.toLowerCase()

/** The client and the types that are generated of THORNode's own OpenAPI document, as @xchainjs/xchain-thornode 1.0.5 has them. */

const open = closedAfterEach(() => openAnyBench(thorchain))

const clientsAt = (basePath: string) => {
  const node = new Configuration({ basePath })
  return {
    mimir: new MimirApi(node),
    network: new NetworkApi(node),
    pools: new PoolsApi(node),
    quotes: new QuoteApi(node),
    transactions: new TransactionsApi(node),
  }
}

/** What the client was given for a question, its arguments in the order of the document. */
type Asked = Parameters<QuoteApi['quoteswap']>

const toBitcoin: Asked = [
  ...([undefined, 'ETH.ETH', 'BTC.BTC', 100_000_000, WALLETS.bitcoin, WALLETS.evm, 0, 0] as const),
  ...([undefined, 100, 15, 'tn'] as const),
]

test("thorchain: the published client requests a price, and reads the adapter's offer from the answer", async () => {
  const { baseUrl, venue } = await open()
  const { data } = await clientsAt(baseUrl).quotes.quoteswap(...toBitcoin)
  expect(data).toMatchObject({
    inbound_address: LISTED_VAULT,
    router: ROUTER_4,
    gas_rate_units: 'gwei',
    fees: { asset: 'BTC.BTC' },
  })
  const plain = await clientsAt(baseUrl).quotes.quoteswap(undefined, 'ETH.ETH', 'BTC.BTC', 100_000_000, WALLETS.bitcoin)
  const { offer } = await swapOf(venue, orders.ether())
  expect(BigInt(plain.data.expected_amount_out)).toBe(offer.outputAmount)
  const memo = parseMemo(data.memo ?? '')
  expect(memo).toMatchObject({ recipient: WALLETS.bitcoin, refundTo: WALLETS.evm, affiliates: [{ name: 'tn', bps: 15 }] })
  expect(memo?.limit).toBe((BigInt(data.expected_amount_out) * 99n) / 100n)
})

test('thorchain: the adapter and the published client send the same request', async () => {
  const bench = await open()
  await swapOf(bench.venue, orders.ether())
  const own = bench.sent.filter(({ path }) => path === QUOTE).at(-1)?.query
  await clientsAt(bench.baseUrl).quotes.quoteswap(...toBitcoin)
  const theirs = bench.sent.at(-1)
  expect([theirs?.method, theirs?.path]).toEqual(['GET', QUOTE])
  expect([...(theirs?.query.keys() ?? [])]).toEqual(expect.arrayContaining([...(own?.keys() ?? ['nothing'])]))
})

test('thorchain: the published client reads the vaults, routers and pools of the simulator', async () => {
  const { network, pools, mimir } = clientsAt((await open()).baseUrl)
  const { data: rows } = await network.inboundAddresses()
  expect(rows.map(({ chain, address, router }) => [chain, address, router])).toEqual(
    expect.arrayContaining([
      ['ETH', LISTED_VAULT, ROUTER_4],
      ['BASE', LISTED_VAULT, ROUTER_6],
      ['BTC', BITCOIN_VAULT, undefined],
    ]),
  )
  expect((await pools.pools()).data.find(({ asset }) => asset === USDC_BASE_POOL)).toMatchObject({
    status: 'Available',
    decimals: 6,
  })
  expect((await mimir.mimir()).data).toMatchObject({ HALTTRADING: 0 })
  expect((await network.lastblock()).data.map(({ chain }) => chain)).toContain('BTC')
})

test('thorchain: the published client receives the errors of THORNode', async () => {
  const { quotes } = clientsAt((await open()).baseUrl)
  const response = { status: 400, data: { code: 3, message: expect.stringMatching(/^amount less than dust threshold: /) } }
  await expect(quotes.quoteswap(undefined, 'ETH.ETH', 'BTC.BTC', 1)).rejects.toMatchObject({ response })
})

test('thorchain: the published client follows a swap to its payout, with answers that match the API document', async () => {
  const bench = await open()
  const { network, pools, quotes, transactions } = clientsAt(bench.baseUrl)
  const swap = await swapOf(bench.venue, orders.usdc())
  const hash = (await pay(bench, swap)).slice(2).toUpperCase()
  const status = async () => (await transactions.txStatus(hash)).data
  const unseen = (await transactions.txStatus('AB'.repeat(31))).data
  const under = await status()
  await bench.schedule.advance(60_000)
  const done = await status()
  expect(unseen.stages.inbound_observed).toMatchObject({ started: false, completed: false })
  expect([under.stages.swap_finalised?.completed, done.stages.swap_finalised?.completed]).toEqual([false, true])
  const coin = { asset: 'ETH.ETH', amount: String(swap.offer.outputAmount / 10n ** 10n) }
  expect(under.planned_out_txs).toEqual([{ chain: 'ETH', to_address: WALLETS.evmOther, coin, refund: false }])
  const paid = done.out_txs?.[0]
  expect([paid?.to_address, paid?.memo]).toEqual([WALLETS.evmOther, `OUT:${hash}`])
  expect(paid?.coins).toEqual([coin])
  const preamble = [
    "import type { InboundAddressesResponse, LastBlockResponse, Pool, QuoteSwapResponse, TxStatusResponse } from '@xchainjs/xchain-thornode'",
    'type Wire<T> = { readonly [K in keyof T]: T[K] extends object | undefined ? Wire<T[K]> : T[K] }',
    // Loans ended, and with them these, before 3.19.1 of the document.
    "type Pools = readonly Omit<Pool, 'loan_collateral' | 'loan_collateral_remaining' | 'loan_cr'>[]",
  ]
  const faults = judgeByTypes(preamble, [
    ['Wire<TxStatusResponse>', unseen],
    ['Wire<TxStatusResponse>', under],
    ['Wire<TxStatusResponse>', done],
    ['Wire<QuoteSwapResponse>', (await quotes.quoteswap(...toBitcoin)).data],
    ['readonly Wire<InboundAddressesResponse[number]>[]', (await network.inboundAddresses()).data],
    ['readonly Wire<LastBlockResponse[number]>[]', (await network.lastblock()).data],
    ['Pools', (await pools.pools()).data],
    ['Wire<TxStatusResponse>', { ...done, stages: {} }],
  ])
  expect(faults.slice(0, -1)).toEqual(Array.from({ length: 7 }, () => []))
  expect(faults.at(-1)).not.toEqual([])
})
