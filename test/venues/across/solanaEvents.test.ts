import idl from '@across-protocol/contracts/dist/src/svm/assets/idl/svm_spoke.json' with { type: 'json' }
import { base58 } from '@scure/base'
import { zeroHash } from 'viem'
import { afterAll, expect, test } from 'vitest'
import type { Movement, SeenInstruction, SeenTransaction } from '../../../engine/chains/seen.ts'
import { eventAuthority } from '../../../engine/chains/solana/anchor.ts'
import { decodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { SOLANA } from '../../../engine/core/chain.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import { across } from '../../../engine/venues/across/venue.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { seenEvm } from '../../support/seenEvm.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { flips } from '../../support/venueKit/mutations.ts'
import { SOMEONE } from '../../support/venueKit/payloads.ts'
import { venueWith } from '../everyVenue.ts'
import { readCall } from './acrossAbi.ts'
import { depositFields, openBench } from './fakeNetwork.ts'
import { orders, SVM_SPOKE, USDC, WITH_FEE } from './support.ts'

type IdlType = string | { readonly array?: unknown; readonly vec?: IdlType; readonly defined?: { readonly name: string } }
type Named = { readonly [name: string]: unknown }
type Call = Omit<SeenInstruction, 'index'>

const hexBytes = (value: unknown): Buffer =>
  Buffer.from(typeof value === 'bigint' ? value.toString(16).padStart(64, '0') : String(value).replace('0x', ''), 'hex')
const little = (value: unknown, size: number): Buffer =>
  Buffer.from(
    BigInt(value as bigint)
      .toString(16)
      .padStart(size * 2, '0'),
    'hex',
  ).reverse()

/** Borsh, https://borsh.io, by the published interface of the program. Keys and words of 32 bytes are hex or numbers. */
const borsh = (type: IdlType, value: unknown): Buffer => {
  if (typeof type === 'object') {
    const { vec, defined } = type
    if (vec)
      return Buffer.concat([
        little((value as readonly unknown[]).length, 4),
        ...(value as readonly unknown[]).map((item) => borsh(vec, item)),
      ])
    return defined ? struct(defined.name, value as Named) : hexBytes(value)
  }
  if (type === 'bytes') return Buffer.concat([little(hexBytes(value).length, 4), hexBytes(value)])
  const size = { bool: 1, u32: 4, u64: 8 }[type]
  return size === undefined ? hexBytes(value) : little(Number(value) === 1 && size === 1 ? 1 : value, size)
}
const struct = (name: string, values: Named): Buffer => {
  const { type } = idl.types.find((each) => each.name === name) ?? {}
  if (!type || 'variants' in type) return Buffer.of(Number(values))
  return Buffer.concat(
    (type.fields as readonly { name: string; type: IdlType }[]).map((field) => borsh(field.type, values[field.name])),
  )
}

/** https://www.anchor-lang.com/docs/features/events */
const eventOf = (name: (typeof idl.events)[number]['name'], values: Named): Call => {
  const { discriminator = [] } = idl.events.find((event) => event.name === name) ?? {}
  const data = Buffer.concat([Buffer.from('e445a52e51cb9a1d', 'hex'), Buffer.from(discriminator), struct(name, values)])
  return { program: SVM_SPOKE, accounts: [eventAuthority(SVM_SPOKE)], data: Uint8Array.from(data) }
}
const keyWord = (address: string): string => `0x${Buffer.from(base58.decode(address)).toString('hex')}`

const WIRE_SOLANA = 34268394551451n
const bench = await openBench({ settings: WITH_FEE })
afterAll(() => bench.close())
const count = countForgeries('across on Solana', 870)
const events = bench.venue.events as SwapEvents

const seenOn = (
  calls: readonly Call[],
  movements: readonly Movement[] = [],
  change: Partial<SeenTransaction> = {},
): SeenTransaction => {
  const hash = parseTransactionId(SOLANA, '5'.repeat(88)) as SeenTransaction['hash']
  const instructions = calls.map((call, index) => ({ ...call, index }))
  return { ...seenEvm(8453, []), chainId: SOLANA, hash, at: START_OF_TIME, movements, instructions, ...change }
}
const callOf = (program: Address = SVM_SPOKE): Call => ({ program, accounts: [], data: Uint8Array.of(1) })
const [own, other] = [callOf(), callOf(SOMEONE)]
const paidAt = (place: string, amount: bigint, to = WALLETS.solana): Movement => ({
  ...{ place, token: addressOf('solana', USDC.solana), from: null, to, amount },
})

/** A swap from Solana, its calls as they are seen, and the arguments of its deposit in the names of the program. */
const openFrom = async () => {
  const swap = await swapOf(bench.venue, orders.fromSolana())
  const transaction = await decodeSolanaTransaction(transactionOf(swap.execution).data)
  const calls = (transaction?.instructions ?? []).map(({ programId, accounts, data }) => ({
    ...{ program: programId, accounts: accounts as readonly Address[], data },
  }))
  const deposit = calls.find(({ program }) => program === SVM_SPOKE) as Call
  const bytes = Buffer.from(deposit.data)
  const hex = (at: number) => `0x${bytes.toString('hex', at, at + 32)}`
  const fields = {
    ...{ depositor: hex(8), recipient: hex(40), input_token: hex(72), output_token: hex(104) },
    ...{ input_amount: bytes.readBigUInt64LE(136), output_amount: BigInt(hex(144)), destination_chain_id: 8453n },
    ...{ exclusive_relayer: hex(184), quote_timestamp: bytes.readUInt32LE(216), fill_deadline: bytes.readUInt32LE(220) },
    ...{ exclusivity_deadline: 0, message: '0x' },
  }
  const landed = (deposit_id: bigint, change: Named = {}) => eventOf('FundsDeposited', { ...fields, deposit_id, ...change })
  const inputs = async (all: readonly Call[], change = {}) => (await events.inputs(seenOn(all, [], change), swap)) ?? []
  return { swap, calls, deposit, landed, inputs }
}

test('events: a deposit on Solana is found by its call, and its id by the event of the program', async () => {
  const { calls, deposit, landed, inputs } = await openFrom()
  const took = { token: USDC.solana, amount: 250_000_000n }
  const place = `instruction:${calls.indexOf(deposit)}`
  expect(await inputs([...calls, landed(1_510n)])).toEqual([{ place, orderId: `${WIRE_SOLANA}:1510`, took }])
  // Inside the call of another program, or without its event.
  expect(await inputs([deposit])).toEqual([{ place: 'instruction:0', orderId: null, took }])
  for (const change of [{ isSuccess: false }, { chainId: 8453 }]) expect(await inputs([deposit], change)).toEqual([])
  const ids = async (...all: readonly Call[]) => (await inputs(all)).map((input) => [input.place, input.orderId])
  expect(await ids(deposit, landed(7n), deposit, landed(8n))).toEqual([
    ['instruction:0', `${WIRE_SOLANA}:7`],
    ['instruction:2', `${WIRE_SOLANA}:8`],
  ])
  // The event behind the second is not that of the first.
  expect((await ids(deposit, deposit, landed(8n))).map(([, id]) => id)).toEqual([null, `${WIRE_SOLANA}:8`])
})

test('events: a deposit on Solana does not match another program, account or byte, nor the event of another', async () => {
  const { deposit, landed, inputs } = await openFrom()
  const calls = [
    { ...deposit, program: SOMEONE },
    ...deposit.accounts.map((_, i) => ({ ...deposit, accounts: deposit.accounts.with(i, SOMEONE) })),
    { ...deposit, accounts: deposit.accounts.slice(1) },
    ...flips(deposit.data).map((data) => ({ ...deposit, data })),
  ]
  for (const [at, call] of calls.entries()) count(`call ${at}`, await inputs([call]))
  const event = landed(9n)
  const isId = (_: unknown, at: number) => at < 16 + 112 || at >= 16 + 144
  const told = [
    { ...event, accounts: [SOMEONE] },
    { ...event, program: SOMEONE },
    ...flips(event.data)
      .filter(isId)
      .map((data) => ({ ...event, data })),
    ...[{ exclusivity_deadline: 1 }, { message: '0x12' }].map((change) => landed(9n, change)),
  ]
  for (const [at, call] of told.entries())
    count(
      `event ${at}`,
      (await inputs([deposit, call])).filter(({ orderId }) => orderId !== null),
    )
})

/** A swap to Solana, and the event of its fill. */
const openTo = async () => {
  const swap = await swapOf(bench.venue, orders.toSolana())
  const fields = depositFields(readCall(transactionOf(swap.execution).data), swap.order.sender)
  const amount = fields['outputAmount'] as bigint
  const paid = {
    updated_recipient: keyWord(WALLETS.solana),
    updated_message_hash: zeroHash,
    updated_output_amount: amount,
    fill_type: 0,
  }
  const event = eventOf('FilledRelay', {
    ...{ input_token: fields['inputToken'], output_token: fields['outputToken'], depositor: fields['depositor'] },
    ...{ input_amount: fields['inputAmount'], output_amount: amount, fill_deadline: fields['fillDeadline'] },
    ...{ repayment_chain_id: 8453n, origin_chain_id: 8453n, deposit_id: 77n, exclusivity_deadline: 0, relayer: keyWord(SOMEONE) },
    ...{ exclusive_relayer: zeroHash, recipient: keyWord(WALLETS.solana), message_hash: zeroHash, relay_execution_info: paid },
  })
  const outputs = async (calls: readonly Call[], movements: readonly Movement[] = [], ids = ['8453:77'], of: Swap = swap) =>
    (await events.outputs(seenOn(calls, movements), of, ids)) ?? null
  return { swap, amount, event, outputs }
}

test('events: a fill on Solana is found by its event, at the place of the transfer between the call and it', async () => {
  const { swap, amount, event, outputs } = await openTo()
  expect(await outputs([own, event])).toEqual([{ place: 'instruction:1', amount }])
  const elsewhere = [callOf(SOMEONE), { ...event, program: SOMEONE, accounts: [eventAuthority(SOMEONE)] }]
  const added = venueWith(across, { SVM_SPOKES: SOMEONE }).events
  expect(await added?.outputs(seenOn(elsewhere), swap, ['8453:77'])).toEqual([{ place: 'instruction:1', amount }])
  count('a program that no setting adds', await outputs(elsewhere))
  const [before, between, after] = [0, 2, 4].map((at) => paidAt(`instruction:${at}`, amount - 1n)) as [
    Movement,
    Movement,
    Movement,
  ]
  const calls = [other, own, other, event, other]
  expect(await outputs(calls, [before, between])).toEqual([{ place: 'instruction:2', amount: amount - 1n }])
  expect(await outputs(calls, [before])).toEqual([{ place: 'instruction:3', amount }])
  count('another id', await outputs([own, event], [], ['8453:78']))
  count('another origin', await outputs([own, event], [], ['10:77']))
  count('money alone', await outputs([other], [before]))
  const sums = [WALLETS.solana, SOMEONE].map((to) => paidAt(`balance:${USDC.solana}:${to}`, amount, to))
  const named = (all: readonly Call[], movements: readonly Movement[]) => events.named(seenOn(all, movements))
  expect(await named(calls, [before, between, after])).toEqual(['instruction:2'])
  expect(await named(calls, sums)).toEqual([sums[0]?.place])
  expect(await named(calls.with(3, { ...event, accounts: [SOMEONE] }), [between, ...sums])).toEqual([])
})

test('events: a fill on Solana does not match another authority, program or byte', async () => {
  const { event, outputs } = await openTo()
  // The relayer is its own affair, and its payment is what is reported.
  const isFree = (at: number) => (at >= 16 + 104 && at < 16 + 112) || (at >= 16 + 192 && at < 16 + 224) || at >= 16 + 384
  const forged = [
    { ...event, accounts: [SOMEONE] },
    { ...event, accounts: [...event.accounts, SOMEONE] },
    { ...event, program: SOMEONE },
    { ...event, data: event.data.slice(0, -1) },
    ...flips(event.data).flatMap((data, at) => (isFree(at) ? [] : [{ ...event, data }])),
  ]
  for (const [at, call] of forged.entries()) count(`event ${at}`, await outputs([own, call]))
})

test('events: a refund on Solana matches the root or the claim, its transfer and the depositor', async () => {
  const { swap } = await openFrom()
  const mint = keyWord(USDC.solana)
  const rootOf = (change: Named = {}): Call =>
    eventOf('ExecutedRelayerRefundRoot', {
      ...{ amount_to_return: 0n, chain_id: WIRE_SOLANA, root_bundle_id: 3, leaf_id: 1, l2_token_address: mint },
      ...{ refund_amounts: [4n, 250n], refund_addresses: [SOMEONE, WALLETS.solana].map(keyWord) },
      ...{ deferred_refunds: false, caller: keyWord(SOMEONE), ...change },
    })
  const root = rootOf()
  const [foreign, mine] = [paidAt('instruction:1', 4n, SOMEONE), paidAt('instruction:2', 250n)]
  const refunds = async (event: Call, movements: readonly Movement[] = [foreign, mine], before = [own, other, other]) =>
    (await events.refunds(seenOn([...before, event], movements), swap, [])) ?? null
  expect(await refunds(root)).toEqual([{ place: 'instruction:2', amount: 250n }])
  // What no instruction explains is a sum, which must be that of the refund.
  const sum = `balance:${USDC.solana}:${WALLETS.solana}`
  expect(await refunds(root, [paidAt(sum, 250n)])).toEqual([{ place: sum, amount: 250n }])
  const moved = [paidAt(sum, 251n), paidAt('instruction:2', 250n, SOMEONE), paidAt('instruction:2', 249n)]
  for (const movement of moved) count('another transfer', await refunds(root, [movement]))
  count('a transfer before the call', await refunds(root, [paidAt('instruction:0', 250n)], [other, other, own]))
  const changes = [
    { refund_addresses: [WALLETS.solana, SOMEONE].map(keyWord) },
    { refund_addresses: [keyWord(WALLETS.solana)] },
    { refund_amounts: [4n, 251n] },
    { l2_token_address: keyWord(SOMEONE) },
  ]
  const forged = [
    ...[other, { ...root, program: SOMEONE }, { ...root, accounts: [SOMEONE] }, ...changes.map(rootOf)],
    ...[root.data.slice(0, -1), Uint8Array.of(...root.data, 0), root.data.slice(0, 36)].map((data) => ({ ...root, data })),
  ]
  for (const [at, event] of forged.entries()) count(`root ${at}`, await refunds(event))
  const claimBy = (address: string) =>
    eventOf('ClaimedRelayerRefund', { l2_token_address: mint, claim_amount: 250n, refund_address: keyWord(address) })
  expect(await refunds(claimBy(WALLETS.solana))).toEqual([{ place: 'instruction:2', amount: 250n }])
  count('a claim of another', await refunds(claimBy(SOMEONE)))
})
