import { afterEach, describe, expect, it } from 'vitest'
import { ChainError, type Chains } from '../../engine/chains/chains.ts'
import { createChains } from '../../engine/chains/createChains.ts'
import { NATIVE } from '../../engine/core/asset.ts'
import { createReadCache } from '../../engine/net/readCache.ts'
import { type LoopbackHandler, parseJson, startLoopbackServer, writeJson } from '../../engine/simnet/kit/loopbackServer.ts'
import { assetOf, WALLETS } from '../support/anOrder.ts'
import { abiString, answerCall, batchIn, byFunction, DECIMALS, NAME, SYMBOL, USD_COIN, word } from './chains/evmNode.ts'

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const never = (): AbortSignal => new AbortController().signal

const serve = async (handle: LoopbackHandler): Promise<string> => {
  const { origin, close } = await startLoopbackServer(handle)
  closers.push(close)
  return origin
}

type Call = {
  readonly id: number
  readonly method: string
  readonly params: readonly [{ to: string; data: string; from?: string }]
}

/** A node whose every contract answers by the function asked for; what the table lacks reverts. */
const node = async (answers: { readonly [selector: string]: string | undefined }) => {
  const calls: Call[] = []
  const url = await serve(async ({ rawBody }, response) => {
    const call = parseJson(rawBody) as Call
    calls.push(call)
    writeJson(response, 200, answerCall(call, byFunction(answers)))
  })
  return { url, calls }
}

const chainsOn = (urls: readonly string[], options: Partial<Parameters<typeof createChains>[0]> = {}): Chains => {
  const chains = createChains({ rpcUrls: { 1: urls, [-1]: urls, [-2]: urls }, ...options })
  closers.push(() => chains.close())
  return chains
}

const failureOf = async (promise: Promise<unknown>): Promise<string> => {
  const error: unknown = await promise.then(
    () => expect.unreachable('it was answered'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ChainError)
  return (error as ChainError).failure
}

const TOKEN = assetOf(1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')

describe('token metadata of an EVM chain', () => {
  it('is what the contract says, with the asked for address', async () => {
    const { url, calls } = await node(USD_COIN)
    expect(await chainsOn([url]).token(TOKEN, never())).toEqual({
      ...TOKEN,
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      isNative: false,
    })
    const batch = [DECIMALS, SYMBOL, NAME].map((data) => ({ to: TOKEN.address, data }))
    expect(calls.map((call) => batchIn(call))).toEqual([batch])
  })

  it('needs no read for native coins', async () => {
    const chains = chainsOn([])
    for (const [chainId, symbol, decimals] of [
      [1, 'ETH', 18],
      [-1, 'BTC', 8],
      [-2, 'SOL', 9],
    ] as const) {
      const address = chainId === -2 ? 'So11111111111111111111111111111111111111112' : NATIVE
      expect(await chains.token(assetOf(chainId, address), never())).toMatchObject({ symbol, decimals, isNative: true })
    }
  })

  it.each([
    ['nothing is deployed', { [NAME]: '0x', [SYMBOL]: '0x', [DECIMALS]: '0x' }],
    ['every call reverts', {}],
    ['decimals revert', { ...USD_COIN, [DECIMALS]: undefined }],
    ['decimals are out of all reason', { ...USD_COIN, [DECIMALS]: `0x${word(255n)}` }],
    ['decimals are more than a word', { ...USD_COIN, [DECIMALS]: `0x${word(6n)}${word(0n)}` }],
    ['the symbol reverts, as in a price feed', { ...USD_COIN, [SYMBOL]: undefined }],
    ['the symbol is empty', { ...USD_COIN, [SYMBOL]: abiString('') }],
    ['the symbol is nothing but invisible characters', { ...USD_COIN, [SYMBOL]: abiString('\u200b\u202e\n') }],
    ['the symbol is no UTF-8', { ...USD_COIN, [SYMBOL]: abiString(Buffer.of(0xff, 0xfe, 0x41)) }],
    ['the symbol is longer than any', { ...USD_COIN, [SYMBOL]: abiString('x'.repeat(5_000)) }],
    ['the symbol points outside its data', { ...USD_COIN, [SYMBOL]: `0x${word(64n)}${word(4n)}` }],
    ['the symbol claims more than there is', { ...USD_COIN, [SYMBOL]: `0x${word(32n)}${word(2n ** 255n)}${word(0n)}` }],
    ['the answer is larger than the cap', { ...USD_COIN, [SYMBOL]: abiString('x'.repeat(1_100_000)) }],
  ])('is notAToken when %s', async (_reason, answers) => {
    const { url } = await node(answers)
    expect(await failureOf(chainsOn([url]).token(TOKEN, never()))).toBe('notAToken')
  })

  it('reads the bytes32 texts of the oldest tokens', async () => {
    const bytes32 = (text: string) => `0x${Buffer.from(text).toString('hex').padEnd(64, '0')}`
    const { url } = await node({ ...USD_COIN, [NAME]: bytes32('Maker'), [SYMBOL]: bytes32('MKR') })
    expect(await chainsOn([url]).token(TOKEN, never())).toMatchObject({ symbol: 'MKR', name: 'Maker' })
  })

  it('shows no control characters, direction overrides or endless names [token-names-cleaned]', async () => {
    const { url } = await node({
      ...USD_COIN,
      [SYMBOL]: abiString(' U\u202eSD\u0000\n\u200bC '),
      [NAME]: abiString('é'.repeat(500)),
    })
    const { symbol, name } = await chainsOn([url]).token(TOKEN, never())
    expect(symbol).toBe('USDC')
    expect(name).toBe('é'.repeat(128))
  })

  it('takes the symbol for a missing name', async () => {
    const { url } = await node({ ...USD_COIN, [NAME]: '0x' })
    expect((await chainsOn([url]).token(TOKEN, never())).name).toBe('USDC')
  })
})

describe('the endpoints of a chain', () => {
  const broken: readonly (readonly [string, LoopbackHandler])[] = [
    ['answers HTML', async (_request, response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>')],
    [
      'refuses with an error of its own',
      async (_request, response) => writeJson(response, 200, { error: { code: -32_005, message: 'limit exceeded' } }),
    ],
    ['is rate limited', async (_request, response) => writeJson(response, 429, { message: 'slow down' })],
    ['answers a batch', async (_request, response) => writeJson(response, 200, [{ result: '0x' }])],
    ['answers no result', async (_request, response) => writeJson(response, 200, { jsonrpc: '2.0', id: 1 })],
    ['redirects', async (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['resets', async (_request, response) => void response.socket?.destroy()],
    ['never answers', async () => undefined],
  ]

  it.each(broken)('are tried in order when the first one %s', async (_what, handle) => {
    const good = await node(USD_COIN)
    const chains = chainsOn([await serve(handle), good.url], { deadlineMs: 600 })
    expect((await chains.token(TOKEN, never())).symbol).toBe('USDC')
  })

  it.each(broken)('make the chain unreadable, not the token invalid, when the only one %s', async (what, handle) => {
    const isSilent = what === 'never answers'
    // Only the one that is waited for in vain is not waited for long.
    const chains = chainsOn([await serve(handle)], isSilent ? { deadlineMs: 200 } : {})
    expect(await failureOf(chains.token(TOKEN, never()))).toBe(isSilent ? 'timeout' : 'unreachable')
  })

  it('are asked two at a time for a token, and two that differ make it disputed', async () => {
    const [first, none, third] = [await node(USD_COIN), await node({}), await node(USD_COIN)]
    expect(await failureOf(chainsOn([first.url, none.url, third.url]).token(TOKEN, never()))).toBe('disputed')
    expect(third.calls).toEqual([])
    expect(await failureOf(chainsOn([none.url, none.url]).token(TOKEN, never()))).toBe('notAToken')
    expect(await failureOf(chainsOn([none.url, 'http://127.0.0.1:1/']).token(TOKEN, never()))).toBe('unreachable')
    expect((await chainsOn([first.url, third.url]).token(TOKEN, never())).symbol).toBe('USDC')
    expect([first.calls.length, third.calls.length]).toEqual([2, 1])
  })

  it('stay out of the error', async () => {
    const url = `${await serve(async (_request, response) => writeJson(response, 500, {}))}/v3/secret-key`
    const error = await chainsOn([url])
      .token(TOKEN, never())
      .catch((reason: unknown) => reason as ChainError)
    expect((error as ChainError).message).not.toMatch(/secret-key|127\.0\.0\.1/)
  })

  it('are read under the signal of the caller', async () => {
    const chains = chainsOn([await serve(async () => undefined)], { deadlineMs: 60_000 })
    const allowance = { asset: TOKEN, owner: WALLETS.evm, spender: WALLETS.evmOther }
    expect(await failureOf(chains.allowance(allowance, AbortSignal.timeout(20)))).toBe('timeout')
    expect(await failureOf(chains.token(TOKEN, AbortSignal.timeout(20)))).toBe('timeout')
    expect(await failureOf(chains.token(TOKEN, AbortSignal.abort()))).toBe('timeout')
  })
})

describe('what was read of a token', () => {
  it('is read once by callers who come together, and never again after', async () => {
    const { url, calls } = await node(USD_COIN)
    const chains = chainsOn([url])
    const tokens = await Promise.all(Array.from({ length: 20 }, () => chains.token(TOKEN, never())))
    expect(new Set(tokens.map(({ symbol }) => symbol))).toEqual(new Set(['USDC']))
    await chains.token(TOKEN, never())
    expect(calls).toHaveLength(1)
  })

  it('is not lost to the others when one caller leaves', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { url, calls } = await node(USD_COIN)
    const slow = await serve(async ({ rawBody }, response) => {
      await held
      const answer = await fetch(url, { method: 'POST', body: rawBody })
      writeJson(response, 200, await answer.json())
    })
    const chains = chainsOn([slow])
    const leaver = new AbortController()
    const left = failureOf(chains.token(TOKEN, leaver.signal))
    const stays = chains.token(TOKEN, never())
    leaver.abort()
    expect(await left).toBe('timeout')
    release()
    expect((await stays).symbol).toBe('USDC')
    expect(calls).toHaveLength(1)
  })

  it('is remembered for a minute when it is no token', async () => {
    const answers: Record<string, string> = {}
    const { url, calls } = await node(answers)
    const time = { now: 1_000_000 }
    const chains = chainsOn([url], { clock: { now: () => time.now } })
    expect(await failureOf(chains.token(TOKEN, never()))).toBe('notAToken')
    const asked = calls.length
    Object.assign(answers, USD_COIN)
    expect(await failureOf(chains.token(TOKEN, never()))).toBe('notAToken')
    expect([calls.length, chains.isKnownMissing(TOKEN)]).toEqual([asked, true])
    time.now += 60_000
    expect((await chains.token(TOKEN, never())).symbol).toBe('USDC')
  })

  it('keeps nothing beyond its time when the clock is set back', async () => {
    const time = { now: 1_000_000 }
    const cache = createReadCache<string>({ entriesMax: 2, lifetimeMs: 1_000 }, { now: () => time.now })
    const caller = { signal: never(), onAbort: () => new Error('cut') }
    expect(await cache.get('key', async () => 'one', caller)).toBe('one')
    time.now = 999_999
    expect(await cache.get('key', async () => 'two', caller)).toBe('two')
  })

  it('is kept for a bounded number of tokens, the least recently used going first', async () => {
    const cache = createReadCache<string>({ entriesMax: 2, lifetimeMs: 1 }, { now: () => 0 })
    const reads: string[] = []
    const read = async (key: string) => {
      reads.push(key)
      return key
    }
    const get = (key: string) => cache.get(key, () => read(key), { signal: never(), onAbort: () => new Error('left') })
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key)
    expect(reads).toEqual(['a', 'b', 'c', 'b'])
  })
})

describe('contract calls', () => {
  const query = { asset: TOKEN, owner: WALLETS.evm, spender: WALLETS.evmOther }

  it('ask the token for the allowance of owner and spender', async () => {
    const { url, calls } = await node({ '0xdd62ed3e': `0x${word(2n ** 256n - 1n)}` })
    expect(await chainsOn([url]).allowance(query, never())).toBe(2n ** 256n - 1n)
    const padded = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')
    expect(calls[0]?.params[0]).toEqual({
      to: TOKEN.address,
      data: `0xdd62ed3e${padded(WALLETS.evm)}${padded(WALLETS.evmOther)}`,
    })
  })

  it.each(['0x', `0x${word(1n)}00`, undefined])('take %s for no allowance at all', async (answer) => {
    const { url } = await node(answer === undefined ? {} : { '0xdd62ed3e': answer })
    expect(await failureOf(chainsOn([url]).allowance(query, never()))).toBe('notAToken')
  })

  const reapproval = (change: string | undefined, reset: string | undefined) =>
    serve(async ({ rawBody }, response) => {
      const { params } = parseJson(rawBody) as Call
      const result = BigInt(`0x${params[0].data.slice(-64)}`) === 0n ? reset : change
      expect(params[0].from).toBe(WALLETS.evm)
      writeJson(response, 200, result === undefined ? { error: { code: 3, message: 'execution reverted' } } : { result })
    })

  it.each([
    ['refuses the change and takes the reset', undefined, '0x', true],
    ['answers false to the change', `0x${word(0n)}`, `0x${word(1n)}`, true],
    ['takes both', `0x${word(1n)}`, `0x${word(1n)}`, false],
    ['returns nothing for both', '0x', '0x', false],
    ['refuses both, so a reset would not help', undefined, undefined, false],
  ])('find a token that %s', async (_what, change, reset, expected) => {
    const chains = chainsOn([await reapproval(change, reset)])
    expect(await chains.refusesReapproval({ ...query, amount: 5n }, never())).toBe(expected)
  })

  const magic = '0x1626ba7e'
  it.each([
    ['the magic value', magic.padEnd(66, '0'), true],
    ['no contract', '0x', false],
    ['another value', `0xffffffff${'0'.repeat(56)}`, false],
    ['the magic value at the wrong end', `0x${magic.slice(2).padStart(64, '0')}`, false],
    ['the magic value alone, unpadded', magic, false],
    ['a revert', undefined, false],
  ])('read %s of a contract wallet', async (_what, answer, expected) => {
    const { url, calls } = await node(answer === undefined ? {} : { [magic]: answer })
    const digest = `0x${'ab'.repeat(32)}` as const
    const signature = `0x${'cd'.repeat(65)}` as const
    expect(await chainsOn([url]).isValidContractSignature({ chainId: 1, signer: WALLETS.evm, digest, signature }, never())).toBe(
      expected,
    )
    expect(calls[0]?.params[0].data).toBe(`${magic}${'ab'.repeat(32)}${word(64n)}${word(65n)}${'cd'.repeat(65)}${'0'.repeat(62)}`)
  })
})

describe('the price of work on a chain', () => {
  it('is kept for five seconds', async () => {
    let price = '0x10'
    let now = 1_000_000
    const url = await serve(async (_request, response) => writeJson(response, 200, { result: price }))
    const chains = chainsOn([url], { clock: { now: () => now } })
    expect(await chains.feePrice(1, never())).toBe(16n)
    price = '0x20'
    now += 4_999
    expect(await chains.feePrice(1, never())).toBe(16n)
    now += 1
    expect(await chains.feePrice(1, never())).toBe(32n)
  })

  it('is rounded up to a whole satoshi per virtual byte on Bitcoin', async () => {
    const paths: string[] = []
    const url = await serve(async ({ url: { pathname } }, response) => {
      paths.push(pathname)
      writeJson(response, 200, { '1': 90.1, '3': 9.0001, '6': 1 })
    })
    expect(await chainsOn([`${url}/api/`]).feePrice(-1, never())).toBe(10n)
    expect(paths).toEqual(['/api/fee-estimates'])
  })

  it.each([{ '1': 5 }, { '3': '9' }, { '3': -1 }, { '3': 0 }, { '3': 1e12 }, null, 'x'])(
    'is not made up from %j',
    async (estimates) => {
      const url = await serve(async (_request, response) => writeJson(response, 200, estimates))
      expect(await failureOf(chainsOn([url]).feePrice(-1, never()))).toBe('unreachable')
    },
  )

  it('is the base fee of a signature on Solana, without a read', async () => {
    expect(await chainsOn([]).feePrice(-2, never())).toBe(5_000n)
  })

  it.each(['0x', 16, null, 'ten', {}])('is not made up from %j on an EVM chain', async (result) => {
    const url = await serve(async (_request, response) => writeJson(response, 200, { result }))
    expect(await failureOf(chainsOn([url]).feePrice(1, never()))).toBe('unreachable')
  })
})
