import { encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { alteredBy, prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations, flips } from '../../support/venueKit/mutations.ts'
import { ESCROW } from './fakeNetwork.ts'
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

/** Excluded are bytes that only an exchange reads. */

let bench: VenueBench
afterEach(() => bench?.close())
const count = countMutations('lifi')

const KINDS: readonly (readonly [string, VenueOrder, { readonly [name: string]: string }])[] = [
  ['a swap within one chain, with a fee', orders.usdc({ feeBps: 15 }), WITH_FEE],
  ['a swap of coins', orders.ether(), {}],
  ['a swap into coins', orders.toEther(), {}],
  ['by Across, with a fee', orders.bridged({ feeBps: 15 }), { ...WITH_FEE, ...BY_ACROSS }],
  ['coins by Across', orders.bridgedEther(), BY_ACROSS],
  ['by Across, exchanged before', orders.exchanged(), BY_ACROSS],
  ["by Circle's bridge", orders.bridged(), BY_CCTP],
  ["by Circle's bridge to Solana", orders.toSolana(), BY_CCTP],
  ['by a solver, with a fee', orders.bridged({ feeBps: 15 }), { ...WITH_FEE, ...BY_INTENTS }],
  ['by a solver, exchanged before', orders.exchanged(), BY_INTENTS],
]

const open = async (order: VenueOrder, settings: { readonly [name: string]: string }): Promise<Swap> => {
  bench = await openBench({ settings })
  const swap = await swapOf(bench.venue, order)
  expect(await prove(bench.venue, swap)).toEqual([])
  return swap
}

const refuses = async (swap: Swap, path: string, value: unknown): Promise<readonly string[]> =>
  count(`${path} = ${value}`, await prove(bench.venue, swap, alteredBy(swap.execution, [[path, value]])))
const refusesData = (swap: Swap, data: string) => refuses(swap, 'payload.transaction.data', data)

const word = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
const [STRANGE, NOBODY] = [word(STRANGER), word(zeroAddress)]

test.each([
  [8453, []],
  [42161, ['fee', 'unread: another fee contract']],
])('proof: accepts a fee collector of VENUE_LIFI_FEE_COLLECTORS only on its chain: %i', async (id, objections) => {
  const swap = await open(orders.bridged({ feeBps: 15 }), { ...WITH_FEE, ...BY_ACROSS })
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

type Others = { readonly [word: string]: readonly unknown[] }

/** Every word of a struct by itself, in each way that would be somebody's gain. */
const ofBridge = (call: Call): Others => {
  const { minAmount, destinationChainId, receiver } = bridgeIn(call)
  return {
    bridge: ['relaydepository', '', 'stargateV2'],
    sendingAssetId: [STRANGER, USDC.ethereum],
    receiver: [
      STRANGER,
      zeroAddress,
      WALLETS.evm,
      DIAMOND,
      receiver.startsWith('0x11f1') ? WALLETS.evmOther : '0x11f111f111f111F111f111f111F111f111f111F1',
    ],
    minAmount: [0n, 1n, minAmount - 1n, minAmount / 2n],
    destinationChainId: [0n, 10n, 8453n, 42161n, 1151111081099710n, destinationChainId + (1n << 64n)].filter(
      (id) => id !== destinationChainId,
    ),
    hasSourceSwaps: [false],
    hasDestinationCall: [true],
  }
}

const ofAcross = (call: Call): Others => {
  const data = dataIn(call)
  const [multiplier, now] = [data['outputAmountMultiplier'] as bigint, data['quoteTimestamp'] as number]
  return {
    receiverAddress: [STRANGE, NOBODY, word(WALLETS.evm), `0x01${STRANGE.slice(4)}`],
    refundAddress: [STRANGE, NOBODY, `0x01${word(WALLETS.evm).slice(4)}`],
    sendingAssetId: [STRANGE, word(USDC.ethereum), `0xff${'f'.repeat(62)}`],
    receivingAssetId: [STRANGE, NOBODY, word(USDC.ethereum)],
    outputAmountMultiplier: [0n, 1n, multiplier / 2n, multiplier - multiplier / 50n],
    exclusiveRelayer: [],
    quoteTimestamp: [0, now - 3_700, now + 700],
    fillDeadline: [0, now, now + 60, now + 8 * 3_600],
    exclusivityParameter: [5, 600, 4_000_000_000],
    message: ['0x00', `0x${'00'.repeat(96)}`],
  }
}

const exclusiveTo = (solver: Hex, until: number): Hex => `0xe0${solver.slice(2)}${until.toString(16).padStart(8, '0')}`

const ofIntent = (call: Call): Others => {
  const { fillDeadline, outputAmountMultiplier, outputContext } = dataIn(call) as {
    readonly fillDeadline: number
    readonly outputAmountMultiplier: bigint
    readonly outputContext: string
  }
  const now = fillDeadline - 44 * 3_600
  const [hour, day] = [3_600, 86_400]
  return {
    recipient: [STRANGE, NOBODY, word(WALLETS.evm), `0x01${STRANGE.slice(4)}`],
    depositAndRefundAddress: [STRANGER, zeroAddress],
    expires: [0, 1, now + hour, fillDeadline - 1, now + 4 * day, 4 * day, 4_000_000_000],
    fillDeadline: [0, 60, now, now + 60, now + 46 * hour, 3 * day],
    inputOracle: [STRANGER, zeroAddress, FORWARDER],
    outputOracle: [STRANGE, NOBODY],
    outputSettler: [STRANGE, NOBODY, word(ESCROW)],
    outputToken: [STRANGE, NOBODY, word(USDC.ethereum)],
    // Less than was quoted, and more than anybody pays.
    outputAmountMultiplier: [0n, 1n, outputAmountMultiplier / 2n, outputAmountMultiplier - outputAmountMultiplier / 50n].concat(
      outputAmountMultiplier * 100n,
    ),
    dstCallSwapData: [stepsIn(call)],
    // An auction, lengths that nobody reads, a solver who keeps the order to himself, and nobody in his place.
    outputContext: [
      '0x01',
      `0x01${'0'.repeat(80)}`,
      '0x0000',
      '0xe0',
      `${outputContext}00`,
      `${outputContext.slice(0, -8)}fffffffe`,
      exclusiveTo(NOBODY, now + 60),
    ],
  }
}

const ofCctp = (call: Call): Others => {
  const data = dataIn(call)
  const [fee, most] = [data['polymerTokenFee'] as bigint, bridgeIn(call).minAmount]
  const isSolana = data['nonEVMReceiver'] !== NOBODY
  return {
    polymerTokenFee: [fee + 10_000_000n, most, most + 1n, 2n ** 255n],
    maxCCTPFee: [10_000_000n, most, 2n ** 255n],
    ...(isSolana ? { nonEVMReceiver: [STRANGE, NOBODY], solanaReceiverATA: [STRANGE, NOBODY, data['nonEVMReceiver']] } : {}),
    // The faster way without a bound on its fee, and ways that nobody knows.
    minFinalityThreshold: [1_000, 0, 500, 1_999, 3_000],
    refundRecipient: [STRANGER, zeroAddress],
    hookData: ['0x00', `0x${'00'.repeat(64)}`],
  }
}

const forward = (token: Hex, shares: readonly { recipient: Hex; amount: bigint }[]): Hex =>
  token === zeroAddress
    ? encodeFunctionData({ abi: FEES, functionName: 'forwardNativeFees', args: [shares] })
    : encodeFunctionData({ abi: FEES, functionName: 'forwardERC20Fees', args: [token, shares] })

/** The taking of fees, and what follows it. */
const otherSteps = ([fee, ...rest]: readonly Step[]): readonly (readonly Step[])[] => {
  if (!fee) throw new TypeError('no step')
  const { sendingAssetId: token, fromAmount } = fee
  const service = { recipient: TREASURY as Hex, amount: fromAmount / 400n }
  const [to, all] = [STRANGER as string as Hex, fromAmount]
  const changed = (change: Partial<Step>) => [{ ...fee, ...change }, ...rest]
  const takes = (shares: readonly { recipient: Hex; amount: bigint }[]) => changed({ callData: forward(token, shares) })
  return [
    ...[fromAmount - 1n, fromAmount + 1n, fromAmount * 2n, 0n].map((amount) => changed({ fromAmount: amount })),
    ...[STRANGER, '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599'].map((asset) => changed({ sendingAssetId: asset as Hex })),
    changed({ receivingAssetId: STRANGER as string as Hex }),
    ...(token === zeroAddress ? [] : [changed({ requiresDeposit: false }), changed({ approveTo: to })]),
    takes([{ ...service, amount: service.amount * 2n }]),
    takes([{ ...service, amount: all }]),
    takes([{ recipient: to, amount: service.amount }]),
    takes([service, { recipient: to, amount: all / 100n }]),
    takes([service, { recipient: to, amount: all / 1_000n }, { recipient: FORWARDER, amount: 1n }]),
    changed({ callData: '0x332d746b' }),
    changed({ callData: `${fee.callData}00` as Hex }),
    [],
    [fee, fee, ...rest],
    [...rest],
    ...rest.flatMap((step) => [
      [fee, { ...step, fromAmount: step.fromAmount - 1n }],
      [fee, { ...step, receivingAssetId: STRANGER as string as Hex }],
      [fee, { ...step, sendingAssetId: STRANGER as string as Hex }],
      ...(token === zeroAddress ? [] : [[fee, { ...step, requiresDeposit: true }]]),
      [
        fee,
        step,
        {
          ...fee,
          sendingAssetId: step.receivingAssetId,
          receivingAssetId: step.receivingAssetId,
          callData: forward(step.receivingAssetId, [service]),
        },
      ],
    ]),
  ]
}

const changedIn = (call: Call, part: string, name: string, value: unknown): Call => ({
  ...call,
  args: { ...call.args, [part]: { ...(call.args[part] as object), [name]: value } },
})

test.each(KINDS)('proof: rejects any altered argument of the call: %s', async (_kind, order, settings) => {
  const swap = await open(order, settings)
  const call = readCall(transactionOf(swap.execution).data)
  const structs: readonly (readonly [string, Others])[] = call.name.startsWith('swapTokens')
    ? []
    : [
        ['bridgeData', ofBridge(call)],
        ['data', call.name.endsWith('AcrossV4') ? ofAcross(call) : call.name.endsWith('V2') ? ofIntent(call) : ofCctp(call)],
      ]
  for (const [part, others] of structs)
    for (const [name, values] of Object.entries(others))
      for (const value of values) {
        const was = (call.args[part] as { [name: string]: unknown })[name]
        if (value !== was) await refusesData(swap, writeCall(changedIn(call, part, name, value)))
      }
  if (structs.length === 0) {
    const least = call.args['minAmountOut'] as bigint
    for (const receiver of [STRANGER, zeroAddress, WALLETS.evm, DIAMOND])
      await refusesData(swap, writeCall({ ...call, args: { ...call.args, receiver } }))
    for (const minAmountOut of [0n, 1n, least - 1n, least / 2n])
      await refusesData(swap, writeCall({ ...call, args: { ...call.args, minAmountOut } }))
  }
  for (const steps of otherSteps(stepsIn(call)))
    await refusesData(swap, writeCall({ ...call, args: { ...call.args, swapData: steps } }))
})

test.each([BY_ACROSS, BY_INTENTS])(
  'proof: rejects a swap before %j that leaves less than is delivered, for any multiplier',
  async (settings) => {
    const swap = await open(orders.exchanged(), settings)
    const call = readCall(transactionOf(swap.execution).data)
    const least = swap.offer.slippage?.guaranteedMin ?? 0n
    for (const minAmount of [1n, 2n, least / 1_000n, least / 2n, least - 1n]) {
      const outputAmountMultiplier = (least * 10n ** 18n) / minAmount + 1n
      const theft = changedIn(
        changedIn(call, 'bridgeData', 'minAmount', minAmount),
        'data',
        'outputAmountMultiplier',
        outputAmountMultiplier,
      )
      expect(await refusesData(swap, writeCall(theft))).toEqual(['bridged'])
    }
  },
)

test('proof: rejects an intent with exclusivity until its end, or a deadline over 45 hours after its block', async () => {
  const swap = await open(orders.bridged(), BY_INTENTS)
  const call = readCall(transactionOf(swap.execution).data)
  const now = Number(dataIn(call)['fillDeadline']) - 44 * 3_600
  for (const times of [
    { fillDeadline: now + 900, outputContext: exclusiveTo(STRANGE, now + 700) },
    { fillDeadline: 900, outputContext: exclusiveTo(STRANGE, 700) },
    { fillDeadline: 46 * 3_600, expires: 48 * 3_600 },
  ])
    await refusesData(swap, writeCall({ ...call, args: { ...call.args, data: { ...dataIn(call), ...times } } }))
})

const tryRead = (data: string): Call | null => {
  try {
    const call = readCall(data)
    return writeCall(call) === data ? call : null
  } catch {
    return null
  }
}

type Named = { readonly [name: string]: unknown }
const atLeast = (other: unknown, own: unknown): unknown =>
  typeof other === 'bigint' && typeof own === 'bigint' && other >= own ? own : other

/**
 * Other names of the swap or of who sold it, other words for an exchange, more for the recipient, or an output that the contract
 * computes anew: nobody's loss.
 */
const isHarmless = (other: Call | null, own: Call): boolean => {
  if (other === null || other.name !== own.name) return false
  const [steps, was] = [stepsIn(other), stepsIn(own)]
  if (steps.length !== was.length) return false
  const swapData = steps.map((step, at) => {
    // With coins nothing is taken from the wallet but what it sends.
    const deposit = step.sendingAssetId === zeroAddress ? ['requiresDeposit'] : []
    return { ...step, ...pick(was[at], ...deposit, ...(at === 0 ? [] : ['callTo', 'approveTo', 'callData'])) }
  })
  const part = (name: string, same: (theirs: Named, ours: Named) => Named) => {
    const [theirs, ours] = [other.args[name] as Named | undefined, own.args[name] as Named | undefined]
    return theirs && ours ? { [name]: same(theirs, ours) } : {}
  }
  const args = {
    ...other.args,
    ...pick(own.args, 'transactionId', 'integrator', 'referrer'),
    ...('minAmountOut' in own.args ? { minAmountOut: atLeast(other.args['minAmountOut'], own.args['minAmountOut']) } : {}),
    swapData,
    ...part('bridgeData', (theirs, ours) => ({
      ...theirs,
      ...pick(ours, 'transactionId', 'integrator', 'referrer'),
      minAmount: stepsIn(own).length > 1 ? atLeast(theirs['minAmount'], ours['minAmount']) : theirs['minAmount'],
    })),
    ...part('data', (theirs, ours) => {
      const [multiplier, mine] = [theirs['outputAmountMultiplier'], ours['outputAmountMultiplier']]
      // Within the tolerance that was quoted.
      const isNear = typeof multiplier === 'bigint' && typeof mine === 'bigint' && multiplier * 1_000n >= mine * 999n
      const isTime = (name: string) => Math.abs((theirs[name] as number) - (ours[name] as number)) < 600
      const near = ['quoteTimestamp', 'fillDeadline', 'expires'].filter((name) => name in ours && isTime(name))
      const times = 'nonce' in ours ? ['nonce', 'dstCallReceiver', ...exclusive(theirs, ours), ...stillOpen(theirs, ours)] : near
      const fees = ['polymerTokenFee', 'maxCCTPFee'].filter((name) => name in ours && (theirs[name] as bigint) <= 1_100_000n)
      const unused = [
        'outputAmount',
        'exclusiveRelayer',
        ...(bridgeIn(own).receiver.startsWith('0x11f1') ? [] : ['nonEVMReceiver', 'solanaReceiverATA']),
      ]
      return { ...theirs, ...pick(ours, ...unused, ...times, ...fees, ...(isNear ? ['outputAmountMultiplier'] : [])) }
    }),
  }
  return writeCall({ ...other, args }) === writeCall(own)
}

/** Another solver who comes first, or for another moment. */
const exclusive = ({ outputContext: other }: Named, { outputContext: own }: Named): readonly string[] =>
  String(other).length === String(own).length && /^0xe0/.test(String(other)) ? ['outputContext'] : []

/** Some hours more or less to fill an order, within what is allowed. */
const stillOpen = ({ fillDeadline, expires }: Named, ours: Named): readonly string[] => {
  const now = Number(ours['fillDeadline']) - 44 * 3_600
  const isOrdered = now + 600 < Number(fillDeadline) && Number(fillDeadline) <= Number(expires)
  return isOrdered && Number(fillDeadline) <= now + 44.9 * 3_600 && Number(expires) <= now + 71.9 * 3_600
    ? ['fillDeadline', 'expires']
    : []
}

const pick = (from: object | undefined, ...names: readonly string[]): Named =>
  Object.fromEntries(Object.entries(from ?? {}).filter(([name]) => names.includes(name)))

/** Every byte of one call of each form. */
const FORMS = KINDS.filter(([kind]) => /with a fee|into coins|exchanged|to Solana/.test(kind))

test.each(FORMS)('proof: rejects any altered byte of the calldata: %s', async (_kind, order, settings) => {
  const swap = await open(order, settings)
  const { data } = transactionOf(swap.execution)
  const own = readCall(data)
  const others = flips(Buffer.from(data.slice(2), 'hex')).map((flipped) => `0x${Buffer.from(flipped).toString('hex')}`)
  const harmful = others.filter((other) => !isHarmless(tryRead(other), own))
  expect(harmful.length).toBeGreaterThan(others.length / 2)
  for (const other of harmful) await refusesData(swap, other)
  for (const other of [`${data}00`, `${data}${'ab'.repeat(32)}`, data.slice(0, -2), data.slice(0, -1), '0x', data.slice(0, 10)])
    await refusesData(swap, other)
})

/** Facets of the same diamond whose calls leave recipient or minimum to others. */
const OTHER_SELECTORS = [
  '0x36b92404',
  '0xa3443faa',
  '0x02631b09',
  '0x762aea18',
  '0x9b054bc4',
  '0x4c279d6b',
  '0xa6010a66',
  '0x2c7d2db0',
  '0x80c65808',
]

test.each(KINDS)('proof: rejects another transaction, function or quote: %s', async (_kind, order, settings) => {
  const swap = await open(order, settings)
  const { data, value } = transactionOf(swap.execution)
  for (const selector of OTHER_SELECTORS) await refusesData(swap, `${selector}${data.slice(10)}`)
  for (const to of [STRANGER, addressOf('evm', FORWARDER), WALLETS.evm]) await refuses(swap, 'payload.transaction.to', to)
  for (const other of [value + 1n, value === 0n ? 10n ** 18n : 0n]) await refuses(swap, 'payload.transaction.value', other)
  for (const chainId of [10, 43114]) await refuses(swap, 'payload.transaction.chainId', chainId)
  await refuses(swap, 'payload.transaction.serialized', data)
  await refuses(swap, 'payload', {
    executionType: 'DEPOSIT',
    deposit: { chainId: 1, address: STRANGER, amount: order.inputAmount },
  })
  const { offer } = swap
  const { slippage, outputAmount } = offer
  for (const other of [
    { ...offer, spender: offer.spender === null ? DIAMOND : STRANGER },
    { ...offer, fee: { bps: offer.fee.bps + 1, amount: offer.fee.amount } },
    { ...offer, slippage: slippage && { ...slippage, guaranteedMin: outputAmount * 2n } },
  ])
    count('another quote', await prove(bench.venue, { ...swap, offer: other as typeof offer }))
  count('another recipient', await prove(bench.venue, { ...swap, binding: { ...swap.binding, recipient: STRANGER } }))
})
