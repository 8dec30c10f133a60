import fc from 'fast-check'
import { encodeFunctionData, encodeFunctionResult, getAddress, type Hex, multicall3Abi } from 'viem'
import * as viemChains from 'viem/chains'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { decodeAggregate3, encodeAggregate3, MULTICALL3_ADDRESSES } from '../../../engine/chains/evm/multicall3.ts'
import type { Address } from '../../../engine/core/address.ts'
import { CHAIN_IDS, type ChainId, isEvmChainId } from '../../../engine/core/chain.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import {
  answersTooMuch,
  benchOver,
  DEADLINE_MS,
  type Endpoint,
  fakeTimers,
  hangs,
  heldBack,
  type Nodes,
  never,
  outcome,
  pass,
  realTimers,
  resets,
  says,
  turn,
} from './evidenceBench.ts'
import {
  ALLOWANCE,
  batchIn,
  byFunction,
  type Contracts,
  DAI,
  has,
  METADATA,
  MULTICALL3,
  readOf,
  reverts,
  sizes,
  USD_COIN,
  USDC,
  word,
} from './evmBench.ts'

const HOSTILE = assetOf(1, '0xdAC17F958D2ee523a2206206994597C13D831ec7')
/** When most of the time of a read has passed, its calls go alone. */
const PATIENCE_MS = 2_000
const contracts = byFunction({ ...USD_COIN, [ALLOWANCE]: word(7n) })
const usdc = has(contracts)

const over = (nodes: Nodes) => {
  const bench = benchOver(nodes)
  const allowance = (spender: Address = WALLETS.evmOther, signal = never(), chainId: ChainId = 1) =>
    outcome(bench.chains.allowance({ asset: { chainId, address: USDC.address }, owner: WALLETS.evm, spender }, signal))
  return {
    ...bench,
    allowance,
    two: (chainId: ChainId = 1, signal = never()) => Promise.all([1, 2].map(() => allowance(WALLETS.evmOther, signal, chainId))),
    symbol: (asset = USDC) => outcome(bench.chains.token(asset, never()).then((token) => token.symbol)),
  }
}

beforeEach(fakeTimers)
afterEach(realTimers)

describe('batched reads: calls of one turn', () => {
  it('go to Multicall3 as one call, whoever makes them', async () => {
    const { asked, symbol, allowance } = over({ a: usdc })
    expect(await Promise.all([symbol(USDC), symbol(DAI), allowance()])).toEqual(['USDC', 'USDC', 7n])
    expect(asked).toMatchObject([{ method: 'eth_call', params: [{ to: MULTICALL3 }, 'latest'] }])
    expect(asked.flatMap((call) => batchIn(call)?.map(({ to, data }) => [to, data.slice(0, 10)]))).toEqual([
      [USDC.address, ALLOWANCE],
      ...[USDC, DAI].flatMap(({ address }) => METADATA.map((data) => [address, data])),
    ])
  })

  it('go to each chain apart, at the address of its Multicall3', async () => {
    const { asked, two } = over({ a: usdc })
    expect(await Promise.all([two(1), two(324)])).toEqual(Array(2).fill([7n, 7n]))
    expect(asked.map((call) => readOf(call).to)).toEqual([MULTICALL3, '0xF9cda624FBC7e059355ce98a31693d299FACd963'])
  })

  it('go by a hundred at most, and each gets its own answer', async () => {
    const { asked, allowance } = over({ a: has(({ data }) => word(BigInt(`0x${data.slice(-40)}`))) })
    const spenders = Array.from({ length: 201 }, (_none, index) => `0x${(index + 1).toString(16).padStart(40, '0')}` as Address)
    expect(await Promise.all(spenders.map((spender) => allowance(spender)))).toEqual(spenders.map(BigInt))
    expect(sizes(asked)).toEqual([100, 100, 'one'])
  })

  it('do not wait for calls of the next turn, and a single call goes alone', async () => {
    const { asked, allowance } = over({ a: usdc })
    const first = allowance()
    await turn()
    expect(await Promise.all([first, allowance()])).toEqual([7n, 7n])
    expect(sizes(asked)).toEqual(['one', 'one'])
    expect(asked[0]?.params).toMatchObject([{ to: USDC.address }, 'latest'])
  })

  it('go alone when they name a sender, or read a signature of a wallet', async () => {
    const magic = '0x1626ba7e'
    const { asked, chains, two } = over({ a: has(byFunction({ [magic]: magic.padEnd(66, '0'), [ALLOWANCE]: word(7n) })) })
    const query = { asset: USDC, owner: WALLETS.evm, spender: WALLETS.evmOther, amount: 5n }
    const signed = { chainId: 1, signer: WALLETS.evm, digest: `0x${'ab'.repeat(32)}`, signature: '0x01' } as const
    const isValid = () => chains.isValidContractSignature(signed, never())
    expect(await Promise.all([chains.refusesReapproval(query, never()), two(), isValid(), isValid()])).toEqual([
      ...[false, [7n, 7n], true, true],
    ])
    expect(sizes(asked).toSorted()).toEqual([2, 'one', 'one', 'one', 'one'])
  })
})

describe('batched reads: a chain without a useful Multicall3', () => {
  const instead =
    (endpoint: Endpoint): Endpoint =>
    (call, signal) =>
      (batchIn(call) ? endpoint : usdc)(call, signal)

  it.each([
    ['is missing', says({ result: '0x' })],
    ['reverts', says(reverts)],
    ['is another contract', says({ result: word(1n) })],
    ['answers fewer calls', says({ result: word(32n, 0n) })],
    ['answers beyond its data', says({ result: word(32n, 2n, 2n ** 255n, 96n) })],
    ['is refused by the node', says({ error: { code: -32_602, message: 'not on the list' } })],
  ])('calls go alone for a minute, on that chain only, when it %s', async (_what, endpoint) => {
    const { asked, clock, two } = over({ a: instead(endpoint) })
    const sizesAfter = async (ms: number, chainId: ChainId = 1) => {
      clock.at += ms
      expect(await two(chainId)).toEqual([7n, 7n])
      return sizes(asked.splice(0))
    }
    for (const chainId of [1, 10] as const) expect(await sizesAfter(0, chainId)).toEqual([2, 'one', 'one'])
    expect(await sizesAfter(59_999)).toEqual(['one', 'one'])
    expect(await sizesAfter(1)).toEqual([2, 'one', 'one'])
  })
})

describe('batched reads: a hostile contract in the batch', () => {
  const strange =
    (answer: string | null): Contracts =>
    (read) =>
      read.to === HOSTILE.address ? answer : contracts(read)

  it.each<[string, string | null, Contracts, string]>([
    ['revert', null, strange(null), 'notAToken'],
    ['return nothing', '0x', strange('0x'), 'notAToken'],
    ['revert only in a batch', null, contracts, 'USDC'],
  ])('repeats alone its calls that %s', async (_what, answer, alone, expected) => {
    const { asked, symbol } = over({ a: (call, signal) => has(batchIn(call) ? strange(answer) : alone)(call, signal) })
    expect(await Promise.all([symbol(USDC), symbol(HOSTILE)])).toEqual(['USDC', expected])
    expect(asked.slice(1).map(readOf)).toEqual(METADATA.map((data) => ({ to: HOSTILE.address, data })))
  })

  /** A node where each call to the hostile contract, alone or in a batch, ends like that. */
  const spoiltBy =
    (spoilt: Endpoint): Endpoint =>
    (call, signal) =>
      ((batchIn(call) ?? [readOf(call)]).some(({ to }) => to === HOSTILE.address) ? spoilt : usdc)(call, signal)

  it.each([
    ['uses all gas', says({ error: { code: -32_000, message: 'out of gas' } }), ['one', 'one']],
    ['returns more than the service reads', answersTooMuch, [2]],
    ['makes the node refuse', says({ error: { code: -32_000, message: 'execution aborted (timeout = 5s)' } }), ['one', 'one']],
    ['makes the request too large', says('too large', 413), ['one', 'one']],
  ])('takes no answer from the others when it %s', async (_what, spoilt, later) => {
    const { asked, symbol, two } = over({ a: spoiltBy(spoilt) })
    const symbols = Promise.all([symbol(USDC), symbol(DAI), symbol(HOSTILE)])
    await pass(500)
    expect((await symbols).slice(0, 2)).toEqual(['USDC', 'USDC'])
    expect(sizes(asked.splice(0)).slice(0, 10)).toEqual([9, ...Array(9).fill('one')])
    await two()
    expect(sizes(asked)).toEqual(later)
  })

  it('takes two thirds of the time from the others when it never ends', async () => {
    const { asked, symbol } = over({ a: spoiltBy(hangs) })
    const [good, hostile] = [symbol(USDC), symbol(HOSTILE)]
    await turn()
    await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1)
    expect(sizes(asked)).toEqual([6])
    await vi.advanceTimersByTimeAsync(1)
    expect(await good).toBe('USDC')
    await vi.advanceTimersByTimeAsync(DEADLINE_MS - PATIENCE_MS)
    expect(await hostile).toBe('timeout')
    expect(sizes(asked)).toEqual([6, ...Array(6).fill('one')])
  })

  it('accepts a batch that answers at the last moment', async () => {
    const { symbol } = over({
      a: async (call, signal) => {
        if (!batchIn(call)) return hangs(call, signal)
        await new Promise((resolve) => setTimeout(resolve, DEADLINE_MS - 1))
        return usdc(call, signal)
      },
    })
    const reading = symbol(USDC)
    await turn()
    await vi.advanceTimersByTimeAsync(DEADLINE_MS - 1)
    expect(await reading).toBe('USDC')
  })
})

describe('batched reads: endpoints in trouble', () => {
  it.each([
    ['the first resets: the next one', { a: resets, b: usdc }, 0, [7n, 7n], 2],
    ['the first hangs: the next one after half of the time', { a: hangs, b: usdc }, DEADLINE_MS / 2, [7n, 7n], 2],
    ['none can be reached: the batch is repeated whole', { a: resets }, 250, ['unreachable', 'unreachable'], 2],
  ])('%s', async (_what, nodes, ms, expected, requests) => {
    const { asked, two } = over(nodes)
    const reading = two()
    await turn()
    await vi.advanceTimersByTimeAsync(ms)
    expect(await reading).toEqual(expected)
    expect(sizes(asked)).toEqual(Array(requests).fill(2))
  })

  it('ends at the deadline when no endpoint answers, aborts the requests and leaves no timer', async () => {
    const { asked, two, events } = over({ a: hangs, b: hangs })
    let ended = 0
    const reading = two().finally(() => {
      ended += 1
    })
    await turn()
    await pass(DEADLINE_MS - 1)
    expect(ended).toBe(0)
    await pass(1)
    expect([ended, await reading]).toEqual([1, ['timeout', 'timeout']])
    expect([vi.getTimerCount(), asked.every(({ signal }) => signal.aborted)]).toEqual([0, true])
    expect(events[0]).toMatchObject({ event: 'chain.health', chainId: 1, endpoint: 1, healthy: false })
  })

  it('continues without a caller who leaves', async () => {
    const { held, release } = heldBack(usdc)
    const { asked, allowance } = over({ a: held })
    const leaver = new AbortController()
    const [leaves, stays] = [allowance(WALLETS.evmOther, leaver.signal), allowance()]
    await turn()
    leaver.abort()
    expect([await leaves, asked[0]?.signal.aborted]).toEqual(['timeout', false])
    release()
    expect(await stays).toBe(7n)
    expect(sizes(asked)).toEqual([2])
  })

  it('aborts the batch when all callers have left, and reports no endpoint', async () => {
    const { asked, two, events } = over({ a: hangs })
    const leaver = new AbortController()
    const reads = two(1, leaver.signal)
    await turn()
    leaver.abort()
    expect(await reads).toEqual(['timeout', 'timeout'])
    await turn()
    expect([sizes(asked), asked[0]?.signal.aborted, vi.getTimerCount(), events]).toEqual([[2], true, 0, []])
  })

  it('leaves out callers who left before the batch was sent', async () => {
    const { asked, two, allowance } = over({ a: usdc })
    const leaver = new AbortController()
    const reads = [two(1, leaver.signal), allowance()]
    leaver.abort()
    expect(await Promise.all(reads)).toEqual([['timeout', 'timeout'], 7n])
    expect(sizes(asked)).toEqual(['one'])
  })
})

describe('Multicall3', () => {
  const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
  const someBytes = (most: number) => fc.uint8Array({ maxLength: most }).map(hexOf)
  const someAddress = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => getAddress(hexOf(bytes)))
  const aggregate3 = { abi: multicall3Abi, functionName: 'aggregate3' } as const

  it.each(CHAIN_IDS.filter(isEvmChainId))('has the address that viem has for chain %i', (chainId) => {
    type Known = { multicall3?: { address: string } } | undefined
    const known = Object.values(viemChains).flatMap(({ id, contracts: of }) =>
      id === chainId ? ((of as Known)?.multicall3 ?? []) : [],
    )
    expect(known.map(({ address }) => getAddress(address))).toContain(MULTICALL3_ADDRESSES[chainId])
  })

  it('encodes calls and decodes results as viem does, and rejects every shorter answer', () => {
    const someCalls = fc.array(fc.record({ target: someAddress, data: someBytes(200) }), { maxLength: 20 })
    const someResults = fc.array(fc.record({ success: fc.boolean(), returnData: someBytes(300) }), { maxLength: 20 })
    fc.assert(
      fc.property(someCalls, someResults, someBytes(500), (calls, result, noise) => {
        const args = [calls.map(({ target, data }) => ({ target, allowFailure: true, callData: data }))] as const
        expect(encodeAggregate3(calls)).toBe(encodeFunctionData({ ...aggregate3, args }))
        const data = encodeFunctionResult({ ...aggregate3, result })
        const returned = result.map(({ success, returnData }) => (success && returnData !== '0x' ? returnData : null))
        expect(decodeAggregate3(data, result.length)).toEqual(returned)
        expect(decodeAggregate3(data, result.length + 1)).toBeNull()
        expect(decodeAggregate3(noise, 3)?.length ?? 3).toBe(3)
      }),
    )
    const result = ['ab', 'cd'].map((byte) => ({ success: true, returnData: `0x${byte.repeat(32)}` as const }))
    const data = encodeFunctionResult({ ...aggregate3, result })
    for (let end = 2; end < data.length; end += 2) expect(decodeAggregate3(data.slice(0, end), 2)).toBeNull()
  })

  it.each([undefined, null, 7, {}, '', '0x', '0x0', 'text', `0x${'zz'.repeat(64)}`, `0x${'ff'.repeat(256)}`])(
    'rejects %j as an answer',
    (answer) => {
      expect(decodeAggregate3(answer, 1)).toBeNull()
    },
  )
})
