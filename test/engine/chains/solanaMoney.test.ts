import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../engine/chains/solana/solanaCodec.ts'
import { NATIVE_SOL, nativeAsset } from '../../../engine/core/asset.ts'
import { type Change, changed } from '../../support/venueKit/calls.ts'
import { type Answers, benchOver, never, outcome, refuses, resets } from './evidenceBench.ts'
import malformed from './malformed.json' with { type: 'json' }
import {
  call,
  checked,
  type Held,
  le,
  move,
  OTHERS,
  OURS,
  OWNER,
  PAYER,
  type Picture,
  PROGRAM,
  paid,
  QUERY,
  SIGNATURE,
  type Step,
  seenIn,
  send,
  shown,
  THEIRS,
  token,
  USDC,
  VENUE,
} from './solanaBench.ts'

describe('Solana transaction', () => {
  it('shows its instructions, inner ones too, in the order they ran and with every account by its address', async () => {
    const steps = [send(PAYER, OWNER, 1), call([move(THEIRS, OURS, 2), send(PAYER, VENUE, 3)]), send(PAYER, VENUE, 4)]
    const seen = await seenIn(shown({ steps, loaded: [OURS, VENUE] }))
    const plain = { chainId: -2, hash: SIGNATURE, isSuccess: true, standing: 'confirmed', at: 100_000, height: 500 }
    expect(seen).toMatchObject({ ...plain, call: null, logs: [] })
    expect(seen?.instructions.map(({ index, program, accounts }) => [index, program, accounts])).toEqual([
      [0, SYSTEM_PROGRAM, [PAYER, OWNER]],
      [1, PROGRAM, [PAYER]],
      [2, TOKEN_PROGRAM, [THEIRS, OURS, VENUE]],
      [3, SYSTEM_PROGRAM, [PAYER, VENUE]],
      [4, SYSTEM_PROGRAM, [PAYER, VENUE]],
    ])
    expect(Buffer.from(seen?.instructions[3]?.data ?? [])).toEqual(Buffer.concat([le(2, 4), le(3, 8)]))
  })

  const failed = { steps: [send(PAYER, OWNER, 7)], lamports: { [OWNER]: 7 }, meta: { err: { InstructionError: [0, 'Custom'] } } }
  it.each<[string, unknown, number, object | null]>([
    ['confirmed below a final slot', shown({}), 499, { standing: 'confirmed' }],
    ['final at a final slot', shown({}), 500, { standing: 'final' }],
    ['without a time where the node has none', shown({ rest: { blockTime: null } }), 499, { at: null }],
    ['failed, and moved nothing', shown(failed), 499, { isSuccess: false, movements: [], instructions: [{ index: 0 }] }],
    ['absent while no node has it', null, 499, null],
  ])('is %s', async (_what, picture, getSlot, expected) => {
    const seen = await seenIn(picture, { getSlot })
    expected === null ? expect(seen).toBeNull() : expect(seen).toMatchObject(expected)
  })

  it('is read at the commitment that counts, and is absent only when a second endpoint lacks it too', async () => {
    const over = async (getTransaction: unknown) => {
      const bench = benchOver({ a: { getTransaction: null, getSlot: 400 }, b: { getTransaction, getSlot: 400 } })
      return { seen: await outcome(bench.evidence.transaction(QUERY, never())), asked: bench.asked }
    }
    const { seen, asked } = await over(shown({}))
    expect(seen).toMatchObject({ height: 500 })
    const read = [SIGNATURE, { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }]
    expect(asked.map(({ host, method, params }) => [host, method, params])).toEqual([
      ['a', 'getTransaction', read],
      ['b', 'getTransaction', read],
      ['a', 'getSlot', [{ commitment: 'finalized' }]],
    ])
    expect((await over(null)).seen).toBeNull()
    expect((await over(resets)).seen).toBe('unreachable')
  })

  const honest = shown({ steps: [call([move(THEIRS, OURS, 42)])], before: [[THEIRS, VENUE, 42]], after: [[OURS, OWNER, 42]] })
  const { innerInstructions, postBalances } = honest.meta
  const twice = [...innerInstructions, ...innerInstructions]
  it.each<[string, unknown, Answers?]>([
    ...malformed.solana.map(
      ([what, change]) => [what as string, changed(honest, change as unknown as Change)] as [string, unknown],
    ),
    ['another transaction', changed(honest, { 'transaction.signatures': [base58.encode(new Uint8Array(64).fill(8))] })],
    ['balances of more accounts', changed(honest, { 'meta.postBalances': [...postBalances, 1] })],
    ['the inner instructions twice', changed(honest, { 'meta.innerInstructions': twice })],
    ['a text', 'ok'],
    ['a refusal', refuses('slot was skipped')],
    ['a revert', refuses('execution reverted', 3)],
    ['a reset', resets],
    ['no final slot', honest, { getSlot: 'soon' }],
  ])('is unreadable where a node answers %s', async (_what, answer, answers) => {
    expect(await seenIn(honest)).not.toBeNull()
    expect(await outcome(seenIn(answer, answers))).toBe('unreachable')
  })
})

type Paid = readonly (readonly [place: string, amount: bigint, from: string | null])[]
const at = (index: number, amount: bigint, from: string | null = VENUE) => [`instruction:${index}`, amount, from] as const

describe('Solana payments of a token [rpc-solana-evidence]', () => {
  const theirs: Held = [THEIRS, VENUE, 100]
  const ours = (amount: number): Held => [OURS, OWNER, amount]
  const sum = (amount: bigint) => [`balance:${USDC.address}:${OWNER}`, amount, null] as const
  const paidTo = (amount: number, ...steps: readonly Step[]) => ({ steps, before: [theirs], after: [ours(amount)] })
  const made = (kind: number, tail: readonly number[] = []) => token(kind, [USDC.address, OURS, VENUE], 42, tail)
  const fee = { program: TOKEN_2022_PROGRAM, accounts: [THEIRS, USDC.address, OURS, VENUE] }
  const withFee: Step = { ...fee, data: Buffer.concat([Buffer.of(26, 1), le(42, 8), Buffer.of(6), le(2, 8)]) }
  const opened = (kind: number, tail: Uint8Array = base58.decode(VENUE), accounts: readonly string[] = []): Step => ({
    program: TOKEN_PROGRAM,
    accounts: [OTHERS, USDC.address, ...accounts],
    data: Buffer.concat([Buffer.of(kind), tail]),
  })
  const [own, owned] = [move(OTHERS, OURS, 42), [OTHERS, OWNER, 42] as const]
  const through = (step: Step) => ({
    steps: [step, move(THEIRS, OTHERS, 42), own],
    before: [[THEIRS, PROGRAM, 42] as const],
    after: [ours(42)],
  })

  it.each<[string, Picture, Paid]>([
    ['one instruction: its place', paidTo(42, call([checked(THEIRS, OURS, 42)])), [at(1, 42n)]],
    ['two: each its place', paidTo(80, checked(THEIRS, OURS, 40), call([move(THEIRS, OURS, 40)])), [at(0, 40n), at(2, 40n)]],
    ['MintTo: no payer', { ...paidTo(42, made(7)), before: [ours(0)] }, [at(0, 42n, null)]],
    ['MintToChecked: no payer', { ...paidTo(42, made(14, [6])), before: [ours(0)] }, [at(0, 42n, null)]],
    ['a fee that is named: less', paidTo(40, withFee), [at(0, 40n)]],
    ['two fees that are named: less', paidTo(80, withFee, withFee), [at(0, 40n), at(1, 40n)]],
    ['a fee that is not named: less', paidTo(40, checked(THEIRS, OURS, 42, TOKEN_2022_PROGRAM)), [at(0, 40n)]],
    ['no instruction: a sum', { after: [ours(42)] }, [sum(42n)]],
    ['an instruction of less: a sum', paidTo(42, move(THEIRS, OURS, 10)), [sum(42n)]],
    ['two instructions of more: a sum', paidTo(42, move(THEIRS, OURS, 30), move(THEIRS, OURS, 30)), [sum(42n)]],
    ['there and back: none', { ...paidTo(5, move(THEIRS, OURS, 42), move(OURS, THEIRS, 42)), before: [theirs, ours(5)] }, []],
    ['some of it back: the rest', paidTo(2, move(THEIRS, OURS, 42), move(OURS, THEIRS, 40)), [at(0, 2n)]],
    ['between two own accounts: none', { ...paidTo(42, own), before: [owned] }, []],
    ['and from another: the other', { ...paidTo(52, own, move(THEIRS, OURS, 10)), before: [owned, theirs] }, [at(1, 10n)]],
    ['through an account opened by InitializeAccount3', through(opened(18)), [at(2, 42n)]],
    ['through an account opened by InitializeAccount2', through(opened(16)), [at(2, 42n)]],
    ['through an account opened by InitializeAccount', through(opened(1, new Uint8Array(), [VENUE])), [at(2, 42n)]],
  ])('%s', async (_what, picture, expected) => {
    expect(await paid(shown(picture))).toEqual(expected)
  })

  it('are apart for two owners', async () => {
    const seen = await seenIn(shown({ after: [ours(42), [OTHERS, VENUE, 42]] }))
    expect(new Set(seen?.movements.map(({ place }) => place)).size).toBe(2)
  })

  it('are not reduced by what the payee passed on to another', async () => {
    const picture = { steps: [move(OTHERS, OURS, 10)], after: [[OTHERS, VENUE, 30] as const, ours(10)] }
    expect(await paid(shown({ ...picture, before: [theirs] }), USDC, VENUE)).toEqual([])
    expect((await paid(shown(picture), USDC, VENUE))?.map(([, amount]) => amount)).toEqual([30n])
    expect(await paid(shown(picture))).toEqual([at(0, 10n, null)])
  })
})

describe('Solana payments of lamports [rpc-solana-evidence]', () => {
  const SOL = nativeAsset(-2)
  const sum = (amount: bigint) => [`balance:${NATIVE_SOL}:${OWNER}`, amount, null] as const
  const wrapped = (amount: number): Held => [OURS, OWNER, amount, NATIVE_SOL]
  const [fifty, back, rent] = [send(VENUE, OWNER, 50), send(OWNER, VENUE, 45), send(PAYER, OURS, 2_039)]
  const gains = (owner: number, venue: number) => ({ [OWNER]: owner, [VENUE]: venue })
  const opening = { after: [[OURS, OWNER, 0]] as const }
  const rents = { [OURS]: 2_039, [PAYER]: -2_039 }
  const moreWrapped = { before: [wrapped(0)], after: [wrapped(70)] }
  const withSeed = { program: SYSTEM_PROGRAM, accounts: [VENUE, PAYER, OWNER], data: Buffer.concat([le(11, 4), le(50, 8)]) }

  it.each<[string, Picture, Paid]>([
    ['one instruction: its place', { steps: [fifty], lamports: gains(50, -50) }, [at(0, 50n)]],
    ['TransferWithSeed: its place', { steps: [withSeed], lamports: gains(50, -50) }, [at(0, 50n)]],
    ['two instructions: each its place', { steps: [fifty, call([fifty])], lamports: gains(100, -100) }, [at(0, 50n), at(2, 50n)]],
    ['moved by a program: a sum', { lamports: { [OWNER]: 50 } }, [sum(50n)]],
    ['some of it back: the rest', { steps: [fifty, back], lamports: gains(5, 0) }, [at(0, 5n)]],
    ['all of it back: none', { steps: [fifty, back], lamports: gains(0, 0) }, []],
    ['twice, and some of it back: a sum', { steps: [fifty, fifty, back], lamports: gains(55, 0) }, [sum(55n)]],
    [
      'wrapped: its place',
      { ...moreWrapped, steps: [move(THEIRS, OURS, 70)], before: [[THEIRS, VENUE, 70, NATIVE_SOL]] },
      [at(0, 70n)],
    ],
    ['wrapped by a program: a sum', moreWrapped, [sum(70n)]],
    [
      'wrapping own lamports: none',
      { ...moreWrapped, steps: [send(OWNER, OURS, 70)], lamports: { [OWNER]: -70, [OURS]: 70 } },
      [],
    ],
    ['unwrapping own lamports: none', { before: [wrapped(70)], lamports: { [OWNER]: 70 } }, []],
    [
      'sent to a wrapped account: its place',
      { ...moreWrapped, steps: [send(VENUE, OURS, 70)], lamports: { [OURS]: 70 } },
      [at(0, 70n)],
    ],
    ['the rent of a token account: none', { ...opening, steps: [rent], lamports: rents }, []],
    [
      'beside such rent: its place',
      { ...opening, steps: [rent, fifty], lamports: { ...gains(50, -50), ...rents } },
      [at(1, 50n)],
    ],
  ])('%s', async (_what, picture, expected) => {
    expect(await paid(shown(picture), SOL)).toEqual(expected)
  })

  it('count whole for the wallet that paid the fee', async () => {
    const picture = shown({ steps: [send(VENUE, PAYER, 50)], lamports: { [PAYER]: 50, [VENUE]: -50 } })
    expect(await paid(picture, SOL, PAYER)).toEqual([at(0, 50n)])
  })

  it('leave out an account that holds more than JSON carries exactly, and no other', async () => {
    const picture = shown({ steps: [fifty], lamports: gains(50, -50) })
    const index = picture.transaction.message.accountKeys.indexOf(VENUE)
    picture.meta.preBalances[index] = 2 ** 60
    picture.meta.postBalances[index] = 2 ** 60 + 4_096
    expect((await seenIn(picture))?.movements.map(({ to, amount }) => [to, amount])).toEqual([[OWNER, 50n]])
  })
})
