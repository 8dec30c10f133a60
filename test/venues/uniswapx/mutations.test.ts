import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashStruct } from '../../../engine/chains/evm/evmCodec.ts'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { altered, alteredBy, prove, type Swap, swapOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { toldBy } from '../../support/venueKit/canned.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import {
  type Body,
  byPriority,
  byV2,
  byV3,
  cannedUniswapX,
  FEE_RECIPIENT,
  NONE,
  onUnichain,
  openBench,
  PERMIT2,
  REACTORS,
  STRANGER,
  USDC,
  WETH,
} from './support.ts'

let bench: VenueBench
const KINDS = ['v2', 'v3', 'priority', 'v3 on Base', 'v3 on Unichain'] as const
type Kind = (typeof KINDS)[number]
let swaps: { readonly [K in Kind]: Swap }
beforeAll(async () => {
  bench = await openBench()
  const { venue, sim } = bench
  // Where priority orders are, V3 is what they do not find.
  const answering = toldBy(sim)
  const without = cannedUniswapX((asked) => (`${(asked.body as Body)['protocols']}` === 'UNISWAPX_V2' ? NONE : answering(asked)))
  const found = [
    [byV2, venue],
    [byV3, venue],
    [byPriority, venue],
    [byPriority, without.venue],
    [onUnichain, without.venue],
  ] as const
  const all = await Promise.all(found.map(async ([orderOf, from], at) => [KINDS[at], await swapOf(from, orderOf())]))
  swaps = Object.fromEntries(all)
})
afterAll(() => bench.close())

const refuses = countMutations('uniswapx')

type Routing = 'v2' | 'v3' | 'priority'
const routingOf = (kind: Kind): Routing => (kind === 'v2' || kind === 'priority' ? kind : 'v3')
const WITNESS = { v2: 'V2DutchOrder', v3: 'V3DutchOrder', priority: 'PriorityOrder' } as const
const MESSAGE = 'payload.typedData.message'

/** Given the id that its order has, as a venue gives it that lies consistently; null where what is altered has none. */
const renamed = async (kind: Kind, execution: Execution): Promise<Execution | null> => {
  const { message } = typedDataOf(execution)
  const { types } = typedDataOf(swaps[kind].execution)
  try {
    const orderId = await hashStruct(types, WITNESS[routingOf(kind)], message['witness'] as { readonly [field: string]: unknown })
    return { ...execution, venueRef: orderId }
  } catch {
    return null
  }
}

/** Refused under the id that was told, and under its own. */
const expectRefused = async (kind: Kind, execution: Execution, reason: RegExp, now?: number): Promise<void> => {
  const name = `${kind} ${reason}`
  refuses(name, await prove(bench.venue, swaps[kind], execution, now))
  const own = await renamed(kind, execution)
  if (own !== null) expect(refuses(name, await prove(bench.venue, swaps[kind], own, now)).join('; ')).toMatch(reason)
}

const digits = (by: bigint) => (was: unknown) => String(BigInt(String(was)) + by)
const NOW_S = START_OF_TIME / 1_000

test.each(KINDS)('proof: accepts an unaltered %s order', async (kind) => {
  expect(await prove(bench.venue, swaps[kind])).toEqual([])
})

type Change = readonly [path: string, value: unknown]
type Row = readonly [reason: RegExp, ...changes: readonly Change[]]

const both = (path: string, value: unknown): readonly Change[] => [
  [path, value],
  [`witness.info.${path}`, value],
]
const spentBy = (who: string): readonly Change[] => [
  ['spender', who],
  ['witness.info.reactor', who],
]

/** Of every kind. */
const SHARED: readonly Row[] = [
  [/spender/, ['spender', STRANGER]],
  [/reactor/, ...spentBy(STRANGER)],
  [/reactor/, ...spentBy(PERMIT2)],
  [/permitted.token/, ['permitted.token', WETH]],
  ...[1n, -1n].map((by): Row => [/permitted.amount/, ['permitted.amount', digits(by)]]),
  ...['nonce', 'witness.info.nonce'].map((path): Row => [/nonce/, [path, digits(1n)]]),
  ...['deadline', 'witness.info.deadline'].map((path): Row => [/deadline/, [path, digits(1n)]]),
  ...[NOW_S, NOW_S + 3_601].map((at): Row => [/^deadline$/, ...both('deadline', String(at))]),
  [/additionalValidation/, ['witness.info.additionalValidationContract', STRANGER]],
  [/additionalValidation/, ['witness.info.additionalValidationData', '0x01']],
  [/cosigner/, ['witness.cosigner', ZERO_EVM_ADDRESS]],
  ...(
    [
      ['witness.info.swapper', '0x12'],
      // Spelt as no wallet would take it.
      ['witness.cosigner', STRANGER.replace('F79', 'f79')],
      ['witness.info.more', '1'],
      ['more', '1'],
      ['nonce', 7],
      ['deadline', '0x10'],
    ] as const
  ).map((change): Row => [/undecodable/, change]),
]

const OUTPUTS = { v2: 'witness.baseOutputs', v3: 'witness.baseOutputs', priority: 'witness.outputs' } as const
const LEAST = { v2: 'endAmount', v3: 'minAmount', priority: 'amount' } as const
const START = { v2: 'startAmount', v3: 'startAmount', priority: 'amount' } as const

const half = (was: unknown) => String(BigInt(String(was)) / 2n)

const outputRows = (kind: Routing): readonly Row[] => {
  const [outputs, least, start] = [OUTPUTS[kind], LEAST[kind], START[kind]]
  return [
    [/^recipient$/, [`${outputs}.0.recipient`, STRANGER]],
    [/recipient/, [`${outputs}.0.recipient`, FEE_RECIPIENT]],
    [/nobody/, [`${outputs}.0.recipient`, ZERO_EVM_ADDRESS]],
    [/several recipients/, [`${outputs}.1.recipient`, STRANGER]],
    [/several output tokens/, [`${outputs}.0.token`, USDC]],
    [/several output tokens/, [`${outputs}.1.token`, USDC]],
    [/output.token/, [`${outputs}.*.token`, USDC]],
    [/output.minimum/, [`${outputs}.0.${least}`, digits(-1n)]],
    [/output.minimum/, [`${outputs}.*.${least}`, half]],
    [/output that rises/, [`${outputs}.0.${least}`, '0']],
    // A fee of twice the share, of none, and one whose share grows while the order decays.
    [/fee/, [`${outputs}.1.${start}`, digits(10n ** 15n)], [`${outputs}.1.${least}`, digits(10n ** 15n)]],
    [/fee/, [outputs, (all: unknown) => (all as readonly unknown[]).slice(0, 1)]],
    [/fee/, [`${outputs}.1.${start}`, half], [`${outputs}.1.${least}`, half]],
    [/fee/, [`${outputs}.1.${least}`, half]],
    // Paid beside all the others, in the same token.
    [/several recipients/, [outputs, (all: readonly object[]) => [...all, { ...all[0], recipient: STRANGER }]]],
    [/undecodable/, [outputs, []]],
    [/undecodable/, [`${outputs}.0.${start}`, '-1']],
  ]
}

const V2_AMOUNTS = ['permitted.amount', 'witness.baseInputStartAmount', 'witness.baseInputEndAmount'] as const

const OTHER_REACTORS = [
  REACTORS.priority,
  REACTORS.v2,
  '0x0000000015757c461808EA25Eb309638B62681cf',
  '0x00000006021a6Bce796be7ba509BBBA71e956e37',
]

const OF_KIND: { readonly [R in Routing]: readonly Row[] } = {
  v2: [
    [/reactor/, ...spentBy('0x0000000015757c461808EA25Eb309638B62681cf')],
    [/permitted.token/, ['witness.baseInputToken', WETH]],
    [/^input.token|input.token/, ['permitted.token', WETH], ['witness.baseInputToken', WETH]],
    [/input that changes/, ['witness.baseInputStartAmount', digits(-1n)]],
    [/permitted.amount/, ['witness.baseInputEndAmount', digits(1n)]],
    [/input.amount/, ...V2_AMOUNTS.map((path): Change => [path, digits(1n)])],
    ...outputRows('v2'),
  ],
  v3: [
    // Of other kinds, and of another chain.
    ...OTHER_REACTORS.map((reactor): Row => [/reactor/, ...spentBy(reactor)]),
    [/permitted.token/, ['witness.baseInput.token', WETH]],
    [/input that changes/, ['witness.baseInput.startAmount', digits(-1n)]],
    [/input that changes/, ['witness.baseInput.adjustmentPerGweiBaseFee', '1']],
    [/input that changes/, ['witness.baseInput.curve.relativeAmounts.0', '1']],
    [/input that changes/, ['witness.baseInput.curve.relativeAmounts.0', '-1']],
    [/permitted.amount/, ['witness.baseInput.maxAmount', digits(1n)]],
    [/output that rises/, ['witness.baseOutputs.0.startAmount', '1']],
    [/undecodable/, ['witness.baseOutputs.0.curve.relativeAmounts.0', '1.5']],
    ...outputRows('v3'),
  ],
  priority: [
    [/reactor/, ...spentBy('0x000000008a8330B5d1F43A62Bf4C673A49f27ba0')],
    [/permitted.token/, ['witness.input.token', WETH]],
    [/input that changes/, ['witness.input.mpsPerPriorityFeeWei', '1']],
    [/permitted.amount/, ['witness.input.amount', digits(1n)]],
    ...outputRows('priority'),
  ],
}

describe.each(KINDS)('proof: a UniswapX %s order', (kind) => {
  const rows = [...SHARED, ...OF_KIND[routingOf(kind)]].map(([reason, ...changes]) => ({
    reason,
    changes,
    name: `${changes.map(([path]) => path).join(' and ')}: ${reason.source}`,
  }))
  test.each(rows)('is rejected with another $name', async ({ reason, changes }) => {
    const told = changes.map(([path, value]) => [`${MESSAGE}.${path}`, value] as const)
    await expectRefused(kind, alteredBy(swaps[kind].execution, told), reason)
  })

  test.each([
    ['name', 'Permit3', /domain/],
    ['version', '1', /types/],
    ['salt', `0x${'1'.repeat(64)}`, /types/],
    ['chainId', 10, /undecodable/],
    ['chainId', 4663, /chain/],
    ['verifyingContract', STRANGER, /verifyingContract/],
    ['verifyingContract', PERMIT2.toLowerCase(), /verifyingContract/],
  ] as const)('is rejected with another %s of its domain: %j', async (field, value, reason) => {
    await expectRefused(kind, altered(swaps[kind].execution, `payload.typedData.domain.${field}`, value), reason)
  })

  test('is rejected with other types, primary type, chain or id, and with a second message', async () => {
    const { execution } = swaps[kind]
    const { types } = typedDataOf(execution)
    const fields = types[WITNESS[routingOf(kind)]] ?? []
    const narrow = (types['OrderInfo'] ?? []).map((field) => ({ ...field, type: field.type.replace('uint256', 'uint128') }))
    for (const [place, value] of [
      ['payload.typedData.primaryType', 'PermitTransferFrom'],
      ['payload.typedData.types.Permit', []],
      [`payload.typedData.types.${WITNESS[routingOf(kind)]}`, [...fields].reverse()],
      [`payload.typedData.types.${WITNESS[routingOf(kind)]}`, fields.slice(1)],
      ['payload.typedData.types.OrderInfo', narrow],
      ['payload.typedData.types', {}],
      ['payload.chainId', 10],
      ['payload.approvalData', typedDataOf(execution)],
      ['venueRef', `0x${'1'.repeat(64)}`],
    ] as const)
      refuses(place, await prove(bench.venue, swaps[kind], altered(execution, place, value)))
    const other = kind === 'v2' ? 'v3' : 'v2'
    refuses('another order', await prove(bench.venue, swaps[kind], swaps[other].execution))
    for (const spender of [STRANGER, null])
      refuses('spender', await prove(bench.venue, altered(swaps[kind], 'offer.spender', spender), execution))
    refuses('its time has come', await prove(bench.venue, swaps[kind], execution, START_OF_TIME + 300_000))
  })
})
