import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { hashTypedData } from '../../engine/chains/evm/evmCodec.ts'
import type { Hex, TypedData } from '../../engine/core/execution.ts'
import { orderTypedData, readOrder } from '../../engine/venues/uniswapx/orders.ts'
import { ROUTINGS, type Routing } from '../../engine/venues/uniswapx/protocol.ts'
import { WALLETS } from '../support/anOrder.ts'
import { closedAfterEach } from '../support/venueKit/benches.ts'
import { sign, swapOf, typedDataOf } from '../support/venueKit/calls.ts'
import { byPriority, byV2, byV3, openBench } from '../venues/uniswapx/support.ts'
import vectors from '../venues/uniswapx/vectors.json' with { type: 'json' }

/**
 * The official SDK builds each order from the signed fields and hashes it. Its ESM build does not resolve in Node. Serialised
 * orders are compared only with equal curve blocks, since the SDK writes those of the input into every output.
 */
type SdkOrder = {
  hash(): string
  serialize(): string
  getSigner(signature: string): string
  permitData(): { readonly domain: object; readonly types: object; readonly values: object }
}
type SdkClass = {
  new (info: object, chainId: number, permit2: string): SdkOrder
  parse(encoded: string, chainId: number, permit2: string): SdkOrder
}
type Sdk = { readonly [name in 'UnsignedV2DutchOrder' | 'UnsignedV3DutchOrder' | 'UnsignedPriorityOrder']: SdkClass }
type Ethers = {
  readonly BigNumber: { from(text: string): object }
  readonly utils: { readonly _TypedDataEncoder: { hash(domain: object, types: object, values: object): string } }
}

const require = createRequire(import.meta.url)
const sdk = require('@uniswap/uniswapx-sdk') as Sdk
const { BigNumber, utils } = createRequire(require.resolve('@uniswap/uniswapx-sdk'))('ethers') as Ethers

const CLASS = {
  DUTCH_V2: sdk.UnsignedV2DutchOrder,
  DUTCH_V3: sdk.UnsignedV3DutchOrder,
  PRIORITY: sdk.UnsignedPriorityOrder,
} as const
const WITNESS = { DUTCH_V2: 'V2DutchOrder', DUTCH_V3: 'V3DutchOrder', PRIORITY: 'PriorityOrder' } as const

/** As the SDK holds what is signed: numbers of its own kind, and those of blocks unpacked. */
const asSdk = (value: unknown, name = ''): unknown => {
  if (name === 'curve') {
    const { relativeBlocks, relativeAmounts } = value as { readonly relativeBlocks: string; readonly relativeAmounts: string[] }
    const blockAt = (i: number) => Number((BigInt(relativeBlocks) >> BigInt(16 * i)) & 0xffffn)
    return { relativeBlocks: relativeAmounts.map((_, i) => blockAt(i)), relativeAmounts: relativeAmounts.map(BigInt) }
  }
  if (name === 'deadline') return Number(value)
  if (Array.isArray(value)) return value.map((one) => asSdk(one))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, asSdk(one, field)]))
  return typeof value === 'string' && /^[0-9]+$/.test(value) ? BigNumber.from(value) : value
}

/** What the SDK makes of the message that a wallet signs: it calls both sides of every order alike. */
const sdkOrderOf = (routing: Routing, { domain, message }: TypedData): SdkOrder => {
  const { info, ...words } = asSdk(message['witness']) as { readonly [field: string]: object }
  const { baseInputToken: token, baseInputStartAmount: startAmount, baseInputEndAmount: endAmount } = words
  const { baseInput = { token, startAmount, endAmount }, baseOutputs, ...rest } = words
  const sides = routing === 'PRIORITY' ? {} : { input: baseInput, outputs: baseOutputs }
  return new CLASS[routing]({ ...info, ...rest, ...sides }, domain.chainId ?? 0, domain.verifyingContract ?? '')
}

const expectJudged = async (
  routing: Routing,
  typedData: TypedData,
  { orderId, signature }: { orderId: string; signature: Hex },
) => {
  const order = sdkOrderOf(routing, typedData)
  expect(order.hash()).toBe(orderId)
  const { domain, types, values } = order.permitData()
  expect(utils._TypedDataEncoder.hash(domain, types, values)).toBe(await hashTypedData(typedData))
  expect(types).toEqual(typedData.types)
  expect(order.getSigner(signature)).toBe(WALLETS.evm)
}

test.each([
  ['V2', byV2, 'DUTCH_V2'],
  ['V3', byV3, 'DUTCH_V3'],
  ['priority', byPriority, 'PRIORITY'],
] as const)(
  'uniswapx: the SDK reads the payload as the %s order of its id, signed by the wallet',
  async (_name, orderOf, routing) => {
    const bench = await openBenchOf()
    for (const wish of [{}, { feeBps: 0, recipient: WALLETS.evm }]) {
      const { execution } = await swapOf(bench.venue, orderOf(wish))
      const typedData = typedDataOf(execution)
      const orderId = execution.venueRef ?? ''
      await expectJudged(routing, typedData, { orderId, signature: await sign(typedData) })
      const { quote } = execution.carry as { readonly quote: { readonly encodedOrder: string } }
      const { chainId = 0, verifyingContract = '' } = typedData.domain
      expect(CLASS[routing].parse(quote.encodedOrder, chainId, verifyingContract).hash()).toBe(orderId)
      expect(sdkOrderOf(routing, typedData).serialize().length).toBeGreaterThan(600)
    }
  },
)
const openBenchOf = closedAfterEach(openBench)

test.each(vectors.vectors)('uniswapx: the vector $id ($kind) has the same id and signature', async (vector) => {
  const { permitData, chainId, orderHash, permit2Digest } = vector
  const types: object = permitData.types
  const routing = ROUTINGS.find((kind) => WITNESS[kind] in types) ?? 'PRIORITY'
  const typedData = orderTypedData(routing, chainId, permitData.values)
  expect(typedData.types).toEqual(types)
  expect((await readOrder(typedData))?.orderId).toBe(orderHash)
  expect(await hashTypedData(typedData)).toBe(permit2Digest)
  expect(await sign(typedData)).toBe(vector.signature)
  await expectJudged(routing, typedData, { orderId: orderHash, signature: vector.signature as Hex })
  const { verifyingContract = '' } = typedData.domain
  expect(CLASS[routing].parse(vector.encodedOrder, chainId, verifyingContract).hash()).toBe(orderHash)
})
