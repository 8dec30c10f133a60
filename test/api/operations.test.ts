import { describe, expect, it, vi } from 'vitest'
import { toAmount } from '../../engine/core/amount.ts'
import { CHAINS } from '../../engine/core/chain.ts'
import type { Engine } from '../../engine/engine.ts'
import { SwapError } from '../../engine/errors.ts'
import { WALLETS } from '../support/anOrder.ts'
import { closing } from '../support/closing.ts'
import { ANONYMOUS, aQuote, type EdgeWish, parseReply, startEdge, USDC } from '../support/edgeServer.ts'
import { ACCOUNT, USDC_SWAP } from '../support/swaps.ts'

const own = closing()
const start = async (wish?: EdgeWish) => own(await startEdge(wish))

const PROOF = { recipient: 'proved', minimum: 'taken-on-trust', refund: 'not-applicable' } as const

describe('quote', () => {
  it('the engine receives a checked order, and the response has amounts as text', async () => {
    const slippage = { bps: 50, isFirm: true, guaranteedMin: toAmount(69n) }
    const quote = vi.fn<Engine['quote']>(async () => aQuote({ slippage, expectedProof: PROOF }))
    const edge = await start({ engine: { quote } })
    const body = { ...USDC_SWAP, slippageBps: 50, excludeVenues: ['cow'] }
    const reply = await edge.call('/api/v1/quote', { method: 'POST', body })
    expect(reply.status).toBe(200)
    expect(reply.json.data).toMatchObject({
      quoteToken: 'a.quote.token',
      venue: { id: 'across', name: 'Across' },
      input: { amount: '25000000' },
      output: { amount: '7000000000000000' },
      fee: { bps: 0, amount: '0' },
      executable: true,
      slippage: { bps: 50, isFirm: true, guaranteedMin: '69' },
      gas: null,
      venueFee: null,
      expectedProof: PROOF,
    })
    for (const absent of ['approval', 'depositAmount']) expect(reply.json.data).not.toHaveProperty(absent)
    const sender = ACCOUNT.address
    const order = {
      input: { chainId: 8453, address: USDC_SWAP.inputToken },
      output: { chainId: 42161, address: USDC_SWAP.outputToken },
      ...{ inputAmount: 250_000_000n, sender, recipient: sender, refundTo: sender, unnamed: [] },
      ...{ slippageBps: 50, feeBps: 0, rankingMode: 'best_output', excludeVenues: ['cow'] },
      ...{ sandbox: false, broadcastViaService: false },
    }
    const context = { requestId: reply.headers['x-request-id'], caller: ANONYMOUS, client: '127.0.0.1', trace: null }
    expect(quote).toHaveBeenCalledExactlyOnceWith(order, expect.objectContaining({ ...context, signal: expect.any(AbortSignal) }))
  })

  it('the response has the approval, the range of the deposit and a gas estimate without a dollar price', async () => {
    const transaction = { chainId: 1, to: USDC.address, data: '0x095ea7b3', value: toAmount(0n) } as const
    const approval = { token: USDC.address, spender: WALLETS.evmOther, amount: toAmount(7n), transaction, reset: transaction }
    const gas = { native: toAmount(21n), nativeSymbol: 'ETH', usd: null, isEstimated: true }
    const depositAmount = { min: toAmount(50_001n), max: toAmount(150_000n) }
    const edge = await start({ engine: { quote: async () => aQuote({ approval, gas, depositAmount }) } })
    const step = { to: USDC.address, data: '0x095ea7b3', value: '0', chainId: 1 }
    const { data } = (await edge.call('/api/v1/quote', { method: 'POST', body: USDC_SWAP })).json
    expect([data['approval'], data['depositAmount'], data['gas']]).toEqual([
      { token: USDC.address, spender: WALLETS.evmOther, amount: '7', transaction: step, reset: step },
      { min: '50001', max: '150000' },
      { native: '21', nativeSymbol: 'ETH', usd: null, estimated: true },
    ])
  })
})

type Built = Awaited<ReturnType<Engine['execute']>>

describe('execute returns each type with its documented fields [execute-three-types] [signature-typed-data-form]', () => {
  const typedData = {
    domain: { name: 'x', chainId: 1 },
    types: { A: [{ name: 'a', type: 'uint256' }] },
    primaryType: 'A',
    message: { a: '1' },
  }
  const built = { ...typedData, types: { EIP712Domain: [{ name: 'name', type: 'string' }], ...typedData.types } }
  const transaction = { chainId: -2, to: WALLETS.solana, data: 'AAAA', value: toAmount(0n), serialized: 'AAAA' } as const

  it.each<[string, Built['payload'], readonly string[], object]>([
    [
      'DEPOSIT, whose address is the statusRef',
      { executionType: 'DEPOSIT', deposit: { chainId: 1, address: WALLETS.evmOther, amount: toAmount(9n) }, token: USDC },
      ['refundAddress'],
      {
        deposit: { address: WALLETS.evmOther, amount: '9', chainId: 1, token: USDC },
        ...{ statusRef: WALLETS.evmOther, ignored: ['refundAddress'] },
      },
    ],
    [
      'SIGNATURE, without EIP712Domain',
      { executionType: 'SIGNATURE', chainId: 1, typedData: built, approvalData: built },
      [],
      { typedData, approvalData: typedData, submit: { url: '/api/v1/submit-signature' } },
    ],
    ['TRANSACTION', { executionType: 'TRANSACTION', transaction }, [], { transaction: { ...transaction, value: '0' } }],
  ])('%s', async (_what, payload, ignored, data) => {
    const answer: Built = { payload, proof: PROOF, approval: null, statusRef: null, submission: null, ignored: ignored as never }
    const execute = vi.fn<Engine['execute']>(async () => answer)
    const edge = await start({ engine: { execute } })
    const body = { quoteToken: 't', refundAddress: 'abc' }
    const { json } = await edge.call('/api/v1/execute', { method: 'POST', body })
    expect(json.data).toEqual({ executionType: payload.executionType, proof: PROOF, ...data })
    expect(execute.mock.calls[0]?.[0]).toEqual({ ...body, destinationAddress: null })
  })
})

describe('status', () => {
  const shared = { venue: 'across', isTracked: true, payments: [] } as const
  const delivered = { deliveredAmount: toAmount(5n), txHash: '0xabc' } as const
  const answer = { ...shared, state: 'success', venueStatus: 'x'.repeat(300), ...delivered } as const
  const nothing = { state: 'unknown', venueStatus: null, deliveredAmount: null, txHash: null } as const

  it.each<[string, Awaited<ReturnType<Engine['status']>>, object]>([
    [
      'of a tracked swap has at most 256 characters of the venue status',
      answer,
      { status: 'success', venueStatus: 'x'.repeat(256), deliveredAmount: '5', txHash: '0xabc' },
    ],
    [
      'of a swap whose delivery is missing shows no amount',
      { ...answer, state: 'processing', venueStatus: null, deliveredAmount: toAmount(0n), txHash: null },
      { status: 'processing' },
    ],
    [
      'of a swap without tracking is unknown and says why',
      { ...answer, ...nothing, isTracked: false },
      { status: 'unknown', tracking: 'unavailable' },
    ],
  ])('%s', async (_what, reported, data) => {
    const status = vi.fn<Engine['status']>(async () => reported)
    const edge = await start({ engine: { status } })
    const { json } = await edge.call('/api/v1/status?quoteToken=a%2Bb&ref=c+d')
    expect(json.data).toEqual({ venue: 'across', ...data })
    expect(status.mock.calls[0]?.[0]).toEqual({ quoteToken: 'a+b', ref: 'c d' })
  })
})

describe('other operations', () => {
  it('tokens/resolve takes the chain id as a number, and counts the bytes of its answer, not the characters', async () => {
    const token = { ...USDC, symbol: 'USD₮', name: 'Ünïcödé 🪙' }
    const resolveToken = vi.fn<Engine['resolveToken']>(async () => token)
    const edge = await start({ engine: { resolveToken } })
    const { json } = await edge.call(`/api/v1/tokens/resolve?chainId=-1&address=${USDC.address}`)
    expect(json.data).toEqual({ token })
    expect(resolveToken.mock.calls[0]?.[0]).toEqual({ chainId: -1, address: USDC.address })
  })

  it('chains lists every chain, shared by caches, also for a whole URL as request target [chains-list-static]', async () => {
    const edge = await start()
    const first = await edge.call('/api/v1/chains')
    const second = await edge.call('http://example.test/api/v1/chains?cacheBuster=1&cacheBuster=2')
    expect(first.json.data).toMatchObject(CHAINS.map(({ chainId }) => ({ chainId })))
    expect(second.json.data).toEqual(first.json.data)
    expect(second.json.meta.requestId).not.toBe(first.json.meta.requestId)
    expect(first.headers['cache-control']).toBe('public, max-age=3600')
  })

  it('openapi.json is the contract without white space, and 304 for its etag [chains-list-static]', async () => {
    const edge = await start()
    const { status, text, json, headers } = await edge.call('/openapi.json')
    expect([status, text]).toEqual([200, JSON.stringify(json)])
    expect(json).toHaveProperty(['paths', '/api/v1/quote', 'post'])
    expect(headers['cache-control']).toBe('public, max-age=3600')
    const again = await edge.call('/openapi.json', { headers: { 'if-none-match': headers['etag'] ?? '' } })
    expect([again.status, again.text, again.headers['ratelimit']]).toEqual([304, '', undefined])
  })

  it('health answers 200 for any key and number of calls, and names a failing venue and one that is off [health-public-200]', async () => {
    const identify = vi.fn<Engine['identify']>(async () => ({ ...ANONYMOUS, requestsPerMinute: 1 }))
    const venues = [
      { id: 'cow', name: 'CoW', trouble: 'failing' as const, failing: ['status'], off: null, rejecting: [] },
      { id: 'zerox', name: '0x', trouble: null, off: 'keyMissing' as const, rejecting: [] },
    ]
    const edge = await start({ engine: { identify, health: async () => ({ isDegraded: true, venues }) } })
    for (const _ of [1, 2, 3]) {
      const reply = await edge.call('/api/v1/health', { headers: { 'x-api-key': 'nobody knows it' } })
      expect(reply.status).toBe(200)
      expect(reply.json.data).toEqual({
        status: 'degraded',
        venues: [
          { id: 'cow', name: 'CoW', healthy: false, reason: 'failing', failing: ['status'] },
          { id: 'zerox', name: '0x', healthy: false, off: 'keyMissing' },
        ],
      })
      expect(reply.headers['cache-control']).toBe('no-store')
      expect(reply.headers).not.toHaveProperty('ratelimit')
    }
    for (const [apiKey] of identify.mock.calls) expect(apiKey).toBeNull()
  })

  it.each(['/api/v1/health', '/openapi.json'])('HEAD %s is answered as GET without a body', async (path) => {
    const edge = await start()
    const headers = { 'x-request-id': 'same' }
    const [get, head] = [await edge.call(path, { headers }), await edge.call(path, { method: 'HEAD', headers })]
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })
})

describe('an API key', () => {
  const identify = vi.fn<Engine['identify']>(async (apiKey) => {
    if (apiKey === null) return ANONYMOUS
    if (apiKey === 'swk_known') return { tier: 'selfServe', partnerId: 'p1', feeBps: 10, requestsPerMinute: 120 }
    throw new SwapError('UNAUTHORIZED', 'The API key is not valid.')
  })

  it('that is unknown receives 401, whatever else is wrong [health-public-200]', async () => {
    const edge = await start({ engine: { identify } })
    for (const path of ['/api/v1/chains', '/api/v1/status', '/nowhere', '/openapi.json']) {
      const { status, json } = await edge.call(path, { headers: { 'x-api-key': 'swk_unknown' } })
      expect([path, status, json.error.code]).toEqual([path, 401, 'UNAUTHORIZED'])
    }
  })

  it.each([
    ['twice receives 401', ['swk_known', 'swk_known'], 401],
    ['beside an empty one receives 401', ['', 'swk_known'], 401],
    ['of white space counts as none', ['  '], 200],
  ])('%s', async (_what, keys, status) => {
    identify.mockClear()
    const edge = await start({ engine: { identify } })
    const lines = keys.map((key) => `x-api-key: ${key}\r\n`).join('')
    const wire = await edge.wire(`GET /api/v1/chains HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${lines}\r\n`)
    expect(parseReply(wire).status).toBe(status)
    if (status === 200) expect(identify.mock.calls).toEqual([[null]])
  })
})

it('a preflight is answered for any path with the headers of the installation, without identifying the caller', async () => {
  const identify = vi.fn<Engine['identify']>()
  const edge = await start({ engine: { identify }, app: { headers: { 'service-network': 'simnet' } } })
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
  const names = ['content-type', 'x-api-key', 'x-request-id', 'traceparent', 'tracestate', 'payment-signature']
  for (const path of ['/api/v1/quote', '/nowhere']) {
    const reply = await edge.call(path, { method: 'OPTIONS', headers })
    expect([reply.status, reply.text, reply.headers['service-network']]).toEqual([204, '', 'simnet'])
    expect(reply.headers['access-control-allow-methods']).toBe('GET,HEAD,POST,PATCH')
    expect(reply.headers['access-control-allow-headers']?.split(',')).toEqual(expect.arrayContaining(names))
  }
  expect(identify).not.toHaveBeenCalled()
})
