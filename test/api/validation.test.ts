import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { addressOf } from '../../engine/core/address.ts'
import type { Engine } from '../../engine/engine.ts'
import type { FieldProblem } from '../../engine/errors.ts'
import { WALLETS } from '../support/anOrder.ts'
import { ANONYMOUS, aQuote, type EdgeServer, parseReply, type Reply, startEdge, USDC } from '../support/edgeServer.ts'
import { OTHER_EVM } from '../support/swaps.ts'

const QUOTE = {
  inputChainId: 1,
  outputChainId: 10,
  inputToken: USDC.address,
  outputToken: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  inputAmount: '25000000',
  userAddress: WALLETS.evm,
}
const MARKER = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const FROM_BITCOIN = { ...QUOTE, inputChainId: -1, userAddress: WALLETS.bitcoin, destinationAddress: WALLETS.evm }

const quote = vi.fn<Engine['quote']>(async () => aQuote())
const resolveToken = vi.fn<Engine['resolveToken']>(async () => USDC)
let edge: EdgeServer
beforeAll(async () => {
  edge = await startEdge({ engine: { quote, resolveToken, identify: async () => ({ ...ANONYMOUS, requestsPerMinute: 1e6 }) } })
})
afterAll(() => edge.close())
beforeEach(() => void vi.clearAllMocks())

const post = (body: object | string, path = 'quote') => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-length': String(Buffer.byteLength(text)) }
  return edge.call(`/api/v1/${path}`, { method: 'POST', body: text, headers })
}

const fieldsOf = (reply: Reply): FieldProblem[] => {
  expect([reply.status, reply.json.error?.code]).toEqual([400, 'INVALID_REQUEST'])
  expect([quote.mock.calls, resolveToken.mock.calls]).toEqual([[], []])
  return reply.json.error.details['fields'] as FieldProblem[]
}

const SYMBOL = 'must be the address of a token, not its symbol: check an address with /api/v1/tokens/resolve, or use'
const AMOUNT = 'must be a positive whole number in smallest units without leading zeros'

describe('quote: a wrong body receives 400 [error-fields-named]', () => {
  it.each<[string, object, object]>([
    ['a whole number as ranking mode', { rankingMode: 1 }, { rankingMode: 'must be a string' }],
    ['a number as amount', { inputAmount: 5 }, { inputAmount: 'must be a string' }],
    ['an amount of 2^256', { inputAmount: String(2n ** 256n) }, { inputAmount: 'must be at most 2^256 - 1' }],
    ...['0', '-1', '1.0', ' 1', '01', '0x10'].map((inputAmount): [string, object, object] => [
      `the amount "${inputAmount}"`,
      { inputAmount },
      { inputAmount: AMOUNT },
    ]),
    [
      'symbols instead of addresses',
      { inputToken: 'USDC', outputChainId: -2, outputToken: 'SOL' },
      {
        inputToken: `${SYMBOL} ${MARKER} for ETH`,
        outputToken: `${SYMBOL} So11111111111111111111111111111111111111112 for SOL`,
      },
    ],
    [
      'a swap into the same token in another spelling',
      { outputChainId: 1, outputToken: USDC.address.toLowerCase() },
      { outputToken: 'must differ from inputToken' },
    ],
    ['a wallet as Bitcoin token', { ...FROM_BITCOIN, inputToken: WALLETS.bitcoin }, { inputToken: `must be ${MARKER} or BTC` }],
    [
      'the native marker as wallet',
      { userAddress: addressOf('evm', QUOTE.outputToken) },
      { userAddress: 'is the marker of the native coin, not a wallet' },
    ],
    [
      'addresses of the wrong kind, in the order of the fields',
      {
        outputChainId: -2,
        inputToken: USDC.address.replace('A0b', 'a0b'),
        outputToken: USDC.address,
        userAddress: WALLETS.solana,
        destinationAddress: '1'.repeat(32),
        refundAddress: `0x${'0'.repeat(40)}`,
        excludeVenues: ['cow', 'nobody'],
      },
      {
        inputToken: 'checksum does not match',
        outputToken: 'is not a valid Solana address',
        userAddress: 'is not a valid EVM address',
        destinationAddress: 'must not be the zero address',
        refundAddress: 'must not be the zero address',
        'excludeVenues[1]': 'is not a venue; known ids: across, cow',
      },
    ],
  ])('%s', async (_what, change, problems) => {
    const fields = fieldsOf(await post({ ...QUOTE, ...change }))
    expect(fields).toEqual(Object.entries(problems).map(([path, reason]) => ({ path, reason })))
  })

  it('missing, unknown and wrong fields, each named with its reason', async () => {
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
    expect(Object.fromEntries(fieldsOf(await post(body)).map(({ path, reason }) => [path, reason]))).toEqual({
      inputChainId: 'must be a whole number',
      outputChainId: 'is required',
      inputToken: 'must not be empty',
      outputToken: 'must have at most 128 characters',
      inputAmount: AMOUNT,
      userAddress: 'must consist of letters and digits',
      slippageBps: 'must be at least 1',
      rankingMode: 'must be one of best_output, fastest',
      sandbox: 'must be true or false',
      'excludeVenues[1]': 'must be a string',
      destinationAdress: 'is not a known field',
    })
  })

  it('3,001 unknown fields, of which the response names 50', async () => {
    const fields = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`x${i}`, i]))
    const reply = await post({ ...QUOTE, ...fields, ['y'.repeat(500)]: 1 })
    expect(fieldsOf(reply)).toHaveLength(50)
    expect(reply.json.error.message.length).toBeLessThan(1024)
  })

  it('and each optional field receives 200 and reaches the engine', async () => {
    const given = { rankingMode: 'fastest', sandbox: true, broadcastViaService: true }
    const addresses = { destinationAddress: WALLETS.evmOther, refundAddress: OTHER_EVM }
    expect((await post({ ...QUOTE, ...given, ...addresses })).status).toBe(200)
    const parties = { sender: WALLETS.evm, recipient: WALLETS.evmOther, refundTo: OTHER_EVM }
    expect(quote.mock.calls[0]?.[0]).toMatchObject({ ...given, ...parties })
  })
})

describe('chain ids', () => {
  it.each([
    ['a body', { inputChainId: 250, outputChainId: 10, inputAmount: 'x' }, 'quote', 250],
    ['a body, beyond 32 bits', { ...QUOTE, outputChainId: 1e12 }, 'quote', 1e12],
    ['a query', null, 'tokens/resolve?chainId=250&address=x', 250],
  ])('an unknown chain in %s receives 400 UNSUPPORTED_CHAIN [error-fields-named]', async (_where, body, path, chainId) => {
    const { status, json } = await (body ? post(body, path) : edge.call(`/api/v1/${path}`))
    expect([status, json.error.code, json.error.details['chainId']]).toEqual([400, 'UNSUPPORTED_CHAIN', chainId])
    const reason = expect.stringContaining('must be one of 1, 10,')
    expect(json.error.details['fields']).toContainEqual({ path: expect.stringMatching(/chainId$/i), reason })
  })

  it.each(['1', '1.00'])('the query accepts chainId=%s as chain 1', async (chainId) => {
    await edge.call(`/api/v1/tokens/resolve?chainId=${chainId}&address=x`)
    expect(resolveToken.mock.calls[0]?.[0]).toMatchObject({ chainId: 1 })
  })
})

describe('a wrong query receives 400', () => {
  const undecodable = { path: 'query', reason: 'is not valid percent-encoded UTF-8' }

  it.each<[string, FieldProblem[]]>([
    [
      'status?quoteToken=a&quoteToken=b&cacheBuster=1&__proto__=x',
      [
        { path: 'quoteToken', reason: 'must be given once, as one value' },
        { path: 'ref', reason: 'is required' },
        { path: 'cacheBuster', reason: 'is not a known parameter' },
        { path: '__proto__', reason: 'is not a known parameter' },
      ],
    ],
    ['tokens/resolve?chainId=1&chainId=1&address=x', [{ path: 'chainId', reason: 'must be given once, as one value' }]],
    ...['0x1', '1.01', '%201', '01', '-0', '1e0', ''].map((chainId): [string, FieldProblem[]] => [
      `tokens/resolve?chainId=${chainId}&address=x`,
      [{ path: 'chainId', reason: 'must be a whole number' }],
    ]),
    ['status?quoteToken=%zz&ref=r', [undecodable]],
    ['status?quoteToken=%ff&ref=r', [undecodable]],
  ])('%s', async (path, problems) => {
    const fields = fieldsOf(await edge.call(`/api/v1/${path}`))
    expect(fields).toHaveLength(problems.length)
    expect(fields).toEqual(expect.arrayContaining(problems))
  })
})

describe('a body that is no JSON object receives 400', () => {
  it.each([
    ['nothing', '', 'is required'],
    ['half an object', '{"inputChainId":1', 'is not valid JSON'],
    ['a byte order mark', '\uFEFF{}', 'is not valid JSON'],
    ['null', 'null', 'must be a JSON object'],
    ['a number', '5', 'must be a JSON object'],
    ['lists 17 deep', '['.repeat(17) + ']'.repeat(17), 'nests deeper than 16 levels'],
    ['lists 30,000 deep', '['.repeat(30_000), 'nests deeper than 16 levels'],
  ])('%s', async (_what, body, reason) => {
    expect(fieldsOf(await post(body))).toEqual([{ path: 'body', reason }])
  })

  it('bytes that are not UTF-8', async () => {
    const head = 'POST /api/v1/quote HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n'
    const wire = await edge.wire(`${head}content-length: 4\r\n\r\n`, Buffer.from([0x22, 0xc3, 0x28, 0x22]))
    expect(fieldsOf(parseReply(wire))).toEqual([{ path: 'body', reason: 'is not valid UTF-8' }])
  })
})

/** The fields of a valid body, to be followed by others. */
const FIELDS = JSON.stringify(QUOTE).slice(1, -1)

describe('a JSON body', () => {
  it('with __proto__ and constructor receives 400 with both as unknown fields', async () => {
    const fields = fieldsOf(await post('{"__proto__":{"sandbox":true},"constructor":1,"quoteToken":"t"}', 'execute'))
    expect(fields).toEqual(['__proto__', 'constructor'].map((path) => ({ path, reason: 'is not a known field' })))
    expect(({} as { sandbox?: boolean }).sandbox).toBeUndefined()
  })

  it('with 100 brackets within a text receives 200', async () => {
    expect((await post({ quoteToken: `\\"${'[{'.repeat(50)}` }, 'execute')).status).toBe(200)
  })

  it.each([
    [
      'plainly',
      `{${FIELDS},"destinationAddress":"${WALLETS.evm}","destinationAddress":"${WALLETS.evmOther}"}`,
      ['destinationAddress'],
    ],
    ['escaped in two ways', `{${FIELDS},"\\u0073andbox":true,"s\\u0061ndbox":false}`, ['sandbox']],
    ['with white space between', `{${FIELDS}, "sandbox" : true ,\n\t"sandbox"\r\n:false}`, ['sandbox']],
    ['two of them', `{"sandbox":true,"slippageBps":1,${FIELDS},"slippageBps":2,"sandbox":1}`, ['slippageBps', 'sandbox']],
    ['below another field', `{${FIELDS},"memo":{"a":{"b":1,"b":2}}}`, ['memo.a.b']],
    ['in a list', `{${FIELDS},"excludeVenues":["cow",{"x":[],"id":1,"id":2}]}`, ['excludeVenues[1].id']],
    ['as __proto__', `{${FIELDS},"__proto__":1,"__proto__":2}`, ['__proto__']],
    ['as nothing', `{${FIELDS},"":1,"":2}`, ['body']],
    ['in surrogates', `{${FIELDS},"\\ud83e\\ude99":1,"🪙":2}`, ['🪙']],
  ])('with a key twice, %s, receives 400 with its path [error-repeated-key]', async (_how, body, paths) => {
    expect(fieldsOf(await post(body))).toEqual(paths.map((path) => ({ path, reason: 'is given more than once' })))
  })

  it('with 3,000 repeated keys receives the paths of 50', async () => {
    const keys = Array.from({ length: 3_000 }, (_, i) => `"k${i}":1`)
    expect(fieldsOf(await post(`{${[...keys, ...keys].join(',')}}`.slice(0, 64 * 1024)))).toHaveLength(50)
  })

  // Half a second is some hundred times what it takes, and a hundredth of what comparing every key with every other would.
  it.each([
    ['many escaped keys', `{${Array.from({ length: 5_000 }, (_, i) => `"\\n${i.toString(36)}":1`).join(',')}}`],
    ['one endless key', `{"${'\\\\'.repeat(32_000)}":1}`],
    ['a long list', `{"a":[${'{},'.repeat(20_000)}{}]}`],
  ])('of %s is checked within half a second', async (_what, body) => {
    const startedAt = performance.now()
    expect(JSON.stringify(fieldsOf(await post(body)))).not.toContain('more than once')
    expect(performance.now() - startedAt).toBeLessThan(500)
  })

  it('may have the same key in two objects, keys within text, and keys that differ in case or by an escape', async () => {
    const body = `{${FIELDS},"Sandbox":1,"s\\u0062ndbox":1,"sandbox":true,"memo":[{"a":1},{"a":{"a":"\\"a\\":1,\\"a\\":2"}}]}`
    const reason = 'is not a known field'
    const unknown = ['Sandbox', 'memo', 'sbndbox'].map((path) => ({ path, reason }))
    expect(fieldsOf(await post(body)).toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(unknown)
  })
})
