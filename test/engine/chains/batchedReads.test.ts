import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Address } from '../../../engine/core/address.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import { benchOver, fakeTimers, never, sizes, turn, USDC } from './chainsBench.ts'
import {
  ALLOWANCE,
  batchIn,
  byFunction,
  type Contracts,
  DECIMALS,
  type Endpoint,
  has,
  MULTICALL3,
  NAME,
  type Sent,
  SYMBOL,
  says,
  USD_COIN,
  word,
} from './evmNode.ts'

const OTHER = assetOf(1, '0x6B175474E89094C44Da98b954EedeAC495271d0F')
const METADATA = [DECIMALS, SYMBOL, NAME]
const usdc = byFunction({ ...USD_COIN, [ALLOWANCE]: `0x${word(7n)}` })

/** Reads of chains that have one endpoint. */
const setUp = (endpoint: Endpoint) => benchOver({ a: endpoint })

beforeEach(fakeTimers)
afterEach(() => {
  vi.useRealTimers()
})

describe('reads of contracts that are made in the same turn', () => {
  it('go to the node as one call of Multicall3, whoever makes them', async () => {
    const { http, symbol, allowance } = setUp(has(usdc))
    expect(await Promise.all([symbol(USDC), symbol(OTHER), allowance()])).toEqual(['USDC', 'USDC', 7n])
    expect(http.sent).toHaveLength(1)
    const [{ call }] = http.sent as [Sent]
    expect(call).toMatchObject({ method: 'eth_call', params: [{ to: MULTICALL3 }, 'latest'] })
    expect(batchIn(call)?.map(({ to, data }) => [to, data.slice(0, 10)])).toEqual([
      [USDC.address, ALLOWANCE],
      ...METADATA.map((data) => [USDC.address, data]),
      ...METADATA.map((data) => [OTHER.address, data]),
    ])
  })

  it('go to each chain by itself, and to where Multicall3 is on it', async () => {
    const { http, allowance } = setUp(has(usdc))
    const reads = ([1, 324] as const).flatMap((chainId) => [1, 2].map(() => allowance(WALLETS.evmOther, never(), chainId)))
    expect(await Promise.all(reads)).toEqual([7n, 7n, 7n, 7n])
    expect(http.sent.map(({ call }) => (call.params[0] as { to: string }).to)).toEqual([
      MULTICALL3,
      '0xF9cda624FBC7e059355ce98a31693d299FACd963',
    ])
  })

  it('go by a hundred at the most', async () => {
    const { http, allowance } = setUp(has(usdc))
    const values = await Promise.all(Array.from({ length: 201 }, () => allowance()))
    expect(values.every((value) => value === 7n)).toBe(true)
    expect(sizes(http.sent)).toEqual([100, 100, 'one'])
  })

  it('each get their own answer', async () => {
    const own: Contracts = ({ data }) => `0x${word(BigInt(`0x${data.slice(-40)}`))}`
    const { allowance } = setUp(has(own))
    const spenders = Array.from({ length: 150 }, (_none, index) => `0x${(index + 1).toString(16).padStart(40, '0')}` as Address)
    expect(await Promise.all(spenders.map((spender) => allowance(spender)))).toEqual(spenders.map(BigInt))
  })

  it('do not wait for those of the next turn', async () => {
    const { http, allowance } = setUp(has(usdc))
    const first = allowance()
    await turn()
    const second = allowance()
    expect(await Promise.all([first, second])).toEqual([7n, 7n])
    expect(sizes(http.sent)).toEqual(['one', 'one'])
  })
})

describe('a call that is never part of a batch', () => {
  it('is a lone one', async () => {
    const { http, allowance } = setUp(has(usdc))
    expect(await allowance()).toBe(7n)
    expect(http.sent.map(({ call }) => call.params)).toMatchObject([[{ to: USDC.address }, 'latest']])
  })

  it('is one made in the name of the owner, who would not be the one asking', async () => {
    const { http, chains, allowance } = setUp(has(({ data }) => (data.startsWith(ALLOWANCE) ? `0x${word(7n)}` : '0x')))
    const query = { asset: USDC, owner: WALLETS.evm, spender: WALLETS.evmOther, amount: 5n }
    const reads = [chains.refusesReapproval(query, never()), allowance(), allowance()]
    expect(await Promise.all(reads)).toEqual([false, 7n, 7n])
    expect(sizes(http.sent).toSorted()).toEqual([2, 'one', 'one'])
    const singles = http.sent.filter(({ call }) => !batchIn(call)).map(({ call }) => call.params[0])
    expect(singles).toMatchObject([
      { from: WALLETS.evm, to: USDC.address },
      { from: WALLETS.evm, to: USDC.address },
    ])
  })

  it('is what a wallet says of a signature', async () => {
    const magic = '0x1626ba7e'
    const { http, chains } = setUp(has(byFunction({ [magic]: magic.padEnd(66, '0') })))
    const query = { chainId: 1, signer: WALLETS.evm, digest: `0x${'ab'.repeat(32)}`, signature: '0x01' } as const
    const reads = [1, 2].map(() => chains.isValidContractSignature(query, never()))
    expect(await Promise.all(reads)).toEqual([true, true])
    expect(sizes(http.sent)).toEqual(['one', 'one'])
  })
})

describe('a chain where batches are of no use', () => {
  /** It has the contracts, but in place of Multicall3 there is that. */
  const instead =
    (endpoint: Endpoint): Endpoint =>
    (call, signal) =>
      (batchIn(call) ? endpoint : has(usdc))(call, signal)

  it.each([
    ['there is no Multicall3', says({ result: '0x' })],
    ['it reverts', says({ error: { code: 3, message: 'execution reverted' } })],
    ['something else is in its place', says({ result: `0x${word(1n)}` })],
    ['it answers for fewer calls', says({ result: `0x${word(32n)}${word(0n)}` })],
    ['it answers beyond its data', says({ result: `0x${word(32n)}${word(2n)}${word(2n ** 255n)}${word(96n)}` })],
    ['the node refuses such calls', says({ error: { code: -32_602, message: 'not on the list' } })],
  ])('is asked plainly, since %s, and asked so from the start for a minute', async (_what, endpoint) => {
    const { http, clock, allowance } = setUp(instead(endpoint))
    const readTwo = async () => {
      const before = http.sent.length
      expect(await Promise.all([allowance(), allowance()])).toEqual([7n, 7n])
      return sizes(http.sent.slice(before))
    }
    expect(await readTwo()).toEqual([2, 'one', 'one'])
    clock.at += 59_999
    expect(await readTwo()).toEqual(['one', 'one'])
    clock.at += 1
    expect(await readTwo()).toEqual([2, 'one', 'one'])
  })

  it('is no reason to do without on another', async () => {
    const { http, allowance } = setUp(instead(says({ result: '0x' })))
    const readTwoOn = (chainId: ChainId) => Promise.all([1, 2].map(() => allowance(WALLETS.evmOther, never(), chainId)))
    await readTwoOn(1)
    const before = http.sent.length
    await readTwoOn(10)
    expect(sizes(http.sent.slice(before))).toEqual([2, 'one', 'one'])
  })
})
