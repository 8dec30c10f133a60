import { decodeFunctionData, encodeFunctionData, type Hex, hashTypedData } from 'viem'
import { expect, test } from 'vitest'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import { singleTypedData } from '../../../engine/simnet/venues/bebop/rfqQuote.ts'
import { toMessage } from '../../../engine/venues/bebop/jamOrder.ts'
import { readMakerOrder } from '../../../engine/venues/bebop/makerOrder.ts'
import {
  AGGREGATE_ABI,
  JAM_SETTLE,
  jamTypedData,
  ROUTER_ABI,
  type RouterHook,
  type RouterOrder,
  routerTypedData,
  SINGLE_ABI,
} from '../../../engine/venues/bebop/protocol.ts'
import { cannedBebop, chainsNaming, LIVE_SIGNER, STRANGER } from './support.ts'
import vectors from './vectors.json' with { type: 'json' }

const { router, settlement, jam, aggregate } = vectors

const inJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each)))

const CALLS = [
  ['of the router', ROUTER_ABI, router],
  ['of one maker', SINGLE_ABI, settlement],
  ['of several makers', AGGREGATE_ABI, aggregate],
] as const

test.each(CALLS)('bebop calldata: a call %s decodes, and encodes to the same bytes', (_whose, abi, { data, args }) => {
  const call = decodeFunctionData({ abi: abi as typeof ROUTER_ABI, data: data as Hex })
  expect(inJson(call.args)).toEqual(args)
  expect(encodeFunctionData({ abi: abi as typeof ROUTER_ABI, ...call })).toBe(data)
})

const executionOf = (chainId: 1 | 8453, to: string, data: string, taker: string): Execution => ({
  payload: {
    executionType: 'TRANSACTION',
    transaction: { chainId, to: addressOf('evm', to), data, value: toAmount(0n) },
  },
  ...{ venueRef: null, evidence: { v: 1, taker }, outputAmount: toAmount(1n), slippage: null, carry: null },
})

/** `signer`: whom the router names. */
const venueOf = (signer = LIVE_SIGNER) => cannedBebop(() => ({}), { chains: chainsNaming(signer) }).venue

test('bebop: the recorded router order has the recorded digest, the pinned signer and no lower limit', async () => {
  const [, order, extraInfo, , makers, hooks] = decodeFunctionData({ abi: ROUTER_ABI, data: router.data as Hex }).args
  expect(await readMakerOrder(makers)).toMatchObject({ takerAmount: 10n ** 18n, makerAmount: 2_926_296n, unread: [] })
  const parts = { extraInfo, hooks: hooks as unknown as readonly RouterHook[] }
  const typedData = await routerTypedData(1, order as unknown as RouterOrder, parts)
  expect(hashTypedData(typedData as never)).toBe(router.routerOrderDigest)
  expect(typedData.message['hooksHash']).toBe(router.hooksHash)
  expect(router.recoveredRouterSigner).toBe(LIVE_SIGNER)
  const execution = executionOf(1, router.to, router.data, String(order.receiver))
  expect((await venueOf().decode(execution)).unread).toEqual(['limitAmount'])
  expect((await venueOf(STRANGER).decode(execution)).unread).toEqual(['signer', 'limitAmount'])
})

test('bebop: the recorded maker order claims its exact amounts', async () => {
  const [order] = decodeFunctionData({ abi: SINGLE_ABI, data: settlement.data as Hex }).args
  expect(hashTypedData(singleTypedData(8453, order as never) as never)).toBe(settlement.singleOrderDigest)
  const claims = await venueOf().decode(executionOf(8453, settlement.to, settlement.data, order.taker_address))
  expect(claims).toEqual({
    ...{ chainId: 8453, pays: settlement.to, spender: settlement.to, nativeFee: 0n, refundTo: null, fee: 'unproved', unread: [] },
    input: { asset: { chainId: 8453, address: order.taker_token }, amount: 1_000_000n },
    output: { asset: { chainId: 8453, address: order.maker_token }, minimum: 549_641_041_508_403n },
    recipient: order.receiver,
    deadlineAt: 1_746_644_767_000,
  })
})

test('bebop: an order of several makers claims their sum, and a partner id stands for a fee outside the calldata', async () => {
  const made = await readMakerOrder(aggregate.data as Hex)
  expect(made).toMatchObject({ takerAmount: 1_000_000_000n, makerAmount: 249_050_000_000_000_000n, partnerId: 7n, unread: [] })
  const claims = await venueOf().decode(executionOf(8453, aggregate.to, aggregate.data, made?.taker ?? ''))
  expect(claims.unread).toEqual(['partner'])
})

test('bebop: the JAM order has the recorded digest', async () => {
  const message = toMessage(1, jam.message as Parameters<typeof toMessage>[1])
  expect(inJson(message)).toEqual(jam.message)
  const typedData = jamTypedData(1, message)
  expect(hashTypedData(typedData as never)).toBe(jam.digest)
  const { args } = decodeFunctionData({ abi: JAM_SETTLE, data: jam.calldata as Hex })
  const { usingPermit2, ...order } = args[0]
  expect([inJson(order), usingPermit2]).toEqual([Object.fromEntries(Object.entries(jam.message).slice(0, -1)), false])
  expect(encodeFunctionData({ abi: JAM_SETTLE, functionName: 'settle', args })).toBe(jam.calldata)
  const execution = {
    ...executionOf(1, router.to, '0x', jam.message.taker),
    payload: { executionType: 'SIGNATURE', chainId: 1, typedData, approvalData: null },
  } as Execution
  expect(await venueOf().decode(execution)).toMatchObject({
    fee: { recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as Address, bps: 30 },
    output: { minimum: 247_804_750_000_000_000n },
    unread: [],
  })
})
