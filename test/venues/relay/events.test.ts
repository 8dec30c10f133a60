import { encodeAbiParameters, type Hex, pad, parseAbi, toEventHash } from 'viem'
import { afterAll, describe, expect, test } from 'vitest'
import type { SeenLog, SeenTransaction } from '../../../engine/chains/seen.ts'
import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, retold, seenEvm } from '../../support/seenEvm.ts'
import { altered, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { openEventsNetwork } from './eventsNetwork.ts'
import { ARB, DEPOSITORY, LINEA_DEPOSITORY, openBench, orders, ROUTER, ROUTER_V3, STRANGER, told } from './support.ts'

/** Events of RelayDepository.sol and RelayRouterV3.sol. */

const EVENTS = parseAbi([
  'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
  'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
  'event SolverNativeTransfer(address to, uint256 amount)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const SOLVER = '0xf70da97812CB96acDF810712Aa562db8dfA3dbEF'
const OTHER_ID: Hex = `0x${'ee'.repeat(32)}`
const APART = addressOf('evm', '0x976EA74026E726554dB657fA54763abd0C3a0aa9')

/** Of the operator's choice. */
const OWN_ROUTER = addressOf('evm', '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65')

const bench = await openBench({ settings: { ROUTERS: [1, 10, 8453, 42161].map((chainId) => `${chainId}=${OWN_ROUTER}`).join() } })
const network = openEventsNetwork()
afterAll(async () => {
  await network.close()
  await bench.close()
})
const forged = countForgeries('relay', 101)

const events = (): SwapEvents => {
  if (!bench.venue.events) throw new TypeError('no events')
  return bench.venue.events
}
const open = (order: VenueOrder): Promise<Swap> => swapOf(bench.venue, order)
const idOf = (swap: Swap): Hex => `0x${transactionOf(swap.execution).data.slice(-64)}`

const KINDS = [
  ['tokens', orders.usdc({ refundTo: APART })],
  ['coins', orders.ether({ refundTo: APART })],
] as const

/** What the depository tells of a swap's payment. */
const depositLog = (swap: Swap) => {
  const { sender: from, input, inputAmount: amount } = swap.order
  const fields = { from, token: input.address, amount, id: idOf(swap) }
  return eventLog(EVENTS, input.address === NATIVE ? 'RelayNativeDeposit' : 'RelayErc20Deposit', DEPOSITORY, fields)
}

describe.each(KINDS)('events: a Relay deposit of %s', (_kind, order) => {
  const told = (swap: Swap, index: number) => ({
    place: `log:${index}`,
    orderId: idOf(swap),
    took: { token: order.input.address, amount: order.inputAmount },
  })

  test('is found by the depository event, for any caller and any number of times', async () => {
    const [one, other] = [await open(order), await open(order)]
    const own = await network.pay(one)
    const [deposit] = (await events().inputs(own, one)) ?? []
    expect(deposit).toEqual(told(one, Number(deposit?.place.slice('log:'.length))))
    expect(own.logs.find(({ index }) => `log:${index}` === deposit?.place)?.address).toBe(DEPOSITORY.toLowerCase())
    expect(await events().inputs(own, other)).toEqual([])

    const bundle = await network.bundle([one, other, one])
    const [places = [], others = []] = [await events().inputs(bundle, one), await events().inputs(bundle, other)].map(
      (told) => told ?? [],
    )
    expect([places.length, others.length]).toEqual([2, 1])
    expect(new Set([...places, ...others].map(({ place }) => place)).size).toBe(3)
  })

  test('matches the payload in every field, at its own depository only', async () => {
    const swap = await open(order)
    const log = depositLog(swap)
    const inputs = (logs: Parameters<typeof seenEvm>[1], change: Partial<SeenTransaction> = {}) =>
      events().inputs(seenEvm(order.input.chainId, logs, change), swap)
    expect(await inputs([log])).toEqual([told(swap, 0)])
    expect(await inputs([log, log])).toEqual([told(swap, 0), told(swap, 1)])

    const isToken = order.input.address !== NATIVE
    for (const change of [
      ['from', STRANGER],
      ['from', order.recipient],
      ['from', '0x0000000000000000000000000000000000000000'],
      ...(isToken ? [['token', ARB] as const, ['token', STRANGER] as const] : []),
      ['amount', order.inputAmount - 1n],
      ['amount', order.inputAmount + 1n],
      ['amount', 0n],
      ['amount', order.inputAmount + 2n ** 64n],
      ['id', OTHER_ID],
      ['id', `0x${'00'.repeat(32)}`],
      ['id', (id: Hex) => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`],
    ] as const)
      forged(`${change[0]} = ${change[1]}`, await inputs([retold(log, EVENTS, change)]))
    for (const address of [LINEA_DEPOSITORY, ROUTER, STRANGER, order.input.address, order.sender])
      forged(`by ${address}`, await inputs([{ ...log, address }]))
    const [topic = ''] = log.topics
    const shapes = [
      { ...log, topics: [] },
      { ...log, topics: [topic, pad(order.sender.toLowerCase() as Hex)] },
      { ...log, topics: [toEventHash('event RelayErc20Deposit(address from, address token, uint256 amount, uint256 id)')] },
      { ...log, data: `${log.data}00` },
      { ...log, data: `${log.data}${'00'.repeat(32)}` },
      { ...log, data: log.data.slice(0, -64) },
      { ...log, data: '0x' },
    ]
    for (const shape of shapes) forged('of another shape', await inputs([shape]))
    forged('on another chain', await inputs([log], { chainId: 10 }))
    forged('of a transaction that failed', await inputs([log], { isSuccess: false }))
    forged('for another swap', await events().inputs(seenEvm(8453, [log]), await open(order)))
  })

  test('does not match a swap that pays an address', async () => {
    const swap = await open(orders.bitcoin())
    const log = depositLog(await open(order))
    forged('of a deposit', await events().inputs(seenEvm(8453, [log], { chainId: -1 }), swap))
  })
})

describe('events: a Relay refund on the other chain', () => {
  test('is accepted as the order allows, in the output token, and found like any other', async () => {
    const order = orders.usdc({ refundTo: APART })
    const { venue } = bench
    const swap = await open(order)
    const { refundsElsewhere = [] } = await venue.decode(swap.execution)
    expect(refundsElsewhere).toEqual([{ asset: order.output, recipient: expect.stringMatching(/^0x/) }])
    const [elsewhere] = refundsElsewhere
    if (!elsewhere) throw new Error('none is allowed')
    expect([order.recipient, APART]).toContain(elsewhere.recipient)
    const { chainId, address } = elsewhere.asset
    const seen = await network.payFor(idOf(swap), chainId, address, elsewhere.recipient, 77n)
    const proved = { ...swap, refundsElsewhere }
    const told = [{ place: expect.stringMatching(/^log:\d+$/), amount: 77n }]
    expect(await events().refunds(seen, proved, [idOf(swap)])).toEqual(told)
    expect(await events().refunds(seen, proved, [OTHER_ID])).toEqual([])
    // A swap whose payload was not proved to allow it has none there.
    expect(await events().refunds(seen, swap, [idOf(swap)])).toEqual([])
  })

  test('in another coin is not accepted, since its value is unknown', async () => {
    const swap = await open(orders.usdc({ to: [42161, ARB] }))
    expect((await bench.venue.decode(swap.execution)).refundsElsewhere).toEqual([])
  })
})

/** Both ways out of an order, by the same rule: `getSolverPaidAmount` of relay-protocol-oracle. */
describe.each([
  ['a delivery', 'outputs', ({ order, binding }: Swap) => ({ asset: order.output, recipient: binding.recipient })],
  ['a refund', 'refunds', ({ order, binding }: Swap) => ({ asset: order.input, recipient: binding.refundTo })],
] as const)('events: %s of Relay', (_what, verb, payeeOf) => {
  const paid = (seen: SeenTransaction, swap: Swap, ids: readonly string[] = [idOf(swap)]) => events()[verb](seen, swap, ids)

  test.each(KINDS)('of %s by the solver is found, and of no other sender', async (_kind, order) => {
    const [swap, other] = [await open(order), await open(order)]
    const { asset, recipient } = payeeOf(swap)
    const seen = await network.payFor(idOf(swap), asset.chainId, asset.address, recipient, 77n)
    expect(await paid(seen, swap)).toEqual([{ place: expect.stringMatching(/^log:\d+$/), amount: 77n }])
    expect(await paid(seen, other)).toEqual([])
    expect(await paid(seen, swap, [])).toEqual([])
    const stranger = await network.payFor(idOf(swap), asset.chainId, asset.address, STRANGER, 77n)
    // Coins may have come by a call that nothing tells of.
    expect(await paid(stranger, swap)).toEqual(asset.address === NATIVE ? null : [])
  })

  test('of tokens is the transfer in a transaction that names the order', async () => {
    const swap = await open(orders.usdc({ refundTo: APART }))
    const { asset, recipient } = payeeOf(swap)
    const id = idOf(swap)
    const log = eventLog(EVENTS, 'Transfer', asset.address, { from: SOLVER, to: recipient, value: 5n })
    // A recorded fill of April 2026: `transferFrom`, and the id behind it. features/deposit-addresses.mdx of relay-docs.
    const callWith = (data: string) => ({
      from: addressOf('evm', SOLVER),
      to: asset.address,
      data: data as Hex,
      value: 0n,
    })
    const call = callWith(`0x23b872dd${'00'.repeat(96)}${id.slice(2)}`)
    const at = (logs: Parameters<typeof seenEvm>[1], change: Partial<SeenTransaction> = {}) =>
      paid(seenEvm(asset.chainId, logs, { call, ...change }), swap)
    expect(await at([log])).toEqual([{ place: 'log:0', amount: 5n }])
    expect(await at([log, log])).toEqual([
      { place: 'log:0', amount: 5n },
      { place: 'log:1', amount: 5n },
    ])
    const back = eventLog(EVENTS, 'Transfer', asset.address, { from: recipient, to: SOLVER, value: 5n })
    forged('and given back', await at([log, back]))
    forged('to another', await at([retold(log, EVENTS, ['to', STRANGER])]))
    forged('from the recipient to itself', await at([retold(log, EVENTS, ['from', recipient])]))
    forged('of another token', await at([{ ...log, address: ARB }]))
    forged('without a call', await at([log], { call: null }))
    forged('of a transaction that failed', await at([log], { isSuccess: false }))
    forged('on another chain', await at([log], { chainId: 10 }))
    for (const data of [
      '0x',
      `0x${id.slice(2)}00`,
      `0x${OTHER_ID.slice(2)}`,
      `0x${id.slice(2, -2)}`,
      `0x${id.slice(2)}${OTHER_ID.slice(2)}`,
    ])
      forged(`by ${data}`, await at([log], { call: callWith(data) }))
    expect(await at([log], { call: callWith(id.toUpperCase().replace('0X', '0x')) })).toHaveLength(1)
  })

  test('of coins is the transaction value or the router event, and otherwise left to balances', async () => {
    const swap = await open(orders.ether({ refundTo: APART }))
    const { asset, recipient } = payeeOf(swap)
    const call = { from: addressOf('evm', SOLVER), to: recipient, data: idOf(swap), value: 5n }
    const value = { place: 'value', token: asset.address, from: call.from, to: recipient, amount: 5n }
    const log = eventLog(EVENTS, 'SolverNativeTransfer', ROUTER, { to: recipient, amount: 5n })
    const at = (logs: Parameters<typeof seenEvm>[1], change: Partial<SeenTransaction> = {}) =>
      paid(seenEvm(asset.chainId, logs, { call, movements: [], ...change }), swap)
    expect(await at([], { movements: [value] })).toEqual([{ place: 'value', amount: 5n }])
    for (const address of [ROUTER, ROUTER_V3, OWN_ROUTER])
      expect(await at([log, { ...log, address }]), address).toEqual([
        { place: 'log:0', amount: 5n },
        { place: 'log:1', amount: 5n },
      ])
    expect(await at([])).toBeNull()
    // None of these is the router's word of coins for the recipient, so that nothing is told.
    const told = log as SeenLog & typeof log
    for (const other of [
      { ...told, address: STRANGER },
      { ...told, address: DEPOSITORY },
      { ...told, topics: [...told.topics, pad('0x01')] },
      { ...told, topics: [toEventHash('event SolverNativeTransfer(address to, uint128 amount)')] },
      { ...told, data: `${told.data}00` },
      { ...told, data: encodeAbiParameters([{ type: 'address' }], [recipient as Hex]) },
      retold(log, EVENTS, ['to', STRANGER]),
      retold(log, EVENTS, ['to', ROUTER]),
    ])
      forged('coins', (await at([other])) ?? [])
    forged('coins of another order', await at([log], { call: { ...call, data: OTHER_ID } }))
    forged('value to another', (await at([], { movements: [{ ...value, to: STRANGER }] })) ?? [])
    forged('value of another order', await at([], { movements: [value], call: { ...call, data: '0x' } }))
  })

  test('of a bitcoin deposit is left to the transfer, since another order may fill it', async () => {
    const swap = await open(orders.bitcoin())
    const { asset } = payeeOf(swap)
    expect(await paid(seenEvm(8453, [], { chainId: asset.chainId }), swap, [])).toBeNull()
    expect(await paid(seenEvm(8453, [], { chainId: asset.chainId, isSuccess: false }), swap, [])).toEqual([])
  })
})

test('events: a solver transaction with any order id claims its transfers for Relay', async () => {
  const to = WALLETS.evm
  const paid = eventLog(EVENTS, 'Transfer', USDC.base, { from: SOLVER, to, value: 5n })
  const sent = eventLog(EVENTS, 'SolverNativeTransfer', ROUTER, { to, amount: 5n })
  const call = { from: addressOf('evm', SOLVER), to: addressOf('evm', USDC.base), data: OTHER_ID, value: 0n }
  const named = (logs: Parameters<typeof seenEvm>[1], change: Partial<SeenTransaction> = {}) =>
    events().named(seenEvm(8453, logs, { call, ...change }))
  expect(await named([paid])).toEqual(['log:0'])
  for (const address of [ROUTER, ROUTER_V3, OWN_ROUTER]) expect(await named([{ ...sent, address }])).toEqual(['balance'])
  expect(await named([{ ...sent, address: STRANGER }])).toEqual([])
  expect(await named([paid, sent], { isSuccess: false })).toEqual([])
  // Anybody may write such a name.
  const other = { call: { ...call, from: addressOf('evm', STRANGER) } }
  expect(await named([paid, sent], other)).toEqual([])
  const { venue } = told(bench, { settings: { SOLVER: STRANGER } })
  expect(await venue.events?.named(seenEvm(8453, [paid], other))).toEqual(['log:0'])
  expect(await named([paid, sent], { call: { ...call, data: '0x' } })).toEqual([])
  expect(await named([paid, sent], { call: null })).toEqual([])
})

test('events: a payment of another payload type does not match', async () => {
  const swap = await open(orders.usdc())
  const signature = { executionType: 'SIGNATURE', chainId: 8453, typedData: {}, approvalData: null }
  const odd = altered(swap, 'execution.payload', signature)
  expect(await events().inputs(seenEvm(8453, [depositLog(swap)]), odd)).toEqual([])
})

test('events: a bitcoin output is found by its transfer, not by the order id', async () => {
  const swap = await open(orders.ether({ to: [-1, 'BTC'], recipient: WALLETS.bitcoin }))
  expect(await events().outputs(seenEvm(8453, [], { chainId: -1 }), swap, [idOf(swap)])).toBeNull()
  expect(await events().outputs(seenEvm(8453, []), swap, [idOf(swap)])).toEqual([])
})

test('events: USDC on Linea is paid only to the depository of Linea', async () => {
  const order = orders.usdc({ from: [59144, '0x176211869cA2b568f2A7D4EE941E073a821EE1ff'], to: [8453, USDC.base] })
  const swap = await open(order)
  const log = depositLog(swap)
  forged('by the depository of the others', await events().inputs(seenEvm(59144, [log]), swap))
  expect(await events().inputs(seenEvm(59144, [{ ...log, address: LINEA_DEPOSITORY }]), swap)).toHaveLength(1)
})
