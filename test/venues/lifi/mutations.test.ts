import { isDeepStrictEqual } from 'node:util'
import { decodeFunctionData, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { any, atLeast, attackPayload, type Rules } from '../../support/venueKit/attackPayload.ts'
import { alteredBy, prove, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { bridgeIn, type Call, dataIn, FEES, readCall, type Step, stepsIn, writeCall } from './lifiAbi.ts'
import {
  BY_ACROSS,
  BY_CCTP,
  BY_INTENTS,
  DIAMOND,
  FORWARDER,
  openBench,
  orders,
  STRANGER,
  TREASURY,
  told,
  WITH_FEE,
} from './support.ts'

let bench: VenueBench
afterEach(() => bench?.close())

test.each([
  [8453, []],
  [42161, ['fee', 'unread: another fee contract']],
])('proof: accepts a fee collector of VENUE_LIFI_FEE_COLLECTORS only on its chain: %i', async (id, objections) => {
  bench = await openBench({ settings: { ...WITH_FEE, ...BY_ACROSS } })
  const swap = await swapOf(bench.venue, orders.bridged({ feeBps: 15 }))
  const call = readCall(transactionOf(swap.execution).data)
  const [step, ...steps] = stepsIn(call) as readonly [Step, ...Step[]]
  const bps = (share: bigint) => (step.fromAmount * share) / 10_000n
  const args = [step.sendingAssetId, bps(15n), bps(25n), WITH_FEE.FEE_RECIPIENT]
  const callData = encodeFunctionData({ abi: FEES, functionName: 'collectTokenFees', args })
  const swapData = [{ ...step, callTo: STRANGER, approveTo: STRANGER, callData }, ...steps]
  const data = writeCall({ ...call, args: { ...call.args, swapData } })
  const { venue } = told(bench, { settings: { ...WITH_FEE, FEE_COLLECTORS: `${id}=${STRANGER}` } })
  expect(await prove(venue, swap, alteredBy(swap.execution, [['payload.transaction.data', data]]))).toEqual(objections)
})

/** The call with its taking of fees, the first step, taken apart as well. */
type Words = { readonly call: Call; readonly fees: { readonly name: string; readonly args: readonly unknown[] } }

const codec = {
  read: (data: string): Words => {
    const call = readCall(data)
    const { functionName: name, args = [] } = decodeFunctionData({ abi: FEES, data: stepsIn(call)[0]?.callData ?? '0x' })
    return { call, fees: { name, args } }
  },
  write: ({ call, fees }: Words): string => {
    const callData = encodeFunctionData({ abi: FEES, functionName: fees.name, args: [...fees.args] })
    const swapData = stepsIn(call).map((step, at) => (at === 0 ? { ...step, callData } : step))
    return writeCall({ ...call, args: { ...call.args, swapData } })
  },
}

const sharesIn = ({ fees }: Words) => fees.args.at(-1) as readonly unknown[]

const HOUR = 3_600
const word = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
const exclusiveTo = (solver: Hex, until: number): Hex => `0xe0${solver.slice(2)}${until.toString(16).padStart(8, '0')}`
const placedAt = (call: Call): number => Number(dataIn(call)['fillDeadline']) - 44 * HOUR

/** Some minutes more or less; within the offered tolerance; a fee of the bridge as it is usual. */
const isNear: Rules<Words>[string] = ({ other, was }) => Math.abs((other as number) - (was as number)) < 600
const isTolerated: Rules<Words>[string] = ({ other, was }) => (other as bigint) * 1_000n >= (was as bigint) * 999n
const isUsualFee: Rules<Words>[string] = ({ other }) => (other as bigint) <= 1_100_000n
const isOfCoins: Rules<Words>[string] = ({ words, path }) =>
  stepsIn(words.call)[Number(path.split('.')[3])]?.sendingAssetId === zeroAddress
/** A solver has time to fill the order, and the order ends within three days. */
const isOpen: Rules<Words>[string] = ({ path, other, was, words: { call }, own }) => {
  if (!own.call.name.endsWith('V2')) return isNear({ path, other, was, words: { call } as Words, own })
  const [placed, { fillDeadline, expires }] = [placedAt(own.call), dataIn(call)]
  const isOrdered = placed + 600 < Number(fillDeadline) && Number(fillDeadline) <= Number(expires)
  return isOrdered && Number(fillDeadline) <= placed + 44.9 * HOUR && Number(expires) <= placed + 71.9 * HOUR
}
/** Another solver who may fill the order first, or for another moment, or no such solver. */
const isExclusive: Rules<Words>[string] = ({ other, was }) =>
  other === '0x' || (String(other).length === String(was).length && /^0xe0/.test(String(other)))

const NAMES = { transactionId: any, integrator: any, referrer: any }
const under = (path: string, rules: Rules<Words>): Rules<Words> =>
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [`${path}.${name}`, rule]))

/** Names of the swap, words for an exchange, more for the recipient, and an output that the contract computes anew. */
const HARMLESS: Rules<Words> = {
  // The shares of the fee in another order.
  'fees.args.*.*.*': ({ words, own }) => isDeepStrictEqual(sharesIn(words).toReversed(), sharesIn(own)),
  ...under('call.args', { ...NAMES, minAmountOut: atLeast }),
  ...under('call.args.swapData', { '*.requiresDeposit': isOfCoins, '0.callTo': () => false, '0.approveTo': () => false }),
  ...under('call.args.swapData.*', { callTo: any, approveTo: any, callData: any }),
  ...under('call.args.bridgeData', {
    ...NAMES,
    minAmount: (place) => stepsIn(place.own.call).length > 1 && atLeast(place),
  }),
  ...under('call.args.data', {
    outputAmount: any,
    // With coins the facet reads either word.
    sendingAssetId: ({ other, words }) => other === word(zeroAddress) && bridgeIn(words.call).sendingAssetId === zeroAddress,
    exclusiveRelayer: any,
    outputAmountMultiplier: isTolerated,
    quoteTimestamp: isNear,
    fillDeadline: isOpen,
    expires: isOpen,
    nonce: any,
    dstCallReceiver: any,
    outputContext: isExclusive,
    polymerTokenFee: isUsualFee,
    maxCCTPFee: isUsualFee,
    ...Object.fromEntries(
      ['nonEVMReceiver', 'solanaReceiverATA'].map((name) => [
        name,
        ({ own }) => !bridgeIn(own.call).receiver.startsWith('0x11f1'),
      ]),
    ),
  }),
}

/** Facets of the same diamond whose calls leave recipient or minimum to others. */
const OTHER_FACETS = '36b92404 a3443faa 02631b09 762aea18 9b054bc4 4c279d6b a6010a66 2c7d2db0 80c65808'.split(' ')

/** Other shares of the fee, steps and bridge words, each with a meaning of its own. */
function* otherCalls({ call, fees }: Words, least: bigint): Generator<Words | string> {
  for (const selector of OTHER_FACETS) yield `0x${selector}${writeCall(call).slice(10)}`
  const steps = stepsIn(call)
  const [fee, ...rest] = steps as readonly [Step, ...Step[]]
  const within = (args: { readonly [name: string]: unknown }): Words => ({
    call: { ...call, args: { ...call.args, ...args } },
    fees,
  })
  const service = { recipient: TREASURY, amount: fee.fromAmount / 400n }
  const shares = [
    [{ ...service, amount: service.amount * 2n }],
    [{ ...service, amount: fee.fromAmount }],
    [{ ...service, recipient: STRANGER }],
    [service, { recipient: STRANGER, amount: fee.fromAmount / 100n }],
    [service, { recipient: STRANGER, amount: fee.fromAmount / 1_000n }, { recipient: FORWARDER, amount: 1n }],
  ]
  for (const taken of shares) yield { call, fees: { ...fees, args: [...fees.args.slice(0, -1), taken] } }
  for (const callData of ['0x332d746b', `${fee.callData}00`] as const)
    yield writeCall({ ...call, args: { ...call.args, swapData: [{ ...fee, callData }, ...rest] } })
  yield writeCall({ ...call, args: { ...call.args, swapData: [] } })
  for (const step of rest) {
    const again = { ...fee, sendingAssetId: step.receivingAssetId, receivingAssetId: step.receivingAssetId }
    yield within({ swapData: [fee, step, again] })
    yield within({ swapData: [fee, { ...step, receivingAssetId: STRANGER }] })
  }
  if (!('bridgeData' in call.args)) return
  const [bridge, data] = [bridgeIn(call), dataIn(call)]
  for (const name of ['relaydepository', '', 'stargateV2']) yield within({ bridgeData: { ...bridge, bridge: name } })
  for (const id of [0n, 10n, 1151111081099710n, bridge.destinationChainId + (1n << 64n)])
    if (id !== bridge.destinationChainId) yield within({ bridgeData: { ...bridge, destinationChainId: id } })
  for (const receiver of [DIAMOND, WALLETS.evm, '0x11f111f111f111F111f111f111F111f111f111F1'])
    if (receiver !== bridge.receiver) yield within({ bridgeData: { ...bridge, receiver } })
  const withData = (words: { readonly [name: string]: unknown }) => within({ data: { ...data, ...words } })
  if ('outputAmountMultiplier' in data && rest.length > 0)
    // The exchange leaves less than is delivered, for any multiplier.
    for (const minAmount of [1n, 2n, least / 1_000n, least / 2n, least - 1n])
      yield within({
        bridgeData: { ...bridge, minAmount },
        data: { ...data, outputAmountMultiplier: (least * 10n ** 18n) / minAmount + 1n },
      })
  if (call.name.endsWith('AcrossV4')) {
    const now = data['quoteTimestamp'] as number
    for (const quoteTimestamp of [now - 3_700, now + 700]) yield withData({ quoteTimestamp })
    for (const fillDeadline of [now, now + 60, now + 8 * HOUR]) yield withData({ fillDeadline })
    for (const exclusivityParameter of [5, 600, 4_000_000_000]) yield withData({ exclusivityParameter })
    for (const token of [USDC.ethereum, STRANGER].map(word)) yield withData({ receivingAssetId: token })
    return
  }
  if (!call.name.endsWith('V2')) {
    // The faster way without a bound on its fee, and ways that nobody knows.
    for (const minFinalityThreshold of [1_000, 0, 500, 1_999, 3_000]) yield withData({ minFinalityThreshold })
    for (const polymerTokenFee of [10_000_000n, bridge.minAmount]) yield withData({ polymerTokenFee })
    return
  }
  const now = placedAt(call)
  for (const fillDeadline of [60, now, now + 60, now + 46 * HOUR, 72 * HOUR]) yield withData({ fillDeadline })
  for (const expires of [now + HOUR, now + 96 * HOUR, 96 * HOUR, 4_000_000_000]) yield withData({ expires })
  yield withData({ outputAmountMultiplier: (data['outputAmountMultiplier'] as bigint) * 100n })
  yield withData({ dstCallSwapData: steps })
  const context = String(data['outputContext'])
  // An auction, unread lengths, a solver who keeps the order to himself, and no solver in his place.
  const contexts = ['0x01', `0x01${'0'.repeat(80)}`, '0x0000', '0xe0', `${context}00`, `${context.slice(0, -8)}fffffffe`]
  for (const outputContext of [...contexts, exclusiveTo(word(zeroAddress), now + 60)]) yield withData({ outputContext })
  yield withData({ fillDeadline: now + 900, outputContext: exclusiveTo(word(STRANGER), now + 700) })
  yield withData({ fillDeadline: 900, outputContext: exclusiveTo(word(STRANGER), 700) })
  yield withData({ fillDeadline: 46 * HOUR, expires: 48 * HOUR })
}

attackPayload({
  venue: 'lifi',
  open: openBench,
  swaps: [
    { title: 'a swap within one chain, with a fee', order: orders.usdc({ feeBps: 15 }), settings: WITH_FEE },
    { title: 'a swap of coins', order: orders.ether() },
    { title: 'a swap into coins', order: orders.toEther() },
    { title: 'by Across, with a fee', order: orders.bridged({ feeBps: 15 }), settings: { ...WITH_FEE, ...BY_ACROSS } },
    { title: 'coins by Across', order: orders.bridgedEther(), settings: BY_ACROSS },
    { title: 'by Across, exchanged before', order: orders.exchanged(), settings: BY_ACROSS },
    { title: 'by Circle CCTP', order: orders.bridged(), settings: BY_CCTP },
    { title: 'by Circle CCTP to Solana', order: orders.toSolana(), settings: BY_CCTP },
    { title: 'by a solver, with a fee', order: orders.bridged({ feeBps: 15 }), settings: { ...WITH_FEE, ...BY_INTENTS } },
    { title: 'by a solver, exchanged before', order: orders.exchanged(), settings: BY_INTENTS },
  ],
  codec,
  harmless: HARMLESS,
  also: (words, { offer }) => otherCalls(words, offer.slippage?.guaranteedMin ?? 0n),
})
