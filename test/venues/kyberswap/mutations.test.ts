import { afterEach, expect, test } from 'vitest'
import { addressOf, ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { alteredBy, prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations, flips } from '../../support/venueKit/mutations.ts'
import { type Call, hexOf, readCall, writeCall, writeGeneric } from './routerAbi.ts'
import { openBench, orders, ROUTER, STRANGER, WITH_FEE } from './support.ts'

/** Excluded are bytes that only the executor of the router reads. */

let bench: VenueBench
afterEach(() => bench?.close())
const count = countMutations('kyberswap')

const KINDS: readonly (readonly [string, VenueOrder])[] = [
  ['tokens, with a fee', orders.usdc({ feeBps: 15 })],
  ['coins', orders.ether()],
  ['tokens for coins, paid to a pool', orders.toEther({ feeBps: 15 })],
]

const open = async (order: VenueOrder): Promise<Swap> => {
  bench = await openBench({ settings: WITH_FEE })
  const swap = await swapOf(bench.venue, order)
  expect(await prove(bench.venue, swap)).toEqual([])
  return swap
}

const refuses = async (swap: Swap, path: string, value: unknown): Promise<readonly string[]> =>
  count(`${path} = ${value}`, await prove(bench.venue, swap, alteredBy(swap.execution, [[path, value]])))
const refusesData = (swap: Swap, data: string) => refuses(swap, 'payload.transaction.data', data)

type Words = Call['desc']

/** Every word of the description by itself, in each way that would be somebody's gain. */
const otherWords = ({ callTarget, desc }: Call): { readonly [word in keyof Words]: readonly unknown[] } => {
  const { srcReceivers, amount, minReturnAmount, feeReceivers, feeAmounts, flags } = desc
  const fee = feeAmounts[0] ?? 15n
  const isOfCoins = srcReceivers.length === 0
  return {
    srcToken: [isOfCoins ? USDC.ethereum : NATIVE, STRANGER, ZERO_EVM_ADDRESS],
    dstToken: [isOfCoins ? NATIVE : USDC.ethereum, STRANGER, ZERO_EVM_ADDRESS],
    srcReceivers: isOfCoins
      ? [[STRANGER], [callTarget], [STRANGER, STRANGER]]
      : [[], [ROUTER], [callTarget, STRANGER], [STRANGER, callTarget]],
    srcAmounts: isOfCoins ? [[amount], [1n]] : [[], [0n], [amount - 1n], [amount + 1n], [amount, 1n], [amount, amount]],
    feeReceivers: [[STRANGER], [...feeReceivers, STRANGER], [WALLETS.evm], ...(feeReceivers.length > 0 ? [[]] : [])],
    feeAmounts: [[fee + 1n], [0n], [10_000n], [fee, fee], [2n ** 255n], [fee * 10n], ...(feeAmounts.length > 0 ? [[]] : [])],
    dstReceiver: [STRANGER, ZERO_EVM_ADDRESS, WALLETS.evm, ROUTER, callTarget],
    amount: [0n, 1n, amount - 1n, amount + 1n, amount * 10n, 2n ** 256n - 1n],
    minReturnAmount: [0n, 1n, minReturnAmount - 1n, minReturnAmount / 10n, minReturnAmount / 2n],
    // Every flag but those that were seen, and with a fee the loss of either that give it its meaning.
    flags: [
      ...Array.from({ length: 256 }, (_, bit) => flags | (1n << BigInt(bit))).filter((other) => (other & ~0x2c0n) !== 0n),
      ...(feeAmounts.length > 0 ? [flags & ~0x40n, flags & ~0x80n, 0n] : []),
    ],
    permit: ['0x00', `0x${'00'.repeat(224)}`],
  }
}

test.each(KINDS)('proof: rejects any altered field of the swap description: %s', async (_kind, order) => {
  const swap = await open(order)
  const call = readCall(transactionOf(swap.execution).data)
  for (const [word, values] of Object.entries(otherWords(call)))
    for (const value of values) await refusesData(swap, writeCall({ ...call, desc: { ...call.desc, [word]: value } }))
  // A fee of somebody, where none or another was quoted.
  const fees = { feeReceivers: [hexOf(STRANGER)], feeAmounts: [100n] }
  await refusesData(swap, writeCall({ ...call, desc: { ...call.desc, ...fees, flags: 0x2c0n } }))
  await refusesData(swap, writeCall({ ...call, desc: { ...call.desc, ...fees, flags: 0x280n } }))
  await refusesData(swap, writeCall({ ...call, approveTarget: hexOf(STRANGER) }))
  const { callTarget, desc } = call
  if (desc.srcReceivers.length === 0) return
  // The whole input in equal parts, one of them for an address that is no pool.
  const { srcToken, dstToken, dstReceiver, feeReceivers, amount } = desc
  const noPool = [ZERO_EVM_ADDRESS, ROUTER, NATIVE, `0x${amount.toString(16).padStart(40, '0')}`] as readonly Hex[]
  for (const other of [...noPool, srcToken, dstToken, dstReceiver, ...feeReceivers])
    for (const others of [[other], [callTarget, other], [other, callTarget]]) {
      const srcAmounts = others.map(() => amount / BigInt(others.length))
      await refusesData(swap, writeCall({ ...call, desc: { ...desc, srcReceivers: others, srcAmounts } }))
      // Nor is it the executor.
      await refusesData(swap, writeCall({ ...call, callTarget: other, desc: { ...desc, srcReceivers: others, srcAmounts } }))
    }
})

const tryRead = (data: string): Call | null => {
  try {
    const call = readCall(data)
    return writeCall(call) === data ? call : null
  } catch {
    return null
  }
}

/**
 * Another executor or pool, bytes that the router only repeats, or more for the recipient: the router reverts where the recipient gains
 * less than the minimum.
 */
const isHarmless = (other: Call | null, own: Call): boolean => {
  if (other === null) return false
  const { minReturnAmount } = other.desc
  const { callTarget, targetData, clientData } = own
  const same = {
    ...other,
    callTarget,
    targetData,
    clientData,
    desc: { ...other.desc, minReturnAmount: own.desc.minReturnAmount, srcReceivers: own.desc.srcReceivers },
  }
  return minReturnAmount >= own.desc.minReturnAmount && writeCall(same) === writeCall(own)
}

test.each(KINDS)('proof: rejects any altered byte of the calldata: %s', async (_kind, order) => {
  const swap = await open(order)
  const { data } = transactionOf(swap.execution)
  const bytes = Buffer.from(data.slice(2), 'hex')
  const own = readCall(data)
  const others = flips(bytes).map((flipped) => `0x${Buffer.from(flipped).toString('hex')}`)
  const harmful = others.filter((other) => !isHarmless(tryRead(other), own))
  expect(harmful.length).toBeGreaterThan(bytes.length / 2)
  for (const other of harmful) await refusesData(swap, other)
  for (const other of [`${data}00`, `${data}${'ab'.repeat(32)}`, data.slice(0, -2), data.slice(0, -1), '0x', data.slice(0, 10)])
    await refusesData(swap, other)
})

test.each(KINDS)('proof: rejects another transaction, function or quote: %s', async (_kind, order) => {
  const swap = await open(order)
  const { data, value } = transactionOf(swap.execution)
  const call = readCall(data)
  await refusesData(swap, writeGeneric(call))
  await refusesData(swap, data.replace('0xe21fd0e9', '0x8af033fb'))
  for (const to of [STRANGER, addressOf('evm', call.callTarget), WALLETS.evm]) await refuses(swap, 'payload.transaction.to', to)
  for (const other of [value + 1n, value === 0n ? 10n ** 18n : 0n]) await refuses(swap, 'payload.transaction.value', other)
  for (const chainId of [10, 8453]) await refuses(swap, 'payload.transaction.chainId', chainId)
  await refuses(swap, 'payload.transaction.serialized', data)
  await refuses(swap, 'payload', {
    executionType: 'DEPOSIT',
    deposit: { chainId: 1, address: STRANGER, amount: order.inputAmount },
  })
  const { offer } = swap
  const { slippage, outputAmount } = offer
  for (const other of [
    { ...offer, spender: offer.spender === null ? ROUTER : STRANGER },
    { ...offer, fee: { bps: offer.fee.bps + 1, amount: offer.fee.amount } },
    { ...offer, slippage: slippage && { ...slippage, guaranteedMin: outputAmount } },
  ])
    count('another quote', await prove(bench.venue, { ...swap, offer: other as typeof offer }))
  count('another recipient', await prove(bench.venue, { ...swap, binding: { ...swap.binding, recipient: STRANGER } }))
})
