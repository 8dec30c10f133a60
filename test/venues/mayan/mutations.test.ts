import { zeroHash } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { decodeSolanaTransaction, encodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { alteredBy, prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations, flips } from '../../support/venueKit/mutations.ts'
import { type Order, type Outer, readCall, writeCall } from './abi.ts'
import { FILLS, FORWARDER, SWIFT } from './fakeNetwork.ts'
import { openBench, orders, STRANGER, STRANGER_ON_SOLANA, WITH_FEE } from './support.ts'

let bench: VenueBench
afterEach(() => bench?.close())
const count = countMutations('mayan')

const KINDS: readonly (readonly [string, VenueOrder])[] = [
  ['a token, with a fee', orders.usdc({ feeBps: 15 })],
  ['a token to Solana', orders.toSol()],
  ['coins that are exchanged', orders.pol()],
  ['a token that is exchanged', orders.arb({ feeBps: 15 })],
  ['coins', orders.ether()],
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

const word = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}` as const
const HIGH = `0x01${'00'.repeat(31)}` as const

/** Every field of the order by itself, in each way that would be somebody's gain, and what nobody explains. */
const otherFields = (order: Order): { readonly [field in keyof Order]: readonly unknown[] } => ({
  payloadType: [0, 2, 255],
  trader: [zeroHash, word(STRANGER), word(SWIFT), HIGH],
  destAddr: [zeroHash, word(STRANGER), `0x${'77'.repeat(32)}`, HIGH],
  destChainId: [0, 2, 21, 44, 8453, 65_535].filter((id) => id !== order.destChainId),
  referrerAddr: order.referrerBps > 0 ? [zeroHash, word(STRANGER), word(WALLETS.evm)] : [],
  tokenOut: [word(USDC.ethereum), word(STRANGER), HIGH, ...(order.tokenOut === zeroHash ? [] : [zeroHash])],
  minAmountOut: [0n, 1n, order.minAmountOut - 1n, order.minAmountOut / 10n, order.minAmountOut / 10n ** 8n],
  gasDrop: [1n, 2n ** 64n - 1n],
  cancelFee: [0n, order.cancelFee + 1n, order.cancelFee * 10n ** 6n, 2n ** 64n - 1n],
  refundFee: [0n, order.refundFee + 1n, order.refundFee * 10n ** 6n, 2n ** 64n - 1n],
  deadline: [0n, BigInt(START_OF_TIME / 1_000), BigInt(START_OF_TIME / 1_000) + 6n * 3_600n + 1n, 2n ** 64n - 1n],
  referrerBps: [order.referrerBps + 1, 201, 255, ...(order.referrerBps > 0 ? [0] : [])],
  auctionMode: [0, 1, 4, 255],
  random: [zeroHash],
})

test.each(KINDS)('proof: rejects any altered field of the order: %s', async (_kind, order) => {
  const swap = await open(order)
  const call = readCall(transactionOf(swap.execution).data)
  const { inner } = call
  const write = (other: Partial<Outer['inner']>) => writeCall({ ...call, inner: { ...inner, ...other } })
  for (const [field, values] of Object.entries(otherFields(inner.order)))
    for (const value of values) await refusesData(swap, write({ order: { ...inner.order, [field]: value } }))
  for (const amountIn of [0n, 1n, inner.amountIn - 1n, inner.amountIn + 1n]) await refusesData(swap, write({ amountIn }))
  for (const tokenIn of [STRANGER, USDC.ethereum]) await refusesData(swap, write({ tokenIn: tokenIn as never }))
  for (const customPayload of ['0x00', `0x${'ab'.repeat(64)}`])
    await refusesData(swap, write({ customPayload: customPayload as never }))
})

const PERMIT = { value: 1n, deadline: 1n, v: 27, r: HIGH, s: HIGH }

test.each(KINDS)('proof: rejects any altered argument of the Forwarder: %s', async (_kind, order) => {
  const swap = await open(order)
  const call = readCall(transactionOf(swap.execution).data)
  const { args } = call
  for (const [at, arg] of args.slice(0, -1).entries()) {
    // What the exchange is told, and which of the list it is, nothing depends on but what it must leave.
    const isExchange = args.length > 6 && (at === args.length - 6 || at === args.length - 5)
    const others: unknown[] = []
    // As little less as still covers the output is another test's.
    if (typeof arg === 'bigint') others.push(0n, 1n, arg / 10n, ...(at === args.length - 3 ? [] : [arg - 1n]))
    if (typeof arg === 'string' && !isExchange) others.push(STRANGER, FILLS, USDC.ethereum, WALLETS.evm)
    if (typeof arg === 'object') for (const [field, value] of Object.entries(PERMIT)) others.push({ ...arg, [field]: value })
    for (const other of others) await refusesData(swap, writeCall({ ...call, args: args.with(at, other) }))
  }
})

const tryRead = (data: string): Outer | null => {
  try {
    const call = readCall(data)
    return writeCall(call) === data ? call : null
  } catch {
    return null
  }
}

/** More for the recipient, another name or time within bounds, another exchange, or more that it must leave: nobody's loss. */
const isHarmless = (other: Outer | null, own: Outer): boolean => {
  if (other === null) return false
  const [theirs, ours] = [other.inner.order, own.inner.order]
  const isExchange = own.args.length > 4 && own.functionName !== 'forwardERC20'
  const least = own.args.length - 3
  const args = isExchange
    ? own.args.with(least, other.args[least]).with(-6, other.args.at(-6)).with(-5, other.args.at(-5))
    : own.args
  const same = {
    ...own,
    args: isExchange ? args : own.args,
    inner: {
      ...own.inner,
      order: {
        ...ours,
        minAmountOut: theirs.minAmountOut,
        random: theirs.random,
        deadline: theirs.deadline,
        auctionMode: theirs.auctionMode,
        referrerAddr: ours.referrerBps === 0 ? theirs.referrerAddr : ours.referrerAddr,
      },
    },
  }
  const [now, until] = [BigInt(START_OF_TIME / 1_000), BigInt(START_OF_TIME / 1_000 + 6 * 3_600)]
  const isTimely = theirs.deadline > now && theirs.deadline <= until
  // What is left by the exchange has six decimals, as has the output on Arbitrum; orders count the one on BSC in eight.
  const inMiddle = ours.destChainId === 4 ? ours.minAmountOut / 100n : ours.minAmountOut
  const isMore = theirs.minAmountOut >= ours.minAmountOut && (!isExchange || (other.args[least] as bigint) >= inMiddle)
  return isTimely && isMore && [2, 3].includes(theirs.auctionMode) && writeCall(same) === writeCall(other)
}

// The others have the same words in them.
test.each([KINDS[0], KINDS[3]] as typeof KINDS)('proof: rejects any altered byte of the calldata: %s', async (_kind, order) => {
  const swap = await open(order)
  const { data } = transactionOf(swap.execution)
  const bytes = Buffer.from(data.slice(2), 'hex')
  const own = readCall(data)
  const others = flips(bytes).map((flipped) => `0x${Buffer.from(flipped).toString('hex')}`)
  const harmful = others.filter((other) => !isHarmless(tryRead(other), own))
  expect(harmful.length).toBeGreaterThan((bytes.length * 3) / 4)
  for (const other of harmful) await refusesData(swap, other)
  for (const other of [`${data}00`, `${data}${'ab'.repeat(32)}`, data.slice(0, -2), data.slice(0, -1), '0x', data.slice(0, 10)])
    await refusesData(swap, other)
})

test.each(KINDS)('proof: rejects another transaction or quote: %s', async (_kind, order) => {
  const swap = await open(order)
  const { value } = transactionOf(swap.execution)
  for (const to of [STRANGER, SWIFT, FILLS, WALLETS.evm]) await refuses(swap, 'payload.transaction.to', to)
  for (const other of [value + 1n, value === 0n ? 10n ** 18n : 0n]) await refuses(swap, 'payload.transaction.value', other)
  for (const chainId of [1, 10, 56]) await refuses(swap, 'payload.transaction.chainId', chainId)
  for (const keeps of ['0', '1', '999999999999']) await refuses(swap, 'carry.keeps', keeps)
  await refuses(swap, 'carry', null)
  const { offer } = swap
  const { slippage, outputAmount } = offer
  for (const other of [
    { ...offer, spender: offer.spender === null ? FORWARDER : STRANGER },
    { ...offer, fee: { bps: offer.fee.bps + 1, amount: offer.fee.amount } },
    { ...offer, slippage: slippage && { ...slippage, guaranteedMin: outputAmount } },
  ])
    count('another quote', await prove(bench.venue, { ...swap, offer: other as typeof offer }))
  const recipient = order.output.chainId === -2 ? STRANGER_ON_SOLANA : STRANGER
  count('another recipient', await prove(bench.venue, { ...swap, binding: { ...swap.binding, recipient } }))
  count('another refund', await prove(bench.venue, { ...swap, binding: { ...swap.binding, refundTo: STRANGER } }))
})

test('proof: rejects an exchange minimum below the value delivered, by one unit or a power of ten', async () => {
  const swap = await open(orders.pol())
  const call = readCall(transactionOf(swap.execution).data)
  const least = call.inner.order.minAmountOut
  for (const other of [least - 1n, least / 10n, least / 10n ** 12n, 0n])
    await refusesData(swap, writeCall({ ...call, args: call.args.with(4, other) }))
  expect(
    await prove(bench.venue, swap, withData(swap.execution, writeCall({ ...call, args: call.args.with(4, least) }))),
  ).toEqual([])
})

const withData = (execution: Execution, data: string): Execution => alteredBy(execution, [['payload.transaction.data', data]])

/** A transaction of Solana taken apart. */
const partsOf = async (execution: Execution) => {
  const transaction = await decodeSolanaTransaction(transactionOf(execution).data)
  if (!transaction) throw new TypeError('not a transaction')
  const { feePayer, recentBlockhash, instructions } = transaction
  const plans = instructions.map(({ programId, accounts, data }) => ({
    programId: programId as string,
    accounts: accounts.map((address) => ({ address: address as string, isSigner: address === feePayer })),
    data,
  }))
  return { feePayer: feePayer as string, recentBlockhash, instructions: plans }
}

const refusesParts = async (swap: Swap, name: string, parts: Awaited<ReturnType<typeof partsOf>>) => {
  const data = await encodeSolanaTransaction(parts)
  const transaction = { ...transactionOf(swap.execution), data, serialized: data }
  const built: Execution = { ...swap.execution, payload: { executionType: 'TRANSACTION', transaction } }
  count(name, await prove(bench.venue, swap, built))
}

/** Of the order's own call: the least output with more in it, its name and its time. */
const HARMLESS_BYTES = (at: number, byte: number, flipped: number): boolean => {
  const isWithin = (from: number, bytes: number) => at >= from && at < from + bytes
  return (isWithin(91, 8) && flipped > byte) || isWithin(123, 8) || isWithin(164, 1) || isWithin(165, 33)
}

test.each([
  ['a token', orders.fromSolana({ feeBps: 15 })],
  ['SOL', orders.sol({ feeBps: 15 })],
])('proof: on Solana, paid in %s, rejects any altered byte, account or instruction, and another payer', async (_kind, order) => {
  const swap = await open(order)
  const parts = await partsOf(swap.execution)
  const { instructions } = parts
  const using = (at: number, change: object) =>
    ({ ...parts, instructions: instructions.map((each, i) => (i === at ? { ...each, ...change } : each)) }) as typeof parts
  for (const [at, { data, accounts }] of instructions.entries()) {
    // Another name is another order, whose accounts are others: refused as well, and every byte of it.
    for (const [i, flipped] of flips(data).entries())
      if (at < instructions.length - 1 || !HARMLESS_BYTES(i, data[i] ?? 0, flipped[i] ?? 0) || isNamePart(i))
        await refusesParts(swap, `byte ${i} of call ${at}`, using(at, { data: flipped }))
    for (const [i] of accounts.entries()) {
      const others = accounts.map((account, j) => (j === i ? { ...account, address: STRANGER_ON_SOLANA } : account))
      await refusesParts(swap, `account ${i} of call ${at}`, using(at, { accounts: others }))
    }
    await refusesParts(swap, `without call ${at}`, { ...parts, instructions: instructions.toSpliced(at, 1) })
    await refusesParts(swap, `call ${at} twice`, {
      ...parts,
      instructions: instructions.toSpliced(at, 0, instructions[at] as never),
    })
  }
  const strange = { programId: '11111111111111111111111111111111', accounts: [], data: Uint8Array.of(2, 0, 0, 0) }
  await refusesParts(swap, 'a call beside', { ...parts, instructions: [...instructions, strange] })
  await refusesParts(swap, 'another payer', { ...parts, feePayer: STRANGER_ON_SOLANA })
  for (const to of [STRANGER_ON_SOLANA, WALLETS.solana]) await refuses(swap, 'payload.transaction.to', to)
  await refuses(swap, 'payload.transaction.value', 1n)
  await refuses(swap, 'payload.transaction.serialized', 'AA==')
  await refuses(swap, 'carry.keeps', '1')
})

/** Its name and its shares are seeds of its account, which would then be another's. */
const isNamePart = (at: number): boolean => at >= 8
