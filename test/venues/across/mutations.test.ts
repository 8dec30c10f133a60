import { encodeFunctionData } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import type { Execution, Hex } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import { SOMEONE, solanaPlanOf } from '../../support/venueKit/payloads.ts'
import { OLD_DEPOSITS } from './abi.ts'
import {
  action,
  type Call,
  type Change,
  changed,
  changesOf,
  fieldsOf,
  type Instructions,
  reworded,
  TAGS,
  word,
} from './forging.ts'
import { BUDGET, exclusiveFor, SOLANA_CHANGES, serializedOf } from './forgingSolana.ts'
import { type AcrossBench, ARB, FEE_RECIPIENT, NATIVE, openBench, USDC, usdcOrder, WETH, WITH_FEE } from './support.ts'

const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906') as Address & Hex
const HANDLER: Hex = '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E'
/** The periphery of February. */
const OLD_PERIPHERY = addressOf('evm', '0x89415a82d909a7238d69094C3Dd1dCC1aCbDa85C')
const NOW = START_OF_TIME / 1_000

let bench: AcrossBench
const count = countMutations('across')
afterEach(() => bench?.close())

const withTransaction = (execution: Execution, change: object): Execution => ({
  ...execution,
  payload: { executionType: 'TRANSACTION', transaction: { ...transactionOf(execution), ...change } },
})

const refuses = async (swap: Swap, name: string, change: object): Promise<void> => {
  count(name, await prove(bench.venue, swap, withTransaction(swap.execution, change)))
}

const refusesFields = async (swap: Swap, changes: readonly Change[], under = ''): Promise<void> => {
  const { data } = transactionOf(swap.execution)
  for (const [path, value] of changes) await refuses(swap, path, { data: changed(data, [`${under}${path}`, value]) })
}

const open = async (order: VenueOrder): Promise<Swap> => {
  bench = await openBench({ settings: WITH_FEE })
  const swap = await swapOf(bench.venue, order)
  expect(await prove(bench.venue, swap)).toEqual([])
  return swap
}

const ether = (feeBps = 0): VenueOrder =>
  anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n, feeBps, recipient: WALLETS.evmOther })

/** Of a deposit by any entry point. */
const DEPOSIT_CHANGES = changesOf('deposit')

/** Together with a relayer that alone may fill. */
const EXCLUSIVE_SECONDS = [301, 86_400, 31_536_000, NOW + 301, NOW + 86_400, 4_294_967_295]

const refusesExclusivity = async (swap: Swap, under = ''): Promise<void> => {
  const { data } = transactionOf(swap.execution)
  const exclusive = (seconds: number) =>
    changed(changed(data, [`${under}exclusiveRelayer`, word(STRANGER)]), [`${under}exclusivityParameter`, seconds])
  for (const seconds of EXCLUSIVE_SECONDS) await refuses(swap, `exclusive for ${seconds}`, { data: exclusive(seconds) })
  // FILL_DEADLINE_BUFFER: the latest that the pools take.
  const latest = changed(data, [`${under}fillDeadline`, NOW + 6 * 3_600])
  expect(await prove(bench.venue, swap, withTransaction(swap.execution, { data: latest }))).toEqual([])
  const late = changed(exclusive(300), [`${under}fillDeadline`, NOW + 300])
  await refuses(swap, 'exclusive for as long as it can be filled', { data: late })
  // As Across really asks, and no longer than a few minutes.
  for (const seconds of [0, 5, 300, NOW + 300])
    expect(await prove(bench.venue, swap, withTransaction(swap.execution, { data: exclusive(seconds) }))).toEqual([])
}

const refusesEnvelopes = async (swap: Swap): Promise<void> => {
  const { data, value } = transactionOf(swap.execution)
  const ENVELOPES: { readonly [name: string]: object } = {
    chain: { chainId: 10 },
    contract: { to: STRANGER },
    'another of Across’s contracts': { to: OLD_PERIPHERY },
    'the SpokePool of another chain': { to: addressOf('evm', '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5') },
    value: { value: value + 1n },
    ...(value > 0n && { 'no value': { value: 0n } }),
    'extra calldata': { data: `${data}00` },
    'extra calldata before the tags': { data: `${data.slice(0, -TAGS.length)}00${TAGS}` },
    'a third tag': { data: `${data}73c0de` },
    'a hidden call after the tag': { data: `${data}${'ab'.repeat(32)}` },
    'cut short': { data: data.slice(0, -TAGS.length - 64) },
    'another selector': { data: `0xdeadbeef${data.slice(10)}` },
    'odd digits': { data: data.slice(0, -1) },
    nothing: { data: '0x' },
  }
  for (const [name, change] of Object.entries(ENVELOPES)) await refuses(swap, name, change)
}

test('proof: rejects any altered field of a deposit without a message', async () => {
  const swap = await open(usdcOrder())
  const { data } = transactionOf(swap.execution)
  await refusesEnvelopes(swap)
  await refusesExclusivity(swap)
  const dirty = (before: string) => `0x01${before.slice(4)}`
  await refusesFields(swap, [
    ...DEPOSIT_CHANGES,
    ...[word(STRANGER), word(swap.order.recipient), dirty].map((value): Change => ['depositor', value]),
    ...[word(STRANGER), word(swap.order.sender), word(HANDLER), dirty].map((value): Change => ['recipient', value]),
    ['inputToken', word(WETH.base)],
    ['inputAmount', (before: bigint) => before + 1n],
    ['inputAmount', 1n],
  ])
  // A word a contract would not read, but which decoders skip: the message's offset moved over a gap.
  const hex = data.slice(0, -TAGS.length)
  const offsetAt = 10 + 11 * 64
  const gap = `${hex.slice(0, offsetAt)}${(13 * 32).toString(16).padStart(64, '0')}${'ee'.repeat(32)}${hex.slice(offsetAt + 64)}${TAGS}`
  await refuses(swap, 'a gap', { data: gap })
  await refuses({ ...swap, offer: { ...swap.offer, spender: STRANGER } }, 'spender', {})
})

test('proof: rejects any altered field of a native deposit through the periphery', async () => {
  const swap = await open(ether())
  await refusesEnvelopes(swap)
  await refusesExclusivity(swap)
  await refusesFields(swap, [...DEPOSIT_CHANGES, ...changesOf('native')])
})

const call = (target: string, callData: Hex = '0x', value = 0n): Call => ({ target: target as Hex, callData, value })
const drain = (token: string, to: string): Call => call(HANDLER, action('drainLeftoverTokens', token, to))
const transfer = (token: string, to: string, amount: bigint): Call => call(token, action('transfer', to, amount))

type Recall = readonly [name: string, change: (...calls: Call[]) => readonly Call[]]
const refusesCalls = async (swap: Swap, changes: readonly Recall[]): Promise<void> => {
  const { data } = transactionOf(swap.execution)
  for (const [name, change] of changes)
    await refuses(swap, name, { data: reworded(data, (all) => ({ ...all, calls: change(...all.calls) })) })
}

test('proof: rejects any altered call in a message that pays a fee in tokens', async () => {
  const swap = await open(usdcOrder({ feeBps: 15 }))
  const fee = swap.offer.fee.amount
  const token = USDC.arbitrum
  const pay = (to: string, amount: bigint) => transfer(token, to, amount)
  await refusesCalls(swap, [
    ['fee recipient', (_, ...rest) => [pay(STRANGER, fee), ...rest]],
    ['fee amount up', (_, ...rest) => [pay(FEE_RECIPIENT, fee + 1n), ...rest]],
    ['fee amount a hundred times', (_, ...rest) => [pay(FEE_RECIPIENT, fee * 100n), ...rest]],
    ['fee amount down', (_, ...rest) => [pay(FEE_RECIPIENT, fee / 2n), ...rest]],
    ['more than there is', (_, ...rest) => [pay(FEE_RECIPIENT, 10n ** 12n), ...rest]],
    ['no fee', (_, ...rest) => rest],
    ['a second fee', (...calls) => [pay(STRANGER, 1n), ...calls]],
    ['recipient', (first) => [first, drain(token, STRANGER)]],
    ['leftovers', (first, second) => [first, second, drain(token, STRANGER)]],
    ['drained before the recipient', (...calls) => [drain(token, STRANGER), ...calls]],
    ['the fee taken as a drain', (_, ...rest) => [drain(token, FEE_RECIPIENT), ...rest]],
    ['a drain of another token', (...calls) => [drain(ARB, swap.order.recipient), ...calls]],
    ['nothing delivered', (first) => [first]],
    ['no calls', () => []],
    ['an approval', (...calls) => [call(token, action('approve', STRANGER, 1n)), ...calls]],
    ['a call of a stranger', (...calls) => [...calls, call(STRANGER, '0x12345678')]],
    ['data logged by a stranger', (...calls) => [...calls, call(STRANGER, action('emitData', '0x00'))]],
    ['a native payment', (...calls) => [...calls, call(STRANGER, '0x', 1n)]],
    ['an empty call', (...calls) => [...calls, call(STRANGER)]],
    ['value on a drain', (first, second, ...rest) => [first, { ...second, value: 1n }, ...rest]],
    ['extra bytes in a call', (first, ...rest) => [{ ...first, callData: `${first.callData}00` }, ...rest]],
    ['an unwrapping of what is not wrapped', (...calls) => [call(token, action('withdraw', 1n)), ...calls]],
  ])
  const { data } = transactionOf(swap.execution)
  const fallback = (all: Instructions) => ({ ...all, fallbackRecipient: STRANGER })
  await refuses(swap, 'fallback', { data: reworded(data, fallback) })
  await refusesFields(swap, [
    ['recipient', word(STRANGER)],
    // Without the handler in between.
    ['recipient', word(swap.order.recipient)],
    ['message', '0x'],
    ['message', (message: Hex) => `${message}${'00'.repeat(32)}`],
    ['outputAmount', (before: bigint) => before - 1n],
  ])
})

test('proof: rejects any altered call in a message that unwraps and pays a native fee', async () => {
  const swap = await open(ether(30))
  const fee = swap.offer.fee.amount
  const weth = WETH.arbitrum
  const withdraw = action('withdraw', 0n)
  const whole = [{ token: weth, offset: 4n }]
  const unwrap = (replacement: readonly object[], target: string = weth, callData = withdraw, value = 0n): Call =>
    call(HANDLER, action('makeCallWithBalance', target, callData, value, replacement))
  await refusesCalls(swap, [
    ['fee recipient', (first, _, ...rest) => [first, call(STRANGER, '0x', fee), ...rest]],
    ['fee amount', (first, _, ...rest) => [first, call(FEE_RECIPIENT, '0x', fee * 2n), ...rest]],
    ['a fee that calls', (first, _, ...rest) => [first, call(FEE_RECIPIENT, '0x01020304', fee), ...rest]],
    ['a fee in the wrapped coin', (...calls) => [transfer(weth, FEE_RECIPIENT, fee), ...calls]],
    ['never unwrapped', (_, ...rest) => rest],
    ['unwrapped elsewhere', (_, ...rest) => [unwrap(whole, STRANGER), ...rest]],
    ['another call with the balance', (_, ...rest) => [unwrap(whole, weth, action('transfer', STRANGER, 0n)), ...rest]],
    ['a fixed unwrapping', (_, ...rest) => [unwrap([]), ...rest]],
    ['another offset', (_, ...rest) => [unwrap([{ token: weth, offset: 3n }]), ...rest]],
    ['another balance', (_, ...rest) => [unwrap([{ token: ARB, offset: 4n }]), ...rest]],
    ['two balances', (_, ...rest) => [unwrap([...whole, ...whole]), ...rest]],
    ['value with the balance', (_, ...rest) => [unwrap(whole, weth, withdraw, 1n), ...rest]],
    ['recipient', (first, second) => [first, second, drain(`0x${'00'.repeat(20)}`, STRANGER)]],
    ['wrapped instead of native', (...calls) => [transfer(weth, FEE_RECIPIENT, fee), ...calls.slice(3)]],
    ['half unwrapped', (_, ...rest) => [call(weth, action('withdraw', 10n ** 17n)), ...rest]],
  ])
})

test('proof: rejects any altered field of a swap before the bridge', async () => {
  const swap = await open(
    anOrder({ from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n, slippageBps: 50, recipient: WALLETS.evmOther }),
  )
  await refusesEnvelopes(swap)
  await refusesExclusivity(swap, 'swap.depositData.')
  await refusesFields(swap, DEPOSIT_CHANGES, 'swap.depositData.')
  await refusesFields(swap, [...changesOf('swap'), ['depositData.recipient', word(swap.order.recipient)]], 'swap.')
})

const old = (functionName: string, args: readonly unknown[]): string =>
  encodeFunctionData({ abi: OLD_DEPOSITS, functionName, args } as never)

test('proof: reads the old entry point of native coins and rejects altered fields', async () => {
  const swap = await open(ether())
  const { spokePool, depositor: _, ...rest } = fieldsOf(transactionOf(swap.execution).data).fields
  const args = [spokePool, ...Object.values(rest)]
  const ofOld = (list: readonly unknown[]) => ({ to: OLD_PERIPHERY, data: `${old('depositNative', list)}${TAGS}` })
  expect(await prove(bench.venue, swap, withTransaction(swap.execution, ofOld(args)))).toEqual([])
  await refuses(swap, 'old SpokePool', ofOld(args.with(0, STRANGER)))
  await refuses(swap, 'old recipient', ofOld(args.with(1, word(STRANGER))))
  await refuses(swap, 'an old call of the new periphery', { data: ofOld(args).data })
})

test('proof: reads the old entry point of tokens and rejects altered fields', async () => {
  const swap = await open(usdcOrder())
  const deposit = Object.values(fieldsOf(transactionOf(swap.execution).data).fields)
  // Depositor, recipient, both tokens and the relayer were addresses.
  const args = deposit.map((value, i) => (i < 4 || i === 7 ? `0x${String(value).slice(26)}` : value))
  expect(await prove(bench.venue, swap, withTransaction(swap.execution, { data: old('depositV3', args) }))).toEqual([])
  for (const [i, value] of [STRANGER, STRANGER, ARB, ARB, 1n, 1n, 1n, null, 1, 1].entries())
    if (value !== null) await refuses(swap, `depositV3 ${i}`, { data: old('depositV3', args.with(i, value)) })
})

const openSolana = async () => {
  const swap = await open(usdcOrder({ from: [-2, USDC.solana], to: [8453, USDC.base] }))
  return { swap, plan: await solanaPlanOf(transactionOf(swap.execution).data) }
}

test('proof: rejects any altered argument or added instruction of a Solana transaction', async () => {
  const { swap, plan } = await openSolana()
  expect(await prove(bench.venue, swap, withTransaction(swap.execution, await serializedOf(plan)))).toEqual([])
  for (const [name, change] of SOLANA_CHANGES) await refuses(swap, name, await serializedOf(change(plan)))
  const wire = Buffer.from(transactionOf(swap.execution).data, 'base64')
  const longer = Buffer.concat([wire, Buffer.from([0])]).toString('base64')
  await refuses(swap, 'bytes left over', { data: longer, serialized: longer })
  await refuses(swap, 'two different transactions', { serialized: longer })
  await refuses(swap, 'nothing', { data: '', serialized: '' })
  await refuses(swap, 'program paid', { to: SOMEONE })
  await refuses(swap, 'value', { value: 1n })
  await refuses(swap, 'chain', { chainId: 8453 })
})

test('proof: accepts a Solana deposit that only one relayer may fill for five seconds', async () => {
  const { swap, plan } = await openSolana()
  expect(await prove(bench.venue, swap, withTransaction(swap.execution, await serializedOf(exclusiveFor(5)(plan))))).toEqual([])
})

test('proof: accepts compute budget instructions of moderate price beside a Solana deposit', async () => {
  const { swap, plan } = await openSolana()
  const modest = [
    [2, 64, 13, 3, 0],
    [3, 16, 39, 0, 0, 0, 0, 0, 0],
  ].map((data) => ({ programId: BUDGET, accounts: [], data: Uint8Array.from(data) }))
  const beside = await serializedOf({ ...plan, instructions: [...modest, ...plan.instructions] })
  expect(await prove(bench.venue, swap, withTransaction(swap.execution, beside))).toEqual([])
})
