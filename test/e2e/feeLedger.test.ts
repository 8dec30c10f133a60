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
import { follow, lastOf, statusOf } from '../../scripts/client/swap.ts'
import { expectBalanced } from '../support/expectBalanced.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { openAttempt } from './journeys/attempt.ts'
import { COINS_OF, dollars, type Paid, type Side, USDC_ON, USDT_ON, units, WETH_ON, whole } from './sides.ts'
import { HOUR_MS, temporaryFolder, withKey } from './support.ts'

/** The recipients of fees that the offline network has by default. */
const COLLECTOR = '0xfee0000000000000000000000000000000000fee'
const LIFI_COLLECTOR = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const FEE_BPS = 40

const VENUES = VENUE_DEFINITIONS.map(({ id }) => id)

const DATA_DIR = temporaryFolder()
/** The service, called with the key of a partner who takes a fee. */
let partner: TestService
let store: Store
let partnerId: string

beforeAll(async () => {
  const service = await startService({
    ...only(...VENUES),
    ...Object.fromEntries(VENUES.map((id) => [venueKey(id, 'REQUESTS_PER_MINUTE'), '1000000'])),
    VENUE_LIFI_DENY_BRIDGES: 'polymer,polymerStandard',
    DATA_DIR,
    SETTLEMENT_INTERVAL_SECONDS: '3600',
  })
  store = await openStore(parseConfig({ DATA_DIR, ...service.databaseEnv }), systemClock)
  const terms = { kind: 'enterprise', feeBps: FEE_BPS, requestsPerMinute: 1_000_000 } as const
  const issued = await store.transaction((parts) => addPartner(parts, terms, null))
  partnerId = issued.partner.id
  partner = withKey(service, issued.apiKey)
}, 120_000)
afterAll(async () => {
  await store.close()
  await partner.close()
})

type Rest = {
  readonly ecosystem?: string
  /** The wallet whose balance shows the fee; absent: none does, and the fee is estimated. */
  readonly collector?: string
  /** The entry rests on the payload. Left out: on a transfer where there is a collector, else on the quote. */
  readonly basis?: 'payload'
}
type Row = readonly [venue: string, from: Paid, to: Side, holder: 'payer' | 'venue', asset: Side, rest?: Rest]
const [base, ethereum, solana] = [dollars(USDC_ON.base), dollars(USDC_ON.ethereum, 1_000), dollars(USDC_ON.solana)]
const [weth, coins] = [WETH_ON.ethereum, COINS_OF.ethereum]
const [ether, etherOnBase] = [whole(COINS_OF.ethereum), whole(COINS_OF.base)]
const moved = { collector: COLLECTOR }
const inCoins = { ...moved, basis: 'payload' } as const

const ROWS: readonly Row[] = [
  ['across', base, USDC_ON.arbitrum, 'payer', USDC_ON.arbitrum, moved],
  ['across', etherOnBase, COINS_OF.arbitrum, 'payer', COINS_OF.arbitrum, inCoins],
  ['bebop', ethereum, weth, 'payer', weth, moved],
  ['chainflip', ether, USDC_ON.arbitrum, 'venue', USDC_ON.arbitrum],
  ['cow', ethereum, weth, 'venue', weth],
  ['debridge', base, USDC_ON.arbitrum, 'venue', USDC_ON.base],
  [
    ...(['jupiter', solana, USDT_ON.solana, 'payer', USDC_ON.solana] as const),
    { ecosystem: 'solana', collector: SIMNET_FEE_WALLET_SOLANA },
  ],
  ['kyberswap', ethereum, weth, 'payer', weth, moved],
  ['kyberswap', ethereum, coins, 'payer', coins, inCoins],
  ['lifi', base, USDC_ON.arbitrum, 'payer', USDC_ON.base, { collector: LIFI_COLLECTOR }],
  ['lifi', etherOnBase, COINS_OF.arbitrum, 'payer', COINS_OF.base, { collector: LIFI_COLLECTOR, basis: 'payload' }],
  ['mayan', base, USDC_ON.arbitrum, 'venue', USDC_ON.base],
  // Paid to the referrer with the solver's claim, later than the delivery.
  ['mayan', solana, USDC_ON.base, 'payer', USDC_ON.solana, { ecosystem: 'solana' }],
  ['near-intents', units(COINS_OF.bitcoin, '5000000'), USDC_ON.base, 'venue', COINS_OF.bitcoin, { ecosystem: 'thorchain' }],
  ['relay', base, USDC_ON.arbitrum, 'venue', USDC_ON.base],
  ['thorchain', base, coins, 'venue', USDC_ON.base, { ecosystem: 'thorchain' }],
  ['uniswapx', ethereum, weth, 'payer', weth, moved],
  ['uniswapx', ethereum, coins, 'payer', coins, inCoins],
  ['zerox', ethereum, weth, 'payer', weth, moved],
  ['zerox', ethereum, coins, 'payer', coins, inCoins],
]

/** Beside the fee they deliver what was quoted, to the unit. */
const EXACT = ['across', 'near-intents', 'relay']

describe.each(ROWS.map((row) => [row[0], row] as const))('%s', (venue, [, from, to, holder, { chainId, token }, rest = {}]) => {
  const { ecosystem = 'evm', collector, basis } = rest
  it('books the fee of a swap as the chain shows it, once it is final [fee-on-chain] [offline-fees]', async () => {
    const attempt = await openAttempt(partner, venue, { from, to, isRefundedToSender: true })
    const { fee, output } = attempt.offer
    expect(fee.bps).toBe(FEE_BPS)
    const owner = collector ?? (chainId < 0 ? attempt.sender : COLLECTOR)
    const collected = await watch(partner, { fee: { chainId, token, owner } })
    const swap = { quoteToken: attempt.quoteToken, ref: (await attempt.pay()).ref }
    const end = lastOf(await follow(partner, swap, { stepMs: chainId === -1 ? 120_000 : 3_000, mayGoBack: true }))
    expect(end).toMatchObject({ status: 'success', venue })
    if (EXACT.includes(venue)) expect(end.deliveredAmount).toBe(output.amount)
    // All chains are final by then.
    await partner.control.advance(HOUR_MS)
    for (let i = 0; i < 2; i += 1) expect((await statusOf(partner, swap)).status).toBe('success')
    const id = (await store.ledger.rawAfter(0, 1_000)).at(-1)?.swapId ?? 0
    const [entry, ...more] = await store.ledger.ofSwap(id)
    const rests = basis ?? (collector === undefined ? 'quote' : 'transfer')
    expect([entry?.document, more]).toMatchObject([{ venue, basis: rests, isEstimated: rests === 'quote' }, []])
    const place = { chainId, token, ecosystem }
    expect(entry?.lines).toMatchObject([
      { account: holder === 'payer' ? 'payer' : `venue:${venue}`, side: 'debit', ...place },
      { account: `partner:${partnerId}`, side: 'credit', ...place },
    ])
    const amount = entry?.lines[0]?.amount ?? 0n
    if (basis === 'payload') {
      // A signed order has its minimum only, which is up to 1 % below the delivery.
      const { fee: whole } = await collected()
      expect([amount <= whole, amount * 100n >= whole * 99n]).toEqual([true, true])
    } else if (collector !== undefined) expect(amount).toBe((await collected()).fee)
    else if (token === output.token.address) expect(amount).toBe(BigInt(fee.amount))
    else expect(amount).toBe((attempt.amount * BigInt(fee.bps)) / 10_000n)
    await expectBalanced(store)
  }, 60_000)
})

it('every venue charged its fee, and the balances of the partner are the sum of the booked fees', async () => {
  expect([...new Set(ROWS.map(([venue]) => venue))].toSorted()).toEqual(VENUES.toSorted())
  const entries = await store.ledger.rawAfter(0, 1_000)
  expect(entries).toHaveLength(ROWS.length)
  const earned = (await store.ledger.balancesOf(partnerId)).reduce((sum, one) => sum + one.earned, 0n)
  const credited = entries.flatMap(({ lines }) => lines).filter(({ account }) => account === `partner:${partnerId}`)
  expect(earned).toBe(credited.reduce((sum, { amount }) => sum + BigInt(amount), 0n))
})
