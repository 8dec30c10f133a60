import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import { afterAll, expect, test } from 'vitest'
import { encodeSolanaTransaction, type SolanaTransactionPlan as Plan } from '../../../engine/chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../../engine/chains/solana/solanaProgramAddress.ts'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import type { Execution, Hex } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { any, attackPayload, STRANGER } from '../../support/venueKit/attackPayload.ts'
import { attackSolana } from '../../support/venueKit/attackSolana.ts'
import { altered, prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import { SOMEONE, solanaPlanOf } from '../../support/venueKit/payloads.ts'
import { type Call, depositPath, encoded, type Message, OLD_NATIVE, readCall, type Words, writeCall } from './acrossAbi.ts'
import { addressIn, openBench, word } from './fakeNetwork.ts'
import { ARB, FEE_RECIPIENT, HANDLER, NATIVE, orders, SVM_SPOKE, USDC, WETH, WITH_FEE } from './support.ts'

const NOW = START_OF_TIME / 1_000
type Place = { readonly other: unknown; readonly was: unknown; readonly words: Words; readonly own: Words }

const at = (words: Words, name: string): unknown =>
  `${depositPath(words)}${name}`.split('.').reduce<unknown>((part, field) => (part as Words)[field], words)
const within =
  (least: number, most: number) =>
  ({ other }: Place) =>
    Number(other) >= NOW + least && Number(other) <= NOW + most

/** The calls of a message: what only logs does nothing, and a drain repeated drains nothing. */
const effectOf = (words: Words): string => {
  const calls = (at(words, 'message') as Message).calls.map(({ target, callData, value }) => `${target} ${callData} ${value}`)
  return [...new Set(calls.filter((call) => !/^0xBF75133b48b0a42AB9374027902E83C5E2949034 0xd836083e.* 0$/.test(call)))].join()
}
const sameEffect = ({ words, own }: Place): boolean => effectOf(words) === effectOf(own)
/** The relayer is paid at least as much as it delivers. */
const isFilled = ({ other, was, words }: Place): boolean => {
  const swap = words['swapAndDepositData'] as { readonly minExpectedInputTokenAmount: bigint } | undefined
  return (
    (other as bigint) >= (was as bigint) &&
    (other as bigint) <= (swap?.minExpectedInputTokenAmount ?? (words['inputAmount'] as bigint))
  )
}

const ofDeposit = {
  exclusiveRelayer: any,
  quoteTimestamp: within(-3_600, 600),
  fillDeadline: within(600, 22_500),
  outputAmount: isFilled,
  'message.fallbackRecipient': ({ other, words }: Place) => word(other) === word(at(words, 'depositor')),
  ...Object.fromEntries(['', '.*.target', '.*.callData', '.*.value'].map((path) => [`message.calls${path}`, sameEffect])),
}
const inSwap = 'swapAndDepositData'
const harmless = {
  ...ofDeposit,
  ...Object.fromEntries(Object.entries(ofDeposit).map(([path, rule]) => [`${inSwap}.depositData.${path}`, rule])),
  tail: ({ other }: Place) => /^(1dc0de[0-9a-f]{4})?(73c0de)?$/.test(String(other)),
  [`${inSwap}.submissionFees.recipient`]: any,
  [`${inSwap}.exchange`]: any,
  [`${inSwap}.routerCalldata`]: any,
  [`${inSwap}.enableProportionalAdjustment`]: any,
  [`${inSwap}.minExpectedInputTokenAmount`]: ({ other, words }: Place) =>
    (other as bigint) >= (at(words, 'outputAmount') as bigint),
  [`${inSwap}.transferType`]: ({ other }: Place) => Number(other) <= 2,
}

/** Values of a field, by its path in a deposit. */
const FIELDS: { readonly [path: string]: readonly unknown[] } = {
  destinationChainId: [10n, 7n, 18446744073709593777n],
  quoteTimestamp: [NOW - 3_601, NOW + 601],
  fillDeadline: [NOW - 1, NOW + 599, NOW + 22_501, NOW + 86_400],
  exclusivityParameter: [5, NOW + 60],
  outputAmount: [2n ** 255n],
  outputToken: [ARB, WETH.base, WETH.arbitrum].map(word),
  message: ['0x1234'],
}

const call = (target: string, callData: Hex = '0x', value = 0n): Call => ({ target: target as Hex, callData, value })
const drain = (token: string, to: string): Call => call(HANDLER, encoded('drainLeftoverTokens', [token, to]))
const pay = (token: string, to: string, amount: bigint): Call => call(token, encoded('transfer', [to, amount]))
const WHOLE = { token: WETH.arbitrum, offset: 4n }
const withdraw = encoded('withdraw', [0n])
const unwrap = (replacement: readonly object[], target: string = WETH.arbitrum, data = withdraw, value = 0n): Call =>
  call(HANDLER, encoded('makeCallWithBalance', [target, data, value, replacement]))

/** Calls that a dishonest venue could put into a message that pays a fee, in place of one of its own or beside them. */
const otherCalls = ({ order, offer: { fee } }: Swap): readonly Call[] => {
  const token = order.output.address === NATIVE ? WETH.arbitrum : USDC.arbitrum
  return [
    ...[drain(token, STRANGER), drain(token, FEE_RECIPIENT), drain(ZERO_EVM_ADDRESS, STRANGER), drain(ARB, order.recipient)],
    ...[1n, fee.amount].map((amount) => pay(token, STRANGER, amount)),
    ...[1n, fee.amount + 1n, fee.amount * 100n, fee.amount / 2n, 10n ** 20n].map((amount) => pay(token, FEE_RECIPIENT, amount)),
    ...[
      call(STRANGER, '0x', fee.amount),
      call(FEE_RECIPIENT, '0x', fee.amount * 2n),
      call(FEE_RECIPIENT, '0x01020304', fee.amount),
    ],
    ...[call(STRANGER), call(STRANGER, '0x12345678'), call(STRANGER, '0x', 1n), call(STRANGER, encoded('emitData', ['0x00']))],
    ...[call(token, encoded('approve', [STRANGER, 1n])), unwrap([])],
    ...[unwrap([WHOLE], STRANGER), unwrap([WHOLE], token, encoded('transfer', [STRANGER, 0n])), unwrap([WHOLE, WHOLE])],
    ...[
      { ...WHOLE, offset: 3n },
      { ...WHOLE, token: ARB },
    ].map((other) => unwrap([other])),
    unwrap([WHOLE], token, withdraw, 1n),
  ]
}

/** The call of the periphery of early 2026. */
const oldNative = ({ functionName, tail, depositor: _, ...words }: Words): string =>
  `${encoded(functionName, Object.values(words), OLD_NATIVE)}${tail}`

function* otherWords(words: Words, swap: Swap): Generator<Words | string> {
  const path = depositPath(words)
  for (const [name, values] of Object.entries(FIELDS))
    for (const value of values) if (value !== at(words, name)) yield altered(words, `${path}${name}`, value)
  const exclusive = (seconds: number) =>
    altered(altered(words, `${path}exclusiveRelayer`, word(STRANGER)), `${path}exclusivityParameter`, seconds)
  for (const seconds of [301, 86_400, 31_536_000, NOW + 301, NOW + 86_400, 2 ** 32 - 1]) yield exclusive(seconds)
  // For as long as it can be filled.
  yield altered(exclusive(300), `${path}fillDeadline`, NOW + 300)
  if (path !== '') {
    const swapped = { swapToken: USDC.arbitrum, 'depositData.inputToken': WETH.arbitrum, transferType: 3 }
    for (const [name, value] of Object.entries(swapped)) yield altered(words, `swapAndDepositData.${name}`, value)
    yield altered(words, `${path}recipient`, word(swap.order.recipient))
    return
  }
  const { calls = [] } = at(words, 'message') as Partial<Message>
  if (calls.length > 0) {
    for (const other of otherCalls(swap))
      for (const others of [[...calls, other], [other, ...calls], ...calls.map((_, i) => calls.with(i, other))])
        yield altered(words, 'message.calls', others)
    // Half unwrapped, or what is not wrapped.
    yield altered(words, 'message.calls.0', call(addressIn(words['outputToken']), encoded('withdraw', [10n ** 17n])))
    return yield altered(words, 'recipient', word(swap.order.recipient))
  }
  const data = writeCall(words)
  yield `${data.slice(0, -words.tail.length)}00${words.tail}`
  yield `${data}73c0de`
  if (words.functionName === 'depositNative') return yield oldNative(words)
  // A word that a contract would not read, but which decoders skip: the message's offset moved over a gap.
  const offsetAt = 10 + 11 * 64
  yield `${data.slice(0, offsetAt)}${(13 * 32).toString(16).padStart(64, '0')}${'ee'.repeat(32)}${data.slice(offsetAt + 64)}`
}

attackPayload({
  venue: 'across',
  open: openBench,
  swaps: [
    { title: 'tokens', order: orders.usdc(), settings: WITH_FEE },
    { title: 'coins', order: orders.ether(), settings: WITH_FEE },
    { title: 'tokens, with a fee by a message', order: orders.usdc({ feeBps: 15 }), settings: WITH_FEE },
    { title: 'coins, unwrapped by a message with a fee', order: orders.ether({ feeBps: 30 }), settings: WITH_FEE },
    { title: 'an exchange before the bridge', order: orders.exchanged(), settings: WITH_FEE },
  ],
  codec: { read: readCall, write: writeCall },
  harmless,
  also: otherWords,
})

/** The instructions that the vendor's SDK orders: vault, approval, deposit, memo. */
const [VAULT_AT, APPROVE_AT, DEPOSIT_AT] = [0, 1, 2]
const DELEGATE_AT = 2
const BUDGET = 'ComputeBudget111111111111111111111111111111'

const withBytes = (plan: Plan, at: number, offset: number, bytes: ArrayLike<number>): Plan =>
  altered(plan, `instructions.${at}.data`, (data: Uint8Array) => {
    const changed = Uint8Array.from(data)
    changed.set(bytes, offset)
    return changed
  })
const withAccount = (plan: Plan, at: number, index: number, address: string): Plan =>
  altered(plan, `instructions.${at}.accounts.${index}`, { address })
/** With the delegate of the altered arguments, as by a venue that lies consistently. */
const withArguments = (plan: Plan, offset: number, bytes: ArrayLike<number>): Plan => {
  const changed = withBytes(plan, DEPOSIT_AT, offset, bytes)
  const args = changed.instructions[DEPOSIT_AT]?.data.slice(8) ?? new Uint8Array()
  const delegate = solanaProgramAddress(SVM_SPOKE, [Buffer.from('delegate'), keccak_256(args)])
  return [APPROVE_AT, DEPOSIT_AT].reduce((was, at) => withAccount(was, at, DELEGATE_AT, delegate), changed)
}

const seconds = (value: number) => [0, 8, 16, 24].map((bit) => (value >>> bit) & 255)
const stranger = base58.decode(SOMEONE)
/** The deposit from its exclusive relayer on. */
const exclusiveFor = (plan: Plan, duration: number): Plan =>
  withArguments(plan, 184, [...stranger, ...seconds(NOW - 60), ...seconds(NOW + 7_140), ...seconds(duration)])

function* otherPlans(plan: Plan): Generator<Plan> {
  for (const offset of [40, 71, 135, 136, 228]) yield withArguments(plan, offset, [1])
  for (const offset of [8, 72]) yield withArguments(plan, offset, stranger)
  for (const time of [0, NOW + 599, NOW + 22_501, 2 ** 32 - 1]) yield withArguments(plan, 220, seconds(time))
  yield withArguments(plan, 0, [0])
  for (const [offset, bytes] of Object.entries({ 144: new Uint8Array(32), 168: [255], 175: [0], 176: [10, 0] }))
    yield withArguments(plan, Number(offset), bytes)
  // Without its time, and exclusive to nobody.
  yield withArguments(plan, 216, seconds(0))
  yield withArguments(plan, 224, seconds(5))
  for (const duration of [301, 86_400]) yield exclusiveFor(plan, duration)
  yield withBytes(plan, DEPOSIT_AT, 216, seconds(NOW - 61))
  yield [APPROVE_AT, DEPOSIT_AT].reduce((was, at) => withAccount(was, at, DELEGATE_AT, SVM_SPOKE), plan)
  yield withAccount(withAccount(plan, VAULT_AT, 1, SOMEONE), DEPOSIT_AT, 4, SOMEONE)
  for (const index of [1, 2]) yield withAccount(plan, VAULT_AT, index, SOMEONE)
  for (const index of [0, 2]) yield withAccount(plan, APPROVE_AT, index, SOMEONE)
  // Another amount, a transfer in place of the approval, and two approvals.
  yield withBytes(plan, APPROVE_AT, 1, [255])
  yield withBytes(plan, APPROVE_AT, 0, [12])
  const { instructions } = plan
  yield { ...plan, instructions: [...instructions, ...instructions.slice(APPROVE_AT, DEPOSIT_AT)] }
  yield { ...plan, instructions: [...instructions, { programId: BUDGET, accounts: [], data: Uint8Array.of(4, 0, 0, 0, 0) }] }
}

attackSolana({
  venue: 'across',
  open: openBench,
  swaps: [{ title: 'from Solana', order: orders.fromSolana(), settings: WITH_FEE }],
  at: DEPOSIT_AT,
  isHarmless: () => false,
  also: otherPlans,
})

const count = countMutations('across')
const bench = await openBench({ settings: WITH_FEE })
afterAll(() => bench.close())

const withCall = (swap: Swap, change: object): Execution =>
  altered(swap.execution, 'payload.transaction', { ...transactionOf(swap.execution), ...change })
const open = async (order: VenueOrder) => {
  const swap = await swapOf(bench.venue, order)
  return { swap, words: readCall(transactionOf(swap.execution).data) }
}

test('proof: accepts the latest deadline, and one relayer for five minutes at most', async () => {
  const { swap, words } = await open(orders.usdc())
  const exclusive = altered(words, 'exclusiveRelayer', word(STRANGER))
  const changes = [0, 5, 300, NOW + 300].map((time) => altered(exclusive, 'exclusivityParameter', time))
  for (const changed of [altered(words, 'fillDeadline', NOW + 6 * 3_600), ...changes])
    expect(await prove(bench.venue, swap, withCall(swap, { data: writeCall(changed) }))).toEqual([])
})

test('proof: accepts a Solana deposit for one relayer for five seconds, and beside a modest compute budget', async () => {
  const swap = await swapOf(bench.venue, orders.fromSolana())
  const plan = await solanaPlanOf(transactionOf(swap.execution).data)
  const modest = [
    [2, 64, 13, 3, 0],
    [3, 16, 39, 0, 0, 0, 0, 0, 0],
  ].map((data) => ({ programId: BUDGET, accounts: [], data: Uint8Array.from(data) }))
  for (const other of [exclusiveFor(plan, 5), { ...plan, instructions: [...modest, ...plan.instructions] }]) {
    const data = await encodeSolanaTransaction(other)
    expect(await prove(bench.venue, swap, withCall(swap, { data, serialized: data }))).toEqual([])
  }
})

const OLD_PERIPHERY = '0x89415a82d909a7238d69094C3Dd1dCC1aCbDa85C'

test('proof: reads the old entry points, and rejects altered fields and other contracts', async () => {
  const { swap, words } = await open(orders.ether())
  const refuses = async (of: Swap, name: string, change: object) =>
    count(name, await prove(bench.venue, of, withCall(of, change)))
  const ofOld = (changed: Words) => ({ to: OLD_PERIPHERY, data: oldNative(changed) })
  expect(await prove(bench.venue, swap, withCall(swap, ofOld(words)))).toEqual([])
  for (const [name, value] of Object.entries({ spokePool: STRANGER, recipient: word(STRANGER) }))
    await refuses(swap, `old ${name}`, ofOld(altered(words, name, value)))
  await refuses(swap, 'the SpokePool of another chain', { to: '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5' })
  await refuses(swap, 'the old periphery for a new call', { to: OLD_PERIPHERY })

  const { swap: tokens, words: deposit } = await open(orders.usdc())
  const { functionName: _, tail: _tail, ...fields } = deposit
  // Depositor, recipient, both tokens and the relayer were addresses.
  const args = Object.values(fields).map((value, i) => (i < 4 || i === 7 ? addressIn(value) : value))
  expect(await prove(bench.venue, tokens, withCall(tokens, { data: encoded('depositV3', args) }))).toEqual([])
  for (const [i, value] of [STRANGER, STRANGER, ARB, ARB, 1n, 1n, 1n, null, 1, 1].entries())
    if (value !== null) await refuses(tokens, `depositV3 ${i}`, { data: encoded('depositV3', args.with(i, value)) })
})
