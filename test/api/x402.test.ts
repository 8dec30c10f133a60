import { afterEach, describe, expect, it } from 'vitest'
import { SwapError } from '../../engine/errors.ts'
import { createPaidCalls } from '../../engine/x402/paidCalls.ts'
import { aQuote, type EdgeServer, type EdgeWish, type Reply, startEdge } from '../support/edgeServer.ts'
import { createMemoryStore } from '../support/memoryStore.ts'
import { createTestClock } from '../support/testEngine.ts'
import { createPayer, createX402Bench, readReceipt } from '../support/x402Bench.ts'

const BODY = {
  inputChainId: 8453,
  outputChainId: 42161,
  inputToken: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  outputToken: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  inputAmount: '25000000',
  userAddress: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
}

const edges: EdgeServer[] = []
afterEach(async () => {
  for (const edge of edges.splice(0)) await edge.close()
})

/** The edge over payments on a toy chain. */
const open = async ({ engine = {}, app = {} }: EdgeWish = {}, bench = createX402Bench()) => {
  const clock = createTestClock()
  const store = createMemoryStore(clock)
  const quotes: unknown[] = []
  const paidCalls = createPaidCalls({ ports: bench.ports, store, holder: 'holder-1' })
  const quote = async (order: unknown) => {
    quotes.push(order)
    return aQuote({ quoteToken: `token-${quotes.length}` })
  }
  const edge = await startEdge({ engine: { quote, paidCalls, ...engine }, app })
  edges.push(edge)
  const post = (body: object | string, headers: Record<string, string> = {}, path = 'quote'): Promise<Reply> =>
    edge.call(`/api/v1/x402/${path}`, { method: 'POST', body, headers })
  const payer = createPayer(bench.chain)
  const sign = async (by = payer): Promise<{ 'payment-signature': string }> => {
    const { headers } = await post(BODY)
    return { 'payment-signature': await by.sign(headers['payment-required'] ?? '') }
  }
  return { ...bench, clock, store, quotes, edge, post, payer, sign }
}

const codeOf = ({ status, json }: Reply) => [status, json.error?.code]

describe('a paid quote', () => {
  it('without a payment is a 402 that says how to pay, and no venue is asked', async () => {
    const { post, quotes, facilitator } = await open()
    const reply = await post(BODY)
    expect(codeOf(reply)).toEqual([402, 'PAYMENT_REQUIRED'])
    expect(reply.json.error.details).toEqual({ reason: 'noPayment' })
    expect(reply.headers['cache-control']).toBe('no-store')
    const required = JSON.parse(Buffer.from(reply.headers['payment-required'] ?? '', 'base64').toString())
    expect(required).toMatchObject({
      x402Version: 2,
      accepts: [{ scheme: 'exact', network: 'eip155:8453', amount: '1000', maxTimeoutSeconds: 300 }],
    })
    expect([quotes.length, facilitator.verified.length]).toEqual([0, 0])
  })

  it('with one is answered, settled once and booked once, with its receipt', async () => {
    const { post, sign, quotes, chain, store, payer } = await open()
    const reply = await post(BODY, { ...(await sign()), 'x-request-id': 'req-7' })
    expect(reply.status).toBe(200)
    expect(reply.json.data['quoteToken']).toBe('token-1')
    const [transaction] = chain.used.values()
    expect(readReceipt(reply.headers['payment-response'])).toMatchObject({ success: true, transaction, payer: payer.address })
    expect([quotes.length, chain.used.size]).toEqual([1, 1])
    const [entry, ...others] = await store.ledger.rawAfter(0, 10)
    expect(others).toEqual([])
    expect(JSON.parse(entry?.document ?? '')).toMatchObject({
      transaction,
      requestId: 'req-7',
      operation: 'x402Quote',
      amount: '1000',
    })
  })

  it('that is not answered with 200 charges nothing', async () => {
    const quote = async () => {
      throw new SwapError('NO_LIQUIDITY', 'No venue.', { details: { declines: [] } })
    }
    const { post, sign, facilitator, chain, store } = await open({ engine: { quote } })
    expect(codeOf(await post(BODY, await sign()))).toEqual([404, 'NO_LIQUIDITY'])
    expect([facilitator.verified.length, facilitator.settled.length, chain.used.size]).toEqual([1, 0, 0])
    expect(await store.ledger.rawAfter(0, 10)).toEqual([])
  })
})
