import { zeroAddress } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { COINS_BY_CALLS, type SeenTransaction } from '../../../engine/chains/seen.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { across } from '../../../engine/venues/across/venue.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { renamed } from '../../support/renamed.ts'
import { retold, seenEvm } from '../../support/seenEvm.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { any, atLeast, STRANGER } from '../../support/venueKit/attackPayload.ts'
import { altered, type Swap, swapOf, track, transactionOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import { forgeEvents } from '../../support/venueKit/forgeEvents.ts'
import { venueWith } from '../everyVenue.ts'
import { ABI, readCall, writeCall } from './acrossAbi.ts'
import { addressIn, depositFields, filledBy, type Logs, log, openBench, paidBy, poolOn, transfer, word } from './fakeNetwork.ts'
import { ARB, HANDLER, NATIVE, orders, SPOKE_POOL_ARBITRUM, SPOKE_POOL_BASE, USDC, WETH, WITH_FEE } from './support.ts'

const bench = await openBench({ settings: WITH_FEE })
afterAll(() => bench.close())
const forged = forgeEvents('across', 1_200, ABI)
const events = bench.venue.events as SwapEvents
const SEEN = { at: START_OF_TIME }
type Other = { readonly other: unknown }

const open = (order: VenueOrder): Promise<Swap> => swapOf(bench.venue, order)
/** The same swap with other calldata, as another quote might have had it. */
const withWords = (swap: Swap, ...changes: readonly (readonly [path: string, value: unknown])[]): Swap => {
  const words = changes.reduce((was, [path, value]) => altered(was, path, value), readCall(transactionOf(swap.execution).data))
  return altered(swap, 'execution.payload.transaction.data', writeCall(words))
}

const seenOn = (chainId: SeenTransaction['chainId'], logs: Logs | readonly Logs[string][], change = {}) =>
  seenEvm(chainId, Object.values(logs), { ...SEEN, ...change })

const KINDS = [
  ['tokens', orders.usdc()],
  ['tokens, with a fee by the handler', orders.usdc({ feeBps: 15 })],
  ['coins', orders.ether()],
  ['coins, with a fee by the handler', orders.ether({ feeBps: 30 })],
  ['wrapped coins', orders.wrapped()],
  ['an exchange before the bridge', orders.exchanged()],
] as const

test.each(KINDS)('events: a deposit of %s matches the payload in every field and the way of payment', async (_kind, order) => {
  const swap = await open(order)
  const { chainId } = order.input
  const read = (seen: SeenTransaction) => events.inputs(seen, swap)
  const logs = paidBy(swap)
  const { deposited } = logs
  const { pool, wrapped } = poolOn(chainId)
  const token = order.input.address === NATIVE ? wrapped : 'swapped' in logs ? USDC.arbitrum : order.input.address
  const place = `log:${Object.keys(logs).length - 1}`
  const took = { token, amount: expect.any(BigInt) }
  expect(await read(seenOn(chainId, logs))).toEqual([{ place, orderId: `${chainId}:77`, took }])
  // Lures before it: a stranger's exchange, and a gift to the pool.
  const { swapped } = paidBy(await open(orders.exchanged()))
  const lures = [swapped, transfer(token, STRANGER, pool, 1n)] as const
  expect(await read(seenOn(chainId, [...lures, ...Object.values(logs)] as never))).toHaveLength(1)
  expect(deposited).toBeDefined()
  await forged({
    chainId,
    logs,
    read,
    seenAs: SEEN,
    harmless: {
      ...{ 'deposited.depositId': ({ other }: Other) => (other as bigint) < 2n ** 32n },
      // Wrapped coins may come from anywhere but unwrapped coins.
      ...{ taken: any, 'wrapped.value': any, 'moved.value': any },
    },
  })
})

test.each([...KINDS, ['tokens to Solana', orders.toSolana()]] as const)(
  'status: a filled deposit of %s is found by its record, with the amount and all transactions',
  async (_kind, order) => {
    const swap = await open(order)
    const words = readCall(transactionOf(swap.execution).data)
    const { inputToken, inputAmount, outputAmount, destinationChainId, fillDeadline, ...fields } = depositFields(
      words,
      order.sender,
    )
    const { swapToken = null, swapTokenAmount = null } = (words['swapAndDepositData'] ?? {}) as {
      readonly [name: string]: unknown
    }
    const record = {
      ...{ recipient: fields['recipient'], outputToken: fields['outputToken'], message: fields['message'], swapToken },
      // On Solana in its own spelling.
      ...(order.output.chainId === -2 ? { recipient: order.recipient, outputToken: order.output.address } : {}),
      ...{ originChainId: String(order.input.chainId), destinationChainId: String(destinationChainId) },
      ...{ inputToken: addressIn(inputToken), inputAmount: String(inputAmount), outputAmount: String(outputAmount) },
      ...{ swapTokenAmount: swapTokenAmount && String(swapTokenAmount), fillDeadline: new Date(Number(fillDeadline) * 1_000) },
    }
    const paid = word('0x51')
    const filled = { status: 'filled', fillTxnRef: '0xfill', depositTxnRef: paid }
    const { venue } = canned(across, ({ path }) => ({ body: path === '/deposit' ? { deposit: record } : filled }))
    expect(await track(venue, paid, swap)).toEqual({
      ...{ state: 'success', venueStatus: 'filled', txHash: '0xfill', paidBy: [paid], refundTx: null },
      deliveredAmount: swap.execution.slippage?.guaranteedMin,
    })
  },
)

const IN_SWAP = 'swapAndDepositData.'
const MINIMUM = `${IN_SWAP}minExpectedInputTokenAmount`
const times = (factor: bigint) => (was: bigint) => was * factor

test('events: deposits of coins and wrapped coins, and those with and without an exchange, do not match each other', async () => {
  const [coins, wrapped, swapped] = [await open(orders.ether()), await open(orders.wrapped()), await open(orders.exchanged())]
  // Equal events, and a plain deposit in place of one after an exchange.
  const { deposited } = paidBy(swapped)
  for (const [swap, logs] of [
    [coins, paidBy(wrapped)],
    [wrapped, paidBy(coins)],
    [swapped, { deposited } as Logs],
  ] as const)
    expect(await events.inputs(seenOn(swap.order.input.chainId, logs), swap)).toEqual([])
  const { swapAndDepositData } = readCall(transactionOf(swapped.execution).data) as never as {
    readonly swapAndDepositData: { readonly depositData: object; readonly minExpectedInputTokenAmount: bigint }
  }
  const { depositData, minExpectedInputTokenAmount: amount } = swapAndDepositData
  const plain = await open(orders.exchanged({ from: [42161, USDC.arbitrum], amount }))
  const fields = Object.entries(depositData).filter(([name]) => /^(recipient|message|outputAmount)$/.test(name))
  expect(await events.inputs(seenOn(42161, { deposited } as Logs), withWords(plain, ...fields))).toHaveLength(1)
  expect(await events.inputs(seenOn(42161, paidBy(swapped)), withWords(plain, ...fields))).toEqual([])
})

test('events: the exclusivity of a deposit is relative to its time or absolute', async () => {
  const swap = await open(orders.usdc())
  const [relative, absolute] = [30, START_OF_TIME / 1_000 + 30].map((time) =>
    withWords(swap, ['exclusiveRelayer', word(STRANGER)], ['exclusivityParameter', time]),
  ) as [Swap, Swap]
  for (const [of, at, found] of [
    [relative, START_OF_TIME, 1],
    [relative, START_OF_TIME + 1_000, 0],
    [relative, null, 0],
    [absolute, null, 1],
  ] as const)
    expect(await events.inputs(seenOn(8453, paidBy(absolute), { at }), of)).toHaveLength(found)
})

test('events: after an exchange the output is exact or proportional, for at least the minimum', async () => {
  const swap = await open(orders.exchanged())
  const [exact, scaled] = [false, true].map((is) => withWords(swap, [`${IN_SWAP}enableProportionalAdjustment`, is])) as [
    Swap,
    Swap,
  ]
  const [more, less] = [withWords(swap, [MINIMUM, times(2n)]), withWords(swap, [MINIMUM, (was: bigint) => was - 1n])]
  const inProportion = withWords(more, [`${IN_SWAP}depositData.outputAmount`, times(2n)])
  for (const [of, given, found] of [
    [exact, more, 1],
    [scaled, inProportion, 1],
    [exact, inProportion, 0],
    [scaled, more, 0],
    [exact, less, 0],
    [withWords(exact, [MINIMUM, 0n]), more, 0],
  ] as const)
    expect(await events.inputs(seenOn(42161, paidBy(given)), of)).toHaveLength(found)
})

test.each(KINDS)(
  'events: a fill of %s matches the deposit, and its payment has the place and the claim',
  async (_kind, order) => {
    const swap = await open(order)
    const { chainId } = order.output
    const ids = [`${order.input.chainId}:77`]
    const logs = filledBy(swap)
    const read = (seen: SeenTransaction) => events.outputs(seen, swap, ids)
    const isCoins = order.output.address === NATIVE
    const paidAt = isCoins ? 0 : Object.keys(logs).indexOf('paid')
    const amount = swap.execution.slippage?.guaranteedMin
    expect(await read(seenOn(chainId, logs))).toMatchObject([{ place: `log:${paidAt}`, amount }])
    for (const other of [[], ['10:77'], [`${order.input.chainId}:78`]])
      expect(await events.outputs(seenOn(chainId, logs), swap, other)).toEqual([])
    if (logs['paid']) {
      const less = { ...logs, paid: retold(logs['paid'], ABI, ['value', 7n]) } as Logs
      expect(await read(seenOn(chainId, less))).toMatchObject([{ amount: 7n }])
    }
    const { filled, ...rest } = logs as { readonly filled: Logs[string] }
    const gift = transfer(order.output.address, STRANGER, order.recipient, 5n)
    const failed = log('CallsFailed', HANDLER, { calls: [], fallbackRecipient: STRANGER })
    const beside = [...Object.values(logs), gift, failed]
    expect(await read(seenOn(chainId, beside))).toHaveLength(1)
    const named = await events.named(seenOn(chainId, beside))
    expect([named.includes(`log:${paidAt}`), named.includes(COINS_BY_CALLS)]).toEqual([!isCoins, isCoins])
    expect(named).not.toContain(`log:${beside.indexOf(gift)}`)
    for (const change of [{ isSuccess: false }, { chainId: 10 }, { chainId: -1 }] as const)
      expect(await events.named(seenOn(chainId, logs, change))).toEqual([])
    expect(await events.named(seenOn(order.input.chainId, paidBy(swap)))).toEqual([])
    // The wrapped coins of Arbitrum and ZKsync log a burn.
    const { withdrawn } = logs
    const burnt = (to: string) =>
      withdrawn ? { burnt: transfer(WETH.arbitrum, `0x${withdrawn.topics[1]?.slice(26)}`, to, BigInt(withdrawn.data)) } : rest
    expect(await read(seenOn(chainId, { filled, ...burnt(zeroAddress) } as Logs))).toHaveLength(1)
    await forged({
      chainId,
      logs,
      read,
      harmless: {
        ...{ 'filled.repaymentChainId': any, 'filled.relayer': any, 'filled.relayExecutionInfo.fillType': any },
        ...{ 'filled.relayExecutionInfo.updatedOutputAmount': any, moved: any, 'paid.value': any, 'drained.amount': any },
        ...('drained' in logs ? {} : { 'paid.from': any }),
        ...(isCoins && order.feeBps > 0 ? { 'withdrawn.value': atLeast } : {}),
        // The proportional output is rounded down.
        'filled.inputAmount': ({ other, was }) => order.input.address === ARB && other === (was as bigint) + 1n,
      },
      also: {
        'the payment before it': [...Object.values(rest), filled] as never,
        ...(isCoins ? { 'a burn for another': Object.values({ filled, ...burnt(STRANGER) }) } : {}),
      },
    })
  },
)

test('events: equal deposits of one transaction count once each, beside unrelated ones, and so do their fills', async () => {
  const [swap, other] = [await open(orders.usdc()), await open(orders.usdc({ amount: 99_000_000n, recipient: WALLETS.evm }))]
  const all = (logsOf: typeof paidBy) =>
    [logsOf(other, 5n), logsOf(swap, 6n), logsOf(swap, 7n)].flatMap((logs) => Object.values(logs))
  const inputs = async (of: Swap) => (await events.inputs(seenOn(8453, all(paidBy)), of))?.map(({ orderId }) => orderId)
  expect([await inputs(swap), await inputs(other)]).toEqual([['8453:6', '8453:7'], ['8453:5']])
  const outputs = async (of: Swap, ...ids: readonly string[]) =>
    (await events.outputs(seenOn(42161, all(filledBy)), of, ids))?.map(({ place }) => place)
  expect(await outputs(swap, '8453:5', '8453:6', '8453:7')).toEqual(['log:3', 'log:5'])
  expect(await outputs(swap, '8453:5', '8453:6')).toEqual(['log:3'])
  expect(await outputs(other, '8453:5', '8453:6')).toEqual(['log:1'])
})

test('events: a SpokePool of VENUE_ACROSS_SPOKE_POOLS counts as well, without a call to the venue or a chain', async () => {
  const added = venueWith(across, { SPOKE_POOLS: `8453=${STRANGER},42161=${STRANGER}` }).events
  const swap = await open(orders.usdc())
  const calls = [bench.sent.length, bench.chains.calls.length]
  const pools = [SPOKE_POOL_BASE, SPOKE_POOL_ARBITRUM].map((pool) => [pool, STRANGER] as const)
  const as = renamed({ swap, paid: seenOn(8453, paidBy(swap)), filled: seenOn(42161, filledBy(swap)) }, pools)
  expect(await added?.inputs(as.paid, as.swap)).toHaveLength(1)
  expect(await added?.outputs(as.filled, as.swap, ['8453:77'])).toHaveLength(1)
  expect([await events.inputs(as.paid, as.swap), await events.outputs(as.filled, as.swap, ['8453:77'])]).toEqual([[], []])
  expect([bench.sent.length, bench.chains.calls.length]).toEqual(calls)
})

const REFUNDS = [
  ['in its token', orders.usdc(), USDC.base],
  ['in wrapped coins for coins', orders.ether(), WETH.base],
  ['in the output of the exchange before it', orders.exchanged(), USDC.arbitrum],
] as const

test.each(REFUNDS)('events: a refund %s matches the root, its transfer and the depositor', async (_what, order, token) => {
  const swap = await open(order)
  const { chainId } = order.input
  const { pool } = poolOn(chainId)
  const paid = transfer(token, pool, order.refundTo, 7n)
  const root = log('ExecutedRelayerRefundRoot', pool, {
    ...{ amountToReturn: 0n, chainId: BigInt(chainId), rootBundleId: 1, leafId: 0, deferredRefunds: false, caller: STRANGER },
    ...{ refundAmounts: [4n, 7n], refundAddresses: [STRANGER, order.refundTo], l2TokenAddress: token },
  })
  const read = (seen: SeenTransaction) => events.refunds(seen, swap, [`${chainId}:77`])
  const gift = transfer(token, STRANGER, order.refundTo, 7n)
  expect(await read(seenOn(chainId, { gift, paid, root }))).toEqual([{ place: 'log:1', amount: 7n }])
  expect(await events.named(seenOn(chainId, { gift, paid, root }))).toEqual(['log:1'])
  expect(await events.named(seenOn(chainId, { gift, paid }))).toEqual([])
  const both = retold(retold(root, ABI, ['refundAddresses', [order.refundTo, order.refundTo]]), ABI, ['refundAmounts', [7n, 7n]])
  const twice = { paid, again: paid, both } as Logs
  expect(await read(seenOn(chainId, twice))).toEqual(['log:0', 'log:1'].map((place) => ({ place, amount: 7n })))
  const empty = retold(retold(root, ABI, ['refundAddresses', []]), ABI, ['refundAmounts', []])
  await forged({
    chainId,
    logs: { paid, root },
    read,
    harmless: Object.fromEntries(
      [
        'amountToReturn',
        'chainId',
        'rootBundleId',
        'leafId',
        'deferredRefunds',
        'caller',
        'refundAmounts.0',
        'refundAddresses.0',
      ].map((name) => [`root.${name}`, any]),
    ),
    also: { 'the transfer after it': [root, paid], 'the transfer before another root': [paid, empty, root] as never },
  })
  const claimed = log('ClaimedRelayerRefund', pool, {
    ...{ l2TokenAddress: word(token), refundAddress: word(order.refundTo), amount: 7n, caller: order.refundTo },
  })
  await forged({ chainId, logs: { paid, claimed }, read })
})
