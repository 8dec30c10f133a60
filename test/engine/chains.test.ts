import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NATIVE, NATIVE_SOL } from '../../engine/core/asset.ts'
import { createReadCache } from '../../engine/net/readCache.ts'
import { assetOf, WALLETS } from '../support/anOrder.ts'
import {
  answersTooMuch,
  benchOver,
  type Endpoint,
  fakeTimers,
  heldBack,
  never,
  outcome,
  pass,
  realTimers,
  resets,
  says,
  turn,
} from './chains/evidenceBench.ts'
import {
  ALLOWANCE,
  abiString,
  batchIn,
  byFunction,
  DECIMALS,
  has,
  METADATA,
  NAME,
  readOf,
  reverts,
  SYMBOL,
  USD_COIN,
  USDC,
  word,
} from './chains/evmBench.ts'

beforeEach(fakeTimers)
afterEach(realTimers)

type Selectors = { readonly [selector: string]: string | undefined }
const token = (answers: Selectors) => outcome(benchOver({ a: has(byFunction(answers)) }).chains.token(USDC, never()))
const usdc = has(byFunction(USD_COIN))

/** A read of a chain with one endpoint, to its end, and what was sent. */
const readOver = async <T>(endpoint: Endpoint, read: (chains: ReturnType<typeof benchOver>['chains']) => Promise<T>) => {
  const { chains, asked } = benchOver({ a: endpoint })
  const reading = outcome(read(chains))
  await pass(250)
  return { answer: await reading, asked }
}

describe('token metadata: an EVM chain', () => {
  it('reads decimals, symbol and name in one call, and returns the requested address', async () => {
    const { answer, asked } = await readOver(usdc, (chains) => chains.token(USDC, never()))
    expect(answer).toEqual({ ...USDC, symbol: 'USDC', name: 'USD Coin', decimals: 6, isNative: false })
    expect(asked.map(batchIn)).toEqual([METADATA.map((data) => ({ to: USDC.address, data }))])
  })

  it.each([
    [1, NATIVE, 'ETH', 18],
    [-1, NATIVE, 'BTC', 8],
    [-2, NATIVE_SOL, 'SOL', 9],
  ] as const)('needs no read for the native coin of chain %i', async (chainId, address, symbol, decimals) => {
    const { chains, asked } = benchOver({})
    expect(await chains.token(assetOf(chainId, address), never())).toMatchObject({ symbol, decimals, isNative: true })
    expect(asked).toEqual([])
  })

  it.each<[string, Selectors]>([
    ['no contract', { [NAME]: '0x', [SYMBOL]: '0x', [DECIMALS]: '0x' }],
    ['a contract where every call reverts', {}],
    ['no decimals', { ...USD_COIN, [DECIMALS]: undefined }],
    ['37 decimals', { ...USD_COIN, [DECIMALS]: word(37n) }],
    ['decimals of two words', { ...USD_COIN, [DECIMALS]: word(6n, 0n) }],
    ['no symbol, as a price feed has', { ...USD_COIN, [SYMBOL]: undefined }],
    ['an empty symbol', { ...USD_COIN, [SYMBOL]: abiString('') }],
    ['a symbol of invisible characters', { ...USD_COIN, [SYMBOL]: abiString('\u200b\u202e\n') }],
    ['a symbol that is no UTF-8', { ...USD_COIN, [SYMBOL]: abiString(Buffer.of(0xff, 0xfe, 0x41)) }],
    ['a symbol of 5,000 characters', { ...USD_COIN, [SYMBOL]: abiString('x'.repeat(5_000)) }],
    ['a symbol outside its data', { ...USD_COIN, [SYMBOL]: word(64n, 4n) }],
    ['a symbol longer than its data', { ...USD_COIN, [SYMBOL]: word(32n, 2n ** 255n, 0n) }],
  ])('rejects as notAToken: %s', async (_what, answers) => {
    expect(await token(answers)).toBe('notAToken')
  })

  const bytes32 = (text: string) => `0x${Buffer.from(text).toString('hex').padEnd(64, '0')}`
  it.each<[string, Selectors, object]>([
    ['of type bytes32', { [NAME]: bytes32('Maker'), [SYMBOL]: bytes32('MKR') }, { symbol: 'MKR', name: 'Maker' }],
    ['with 36 decimals', { [DECIMALS]: word(36n) }, { decimals: 36 }],
    ['without a name', { [NAME]: '0x' }, { symbol: 'USDC', name: 'USDC' }],
    ['with direction marks and line breaks', { [SYMBOL]: abiString(' U\u202eSD\u0000\n\u200bC ') }, { symbol: 'USDC' }],
    ['with a name of 500 characters', { [NAME]: abiString('é'.repeat(500)) }, { name: 'é'.repeat(128) }],
    ['with a symbol of 100 characters', { [SYMBOL]: abiString('x'.repeat(100)) }, { symbol: 'x'.repeat(64) }],
  ])('cleans the texts of a token %s [token-names-cleaned]', async (_what, answers, expected) => {
    expect(await token({ ...USD_COIN, ...answers })).toMatchObject(expected)
  })

  const none = has(byFunction({}))
  it.each([
    ['two endpoints agree', { a: usdc, b: usdc, c: none }, 'USDC', 'ab'],
    ['two endpoints differ', { a: usdc, b: none, c: usdc }, 'disputed', 'abbbb'],
    ['two endpoints have none', { a: none, b: none }, 'notAToken', 'aaaabbbb'],
    ['one endpoint has none and the other fails', { a: none, b: resets }, 'unreachable', 'aaaabb'],
    ['the second endpoint fails', { a: usdc, b: resets, c: usdc }, 'USDC', 'abbc'],
  ])('reads two endpoints: %s', async (_what, nodes, expected, hosts) => {
    const bench = benchOver(nodes)
    const reading = outcome(bench.chains.token(USDC, never()).then(({ symbol }) => symbol))
    await pass(500)
    expect([await reading, bench.hosts().toSorted().join('')]).toEqual([expected, hosts])
  })

  it('reads a token once for 20 callers, and never again', async () => {
    const { answer, asked } = await readOver(usdc, async (chains) => {
      const tokens = await Promise.all(Array.from({ length: 20 }, () => chains.token(USDC, never())))
      return [...tokens, await chains.token(USDC, never())].map(({ symbol }) => symbol)
    })
    expect([answer, asked.length]).toEqual([Array(21).fill('USDC'), 1])
  })

  it('finishes a read for the other callers when one caller leaves', async () => {
    const { held, release } = heldBack(usdc)
    const { chains, asked } = benchOver({ a: held })
    const leaver = new AbortController()
    const [leaves, stays] = [outcome(chains.token(USDC, leaver.signal)), chains.token(USDC, never())]
    await turn()
    leaver.abort()
    expect(await leaves).toBe('timeout')
    release()
    expect([(await stays).symbol, asked.length]).toEqual(['USDC', 1])
    const left = await readOver(usdc, (other) => other.token(USDC, AbortSignal.abort()))
    expect(left.answer).toBe('timeout')
  })
})

describe('read cache', () => {
  const caller = { signal: never(), onAbort: () => new Error('left') }

  it('keeps no value beyond its time when the clock is set back', async () => {
    const time = { now: 1_000_000 }
    const cache = createReadCache<string>({ entriesMax: 2, lifetimeMs: 1_000 }, { now: () => time.now })
    expect(await cache.get('key', async () => 'one', caller)).toBe('one')
    time.now = 999_999
    expect(await cache.get('key', async () => 'two', caller)).toBe('two')
  })

  it('evicts the least recently used value when it is full', async () => {
    const cache = createReadCache<string>({ entriesMax: 2, lifetimeMs: 1 }, { now: () => 0 })
    const reads: string[] = []
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(key, async () => `${reads.push(key)}`, caller)
    expect(reads).toEqual(['a', 'b', 'c', 'b'])
  })
})

describe('contract reads', () => {
  const query = { asset: USDC, owner: WALLETS.evm, spender: WALLETS.evmOther }

  it('asks the token for the allowance of owner and spender', async () => {
    const largest = 2n ** 256n - 1n
    const node = has(byFunction({ [ALLOWANCE]: word(largest) }))
    const { answer, asked } = await readOver(node, (chains) => chains.allowance(query, never()))
    expect(answer).toBe(largest)
    expect(asked.map(readOf)).toEqual([{ to: USDC.address, data: ALLOWANCE + word(WALLETS.evm, WALLETS.evmOther).slice(2) }])
  })

  it.each(['0x', `${word(1n)}00`, undefined])('rejects %s as an allowance', async (data) => {
    const { answer } = await readOver(has(byFunction({ [ALLOWANCE]: data })), (chains) => chains.allowance(query, never()))
    expect(answer).toBe('notAToken')
  })

  it.each([
    ['rejects the change and accepts the reset', null, '0x', true],
    ['returns false for the change', word(0n), word(1n), true],
    ['accepts both', word(1n), word(1n), false],
    ['returns nothing for both', '0x', '0x', false],
    ['rejects both', null, null, false],
  ])('reapproval: a token that %s', async (_what, change, reset, expected) => {
    const node = has(({ data }) => (BigInt(`0x${data.slice(-64)}`) === 0n ? reset : change))
    const { answer, asked } = await readOver(node, (chains) => chains.refusesReapproval({ ...query, amount: 5n }, never()))
    expect(answer).toBe(expected)
    const approve = (amount: bigint) => `0x095ea7b3${word(WALLETS.evmOther, amount).slice(2)}`
    expect(asked.map(readOf)).toEqual([5n, 0n].map((amount) => ({ to: USDC.address, data: approve(amount), from: WALLETS.evm })))
  })

  const magic = '0x1626ba7e'
  it.each([
    ['the magic value', magic.padEnd(66, '0'), true],
    ['no contract', '0x', false],
    ['another value', `0xffffffff${'0'.repeat(56)}`, false],
    ['the magic value at the wrong end', `0x${magic.slice(2).padStart(64, '0')}`, false],
    ['the magic value without padding', magic, false],
    ['a revert', undefined, false],
  ])('contract signature: a wallet that answers %s', async (_what, data, expected) => {
    const [digest, signature] = [`0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(65)}`] as const
    const { answer, asked } = await readOver(has(byFunction({ [magic]: data })), (chains) =>
      chains.isValidContractSignature({ chainId: 1, signer: WALLETS.evm, digest, signature }, never()),
    )
    expect(answer).toBe(expected)
    const sent = `${magic}${'ab'.repeat(32)}${word(64n, 65n).slice(2)}${'cd'.repeat(65)}${'0'.repeat(62)}`
    expect(asked.map(readOf)).toEqual([{ to: WALLETS.evm, data: sent }])
  })

  it.each([
    ['data', says({ result: '0xab' }), '0xab'],
    ['nothing, without a contract', says({ result: '0x' }), '0x'],
    ['a revert', says(reverts), null],
    ['more than the service reads', answersTooMuch, null],
    ['nonsense', says({ result: 'yes' }), 'unreachable'],
    ['null', says({ result: null }), 'unreachable'],
    ['a reset', resets, 'unreachable'],
  ])('contract call: a node that answers %s', async (_what, endpoint, expected) => {
    const contract = { chainId: 1, address: WALLETS.evm } as const
    const { answer, asked } = await readOver(endpoint, (chains) => chains.call(contract, '0x12345678', never()))
    expect(answer).toBe(expected)
    expect(asked[0]).toMatchObject({ method: 'eth_call', params: [{ to: WALLETS.evm, data: '0x12345678' }, 'latest'] })
  })

  const code = (result: unknown) =>
    readOver(says({ result }), async (chains) => {
      const where = { chainId: 1, address: WALLETS.evmOther } as const
      return [await chains.code(where, never()), await chains.code(where, never())]
    })

  it.each(['0x', '0x6001', `0xef0100${'11'.repeat(20)}`])('code: returns %s, read anew each time', async (result) => {
    const { answer, asked } = await code(result)
    const sent = { method: 'eth_getCode', params: [WALLETS.evmOther, 'latest'] }
    expect([answer, asked]).toMatchObject([
      [result, result],
      [sent, sent],
    ])
  })

  it.each([null, '', '0x1', 'code', 7, { code: '0x' }])('code: a node that answers %j counts as unreachable', async (result) => {
    expect((await code(result)).answer).toBe('unreachable')
  })
})

describe('fee price', () => {
  const price = (endpoint: Endpoint, chainId: 1 | -1 | -2) => readOver(endpoint, (chains) => chains.feePrice(chainId, never()))

  it('keeps the gas price of an EVM chain for five seconds', async () => {
    let result = '0x10'
    const { chains, clock } = benchOver({ a: (...call) => says({ result })(...call) })
    expect(await chains.feePrice(1, never())).toBe(16n)
    result = '0x20'
    clock.at += 4_999
    expect(await chains.feePrice(1, never())).toBe(16n)
    clock.at += 1
    expect(await chains.feePrice(1, never())).toBe(32n)
  })

  it('rounds up to whole satoshis per virtual byte on Bitcoin', async () => {
    const { answer, asked } = await price(says({ '1': 90.1, '3': 9.0001, '6': 1 }), -1)
    expect([answer, asked.map(({ method }) => method)]).toEqual([10n, ['/fee-estimates']])
  })

  it('is the base fee of a signature on Solana, without a read', async () => {
    expect(await price(resets, -2)).toEqual({ answer: 5_000n, asked: [] })
  })

  it.each([
    ...[{ '1': 5 }, { '3': '9' }, { '3': -1 }, { '3': 0 }, { '3': 1_000_001 }, null, 'x'].map((body) => [-1, body] as const),
    ...['0x', 16, null, 'ten', {}].map((result) => [1, { result }] as const),
  ])('on chain %i a node that answers %j counts as unreachable', async (chainId, body) => {
    expect((await price(says(body), chainId)).answer).toBe('unreachable')
  })
})
