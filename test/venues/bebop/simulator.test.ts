import { describe, expect, test } from 'vitest'
import type { SimRequest } from '../../../engine/simnet/kit/simVenue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { sign, signed, swapOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { API_KEY, type BebopBench, type Body, openBench, STRANGER, USDC, usdcToWeth, WETH } from './support.ts'

/** What the venue refuses by its documents, the simulated one refuses too. */

const open = closedAfterEach(openBench)

const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const JAM = '/jam/ethereum/v2/quote'
const PMM = '/pmm/ethereum/v3/quote'
const ORDER = '/jam/ethereum/v2/order'

const GOOD = { sell_tokens: USDC, buy_tokens: WETH, sell_amounts: '1000000000', taker_address: WALLETS.evm, slippage: '0.5' }

const ask = async ({ sim }: BebopBench, change: Partial<Omit<SimRequest, 'query'>> & { query?: Body } = {}) => {
  const { query = {}, ...rest } = change
  const asked = Object.entries({ ...GOOD, skip_validation: 'true', ...query }).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(asked.map(([name, value]): [string, string] => [name, String(value)]))
  return sim.handle({ method: 'GET', path: JAM, headers: {}, body: undefined, rawBody: '', ...rest, query: text })
}

const codeOf = ({ status, body }: { status: number; body: unknown }): string => {
  const { error } = body as { error?: { errorCode: number } }
  return `${status} ${error?.errorCode ?? 'answered'}`
}

test.each<[string, Body, string?]>([
  ['an address in lower case', { sell_tokens: USDC.toLowerCase() }],
  ['a taker in lower case', { taker_address: WALLETS.evm.toLowerCase() }],
  ['a taker that is none', { taker_address: undefined }],
  ['a receiver that is none', { receiver_address: '0x12' }],
  ['no amount', { sell_amounts: undefined }],
  ['both amounts', { buy_amounts: '1' }],
  ['an amount of nothing', { sell_amounts: '0' }],
  ['an amount of another form', { sell_amounts: '1e9' }],
  ['the same token twice', { buy_tokens: USDC }],
  ['too high a fee', { fee: '501', fee_recipient: STRANGER }],
  ['a fee for nobody', { fee: '10' }],
  ['a fee without a source', { fee: '10', gasless: 'false' }, PMM],
  ['a slippage of three decimals', { slippage: '0.123' }],
  ['too much slippage', { slippage: '50.01' }],
  ['a slippage below nothing', { slippage: '-1' }],
  ['an approval that is not for those who send themselves', { gasless: 'false', approval_type: 'Permit2' }, PMM],
  ['an approval nobody knows', { approval_type: 'None' }],
  ['coins that nobody sends', { sell_tokens: NATIVE }],
  ['coins that nobody sends, of makers', { sell_tokens: NATIVE }, PMM],
  ['an expiry nobody knows', { expiry_type: 'long' }],
  ['a field nobody knows', { colour: 'red' }],
])('%s is an invalid request, with HTTP 200', async (_name, query, path = JAM) => {
  expect(codeOf(await ask(await open(), { query, path }))).toBe('200 101')
})

test.each<[string, Body, string]>([
  ['a token that is not listed', { buy_tokens: STRANGER }, '200 105'],
  ['too little', { sell_amounts: '900000' }, '200 104'],
  ['less than its gas', { sell_amounts: '1200000' }, '200 106'],
  ['too much', { sell_amounts: '9000000000000' }, '200 102'],
])('%s has a code of its own', async (_name, query, code) => {
  expect(codeOf(await ask(await open(), { query }))).toBe(code)
})

test.each(['/jam/mars/v2/quote', '/pmm/linea/v3/quote', '/jam/ethereum/v3/quote', '/router/ethereum/v1/quote'])(
  '%s is no path',
  async (path) => {
    expect((await ask(await open(), { path })).status).toBe(404)
  },
)

test('a key that is none is refused, and one with a source lives longer and pays a fee', async () => {
  const bench = await open()
  expect((await ask(bench, { headers: { 'source-auth': 'short' } })).status).toBe(401)
  const query = { source: 'acme', gasless: 'false', fee: '10' }
  const { body } = await ask(bench, { path: PMM, query, headers: { authorization: API_KEY } })
  expect(body).toMatchObject({ status: 'SIG_SUCCESS', expiry: bench.clock.now() / 1_000 + 75 })
  expect(body).not.toHaveProperty('info')
  const short = await ask(bench, { query: { expiry_type: 'short' } })
  expect(short.body).toMatchObject({ expiry: bench.clock.now() / 1_000 + 5, info: expect.stringContaining('public API') })
})

test('its chains are listed', async () => {
  expect((await ask(await open(), { path: '/pmm/chains' })).body).toMatchObject({ ethereum: 1, hyperevm: 999, avalanche: 43114 })
})

describe('an order', () => {
  const post = (bench: BebopBench, body: Body) => ask(bench, { method: 'POST', path: ORDER, body })

  test('is taken once, in time, and signed by its taker', async () => {
    const bench = await open()
    const { execution } = await swapOf(bench.venue, usdcToWeth())
    const { signature } = await signed(execution)
    const good = { quote_id: execution.venueRef, signature, sign_scheme: 'EIP712' }
    const other = await sign({ ...typedDataOf(execution), message: { ...typedDataOf(execution).message, nonce: '1' } })
    for (const [change, code] of [
      [{ quote_id: '121-1' }, '210'],
      [{ quote_id: undefined }, '101'],
      [{ signature: '0x12' }, '101'],
      [{ signature: other }, '212'],
      [{ signature: `${signature.slice(0, -2)}00` }, '212'],
      [{ sign_scheme: 'ETHSIGN' }, '208'],
      [{ sign_scheme: 'EIP1271' }, '212'],
      [{ sign_scheme: 'RSA' }, '101'],
      [{ permit: {} }, '101'],
    ] as const)
      expect(codeOf(await post(bench, { ...good, ...change })), JSON.stringify(change)).toBe(`200 ${code}`)
    expect(await post(bench, good)).toMatchObject({ status: 200, body: { status: 'Success', txHash: null } })
    expect(codeOf(await post(bench, good))).toBe('200 210')
    const late = await swapOf(bench.venue, usdcToWeth())
    bench.clock.advance(30_000)
    const { signature: lateSignature } = await signed(late.execution)
    expect(codeOf(await post(bench, { quote_id: late.execution.venueRef, signature: lateSignature }))).toBe('200 203')
  })
})

test.each([
  ['half a balance', '0x70a08231', '200 204'],
  ['half an allowance', '0xdd62ed3e', '200 205'],
])('a taker with %s is told so where he is to be looked at', async (_name, selector, code) => {
  const bench = await open()
  const half = `0x${500_000_000n.toString(16).padStart(64, '0')}`
  const all = `0x${'f'.repeat(64)}`
  const rpc = async (_chain: number, _method: string, [call]: readonly unknown[]) =>
    (call as { data: string }).data.startsWith(selector) ? half : all
  Object.assign(bench.world.evm, { rpc })
  expect(codeOf(await ask(bench, { query: { skip_validation: 'false' } }))).toBe(code)
  expect(codeOf(await ask(bench))).toBe('200 answered')
})
