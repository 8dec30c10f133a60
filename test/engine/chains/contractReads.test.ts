import { decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import type { Address } from '../../../engine/core/address.ts'
import { nativeAsset } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import {
  answersTooMuch,
  benchOver,
  type Call,
  DEADLINE_MS,
  type Endpoint,
  hangs,
  type Nodes,
  never,
  outcome,
  outcomeAfter,
  pass,
  resets,
  says,
  stopTimers,
  turn,
} from './evidenceBench.ts'
import { DAI, USDC, word } from './evmBench.ts'

const abiString = (text: Buffer | string): string => {
  const bytes = Buffer.from(text).toString('hex')
  return `${word(32n, BigInt(bytes.length / 2))}${bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')}`
}

const [NAME, SYMBOL, DECIMALS, ALLOWANCE] = ['0x06fdde03', '0x95d89b41', '0x313ce567', '0xdd62ed3e'] as const
/** The functions that a read of metadata calls. */
const METADATA = [DECIMALS, SYMBOL, NAME]

type Read = { readonly to: string; readonly data: string; readonly from?: string }
/** What a contract returns; null when it reverts. */
type Contracts = (read: Read) => string | null

const readOf = ({ params }: Call): Read => params[0] as Read

/** The calls inside an `eth_call` of Multicall3, as viem reads them; null when it is another call. */
const batchIn = (call: Call): readonly Read[] | null => {
  if (call.method !== 'eth_call' || !readOf(call).data.startsWith('0x82ad56cb')) return null
  const { args } = decodeFunctionData({ abi: multicall3Abi, data: readOf(call).data as Hex })
  return (args[0] as readonly { target: string; allowFailure: boolean; callData: Hex }[]).map((each) => {
    if (!each.allowFailure) throw new Error('one call that fails would take the others with it')
    return { to: each.target, data: each.callData }
  })
}

const reverts = { error: { code: 3, message: 'execution reverted', data: '0x' } }

/** A node with these contracts. */
const has =
  (contracts: Contracts): Endpoint =>
  (call, signal) => {
    const returned = (data: string | null) => ({ success: data !== null, returnData: (data ?? '0x') as Hex })
    const results = batchIn(call)?.map((read) => returned(contracts(read)))
    const result = results
      ? encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: results })
      : contracts(readOf(call))
    return says(result === null ? reverts : { result })(call, signal)
  }

/** A contract by its functions; any other function reverts. */
const byFunction =
  (answers: { readonly [selector: string]: string | undefined }): Contracts =>
  ({ data }) =>
    answers[data.slice(0, 10)] ?? null

const USD_COIN = { [NAME]: abiString('USD Coin'), [SYMBOL]: abiString('USDC'), [DECIMALS]: word(6n) }

/** How many calls each request carried; a call outside of a batch is 'one'. */
const sizes = (calls: readonly Call[]) => calls.map((call) => batchIn(call)?.length ?? 'one')

stopTimers()

type Selectors = { readonly [selector: string]: string | undefined }
const usdc = has(byFunction(USD_COIN))

/** A read of a chain with one endpoint, to its end, and what was sent. */
const readOver = async <T>(endpoint: Endpoint, read: (chains: ReturnType<typeof benchOver>['chains']) => Promise<T>) => {
  const { chains, asked } = benchOver({ a: endpoint })
  return { answer: await outcomeAfter(250, read(chains)), asked }
}

describe('token metadata of an EVM chain', () => {
  const token = (answers: Selectors) => outcome(benchOver({ a: has(byFunction(answers)) }).chains.token(USDC, never()))

  it('is decimals, symbol and name of the contract, read in one call; a native coin needs none', async () => {
    const { answer, asked } = await readOver(usdc, async (chains) => {
      await chains.token(nativeAsset(1), never())
      return chains.token(USDC, never())
    })
    expect(answer).toEqual({ ...USDC, symbol: 'USDC', name: 'USD Coin', decimals: 6, isNative: false })
    expect(asked.map(batchIn)).toEqual([METADATA.map((data) => ({ to: USDC.address, data }))])
  })

  it.each<[string, Selectors]>([
    ['a contract where every call reverts', {}],
    ['37 decimals', { ...USD_COIN, [DECIMALS]: word(37n) }],
    ['decimals of two words', { ...USD_COIN, [DECIMALS]: word(6n, 0n) }],
    ['no symbol, as a price feed has', { ...USD_COIN, [SYMBOL]: undefined }],
    ['a symbol of invisible characters', { ...USD_COIN, [SYMBOL]: abiString('\u200b\u202e\n') }],
    ['a symbol that is no UTF-8', { ...USD_COIN, [SYMBOL]: abiString(Buffer.of(0xff, 0xfe, 0x41)) }],
    ['a symbol longer than its data', { ...USD_COIN, [SYMBOL]: word(32n, 2n ** 255n, 0n) }],
  ])('is rejected as notAToken: %s', async (_what, answers) => {
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
  ])('is cleaned for a token %s [token-names-cleaned]', async (_what, answers, expected) => {
    expect(await token({ ...USD_COIN, ...answers })).toMatchObject(expected)
  })

  const none = has(byFunction({}))
  it.each([
    ['agree', 'USDC', 'ab', { a: usdc, b: usdc, c: none }],
    ['differ', 'disputed', 'abbbb', { a: usdc, b: none, c: usdc }],
    ['have none and fail', 'unreachable', 'aaaabb', { a: none, b: resets }],
    ['are one that fails and the next one', 'USDC', 'abbc', { a: usdc, b: resets, c: usdc }],
  ])('is read from two endpoints: those that %s: %s', async (_what, expected, hosts, nodes) => {
    const bench = benchOver(nodes)
    const found = await outcomeAfter(500, bench.chains.token(USDC, never()))
    expect(typeof found === 'string' ? found : found.symbol).toBe(expected)
    expect(bench.hosts().toSorted().join('')).toBe(hosts)
  })
})

describe('contract read', () => {
  const query = { asset: USDC, owner: WALLETS.evm, spender: WALLETS.evmOther }

  it.each([
    [word(2n ** 256n - 1n), 2n ** 256n - 1n],
    ['0x', 'notAToken'],
    [`${word(1n)}00`, 'notAToken'],
  ])('allowance: asks the token for owner and spender, and reads %s as %s', async (data, expected) => {
    const { answer, asked } = await readOver(has(byFunction({ [ALLOWANCE]: data })), (chains) => chains.allowance(query, never()))
    expect(answer).toBe(expected)
    expect(asked.map(readOf)).toEqual([{ to: USDC.address, data: ALLOWANCE + word(WALLETS.evm, WALLETS.evmOther).slice(2) }])
  })

  it.each([
    ['reverts on the change and accepts the reset', true, null, '0x'],
    ['returns false for the change', true, word(0n), word(1n)],
    ['returns true for both', false, word(1n), word(1n)],
    ['returns nothing for both', false, '0x', '0x'],
    ['reverts on both', false, null, null],
  ])('reapproval: a token that %s needs a reset: %s', async (_what, expected, change, reset) => {
    const node = has(({ data }) => (BigInt(`0x${data.slice(-64)}`) === 0n ? reset : change))
    const { answer, asked } = await readOver(node, (chains) => chains.refusesReapproval({ ...query, amount: 5n }, never()))
    expect(answer).toBe(expected)
    const approve = (amount: bigint) => `0x095ea7b3${word(WALLETS.evmOther, amount).slice(2)}`
    expect(asked.map(readOf)).toEqual([5n, 0n].map((amount) => ({ to: USDC.address, data: approve(amount), from: WALLETS.evm })))
  })

  const magic = '0x1626ba7e'
  it.each([
    ['the magic value', true, magic.padEnd(66, '0')],
    ['nothing, without a contract', false, '0x'],
    ['another value', false, `0xffffffff${'0'.repeat(56)}`],
    ['the magic value at the wrong end', false, `0x${magic.slice(2).padStart(64, '0')}`],
    ['the magic value without padding', false, magic],
    ['a revert', false, undefined],
  ])('contract signature: a wallet that answers %s accepts it: %s', async (_what, expected, data) => {
    const [digest, signature] = [`0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(65)}`] as const
    const signed = { chainId: 1, signer: WALLETS.evm, digest, signature } as const
    const { answer, asked } = await readOver(has(byFunction({ [magic]: data })), (chains) =>
      Promise.all([1, 2].map(() => chains.isValidContractSignature(signed, never()))),
    )
    expect(answer).toEqual([expected, expected])
    const sent = `${magic}${'ab'.repeat(32)}${word(64n, 65n).slice(2)}${'cd'.repeat(65)}${'0'.repeat(62)}`
    // In a batch the sender would be Multicall3.
    expect(asked.map(readOf)).toEqual(Array(2).fill({ to: WALLETS.evm, data: sent }))
  })

  it.each([
    ['data', '0xab', says({ result: '0xab' })],
    ['a revert', null, says(reverts)],
    ['more than the service reads', null, answersTooMuch],
    ['nonsense', 'unreachable', says({ result: 'yes' })],
  ])('contract call: a node that answers %s gives %s', async (_what, expected, endpoint) => {
    const contract = { chainId: 1, address: WALLETS.evm } as const
    const { answer, asked } = await readOver(endpoint, (chains) => chains.call(contract, '0x12345678', never()))
    expect(answer).toBe(expected)
    expect(asked[0]).toMatchObject({ method: 'eth_call', params: [{ to: WALLETS.evm, data: '0x12345678' }, 'latest'] })
  })
})

describe('fee price', () => {
  it.each([
    [-1, { '1': 90.1, '3': 9.0001, '6': 1 }, 10n, ['/fee-estimates']],
    [-2, null, 5_000n, []],
    ...[{ '1': 5 }, { '3': '9' }, { '3': 0 }, { '3': 1_000_001 }].map((body) => [-1, body, 'unreachable', null] as const),
    [1, { result: '0x10' }, 16n, ['eth_gasPrice']],
    ...['0x', null].map((result) => [1, { result }, 'unreachable', null] as const),
  ] as const)('of chain %i where a node answers %j is %s', async (chainId, body, expected, sent) => {
    const { answer, asked } = await readOver(says(body), (chains) => chains.feePrice(chainId, never()))
    expect(answer).toBe(expected)
    if (sent) expect(asked.map(({ method }) => method)).toEqual(sent)
  })

  it('of an EVM chain is kept for five seconds, and not while the clock is set back', async () => {
    const prices = ['0x10', '0x20', '0x30']
    const { chains, clock } = benchOver({ a: (...call) => says({ result: prices.shift() })(...call) })
    const priceAfter = (ms: number) => {
      clock.at += ms
      return chains.feePrice(1, never())
    }
    expect([await priceAfter(0), await priceAfter(4_999)]).toEqual([16n, 16n])
    expect([await priceAfter(1), await priceAfter(-1)]).toEqual([32n, 48n])
  })
})

describe('contract reads of one turn', () => {
  const HOSTILE = assetOf(1, '0xdAC17F958D2ee523a2206206994597C13D831ec7')
  const contracts = byFunction({ ...USD_COIN, [ALLOWANCE]: word(7n) })
  const honest = has(contracts)

  const over = (nodes: Nodes) => {
    const bench = benchOver(nodes)
    const allowance = (spender: Address = WALLETS.evmOther, signal = never(), chainId: ChainId = 1) =>
      outcome(bench.chains.allowance({ asset: { chainId, address: USDC.address }, owner: WALLETS.evm, spender }, signal))
    const two = (chainId: ChainId = 1) => Promise.all([1, 2].map(() => allowance(WALLETS.evmOther, never(), chainId)))
    const symbol = (asset = USDC) => outcome(bench.chains.token(asset, never()).then((token) => token.symbol))
    return { ...bench, allowance, two, symbol, sent: () => sizes(bench.asked.splice(0)) }
  }

  it('go by a hundred at most to Multicall3 of their chain, and each gets its own answer', async () => {
    const { asked, sent, two, allowance } = over({ a: has(({ data }) => word(BigInt(`0x${data.slice(-40)}`))) })
    const spenders = Array.from({ length: 201 }, (_none, index) => `0x${(index + 1).toString(16).padStart(40, '0')}` as Address)
    const [all] = await Promise.all([Promise.all(spenders.map((spender) => allowance(spender))), two(324)])
    expect(all).toEqual(spenders.map(BigInt))
    const [usual, zkSync] = ['0xcA11bde05977b3631167028862bE2a173976CA11', '0xF9cda624FBC7e059355ce98a31693d299FACd963']
    expect(asked.map((call) => readOf(call).to)).toEqual([usual, usual, USDC.address, zkSync])
    expect(sent()).toEqual([100, 100, 'one', 2])
  })

  it.each([
    ['is missing', says({ result: '0x' })],
    ['answers beyond its data', says({ result: word(32n, 2n, 2n ** 255n, 96n) })],
    ['is refused by the node', says({ error: { code: -32_602, message: 'not on the list' } })],
  ])('go alone when Multicall3 %s', async (_what, endpoint) => {
    const { sent, two } = over({ a: (call, signal) => (batchIn(call) ? endpoint : honest)(call, signal) })
    expect(await two()).toEqual([7n, 7n])
    expect(sent()).toEqual([2, 'one', 'one'])
  })

  it('are repeated alone where they revert only in a batch', async () => {
    const strange = has((read) => (read.to === HOSTILE.address ? null : contracts(read)))
    const { asked, symbol } = over({ a: (call, signal) => (batchIn(call) ? strange : honest)(call, signal) })
    expect(await Promise.all([symbol(USDC), symbol(HOSTILE)])).toEqual(['USDC', 'USDC'])
    expect(asked.slice(1).map(readOf)).toEqual(METADATA.map((data) => ({ to: HOSTILE.address, data })))
  })

  /** A node where each call to the hostile contract, alone or in a batch, ends like that. */
  const spoiltBy =
    (spoilt: Endpoint): Endpoint =>
    (call, signal) =>
      ((batchIn(call) ?? [readOf(call)]).some(({ to }) => to === HOSTILE.address) ? spoilt : honest)(call, signal)

  it.each([
    ['uses all gas', says({ error: { code: -32_000, message: 'out of gas' } }), 500, 'notAToken'],
    ['returns more than the service reads', answersTooMuch, 500, 'notAToken'],
    ['never ends, after two thirds of their time', hangs, (DEADLINE_MS * 2) / 3, 'timeout'],
  ])('are answered although a contract among them %s', async (_what, spoilt, ms, ofHostile) => {
    const { symbol } = over({ a: spoiltBy(spoilt) })
    const [good, hostile] = [Promise.all([symbol(USDC), symbol(DAI)]), symbol(HOSTILE)]
    await turn()
    await pass(ms)
    expect(await good).toEqual(['USDC', 'USDC'])
    await pass(DEADLINE_MS - ms)
    expect([await hostile, vi.getTimerCount()]).toEqual([ofHostile, 0])
  })

  it.each<[string, (bench: ReturnType<typeof over>, signal: AbortSignal) => Promise<unknown>, unknown]>([
    ['a token', ({ chains }, signal) => outcome(chains.token(USDC, signal)), expect.objectContaining({ symbol: 'USDC' })],
    ['an allowance', ({ allowance }, signal) => allowance(WALLETS.evmOther, signal), 7n],
  ])('are made once for two callers of %s, and go on when one of them leaves', async (_what, read, expected) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const bench = over({ a: (...call) => released.then(() => honest(...call)) })
    const leaver = new AbortController()
    const [leaves, stays] = [read(bench, leaver.signal), read(bench, never())]
    await turn()
    leaver.abort()
    expect(await leaves).toBe('timeout')
    release()
    expect([await stays, bench.asked.length]).toEqual([expected, 1])
  })

  it('end without a report on the endpoint when all callers have left', async () => {
    const { asked, allowance, events } = over({ a: hangs })
    const callers = [new AbortController(), new AbortController()]
    const reads = callers.map(({ signal }) => allowance(WALLETS.evm, signal))
    await turn()
    for (const caller of callers) caller.abort()
    expect(await Promise.all(reads)).toEqual(['timeout', 'timeout'])
    await turn()
    expect([asked.map(({ signal }) => signal.aborted), vi.getTimerCount(), events]).toEqual([[true], 0, []])
  })
})
