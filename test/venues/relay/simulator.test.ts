import { type Hex, toHex } from 'viem'
import { afterAll, describe, expect, test } from 'vitest'
import { encodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { altered, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { solanaPlanOf } from '../../support/venueKit/payloads.ts'
import { pay } from '../everyVenue.ts'
import { COINS_DEPOSITED, depositLog, TOKENS_DEPOSITED } from './fakeNetwork.ts'
import questions from './questions.json' with { type: 'json' }
import { API_KEY, ARB, casesOf, DEPOSITORY, openBench, orders, SOLANA_PROGRAM } from './support.ts'

/** The simulated venue by itself: it must be at least as strict as the real one is documented to be. */

const bench = await openBench()
afterAll(() => bench.close())

type Fields = { readonly [field: string]: unknown }
const KEY = { 'x-api-key': API_KEY }

const call = async (method: string, path: string, body?: Fields | null, headers: Record<string, string> = {}) => {
  const init = { method, headers: { 'content-type': 'application/json', ...headers } }
  const response = await fetch(`${bench.baseUrl}${path}`, body ? { ...init, body: JSON.stringify(body) } : init)
  return { status: response.status, body: (await response.json()) as Fields }
}

const GOOD = {
  user: WALLETS.evm,
  recipient: WALLETS.evmOther,
  originChainId: 8453,
  destinationChainId: 42161,
  originCurrency: USDC.base,
  destinationCurrency: USDC.arbitrum,
  amount: '250000000',
  tradeType: 'EXACT_INPUT',
}
/** What is null is left out. */
const quote = (change: Fields) => {
  const asked = Object.entries({ ...GOOD, ...change }).filter(([, value]) => value !== null)
  return call('POST', '/quote/v2', Object.fromEntries(asked))
}

const { answered, refused } = casesOf<{
  readonly answered: readonly (readonly [what: string, change: Fields, answer: Fields])[]
  readonly refused: readonly (readonly [what: string, change: Fields, errorCode: string | null, status: number])[]
}>(questions)

describe('a question', () => {
  test.each(answered)('with %s is answered', async (_name, change, answer) => {
    expect(await quote(change)).toMatchObject({ status: 200, body: answer })
  })

  test.each(['user', 'originChainId', 'destinationChainId', 'originCurrency', 'destinationCurrency', 'amount', 'tradeType'])(
    'without %s, or with another type, is refused',
    async (field) => {
      for (const value of [null, {}, true]) expect((await quote({ [field]: value })).status).toBe(400)
      expect((await call('POST', '/quote/v2', { ...GOOD, [field]: null })).status).toBe(400)
    },
  )

  test.each(refused)('with %s is refused with code %s', async (_name, change, errorCode, status) => {
    const { body, ...answer } = await quote(change)
    expect([answer.status, body['errorCode'] ?? null]).toEqual([status, errorCode])
    expect(body['message']).toBeTypeOf('string')
  })

  test.each(['/quote/v2', '/price'])('in somebody’s name is for who has a key: %s', async (path) => {
    const named = { ...GOOD, referrer: 'acme' }
    const statuses = [await call('POST', path, GOOD), await call('POST', path, named), await call('POST', path, named, KEY)]
    expect(statuses.map(({ status }) => status)).toEqual([200, 401, 200])
  })

  test('from Bitcoin is answered with an address of its own', async () => {
    const [, change] = answered.find(([what]) => what.includes('address in bitcoin')) ?? []
    const { body } = await quote(change ?? {})
    const [{ depositAddress = '' } = {}] = body['steps'] as readonly { readonly depositAddress?: string }[]
    expect(depositAddress).toMatch(/^bc1q[0-9a-z]{38}$/)
  })
})

const NOBODY = `0x${'00'.repeat(32)}`
test.each<[string, string, Fields | null, Record<string, string>, number, Fields]>([
  ['GET', '/intents/status/v3?requestId=1', null, {}, 400, {}],
  ['GET', `/intents/status/v3?requestId=${NOBODY}`, null, {}, 404, {}],
  ['GET', `/requests/v3?id=${NOBODY}`, null, {}, 401, {}],
  ['GET', '/requests/v3', null, KEY, 200, { requests: [] }],
  ['GET', '/requests/v2', null, KEY, 404, {}],
  ['GET', '/chains', null, { 'x-api-key': 'no' }, 401, {}],
  ['POST', '/transactions/index', { chainId: '8453', txHash: '0x1' }, {}, 200, {}],
  ['POST', '/transactions/index', { chainId: 8453, txHash: '0x1' }, {}, 400, {}],
])('%s %s with %j and %j: %d', async (method, path, asked, headers, status, body) => {
  expect(await call(method, path, asked, headers)).toMatchObject({ status, body })
})

const statusOf = async ({ carry }: Execution) =>
  (await call('GET', `/intents/status/v3?requestId=${(carry as { requestId: string }).requestId}`)).body

describe('a transaction', () => {
  test('of another contract or chain is none of its business', () => {
    const other = { from: WALLETS.evm, to: WALLETS.evmOther, data: '0x49290c1c', value: 0n, txHash: '0x1' }
    expect(bench.sim.onTransaction({ ...other, chainId: 8453 })).toBe(false)
    expect(bench.sim.onTransaction({ ...other, chainId: -1 })).toBe(false)
    expect(bench.sim.onDeposit({ chainId: -1, token: ARB, address: WALLETS.bitcoin, amount: 1n, txHash: '1' })).toBe(false)
  })

  test.each<[string, VenueOrder, readonly Hex[], string]>([
    ['tokens', orders.usdc(), [USDC.base], TOKENS_DEPOSITED],
    ['coins', orders.ether(), [], COINS_DEPOSITED],
  ])('of %s is told by the events of the depository, whatever wallet called it', async (_, wanted, token, event) => {
    const { execution, order } = await swapOf(bench.venue, wanted)
    const { data, chainId } = transactionOf(execution)
    const wallet = { chainId, from: WALLETS.evmOther, to: WALLETS.evmOther, data: '0x1234', value: 0n }
    const words = (...paid: readonly Hex[]) => [
      WALLETS.evm as Hex,
      ...paid,
      toHex(order.inputAmount),
      `0x${data.slice(-64)}` as Hex,
    ]
    const seen = (txHash: string, logs: SimLog[]) => bench.sim.onTransaction({ ...wallet, txHash, logs })
    expect(seen('0x7', [depositLog(WALLETS.evmOther, event, words(...token))])).toBe(false)
    expect(seen('0x8', [])).toBe(false)
    // Of no order, and of another token than the order's: deposits all the same.
    expect(seen('0xb', [depositLog(DEPOSITORY, event, words(...token).with(-1, `0x${'11'.repeat(32)}`))])).toBe(true)
    expect(seen('0x9', [depositLog(DEPOSITORY, TOKENS_DEPOSITED, words(ARB))])).toBe(true)
    expect(await statusOf(execution)).toMatchObject({ status: 'waiting', inTxHashes: [] })
    expect(seen('0xa', [depositLog(DEPOSITORY, event, words(...token))])).toBe(true)
    expect(await statusOf(execution)).toMatchObject({ status: 'depositing', inTxHashes: ['0xa'] })
  })

  test.each<[string, (deposit: Buffer, keys: string[]) => { data?: Buffer; keys?: string[] }, RegExp]>([
    ['calls nothing the depository has', (data) => ({ data: Buffer.concat([Buffer.alloc(8), data.subarray(8)]) }), /101/],
    ['is cut short', (data) => ({ data: data.subarray(0, 47) }), /102/],
    ['leaves accounts out', (_, keys) => ({ keys: keys.slice(0, 9) }), /3005/],
    ['is of someone who does not sign', (_, keys) => ({ keys: keys.with(1, SOLANA_PROGRAM) }), /3010/],
    ['pays another vault', (_, keys) => ({ keys: keys.with(3, SOLANA_PROGRAM) }), /2006/],
    ['pays another account of the vault', (_, keys) => ({ keys: keys.with(6, SOLANA_PROGRAM) }), /6010/],
  ])('on Solana fails as the program does when it %s', async (_, change, error) => {
    const swap = await swapOf(bench.venue, orders.solanaUsdc())
    const { data } = transactionOf(swap.execution)
    const plan = await solanaPlanOf(data)
    const instructions = plan.instructions.map((own) => {
      if (own.programId !== SOLANA_PROGRAM) return own
      const keys = own.accounts.map(({ address }) => address)
      const made = change(Buffer.from(own.data), keys)
      return { ...own, data: made.data ?? own.data, accounts: (made.keys ?? keys).map((address) => ({ address })) }
    })
    const changed = altered(swap, 'execution.payload.transaction.data', await encodeSolanaTransaction({ ...plan, instructions }))
    const before = bench.network.taken.length
    await expect(pay(bench, changed)).rejects.toThrow(error)
    expect(bench.network.taken).toHaveLength(before)
    expect(await statusOf(swap.execution)).toMatchObject({ status: 'waiting', inTxHashes: [] })
  })
})

const [SECOND, MINUTE] = [1_000, 60_000]

describe('a request that was paid', () => {
  const paid = async (order: VenueOrder) => {
    const swap = await swapOf(bench.venue, order)
    await pay(bench, swap)
    return async (ms: number) => {
      await bench.schedule.advance(ms)
      return (await statusOf(swap.execution))['status']
    }
  }

  test.each<[string, VenueOrder, readonly (readonly [number, string])[]]>([
    [
      'tokens',
      orders.usdc(),
      [
        [0, 'depositing'],
        [2 * SECOND, 'pending'],
        [2 * SECOND, 'submitted'],
        [2 * SECOND, 'success'],
      ],
    ],
    [
      'bitcoin, of which a block is waited for',
      orders.bitcoin(),
      [
        [0, 'pending'],
        [30 * SECOND, 'pending'],
        [60 * MINUTE, 'success'],
      ],
    ],
  ])('in %s passes from state to state', async (_what, order, told) => {
    const later = await paid(order)
    for (const [ms, status] of told) expect(await later(ms)).toBe(status)
  })

  test('and cannot be filled is tried again, then refunded; and has failed if it cannot be', async () => {
    const later = await paid(orders.usdc({ to: [-2, USDC.solana], recipient: WALLETS.solana }))
    bench.network.refusal = 'the account is frozen'
    expect([await later(MINUTE), bench.problems.splice(0).length]).toEqual(['delayed', 1])
    expect([await later(30 * MINUTE), bench.problems.splice(0).length]).toEqual(['failure', 1])
  })
})
