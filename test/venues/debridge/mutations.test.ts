import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import { SOLANA } from '../../../engine/core/chain.ts'
import { bytesOf } from '../../../engine/venues/debridge/published.ts'
import { altered, alteredBy, pricesAt, prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import { otherCalls, otherTransactions, SOMEONE } from '../../support/venueKit/payloads.ts'
import { withBigints } from '../../support/withBigints.ts'
import { createdBy, DESTINATION, FORWARDER, FORWARDER_ABI, SOURCE, SOURCE_ABI } from './abi.ts'
import { type DebridgeBench, openBench, orders, RECIPIENT_SOLANA, STRANGER, told, WITH_FEE } from './support.ts'
import tables from './tables.json' with { type: 'json' }

type Change = readonly [path: string, value: unknown]

let bench: DebridgeBench
afterEach(() => bench?.close())
const count = countMutations('debridge')

const open = async (order: Swap['order']): Promise<Swap> => {
  bench = await openBench({ settings: WITH_FEE })
  const swap = await swapOf(bench.venue, order)
  expect(await prove(bench.venue, swap)).toEqual([])
  return swap
}

const refuses = async (swap: Swap, ...changes: readonly Change[]): Promise<readonly string[]> =>
  count(
    changes.map(([path, value]) => `${path} = ${value}`).join(),
    await prove(bench.venue, swap, alteredBy(swap.execution, changes)),
  )
const refusesEach = async (swap: Swap, path: string, values: readonly unknown[]): Promise<void> => {
  for (const value of values) await refuses(swap, [path, value])
}

const FEE = '1000000000000000'
const OTHER_ID = `0x${'ab'.repeat(32)}`

const DATA = 'payload.transaction.data'
const USDT_ARBITRUM = '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'
const WETH_ARBITRUM = '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'

type Call = readonly [order: object, salt: bigint, affiliateFee: Hex, referralCode: number, permitEnvelope: Hex, metadata: Hex]
const callOf = (data: string): Call => decodeFunctionData({ abi: SOURCE_ABI, data: data as Hex }).args as unknown as Call
const written = (call: Call): Hex =>
  encodeFunctionData({ abi: SOURCE_ABI, functionName: 'createSaltedOrder', args: call as never })

const [stranger, zero] = [STRANGER.toLowerCase() as Hex, `0x${'00'.repeat(20)}` as Hex]

/** Each word of an order that a wallet's loss could hang on, as somebody else would like it. */
const WORDS = withBigints(tables.words) as readonly Change[]

test('proof: rejects any altered byte and field of a token order, except for the referral code and metadata', async () => {
  const swap = await open(orders.usdc({ feeBps: 15 }))
  const { data, value } = transactionOf(swap.execution)
  const call = callOf(data)
  expect(written(call)).toBe(data)
  for (const [path, other] of WORDS) await refuses(swap, [DATA, written(altered(call, path, other))])
  // Nothing hangs on the referral code and on the metadata, which are told by the order's event alone.
  const [, , , , , metadata] = call
  const spared = [2 + 2 * (4 + 3 * 32 + 28), data.lastIndexOf(metadata.slice(2))]
  const isSpared = (at: number) =>
    (at >= (spared[0] ?? 0) && at < (spared[0] ?? 0) + 8) ||
    (at >= (spared[1] ?? 0) && at < (spared[1] ?? 0) + metadata.length - 2)
  const differsAt = (other: string) => [...data].findIndex((letter, at) => other[at] !== letter)
  const others = otherCalls(data).filter((other) => other.length !== data.length || !isSpared(differsAt(other)))
  await refusesEach(swap, DATA, others)
  await refusesEach(swap, 'payload.transaction.to', [STRANGER, addressOf('evm', DESTINATION), addressOf('evm', FORWARDER)])
  await refusesEach(swap, 'payload.transaction.value', [value + 1n, value - 1n, 0n, 2n * value])
  await refusesEach(swap, 'payload.transaction.chainId', [42161, 1])
  await refusesEach(swap, 'evidence', [
    null,
    { v: 1, orderId: OTHER_ID },
    { v: 2, orderId: swap.execution.venueRef, fixFee: FEE },
    { v: 1, orderId: OTHER_ID, fixFee: FEE },
    { v: 1, orderId: swap.execution.venueRef, fixFee: '1' },
  ])
})

test('proof: rejects any altered field of a coin order, and another value', async () => {
  const swap = await open(orders.ether())
  const { data, value } = transactionOf(swap.execution)
  const call = callOf(data)
  const others = WORDS.filter(
    ([path, other]) => !(path === '0.giveTokenAddress' && other === zero) && !(path === '0.takeTokenAddress' && other === zero),
  )
  for (const [path, other] of others) await refuses(swap, [DATA, written(altered(call, path, other))])
  await refusesEach(swap, 'payload.transaction.value', [value + 1n, value - 1n, 10n ** 18n, 10n ** 18n - 1n, 0n])
})

test('proof: rejects an altered order with a matching id', async () => {
  const swap = await open(orders.usdc({ feeBps: 15 }))
  const { data } = transactionOf(swap.execution)
  const harmless = new Set(['1', '0.givePatchAuthoritySrc'])
  for (const [path, other] of WORDS.filter(([path]) => !harmless.has(path))) {
    const lie = written(altered(callOf(data), path, other))
    const isNoOrder = path === '2' || (path === '0.giveAmount' && BigInt(other as bigint) < 2n)
    const orderId = isNoOrder
      ? OTHER_ID
      : createdBy({ ...transactionOf(swap.execution), from: swap.order.sender, data: lie }).orderId
    await refuses(swap, [DATA, lie], ['evidence', { v: 1, orderId, fixFee: FEE }])
  }
})

test.each([
  ['TAKERS', orders.usdc(), STRANGER, 42161],
  ['TAKER_SOLANA', orders.toSolana(), RECIPIENT_SOLANA, SOLANA],
] as const)(
  'proof: accepts an order restricted to a solver only when VENUE_DEBRIDGE_%s names it',
  async (name, order, taker, to) => {
    const swap = await open(order)
    const transaction = transactionOf(swap.execution)
    const data = written(altered(callOf(transaction.data), '0.allowedTakerDst', bytesOf(to, taker)))
    const { orderId } = createdBy({ ...transaction, from: order.sender, data })
    const execution = alteredBy(swap.execution, [
      [DATA, data],
      ['venueRef', orderId],
      ['evidence', { v: 1, orderId, fixFee: FEE }],
    ])
    const proofs = [{}, { [name]: taker }].map((set) => prove(told(bench, { settings: set }).venue, swap, execution))
    expect(await Promise.all(proofs)).toEqual([['unread: a taker nobody knows'], []])
  },
)

test('proof: rejects any altered field around a swap before the order', async () => {
  const swap = await open(orders.arb())
  const { data } = transactionOf(swap.execution)
  const args = decodeFunctionData({ abi: FORWARDER_ABI, data: data as Hex }).args as readonly unknown[]
  const around = (at: number, value: unknown): Change => [
    DATA,
    encodeFunctionData({ abi: FORWARDER_ABI, functionName: 'strictlySwapAndCall', args: args.with(at, value) as never }),
  ]
  const other: readonly (readonly [number, unknown])[] = [
    ...[zero, stranger, args[5]].map((token) => [0, token] as const),
    ...[1n, 10n ** 22n].map((amount) => [1, amount] as const),
    ...[[2, '0x01'] as const, [3, SOURCE] as const, [3, FORWARDER] as const, [3, args[0]] as const, [3, args[5]] as const],
    ...[zero, stranger, args[0]].map((token) => [5, token] as const),
    ...[0n, 1n, 10n ** 12n].map((amount) => [6, amount] as const),
    ...[
      [7, stranger] as const,
      [7, SOURCE] as const,
      [8, stranger] as const,
      [8, DESTINATION] as const,
      [9, '0x'] as const,
      [9, '0xdeadbeef'] as const,
    ],
  ]
  for (const [at, value] of other) await refuses(swap, around(at, value))
  for (const [path, value] of WORDS.filter(([, word]) => word !== 8453n))
    await refuses(swap, around(9, written(altered(callOf(args[9] as string), path, value))))
  // What is bought is worth less than what is asked for.
  const cheap = written(altered(callOf(args[9] as string), '0.giveAmount', 1_000_000n))
  const [, lie] = around(9, cheap)
  const whole = encodeFunctionData({
    ...{ abi: FORWARDER_ABI, functionName: 'strictlySwapAndCall' },
    args: args.with(6, 1_000_000n).with(9, cheap) as never,
  })
  const orderId = createdBy({ ...transactionOf(swap.execution), from: swap.order.sender, data: whole }).orderId
  expect(await refuses(swap, [DATA, whole], ['evidence', { v: 1, orderId, fixFee: FEE }])).toEqual(['bridged'])
  await refuses(swap, [DATA, lie])
})

test('proof: rejects a swap before an order that locks too little or another token', async () => {
  bench = await openBench()
  const prices = pricesAt({ usd: '1', decimals: 6 }, { usd: '3950', decimals: 18 })
  const swap = await swapOf(bench.venue, orders.arb({ to: [8453, NATIVE] }), {}, prices)
  expect(await prove(bench.venue, swap)).toEqual([])
  const transaction = transactionOf(swap.execution)
  const args = decodeFunctionData({ abi: FORWARDER_ABI, data: transaction.data as Hex }).args as readonly unknown[]
  const least = swap.offer.bridgesLeast?.amount ?? 0n
  // Dollars, and other tokens that are worth as much, as no price was sealed of them.
  const given = [10_000n, least / 2n, least - 1n].map((give) => [args[5], give] as const)
  for (const [token, give] of [...given, [USDT_ARBITRUM, least * 10n] as const, [WETH_ARBITRUM, 1n] as const]) {
    const order = altered(altered(callOf(args[9] as string), '0.giveAmount', give), '0.giveTokenAddress', token)
    const bought = args.with(3, stranger).with(5, token).with(6, give).with(9, written(order))
    const data = encodeFunctionData({ abi: FORWARDER_ABI, functionName: 'strictlySwapAndCall', args: bought as never })
    const { orderId } = createdBy({ ...transaction, from: swap.order.sender, data })
    expect(await refuses(swap, [DATA, data], ['evidence', { v: 1, orderId, fixFee: FEE }])).toEqual(['bridged'])
  }
  expect(await prove(bench.venue, { ...swap, offer: altered(swap.offer, 'bridgesLeast', undefined) })).toEqual(['bridged'])
})

test('proof: rejects an unquoted fee, spender and payload type', async () => {
  const swap = await open(orders.usdc({ feeBps: 15 }))
  const { offer } = swap
  for (const bps of [0, 14, 16]) await refuses({ ...swap, offer: { ...offer, fee: { bps, amount: 0n as never } } })
  await refuses({ ...swap, offer: { ...offer, spender: STRANGER } })
  await refuses({ ...swap, offer: { ...offer, nativeFee: (offer.nativeFee - 1n) as never } })
  for (const bound of [{ recipient: STRANGER }, { refundTo: STRANGER }])
    await refuses({ ...swap, binding: { ...swap.binding, ...bound } })
  const deposit = { chainId: 8453, address: STRANGER, amount: swap.order.inputAmount }
  await refuses(swap, ['payload', { executionType: 'DEPOSIT', deposit }])
})

test('proof: rejects any altered account, instruction and byte of a Solana order, except for the referral code', async () => {
  const swap = await open(orders.fromSolana({ feeBps: 25 }))
  const { data } = transactionOf(swap.execution)
  const packed = (bytes: string): readonly Change[] => [
    [DATA, bytes],
    ['payload.transaction.serialized', bytes],
  ]
  const accepted: string[] = []
  for (const other of await otherTransactions(data, 2)) {
    const objections = await prove(bench.venue, swap, alteredBy(swap.execution, packed(other)))
    if (objections.length === 0) accepted.push(other)
    else count('another transaction', objections)
  }
  // The four bytes of the referral code and the 33 of the metadata.
  expect(accepted).toHaveLength(4 + 33)
  await refusesEach(swap, 'payload.transaction.to', [SOMEONE])
  await refusesEach(swap, 'payload.transaction.value', [1n, 15_000_000n])
  await refusesEach(swap, 'payload.transaction.chainId', [8453])
  await refusesEach(swap, 'payload.transaction.serialized', [`${data.slice(0, -4)}AAAA`])
  await refusesEach(swap, 'evidence', [null, { v: 1, orderId: OTHER_ID, fixFee: '15000000' }])
})
