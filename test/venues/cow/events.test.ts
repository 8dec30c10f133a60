import { encodeFunctionData, encodePacked, erc20Abi, type Hex, keccak256, parseAbi, stringToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { cow } from '../../../engine/venues/cow/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { renamed } from '../../support/renamed.ts'
import { eventLog, retold, seenEvm } from '../../support/seenEvm.ts'
import { never, prove, swapOf, track, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { toldBy } from '../../support/venueKit/canned.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { venueWith } from '../everyVenue.ts'
import { decodeCreate, type Landed, openEventsNetwork, placedTrade, signedTrade } from './eventsNetwork.ts'
import families from './families.json' with { type: 'json' }
import {
  type CowBench,
  cannedCow,
  ETH_FLOW,
  etherToUsdc,
  openBench,
  quoteAnswer,
  SETTINGS,
  SETTLEMENT,
  STRANGER,
  USDC,
  uidOf,
  usdcToWeth,
  WETH,
} from './support.ts'
import vectors from './vectors.json' with { type: 'json' }

const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11'
const AGGREGATE = parseAbi([
  'struct Call3 { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call3[] calls) payable',
])
const EVENTS = parseAbi([
  'struct Order { address sellToken; address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; bytes32 kind; bool partiallyFillable; bytes32 sellTokenBalance; bytes32 buyTokenBalance; }',
  'struct OnchainSignature { uint8 scheme; bytes data; }',
  'event OrderPlacement(address indexed sender, Order order, OnchainSignature signature, bytes data)',
  'event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)',
  'event Settlement(address indexed solver)',
])
const ENDED = parseAbi(['event OrderRefund(bytes orderUid, address indexed refunder)'])
const FILL = 999n * 10n ** 15n

const count = countForgeries('cow', 39)
let bench: CowBench
const network = openEventsNetwork(() => bench)
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => Promise.all([bench.close(), network.close()]))

const { give, land, place, settle, funded } = network
const inputsOf = (seen: SeenTransaction, swap: ExecutedSwap) => bench.venue.events?.inputs(seen, swap) ?? null
const outputsOf = (seen: SeenTransaction, swap: ExecutedSwap, orderIds: readonly string[] = [uid(swap)]) =>
  bench.venue.events?.outputs(seen, swap, orderIds) ?? null
const uid = ({ execution }: ExecutedSwap): string => uidOf(execution.venueRef)

const withLog = (seen: readonly SimLog[], at: number, change: (log: SimLog) => SimLog): SeenTransaction =>
  seenEvm(1, seen.with(at, change(seen[at] as SimLog)), { first: 3 })

const logAt = ({ logs }: Landed, address: string): number => logs.findIndex((log) => log.address === address)
const another = (was: unknown): unknown => {
  if (typeof was === 'boolean') return !was
  if (typeof was === 'bigint') return was + 1n
  if (typeof was === 'number') return was === 0xffffffff ? was - 1 : was + 1
  const text = String(was)
  return text.length === 42 && text.startsWith('0x') && text !== ETH_FLOW.toLowerCase()
    ? STRANGER
    : `${text.slice(0, -1)}${text.endsWith('1') ? '2' : '1'}`
}

describe('events: an order for coins', () => {
  test('is paid by its placement from any sender, and delivered by its trade', async () => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    const paid = await place(swap)
    const took = { token: swap.order.input.address, amount: 10n ** 18n }
    expect(await inputsOf(paid.seen, swap)).toEqual([{ place: 'log:3', orderId: uid(swap), took }])
    expect(await inputsOf({ ...paid.seen, isSuccess: false }, swap)).toEqual([])
    const bought = swap.offer.outputAmount
    const settled = await settle([placedTrade(swap)], bought)
    const payment = settled.seen.movements.find(({ to }) => to === swap.order.recipient)
    expect(await outputsOf(settled.seen, swap)).toEqual([{ place: payment?.place, amount: bought }])
    // Not until it is known to be placed.
    expect(await outputsOf(settled.seen, swap, [])).toEqual([])
    expect(await outputsOf({ ...settled.seen, isSuccess: false }, swap)).toEqual([])
  })

  test('does not match the placement of another sender or another order of the same sender', async () => {
    const swap = await swapOf(bench.venue, etherToUsdc({ amount: 2n * 10n ** 18n }))
    const other = await swapOf(bench.venue, etherToUsdc({ amount: 2n * 10n ** 18n, slippageBps: 300 }))
    const paid = await place(other)
    count('another order', await inputsOf(paid.seen, swap))
    count('of somebody else', await inputsOf((await place(swap, { from: STRANGER })).seen, swap))
  })

  test('is found by its UID in a batch', async () => {
    const swaps = [
      await swapOf(bench.venue, etherToUsdc({ amount: 10n ** 17n, sender: MULTICALL as never })),
      await swapOf(bench.venue, etherToUsdc({ amount: 3n * 10n ** 17n, sender: MULTICALL as never })),
    ]
    const calls = swaps.map(({ execution }) => {
      const { to, data, value } = transactionOf(execution)
      return { target: to as Hex, allowFailure: false, value, callData: data as Hex }
    })
    const value = calls.reduce((sum, call) => sum + call.value, 0n)
    await give('0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', WALLETS.evm, value)
    const data = encodeFunctionData({ abi: AGGREGATE, functionName: 'aggregate3Value', args: [calls] })
    const paid = await land({ from: WALLETS.evm, to: MULTICALL, data, value })
    for (const [i, swap] of swaps.entries())
      expect(await inputsOf(paid.seen, swap)).toMatchObject([{ place: `log:${3 + i}`, orderId: uid(swap) }])
  })

  test('does not match an event of another contract or with another field', async () => {
    const swap = await swapOf(bench.venue, etherToUsdc({ amount: 3n * 10n ** 18n }))
    const paid = await place(swap)
    const at = logAt(paid, ETH_FLOW)
    const forged = (change: (log: SimLog) => SimLog) => inputsOf(withLog(paid.logs, at, change), swap)
    count('told by another', await forged((log) => ({ ...log, address: STRANGER })))
    const order = EVENTS.find((item) => item.type === 'event' && item.name === 'OrderPlacement')
    const names = order?.type === 'event' ? order.inputs : []
    const paths = names.flatMap((input) =>
      'components' in input ? input.components.map(({ name }) => `${input.name}.${name}`) : [input.name ?? ''],
    )
    for (const path of paths) count(path, await forged((log) => retold(log, EVENTS, [path, another]) as SimLog))
    count('cut short', await forged((log) => ({ ...log, data: log.data.slice(0, 200) })))
  })

  test('from the documentation is found by its event', async () => {
    const NOW = (1_790_000_000 - 30 * 60) * 1_000
    const { venue } = cannedCow(
      ({ method, body }) =>
        method === 'POST'
          ? { body: quoteAnswer(body as never) }
          : method === 'PUT'
            ? { status: 201, body: vectors.appDataHash }
            : { status: 404, body: { errorType: 'NotFound', description: '' } },
      { now: () => NOW },
    )
    const order = etherToUsdc()
    const quoted = await venue.quote(order, never())
    const slippage = { isFirm: true, guaranteedMin: 3_949_999_995n as never } as const
    const offer = { ...quoted, outputAmount: 3_970_000_000n as never, slippage }
    const execution = await venue.execute({ order, offer }, order, never())
    const erc20 = keccak256(stringToHex('erc20'))
    const [flow] = decodeCreate(vectors.ethFlowData as Hex)
    const placed = { ...flow, sellToken: WETH, validTo: 0xffffffff, kind: keccak256(stringToHex('sell')) }
    const log = eventLog(EVENTS, 'OrderPlacement', ETH_FLOW, {
      sender: order.sender,
      order: { ...placed, sellTokenBalance: erc20, buyTokenBalance: erc20 },
      signature: { scheme: 0, data: ETH_FLOW },
      data: encodePacked(['int64', 'uint32'], [123_456_789n, 1_790_000_000]),
    })
    const executed = { order, offer, binding: order, execution }
    expect(await venue.events?.inputs(seenEvm(1, [log]), executed)).toMatchObject([{ orderId: vectors.ethFlowUid }])
  })
})

describe('events: the claimed transfers', () => {
  const namedIn = async (seen: SeenTransaction) => (await bench.venue.events?.named(seen)) ?? null
  const transfer = (from: string, to: string) => eventLog(erc20Abi, 'Transfer', WETH, { from, to, value: FILL }) as SimLog

  test('of a settlement are its payouts, without unrelated transfers', async () => {
    const swap = await funded({ amount: 1_300_000_000n })
    const { logs, seen } = await settle([await signedTrade(swap)], FILL)
    const payment = seen.movements.find(({ to, token }) => to === swap.order.recipient && token === WETH)
    const beside = seenEvm(1, [...logs, transfer(STRANGER, swap.order.recipient)], { first: 3 })
    expect(await namedIn(beside)).toContain(payment?.place)
    expect(await namedIn(beside)).not.toContain(`log:${3 + logs.length}`)
    expect(await namedIn(beside)).not.toContain('balance')
    expect(await namedIn({ ...beside, isSuccess: false })).toEqual([])
    // The settlement is at the same address everywhere, and CoW is not.
    expect(await namedIn({ ...beside, chainId: 10 })).toEqual([])
    const untraded = [
      transfer(SETTLEMENT, swap.order.recipient),
      eventLog(EVENTS, 'Settlement', SETTLEMENT, { solver: STRANGER }),
    ]
    expect(await namedIn(seenEvm(1, untraded))).toEqual([])
  })

  test('of coins are those of a settlement and of EthFlow refunds', async () => {
    const coins = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
    const sums = { sellAmount: 1n, buyAmount: FILL, feeAmount: 0n, orderUid: `0x${'12'.repeat(56)}` }
    const trade = (address: string) =>
      eventLog(EVENTS, 'Trade', address, { owner: STRANGER, sellToken: USDC, buyToken: coins, ...sums })
    expect(await namedIn(seenEvm(1, [trade(SETTLEMENT)]))).toEqual(['balance'])
    expect(await namedIn(seenEvm(1, [trade(STRANGER)]))).toEqual([])
    const over = (address: string) => eventLog(ENDED, 'OrderRefund', address, { orderUid: sums.orderUid, refunder: STRANGER })
    expect(await namedIn(seenEvm(1, [over(ETH_FLOW)]))).toEqual(['balance'])
    expect(await namedIn(seenEvm(1, [over(STRANGER)]))).toEqual([])
  })
})

describe('events: a signed order', () => {
  test('is paid and delivered by its settlement, at the place of its transfer', async () => {
    const swap = await funded()
    const settled = await settle([await signedTrade(swap)], FILL)
    const took = { token: USDC, amount: swap.order.inputAmount }
    const taken = settled.seen.movements.find(({ from, token }) => from === swap.order.sender && token === USDC)
    const input = { place: taken?.place, orderId: uid(swap), took }
    expect(await inputsOf(settled.seen, swap)).toEqual([input])
    expect(await inputsOf({ ...settled.seen, isSuccess: false }, swap)).toEqual([])
    expect(await inputsOf({ ...settled.seen, movements: [] }, swap)).toEqual([])
    const payment = settled.seen.movements.find(({ to, token }) => to === swap.order.recipient && token === WETH)
    expect(await outputsOf(settled.seen, swap, [])).toEqual([{ place: payment?.place, amount: FILL }])
    // Coins leave no log of their own.
    const unpaid = settled.logs.filter(({ address }) => address !== WETH)
    const trade = unpaid.findIndex(({ address }) => address === SETTLEMENT)
    expect(await outputsOf(seenEvm(1, unpaid, { first: 3 }), swap)).toEqual([{ place: `log:${3 + trade}`, amount: FILL }])
  })

  test('settled beside one of the same amount and recipient has its own payment', async () => {
    const swap = await funded({ amount: 1_200_000_000n })
    network.clock.advance(2_000)
    bench.clock.advance(2_000)
    const twin = await funded({ amount: 1_200_000_000n })
    expect(uid(twin)).not.toBe(uid(swap))
    const settled = await settle([await signedTrade(swap), await signedTrade(twin)], FILL)
    const told = [await outputsOf(settled.seen, swap), await outputsOf(settled.seen, twin)].flat()
    expect(told.map((output) => output?.amount)).toEqual([FILL, FILL])
    const paid = settled.seen.movements.filter(({ to, token }) => to === swap.order.recipient && token === WETH)
    expect(told.map((output) => output?.place)).toEqual(paid.map((movement) => movement.place))
    const inputs = [await inputsOf(settled.seen, swap), await inputsOf(settled.seen, twin)].flat()
    const taken = settled.seen.movements.filter(({ from, token }) => from === swap.order.sender && token === USDC)
    expect(inputs.map((input) => input?.place)).toEqual(taken.map((movement) => movement.place))
  })

  test('does not match another contract, another order or another field', async () => {
    const swap = await funded({ amount: 1_100_000_000n })
    const other = await funded({ amount: 1_100_000_001n })
    const settled = await settle([await signedTrade(swap)], FILL * 2n)
    count('another order', await outputsOf(settled.seen, other))
    count('another order', await inputsOf(settled.seen, other))
    const forgedBy = (change: (log: SimLog) => SimLog) => withLog(settled.logs, logAt(settled, SETTLEMENT), change)
    const told = forgedBy((log) => ({ ...log, address: STRANGER }))
    count('told by another', await outputsOf(told, swap))
    const least = (swap.execution.slippage?.guaranteedMin ?? 0n) - 1n
    for (const change of [
      ['owner', STRANGER],
      ['sellToken', WETH],
      ['buyToken', USDC],
      ['sellAmount', another],
      ['buyAmount', least],
      ['feeAmount', 1n],
      ['orderUid', another],
    ] as const) {
      const forged = forgedBy((log) => retold(log, EVENTS, change) as SimLog)
      count(change[0], await outputsOf(forged, swap))
      count(change[0], await inputsOf(forged, swap))
    }
    const cut = forgedBy((log) => ({ ...log, data: '0x' }))
    count('cut short', await outputsOf(cut, swap))
    count('on another chain', await outputsOf({ ...settled.seen, chainId: 8453 }, swap))
  })
})

const { own, statuses, refused } = families
const settingsOf: { readonly [name: string]: object } = { own: { ...SETTINGS, ...own }, pinned: SETTINGS }
const venueOf = (name: string) => cannedCow(toldBy(bench.sim), { settings: { ...settingsOf[name] } }).venue

test('events: an order uses the contracts of the setting, and their events count only with it', async () => {
  const [set, pinned] = [venueOf('own'), venueOf('pinned')]
  const [swap, old] = [await swapOf(set, usdcToWeth()), await funded()]
  expect([typedDataOf(swap.execution).domain.verifyingContract, swap.offer.spender]).toEqual([own.SETTLEMENT, own.VAULT_RELAYER])
  expect([await prove(set, swap), await prove(pinned, swap)]).toEqual([[], expect.arrayContaining(['contract', 'spender'])])
  const { seen } = await settle([await signedTrade(old)], FILL)
  const moved = renamed(renamed(seen, [[SETTLEMENT, own.SETTLEMENT]]), [[uid(old), uid(swap)]])
  const placed = await swapOf(bench.venue, etherToUsdc())
  const paid = renamed({ swap: placed, seen: (await place(placed)).seen }, [[ETH_FLOW, own.ETH_FLOW]])
  for (const [{ events }, count] of [
    [set, 1],
    [pinned, 0],
  ] as const) {
    for (const counted of [events?.inputs(moved, swap), events?.outputs(moved, swap, []), events?.inputs(paid.seen, paid.swap)])
      expect(await counted).toHaveLength(count)
  }
  expect([await set.events?.named(moved), await pinned.events?.named(moved)]).toEqual([await set.events?.named(seen), []])
  for (const venue of [set, pinned]) expect(await venue.events?.outputs(seen, old, [])).toMatchObject([{ amount: FILL }])
})

test.each(statuses)('status: $what has the states $states, with and without a record', async ({ order, settings, states }) => {
  const swap = await swapOf(venueOf(order), usdcToWeth())
  const { message } = typedDataOf(swap.execution)
  const found = { ...message, owner: swap.order.sender, status: 'fulfilled', executedBuyAmount: `${FILL}` }
  const trades = [{ orderUid: uid(swap), buyAmount: `${FILL}` }]
  const answering = ({ path }: { readonly path: string }) => ({ body: path.endsWith('/trades') ? trades : found })
  const { venue } = cannedCow(answering, { settings: { ...settingsOf[settings] } })
  const ref = swap.execution.venueRef ?? ''
  expect([(await track(venue, ref, swap)).state, (await track(venue, ref, swap, 'without')).state]).toEqual(states)
})

test.each(refused)('cow: the start rejects %s of the three contract settings', (...names) => {
  const some = Object.fromEntries(names.map((name) => [name, own[name as keyof typeof own]]))
  expect(() => venueWith(cow, some)).toThrow(/VENUE_COW_SETTLEMENT and VENUE_COW_VAULT_RELAYER/)
})
