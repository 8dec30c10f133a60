import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../engine/config/config.ts'
import { venueKey } from '../../engine/config/venues.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { SIMNET_FEE_WALLET_SOLANA } from '../../engine/core/networkName.ts'
import { addPartner } from '../../engine/keys/issueKey.ts'
import { openStore } from '../../engine/store/openStore.ts'
import type { Store } from '../../engine/store/store.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { watch } from '../../scripts/client/balances.ts'
import { follow, fund, lastOf, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../scripts/client/tokens.ts'
import { expectBalanced } from '../support/expectBalanced.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { readCall, writeCall } from '../venues/kyberswap/routerAbi.ts'
import { openAttempt } from './journeys/attempt.ts'
import type { Journey } from './journeys/journey.ts'
import { createPayers } from './own/payments/payers.ts'
import { callsOf, openSwap, type Route } from './own/payments/routes.ts'
import { HOUR_MS } from './support.ts'

/** The recipients of fees that the offline network has by default. */
const COLLECTOR = '0xfee0000000000000000000000000000000000fee'
const LIFI_COLLECTOR = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const FEE_BPS = 40

const USDT_SOLANA = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'

const VENUES = VENUE_DEFINITIONS.map(({ id }) => id)

let partner: TestService & { readonly store: Store }
let partnerId: string
let dataDir: string

/** The service, called with the key of a partner who takes a fee. */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'swap-fees-'))
  const service = await startService({
    ...only(...VENUES),
    ...Object.fromEntries(VENUES.map((id) => [venueKey(id, 'REQUESTS_PER_MINUTE'), '1000000'])),
    VENUE_LIFI_DENY_BRIDGES: 'polymer,polymerStandard',
    DATA_DIR: dataDir,
    SETTLEMENT_INTERVAL_SECONDS: '3600',
  })
  const store = await openStore(parseConfig({ DATA_DIR: dataDir, ...service.databaseEnv }), systemClock)
  const terms = { kind: 'enterprise', feeBps: FEE_BPS, requestsPerMinute: 1_000_000 } as const
  const issued = await store.transaction((parts) => addPartner(parts, terms, null))
  partnerId = issued.partner.id
  const headers = { 'x-api-key': issued.apiKey }
  partner = {
    ...service,
    send: (method, path, ask = {}) => service.send(method, path, { ...ask, headers }),
    call: (id, ask = {}) => service.call(id, { ...ask, headers }),
    store,
  }
}, 120_000)
afterAll(async () => {
  await partner.store.close()
  await partner.close()
  await rm(dataDir, { recursive: true, force: true })
})

const from = (chainId: number, token: string, amount: string) => ({ from: { chainId, token, amount } })
const to = (chainId: number, token: string) => ({ to: { chainId, token } })
const overBridge = { ...from(8453, USDC.base, '250000000'), ...to(42161, USDC.arbitrum) }
const onEthereum = { ...from(1, USDC.ethereum, '1000000000'), ...to(1, WETH_ETHEREUM) }
const toCoins = { ...onEthereum, ...to(1, NATIVE) }
const fromCoins = { ...from(8453, NATIVE, parseEther('1').toString()), ...to(42161, NATIVE), isRefundedToSender: true }
const fromBitcoin = { ...from(-1, NATIVE, '5000000'), ...to(8453, USDC.base) }

type Expected = {
  readonly venue: string
  readonly route: object
  readonly holder: 'payer' | 'venue'
  readonly asset: readonly [chainId: number, token: string]
  readonly ecosystem?: string
  /** The wallet whose balance shows the fee; absent: none does, and the fee is estimated. */
  readonly collector?: string
  /** What the entry rests on. Left out: a transfer where there is a collector, else the quote. */
  readonly basis?: 'payload'
}

const ALL: readonly Expected[] = [
  { venue: 'across', route: overBridge, holder: 'payer', asset: [42161, USDC.arbitrum], collector: COLLECTOR },
  { venue: 'bebop', route: onEthereum, holder: 'payer', asset: [1, WETH_ETHEREUM], collector: COLLECTOR },
  {
    venue: 'chainflip',
    route: { ...from(1, NATIVE, parseEther('1').toString()), ...to(42161, USDC.arbitrum) },
    holder: 'venue',
    asset: [42161, USDC.arbitrum],
  },
  { venue: 'cow', route: onEthereum, holder: 'venue', asset: [1, WETH_ETHEREUM] },
  { venue: 'debridge', route: overBridge, holder: 'venue', asset: [8453, USDC.base] },
  {
    venue: 'jupiter',
    route: { ...from(-2, USDC.solana, '250000000'), ...to(-2, USDT_SOLANA) },
    holder: 'payer',
    asset: [-2, USDC.solana],
    ecosystem: 'solana',
    collector: SIMNET_FEE_WALLET_SOLANA,
  },
  { venue: 'kyberswap', route: onEthereum, holder: 'payer', asset: [1, WETH_ETHEREUM], collector: COLLECTOR },
  { venue: 'kyberswap', route: toCoins, holder: 'payer', asset: [1, NATIVE], collector: COLLECTOR, basis: 'payload' },
  { venue: 'across', route: fromCoins, holder: 'payer', asset: [42161, NATIVE], collector: COLLECTOR, basis: 'payload' },
  { venue: 'uniswapx', route: toCoins, holder: 'payer', asset: [1, NATIVE], collector: COLLECTOR, basis: 'payload' },
  { venue: 'zerox', route: toCoins, holder: 'payer', asset: [1, NATIVE], collector: COLLECTOR, basis: 'payload' },
  { venue: 'lifi', route: fromCoins, holder: 'payer', asset: [8453, NATIVE], collector: LIFI_COLLECTOR, basis: 'payload' },
  {
    venue: 'lifi',
    route: { ...overBridge, isRefundedToSender: true },
    holder: 'payer',
    asset: [8453, USDC.base],
    collector: LIFI_COLLECTOR,
  },
  { venue: 'mayan', route: overBridge, holder: 'venue', asset: [8453, USDC.base] },
  {
    venue: 'mayan',
    route: { ...from(-2, USDC.solana, '250000000'), ...to(8453, USDC.base) },
    // Paid to the referrer with the solver's claim, later than the delivery.
    holder: 'payer',
    asset: [-2, USDC.solana],
    ecosystem: 'solana',
  },
  { venue: 'near-intents', route: fromBitcoin, holder: 'venue', asset: [-1, NATIVE], ecosystem: 'thorchain' },
  { venue: 'relay', route: overBridge, holder: 'venue', asset: [8453, USDC.base] },
  {
    venue: 'thorchain',
    route: { ...from(8453, USDC.base, '250000000'), ...to(1, NATIVE) },
    holder: 'venue',
    asset: [8453, USDC.base],
    ecosystem: 'thorchain',
  },
  { venue: 'uniswapx', route: onEthereum, holder: 'payer', asset: [1, WETH_ETHEREUM], collector: COLLECTOR },
  { venue: 'zerox', route: onEthereum, holder: 'payer', asset: [1, WETH_ETHEREUM], collector: COLLECTOR },
]

/** Beside the fee they deliver what was quoted, to the unit. */
const WHOLE = ['across', 'near-intents', 'relay']

describe.each(ALL)('$venue', ({ venue, route, holder, asset: [chainId, token], ecosystem = 'evm', collector, basis }) => {
  it('books the fee of a swap as the chain shows it, once it is final [fee-on-chain] [offline-fees]', async () => {
    const attempt = await openAttempt(partner, venue, { title: venue, ...route } as unknown as Journey)
    expect(attempt.offer.fee.bps).toBe(FEE_BPS)
    const collected = await watch(partner, {
      fee: { chainId, token, owner: collector ?? (chainId < 0 ? attempt.sender : COLLECTOR) },
    })
    const { ref } = await attempt.pay()
    const swap = { quoteToken: attempt.quoteToken, ref }
    const stepMs = chainId === -1 ? 120_000 : 3_000
    const end = lastOf(await follow(partner, swap, { stepMs, mayGoBack: true }))
    expect(end).toMatchObject({ status: 'success', venue })
    if (WHOLE.includes(venue)) expect(end.deliveredAmount).toBe(attempt.offer.output.amount)
    // All chains are final by then.
    await partner.control.advance(HOUR_MS)
    for (let i = 0; i < 2; i += 1) expect((await statusOf(partner, swap)).status).toBe('success')
    const id = (await partner.store.ledger.rawAfter(0, 1_000)).at(-1)?.swapId ?? 0
    const [entry, ...more] = await partner.store.ledger.ofSwap(id)
    expect([entry?.document['venue'], more]).toEqual([venue, []])
    const place = { chainId, token, ecosystem }
    expect(entry?.lines).toMatchObject([
      { account: holder === 'payer' ? 'payer' : `venue:${venue}`, side: 'debit', ...place },
      { account: `partner:${partnerId}`, side: 'credit', ...place },
    ])
    const [{ amount } = { amount: 0n }] = entry?.lines ?? []
    const rests = basis ?? (collector === undefined ? 'quote' : 'transfer')
    expect(entry?.document).toMatchObject({ basis: rests, isEstimated: rests === 'quote' })
    if (basis === 'payload') {
      // A signed order has its minimum only, which is up to 1 % below the delivery.
      const { fee } = await collected()
      expect([amount <= fee, amount * 100n >= fee * 99n]).toEqual([true, true])
    } else if (collector !== undefined) expect(amount).toBe((await collected()).fee)
    else if (token === attempt.offer.output.token.address) expect(amount).toBe(BigInt(attempt.offer.fee.amount))
    else expect(amount).toBe((attempt.amount * BigInt(attempt.offer.fee.bps)) / 10_000n)
    await expectBalanced(partner.store)
  }, 60_000)
})

const withoutFee = (data: string): string => {
  const call = readCall(data)
  return writeCall({ ...call, desc: { ...call.desc, feeReceivers: [], feeAmounts: [] } })
}
const bare = (address: string): string => address.slice(2).toLowerCase()
const paidTo = (data: string, wallet: string): string => data.replaceAll(bare(LIFI_COLLECTOR), bare(wallet))

it.each([
  ['kyberswap', 'removes the fee in tokens from the call', onEthereum, withoutFee],
  ['kyberswap', 'removes the fee in coins from the call', toCoins, withoutFee],
  ['lifi', 'redirects the fee in tokens to the own wallet', { ...overBridge, isRefundedToSender: true }, paidTo],
  ['lifi', 'redirects the fee in coins to the own wallet', fromCoins, paidTo],
])(
  '%s: a payer who %s leaves the partner without a fee',
  async (venue, _how, route, alter) => {
    const attempt = await openAttempt(partner, venue, { title: venue, ...route } as unknown as Journey)
    const { transaction } = attempt.execution as { readonly transaction: { data: string } }
    const before = transaction.data
    transaction.data = alter(before, attempt.sender)
    expect(transaction.data).not.toBe(before)
    const earned = await partner.store.ledger.balancesOf(partnerId)
    const collected = await watch(partner, {
      coins: { chainId: attempt.offer.input.token.chainId, token: NATIVE, owner: venue === 'lifi' ? LIFI_COLLECTOR : COLLECTOR },
    })
    const swap = { quoteToken: attempt.quoteToken, ref: (await attempt.pay()).ref }
    expect(lastOf(await follow(partner, swap, { stepMs: 3_000, mayGoBack: true }))).toMatchObject({ status: 'success', venue })
    await partner.control.advance(HOUR_MS)
    for (let i = 0; i < 2; i += 1) expect((await statusOf(partner, swap)).status).toBe('success')
    expect(await collected()).toEqual({ coins: 0n })
    expect(await partner.store.ledger.balancesOf(partnerId)).toEqual(earned)
  },
  60_000,
)

it('kyberswap: in a bundle each swap earns the fee of its own call, whatever else the collector receives', async () => {
  const route = { title: 'a bundle', venue: 'kyberswap', isAtOnce: true, stepMs: 1_000, ...onEthereum } as Route
  const payers = createPayers(partner, 1)
  const newAccount = () => payers.newPayer('an account of ERC-4337')
  const [stranger, honest, thief] = [await newAccount(), await newAccount(), await newAccount()] as const
  const [own, whole] = [await openSwap(partner, route, { payer: honest }), await openSwap(partner, route, { payer: thief })]
  const stripped = { ...whole, payment: { ...whole.payment, data: withoutFee(whole.payment.data) } }
  const gift = (BigInt(own.offer.fee.amount) * 19n) / 10n
  await fund(partner, 1, stranger.address, { [WETH_ETHEREUM]: gift.toString() })
  const given = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [COLLECTOR, gift] })
  const collected = await watch(partner, { fee: { chainId: 1, token: WETH_ETHEREUM, owner: COLLECTOR } })
  const ref = await payers.bundle([
    { sender: stranger.address, calls: [{ to: WETH_ETHEREUM, value: '0', data: given }] },
    { sender: honest.address, calls: callsOf(own) },
    { sender: thief.address, calls: callsOf(stripped) },
  ])
  const swaps = [stripped, own].map(({ quoteToken }) => ({ quoteToken, ref }))
  for (const swap of swaps) expect(lastOf(await follow(partner, swap, { stepMs: 1_000 })).status).toBe('success')
  await partner.control.advance(HOUR_MS)
  for (const swap of swaps) await statusOf(partner, swap)
  const entries = (await partner.store.ledger.rawAfter(0, 1_000)).slice(ALL.length)
  expect(entries.map(({ lines }) => lines[1]?.amount)).toEqual([String((await collected()).fee - gift)])
}, 60_000)

it('every venue charged its fee', () => {
  expect([...new Set(ALL.map(({ venue }) => venue))].toSorted()).toEqual(VENUES.toSorted())
})

it('the balances of the partner are the sum of the booked fees', async () => {
  const entries = await partner.store.ledger.rawAfter(0, 1_000)
  expect(entries).toHaveLength(ALL.length + 1)
  const balances = await partner.store.ledger.balancesOf(partnerId)
  const earned = balances.reduce((sum, one) => sum + one.earned, 0n)
  const credited = entries.flatMap(({ lines }) => lines).filter(({ account }) => account === `partner:${partnerId}`)
  expect(earned).toBe(credited.reduce((sum, { amount }) => sum + BigInt(amount), 0n))
})
