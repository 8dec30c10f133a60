import { decodeFunctionData, encodeFunctionData } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { AGGREGATE_ABI } from '../../../engine/venues/bebop/protocol.ts'
import { recordedOrder } from '../../support/recordedAnswers.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { any, atLeast, attackPayload, attackTypedData, type ToSign } from '../../support/venueKit/attackPayload.ts'
import { altered, prove, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import { bodyOf } from './recordedAnswers.ts'
import recordings from './recordings.json' with { type: 'json' }
import * as its from './support.ts'

const NOW_S = BigInt(START_OF_TIME / 1_000)
/** Another end, within the five minutes that an order may last. */
const isSoon = ({ other }: { readonly other: unknown }): boolean => {
  const end = BigInt(other as bigint | string)
  return end > NOW_S && end <= NOW_S + 300n
}
/** Only the upper half, which names the fill. Below it are the partner and undocumented flags. */
const hasPlain =
  (bits: bigint) =>
  ({ other }: { readonly other: unknown }) =>
    BigInt.asUintN(Number(bits), other as bigint) === 0n

/** The contract compares the makers' signatures; without them it reverts. */
const OF_MAKER = { maker_address: any, maker_nonce: any, expiry: isSoon, flags: hasPlain(128n) }
const under = <T>(path: string, rules: { readonly [name: string]: T }) =>
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [`${path}.${name}`, rule]))

attackPayload<its.Single>({
  venue: 'bebop',
  open: its.openBench,
  swaps: [{ title: 'by one maker', order: its.orders.dai(), settings: its.BY_RFQ }],
  codec: { read: its.readSingle, write: its.writeSingle },
  harmless: {
    ...under('order', { ...OF_MAKER, maker_amount: atLeast }),
    'signature.signatureBytes': any,
    'signature.flags': any,
    filled: ({ other, words }) => other === 0n || other === words.order.taker_amount,
  },
  *also({ order, ...call }) {
    for (const bits of [7n << 64n, 1n << 63n]) yield { ...call, order: { ...order, flags: order.flags | bits } }
    for (const expiry of [NOW_S, NOW_S + 301n]) yield { ...call, order: { ...order, expiry } }
  },
})

attackPayload<its.Routed>({
  venue: 'bebop',
  open: its.openBench,
  swaps: [
    { title: 'by the router, of coins', order: its.orders.ether() },
    { title: 'by the router, of tokens', order: its.orders.usdc(), settings: its.BY_RFQ },
  ],
  codec: { read: its.readRouter, write: its.writeRouter },
  harmless: {
    ...under('makers.order', {
      ...OF_MAKER,
      expiry: ({ other }) => (other as bigint) > NOW_S,
      flags: hasPlain(64n),
    } as typeof OF_MAKER),
    'makers.order.maker_amount': ({ other, words }) => (other as bigint) >= words.order.limitAmount,
    'makers.signature.signatureBytes': any,
    'makers.signature.flags': any,
    // The router fills the maker by its own amount.
    'makers.filled': any,
  },
  *also(call) {
    for (const inner of ['0x', '0x12345678'] as const) yield its.writeRouter(call, inner)
    yield { ...call, hooks: [{ targetContract: its.hexOf(its.STRANGER), data: '0x', hookSignature: '0x', flags: 0n }] }
  },
})

const bitsOf = (partnerInfo: unknown): bigint => BigInt(partnerInfo as string) >> 16n

attackTypedData<ToSign>({
  venue: 'bebop',
  open: its.openBench,
  swaps: [{ title: 'JAM, with a fee', order: its.orders.usdc({ feeBps: 30 }) }],
  codec: { read: (toSign) => toSign, write: (toSign) => toSign },
  harmless: {
    venueRef: any,
    ...under('typedData.message', {
      ...{ expiry: isSoon, exclusivityDeadline: any, executor: any, nonce: ({ other }) => BigInt(other as string) > 0n },
      'buyAmounts.0': atLeast,
      // The share of the protocol is in the price.
      partnerInfo: ({ other, was }) => bitsOf(other) === bitsOf(was),
    } as { readonly [name: string]: (place: { readonly other: unknown; readonly was: unknown }) => boolean }),
  },
  *also(own) {
    const message = 'typedData.message'
    const partnerInfo = BigInt((own.typedData.message as { readonly partnerInfo: string }).partnerInfo)
    const infos = [1n << 192n, 1n << 32n, BigInt(its.STRANGER) << 32n].map((bits) => partnerInfo ^ bits)
    for (const info of [...infos, partnerInfo & 0xffffn]) yield altered(own, `${message}.partnerInfo`, String(info))
    for (const end of [String(NOW_S), String(NOW_S + 301n), Number(NOW_S) + 30]) yield altered(own, `${message}.expiry`, end)
    for (const sold of [[NATIVE], [its.USDC, its.WETH]]) yield altered(own, `${message}.sellTokens`, sold)
    for (const other of [its.SETTLEMENT, its.ROUTER]) yield altered(own, 'typedData.domain.verifyingContract', other)
    yield altered(own, 'approvalData', own.typedData)
  },
})

const several = recordings.find(({ name }) => name === 'USDC to ONDO by several makers') as (typeof recordings)[number]
const readAggregate = (data: string) => {
  const [order, signatures, filled] = decodeFunctionData({ abi: AGGREGATE_ABI, data: its.hexOf(data) }).args
  return { order, signatures, filled }
}
type Aggregate = ReturnType<typeof readAggregate>
const writeAggregate = ({ order, signatures, filled }: Aggregate) =>
  encodeFunctionData({ abi: AGGREGATE_ABI, functionName: 'swapAggregate', args: [order, signatures, filled] })
const sumOf = (amounts: readonly (readonly bigint[])[]): bigint => amounts.flat().reduce((sum, amount) => sum + amount, 0n)

/** The recorded order of several makers, made to end soon: the adapter reads no maker's signature. */
const openSeveral = async () => {
  const call = readAggregate(several.data)
  const expiry = Number(NOW_S) + 60
  const body = bodyOf({ ...several, expiry, data: writeAggregate({ ...call, order: { ...call.order, expiry: BigInt(expiry) } }) })
  const { venue } = its.cannedBebop(() => ({ body }), { settings: its.BY_RFQ })
  return { venue, close: async () => undefined } as unknown as VenueBench
}
const { wallet, recipient, sell, buy, sold } = several
const route = { from: [several.chainId as ChainId, sell], to: [several.chainId as ChainId, buy] } as const

attackPayload<Aggregate>({
  venue: 'bebop',
  open: openSeveral,
  swaps: [{ title: 'by several makers', order: recordedOrder({ wallet, recipient, ...route }, sold, 50) }],
  codec: { read: readAggregate, write: writeAggregate },
  harmless: {
    ...under('order', { ...OF_MAKER, 'maker_addresses.*': any, 'maker_nonces.*': any }),
    'order.maker_amounts.*.*': ({ words, own }) => sumOf(words.order.maker_amounts) >= sumOf(own.order.maker_amounts),
    'order.taker_amounts.*.*': ({ words, own }) => sumOf(words.order.taker_amounts) === sumOf(own.order.taker_amounts),
    signatures: any,
    'signatures.*.signatureBytes': any,
    'signatures.*.flags': any,
    filled: ({ other, words }) => other === 0n || other === sumOf(words.order.taker_amounts),
  },
  *also({ order, ...call }) {
    const other = (change: Partial<Aggregate['order']>): Aggregate => ({ ...call, order: { ...order, ...change } })
    const [ondo, total] = [its.hexOf(buy), sumOf(order.maker_amounts)]
    yield other({ maker_amounts: [[0n], [total]] })
    yield other({ maker_tokens: [[ondo, ondo], [ondo]], maker_amounts: [[total, 1n], [1n]], commands: '0x0000000000' })
    for (const bits of [1n, 7n << 64n]) yield other({ flags: order.flags | bits })
    for (const command of ['01', '02', '03', '04', '05', '06', '07', '08', 'ff'])
      for (const commands of [`0x${command}000000`, `0x000000${command}`] as const) yield other({ commands })
    for (const end of [NOW_S, NOW_S + 301n]) yield other({ expiry: end })
  },
})

let bench: VenueBench
afterAll(() => bench.close())
const count = countMutations('bebop')

test('proof: rejects a call of another contract of the venue, and evidence of another taker or version', async () => {
  bench = await its.openBench({ settings: its.BY_RFQ })
  for (const order of [its.orders.ether(), its.orders.dai()]) {
    const swap = await swapOf(bench.venue, order)
    const { to } = transactionOf(swap.execution)
    expect(await prove(bench.venue, swap)).toEqual([])
    for (const [path, value] of [
      ...[its.ROUTER, its.SETTLEMENT, its.JAM].map(
        (other) => ['payload.transaction.to', other === to ? its.STRANGER : other] as const,
      ),
      ...[null, {}, { v: 2, taker: order.sender }, { v: 1, taker: its.STRANGER }].map((other) => ['evidence', other] as const),
      ['payload.transaction.data', '0xzz'] as const,
    ])
      count(path, await prove(bench.venue, swap, altered(swap.execution, path, value)))
  }
})
