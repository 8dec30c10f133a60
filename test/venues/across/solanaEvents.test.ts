import { erc20Abi } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import type { Movement, SeenInstruction, SeenTransaction } from '../../../engine/chains/seen.ts'
import { eventAuthority } from '../../../engine/chains/solana/anchor.ts'
import { decodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { SOLANA } from '../../../engine/core/chain.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import { across } from '../../../engine/venues/across/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, seenEvm } from '../../support/seenEvm.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { flips } from '../../support/venueKit/mutations.ts'
import { SOMEONE } from '../../support/venueKit/payloads.ts'
import { venueWith } from '../everyVenue.ts'
import { FILLS } from './abi.ts'
import { fieldsOf, word } from './forging.ts'
import { type AcrossBench, openBench, SPOKE_POOL_BASE, SVM_SPOKE, USDC, usdcOrder, WITH_FEE } from './support.ts'
import { eventOf, keyWord } from './svmSpokeEvents.ts'

const WIRE_SOLANA = 34268394551451n
const ZERO_WORD = `0x${'0'.repeat(64)}`
const AT = START_OF_TIME + 2_000

const count = countForgeries('across on Solana', 859)
let bench: AcrossBench
afterEach(() => bench?.close())

type Call = Omit<SeenInstruction, 'index'>

const seenOnSolana = (calls: readonly Call[], movements: readonly Movement[] = []): SeenTransaction => {
  const hash = parseTransactionId(SOLANA, '5'.repeat(88))
  if (hash === null) throw new TypeError('no signature')
  const instructions = calls.map((call, index) => ({ ...call, index }))
  return { ...seenEvm(8453, []), chainId: SOLANA, hash, at: AT, movements, instructions }
}

const inputsOf = async (swap: Swap, calls: readonly Call[], change: Partial<SeenTransaction> = {}) =>
  (await bench.venue.events?.inputs({ ...seenOnSolana(calls), ...change }, swap)) ?? null

const openFrom = async () => {
  bench = await openBench({ settings: WITH_FEE })
  const swap = await swapOf(bench.venue, usdcOrder({ from: [-2, USDC.solana], to: [8453, USDC.base] }))
  const transaction = await decodeSolanaTransaction(transactionOf(swap.execution).data)
  const calls = (transaction?.instructions ?? []).map(({ programId, accounts, data }) => ({
    program: programId,
    accounts: accounts.map((account) => account as Address),
    data,
  }))
  const deposit = calls.find(({ program }) => program === SVM_SPOKE)
  if (!deposit) throw new Error('nothing is deposited')
  return { swap, calls, deposit }
}

/** What the program tells of a deposit, its fields read where the published interface has them. */
const depositedBy = ({ data }: Call, depositId: bigint, change: object = {}): Call => {
  const bytes = Buffer.from(data)
  const hex = (at: number) => `0x${bytes.toString('hex', at, at + 32)}`
  return eventOf('FundsDeposited', {
    depositor: hex(8),
    recipient: hex(40),
    input_token: hex(72),
    output_token: hex(104),
    input_amount: bytes.readBigUInt64LE(136),
    output_amount: hex(144),
    destination_chain_id: bytes.readBigUInt64LE(176),
    deposit_id: depositId,
    exclusive_relayer: hex(184),
    quote_timestamp: bytes.readUInt32LE(216),
    fill_deadline: bytes.readUInt32LE(220),
    exclusivity_deadline: 0,
    message: '0x',
    ...change,
  })
}

describe('events: a deposit from Solana', () => {
  test('is found by its instruction, and its id by the program event', async () => {
    const { swap, calls, deposit } = await openFrom()
    const took = { token: USDC.solana, amount: 250_000_000n }
    const place = `instruction:${calls.indexOf(deposit)}`
    expect(await inputsOf(swap, [...calls, depositedBy(deposit, 1_510n)])).toEqual([
      { place, orderId: `${WIRE_SOLANA}:1510`, took },
    ])
    // Inside the call of another program, or without its event.
    expect(await inputsOf(swap, [deposit])).toEqual([{ place: 'instruction:0', orderId: null, took }])
    expect(await inputsOf(swap, [deposit], { isSuccess: false })).toEqual([])
    expect(await inputsOf(swap, [deposit], { chainId: 8453 })).toEqual([])
  })

  test('is counted twice for two instructions in one transaction, each with its own event', async () => {
    const { swap, deposit } = await openFrom()
    const both = [deposit, depositedBy(deposit, 7n), deposit, depositedBy(deposit, 8n)]
    expect(await inputsOf(swap, both)).toMatchObject([
      { place: 'instruction:0', orderId: `${WIRE_SOLANA}:7` },
      { place: 'instruction:2', orderId: `${WIRE_SOLANA}:8` },
    ])
    // The first of them told nothing: the event behind the second is not its own.
    const [first, second] = (await inputsOf(swap, [deposit, deposit, depositedBy(deposit, 8n)])) ?? []
    expect([first?.orderId, second?.orderId]).toEqual([null, `${WIRE_SOLANA}:8`])
  })

  test('does not match another program, account or byte', async () => {
    const { swap, deposit } = await openFrom()
    count('program', await inputsOf(swap, [{ ...deposit, program: SOMEONE }]))
    for (const [i] of deposit.accounts.entries())
      count(`account ${i}`, await inputsOf(swap, [{ ...deposit, accounts: deposit.accounts.with(i, SOMEONE) }]))
    count('an account less', await inputsOf(swap, [{ ...deposit, accounts: deposit.accounts.slice(1) }]))
    for (const data of flips(deposit.data)) count('a byte', await inputsOf(swap, [{ ...deposit, data }]))
  })

  test('gets no id from the event of another deposit or authority', async () => {
    const { swap, deposit } = await openFrom()
    const own = depositedBy(deposit, 9n)
    const idBy = async (event: Call) => (await inputsOf(swap, [deposit, event]))?.map(({ orderId }) => orderId) ?? ['none asked']
    expect(await idBy(own)).toEqual([`${WIRE_SOLANA}:9`])
    const unknown = async (name: string, event: Call) =>
      count(
        name,
        (await idBy(event)).filter((id) => id !== null),
      )
    await unknown('authority', { ...own, accounts: [SOMEONE] })
    await unknown('program', { ...own, program: SOMEONE })
    const isId = (at: number) => at >= 16 + 112 && at < 16 + 144
    for (const [at, data] of flips(own.data).entries()) if (!isId(at)) await unknown(`byte ${at}`, { ...own, data })
    await unknown('exclusivity', depositedBy(deposit, 9n, { exclusivity_deadline: 1 }))
    await unknown('a message', depositedBy(deposit, 9n, { message: '0x12' }))
  })

  test('is delivered by the fill with the id of the Solana deposit', async () => {
    const { swap, deposit } = await openFrom()
    const bytes = Buffer.from(deposit.data)
    const hex = (at: number) => `0x${bytes.toString('hex', at, at + 32)}`
    const [token, amount] = [USDC.base, BigInt(hex(144))]
    const own = {
      inputToken: hex(72),
      outputToken: hex(104),
      inputAmount: bytes.readBigUInt64LE(136),
      outputAmount: amount,
      depositId: 1_510n,
      fillDeadline: bytes.readUInt32LE(220),
      exclusivityDeadline: 0,
      exclusiveRelayer: hex(184),
      depositor: hex(8),
      recipient: hex(40),
      messageHash: ZERO_WORD,
    }
    const paidAs = { updatedRecipient: hex(40), updatedMessageHash: ZERO_WORD, updatedOutputAmount: amount, fillType: 0 }
    const relayed = { repaymentChainId: 8453n, relayer: word(WALLETS.evm), relayExecutionInfo: paidAs }
    const filled = (originChainId: bigint) =>
      eventLog(FILLS, 'FilledRelay', SPOKE_POOL_BASE, { ...own, ...relayed, originChainId })
    const paid = eventLog(erc20Abi, 'Transfer', token, { from: WALLETS.evm, to: swap.order.recipient, value: amount })
    const outputsOf = (originChainId: bigint, ids: readonly string[]) =>
      bench.venue.events?.outputs(seenEvm(8453, [filled(originChainId), paid]), swap, ids) ?? null
    expect(await outputsOf(WIRE_SOLANA, [`${WIRE_SOLANA}:1510`])).toEqual([{ place: 'log:1', amount }])
    count('another id', await outputsOf(WIRE_SOLANA, [`${WIRE_SOLANA}:1511`]))
    count('another origin', await outputsOf(8453n, [`${WIRE_SOLANA}:1510`]))
    count('no id', await outputsOf(WIRE_SOLANA, []))
  })
})

describe('events: a fill on Solana', () => {
  const openTo = async () => {
    bench = await openBench({ settings: WITH_FEE })
    const swap = await swapOf(bench.venue, usdcOrder({ to: [-2, USDC.solana], recipient: WALLETS.solana }))
    const { fields } = fieldsOf(transactionOf(swap.execution).data)
    const amount = fields['outputAmount'] as bigint
    const values = {
      input_token: fields['inputToken'],
      output_token: fields['outputToken'],
      input_amount: fields['inputAmount'],
      output_amount: amount,
      repayment_chain_id: 8453n,
      origin_chain_id: 8453n,
      deposit_id: 77n,
      fill_deadline: fields['fillDeadline'],
      exclusivity_deadline: 0,
      exclusive_relayer: ZERO_WORD,
      relayer: keyWord(SOMEONE),
      depositor: fields['depositor'],
      recipient: keyWord(WALLETS.solana),
      message_hash: ZERO_WORD,
      relay_execution_info: {
        updated_recipient: keyWord(WALLETS.solana),
        updated_message_hash: ZERO_WORD,
        updated_output_amount: amount,
        fill_type: 0,
      },
    }
    return { swap, amount, event: eventOf('FilledRelay', values) }
  }
  const call: Call = { program: addressOf('solana', SVM_SPOKE), accounts: [], data: Uint8Array.of(1) }
  const outputsOf = async (swap: Swap, calls: readonly Call[], movements: readonly Movement[] = [], ids = ['8453:77']) =>
    (await bench.venue.events?.outputs(seenOnSolana(calls, movements), swap, ids)) ?? null

  test('is found by the program event, at the place of the transfer', async () => {
    const { swap, amount, event } = await openTo()
    expect(await outputsOf(swap, [call, event])).toEqual([{ place: 'instruction:1', amount }])
    const other = { program: SOMEONE, accounts: [eventAuthority(SOMEONE)] }
    const added = venueWith(across, { SVM_SPOKES: SOMEONE }).events
    const seen = seenOnSolana(
      [
        { ...call, ...other },
        { ...event, ...other },
      ],
      [],
    )
    expect(await added?.outputs(seen, swap, ['8453:77'])).toEqual([{ place: 'instruction:1', amount }])
    count('a program that no setting adds', (await bench.venue.events?.outputs(seen, swap, ['8453:77'])) ?? null)
    const token: Call = { program: SOMEONE, accounts: [], data: new Uint8Array() }
    const paid = { token: addressOf('solana', USDC.solana), from: null, to: WALLETS.solana, amount: amount - 1n }
    const before = { ...paid, place: 'instruction:0' }
    const own = { ...paid, place: 'instruction:2' }
    expect(await outputsOf(swap, [token, call, token, event], [before, own])).toEqual([
      { place: 'instruction:2', amount: amount - 1n },
    ])
    expect(await outputsOf(swap, [token, call, token, event], [before])).toEqual([{ place: 'instruction:3', amount }])
    count('another id', await outputsOf(swap, [call, event], [], ['8453:78']))
    count('another origin', await outputsOf(swap, [call, event], [], ['10:77']))
    count('money alone', await outputsOf(swap, [token], [before]))
  })

  test('claims every transfer between the instruction and its event, and no other', async () => {
    const { amount, event } = await openTo()
    const namedIn = async (calls: readonly Call[], movements: readonly Movement[]) =>
      (await bench.venue.events?.named(seenOnSolana(calls, movements))) ?? null
    const other: Call = { program: SOMEONE, accounts: [], data: new Uint8Array() }
    const calls = [other, call, other, event, other]
    const paid = { token: addressOf('solana', USDC.solana), from: null, to: WALLETS.solana, amount }
    const at = (...indexes: readonly number[]) => indexes.map((index) => ({ ...paid, place: `instruction:${index}` }))
    expect(await namedIn(calls, at(0, 2, 4))).toEqual(['instruction:2'])
    const sum = { ...paid, place: `balance:${USDC.solana}:${WALLETS.solana}` }
    const others = { ...paid, to: SOMEONE, place: `balance:${USDC.solana}:${SOMEONE}` }
    expect(await namedIn(calls, [sum, others])).toEqual([sum.place])
    const forged = { ...event, accounts: [SOMEONE] }
    expect(await namedIn([other, call, other, forged, other], [...at(0, 2, 4), sum])).toEqual([])
  })

  test('does not match another authority, program or byte', async () => {
    const { swap, event } = await openTo()
    count('authority', await outputsOf(swap, [call, { ...event, accounts: [SOMEONE] }]))
    count('two accounts', await outputsOf(swap, [call, { ...event, accounts: [...event.accounts, SOMEONE] }]))
    count('program', await outputsOf(swap, [call, { ...event, program: SOMEONE }]))
    count('cut short', await outputsOf(swap, [call, { ...event, data: event.data.slice(0, -1) }]))
    // What is said of the relayer is its own affair, and how much it paid is what is told.
    const isFree = (at: number) => (at >= 16 + 104 && at < 16 + 112) || (at >= 16 + 192 && at < 16 + 224) || at >= 16 + 384
    for (const [at, data] of flips(event.data).entries())
      if (!isFree(at)) count(`byte ${at}`, await outputsOf(swap, [call, { ...event, data }]))
  })
})
