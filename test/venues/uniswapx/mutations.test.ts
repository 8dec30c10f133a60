import { isDeepStrictEqual } from 'node:util'
import { type Hex, hashStruct } from 'viem'
import { expect, test } from 'vitest'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import type { TypedData } from '../../../engine/core/execution.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { any, atLeast, attackTypedData, type Rules, type ToSign } from '../../support/venueKit/attackPayload.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { alteredBy, prove, swapOf } from '../../support/venueKit/calls.ts'
import { toldBy } from '../../support/venueKit/canned.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import {
  type Body,
  byPriority,
  byV2,
  byV3,
  cannedUniswapX,
  NONE,
  onUnichain,
  openBench,
  REACTORS,
  STRANGER,
  USDC,
  WETH,
} from './support.ts'

const MESSAGE = 'typedData.message'
const WITNESS = `${MESSAGE}.witness`
const NOW_S = START_OF_TIME / 1_000
const other = (value: unknown): string => String(BigInt(String(value)) + 1n)
const half = (value: unknown): string => String(BigInt(String(value)) / 2n)
const double = (value: unknown): string => String(BigInt(String(value)) * 2n)

/** Of each kind: its outputs, their amounts at the start and at least, the token of its input, and its amounts. */
const KINDS = {
  V2DutchOrder: ['baseOutputs', 'startAmount', 'endAmount', 'baseInputToken', 'baseInputStartAmount', 'baseInputEndAmount'],
  V3DutchOrder: ['baseOutputs', 'startAmount', 'minAmount', 'baseInput.token', 'baseInput.startAmount', 'baseInput.maxAmount'],
  PriorityOrder: ['outputs', 'amount', 'amount', 'input.token', 'input.amount'],
} as const
const kindOf = ({ types }: TypedData) => Object.keys(KINDS).find((name) => name in types) as keyof typeof KINDS

const OTHER_REACTORS = [
  ...[STRANGER, '0x000000000022D473030F116dDEE9F6B43aC78BA3', ...Object.values(REACTORS)],
  ...['0x0000000015757c461808EA25Eb309638B62681cf', '0x00000006021a6Bce796be7ba509BBBA71e956e37'],
]

type Changes = readonly (readonly [path: string, value: unknown])[]
const same = (value: unknown, ...paths: readonly string[]): Changes => [...new Set(paths)].map((path) => [path, value])
const each = (path: string, ...values: readonly unknown[]): readonly Changes[] => values.map((value) => [[path, value]])

/** Alterations of several fields that agree, and those that a type does not suggest. */
function* otherOrders(own: ToSign): Generator<ToSign> {
  const { typedData } = own
  const [name, start, least, ...ofInput] = KINDS[kindOf(typedData)]
  const outputs = `${WITNESS}.${name}`
  const [token = '', ...amounts] = ofInput.map((one) => `${WITNESS}.${one}`)
  const { reactor } = (typedData.message['witness'] as { readonly info: { readonly reactor: string } }).info
  const fee = (change: (was: unknown) => string): Changes => same(change, `${outputs}.1.${start}`, `${outputs}.1.${least}`)
  const reactors = OTHER_REACTORS.filter((one) => one !== reactor)
  const changes: readonly Changes[] = [
    ...reactors.map((one) => same(one, `${MESSAGE}.spender`, `${WITNESS}.info.reactor`)),
    ...[NOW_S, NOW_S + 3_601].map((at) => same(String(at), `${MESSAGE}.deadline`, `${WITNESS}.info.deadline`)),
    same(WETH, `${MESSAGE}.permitted.token`, token),
    same(other, `${MESSAGE}.permitted.amount`, ...amounts),
    ...each(`${outputs}.*.token`, USDC),
    ...each(`${outputs}.*.${least}`, half),
    // A fee of twice the share, of half of it, of none, and one whose share grows while the order decays.
    ...[fee(double), fee(half), ...each(outputs, (some: readonly object[]) => some.slice(0, 1))],
    ...each(`${outputs}.1.${least}`, half),
    // Paid beside all the others, in the same token.
    ...each(outputs, (some: readonly object[]) => [...some, { ...some[0], recipient: STRANGER }]),
    // As much in total, half of it to another.
    ...each(outputs, ([own, ...some]: readonly { readonly [field: string]: unknown }[]) => {
      const shared = { ...own, [start]: half(own?.[start]), [least]: half(own?.[least]) }
      return [shared, { ...shared, recipient: STRANGER, [start]: other(shared[start]), [least]: other(shared[least]) }, ...some]
    }),
    ...each(`${WITNESS}.cosigner`, STRANGER.replace('F79', 'f79')),
    ...each(`${WITNESS}.info.swapper`, '0x12'),
    ...each(`${MESSAGE}.nonce`, 7, '7', '0x10', '-1', '1.5'),
    ...each(`${outputs}.0.${start}`, '-1', '1.5', '0x10'),
    ...[10, 4663].map((id) => same(id, 'typedData.domain.chainId', 'chainId')),
    ...each('typedData.domain.verifyingContract', (was: string) => was.toLowerCase()),
    ...each('approvalData', typedData),
  ]
  for (const change of changes) yield alteredBy(own, change)
}

type Rule = Rules<ToSign>[string]
/** As much but for one unit, which no share shows. */
const isNear: Rule = ({ other: value, was }) => [-1n, 0n, 1n].includes(BigInt(value as string) - BigInt(was as string))
const isNearAndAsMuch: Rule = (place) => isNear(place) && atLeast(place)
/** The same payments in another order. */
const isReversed: Rule = ({ words, own }) => {
  const [there, here] = [words, own].map(({ typedData }) => {
    const { baseOutputs, outputs = baseOutputs } = typedData.message['witness'] as { readonly [name: string]: readonly unknown[] }
    return outputs ?? []
  })
  return isDeepStrictEqual(there, here?.toReversed())
}
const rulesOf = (rule: Rule, ...names: readonly string[]): Rules<ToSign> =>
  Object.fromEntries(names.map((name) => [`${WITNESS}.${name}`, (place) => isReversed(place) || rule(place)]))

const HARMLESS: Rules<ToSign> = {
  // Of another swapper the wallet's signature signs nothing.
  ...rulesOf(any, 'info.swapper'),
  // No cosigner can pay less than what was signed, but nobody signs for the zero address.
  ...rulesOf(({ other: value }) => value !== ZERO_EVM_ADDRESS, 'cosigner'),
  // When an output decays, and what a filler pays for its place, is above the signed minimum.
  ...rulesOf(any, 'startingBaseFee', 'auctionStartBlock', 'baselinePriorityFeeWei', 'outputs.*.mpsPerPriorityFeeWei'),
  ...rulesOf(
    any,
    'baseInput.curve.relativeBlocks',
    'baseOutputs.*.curve.relativeBlocks',
    'baseOutputs.*.adjustmentPerGweiBaseFee',
  ),
  ...rulesOf(any, 'baseOutputs.*.curve.relativeAmounts', 'baseOutputs.*.curve.relativeAmounts.*'),
  ...rulesOf(({ other: value }) => (value as readonly string[]).every((one) => one === '0'), 'baseInput.curve.relativeAmounts'),
  ...rulesOf(isReversed, 'baseOutputs.*.recipient', 'outputs.*.recipient'),
  ...rulesOf(isNearAndAsMuch, 'baseOutputs.0.minAmount', 'outputs.0.amount'),
  ...rulesOf(isNear, 'baseOutputs.*.startAmount', 'baseOutputs.1.minAmount', 'outputs.1.amount'),
  // An end above the start is the start.
  ...rulesOf(atLeast, 'baseOutputs.0.endAmount'),
  ...rulesOf((place) => isNear(place) || atLeast(place), 'baseOutputs.1.endAmount'),
}

const attacked = {
  venue: 'uniswapx',
  codec: { read: (toSign: ToSign) => toSign, write: (toSign: ToSign) => toSign },
  /** The id that the order has, as a venue gives it that lies consistently. */
  rehashed: (own: ToSign, altered: ToSign): ToSign => {
    const { types } = own.typedData
    const data = altered.typedData.message['witness'] as Record<string, unknown>
    return { ...altered, venueRef: hashStruct({ types, primaryType: kindOf(own.typedData), data } as never) as Hex }
  },
  harmless: HARMLESS,
  also: otherOrders,
}

attackTypedData<ToSign>({
  ...attacked,
  open: openBench,
  swaps: [
    { title: 'V2', order: byV2() },
    { title: 'V3', order: byV3() },
    { title: 'priority', order: byPriority() },
  ],
})

attackTypedData<ToSign>({
  ...attacked,
  // Where priority orders are, V3 is what they do not find.
  open: async () => {
    const bench = await openBench()
    const answering = toldBy(bench.sim)
    const isOlder = (body: unknown) => `${(body as Body)['protocols']}` === 'UNISWAPX_V2'
    return { ...bench, venue: cannedUniswapX((asked) => (isOlder(asked.body) ? NONE : answering(asked))).venue }
  },
  swaps: [
    { title: 'V3 on Base', order: byPriority() },
    { title: 'V3 on Unichain', order: onUnichain() },
  ],
})

const open = closedAfterEach(openBench)
const count = countMutations('uniswapx')

test.each([
  ['V2', byV2, byV3],
  ['V3', byV3, byV2],
  ['priority', byPriority, byV2],
])('proof: a %s order is rejected for another swap, and past its deadline', async (_kind, orderOf, otherOf) => {
  const { venue } = await open()
  const [swap, another] = [await swapOf(venue, orderOf()), await swapOf(venue, otherOf())]
  count('another order', await prove(venue, swap, another.execution))
  expect(count('late', await prove(venue, swap, swap.execution, START_OF_TIME + 300_000))).toEqual(['deadline'])
})
