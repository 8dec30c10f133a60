import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { paymentsTo } from '../../../engine/chains/seen.ts'
import {
  associatedTokenAddress,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../engine/chains/solana/solanaCodec.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { type Asset, NATIVE_SOL, nativeAsset } from '../../../engine/core/asset.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import { type Change, changed } from '../../support/venueKit/calls.ts'
import { type Answers, benchOver, idOf, never, outcome, refuses, resets } from './evidenceBench.ts'

const SIGNATURE = base58.encode(new Uint8Array(64).fill(7))
const key = (fill: number) => addressOf('solana', base58.encode(new Uint8Array(32).fill(fill)))
const USDC = assetOf(-2, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const [PAYER, VENUE, OURS, THEIRS, OTHERS, PROGRAM] = [key(1), key(2), key(3), key(4), key(5), key(6)]
const OWNER = WALLETS.solana

const u32 = (value: number): Buffer => Buffer.from(new Uint32Array([value]).buffer)
const u64 = (value: number): Buffer => Buffer.from(new BigUint64Array([BigInt(value)]).buffer)

type Step = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Buffer
  readonly inner?: readonly Step[]
}
const step = (program: string, accounts: readonly string[], ...data: readonly Buffer[]): Step => ({
  ...{ program, accounts, data: Buffer.concat(data) },
})
const send = (from: string, to: string, amount: number) => step(SYSTEM_PROGRAM, [from, to], u32(2), u64(amount))
const move = (from: string, to: string, amount: number) => step(TOKEN_PROGRAM, [from, to, VENUE], Buffer.of(3), u64(amount))
const checked = (from: string, to: string, amount: number, program: string = TOKEN_PROGRAM) =>
  step(program, [from, USDC.address, to, VENUE], Buffer.of(12), u64(amount), Buffer.of(6))
const call = (inner: readonly Step[]): Step => ({ ...step(PROGRAM, [PAYER], Buffer.of(9)), inner })

type Held = readonly [account: string, owner: string, amount: number, mint?: string]
type Picture = {
  readonly steps?: readonly Step[]
  readonly before?: readonly Held[]
  readonly after?: readonly Held[]
  /** Lamports that each address gains. */
  readonly lamports?: { readonly [address: string]: number }
  readonly loaded?: readonly string[]
}

/** A transaction as a node shows it; the payer's fee is 5,000 lamports. */
const shown = ({ steps = [], before = [], after = [], lamports = {}, loaded = [] }: Picture) => {
  const all = [...steps, ...steps.flatMap(({ inner = [] }) => inner)]
  const named = [
    PAYER,
    ...all.flatMap(({ program, accounts }) => [program, ...accounts]),
    ...[...before, ...after].map(([account]) => account),
    ...Object.keys(lamports),
  ]
  const keys = [...new Set(named)].filter((each) => !loaded.includes(each))
  const numbered = [...keys, ...loaded]
  const at = (address: string) => numbered.indexOf(address)
  const view = ({ program, accounts, data }: Step) => ({
    programIdIndex: at(program),
    accounts: accounts.map(at),
    data: base58.encode(new Uint8Array(data)),
    stackHeight: null,
  })
  const balances = (held: readonly Held[]) =>
    held.map(([account, owner, amount, mint = USDC.address]) => ({
      accountIndex: at(account),
      owner,
      mint,
      uiTokenAmount: { amount: String(amount) },
    }))
  return {
    slot: 500,
    blockTime: 100,
    transaction: { signatures: [SIGNATURE], message: { accountKeys: keys, instructions: steps.map(view) } },
    meta: {
      err: null,
      fee: 5_000,
      preBalances: numbered.map(() => 10_000),
      postBalances: numbered.map((each, index) => 10_000 + (lamports[each] ?? 0) - (index === 0 ? 5_000 : 0)),
      preTokenBalances: balances(before),
      postTokenBalances: balances(after),
      innerInstructions: steps.flatMap(({ inner }, index) => (inner ? [{ index, instructions: inner.map(view) }] : [])),
      loadedAddresses: { writable: loaded, readonly: [] },
    },
  }
}

/** A transaction as the chain evidence shows it; `slot`: the newest that is final. */
const seenIn = (shown: unknown, answers: Answers = {}) =>
  benchOver({ a: { getTransaction: shown, getSlot: 400, ...answers } }).evidence.transaction(TRANSACTION, never())
const TRANSACTION = { chainId: -2, hash: idOf(-2, SIGNATURE) } as const

/** The payments of an asset to an owner: the place, the amount and the payer of each. */
const paid = async (picture: unknown, asset: Asset = USDC, recipient = OWNER) => {
  const seen = await seenIn(picture)
  return seen && paymentsTo(seen, { asset, recipient }).map(({ place, amount, from }) => [place, amount, from])
}

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
    expect(Buffer.from(seen?.instructions[3]?.data ?? [])).toEqual(Buffer.concat([u32(2), u64(3)]))
  })

  const failed = changed(shown({ steps: [send(PAYER, OWNER, 7)], lamports: { [OWNER]: 7 } }), { 'meta.err': 'Custom' })
  it.each<[string, unknown, number, object]>([
    ['confirmed below a final slot', shown({}), 499, { standing: 'confirmed' }],
    ['final at a final slot', shown({}), 500, { standing: 'final' }],
    ['without a time where the node has none', changed(shown({}), { blockTime: null }), 499, { at: null }],
    ['failed, and moved nothing', failed, 499, { isSuccess: false, movements: [], instructions: [{ index: 0 }] }],
  ])('is %s', async (_what, picture, getSlot, expected) => {
    expect(await seenIn(picture, { getSlot })).toMatchObject(expected)
  })

  it('is read at the commitment that counts, and is absent only when a second endpoint lacks it too', async () => {
    const over = async (getTransaction: unknown) => {
      const bench = benchOver({ a: { getTransaction: null, getSlot: 400 }, b: { getTransaction, getSlot: 400 } })
      return { seen: await outcome(bench.evidence.transaction(TRANSACTION, never())), asked: bench.asked }
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
  const wrong: readonly (readonly [what: string, change: Change])[] = [
    ['another transaction', { 'transaction.signatures': [base58.encode(new Uint8Array(64).fill(8))] }],
    ['no word on whether it failed', { 'meta.err': '<absent>' }],
    ['balances of fewer accounts', { 'meta.preBalances': [1] }],
    ['balances of more accounts', { 'meta.postBalances': [...honest.meta.postBalances, 1] }],
    ['a balance below nothing', { 'meta.preBalances.*': -1 }],
    ['a token balance without an owner', { 'meta.postTokenBalances.0.owner': '<absent>' }],
    ['a token balance with a fraction', { 'meta.postTokenBalances.0.uiTokenAmount': { amount: '4.2' } }],
    ['inner instructions of none', { 'meta.innerInstructions': [{ index: 7, instructions: [] }] }],
    ['the inner instructions twice', { 'meta.innerInstructions': Array(2).fill(honest.meta.innerInstructions[0]) }],
    ['an instruction of no program', { 'transaction.message.instructions.0.programIdIndex': 99 }],
  ]
  it.each<[string, unknown, Answers?]>([
    ...wrong.map(([what, change]): [string, unknown] => [what, changed(honest, change)]),
    ['a revert', refuses('execution reverted', 3)],
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
  const made = (kind: number, ...tail: readonly number[]) =>
    step(TOKEN_PROGRAM, [USDC.address, OURS, VENUE], Buffer.of(kind), u64(42), Buffer.of(...tail))
  const fee = [Buffer.of(26, 1), u64(42), Buffer.of(6), u64(2)]
  const withFee = step(TOKEN_2022_PROGRAM, [THEIRS, USDC.address, OURS, VENUE], ...fee)
  const openedFirst = step(TOKEN_PROGRAM, [OTHERS, USDC.address, VENUE], Buffer.of(1))
  const opened = (kind: number) => step(TOKEN_PROGRAM, [OTHERS, USDC.address], Buffer.of(kind), Buffer.from(base58.decode(VENUE)))
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
    ['MintToChecked: no payer', { ...paidTo(42, made(14, 6)), before: [ours(0)] }, [at(0, 42n, null)]],
    ['a fee that is named: less', paidTo(40, withFee), [at(0, 40n)]],
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
    ['through an account opened by InitializeAccount', through(openedFirst), [at(2, 42n)]],
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
  const [both, sent] = [{ ...gains(50, -50), ...rents }, send(VENUE, OURS, 70)]
  const theirWrapped = [[THEIRS, VENUE, 70, NATIVE_SOL]] as const
  const wrapping = (more: Picture): Picture => ({ before: [wrapped(0)], after: [wrapped(70)], ...more })
  const withSeed = step(SYSTEM_PROGRAM, [VENUE, PAYER, OWNER], u32(11), u64(50))

  it.each<[string, Picture, Paid]>([
    ['one instruction: its place', { steps: [fifty], lamports: gains(50, -50) }, [at(0, 50n)]],
    ['TransferWithSeed: its place', { steps: [withSeed], lamports: gains(50, -50) }, [at(0, 50n)]],
    ['two instructions: each its place', { steps: [fifty, call([fifty])], lamports: gains(100, -100) }, [at(0, 50n), at(2, 50n)]],
    ['moved by a program: a sum', { lamports: { [OWNER]: 50 } }, [sum(50n)]],
    ['some of it back: the rest', { steps: [fifty, back], lamports: gains(5, 0) }, [at(0, 5n)]],
    ['all of it back: none', { steps: [fifty, back], lamports: gains(0, 0) }, []],
    ['twice, and some of it back: a sum', { steps: [fifty, fifty, back], lamports: gains(55, 0) }, [sum(55n)]],
    ['wrapped: its place', wrapping({ steps: [move(THEIRS, OURS, 70)], before: theirWrapped }), [at(0, 70n)]],
    ['wrapped by a program: a sum', wrapping({}), [sum(70n)]],
    ['wrapping own lamports: none', wrapping({ steps: [send(OWNER, OURS, 70)], lamports: { [OWNER]: -70, [OURS]: 70 } }), []],
    ['unwrapping own lamports: none', { before: [wrapped(70)], lamports: { [OWNER]: 70 } }, []],
    ['sent to a wrapped account: its place', wrapping({ steps: [sent], lamports: { [OURS]: 70 } }), [at(0, 70n)]],
    ['the rent of a token account: none', { ...opening, steps: [rent], lamports: rents }, []],
    ['beside such rent: its place', { ...opening, steps: [rent, fifty], lamports: both }, [at(1, 50n)]],
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

/** How much earlier than by our clock Solana may date its blocks. */
const APART_MS = 7_200_000
const [SLOT, NOW_S] = [70, 1_700_000_000]
const ATA = associatedTokenAddress(OWNER, USDC.address)
const ATA_2022 = associatedTokenAddress(OWNER, USDC.address, TOKEN_2022_PROGRAM)

const timeAt = (seconds: number) => Buffer.concat([500, 1, 2, 3, seconds].map(u64))
/** The account of the time that programs use. */
const clockOf = (data: unknown) => ({ context: { slot: SLOT }, value: data === null ? null : { data } })
const timeOf = (seconds: number) => clockOf([timeAt(seconds).toString('base64'), 'base64'])

const signature = (fill: number) => base58.encode(new Uint8Array(64).fill(fill))
const entry = (fill: number, rest: object = {}) => ({
  signature: signature(fill),
  slot: fill,
  err: null,
  blockTime: fill,
  ...rest,
})
type Entry = ReturnType<typeof entry>
type Lists = { readonly [account: string]: readonly Entry[] }

const nodeWith = (lists: Lists, answers: Answers = {}): Answers => ({
  getTokenAccountsByOwner: { context: { slot: SLOT }, value: [{ pubkey: OTHERS, account: {} }] },
  getSignaturesForAddress: (account: string, { limit, before }: { limit: number; before?: string }) => {
    const list = lists[account] ?? []
    const from = before === undefined ? 0 : list.findIndex((each) => each.signature === before) + 1
    return list.slice(from, from + limit)
  },
  ...{ getAccountInfo: timeOf(NOW_S), getFirstAvailableBlock: 3, getBlockTime: 1, getSlot: 900 },
  ...answers,
})
const QUERY = { asset: USDC, recipient: OWNER, since: 10_000 + APART_MS }

const over = (lists: Lists, answers: Answers = {}, asset = USDC) => {
  const { evidence, asked } = benchOver({ a: nodeWith(lists, answers) })
  return {
    search: () => outcome(evidence.search({ ...QUERY, asset }, never())),
    untouched: () => outcome(evidence.untouchedUntil({ ...QUERY, asset }, never())),
    sent: (after: number | null = null) => evidence.sentBy({ asset, sender: OWNER, since: QUERY.since, after }, never()),
    listed: () => asked.filter(({ method }) => method === 'getSignaturesForAddress').map(({ params }) => params[0]),
  }
}

describe('Solana payments: the search', () => {
  it('finds successful ones at all token accounts of the wallet, oldest first, each once', async () => {
    const own = [entry(41, { err: 'AccountNotFound' }), entry(40), entry(30, { blockTime: null }), entry(9)]
    const lists = { [OWNER]: [entry(50)], [ATA]: own, [ATA_2022]: [entry(20)], [OTHERS]: [entry(30), entry(11)] }
    const { search, listed } = over(lists)
    expect(await search()).toEqual({ hashes: [11, 20, 30, 40].map(signature), isWhole: true })
    expect(listed()).toEqual([ATA, ATA_2022, OTHERS])
  })

  it('finds lamports at the wallet too', async () => {
    const wrapped = associatedTokenAddress(OWNER, nativeAsset(-2).address)
    const { search } = over({ [OWNER]: [entry(30)], [wrapped]: [entry(40)] }, {}, nativeAsset(-2))
    expect(await search()).toMatchObject({ hashes: [30, 40].map(signature) })
  })

  it('finds one although the first endpoint is stuck, and reports that endpoint', async () => {
    const at = (seconds: number) => ({ getAccountInfo: timeOf(seconds) })
    const nodes = { a: nodeWith({}, at(1_999_990_000)), b: nodeWith({ [ATA]: [entry(40)] }, at(2_000_000_000)) }
    const { evidence, clock, lags } = benchOver(nodes)
    await evidence.search(QUERY, never())
    for (const passed of [30_000, 3_600_000]) {
      clock.at += passed
      expect((await evidence.search(QUERY, never())).hashes).toEqual([signature(40)])
    }
    expect(lags()).toEqual(['1 lags'])
  })

  const many = (count: number, last: number) => [
    ...Array.from({ length: count }, (_none, i) => entry(20 + (i % 200))),
    entry(last),
  ]
  it.each<[string, boolean, Lists, Answers?]>([
    ['goes back beyond the requested time', true, { [ATA]: many(999, 9) }],
    ['is cut off', false, { [ATA]: many(999, 20) }],
    ['is kept for a shorter time', false, {}, { getBlockTime: 11 }],
    ['is kept for an unknown time', false, {}, { getBlockTime: refuses('not available') }],
  ])('a list that %s is complete: %s', async (_what, isWhole, lists, answers) => {
    expect(await over(lists, answers).search()).toMatchObject({ isWhole })
  })

  it.each([
    ['a clock account that is cut', { getAccountInfo: clockOf([timeAt(NOW_S).subarray(0, 39).toString('base64'), 'base64']) }],
    ['no clock account', { getAccountInfo: clockOf(null) }],
    ['an account that is no address', { getTokenAccountsByOwner: { value: [{ pubkey: 'mine' }] } }],
    ['a signature that is none', { getSignaturesForAddress: [entry(30, { signature: 'x' })] }],
    ['an entry without its result', { getSignaturesForAddress: [entry(30, { err: undefined })] }],
    ['a reset', { getSignaturesForAddress: resets }],
  ])('is unreadable, and the address not unpaid, where a node answers %s', async (_what, answers) => {
    const { search, untouched } = over({}, answers)
    expect([await search(), await untouched()]).toEqual(['unreachable', 'unreachable'])
  })
})

describe('Solana payments that a wallet sent', () => {
  it('are all successful ones that list it, oldest first', async () => {
    const list = [entry(40), entry(30, { err: 'Custom' }), entry(20), entry(10), entry(9)]
    const { sent, listed } = over({ [OWNER]: list })
    const transactions = [10, 20, 40].map((slot) => ({ hash: signature(slot), height: slot }))
    expect(await sent()).toEqual({ transactions, reached: 900 - 64, at: NOW_S * 1_000 })
    expect((await sent(20)).transactions).toEqual(transactions.slice(2))
    expect(new Set(listed())).toEqual(new Set([OWNER]))
  })

  it.each([
    [2_500, 2_500, NOW_S * 1_000, 3],
    [7_000, 5_000, null, 5],
  ])('are read back page by page: of %i it finds %i, complete until %j, in %i calls', async (count, found, at, calls) => {
    const list = Array.from({ length: count }, (_none, index) => {
      const slot = count - index
      const own = base58.encode(Uint8Array.from([slot >> 8, slot & 255, ...Array<number>(62).fill(1)]))
      return { ...entry(1), signature: own, slot, blockTime: 20 + slot }
    })
    const { sent, listed } = over({ [OWNER]: list })
    const { transactions, ...rest } = await sent()
    expect([transactions.length, transactions.at(-1)?.height, rest.at, listed().length]).toEqual([found, count, at, calls])
  })
})

describe('Solana deposit address: unpaid', () => {
  const accountsBehind = { getTokenAccountsByOwner: { context: { slot: SLOT - 1 }, value: [] } }
  const refusesBehind =
    (at: 1 | 2, answer: unknown) =>
    (...params: readonly unknown[]) => {
      const { minContextSlot = 0 } = params[at] as { minContextSlot?: number }
      return minContextSlot >= SLOT ? refuses('Minimum context slot has not been reached', -32_016) : answer
    }

  it.each<[string, number | string | null, Lists, Answers?]>([
    ['no account of the wallet has a transaction', NOW_S * 1_000, {}],
    ...[OWNER, ATA, ATA_2022, OTHERS].map(
      (account) => [`${account} has one`, null, { [account]: [entry(5)] }] as [string, null, Lists],
    ),
    ['a transaction of the wallet failed', null, { [OWNER]: [entry(5, { err: 'AccountNotFound' })] }],
    ['the node keeps too short a history', null, {}, { getBlockTime: 11 }],
    ['the node that lists accounts is behind', 'unreachable', {}, accountsBehind],
    ['it refuses', 'unreachable', {}, { getTokenAccountsByOwner: refusesBehind(2, accountsBehind.getTokenAccountsByOwner) }],
    ['the node that lists transactions refuses', 'unreachable', {}, { getSignaturesForAddress: refusesBehind(1, []) }],
  ])('where %s: until %j', async (_what, expected, lists, answers) => {
    expect(await over(lists, answers).untouched()).toBe(expected)
  })
})
