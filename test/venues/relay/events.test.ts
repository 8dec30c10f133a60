import { encodeAbiParameters, type Hex, pad, toEventHash } from 'viem'
import { afterAll, describe, expect, test } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { SOLVER } from '../../../engine/venues/relay/protocol.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, retold, seenEvm } from '../../support/seenEvm.ts'
import { any, STRANGER } from '../../support/venueKit/attackPayload.ts'
import { altered, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { forgeEvents } from '../../support/venueKit/forgeEvents.ts'
import { ABI } from './fakeNetwork.ts'
import { ARB, DEPOSITORY, LINEA_DEPOSITORY, openBench, orders, ROUTERS, told } from './support.ts'

const OTHER_ID: Hex = `0x${'ee'.repeat(32)}`
const refundTo = addressOf('evm', '0x976EA74026E726554dB657fA54763abd0C3a0aa9')
const [ROUTER = ''] = ROUTERS
/** Of the operator's choice. */
const OWN_ROUTER = addressOf('evm', '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65')

const bench = await openBench({ settings: { ROUTERS: `8453=${OWN_ROUTER},42161=${OWN_ROUTER}` } })
afterAll(() => bench.close())
const forged = forgeEvents('relay', 101, ABI)

const events = bench.venue.events as SwapEvents
const open = (order: VenueOrder): Promise<Swap> => swapOf(bench.venue, order)
const idOf = (swap: Swap): Hex => `0x${transactionOf(swap.execution).data.slice(-64)}`

/** What the depository leaves of a swap's payment. */
const depositLog = (swap: Swap, depository: string = DEPOSITORY) => {
  const { sender: from, input, inputAmount: amount } = swap.order
  const fields = { from, token: input.address, amount, id: idOf(swap) }
  return eventLog(ABI, input.address === NATIVE ? 'RelayNativeDeposit' : 'RelayErc20Deposit', depository, fields)
}

test.each([
  ['tokens', orders.usdc()],
  ['coins', orders.ether()],
])('events: a deposit of %s is found by the depository event, for any caller and any number of times', async (_kind, order) => {
  const [swap, other] = [await open(order), await open(order)]
  const log = depositLog(swap)
  const told = (index: number, orderId = idOf(swap)) => ({
    ...{ place: `log:${index}`, orderId, took: { token: order.input.address, amount: order.inputAmount } },
  })
  const bundle = seenEvm(8453, [log, depositLog(other), log], { first: 7 })
  expect(await events.inputs(bundle, swap)).toEqual([told(7), told(9)])
  expect(await events.inputs(bundle, other)).toEqual([told(8, idOf(other))])
  expect(await events.inputs(seenEvm(8453, [log], { chainId: -1 }), await open(orders.bitcoin()))).toEqual([])
  const signature = { executionType: 'SIGNATURE', chainId: 8453, typedData: {}, approvalData: null }
  expect(await events.inputs(seenEvm(8453, [log]), altered(swap, 'execution.payload', signature))).toEqual([])
  const sameName = toEventHash('event RelayErc20Deposit(address from, address token, uint256 amount, uint256 id)')
  await forged({
    ...{ chainId: 8453, logs: { deposit: log }, read: (seen) => events.inputs(seen, swap) },
    also: {
      'of another swap': [depositLog(other)],
      ...Object.fromEntries(
        [LINEA_DEPOSITORY, ROUTER, order.input.address, order.sender].map((by) => [`by ${by}`, [{ ...log, address: by }]]),
      ),
      'without a topic': [{ ...log, topics: [] }],
      'of another signature': [{ ...log, topics: [sameName] }],
      'a word longer': [{ ...log, data: `${log.data}${'00'.repeat(32)}` }],
      empty: [{ ...log, data: '0x' }],
    },
  })
})

test('events: USDC on Linea is paid only to the depository of Linea', async () => {
  const from = [59144, '0x176211869cA2b568f2A7D4EE941E073a821EE1ff'] as const
  const swap = await open(orders.usdc({ from, to: [8453, USDC.base] }))
  expect(await events.inputs(seenEvm(59144, [depositLog(swap)]), swap)).toEqual([])
  expect(await events.inputs(seenEvm(59144, [depositLog(swap, LINEA_DEPOSITORY)]), swap)).toHaveLength(1)
})

type Seen = Partial<SeenTransaction>

/** Both ways out of an order, by the same rule: `getSolverPaidAmount` of relay-protocol-oracle. */
describe.each([
  ['a delivery', 'outputs', ({ order, binding }: Swap) => ({ asset: order.output, recipient: binding.recipient })],
  ['a refund', 'refunds', ({ order, binding }: Swap) => ({ asset: order.input, recipient: binding.refundTo })],
] as const)('events: %s of Relay', (_what, verb, payeeOf) => {
  test('of tokens is the transfer in a solver transaction that names the order', async () => {
    const swap = await open(orders.usdc({ refundTo }))
    const { asset, recipient } = payeeOf(swap)
    const id = idOf(swap)
    const paid = eventLog(ABI, 'Transfer', asset.address, { from: SOLVER, to: recipient, value: 5n })
    // A recorded fill of April 2026: `transferFrom`, and the id behind it. features/deposit-addresses.mdx of relay-docs.
    const callWith = (data: string): Seen => ({
      call: { from: SOLVER, to: asset.address, data: data as Hex, value: 0n },
    })
    const seenAs = callWith(`0x23b872dd${'00'.repeat(96)}${id.slice(2)}`)
    const read = (seen: SeenTransaction) => events[verb](seen, swap, [id])
    const at = (change: Seen) => read(seenEvm(asset.chainId, [paid], change))
    const places = ['log:0', 'log:1'].map((place) => ({ place, amount: 5n }))
    expect(await read(seenEvm(asset.chainId, [paid, paid], seenAs))).toEqual(places)
    expect(await at(callWith(id.toUpperCase().replace('0X', '0x')))).toHaveLength(1)
    expect(await events[verb](seenEvm(asset.chainId, [paid], seenAs), swap, [])).toEqual([])
    const [hex, other] = [id.slice(2), OTHER_ID.slice(2)]
    for (const data of ['0x', `0x${hex}00`, OTHER_ID, `0x${hex.slice(0, -2)}`, `0x${hex}${other}`])
      expect(await at(callWith(data)), data).toEqual([])
    expect(await at({ call: null })).toEqual([])
    await forged({
      ...{ chainId: asset.chainId, logs: { paid }, read, seenAs },
      harmless: { 'paid.from': ({ other: from }) => from !== recipient, 'paid.value': any },
      also: {
        'given back': [paid, eventLog(ABI, 'Transfer', asset.address, { from: recipient, to: SOLVER, value: 5n })],
        'of another token': [{ ...paid, address: ARB }],
      },
    })
  })

  test('of coins is the transaction value or the router event, and otherwise left to balances', async () => {
    const swap = await open(orders.ether({ refundTo }))
    const { asset, recipient } = payeeOf(swap)
    const call = { from: SOLVER, to: recipient, data: idOf(swap), value: 5n }
    const value = { place: 'value', token: asset.address, from: SOLVER, to: recipient, amount: 5n }
    const sent = eventLog(ABI, 'SolverNativeTransfer', ROUTER, { to: recipient, amount: 5n })
    const read = (seen: SeenTransaction) => events[verb](seen, swap, [idOf(swap)])
    const at = (logs: Parameters<typeof seenEvm>[1], change: Seen = {}) =>
      read(seenEvm(asset.chainId, logs, { call, movements: [], ...change }))
    expect(await at([], { movements: [value] })).toEqual([{ place: 'value', amount: 5n }])
    for (const address of [...ROUTERS, OWN_ROUTER])
      expect(await at([{ ...sent, address }]), address).toEqual([{ place: 'log:0', amount: 5n }])
    // Coins may have come by a call that nothing tells of.
    expect(await at([])).toBeNull()
    expect(await at([], { movements: [{ ...value, to: STRANGER }] })).toBeNull()
    for (const data of ['0x', OTHER_ID] as const) {
      expect(await at([sent], { call: { ...call, data } })).toEqual([])
      expect(await at([], { movements: [value], call: { ...call, data } })).toEqual([])
    }
    await forged({
      ...{ chainId: asset.chainId, logs: { sent }, seenAs: { call, movements: [] } },
      read: async (seen) => (await read(seen)) ?? [],
      harmless: { 'sent.amount': any },
      also: {
        'to the router': [retold(sent, ABI, ['to', ROUTER])],
        'of the depository': [{ ...sent, address: DEPOSITORY }],
        'with an indexed field': [{ ...sent, topics: [...sent.topics, pad('0x01')] }],
        'of another signature': [{ ...sent, topics: [toEventHash('event SolverNativeTransfer(address to, uint128 amount)')] }],
        longer: [{ ...sent, data: `${sent.data}00` }],
        'without an amount': [{ ...sent, data: encodeAbiParameters([{ type: 'address' }], [recipient as Hex]) }],
      },
    })
  })

  test('of a bitcoin deposit is left to the transfer, since another order may fill it', async () => {
    const swap = await open(orders.bitcoin())
    const { chainId } = payeeOf(swap).asset
    expect(await events[verb](seenEvm(8453, [], { chainId }), swap, [])).toBeNull()
    expect(await events[verb](seenEvm(8453, [], { chainId, isSuccess: false }), swap, [])).toEqual([])
    const toBitcoin = await open(orders.ether({ to: [-1, 'BTC'], recipient: WALLETS.bitcoin }))
    expect(await events.outputs(seenEvm(8453, [], { chainId: -1 }), toBitcoin, [idOf(toBitcoin)])).toBeNull()
  })
})

test('events: a refund on the other chain counts when the proved order allows it, and only in the output token', async () => {
  const swap = await open(orders.usdc({ refundTo }))
  const { refundsElsewhere = [] } = await bench.venue.decode(swap.execution)
  expect(refundsElsewhere).toMatchObject([{ asset: swap.order.output }])
  const [{ asset, recipient } = { asset: swap.order.output, recipient: '' }] = refundsElsewhere
  expect([swap.order.recipient, refundTo]).toContain(recipient)
  const paid = eventLog(ABI, 'Transfer', asset.address, { from: SOLVER, to: recipient, value: 77n })
  const call = { from: SOLVER, to: asset.address, data: idOf(swap), value: 0n } as never
  const seen = seenEvm(asset.chainId, [paid], { call })
  expect(await events.refunds(seen, { ...swap, refundsElsewhere }, [idOf(swap)])).toEqual([{ place: 'log:0', amount: 77n }])
  expect(await events.refunds(seen, { ...swap, refundsElsewhere }, [OTHER_ID])).toEqual([])
  expect(await events.refunds(seen, swap, [idOf(swap)])).toEqual([])
  const toArb = await open(orders.usdc({ to: [42161, ARB] }))
  expect((await bench.venue.decode(toArb.execution)).refundsElsewhere).toEqual([])
})

test('events: a solver transaction with any order id claims its transfers for Relay', async () => {
  const paid = eventLog(ABI, 'Transfer', USDC.base, { from: SOLVER, to: WALLETS.evm, value: 5n })
  const sent = eventLog(ABI, 'SolverNativeTransfer', ROUTER, { to: WALLETS.evm, amount: 5n })
  const call = { from: SOLVER, to: addressOf('evm', USDC.base), data: OTHER_ID, value: 0n }
  const byStranger = { call: { ...call, from: STRANGER } }
  const named = (logs: Parameters<typeof seenEvm>[1], change: Seen = {}) => events.named(seenEvm(8453, logs, { call, ...change }))
  expect(await named([paid])).toEqual(['log:0'])
  for (const address of [...ROUTERS, OWN_ROUTER]) expect(await named([{ ...sent, address }])).toEqual(['balance'])
  expect(await named([{ ...sent, address: STRANGER }])).toEqual([])
  for (const change of [{ isSuccess: false }, byStranger, { call: { ...call, data: '0x' as Hex } }, { call: null }])
    expect(await named([paid, sent], change)).toEqual([])
  const { venue } = told(bench, { settings: { SOLVER: STRANGER } })
  expect(await venue.events?.named(seenEvm(8453, [paid], byStranger))).toEqual(['log:0'])
})
