import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { solanaPlanOf } from '../../support/venueKit/solanaPlan.ts'
import { erc20DepositLog, nativeDepositLog } from './forging.ts'
import { ARB, DEPOSITORY, orders, SOLANA_PROGRAM, USDC } from './orders.ts'
import questions from './questions.json' with { type: 'json' }
import { API_KEY, casesOf, openBench, type RelayBench } from './support.ts'

/** The simulated venue by itself: it must be at least as strict as the real one is documented to be. */

let bench: RelayBench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const init = { method, headers: { 'content-type': 'application/json', ...headers } }
  const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) }
  const response = await fetch(`${bench.baseUrl}${path}`, sent)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
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

const TO_SOLANA = { destinationChainId: 792703809, destinationCurrency: USDC.solana }

const QUESTIONS =
  casesOf<readonly (readonly [what: string, change: object, errorCode: string | null, status?: number])[]>(questions)

describe('a question', () => {
  test('that is good is answered', async () => {
    expect((await call('POST', '/quote/v2', GOOD)).status).toBe(200)
    expect((await call('POST', '/price', GOOD)).status).toBe(200)
  })

  test.each(['user', 'originChainId', 'destinationChainId', 'originCurrency', 'destinationCurrency', 'amount', 'tradeType'])(
    'without %s, or with another type, is refused',
    async (field) => {
      for (const value of [undefined, null, {}, true])
        expect((await call('POST', '/quote/v2', { ...GOOD, [field]: value })).status).toBe(400)
    },
  )

  test.each(QUESTIONS)('with %s is refused with code %s', async (_name, change, errorCode, status = 400) => {
    // What is null is left out.
    const asked = Object.fromEntries(Object.entries({ ...GOOD, ...(change as object) }).filter(([, value]) => value !== null))
    const { body, ...answer } = await call('POST', '/quote/v2', asked)
    expect([answer.status, body['errorCode'] ?? null]).toEqual([status, errorCode])
    expect(body['message']).toBeTypeOf('string')
  })

  test('is answered with an order that may be refunded on either chain, through the vendor’s router', async () => {
    const orderOf = async (change: object) => {
      const { body } = await call('POST', '/quote/v2', { ...GOOD, ...change })
      return (body['protocol'] as { v2: { orderData: { inputs: object[]; output: object } } }).v2.orderData
    }
    const router = `0x${'b92fe925dc43a0ecde6c8b1a2709c170ec4fff4f'.padStart(64, '0')}`
    const refundTo = '0x976EA74026E726554dB657fA54763abd0C3a0aa9'
    const evm = await orderOf({ refundTo })
    const refund = { recipient: refundTo.toLowerCase(), minimumAmount: '0', extraData: router }
    expect(evm.inputs).toMatchObject([
      {
        payment: { weight: '1' },
        refunds: [
          { ...refund, chainId: 'base', currency: USDC.base.toLowerCase() },
          { ...refund, chainId: 'arbitrum', currency: USDC.arbitrum.toLowerCase() },
        ],
      },
    ])
    expect(evm.output).toMatchObject({ extraData: router, calls: [] })
    const solana = await orderOf({ ...TO_SOLANA, refundTo, recipient: WALLETS.solana })
    expect(solana.inputs).toMatchObject([
      { refunds: [{ recipient: refundTo.toLowerCase() }, { chainId: 'solana', recipient: WALLETS.solana, extraData: '0x' }] },
    ])
    expect(solana.output).toMatchObject({ extraData: '0x' })
  })

  test('in somebody’s name is for who has a key', async () => {
    for (const path of ['/quote/v2', '/price'])
      for (const [key, status] of [
        [{}, 401],
        [{ 'x-api-key': API_KEY }, 200],
      ] as const)
        expect((await call('POST', path, { ...GOOD, referrer: 'acme' }, key)).status).toBe(status)
  })

  test('from Bitcoin is answered with an address of its own, and the amount any wallet can pay there', async () => {
    const originCurrency = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8'
    const bitcoin = {
      user: WALLETS.bitcoin,
      refundTo: WALLETS.bitcoin,
      originChainId: 8253038,
      originCurrency,
      amount: '1000000',
    }
    const { body } = await call('POST', '/quote/v2', { ...GOOD, ...bitcoin, useDepositAddress: true })
    expect(body['steps']).toMatchObject([{ items: [{ data: { amount: '1000000', tokenSymbol: 'BTC' } }] }])
    const [{ depositAddress }] = body['steps'] as [{ depositAddress: string }]
    expect(depositAddress).toMatch(/^bc1q[0-9a-z]{38}$/)
  })

  test('within an ecosystem need not name who receives', async () => {
    expect((await call('POST', '/quote/v2', { ...GOOD, recipient: undefined })).status).toBe(200)
  })
})

describe('the other endpoints', () => {
  test('a status asks for an id it knows', async () => {
    expect((await call('GET', '/intents/status/v3?requestId=1')).status).toBe(400)
    expect((await call('GET', `/intents/status/v3?requestId=0x${'00'.repeat(32)}`)).status).toBe(404)
  })
  test('requests need a key', async () => {
    expect((await call('GET', `/requests/v3?id=0x${'00'.repeat(32)}`)).status).toBe(401)
    const answer = await call('GET', '/requests/v3', undefined, { 'x-api-key': API_KEY })
    expect(answer).toEqual({ status: 200, body: { requests: [] } })
    expect((await call('GET', '/chains', undefined, { 'x-api-key': 'no' })).status).toBe(401)
  })
  test('chains are listed as Relay names them', async () => {
    const { chains } = (await call('GET', '/chains')).body as { chains: readonly Record<string, unknown>[] }
    const solana = chains.find(({ id }) => id === 792703809)
    expect(solana).toMatchObject({ vmType: 'svm', disabled: false, depositEnabled: true })
    expect(solana?.['protocol']).toMatchObject({
      v2: { chainId: 'solana', depository: '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2' },
    })
  })
  test('payments are told of, and unknown paths are none', async () => {
    expect((await call('POST', '/transactions/index', { chainId: '8453', txHash: '0x1' })).status).toBe(200)
    expect((await call('POST', '/transactions/index', { chainId: 8453, txHash: '0x1' })).status).toBe(400)
    expect((await call('GET', '/requests/v2')).status).toBe(404)
  })
})

describe('a transaction', () => {
  const statusOf = async ({ venueRef }: Execution) => (await call('GET', `/intents/status/v3?requestId=${venueRef}`)).body

  test('of another contract or chain is none of its business', () => {
    const other = { from: WALLETS.evm, to: WALLETS.evmOther, data: '0x49290c1c', value: 0n, txHash: '0x1' }
    expect(bench.sim.onTransaction({ ...other, chainId: 8453 })).toBe(false)
    expect(bench.sim.onTransaction({ ...other, chainId: -1 })).toBe(false)
    expect(bench.sim.onDeposit({ chainId: -1, token: ARB, address: WALLETS.bitcoin, amount: 1n, txHash: '1' })).toBe(false)
  })

  test.each([
    ['tokens', orders.usdc(), [USDC.base], erc20DepositLog],
    ['coins', orders.ether(), [], nativeDepositLog],
  ])('of %s is told by the events of the depository, whatever wallet called it', async (_, wanted, token, logOf) => {
    const { execution, order } = await swapOf(bench.venue, wanted)
    const { data, chainId } = transactionOf(execution)
    const wallet = { chainId, from: WALLETS.evmOther, to: WALLETS.evmOther, data: '0x1234', value: 0n }
    const words = [WALLETS.evm, ...token, order.inputAmount, `0x${data.slice(-64)}`]
    const seen = (txHash: string, logs: SimLog[]) => bench.sim.onTransaction({ ...wallet, txHash, logs })
    expect(seen('0x7', [logOf(WALLETS.evmOther, words)])).toBe(false)
    expect(seen('0x8', [])).toBe(false)
    // Of no order, it is a deposit all the same.
    expect(seen('0xa', [logOf(DEPOSITORY, words.with(-1, `0x${'11'.repeat(32)}`))])).toBe(true)
    expect(await statusOf(execution)).toMatchObject({ status: 'waiting', inTxHashes: [] })
    expect(seen('0x9', [logOf(DEPOSITORY, words)])).toBe(true)
    expect(await statusOf(execution)).toMatchObject({ status: 'depositing', inTxHashes: ['0x9'] })
  })

  test.each<[string, (deposit: Buffer, keys: string[]) => { data?: Buffer; keys?: string[] }, RegExp]>([
    ['calls nothing the depository has', (data) => ({ data: Buffer.concat([Buffer.alloc(8), data.subarray(8)]) }), /101/],
    ['is cut short', (data) => ({ data: data.subarray(0, 47) }), /102/],
    ['leaves accounts out', (_, keys) => ({ keys: keys.slice(0, 9) }), /3005/],
    ['is of someone who does not sign', (_, keys) => ({ keys: keys.with(1, SOLANA_PROGRAM) }), /3010/],
    ['pays another vault', (_, keys) => ({ keys: keys.with(3, SOLANA_PROGRAM) }), /2006/],
    ['pays another account of the vault', (_, keys) => ({ keys: keys.with(6, SOLANA_PROGRAM) }), /6010/],
  ])('on Solana fails as the program does when it %s', async (_, change, error) => {
    const { execution } = await swapOf(bench.venue, orders.solanaUsdc())
    const { to, data, value, chainId } = transactionOf(execution)
    const plan = await solanaPlanOf(data)
    const instructions = plan.instructions.map((own) => {
      if (own.programId !== SOLANA_PROGRAM) return own
      const keys = own.accounts.map(({ address }) => address)
      const made = change(Buffer.from(own.data), keys)
      return { ...own, data: made.data ?? own.data, accounts: (made.keys ?? keys).map((address) => ({ address })) }
    })
    const altered = await encodeSolanaTransaction({ ...plan, instructions })
    const transaction = { chainId, from: WALLETS.solana, to, data: altered, value, txHash: '6'.repeat(88) }
    const before = bench.network.taken.length
    await expect(bench.network.land(transaction)).rejects.toThrow(error)
    expect(bench.network.taken).toHaveLength(before)
    expect(await statusOf(execution)).toMatchObject({ status: 'waiting', inTxHashes: [] })
  })

  test('in another token than the order’s pays nothing', async () => {
    const { execution, order } = await swapOf(bench.venue, orders.usdc())
    const transaction = { ...transactionOf(execution), from: WALLETS.evm, txHash: '0x2' }
    const log = erc20DepositLog(DEPOSITORY, [WALLETS.evm, ARB, order.inputAmount, `0x${transaction.data.slice(-64)}`])
    expect(bench.sim.onTransaction({ ...transaction, logs: [log] })).toBe(true)
    expect(await statusOf(execution)).toMatchObject({ status: 'waiting', inTxHashes: [] })
  })
})

test('the same seed gives the same answers', async () => {
  const other = await openBench()
  const again = await openBench()
  const [first, second] = await Promise.all([swapOf(other.venue, orders.usdc()), swapOf(again.venue, orders.usdc())])
  expect(first.execution).toEqual(second.execution)
  await Promise.all([other.close(), again.close()])
})
