import { afterEach, beforeEach, expect, test } from 'vitest'
import { associatedTokenAddress } from '../../../engine/chains/solana/solanaCodec.ts'
import { jupiter } from '../../../engine/venues/jupiter/venue.ts'
import { NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { createVenueBench, START_OF_TIME } from '../../support/venueBench.ts'
import { never, refusalOf } from '../../support/venueKit/calls.ts'
import { type Fields, speakTo } from '../../support/venueKit/speak.ts'
import { FEE_WALLET, type JupiterBench, OTHER, openBench, orders, PYUSD, USDT } from './support.ts'

/** How strict the simulated venue is. */

let bench: JupiterBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const GOOD = { inputMint: USDC.solana, outputMint: USDT, amount: '250000000', taker: WALLETS.solana }
const ask = (
  change: Fields = {},
  { path = '/swap/v2/build', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
) => speakTo(bench, path, { query: { ...GOOD, ...change }, headers })

test('a question with all that may be asked is answered with all that the reference names', async () => {
  const { status, body } = await ask({
    slippageBps: '75',
    maxAccounts: '64',
    wrapAndUnwrapSol: 'true',
    blockhashSlotsToExpiry: '300',
  })
  expect(status).toBe(200)
  const names =
    'inputMint outputMint inAmount outAmount otherAmountThreshold swapMode slippageBps priceImpactPct routePlan'.split(' ')
  const parts =
    'computeBudgetInstructions setupInstructions swapInstruction cleanupInstruction otherInstructions tipInstruction'.split(' ')
  expect(Object.keys(body).sort()).toEqual([...names, ...parts, 'addressesByLookupTableAddress', 'blockhashWithMetadata'].sort())
  expect(body).toMatchObject({
    outAmount: '249900000',
    otherAmountThreshold: '248025750',
    slippageBps: 75,
    cleanupInstruction: null,
  })
})

test.each(Object.keys(GOOD))('a question without %s is refused', async (field) => {
  expect(await ask({ [field]: undefined })).toMatchObject({ status: 400, body: { error: expect.stringContaining(field) } })
})

const FEE_ACCOUNT = associatedTokenAddress(FEE_WALLET, USDC.solana)
test.each<[string, Fields, RegExp]>([
  ['bad base58', { inputMint: '0OIl' }, /inputMint/],
  ['an address of another chain', { taker: WALLETS.evm }, /taker/],
  ['equal mints', { outputMint: USDC.solana }, /different/],
  ['nothing', { amount: '0' }, /amount/],
  ['a fraction', { amount: '1.5' }, /amount/],
  ['more than there can be', { amount: (2n ** 64n).toString() }, /amount/],
  ['a slippage above all', { slippageBps: '10001' }, /slippageBps/],
  ['a negative slippage', { slippageBps: '-1' }, /slippageBps/],
  ['a fee above all', { platformFeeBps: '10001', feeAccount: FEE_ACCOUNT }, /platformFeeBps/],
  ['a fee for nobody', { platformFeeBps: '30' }, /feeAccount is required/],
  ['a fee for a wallet', { platformFeeBps: '30', feeAccount: FEE_WALLET }, /not an initialized token account/],
  ['a fee in a third mint', { platformFeeBps: '30', feeAccount: FEE_ACCOUNT, inputMint: PYUSD }, /input or the output mint/],
  ['two destinations', { destinationTokenAccount: OTHER, nativeDestinationAccount: OTHER }, /mutually exclusive/],
  ['coins of a token', { nativeDestinationAccount: OTHER }, /needs SOL/],
  ['coins for another, which is not played', { nativeDestinationAccount: OTHER, outputMint: NATIVE_SOL }, /not played/],
  ['no accounts', { maxAccounts: '0' }, /maxAccounts/],
  ['too many accounts', { maxAccounts: '65' }, /maxAccounts/],
  ['a tip', { tipAmount: '1000000' }, /not played/],
  ['another payer', { payer: OTHER }, /not played/],
  ['a field nobody knows', { userPublicKey: WALLETS.solana }, /unknown field/],
  ['a mint nobody trades', { outputMint: OTHER }, /No routes found/],
  ['more than the pools hold', { amount: '9000000000000' }, /No routes found/],
])('%s is refused', async (_what, change, error) => {
  expect(await ask(change)).toMatchObject({ status: 400, body: { error: expect.stringMatching(error) } })
})

test('a key that cannot be one is 401, a path that is none 404, and a name that comes twice is refused', async () => {
  expect((await ask({}, { headers: { 'x-api-key': 'short' } })).status).toBe(401)
  expect((await ask({}, { path: '/swap/v1/quote' })).status).toBe(404)
  expect((await ask({}, { headers: { 'x-api-key': 'a-good-key-0123' } })).status).toBe(200)
  const twice = await fetch(`${bench.baseUrl}/swap/v2/build?${new URLSearchParams(GOOD)}&amount=1`)
  expect(twice.status).toBe(400)
})

test('beyond its plan a caller is refused as the gateway does, until the window has moved on; the adapter waits so long', async () => {
  const keyless = () => fetch(`${bench.baseUrl}/swap/v2/build?${new URLSearchParams(GOOD)}`)
  for (let i = 0; i < 29; i += 1) await keyless()
  bench.clock.advance(20_000)
  expect((await keyless()).status).toBe(200)
  const late = await keyless()
  const { headers } = late
  expect([late.status, await late.text()]).toEqual([429, '[API Gateway] Too many requests'])
  const told = ['remaining', 'current', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))
  expect(told).toEqual(['-1', '31', String(START_OF_TIME / 1_000 + 60)])
  expect((await ask({}, { headers: { 'x-api-key': 'a-good-key-0123' } })).status).toBe(200)
  const other = await createVenueBench(jupiter, () => bench.sim, { chains: bench.chains, apiKey: null })
  const refusal = await refusalOf(other.venue.quote(orders.sol(), never()))
  expect(refusal).toMatchObject({ kind: 'rateLimited', retryAfterMs: 40_000 })
  await other.close()
  bench.clock.advance(40_000)
  expect((await keyless()).status).toBe(200)
})
