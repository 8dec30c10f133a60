import { encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { createArtifacts } from '../../../engine/simnet/contracts/createArtifacts.ts'
import { uniswapxContracts } from '../../../engine/simnet/contracts/uniswapxContracts.ts'
import { createEvmChains } from '../../../engine/simnet/evm/evmChains.ts'
import { createSimClock } from '../../../engine/simnet/kit/simRandom.ts'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { createTokens } from '../../../engine/simnet/kit/tokens.ts'
import { createUniswapX } from '../../../engine/simnet/venues/uniswapx/uniswapx.ts'
import { uniswapx } from '../../../engine/venues/uniswapx/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { chainFails, createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { retold, seenEvm } from '../../support/seenEvm.ts'
import { createVenueBench, START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { never, type Swap, signed, swapOf, track } from '../../support/venueKit/calls.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { byPriority, byV2, byV3, FEE_RECIPIENT, PERMIT2, REACTORS, STRANGER, USDC, WETH } from './support.ts'

/** Orders that real reactors' stand-ins filled, told by their events, and the same forged. */

const FILL = parseAbi(['event Fill(bytes32 indexed orderHash, address indexed filler, address indexed swapper, uint256 nonce)'])
const TRANSFER = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])

const evmChains = createEvmChains({
  ...{ clock: createSimClock(() => START_OF_TIME), tokens: createTokens(), artifacts: createArtifacts() },
  contracts: [uniswapxContracts],
})
let bench: VenueBench
let chains: FakeChains
beforeAll(async () => {
  chains = createFakeChains()
  const { rpc, call, land: send, faucet: fund, balance } = evmChains
  bench = await createVenueBench(uniswapx, createUniswapX, {
    ...{ chains, settings: { FEE_RECIPIENT }, evm: { rpc, call, send, fund, balance } },
  })
})
afterAll(() => Promise.all([bench.close(), evmChains.close()]))

const count = countForgeries('uniswapx', 34)

const land = async (chainId: number, from: string, to: string, data: Hex) => {
  expect((await evmChains.land({ chainId, from, to, data })).status).toBe('success')
}

/** Built, and covered by funds and allowance. */
const funded = async (order: VenueOrder): Promise<Swap> => {
  const swap = await swapOf(bench.venue, order)
  const { chainId, address: token } = order.input
  await evmChains.faucet({ chainId, token, holder: order.sender, amount: order.inputAmount })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [PERMIT2, maxUint256] })
  await land(chainId, order.sender, token, data)
  return swap
}

type Filled = { readonly swap: Swap; readonly logs: readonly SimLog[]; readonly seen: SeenTransaction }

/** Signed, posted and filled; with the events of its transaction. */
const filled = async (order: VenueOrder): Promise<Filled> => {
  const swap = await funded(order)
  const ref = swap.execution.venueRef ?? ''
  await bench.venue.submitter?.submit(swap, await signed(swap.execution), never())
  bench.clock.advance(6_000)
  const { state, txHash } = await track(bench.venue, ref, swap)
  expect(state).toBe('success')
  const { chainId } = order.input
  const logs = (await evmChains.receipt(chainId, txHash ?? ''))?.logs ?? []
  return { swap, logs, seen: seenEvm(chainId, logs, { first: 3 }) }
}

const inputsOf = (seen: SeenTransaction, swap: Swap) => bench.venue.events?.inputs(seen, swap) ?? null
const outputsOf = (seen: SeenTransaction, swap: Swap) => bench.venue.events?.outputs(seen, swap, []) ?? null
const namedOf = (seen: SeenTransaction) => bench.venue.events?.named(seen)

const fillAt = (logs: readonly SimLog[], reactor: string) => logs.findIndex(({ address }) => address === reactor)
const withLog = (chainId: 1 | 8453 | 42161, logs: readonly SimLog[], at: number, change: (log: SimLog) => SimLog) =>
  seenEvm(
    chainId,
    logs.map((log, i) => (i === at ? change(log) : log)),
    { first: 3 },
  )

describe('an order for a token', () => {
  test.each([
    ['V2', byV2, REACTORS.v2],
    ['priority', byPriority, REACTORS.priority],
  ] as const)(
    'by a %s reactor is paid and delivered at the places of its money, the fee apart',
    async (_name, orderOf, reactor) => {
      const { swap, logs, seen } = await filled(orderOf())
      const { order, offer, execution } = swap
      const movement = (to: string, token: string) => {
        const found = seen.movements.filter((one) => one.to === to && one.token === token)
        expect(found).toHaveLength(1)
        return found[0]
      }
      const delivery = movement(WALLETS.evmOther, order.output.address)
      const paid = seen.movements.find(({ from }) => from === order.sender)
      const took = { token: order.input.address, amount: order.inputAmount }
      expect(await inputsOf(seen, swap)).toEqual([{ place: paid?.place, orderId: execution.venueRef, took }])
      expect(await outputsOf(seen, swap)).toEqual([{ place: delivery?.place, amount: offer.outputAmount }])
      expect(movement(FEE_RECIPIENT, order.output.address)?.amount).toBe(offer.fee.amount)
      expect(await bench.venue.events?.refunds(seen, swap, [])).toEqual([])
      const named = await namedOf(seen)
      expect(named).toEqual(expect.arrayContaining([delivery?.place, 'balance']))
      expect(named).not.toContain(paid?.place)
      expect(fillAt(logs, reactor)).toBe(logs.length - 1)
    },
  )

  test('is told of by its own reactor alone, in every field, with the money before it', async () => {
    const { swap, logs, seen } = await filled(byV2())
    const other = await swapOf(bench.venue, byV2())
    count('of another order', await inputsOf(seen, other))
    count('of another order', await outputsOf(seen, other))
    const at = fillAt(logs, REACTORS.v2)
    const changed = (change: (log: SimLog) => SimLog, place = at) => withLog(1, logs, place, change)
    for (const [name, forged] of [
      ['another contract', changed((log) => ({ ...log, address: STRANGER }))],
      ['another reactor', changed((log) => ({ ...log, address: '0x0000000015757c461808EA25Eb309638B62681cf' }))],
      ['another event', changed((log) => ({ ...log, topics: [`0x${'1'.repeat(64)}`, ...log.topics.slice(1)] }))],
      ['cut short', changed((log) => ({ ...log, data: '0x' }))],
      ['fewer topics', changed((log) => ({ ...log, topics: log.topics.slice(0, 3) }))],
      ['failed', { ...seen, isSuccess: false }],
      ['on another chain', { ...seen, chainId: 8453 as const }],
      ['on a chain without it', { ...seen, chainId: 10 as const }],
      ...(
        [
          ['orderHash', (was: unknown) => String(was).replace(/.$/, (last) => (last === '1' ? '2' : '1'))],
          ['filler', STRANGER],
          ['swapper', STRANGER],
          ['nonce', (was: unknown) => (was as bigint) + 1n],
        ] as const
      ).map((change) => [change[0], changed((log) => retold(log, FILL, change) as SimLog)] as const),
    ] as const) {
      count(name, await inputsOf(forged, swap))
      count(name, await outputsOf(forged, swap))
    }
    const least = swap.execution.slippage?.guaranteedMin ?? 0n
    const delivered = logs.findIndex(
      ({ address, topics }) => address === WETH && topics[2]?.endsWith(WALLETS.evmOther.slice(2).toLowerCase()),
    )
    for (const [name, change] of [
      ['less than was signed', ['value', least - 1n]],
      ['to another', ['to', STRANGER]],
      ['by another', ['from', STRANGER]],
    ] as const)
      count(
        name,
        await outputsOf(
          changed((log) => retold(log, TRANSFER, change) as SimLog, delivered),
          swap,
        ),
      )
    count(
      'in another token',
      await outputsOf(
        changed((log) => ({ ...log, address: USDC }), delivered),
        swap,
      ),
    )
    const late = seenEvm(1, [...logs.toSpliced(delivered, 1), logs[delivered] as SimLog], { first: 3 })
    count('after the event', await outputsOf(late, swap))
    const [taken] = [logs.findIndex(({ address }) => address === USDC)]
    for (const change of [
      ['value', 2_000_000_001n],
      ['value', 0n],
      ['from', STRANGER],
    ] as const)
      count(
        `taken: ${change[0]}`,
        await inputsOf(
          changed((log) => retold(log, TRANSFER, change) as SimLog, taken),
          swap,
        ),
      )
    const exact = changed((log) => retold(log, TRANSFER, ['value', least]) as SimLog, delivered)
    expect(await outputsOf(exact, swap)).toEqual([{ place: `log:${3 + delivered}`, amount: least }])
  })

  test('in one transaction with another is each told apart, and what a stranger moved there is nobody’s', async () => {
    const [one, two] = [await filled(byV2()), await filled(byV2({ amount: 2_100_000_000n }))]
    const stranger = retold(one.logs[0] as SimLog, TRANSFER, ['from', STRANGER]) as SimLog
    const both = seenEvm(1, [stranger, ...one.logs, ...two.logs], { first: 3 })
    const [ofOne, ofTwo] = [await outputsOf(both, one.swap), await outputsOf(both, two.swap)]
    expect(ofOne?.[0]?.amount).toBe(one.swap.offer.outputAmount)
    expect(ofTwo?.[0]?.amount).toBe(two.swap.offer.outputAmount)
    expect(ofOne?.[0]?.place).not.toBe(ofTwo?.[0]?.place)
    expect(await namedOf(both)).not.toContain('log:3')
    expect(await namedOf(seenEvm(1, [stranger]))).toEqual([])
  })
})

test('an order for coins is told to be paid the signed minimum at least: no event says how much', async () => {
  const { swap, logs, seen } = await filled(byV3({ recipient: WALLETS.evm }))
  const { execution } = swap
  const amount = execution.slippage?.guaranteedMin
  expect(await outputsOf(seen, swap)).toEqual([{ place: `log:${3 + fillAt(logs, REACTORS.v3)}`, amount }])
  expect(await inputsOf(seen, swap)).toHaveLength(1)
  expect(await namedOf(seen)).toContain('balance')
})

describe('whether nothing of an order was filled', () => {
  const read = (swap: Swap) => bench.venue.unfilled?.isUnfilled(swap, never())
  const onChain = () => {
    chains.script.call = async ({ chainId, address }, data) => (await evmChains.call({ chainId, to: address, data })) as Hex
  }

  test('Permit2 tells by the nonce that was signed: unused, used, struck out', async () => {
    onChain()
    const { swap } = await filled(byV2())
    expect(await read(swap)).toBe(false)
    const other = await swapOf(bench.venue, byV2())
    expect(await read(other)).toBe(true)
    const nonce = BigInt(
      String((other.execution.payload as never as { typedData: { message: { nonce: string } } }).typedData.message.nonce),
    )
    const abi = parseAbi(['function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)'])
    const strike = (mask: bigint) =>
      land(
        1,
        other.order.sender,
        PERMIT2,
        encodeFunctionData({ abi, functionName: 'invalidateUnorderedNonces', args: [nonce >> 8n, mask] }),
      )
    await strike(1n << ((nonce + 1n) & 255n))
    expect(await read(other)).toBe(true)
    await strike(1n << (nonce & 255n))
    expect(await read(other)).toBe(false)
  })

  test('is not told where the chain does not answer in one word, or not at all', async () => {
    const swap = await swapOf(bench.venue, byV2())
    for (const answer of ['0x', '0x00', null, `0x${'0'.repeat(63)}`] as const) {
      chains.script.call = async () => answer as Hex | null
      expect(await read(swap), String(answer)).toBe(false)
    }
    chains.script.call = chainFails('unreachable', 1)
    await expect(read(swap)).rejects.toThrow('scripted unreachable')
  })
})
