import { decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { uniswapxContracts } from '../../../engine/simnet/contracts/uniswapxContracts.ts'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { createUniswapX } from '../../../engine/simnet/venues/uniswapx/uniswapx.ts'
import { uniswapx } from '../../../engine/venues/uniswapx/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { chainFails, createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { retold, seenEvm } from '../../support/seenEvm.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { never, type Swap, signed, swapOf, track, typedDataOf } from '../../support/venueKit/calls.ts'
import { createEvmStage } from '../../support/venueKit/evmStage.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { byPriority, byV2, byV3, FEE_RECIPIENT, PERMIT2, REACTORS, STRANGER, USDC, WETH } from './support.ts'

const EVENTS = parseAbi([
  'event Fill(bytes32 indexed orderHash, address indexed filler, address indexed swapper, uint256 nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

type SignedOrder = { readonly order: Hex; readonly sig: Hex }
const EXECUTE = parseAbi([
  'struct SignedOrder { bytes order; bytes sig; }',
  'function execute(SignedOrder order) payable',
  'function executeBatch(SignedOrder[] orders) payable',
])

const stage = createEvmStage(uniswapxContracts)
let bench: VenueBench
let chains: FakeChains
beforeAll(async () => {
  chains = createFakeChains()
  bench = await createVenueBench(uniswapx, createUniswapX, { chains, settings: { FEE_RECIPIENT }, evm: stage.world })
})
afterAll(() => Promise.all([bench.close(), stage.close()]))

const count = countForgeries('uniswapx', 34)

type Filled = { readonly swap: Swap; readonly logs: readonly SimLog[]; readonly seen: SeenTransaction; readonly txHash: string }

/** Built, covered by funds and allowance, signed, posted and filled; with the events of its transaction. */
const filled = async (order: VenueOrder): Promise<Filled> => {
  const swap = await swapOf(bench.venue, order)
  const { chainId, address: token } = order.input
  await stage.stock({ chainId, token, holder: order.sender, amount: order.inputAmount }, PERMIT2)
  await bench.venue.submitter?.submit(swap, await signed(swap.execution), never())
  bench.clock.advance(6_000)
  const { state, txHash } = await track(bench.venue, swap.execution.venueRef ?? '', swap)
  expect(state).toBe('success')
  const logs = (await stage.receipt(chainId, txHash ?? ''))?.logs ?? []
  return { swap, logs, seen: seenEvm(chainId, logs, { first: 3 }), txHash: txHash ?? '' }
}

const inputsOf = (seen: SeenTransaction, swap: Swap) => bench.venue.events?.inputs(seen, swap) ?? null
const outputsOf = (seen: SeenTransaction, swap: Swap) => bench.venue.events?.outputs(seen, swap, []) ?? null
const namedOf = (seen: SeenTransaction) => bench.venue.events?.named(seen)

const fillAt = (logs: readonly SimLog[], reactor: string) => logs.findIndex(({ address }) => address === reactor)

describe('events: a UniswapX order for a token', () => {
  test.each([
    ['V2', byV2(), REACTORS.v2],
    ['priority', byPriority(), REACTORS.priority],
  ])('by a %s reactor is paid and delivered at the places of its transfers, without the fee', async (_name, order, reactor) => {
    const { swap, logs, seen } = await filled(order)
    const movement = (to: string) => {
      const found = seen.movements.filter((one) => one.to === to && one.token === order.output.address)
      expect(found).toHaveLength(1)
      return found[0]
    }
    const delivery = movement(WALLETS.evmOther)
    const paid = seen.movements.find(({ from }) => from === order.sender)
    const took = { token: order.input.address, amount: order.inputAmount }
    expect(await inputsOf(seen, swap)).toEqual([{ place: paid?.place, orderId: swap.execution.venueRef, isWhole: true, took }])
    const both = [delivery?.place, movement(FEE_RECIPIENT)?.place]
    expect(await outputsOf(seen, swap)).toEqual([{ place: delivery?.place, amount: swap.offer.outputAmount, paid: both }])
    expect(movement(FEE_RECIPIENT)?.amount).toBe(swap.offer.fee.amount)
    expect(await bench.venue.events?.refunds(seen, swap, [])).toEqual([])
    const named = await namedOf(seen)
    expect(named).toEqual(expect.arrayContaining([delivery?.place, 'balance']))
    expect(named).not.toContain(paid?.place)
    expect(fillAt(logs, reactor)).toBe(logs.length - 1)
  })

  test('matches its own reactor only, in every field, with the transfers before the event', async () => {
    const { swap, logs, seen } = await filled(byV2())
    const other = await swapOf(bench.venue, byV2())
    count('of another order', await inputsOf(seen, other))
    count('of another order', await outputsOf(seen, other))
    type Change = ((log: SimLog) => Partial<SimLog>) | readonly [field: string, value: unknown]
    const changed = (at: number, change: Change) => {
      const log = logs[at] as SimLog
      const next = typeof change === 'function' ? { ...log, ...change(log) } : (retold(log, EVENTS, change) as SimLog)
      return seenEvm(1, logs.with(at, next), { first: 3 })
    }
    const fills: readonly (readonly [name: string, Change])[] = [
      ['another contract', () => ({ address: STRANGER })],
      ['another reactor', () => ({ address: '0x0000000015757c461808EA25Eb309638B62681cf' })],
      ['another event', ({ topics }) => ({ topics: [`0x${'1'.repeat(64)}`, ...topics.slice(1)] })],
      ['cut short', () => ({ data: '0x' })],
      ['fewer topics', ({ topics }) => ({ topics: topics.slice(0, 3) })],
      ['another hash', ['orderHash', (was: string) => was.replace(/.$/, (last) => (last === '1' ? '2' : '1'))]],
      ['another filler', ['filler', STRANGER]],
      ['another swapper', ['swapper', STRANGER]],
      ['another nonce', ['nonce', (was: bigint) => was + 1n]],
    ]
    for (const [name, forged] of [
      ...fills.map(([name, change]) => [name, changed(fillAt(logs, REACTORS.v2), change)] as const),
      ['failed', { ...seen, isSuccess: false }],
      ['on another chain', { ...seen, chainId: 8453 }],
      ['on a chain without it', { ...seen, chainId: 10 }],
    ] as const) {
      count(name, await inputsOf(forged, swap))
      count(name, await outputsOf(forged, swap))
    }
    const least = swap.execution.slippage?.guaranteedMin ?? 0n
    const recipient = WALLETS.evmOther.slice(2).toLowerCase()
    const delivered = logs.findIndex(({ address, topics }) => address === WETH && topics[2]?.endsWith(recipient))
    for (const change of [['value', least - 1n], ['to', STRANGER], ['from', STRANGER], () => ({ address: USDC })] as const)
      count(`delivered: ${change}`, await outputsOf(changed(delivered, change), swap))
    const late = seenEvm(1, [...logs.toSpliced(delivered, 1), logs[delivered] as SimLog], { first: 3 })
    count('after the event', await outputsOf(late, swap))
    const taken = fillAt(logs, USDC)
    for (const change of [
      ['value', 2_000_000_001n],
      ['value', 0n],
      ['from', STRANGER],
    ] as const)
      count(`taken: ${change[0]}`, await inputsOf(changed(taken, change), swap))
    const exact = changed(delivered, ['value', least])
    expect(await outputsOf(exact, swap)).toMatchObject([{ place: `log:${3 + delivered}`, amount: least }])
  })

  test('beside another order in one transaction has its own transfers, and claims no unrelated one', async () => {
    const [one, two] = [await filled(byV2()), await filled(byV2({ amount: 2_100_000_000n }))]
    const stranger = retold(one.logs[0] as SimLog, EVENTS, ['from', STRANGER]) as SimLog
    const both = seenEvm(1, [stranger, ...one.logs, ...two.logs], { first: 3 })
    const [ofOne, ofTwo] = [await outputsOf(both, one.swap), await outputsOf(both, two.swap)]
    expect(ofOne?.[0]?.amount).toBe(one.swap.offer.outputAmount)
    expect(ofTwo?.[0]?.amount).toBe(two.swap.offer.outputAmount)
    expect(ofOne?.[0]?.place).not.toBe(ofTwo?.[0]?.place)
    expect(await namedOf(both)).not.toContain('log:3')
    expect(await namedOf(seenEvm(1, [stranger]))).toEqual([])
  })

  test('in a batch that takes all inputs first has its own payment and delivery, also with equal orders', async () => {
    const amounts = [2_100_000_000n, 2_000_000_000n, 2_000_000_000n]
    const snapshot = await stage.rpc(1, 'evm_snapshot', [])
    const alone: Filled[] = []
    for (const amount of amounts) alone.push(await filled(byV2({ amount })))
    const sent = await Promise.all(alone.map(({ txHash }) => stage.rpc(1, 'eth_getTransactionByHash', [txHash])))
    await stage.rpc(1, 'evm_revert', [snapshot])
    const calls = sent as readonly { readonly from: string; readonly input: Hex }[]
    const orders = calls.map(({ input }) => decodeFunctionData({ abi: EXECUTE, data: input }).args[0] as SignedOrder)
    const filler = calls[0]?.from ?? ''
    const total = amounts.reduce((sum, amount) => sum + amount, 0n)
    await stage.stock({ chainId: 1, token: USDC, holder: WALLETS.evm, amount: total }, PERMIT2)
    await stage.stock({ chainId: 1, token: WETH, holder: filler, amount: 10n ** 20n }, REACTORS.v2)
    const data = encodeFunctionData({ abi: EXECUTE, functionName: 'executeBatch', args: [orders] })
    const { logs, status } = await stage.send({ chainId: 1, from: filler, to: REACTORS.v2, data })
    expect(status).toBe('success')
    const seen = seenEvm(1, logs, { first: 3 })
    const told = await Promise.all(alone.map(async ({ swap }) => [await inputsOf(seen, swap), await outputsOf(seen, swap)]))
    const taken = seen.movements.filter(({ from, token }) => from === WALLETS.evm && token === USDC)
    expect(told.map(([inputs]) => inputs?.map(({ place }) => place))).toEqual(taken.map(({ place }) => [place]))
    const paid = seen.movements.filter(({ to }) => to === WALLETS.evmOther)
    expect(told.map(([, outputs]) => outputs)).toMatchObject(paid.map(({ place, amount }) => [{ place, amount }]))
  })
})

test('events: an order for coins delivers at least the signed minimum, since no event has the amount', async () => {
  const { swap, logs, seen } = await filled(byV3({ recipient: WALLETS.evm }))
  const amount = swap.execution.slippage?.guaranteedMin
  expect(await outputsOf(seen, swap)).toEqual([{ place: `log:${3 + fillAt(logs, REACTORS.v3)}`, amount }])
  expect(await inputsOf(seen, swap)).toHaveLength(1)
  expect(await namedOf(seen)).toContain('balance')
})

describe('unfilled proof of UniswapX', () => {
  const read = (swap: Swap) => bench.venue.unfilled?.isUnfilled(swap, never())

  test('reads the Permit2 nonce: unused, used or invalidated', async () => {
    chains.script.call = async ({ chainId, address }, data) => (await stage.call({ chainId, to: address, data })) as Hex
    const { swap } = await filled(byV2())
    expect(await read(swap)).toBe(false)
    const other = await swapOf(bench.venue, byV2())
    expect(await read(other)).toBe(true)
    const nonce = BigInt(String(typedDataOf(other.execution).message['nonce']))
    const abi = parseAbi(['function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)'])
    for (const struck of [nonce + 1n, nonce]) {
      const data = encodeFunctionData({ abi, args: [nonce >> 8n, 1n << (struck & 255n)] })
      await stage.land({ chainId: 1, from: other.order.sender, to: PERMIT2, data })
      expect(await read(other)).toBe(struck !== nonce)
    }
  })

  test('fails for an unreachable chain, or an answer other than one word', async () => {
    const swap = await swapOf(bench.venue, byV2())
    for (const answer of ['0x', '0x00', null, `0x${'0'.repeat(63)}`] as const) {
      chains.script.call = async () => answer as Hex | null
      expect(await read(swap), String(answer)).toBe(false)
    }
    chains.script.call = chainFails('unreachable', 1)
    await expect(read(swap)).rejects.toThrow('scripted unreachable')
  })
})
