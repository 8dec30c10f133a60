import { decodeFunctionData, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { COINS_BY_CALLS, type SeenTransaction } from '../../../engine/chains/seen.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { AGGREGATE_ABI, BEBOP_ORDER, JAM_FILLED, ROUTER_SWAP, SINGLE_ABI } from '../../../engine/venues/bebop/protocol.ts'
import { bebop } from '../../../engine/venues/bebop/venue.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { recordedOrder } from '../../support/recordedAnswers.ts'
import { renamed } from '../../support/renamed.ts'
import { eventLog, seenEvm } from '../../support/seenEvm.ts'
import { any } from '../../support/venueKit/attackPayload.ts'
import { altered, type Swap, swapOf, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { forgeEvents } from '../../support/venueKit/forgeEvents.ts'
import { venueWith } from '../everyVenue.ts'
import recordings from './recordings.json' with { type: 'json' }
import { BY_RFQ, hexOf, JAM, openBench, orders, ROUTER, readRouter, SETTLEMENT, STRANGER, WETH } from './support.ts'

const TRANSFER = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const ABI = [...JAM_FILLED, ...ROUTER_SWAP, ...BEBOP_ORDER, ...TRANSFER]
const forged = forgeEvents('bebop', 760, ABI)

const [byJam, byRfq] = [await openBench(), await openBench({ settings: BY_RFQ })]
afterAll(() => Promise.all([byJam.close(), byRfq.close()]))
const events = byRfq.venue.events as SwapEvents

type Log = ReturnType<typeof eventLog>
type Logs = { readonly [name: string]: Log }
const SOLVER = '0x79E4758262595Fdd0A3D7AfFA5bC681577fBD188'
const move = (token: string, from: string, to: string, value: bigint): Logs[string] =>
  eventLog(ABI, 'Transfer', token, { from, to, value })
/** No log for coins. */
const moved = (name: string, ...[token, ...rest]: Parameters<typeof move>): Logs =>
  token === NATIVE ? {} : { [name]: move(token, ...rest) }

/** As the settlement of JAM leaves them: it takes the input, pays, and logs the fill. */
const filled = ({ order: { input, output, inputAmount, sender, recipient }, execution }: Swap): Logs => {
  const { nonce } = typedDataOf(execution).message as { readonly nonce: string }
  const lists = { sellTokens: [input.address], buyTokens: [output.address], sellAmounts: [inputAmount] }
  const fields = { nonce: BigInt(nonce), user: sender, ...lists, buyAmounts: [execution.outputAmount] }
  return {
    ...moved('taken', input.address, sender, SOLVER, inputAmount),
    ...moved('paid', output.address, JAM, recipient, execution.outputAmount),
    told: eventLog(ABI, 'BebopJamOrderFilled', JAM, fields),
  }
}

const routed = ({ order: { input, output, inputAmount, sender, recipient }, execution }: Swap): Logs => {
  const { routerNonce } = readRouter(transactionOf(execution).data).order
  const [toAmount, nothing] = [execution.outputAmount, { feeValue: 0n, slippageValue: 0n, unsignedFlags: 0n }]
  const sides = { fromToken: input.address, toToken: output.address, fromAmount: inputAmount, toAmount }
  return {
    ...moved('taken', input.address, sender, ROUTER, inputAmount),
    ...moved('paid', output.address, ROUTER, recipient, toAmount),
    told: eventLog(ABI, 'BebopRouterSwap', ROUTER, { eventId: 7n, routerNonce, receiver: recipient, ...sides, ...nothing }),
  }
}

/** Every maker pays, then takes. Coins are wrapped for the one maker. */
const made = ({ order: { input, output, sender, recipient }, execution }: Swap): Logs => {
  const { data } = transactionOf(execution)
  const { functionName, args } = decodeFunctionData({ abi: [...SINGLE_ABI, ...AGGREGATE_ABI], data: hexOf(data) })
  const legs =
    functionName === 'swapSingle'
      ? [[args[0].maker_address, args[0].maker_amount, args[0].taker_amount] as const]
      : args[0].maker_addresses.map(
          (maker, at) => [maker, args[0].maker_amounts[at]?.[0] ?? 0n, args[0].taker_amounts[at]?.[0] ?? 0n] as const,
        )
  const isOfCoins = input.address === NATIVE
  const of = legs.map(([maker, paid, taken], at) => ({
    [`paid${at}`]: move(output.address, maker, recipient, paid),
    [`taken${at}`]: move(isOfCoins ? WETH : input.address, isOfCoins ? SETTLEMENT : sender, maker, taken),
  }))
  return { ...Object.assign({}, ...of), told: eventLog(ABI, 'BebopOrder', SETTLEMENT, { eventId: args[0].flags >> 128n }) }
}

const recorded = (name: string): Swap => {
  const { wallet, recipient, sell, buy, sold, bought, to, data, ...row } = recordings.find(
    (one) => one.name === name,
  ) as (typeof recordings)[number]
  const chainId = row.chainId as ChainId
  const order = recordedOrder({ wallet, recipient, from: [chainId, sell], to: [chainId, buy] }, sold, 50)
  const payload = { executionType: 'TRANSACTION', transaction: { chainId, to, data, value: 0n } }
  return { order, binding: order, execution: { payload, outputAmount: BigInt(bought) } } as unknown as Swap
}

type Rules = NonNullable<Parameters<typeof forged>[0]['harmless']>
type Kind = readonly [title: string, swap: () => Promise<Swap>, logsOf: (swap: Swap) => Logs, own: Rules]
const FEES = { 'told.eventId': any, 'told.feeValue': any, 'told.slippageValue': any }
const kinds: readonly Kind[] = [
  ['a signed order for tokens', () => swapOf(byJam.venue, orders.usdc()), filled, { 'taken.to': any, 'paid.from': any }],
  ['a signed order for coins', () => swapOf(byJam.venue, orders.usdc({ to: [1, NATIVE] })), filled, { 'taken.to': any }],
  [
    'the router, tokens for tokens',
    () => swapOf(byRfq.venue, orders.usdc()),
    routed,
    { ...FEES, 'taken.to': any, 'paid.from': any },
  ],
  [
    'the router, tokens for coins',
    () => swapOf(byRfq.venue, orders.usdc({ to: [1, NATIVE] })),
    routed,
    { ...FEES, 'taken.to': any },
  ],
  ['the router, coins for tokens', () => swapOf(byRfq.venue, orders.ether()), routed, { ...FEES, 'paid.from': any }],
  ['one maker', () => swapOf(byRfq.venue, orders.dai()), made, { 'taken0.to': any, 'paid0.from': any }],
  ['one maker, of coins', async () => recorded('ether to WBTC by the settlement'), made, { 'paid0.from': any }],
  ['several makers', async () => recorded('USDC to ONDO by several makers'), made, {}],
]
const numbersOf = (logs: Logs, name: RegExp): readonly string[] =>
  Object.keys(logs).flatMap((each, at) => (name.test(each) ? [`log:${at}`] : []))

test.each(kinds)('events: %s is paid and delivered once, by its own event', async (_title, make, logsOf, own) => {
  const swap = await make()
  const { order, execution } = swap
  const logs = logsOf(swap)
  const seen = seenEvm(1, Object.values(logs))
  const [told = ''] = numbersOf(logs, /told/)
  const [taken = told] = order.input.address === NATIVE ? [] : numbersOf(logs, /taken/)
  const paid = numbersOf(logs, /paid/)
  const took = { token: order.input.address, amount: order.inputAmount }
  expect(await events.inputs(seen, swap)).toEqual([{ place: taken, orderId: null, took }])
  const outputs = (await events.outputs(seen, swap, [])) ?? []
  expect(outputs.map(({ place }) => place)).toEqual(paid.length > 0 ? paid : [told])
  expect(outputs.reduce((sum, { amount }) => sum + amount, 0n)).toBe(execution.outputAmount)
  expect(await events.refunds(seen, swap, [])).toEqual([])
  expect((await events.named(seen)).toSorted()).toEqual(expect.arrayContaining(paid.length > 0 ? [...paid] : [COINS_BY_CALLS]))
  for (const none of [seenEvm(59144, Object.values(logs)), seenEvm(1, Object.values(logs), { isSuccess: false })])
    expect(await events.named(none)).toEqual([])

  const least = execution.slippage?.guaranteedMin ?? 0n
  const isEnough = ({ other }: { readonly other: unknown }) => (other as bigint) >= least
  const amounts = { 'told.buyAmounts.0': isEnough, 'told.toAmount': isEnough }
  const ignored = (names: readonly string[]): Rules => Object.fromEntries(names.map((name) => [name, any]))
  const rules = { ...own, ...(paid.length > 0 ? {} : amounts) }
  await forged({
    chainId: 1,
    logs,
    read: (one) => events.inputs(one, swap),
    harmless: { ...own, ...amounts, ...ignored(['paid', 'paid0', 'paid1']) },
  })
  await forged({
    chainId: 1,
    logs,
    read: (one) => events.outputs(one, swap, []),
    harmless: { ...rules, ...ignored(['taken', 'taken0', 'taken1']) },
  })
})

test('events: a batch takes all inputs before its first fill, and equal orders have places of their own', async () => {
  const order = orders.usdc()
  const swaps = [
    await swapOf(byJam.venue, order),
    await swapOf(byJam.venue, orders.usdc({ amount: 77_000_000n })),
    await swapOf(byJam.venue, order),
  ]
  const logs = swaps.map((swap) => filled(swap) as { readonly taken: Log; readonly paid: Log; readonly told: Log })
  const seen = seenEvm(1, [...logs.map(({ taken }) => taken), ...logs.flatMap(({ paid, told }) => [paid, told])])
  const placesOf = (found: readonly { readonly place: string }[] | null) => found?.map(({ place }) => place)
  const inputs = await Promise.all(swaps.map(async (swap) => placesOf(await events.inputs(seen, swap))))
  const outputs = await Promise.all(swaps.map(async (swap) => placesOf(await events.outputs(seen, swap, []))))
  expect([inputs, outputs]).toEqual([
    [['log:0'], ['log:1'], ['log:2']],
    [['log:3'], ['log:5'], ['log:7']],
  ])
})

test('events: two equal makers have a place each, and a repeated event adds nothing', async () => {
  const swap = recorded('USDC to ONDO by several makers')
  const { paid0, taken0, paid1, taken1, told } = made(swap) as { readonly [name: string]: Log }
  const outputs = async (...all: readonly (Log | undefined)[]) => events.outputs(seenEvm(1, all as Log[]), swap, [])
  expect(await outputs(paid0, taken0, paid1, taken1, told, told)).toHaveLength(2)
  expect(await outputs(paid0, taken0, paid0, taken0, told)).toEqual([])
  const { args } = decodeFunctionData({ abi: AGGREGATE_ABI, data: hexOf(transactionOf(swap.execution).data) })
  const [order, ...rest] = args
  const both = <T>([first]: readonly T[]) => [first, first] as T[]
  const { maker_addresses, maker_amounts, taker_amounts } = order
  const made2 = { maker_addresses: both(maker_addresses), maker_amounts: both(maker_amounts), taker_amounts: both(taker_amounts) }
  const data = encodeFunctionData({ abi: AGGREGATE_ABI, functionName: 'swapAggregate', args: [{ ...order, ...made2 }, ...rest] })
  const equal = altered(swap, 'execution.payload.transaction.data', data)
  const logs = Object.values(made(equal))
  const places = async (all: readonly (Log | undefined)[]) =>
    (await events.outputs(seenEvm(1, all as Log[]), equal, []))?.map(({ place }) => place)
  expect([await places(logs), await places(logs.slice(2))]).toEqual([['log:2', 'log:0'], []])
})

test('events: a settlement of JAM from the setting counts, and no other', async () => {
  const swap = await swapOf(byJam.venue, orders.usdc())
  const added = venueWith(bebop, { JAM_SETTLEMENTS: STRANGER, BALANCE_MANAGERS: SETTLEMENT }).events as SwapEvents
  const own: SeenTransaction = seenEvm(1, Object.values(filled(swap)))
  const { seen, swap: there } = renamed({ seen: own, swap }, [[JAM, STRANGER]])
  expect(await added.inputs(seen, there)).toEqual(await events.inputs(own, swap))
  expect(await added.named(seen)).toEqual(await events.named(own))
  expect(await events.named(seen)).toEqual([])
})
