import { expect, test } from 'vitest'
import { associatedTokenAddress } from '../../../engine/chains/solana/solanaCodec.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { checkPins, describePin } from '../../../engine/venues/checkPins.ts'
import { NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, prove, swapOf } from '../../support/venueKit/calls.ts'
import { API_KEY, FEE_WALLET, OTHER, openBench, orders, PROGRAM, PYUSD, TOKEN_2022, told, USDT, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)
const FEE_ACCOUNT = associatedTokenAddress(FEE_WALLET, USDC.solana)

const quoted = async (order: VenueOrder, options: Parameters<typeof openBench>[0] = {}) => {
  const bench = await open(options)
  const offer = await bench.venue.quote(order, never())
  return { bench, offer, asked: Object.fromEntries(bench.sent.at(-1)?.query ?? []) }
}

test.each<[string, VenueOrder, object]>([
  [
    // Less 400 millionths; 50 bps of slippage.
    'tokens through one pool, at the default slippage of Jupiter',
    orders.usdc(),
    {
      venue: 'jupiter',
      executionType: 'TRANSACTION',
      outputAmount: 249_900_000n,
      fee: { bps: 0, amount: 0n },
      slippage: { isFirm: true, guaranteedMin: 248_650_500n },
      // One signature, and 28,000 lamports of priority.
      gasUnits: 7n,
      spender: null,
      nativeFee: 0n,
      estimatedTimeSeconds: null,
      expiresAt: START_OF_TIME + 30_000,
      decimals: { input: null, output: null },
      carry: null,
    },
  ],
  [
    'an output net of a fee of 30 bps',
    orders.usdc({ feeBps: 30 }),
    { outputAmount: 249_150_300n, fee: { bps: 30, amount: 749_700n } },
  ],
  ['no fee in a mint without our fee account', orders.usdc({ feeBps: 30, from: [-2, PYUSD] }), { fee: { bps: 0, amount: 0n } }],
  ['SOL', orders.sol(), { spender: null, nativeFee: 0n }],
  ['into SOL', orders.toSol(), {}],
])('quote: the Jupiter offer is exact: %s', async (_name, order, offer) => {
  expect((await quoted(order, { settings: WITH_FEE })).offer).toMatchObject(offer)
})

test('quote: sends the fields of the order and the token account of the recipient', async () => {
  const { asked } = await quoted(orders.usdc({ feeBps: 30, slippageBps: 75 }), { settings: WITH_FEE })
  expect(asked).toEqual({
    inputMint: USDC.solana,
    outputMint: USDT,
    amount: '250000000',
    taker: WALLETS.solana,
    slippageBps: '75',
    maxAccounts: '50',
    platformFeeBps: '30',
    feeAccount: FEE_ACCOUNT,
    destinationTokenAccount: associatedTokenAddress(OTHER, USDT),
  })
  expect((await quoted(orders.pyusd())).asked).toMatchObject({
    destinationTokenAccount: associatedTokenAddress(OTHER, PYUSD, TOKEN_2022),
  })
  const own = (await quoted(orders.sol())).asked
  for (const field of ['destinationTokenAccount', 'nativeDestinationAccount', 'feeAccount', 'platformFeeBps'])
    expect(own).not.toHaveProperty(field)
})

test('quote: an API key is sent with every call and raises the rate limit; without one there is no header', async () => {
  const { bench } = await quoted(orders.usdc(), { apiKey: API_KEY })
  expect(bench.sent.map(({ headers }) => headers['x-api-key'])).toEqual([API_KEY])
  expect(bench.venue.profile.limits).toEqual({ requestsPerMinute: 60 })
  const { bench: keyless } = await quoted(orders.usdc(), { apiKey: null })
  expect(keyless.sent[0]?.headers).not.toHaveProperty('x-api-key')
  expect(keyless.venue.profile.limits).toEqual({ requestsPerMinute: 30 })
  expect(keyless.venue.profile.contracts).toEqual({ '-2': [PROGRAM] })
})

test.each(['248650500', '248650501'])(
  'quote: a minimum of %s units, rounded either way, is offered as the rounded-down amount',
  async (bound) => {
    const change = (body: never) => altered(altered(body, 'otherAmountThreshold', bound), 'outAmount', '249900001')
    const { venue } = told(await open(), { change })
    // Half a unit more than the bytes quote.
    const outcome = await venue.quote(orders.usdc(), never()).then(({ slippage }) => slippage?.guaranteedMin)
    expect(outcome).toBe(248_650_500n)
  },
)

test('quote: every power of ten of an input is quoted, built and proved with the requested slippage', async () => {
  const { venue } = await open({ settings: WITH_FEE })
  for (const order of [orders.usdc, orders.sol, orders.toSol, orders.pyusd])
    for (let amount = 10_000n; amount <= 10n ** 12n; amount *= 10n) {
      const swap = await swapOf(venue, order({ amount, slippageBps: 100 }))
      expect(await prove(venue, swap), `${amount}`).toEqual([])
      expect(swap.offer.slippage?.guaranteedMin, `${amount}`).toBe((swap.offer.outputAmount * 99n) / 100n)
    }
})

test('quote: requests no fee without a fee wallet; with one, the fee account is part of the route', async () => {
  const without = await quoted(orders.usdc({ feeBps: 30 }))
  expect([without.offer.fee.bps, without.asked['feeAccount']]).toEqual([0, undefined])
  const { profile } = (await open({ settings: { FEE_WALLET } })).venue
  expect(profile.feeRecipient(orders.usdc())).toBe(FEE_ACCOUNT)
  expect(profile.feeRecipient(orders.usdc({ from: [-2, PYUSD] }))).toBeNull()
  expect(profile.feeAccounts?.map(({ mint }) => mint)).toEqual([NATIVE_SOL, USDC.solana])
})

test.each([
  ['as published', { owner: 'BPFLoaderUpgradeab1e11111111111111111111111', data: new Uint8Array(36) }, []],
  ['closed', null, ['published nothing']],
  ['replaced by a token account', { owner: TOKEN_2022, data: new Uint8Array(165) }, [`published ${TOKEN_2022}`]],
])('jupiter pins: the program account %s', async (_what, account, differences) => {
  const { venue, chains } = await open()
  chains.script.solanaAccount = async (address) => (address === PROGRAM ? (account as never) : null)
  const found = (await checkPins(venue, never())).flatMap((check) => check.differences.map(describePin))
  expect(found).toEqual(differences.map((difference) => expect.stringContaining(difference)))
})
