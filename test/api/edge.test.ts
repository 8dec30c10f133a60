import net from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addressOf } from '../../engine/core/address.ts'
import { toAmount } from '../../engine/core/amount.ts'
import type { Caller } from '../../engine/core/caller.ts'
import { CHAINS } from '../../engine/core/chain.ts'
import type { Engine } from '../../engine/engine.ts'
import { type ErrorCode, type FieldProblem, SwapError } from '../../engine/errors.ts'
import { WALLETS } from '../support/anOrder.ts'
import {
  aQuote,
  type EdgeServer,
  type EdgeWish,
  expectDressed,
  parseReply,
  type Reply,
  startEdge,
  USDC,
} from '../support/edgeServer.ts'

const started: EdgeServer[] = []
const start = async (wish?: EdgeWish): Promise<EdgeServer> => {
  const edge = await startEdge(wish)
  started.push(edge)
  return edge
}

afterEach(async () => {
  for (const edge of started.splice(0)) await edge.close()
})

const QUOTE = {
  inputChainId: 1,
  outputChainId: 10,
  inputToken: USDC.address,
  outputToken: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  inputAmount: '25000000',
  userAddress: WALLETS.evm,
}

const GENEROUS: Caller = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 1_000_000 }

const quoting = (body: object) => ({ method: 'POST', body })
const fieldsOf = (reply: Reply) => reply.json.error.details['fields'] as FieldProblem[]

describe('200', () => {
  it('quotes: the engine gets a checked order, the caller an envelope with amounts as text', async () => {
    const quote = vi.fn<Engine['quote']>(async () =>
      aQuote({ slippage: { bps: 50, isFirm: true, guaranteedMin: toAmount(69n) } }),
    )
    const edge = await start({ engine: { quote } })
    const reply = await edge.call('/api/v1/quote', quoting({ ...QUOTE, slippageBps: 50, excludeVenues: ['cow'] }))
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
    })
    for (const absent of ['approval', 'depositAmount']) expect(reply.json.data).not.toHaveProperty(absent)
    expect(quote).toHaveBeenCalledExactlyOnceWith(
      {
        input: { chainId: 1, address: USDC.address },
        output: { chainId: 10, address: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE' },
        inputAmount: 25_000_000n,
        sender: WALLETS.evm,
        recipient: WALLETS.evm,
        refundTo: WALLETS.evm,
        unnamed: [],
        slippageBps: 50,
        feeBps: 0,
        rankingMode: 'best_output',
        sandbox: false,
        excludeVenues: ['cow'],
        broadcastViaService: false,
      },
      expect.objectContaining({
        requestId: reply.headers['x-request-id'],
        caller: { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 30 },
        client: '127.0.0.1',
        trace: null,
        signal: expect.any(AbortSignal),
      }),
    )
  })

  it('quotes with an approval, a range of the deposit, a gas estimate and no dollar price', async () => {
    const transaction = { chainId: 1, to: USDC.address, data: '0x095ea7b3', value: toAmount(0n) } as const
    const approval = { token: USDC.address, spender: WALLETS.evmOther, amount: toAmount(7n), transaction, reset: transaction }
    const gas = { native: toAmount(21n), nativeSymbol: 'ETH', usd: null, isEstimated: true }
    const depositAmount = { min: toAmount(50_001n), max: toAmount(150_000n) }
    const edge = await start({ engine: { quote: async () => aQuote({ approval, gas, depositAmount }) } })
    const { json } = await edge.call('/api/v1/quote', quoting(QUOTE))
    const step = { to: USDC.address, data: '0x095ea7b3', value: '0', chainId: 1 }
    expect(json.data['approval']).toEqual({
      token: USDC.address,
      spender: WALLETS.evmOther,
      amount: '7',
      transaction: step,
      reset: step,
    })
    expect(json.data['depositAmount']).toEqual({ min: '50001', max: '150000' })
    expect(json.data['gas']).toEqual({ native: '21', nativeSymbol: 'ETH', usd: null, estimated: true })
  })

  const proof = { recipient: 'proved', minimum: 'taken-on-trust', refund: 'not-applicable' } as const

  it('executes as DEPOSIT: statusRef is the deposit address [execute-three-types]', async () => {
    const execute = vi.fn<Engine['execute']>(async () => ({
      payload: {
        executionType: 'DEPOSIT',
        deposit: { chainId: 1, address: WALLETS.evmOther, amount: toAmount(9n) },
        token: USDC,
      },
      proof,
      approval: null,
      statusRef: null,
      submission: null,
      ignored: ['refundAddress'],
    }))
    const edge = await start({ engine: { execute } })
    const { json } = await edge.call('/api/v1/execute', { method: 'POST', body: { quoteToken: 't', refundAddress: 'abc' } })
    expect(json.data).toEqual({
      executionType: 'DEPOSIT',
      deposit: { address: WALLETS.evmOther, amount: '9', chainId: 1, token: USDC },
      proof,
      statusRef: WALLETS.evmOther,
      ignored: ['refundAddress'],
    })
    expect(execute.mock.calls[0]?.[0]).toEqual({ quoteToken: 't', destinationAddress: null, refundAddress: 'abc' })
  })

  it('executes as SIGNATURE: the typed data and where to post the signature [execute-three-types] [signature-typed-data-form]', async () => {
    const typedData = {
      domain: { name: 'x', chainId: 1 },
      types: { A: [{ name: 'a', type: 'uint256' }] },
      primaryType: 'A',
      message: { a: '1' },
    }
    const built = { ...typedData, types: { EIP712Domain: [{ name: 'name', type: 'string' }], ...typedData.types } }
    const payload = { executionType: 'SIGNATURE', chainId: 1, typedData: built, approvalData: built } as const
    const edge = await start({
      engine: { execute: async () => ({ payload, proof, approval: null, statusRef: null, submission: null, ignored: [] }) },
    })
    const { json } = await edge.call('/api/v1/execute', { method: 'POST', body: { quoteToken: 't' } })
    const submit = { url: '/api/v1/submit-signature' }
    expect(json.data).toEqual({ executionType: 'SIGNATURE', typedData, approvalData: typedData, proof, submit })
  })

  it('executes as TRANSACTION: value as text, serialized on Solana only [execute-three-types]', async () => {
    const transaction = { chainId: -2, to: WALLETS.solana, data: 'AAAA', value: toAmount(0n), serialized: 'AAAA' } as const
    const payload = { executionType: 'TRANSACTION', transaction } as const
    const edge = await start({
      engine: { execute: async () => ({ payload, proof, approval: null, statusRef: null, submission: null, ignored: [] }) },
    })
    const { json } = await edge.call('/api/v1/execute', { method: 'POST', body: { quoteToken: 't' } })
    expect(json.data).toEqual({ executionType: 'TRANSACTION', transaction: { ...transaction, value: '0' }, proof })
  })

  it('submits signatures as they came', async () => {
    const submitSignature = vi.fn<Engine['submitSignature']>(async () => ({ statusRef: 'ref', venue: 'cow' }))
    const edge = await start({ engine: { submitSignature } })
    const body = { quoteToken: 't', signature: '0xAb' }
    const { json } = await edge.call('/api/v1/submit-signature', { method: 'POST', body })
    expect(json.data).toEqual({ statusRef: 'ref', venue: 'cow' })
    expect(submitSignature.mock.calls[0]?.[0]).toEqual({ ...body, approvalSignature: null })
  })

  it('tells the status of a tracked swap', async () => {
    const status = vi.fn<Engine['status']>(async () => ({
      venue: 'across',
      isTracked: true,
      state: 'success',
      venueStatus: 'x'.repeat(300),
      deliveredAmount: toAmount(5n),
      txHash: '0xabc',
      payments: [],
    }))
    const edge = await start({ engine: { status } })
    const { json } = await edge.call('/api/v1/status?quoteToken=a%2Bb&ref=c+d')
    expect(json.data).toEqual({
      status: 'success',
      venue: 'across',
      venueStatus: 'x'.repeat(256),
      deliveredAmount: '5',
      txHash: '0xabc',
    })
    expect(status.mock.calls[0]?.[0]).toEqual({ quoteToken: 'a+b', ref: 'c d' })
  })

  it('says so when a swap cannot be tracked', async () => {
    const swap = {
      venue: 'cow',
      isTracked: false,
      state: 'unknown',
      venueStatus: null,
      deliveredAmount: null,
      txHash: null,
      payments: [],
    } as const
    const edge = await start({ engine: { status: async () => swap } })
    const { json } = await edge.call('/api/v1/status?quoteToken=t&ref=r')
    expect(json.data).toEqual({ status: 'unknown', venue: 'cow', tracking: 'unavailable' })
  })

  it('resolves tokens with the chain id as a number', async () => {
    const resolveToken = vi.fn<Engine['resolveToken']>(async () => USDC)
    const edge = await start({ engine: { resolveToken } })
    const { json } = await edge.call(`/api/v1/tokens/resolve?chainId=-1&address=${USDC.address}`)
    expect(json.data).toEqual({ token: USDC })
    expect(resolveToken.mock.calls[0]?.[0]).toEqual({ chainId: -1, address: USDC.address })
  })

  it('lists the chains, cacheable, each answer with its own request id [chains-list-static]', async () => {
    const edge = await start()
    const first = await edge.call('/api/v1/chains')
    const second = await edge.call('/api/v1/chains?cacheBuster=1&cacheBuster=2')
    expect(first.json.data).toMatchObject(CHAINS.map(({ chainId }) => ({ chainId })))
    expect(second.json.data).toEqual(first.json.data)
    expect(second.json.meta.requestId).not.toBe(first.json.meta.requestId)
    expect(first.headers['cache-control']).toBe('public, max-age=3600')
  })

  it('answers health without asking for a key or counting, and says when it is degraded [health-public-200]', async () => {
    const identify = vi.fn<Engine['identify']>(async () => ({
      tier: 'anonymous',
      partnerId: null,
      feeBps: null,
      requestsPerMinute: 1,
    }))
    const venues = [{ id: 'cow', name: 'CoW', trouble: 'failing' as const, failing: ['status'], off: null, rejecting: [] }]
    const edge = await start({ engine: { identify, health: async () => ({ isDegraded: true, venues }) } })
    for (const _ of [1, 2, 3]) {
      const reply = await edge.call('/api/v1/health', { headers: { 'x-api-key': 'nobody knows it' } })
      expect(reply.status).toBe(200)
      expect(reply.json.data).toEqual({
        status: 'degraded',
        venues: [{ id: 'cow', name: 'CoW', healthy: false, reason: 'failing', failing: ['status'] }],
      })
      expect(reply.headers['cache-control']).toBe('no-store')
      expect(reply.headers).not.toHaveProperty('ratelimit')
    }
    for (const [apiKey] of identify.mock.calls) expect(apiKey).toBeNull()
  })

  it('serves the contract itself without whitespace, and 304 for its etag [chains-list-static]', async () => {
    const edge = await start()
    const { status, text, json, headers } = await edge.call('/openapi.json')
    expect([status, text]).toEqual([200, JSON.stringify(json)])
    expect(json).toHaveProperty(['paths', '/api/v1/quote', 'post'])
    expect(headers['cache-control']).toBe('public, max-age=3600')
    const again = await edge.call('/openapi.json', { headers: { 'if-none-match': headers['etag'] ?? '' } })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it.each(['/api/v1/chains', '/api/v1/health', '/openapi.json'])('answers HEAD %s as GET without a body', async (path) => {
    const edge = await start()
    const get = await edge.call(path, { headers: { 'x-request-id': 'same' } })
    const head = await edge.call(path, { method: 'HEAD', headers: { 'x-request-id': 'same' } })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })

  it('takes the request target as a whole URL too', async () => {
    const edge = await start()
    expect((await edge.call('http://example.test/api/v1/chains?x=1')).status).toBe(200)
  })

  it('counts the bytes of text that is not ASCII', async () => {
    const edge = await start({ engine: { resolveToken: async () => ({ ...USDC, symbol: 'USD₮', name: 'Ünïcödé 🪙' }) } })
    const reply = await edge.call(`/api/v1/tokens/resolve?chainId=1&address=${USDC.address}`)
    expect(reply.json.data['token']).toMatchObject({ symbol: 'USD₮', name: 'Ünïcödé 🪙' })
  })

  it('serves the next request of a connection after a refused one', async () => {
    const edge = await start()
    const bad = 'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'
    const good = 'GET /api/v1/chains HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
    const statuses = (await edge.wire(bad + good)).match(/HTTP\/1\.1 \d+/g)
    expect(statuses).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200'])
  })
})

describe('request ids [error-envelope]', () => {
  it.each(['abc-DEF_1.2', 'x', 'y'.repeat(64)])('takes %s from the caller', async (id) => {
    const edge = await start()
    expect((await edge.call('/nowhere', { headers: { 'x-request-id': id } })).headers['x-request-id']).toBe(id)
  })

  it.each(['', 'a b', 'ä', 'y'.repeat(65), '<script>', 'a, b'])('makes its own instead of %j', async (id) => {
    const edge = await start({ app: { randomId: () => 'made-here' } })
    const reply = await edge.call('/api/v1/chains', { headers: { 'x-request-id': Buffer.from(id).toString('latin1') } })
    expect(reply.headers['x-request-id']).toBe('made-here')
  })

  it('gives the engine the id the caller sees', async () => {
    const status = vi.fn<Engine['status']>(async () => {
      throw new SwapError('QUOTE_INVALID', 'no')
    })
    const edge = await start({ engine: { status } })
    const reply = await edge.call('/api/v1/status?quoteToken=t&ref=r')
    expect(status.mock.calls[0]?.[1].requestId).toBe(reply.json.meta.requestId)
  })
})

describe('204', () => {
  it('answers a preflight for any path, unidentified and unlimited', async () => {
    const identify = vi.fn<Engine['identify']>()
    const edge = await start({ engine: { identify } })
    const asked = {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key',
    }
    for (const path of ['/api/v1/quote', '/nowhere']) {
      const { status, headers, text } = await edge.call(path, { method: 'OPTIONS', headers: asked })
      expect([status, text]).toEqual([204, ''])
      expect(headers['access-control-allow-methods']).toBe('GET,HEAD,POST,PATCH')
      expect(headers['access-control-allow-headers']?.split(',')).toEqual([
        'content-type',
        'x-api-key',
        'x-request-id',
        'traceparent',
        'tracestate',
        'payment-signature',
        'access-control-expose-headers',
      ])
      expect(headers['access-control-max-age']).toBe('7200')
    }
    expect(identify).not.toHaveBeenCalled()
  })

  it.each([
    ['/api/v1/quote', 'OPTIONS, POST'],
    ['/api/v1/chains', 'GET, HEAD, OPTIONS'],
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('answers OPTIONS %s with its methods', async (path, allow) => {
    const edge = await start()
    const { status, headers } = await edge.call(path, { method: 'OPTIONS' })
    expect([status, headers['allow']]).toEqual([204, allow])
  })
})

describe('400', () => {
  it.each([0, 1, -1, 8453, 250])(
    'takes a whole number that is no chain id for what it is: rankingMode %s',
    async (rankingMode) => {
      const edge = await start()
      const reply = await edge.call('/api/v1/quote', quoting({ ...QUOTE, rankingMode }))
      expect([reply.status, reply.json.error.code]).toEqual([400, 'INVALID_REQUEST'])
      expect(fieldsOf(reply)).toEqual([{ path: 'rankingMode', reason: 'must be a string' }])
    },
  )

  it('names every field that is missing, unknown or wrong, in words [error-fields-named]', async () => {
    const edge = await start()
    const body = {
      inputChainId: '1',
      inputToken: '',
      outputToken: 'x'.repeat(129),
      inputAmount: '007',
      userAddress: 'a b',
      slippageBps: 0,
      rankingMode: 'cheapest',
      sandbox: 'yes',
      excludeVenues: ['cow', 7],
      destinationAdress: 'a typing mistake',
    }
    const reply = await edge.call('/api/v1/quote', quoting(body))
    expect([reply.status, reply.json.error.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(Object.fromEntries(fieldsOf(reply).map(({ path, reason }) => [path, reason]))).toEqual({
      inputChainId: 'must be a whole number',
      outputChainId: 'is required',
      inputToken: 'must not be empty',
      outputToken: 'must have at most 128 characters',
      inputAmount: 'must be a positive whole number in smallest units without leading zeros',
      userAddress: 'must consist of letters and digits',
      slippageBps: 'must be at least 1',
      rankingMode: 'must be one of best_output, fastest',
      sandbox: 'must be true or false',
      'excludeVenues[1]': 'must be a string',
      destinationAdress: 'is not a known field',
    })
  })

  it.each(['0', '-1', '+1', '1.0', '1e3', ' 1', '01', '', '0x10', '9'.repeat(79)])(
    'refuses %j as an amount',
    async (inputAmount) => {
      const edge = await start()
      const reply = await edge.call('/api/v1/quote', quoting({ ...QUOTE, inputAmount }))
      expect(reply.status).toBe(400)
      expect(fieldsOf(reply)).toMatchObject([{ path: 'inputAmount' }])
    },
  )

  it('refuses an amount no chain can hold, and a number instead of text', async () => {
    const edge = await start()
    const tooMuch = await edge.call('/api/v1/quote', quoting({ ...QUOTE, inputAmount: (2n ** 256n).toString() }))
    expect(fieldsOf(tooMuch)).toEqual([{ path: 'inputAmount', reason: 'must be at most 2^256 - 1' }])
    const aNumber = await edge.call('/api/v1/quote', quoting({ ...QUOTE, inputAmount: 5 }))
    expect(fieldsOf(aNumber)).toEqual([{ path: 'inputAmount', reason: 'must be a string' }])
  })

  it('refuses addresses of the wrong kind, all at once and in the order of the fields', async () => {
    const quote = vi.fn<Engine['quote']>()
    const edge = await start({ engine: { quote } })
    const reply = await edge.call(
      '/api/v1/quote',
      quoting({
        inputChainId: 1,
        outputChainId: -2,
        inputToken: USDC.address.replace('A0b', 'a0b'),
        outputToken: USDC.address,
        inputAmount: '1',
        userAddress: WALLETS.solana,
        destinationAddress: '1'.repeat(32),
        refundAddress: '0x0000000000000000000000000000000000000000',
        excludeVenues: ['cow', 'nobody'],
      }),
    )
    expect(reply.json.error.code).toBe('INVALID_REQUEST')
    expect(fieldsOf(reply)).toEqual([
      { path: 'inputToken', reason: 'checksum does not match' },
      { path: 'outputToken', reason: 'is not a valid Solana address' },
      { path: 'userAddress', reason: 'is not a valid EVM address' },
      { path: 'destinationAddress', reason: 'must not be the zero address' },
      { path: 'refundAddress', reason: 'must not be the zero address' },
      { path: 'excludeVenues[1]', reason: 'is not a venue; known ids: across, cow' },
    ])
    expect(quote).not.toHaveBeenCalled()
  })

  it('refuses the symbol of a token, naming where to find its address and the native one [error-fields-named]', async () => {
    const edge = await start()
    const [inputToken, outputToken] = ['USDC', 'SOL']
    const reply = await edge.call('/api/v1/quote', quoting({ ...QUOTE, inputToken, outputChainId: -2, outputToken }))
    const hint = 'must be the address of a token, not its symbol: check an address with /api/v1/tokens/resolve, or use'
    expect(fieldsOf(reply)).toEqual([
      { path: 'inputToken', reason: `${hint} 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE for ETH` },
      { path: 'outputToken', reason: `${hint} So11111111111111111111111111111111111111112 for SOL` },
    ])
  })

  it('refuses a swap of an asset into itself, however it is spelt', async () => {
    const edge = await start()
    const reply = await edge.call(
      '/api/v1/quote',
      quoting({ ...QUOTE, outputChainId: 1, outputToken: USDC.address.toLowerCase() }),
    )
    expect(fieldsOf(reply)).toEqual([{ path: 'outputToken', reason: 'must differ from inputToken' }])
  })

  it('takes bitcoin by its marker and its alias only', async () => {
    const edge = await start()
    const swap = { ...QUOTE, inputChainId: -1, userAddress: WALLETS.bitcoin, destinationAddress: WALLETS.evm }
    expect((await edge.call('/api/v1/quote', quoting({ ...swap, inputToken: 'BTC' }))).status).toBe(200)
    const reply = await edge.call('/api/v1/quote', quoting({ ...swap, inputToken: WALLETS.bitcoin }))
    expect(fieldsOf(reply)).toEqual([{ path: 'inputToken', reason: 'must be 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE or BTC' }])
  })

  it.each([
    ['a body', { inputChainId: 250, outputChainId: 10, inputAmount: 'x' }, '/api/v1/quote', 250],
    ['a body, beyond 32 bits', { ...QUOTE, outputChainId: 1e12 }, '/api/v1/quote', 1e12],
    ['a query', undefined, '/api/v1/tokens/resolve?chainId=250&address=x', 250],
  ])('answers UNSUPPORTED_CHAIN to a chain we do not have in %s [error-fields-named]', async (_where, body, path, chainId) => {
    const edge = await start()
    const reply = await edge.call(path, body ? quoting(body) : {})
    expect([reply.status, reply.json.error.code]).toEqual([400, 'UNSUPPORTED_CHAIN'])
    expect(reply.json.error.details['chainId']).toBe(chainId)
    expect(fieldsOf(reply)).toContainEqual({
      path: expect.stringMatching(/chainId$/i),
      reason: expect.stringContaining('must be one of 1, 10,'),
    })
  })

  it.each(['1', '1.0', '1.00'])('takes chainId=%s, as a body may have it', async (chainId) => {
    const resolveToken = vi.fn<Engine['resolveToken']>(() => Promise.reject(new Error('enough')))
    const edge = await start({ engine: { resolveToken } })
    await edge.call(`/api/v1/tokens/resolve?chainId=${chainId}&address=x`)
    expect(resolveToken.mock.calls[0]?.[0]).toMatchObject({ chainId: 1 })
  })

  it.each(['0x1', '1.5', '1.', '1.01', '.1', '1.0.0', '%201', '01', '+1', '-0', '1e0', '', 'one', `1.${'0'.repeat(10)}`])(
    'refuses chainId=%s, which is not how 1 is written',
    async (chainId) => {
      const resolveToken = vi.fn<Engine['resolveToken']>()
      const edge = await start({ engine: { resolveToken } })
      const reply = await edge.call(`/api/v1/tokens/resolve?chainId=${chainId}&address=x`)
      expect([reply.status, reply.json.error.code]).toEqual([400, 'INVALID_REQUEST'])
      expect(fieldsOf(reply)).toEqual([{ path: 'chainId', reason: 'must be a whole number' }])
      expect(resolveToken).not.toHaveBeenCalled()
    },
  )

  it('refuses unknown, repeated and missing query parameters', async () => {
    const edge = await start()
    const reply = await edge.call('/api/v1/status?quoteToken=a&quoteToken=b&cacheBuster=1&__proto__=x')
    expect(fieldsOf(reply)).toEqual(
      expect.arrayContaining([
        { path: 'quoteToken', reason: 'must be given once, as one value' },
        { path: 'ref', reason: 'is required' },
        { path: 'cacheBuster', reason: 'is not a known parameter' },
        { path: '__proto__', reason: 'is not a known parameter' },
      ]),
    )
    const repeatedInteger = await edge.call('/api/v1/tokens/resolve?chainId=1&chainId=1&address=x')
    expect(fieldsOf(repeatedInteger)).toEqual([{ path: 'chainId', reason: 'must be given once, as one value' }])
  })

  it.each(['%E0%A4%A', '%', '%zz', '%ff'])('refuses a query that cannot be decoded: %s', async (text) => {
    const edge = await start()
    const reply = await edge.call(`/api/v1/status?quoteToken=${text}&ref=r`)
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [{ path: 'query', reason: 'is not valid percent-encoded UTF-8' }]])
  })

  it.each([
    ['nothing', '', 'is required'],
    ['half an object', '{"inputChainId":1', 'is not valid JSON'],
    ['a byte order mark', '\uFEFF{}', 'is not valid JSON'],
    ['two values', '{}{}', 'is not valid JSON'],
    ['null', 'null', 'must be a JSON object'],
    ['a list', '[]', 'must be a JSON object'],
    ['text', '"{}"', 'must be a JSON object'],
    ['a number', '5', 'must be a JSON object'],
    ['lists 17 deep', '['.repeat(17) + ']'.repeat(17), 'nests deeper than 16 levels'],
    ['lists 30,000 deep', '['.repeat(30_000), 'nests deeper than 16 levels'],
  ])('refuses a body that is %s', async (_what, body, reason) => {
    const edge = await start()
    const reply = await edge.call('/api/v1/quote', {
      method: 'POST',
      body,
      headers: { 'content-length': String(Buffer.byteLength(body)) },
    })
    expect([reply.status, reply.json.error.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(fieldsOf(reply)).toEqual([{ path: 'body', reason }])
  })

  it('reads brackets within text as text', async () => {
    const edge = await start()
    const reply = await edge.call('/api/v1/execute', { method: 'POST', body: { quoteToken: `\\"${'[{'.repeat(50)}` } })
    expect(reply.status).toBe(200)
  })

  it('refuses a body that is not UTF-8', async () => {
    const edge = await start()
    const body = Buffer.from([0x22, 0xc3, 0x28, 0x22])
    const head =
      'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 4\r\n\r\n'
    const reply = parseReply(await edge.wire(head, body))
    expect(fieldsOf(reply)).toEqual([{ path: 'body', reason: 'is not valid UTF-8' }])
  })

  it('takes __proto__ and constructor for the unknown fields they are', async () => {
    const edge = await start()
    const body = '{"__proto__":{"sandbox":true},"constructor":1,"quoteToken":"t"}'
    const reply = await edge.call('/api/v1/execute', { method: 'POST', body })
    expect(fieldsOf(reply)).toEqual([
      { path: '__proto__', reason: 'is not a known field' },
      { path: 'constructor', reason: 'is not a known field' },
    ])
    expect(({} as { sandbox?: boolean }).sandbox).toBeUndefined()
  })

  it('lists 50 failing fields of however many', async () => {
    const edge = await start()
    const body = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`unknown${i}`, i]))
    const reply = await edge.call('/api/v1/quote', quoting({ ...QUOTE, ...body, ['y'.repeat(500)]: 1 }))
    expect(fieldsOf(reply)).toHaveLength(50)
    expect(reply.json.error.message.length).toBeLessThan(1024)
  })

  it('lists 50 unknown venues of 64', async () => {
    const edge = await start()
    const excludeVenues = Array.from({ length: 64 }, (_, i) => `nobody${i}`)
    expect(fieldsOf(await edge.call('/api/v1/quote', quoting({ ...QUOTE, excludeVenues })))).toHaveLength(50)
  })

  it('answers a request line that is none', async () => {
    const edge = await start({ app: { headers: { 'service-network': 'simnet' } } })
    const reply = parseReply(await edge.wire('HELLO\r\n\r\n'))
    expectDressed(reply)
    expect([reply.status, reply.json.error.code, reply.headers['service-network']]).toEqual([400, 'INVALID_REQUEST', 'simnet'])
    expect(await edge.logged('request.refused')).toMatchObject({ status: 400, requestId: reply.json.meta.requestId })
  })

  it.each([
    ['no Host header', 'GET /api/v1/chains HTTP/1.1\r\n\r\n'],
    ['two Host headers', 'GET /api/v1/chains HTTP/1.1\r\nhost: a.example\r\nHost: b.example\r\n\r\n'],
    ['the same Host header twice', 'GET /api/v1/chains HTTP/1.1\r\nhost: x\r\nx-other: y\r\nhost: x\r\n\r\n'],
    ['two Host headers, by HTTP/1.0', 'GET /api/v1/chains HTTP/1.0\r\nhost: x\r\nhost: y\r\n\r\n'],
    [
      'two Host headers that wait to go on',
      'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\nhost: y\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n',
    ],
    ['two content lengths', 'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}'],
    [
      'a length and chunks',
      'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
    ],
    ['a broken header', 'GET /api/v1/chains HTTP/1.1\r\nhost: x\r\nbad header: x\r\n\r\n'],
    ['a wish for a tunnel', 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n'],
  ])('answers a request with %s [error-malformed-http]', async (_what, bytes) => {
    const edge = await start()
    const reply = parseReply(await edge.wire(bytes))
    expectDressed(reply)
    expect([reply.status, reply.json.error.code, reply.headers['connection']]).toEqual([400, 'INVALID_REQUEST', 'close'])
  })

  it('answers a whole request as itself, and not by what is wrong with the bytes after it', async () => {
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const quote = async () => {
      asked.resolve()
      await answered.promise
      return aQuote()
    }
    const edge = await start({ engine: { quote } })
    const body = JSON.stringify(QUOTE)
    const head = `POST /api/v1/quote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
    const wire = edge.wire(`${head}${body}GARBAGE\r\n\r\n`)
    await asked.promise
    answered.resolve()
    const text = await wire
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    const reply = parseReply(text)
    expect([reply.status, reply.headers['connection']]).toEqual([200, 'close'])
  })

  it('refuses a broken chunk without a second answer on the connection', async () => {
    const edge = await start()
    const head = 'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
    const wire = await edge.wire(head, 'zz\r\n')
    expect(wire.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(parseReply(wire).status).toBe(400)
  })
})

describe('401', () => {
  const knownKey: Partial<Engine> = {
    identify: async (apiKey) => {
      if (apiKey === null) return { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 30 }
      if (apiKey === 'swk_known') return { tier: 'selfServe', partnerId: 'p1', feeBps: 10, requestsPerMinute: 120 }
      throw new SwapError('UNAUTHORIZED', 'The API key is not valid.')
    },
  }

  it.each(['/api/v1/chains', '/api/v1/status', '/nowhere', '/openapi.json'])(
    'refuses an unknown key on %s, even before anything else [health-public-200]',
    async (path) => {
      const edge = await start({ engine: knownKey })
      const reply = await edge.call(path, { headers: { 'x-api-key': 'swk_unknown' } })
      expect([reply.status, reply.json.error]).toEqual([401, { code: 'UNAUTHORIZED', message: 'The API key is not valid.' }])
    },
  )

  it('refuses two keys', async () => {
    const edge = await start({ engine: knownKey })
    const head = 'GET /api/v1/chains HTTP/1.1\r\nhost: x\r\nconnection: close\r\n'
    expect(parseReply(await edge.wire(`${head}x-api-key: swk_known\r\nx-api-key: swk_known\r\n\r\n`)).status).toBe(401)
  })

  it('does not refuse an empty key: it is none', async () => {
    const identify = vi.fn<Engine['identify']>(knownKey.identify)
    const edge = await start({ engine: { identify } })
    expect((await edge.call('/api/v1/chains', { headers: { 'x-api-key': '' } })).status).toBe(200)
    const head = 'GET /api/v1/chains HTTP/1.1\r\nhost: x\r\nconnection: close\r\n'
    expect(parseReply(await edge.wire(`${head}x-api-key:\r\nx-api-key:\r\n\r\n`)).status).toBe(200)
    expect(identify.mock.calls).toEqual([[null], [null]])
  })

  it('hands the caller behind a known key to the engine', async () => {
    const quote = vi.fn<Engine['quote']>(async () => aQuote())
    const edge = await start({ engine: { ...knownKey, quote } })
    await edge.call('/api/v1/quote', { ...quoting(QUOTE), headers: { 'x-api-key': 'swk_known' } })
    expect(quote.mock.calls[0]?.[1].caller).toMatchObject({ tier: 'selfServe', partnerId: 'p1', feeBps: 10 })
  })
})

describe('404', () => {
  it.each(['/nowhere', '/api/v1/quote/', '/API/v1/chains', '/api/v1/%63hains', '/%E0%A4%A', '//api/v1/chains', '/openapi.json/'])(
    'answers NOT_FOUND at %s',
    async (path) => {
      const edge = await start()
      const reply = await edge.call(path)
      expect([reply.status, reply.json.error.code]).toEqual([404, 'NOT_FOUND'])
      expect(reply.headers['cache-control']).toBe('no-store')
    },
  )

  it('answers OPTIONS of a path that is not there', async () => {
    const edge = await start()
    expect((await edge.call('/nowhere', { method: 'OPTIONS' })).status).toBe(404)
  })
})

describe('405', () => {
  it.each([
    ['GET', '/api/v1/quote', 'OPTIONS, POST'],
    ['HEAD', '/api/v1/quote', 'OPTIONS, POST'],
    ['POST', '/api/v1/chains', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/api/v1/health', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/api/v1/status', 'GET, HEAD, OPTIONS'],
    ['PUT', '/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('refuses %s %s and names what is allowed [error-malformed-http]', async (method, path, allow) => {
    const edge = await start()
    const reply = await edge.call(path, { method })
    expect([reply.status, reply.headers['allow']]).toEqual([405, allow])
    if (method !== 'HEAD') expect(reply.json.error.code).toBe('INVALID_REQUEST')
  })
})

describe('408', () => {
  const POST = 'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n'

  it.each([
    ['headers that never end', 'GET /api/v1/chains HTTP/1.1\r\nhost: x\r\n', { headersTimeoutMs: 150 }],
    ['nothing at all', '', { headersTimeoutMs: 150 }],
    [
      'a body that never ends',
      `${POST}content-type: application/json\r\n\r\n{`,
      { headersTimeoutMs: 150, requestTimeoutMs: 200 },
    ],
  ])('ends a connection with %s [error-malformed-http]', async (_what, bytes, limits) => {
    const edge = await start({ server: { limits: { ...limits, checkIntervalMs: 25 } } })
    const reply = parseReply(await edge.wire(bytes))
    expectDressed(reply)
    expect([reply.status, reply.json.error.code]).toEqual([408, 'INVALID_REQUEST'])
  })

  it('is no second answer to a request refused before its body came', async () => {
    const edge = await start({ server: { limits: { headersTimeoutMs: 150, requestTimeoutMs: 200, checkIntervalMs: 25 } } })
    const wire = await edge.wire(`${POST}content-type: text/plain\r\n\r\n{`)
    expect(wire.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 415'])
  })
})

describe('413', () => {
  const big = 'x'.repeat(64 * 1024)

  it('refuses a body of one byte too many and takes one of just enough', async () => {
    const edge = await start()
    const exact = `{"quoteToken":"t"}${' '.repeat(64 * 1024)}`.slice(0, 64 * 1024)
    expect((await edge.call('/api/v1/execute', { method: 'POST', body: exact })).status).toBe(200)
    const reply = await edge.call('/api/v1/execute', { method: 'POST', body: `${exact} ` })
    expect([reply.status, reply.json.error.code]).toEqual([413, 'INVALID_REQUEST'])
  })

  it('counts the bytes of chunks, whatever no header says', async () => {
    const edge = await start()
    const head =
      'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
    const chunk = `${big.length.toString(16)}\r\n${big}\r\n`
    const reply = parseReply(await edge.wire(head, chunk, '1\r\nx\r\n0\r\n\r\n'))
    expectDressed(reply)
    expect([reply.status, reply.json.error.code]).toEqual([413, 'INVALID_REQUEST'])
  })

  it('ends a body that has no end', async () => {
    const edge = await start()
    const head = 'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
    const chunk = `${big.length.toString(16)}\r\n${big}\r\n`
    const wire = await new Promise<string>((resolve) => {
      const socket = net.connect(edge.port, '127.0.0.1')
      let received = ''
      const pour = () => {
        while (socket.writable && socket.write(chunk));
      }
      socket.on('data', (bytes) => {
        received += bytes.toString()
      })
      socket.on('drain', pour)
      // Whether the end shows as an end or as a reset is up to the kernel.
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(received))
      socket.write(head)
      pour()
    })
    expect(wire.startsWith('HTTP/1.1 413')).toBe(true)
    expect((await edge.call('/api/v1/chains')).status).toBe(200)
  })

  it('tells whoever asks before sending not to send, and whoever sends little to go on', async () => {
    const edge = await start()
    const head = 'POST /api/v1/execute HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nexpect: 100-continue\r\n'
    expect((await edge.wire(`${head}content-length: 70000\r\n\r\n`)).startsWith('HTTP/1.1 413')).toBe(true)
    const wire = await edge.wire(`${head}content-length: 18\r\n\r\n`, '{"quoteToken":"t"}')
    expect(wire.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200'])
  })

  it('does not wait for a body announced as far too large', async () => {
    const edge = await start()
    const wire = await edge.wire(
      'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9000000\r\n\r\n',
    )
    expect(parseReply(wire).status).toBe(413)
  })

  it('never reads the body of a GET', async () => {
    const edge = await start()
    const wire = await edge.wire('GET /api/v1/chains HTTP/1.1\r\nhost: x\r\ncontent-length: 9000000\r\n\r\n{')
    const reply = parseReply(wire)
    expect([reply.status, reply.headers['connection']]).toEqual([200, 'close'])
  })
})

describe('415', () => {
  it.each([
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/x-www-form-urlencoded' }],
    [{ 'content-type': 'application/jsonx' }],
    [{ 'content-type': 'application/json; charset=latin1' }],
    [{ 'content-type': '' }],
    [{ 'content-encoding': 'gzip' }],
  ])('refuses %j', async (headers) => {
    const edge = await start()
    const reply = await edge.call('/api/v1/quote', { method: 'POST', body: QUOTE, headers: headers as Record<string, string> })
    expect([reply.status, reply.json.error.code]).toEqual([415, 'INVALID_REQUEST'])
  })

  it('refuses a body of no type', async () => {
    const edge = await start()
    const wire = await edge.wire('POST /api/v1/quote HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}')
    expect(parseReply(wire).status).toBe(415)
  })

  it.each([
    [{ 'content-type': 'application/json; charset=utf-8' }],
    [{ 'content-type': 'Application/JSON;charset="UTF-8"' }],
    [{ 'content-encoding': 'identity' }],
  ])('takes %j', async (headers) => {
    const edge = await start()
    expect(
      (await edge.call('/api/v1/quote', { method: 'POST', body: QUOTE, headers: headers as Record<string, string> })).status,
    ).toBe(200)
  })
})

describe('417', () => {
  it('refuses an expectation nobody here has heard of', async () => {
    const edge = await start()
    expect((await edge.call('/api/v1/chains', { headers: { expect: 'a-miracle' } })).status).toBe(417)
  })
})

describe('431', () => {
  it.each([
    ['one huge header', `x-flood: ${'x'.repeat(20_000)}\r\n`],
    ['a flood of small ones', 'x-flood: drop\r\n'.repeat(2_000)],
    ['a flood that goes on after the answer', 'x-flood: drop\r\n'.repeat(200_000)],
  ])('refuses %s', async (_what, headers) => {
    const edge = await start()
    const reply = parseReply(await edge.wire(`GET /api/v1/chains HTTP/1.1\r\nhost: x\r\n${headers}\r\n`))
    expectDressed(reply)
    expect([reply.status, reply.json.error.code]).toEqual([431, 'INVALID_REQUEST'])
  })
})

describe('every error code [error-envelope]', () => {
  const expected: Record<ErrorCode, number> = {
    INVALID_REQUEST: 400,
    UNSUPPORTED_TOKEN: 400,
    UNSUPPORTED_CHAIN: 400,
    QUOTE_INVALID: 400,
    UNAUTHORIZED: 401,
    PAYMENT_REQUIRED: 402,
    NO_LIQUIDITY: 404,
    NOT_FOUND: 404,
    QUOTE_EXPIRED: 410,
    QUOTE_NOT_EXECUTABLE: 422,
    ORDER_REJECTED: 422,
    RATE_LIMITED: 429,
    INTERNAL: 500,
    BUILD_FAILED: 502,
    NOT_CONFIGURED: 503,
    PAYMENT_PENDING: 503,
    OVERLOADED: 503,
  }

  it.each(Object.entries(expected))('%s is answered with %i and its details', async (code, status) => {
    const details = { venue: 'across' }
    const execute = async () => {
      throw new SwapError(code as ErrorCode, 'In words.', { details, cause: new Error('secret words') })
    }
    const edge = await start({ engine: { execute }, app: { validateResponses: false } })
    const reply = await edge.call('/api/v1/execute', { method: 'POST', body: { quoteToken: 't' } })
    expect([reply.status, reply.json.error]).toEqual([status, { code, message: 'In words.', details }])
  })
})

describe('500', () => {
  it.each([
    ['an error', new Error('the password is hunter2')],
    ['a string', 'the password is hunter2'],
    ['nothing', undefined],
  ])('says nothing of %s thrown by mistake, and logs it beside the request id [error-envelope]', async (_what, thrown) => {
    const status = async () => {
      throw thrown
    }
    const edge = await start({ engine: { status } })
    const reply = await edge.call('/api/v1/status?quoteToken=t&ref=r')
    expect(reply.status).toBe(500)
    expect(reply.json.error).toEqual({
      code: 'INTERNAL',
      message: 'The service failed to handle this request. Report the request id to the operator.',
    })
    expect(reply.text).not.toContain('hunter2')
    const record = await edge.logged('request.failed')
    expect(record).toMatchObject({ level: 'error', requestId: reply.headers['x-request-id'], code: 'INTERNAL' })
    if (thrown !== undefined) expect(record['reason']).toContain('hunter2')
  })

  it.each([
    ['failing venues as a warning', 'warn', 'INTERNAL', { isOutage: true }],
    ['a payment that is pending as information', 'info', 'PAYMENT_PENDING', { isRetry: true }],
  ] as const)('logs %s without a stack', async (_what, level, code, marks) => {
    const cause = new Error('the venue is down', { cause: new TypeError('no JSON') })
    const quote = () => Promise.reject(new SwapError(code, 'Repeat.', { cause, isOutage: level === 'warn' }))
    const edge = await start({ engine: { quote } })
    await edge.call('/api/v1/quote', quoting(QUOTE))
    expect(await edge.logged('request.failed')).toEqual({
      level,
      event: 'request.failed',
      requestId: expect.any(String),
      code,
      ...marks,
      reason: 'Error: the venue is down\ncaused by TypeError: no JSON',
    })
    expect(await edge.logged('request')).toMatchObject({ code, ...(level === 'warn' && marks) })
  })

  it('survives an engine that cannot tell callers', async () => {
    const identify = async () => {
      throw new Error('store down')
    }
    const edge = await start({ engine: { identify } })
    expect((await edge.call('/api/v1/status?quoteToken=t&ref=r')).json.error.code).toBe('INTERNAL')
  })

  it.each([
    ['a wrong value', { quote: async () => aQuote({ estimatedTimeSeconds: -1 }) }],
    ['an undocumented status', { quote: async () => Promise.reject(new SwapError('NOT_CONFIGURED', 'no')) }],
    ['an address that is none', { quote: async () => aQuote({ venue: { id: 'Not An Id', name: 'x' } }) }],
  ])('answers loudly, in development, for an answer with %s', async (_what, engine) => {
    const edge = await start({ engine })
    const reply = await edge.call('/api/v1/quote', quoting(QUOTE))
    expect([reply.status, reply.json.error.code]).toEqual([500, 'INTERNAL'])
    expect(reply.json.error.message).toContain('response does not match the contract of quote')
    expect(await edge.logged('contract.mismatch')).toMatchObject({
      level: 'error',
      operationId: 'quote',
      requestId: reply.json.meta.requestId,
    })
  })

  it('checks the headers of its answers as well', async () => {
    const identify = async () => ({ tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 1.5 }) as const
    const edge = await start({ engine: { identify } })
    const reply = await edge.call('/api/v1/status?quoteToken=t&ref=r')
    expect(reply.json.error.message).toContain('does not match the contract of status')
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(JSON.stringify((await edge.logged('contract.mismatch'))['problems'])).toContain('RateLimit-Policy')
  })

  it('does not spend that check in production', async () => {
    const edge = await start({
      engine: { quote: async () => aQuote({ estimatedTimeSeconds: -1 }) },
      app: { validateResponses: false },
    })
    expect((await edge.call('/api/v1/quote', quoting(QUOTE))).status).toBe(200)
  })
})

describe('the log', () => {
  it('has one record per request, with the code of its failure, and neither query nor body, key nor address in it [security-log-no-bodies]', async () => {
    const edge = await start({ app: { clock: { now: () => 1_000 } } })
    const reply = await edge.call('/api/v1/status?quoteToken=secret&ref=secret', {
      headers: { 'x-api-key': 'secret', 'user-agent': 'secret' },
    })
    expect(await edge.logged('request')).toEqual({
      level: 'info',
      event: 'request',
      requestId: reply.headers['x-request-id'],
      method: 'GET',
      path: '/api/v1/status',
      operationId: 'status',
      status: 401,
      ms: 0,
      tier: 'anonymous',
      code: 'UNAUTHORIZED',
    })
    expect(edge.logs).toHaveLength(1)
  })

  it("has the one word that an answer's details give as the reason, and no code where nothing failed", async () => {
    const edge = await start({
      engine: {
        execute: async () => {
          throw new SwapError('QUOTE_EXPIRED', 'Gone.', { details: { venue: 'across', reason: 'priceMoved' } })
        },
      },
    })
    await edge.call('/api/v1/execute', quoting({ quoteToken: 'secret' }))
    expect(await edge.logged('request', { status: 410 })).toMatchObject({ code: 'QUOTE_EXPIRED', reason: 'priceMoved' })
    await edge.call('/api/v1/health')
    expect(await edge.logged('request', { status: 200 })).not.toHaveProperty('code')
  })

  it('is cut where a path is endless', async () => {
    const edge = await start()
    await edge.call(`/${'x'.repeat(5_000)}`)
    expect(String((await edge.logged('request'))['path'])).toHaveLength(200)
  })
})

describe('callers who hang up', () => {
  it('in the middle of their body are no error', async () => {
    const edge = await start()
    const socket = net.connect(edge.port, '127.0.0.1')
    const head =
      'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 50\r\n\r\n'
    socket.write(`${head}{`)
    // The interim answer tells that the server has begun to read.
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    expect(await edge.logged('request')).toMatchObject({ status: null, aborted: true })
    expect(edge.logs.filter(({ level }) => level !== 'info')).toEqual([])
    expect((await edge.call('/api/v1/chains')).status).toBe(200)
  })

  it('while the engine works are no error', async () => {
    const work = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const status: Engine['status'] = async () => {
      begun.resolve()
      await work.promise
      throw new Error('nobody hears this')
    }
    const edge = await start({ engine: { status } })
    const socket = net.connect(edge.port, '127.0.0.1')
    socket.write('GET /api/v1/status?quoteToken=t&ref=r HTTP/1.1\r\nhost: x\r\n\r\n')
    await begun.promise
    socket.destroy()
    expect(await edge.logged('request')).toMatchObject({ operationId: 'status', status: null, aborted: true })
    work.resolve()
    expect((await edge.call('/api/v1/chains')).status).toBe(200)
    expect(edge.logs.filter(({ level }) => level !== 'info')).toEqual([])
  })
})

describe('connections', () => {
  it('of a caller who asks and never reads are cut off', async () => {
    const edge = await start({ server: { limits: { stallTimeoutMs: 200 } }, engine: { identify: async () => GENEROUS } })
    const socket = net.connect(edge.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.pause()
    // More than the kernel keeps between the two ends.
    for (let i = 0; i < 200; i += 1) socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n')
    expect(await edge.logged('request', { aborted: true })).toMatchObject({ path: '/openapi.json' })
    socket.destroy()
  })

  it('carry the extra headers of the installation on every answer', async () => {
    const edge = await start({ app: { headers: { 'service-network': 'simnet' } } })
    for (const path of ['/api/v1/chains', '/nowhere', '/openapi.json'])
      expect((await edge.call(path)).headers['service-network']).toBe('simnet')
    expect((await edge.call('/api/v1/quote', { method: 'OPTIONS' })).headers['service-network']).toBe('simnet')
  })
})

describe('an EVM address', () => {
  it.each(['0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', addressOf('evm', '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee')])(
    'that marks the native coin is nobody: %s',
    async (userAddress) => {
      const edge = await start()
      const reply = await edge.call('/api/v1/quote', quoting({ ...QUOTE, userAddress }))
      expect(fieldsOf(reply)).toEqual([{ path: 'userAddress', reason: 'is the marker of the native coin, not a wallet' }])
    },
  )
})
