import { describe, expect, test } from 'vitest'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, depositOf, never, prove, refusalOf, said, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { BROKER, openBench, orders, pathsOf, posted, refusing, told, VAULT, WITH_BROKER } from './support.ts'

const open = closedAfterEach(openBench)

const OPEN = '/api/openSwapDepositChannel'
const ENCODE = '/api/encodeVaultSwapData'
const BOOKS = '/v2/swaps/'

describe('execute: a Chainflip deposit channel', () => {
  test('is opened once, after price and vault key are known, and compared with the status API', async () => {
    const { venue, sent } = await open()
    const order = orders.bitcoin()
    const { execution, offer } = await swapOf(venue, order)
    expect(pathsOf(sent)).toEqual([
      ...['GET /api/networkInfo', 'GET /v2/quote'],
      ...['GET /api/networkInfo', 'POST /rpc', 'GET /v2/quote', `POST ${OPEN}`, 'GET /v2/swaps/{id}'],
    ])
    const [body] = posted(sent, OPEN)
    expect(body).toEqual({
      srcAsset: { chain: 'Bitcoin', asset: 'BTC' },
      destAsset: { chain: 'Ethereum', asset: 'USDC' },
      destAddress: WALLETS.evmOther,
      amount: '5000000',
      fillOrKillParams: {
        retryDurationBlocks: 300,
        refundAddress: WALLETS.bitcoin,
        minPriceX128: expect.stringMatching(/^\d{30,}$/),
        maxOraclePriceSlippage: null,
      },
    })
    expect(execution.venueRef).toBe(depositOf(execution).address)
    const claims = await venue.decode(execution)
    expect(claims).toMatchObject({ pays: execution.venueRef, refundTo: { told: WALLETS.bitcoin }, unread: [] })
    expect(said(claims.output.minimum)).toBeGreaterThanOrEqual(offer.slippage?.guaranteedMin ?? 0n)
    // Told until when it may be paid: a day.
    expect((claims.deadlineAt ?? 0) - Date.UTC(2026, 10, 20)).toBe(24 * 3_600_000)
  })

  test.each([
    ['the node', '/rpc', orders.bitcoin],
    ['the price', '/v2/quote', orders.sol],
    ['the list of assets', '/api/networkInfo', orders.sol],
  ])('is not opened when %s is unavailable', async (_what, path, order) => {
    const bench = await open()
    const offer = await bench.venue.quote(order(), never())
    const { venue, asked } = refusing(bench, path, 503, {})
    expect((await refusalOf(venue.execute({ order: order(), offer }, order(), never()))).kind).toBe('unavailable')
    expect(posted(asked, OPEN)).toEqual([])
  })

  test('is not opened at a price below the minimum or for a disabled pair', async () => {
    const bench = await open()
    const order = orders.bitcoin()
    const offer = await bench.venue.quote(order, never())
    const fallen = told(bench, {
      '/v2/quote': ([quote]: [object]) => [{ ...quote, egressAmount: String(offer.outputAmount / 2n) }],
    })
    const off = told(bench, {
      '/api/networkInfo': ({ assets }: { assets: { asset: string }[] }) => ({
        assets: assets.map((row) => (row.asset === 'Btc' ? { ...row, depositChannelCreationEnabled: false } : row)),
      }),
    })
    for (const { venue, asked } of [fallen, off]) {
      expect((await refusalOf(venue.execute({ order, offer }, order, never()))).kind).toBe('noLiquidity')
      expect(posted(asked, OPEN)).toEqual([])
    }
  })

  test.each<[string, string, (body: never) => object]>([
    ['a commission', OPEN, (body: object) => ({ ...body, brokerCommissionBps: 15 })],
    ['a boost', OPEN, (body: object) => ({ ...body, maxBoostFeeBps: 10 })],
    [
      'a lifetime of minutes',
      OPEN,
      (body: { estimatedExpiryTime: number }) => ({ ...body, estimatedExpiryTime: Date.UTC(2026, 10, 20) }),
    ],
    ['no expiry', OPEN, ({ estimatedExpiryTime: _, ...body }: { estimatedExpiryTime: number }) => body],
    ['an address of an unrelated wallet', OPEN, (body: object) => ({ ...body, depositAddress: WALLETS.evmOther })],
    ['another id in its status', BOOKS, (body) => altered(body, 'depositChannel.id', '1-Arbitrum-1')],
    ['another address in its status', BOOKS, (body) => altered(body, 'depositChannel.depositAddress', WALLETS.evmOther)],
    ['an expired status', BOOKS, (body) => altered(body, 'depositChannel.isExpired', true)],
    ['a status of a running swap', BOOKS, (body: object) => ({ ...body, state: 'SWAPPING' })],
    ['another input', BOOKS, (body: object) => ({ ...body, srcAsset: 'USDC' })],
    ['another output', BOOKS, (body: object) => ({ ...body, destAsset: 'USDC' })],
    ['another recipient', BOOKS, (body: object) => ({ ...body, destAddress: 'SysvarC1ock11111111111111111111111111111111' })],
    ['no recipient', BOOKS, ({ destAddress: _, ...body }: { destAddress: string }) => body],
    ['another refund address', BOOKS, (body) => altered(body, 'fillOrKillParams.refundAddress', WALLETS.evmOther)],
    ['another minimum price', BOOKS, (body) => altered(body, 'fillOrKillParams.minPrice', '0.0058')],
    ['no minimum price', BOOKS, (body) => altered(body, 'fillOrKillParams', null)],
  ])('with %s is rejected, and no second one is opened', async (_what, path, change) => {
    const bench = await open()
    const order = orders.usdt()
    const offer = await bench.venue.quote(order, never())
    const { venue, asked } = told(bench, { [path]: change })
    expect((await refusalOf(venue.execute({ order, offer }, order, never()))).kind).toBe('rejected')
    expect(posted(asked, OPEN)).toHaveLength(1)
  })

  test('unknown to the status API is rejected [venue-chainflip]', async () => {
    const bench = await open()
    const order = orders.sol()
    const offer = await bench.venue.quote(order, never())
    const { venue } = refusing(bench, BOOKS, 404, { message: 'resource not found' })
    expect((await refusalOf(venue.execute({ order, offer }, order, never()))).kind).toBe('rejected')
  })

  test.each(['bitcoin', 'sol', 'usdt'] as const)(
    'with the address of another channel is rejected: %s [venue-chainflip]',
    async (name) => {
      const bench = await open()
      const [mine, other] = [await swapOf(bench.venue, orders[name]()), await swapOf(bench.venue, orders[name]())]
      expect(depositOf(mine.execution).address).not.toBe(depositOf(other.execution).address)
      const objections = await prove(bench.venue, mine, { ...mine.execution, payload: other.execution.payload })
      expect(objections).toContain('deposit.address')
    },
  )

  test('for bitcoin is rejected once the vault has another key', async () => {
    const bench = await open()
    const swap = await swapOf(bench.venue, orders.bitcoin())
    const rotated = [...Buffer.from('bc1p96yhxaszqgtu3cu95v9hfd6c9yuxxpyl5e4rl5thuqftqas9jyzsdersag')]
    const { venue } = told(bench, { '/rpc': () => ({ jsonrpc: '2.0', id: 1, result: { bitcoin_vault: { Btc: rotated } } }) })
    expect(await prove(venue, swap)).toContain('deposit.address')
    const none = told(bench, { '/rpc': () => ({ jsonrpc: '2.0', id: 1, result: { bitcoin_vault: { Btc: [98, 99] } } }) })
    expect(await prove(none.venue, swap)).toEqual([expect.stringMatching(/^undecodable/)])
  })

  test.each(['wrong-recipient', 'wrong-minimum', 'wrong-contract'] as const)('with the fault %s is rejected', async (fault) => {
    const bench = await open()
    const order = orders.sol()
    const offer = await bench.venue.quote(order, never())
    bench.faults.set('chainflip', fault, {}, 1)
    expect((await refusalOf(bench.venue.execute({ order, offer }, order, never()))).kind).toBe('rejected')
  })
})

describe('execute: a Chainflip vault call', () => {
  test('pays the vault with the quoted terms, and opens no channel', async () => {
    const { venue, sent } = await open()
    const { execution, offer, ...swap } = await swapOf(venue, orders.usdc())
    expect(transactionOf(execution)).toMatchObject({ chainId: 42161, to: VAULT.arbitrum, value: 0n })
    expect(pathsOf(sent).slice(2)).toEqual(['GET /api/networkInfo', 'GET /v2/quote', `POST ${ENCODE}`])
    expect(await prove(venue, { execution, offer, ...swap })).toEqual([])
    expect(execution.venueRef).toBeNull()
    const coins = await swapOf(venue, orders.ether())
    expect(transactionOf(coins.execution)).toMatchObject({ to: VAULT.ethereum, value: 10n ** 18n })
  })

  test('pays the quoted fee to the configured broker only', async () => {
    const [plain, ours] = [await open(), await open({ settings: WITH_BROKER })]
    const order = orders.usdc({ feeBps: 30 })
    const swap = await swapOf(ours.venue, order)
    expect(posted(ours.sent, ENCODE)).toMatchObject([{ commissionBps: 30, brokerAccount: BROKER }])
    expect((await ours.venue.decode(swap.execution)).fee).toEqual({ recipient: BROKER, bps: 30 })
    expect(await prove(ours.venue, swap)).toEqual([])
    // Seen by a service with another broker, or none, it is somebody else's.
    expect(await prove(plain.venue, swap)).toContain('fee.recipient')
    expect((await swapOf(plain.venue, order)).offer.fee.bps).toBe(0)
    expect(posted(plain.sent, ENCODE)[0]).not.toHaveProperty('brokerAccount')
  })

  test('has its own uniqueness key, with the same guarantee as an equal call', async () => {
    const { venue } = await open()
    const [first, again] = [await swapOf(venue, orders.usdc()), await swapOf(venue, orders.usdc())]
    expect(await venue.profile.toldApartBy(again)).not.toEqual(await venue.profile.toldApartBy(first))
    expect(again.execution.slippage).toEqual(first.execution.slippage)
  })

  test.each(['wrong-recipient', 'wrong-minimum', 'wrong-amount', 'wrong-contract'] as const)(
    'with the fault %s is rejected',
    async (fault) => {
      const bench = await open()
      for (const order of [orders.usdc(), orders.ether()]) {
        const offer = await bench.venue.quote(order, never())
        bench.faults.set('chainflip', fault, {}, 1)
        expect((await refusalOf(bench.venue.execute({ order, offer }, order, never()))).kind, fault).toBe('rejected')
      }
    },
  )

  test('is declined when vault swaps are disabled after the quote', async () => {
    const bench = await open()
    const order = orders.usdc()
    const offer = await bench.venue.quote(order, never())
    const { venue } = refusing(bench, ENCODE, 503, { message: 'Asset ArbUsdc is disabled' })
    expect((await refusalOf(venue.execute({ order, offer }, order, never()))).kind).toBe('noLiquidity')
  })
})

test.each(['', 'cF', `${BROKER}x`, BROKER.replace('u', 'v'), '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'])(
  'chainflip: the start rejects an invalid broker account: %s',
  async (text) => {
    const { chainflip } = await import('../../../engine/venues/chainflip/venue.ts')
    const [account, url] = chainflip.settings
    expect(account?.pattern.test(text)).toBe(false)
    expect([account?.pattern.test(BROKER), url?.pattern.test('ftp://x'), url?.pattern.test('https://node:9944')]).toEqual([
      true,
      false,
      true,
    ])
  },
)
