import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  type SolanaInstructionPlan as Call,
  MEMO_PROGRAM,
  type SolanaTransactionPlan as Plan,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../engine/chains/solana/solanaCodec.ts'
import { NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { attackSolana } from '../../support/venueKit/attackSolana.ts'
import { altered, prove, type Swap, swapOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import { SOMEONE } from '../../support/venueKit/payloads.ts'
import { OTHER, openBench, orders, PROGRAM, PYUSD, told, WITH_FEE } from './support.ts'

const [WALLET, settings] = [orders.sol().sender, WITH_FEE]

/** An answer without lookup tables. `mint`: of a token in between, whose account of the wallet is opened before the swap and closed after it. */
const answerBy = (mint: string | null, program: string) => (body: never) => {
  const plain = altered(body, 'addressesByLookupTableAddress', null)
  if (mint === null) return plain
  const metas = (...accounts: readonly string[]) =>
    accounts.map((pubkey, at) => ({ pubkey, isSigner: pubkey === WALLET && at !== 1, isWritable: at < 2 }))
  const account = associatedTokenAddress(WALLET, mint, program)
  const accounts = metas(WALLET, account, WALLET, mint, SYSTEM_PROGRAM, program)
  const opens = { programId: ASSOCIATED_TOKEN_PROGRAM, data: 'AQ==', accounts }
  const closes = { programId: program, data: 'CQ==', accounts: metas(account, WALLET, WALLET) }
  return altered(
    altered(plain, 'setupInstructions', (own: object[]) => [...own, opens]),
    'otherInstructions',
    [closes],
  )
}
const openBy =
  (mint: string | null = null, program: string = TOKEN_PROGRAM) =>
  async () => {
    const bench = await openBench({ settings })
    return { ...bench, venue: told(bench, { change: answerBy(mint, program), settings }).venue }
  }

const formOf = ({ data }: Call) => (Buffer.from(data.slice(0, 8)).toString('hex') === 'd19853937cfed8e9' ? 'shared' : 'own')
/** Where the words of a call begin, how many accounts the call itself has, and which of them the program moves between by itself. */
const FORMS = { own: { head: 8, slots: 10, free: [] }, shared: { head: 9, slots: 12, free: [3, 4] } } as const

/** Other steps and pools, or a higher quoted output: the program pays the minimum or fails. */
const isSameSwap = (other: Call, own: Call): boolean => {
  const { head, slots, free }: { head: number; slots: number; free: readonly number[] } = FORMS[formOf(own)]
  const [theirs, ours] = [other, own].map(({ data }) => Buffer.from(data)) as [Buffer, Buffer]
  if (other.programId !== own.programId || theirs.length < ours.length) return false
  const words = (data: Buffer) => [data.subarray(0, head + 8), data.subarray(head + 16, head + 26)].map(String)
  const due = own.accounts.slice(0, slots + (ours.readUInt16LE(head + 18) > 0 ? 1 : 0))
  const isPaid = due.every(({ address }, at) => free.includes(at) || address === other.accounts[at]?.address)
  return (
    isPaid && isDeepStrictEqual(words(theirs), words(ours)) && theirs.readBigUInt64LE(head + 8) >= ours.readBigUInt64LE(head + 8)
  )
}

const isName = ({ data, accounts }: Call): boolean =>
  /^swap:[0-9a-f]{24}$/.test(Buffer.from(data).toString('latin1')) && accounts.length === 0
const opensFor = (owner: string, { programId, accounts }: Call): boolean =>
  programId === ASSOCIATED_TOKEN_PROGRAM && accounts[2]?.address === owner
const textOf = ({ programId, accounts, data }: Call): string =>
  [programId, ...accounts.map(({ address }) => address), Buffer.from(data).toString('hex')].join()

/** Another name; an account of the pair opened twice or not at all; wrapped coins synced twice, or left in the wallet's own account. */
const allowedFor =
  (pair: readonly string[]) =>
  (other: Plan, own: Plan): boolean => {
    const [theirs, ours] = [other, own].map(({ instructions }) => instructions.map(textOf)) as [string[], string[]]
    if (other.feePayer !== own.feePayer) return false
    const at = ours.findIndex((text, place) => text !== theirs[place])
    const [mine, its] = [own.instructions[at], other.instructions[at]]
    if (theirs.length > ours.length) {
      const added = other.instructions[at === -1 ? ours.length : at] as Call
      return ours.includes(textOf(added)) && (added.programId === ASSOCIATED_TOKEN_PROGRAM || added.data[0] === 17)
    }
    if (!mine) return theirs.length === ours.length
    if (theirs.length < ours.length) {
      const isKept = mine.programId === TOKEN_PROGRAM && mine.data[0] === 9 && pair[0] === NATIVE_SOL
      return isKept || (opensFor(own.feePayer, mine) && pair.includes(mine.accounts[3]?.address ?? ''))
    }
    if (!its || ours.some((text, place) => place > at && text !== theirs[place])) return false
    return mine.programId === PROGRAM
      ? isSameSwap(its, mine)
      : mine.programId === MEMO_PROGRAM && its.programId === MEMO_PROGRAM && isName(its)
  }

const token = (data: readonly number[], ...accounts: readonly string[]): Call => ({
  programId: TOKEN_PROGRAM,
  accounts: accounts.map((address) => ({ address, isSigner: address === WALLET, isWritable: true })),
  data: Uint8Array.from(data),
})
const budget = (...data: readonly number[]): Call => ({
  ...{ programId: 'ComputeBudget111111111111111111111111111111', accounts: [], data: Uint8Array.from(data) },
})
const holdingOf = (mint: string): string => associatedTokenAddress(WALLET, mint)
const [wrapped, holding] = [holdingOf(NATIVE_SOL), holdingOf(USDC.solana)]
const AMOUNT = [1, 0, 0, 0, 0, 0, 0, 0]

/** Other calls and words of the swap, what takes tokens beside it, other budgets, and SOL (un)wrapped on the other side. */
function* otherPlans(plan: Plan): Generator<Plan> {
  const { instructions } = plan
  const at = instructions.findIndex(({ programId }) => programId === PROGRAM)
  const own = instructions[at] as Call
  const { head, slots } = FORMS[formOf(own)]
  const put = (place: number, change: Partial<Call>): Plan => ({
    ...plan,
    instructions: instructions.with(place, { ...(instructions[place] as Call), ...change }),
  })
  for (const other of ['e517cb977ae3ad2a', 'c1209b3341d69c81', '9d8ab85215f4f324', '3560e5cad8bbfa18'])
    yield put(at, { data: Uint8Array.of(...Buffer.from(other, 'hex'), ...own.data.slice(8)) })
  for (const bps of [20_000, 10_001, 5_000])
    yield put(at, { data: own.data.with(head + 16, bps & 255).with(head + 17, bps >> 8) })
  for (const bytes of [head + 25, head + 4, 8]) yield put(at, { data: own.data.slice(0, bytes) })
  for (const many of [slots - 1, 4, 0]) yield put(at, { accounts: own.accounts.slice(0, many) })
  if (formOf(own) === 'shared') for (const id of [3, 16]) yield put(at, { data: own.data.with(8, id) })
  if (own.data[head + 18] !== 0) yield put(at, { accounts: own.accounts.toSpliced(slots, 0, { address: SOMEONE }) })
  for (const data of [[3, ...Array(8).fill(255)], [3], [4, 0, 0, 1, 0]]) yield put(1, { data: Uint8Array.from(data) })
  for (const data of [[2], [0, 0, 0, 1, 0]]) yield put(0, { data: Uint8Array.from(data) })
  yield put(0, { accounts: [{ address: SOMEONE }] })
  const budgets = instructions.slice(0, 2)
  for (const kept of budgets) yield { ...plan, instructions: instructions.filter((each) => each !== kept) }
  const takers = [
    // Transfer, Approve, SetAuthority of owner, CloseAccount to another, and of another account.
    ...[token([3, ...AMOUNT], holding, SOMEONE, WALLET), token([4, ...AMOUNT], holding, SOMEONE, WALLET)],
    ...[token([6, 2, 1, ...new Uint8Array(32)], holding, WALLET), token([9], wrapped, SOMEONE, WALLET)],
    ...[token([9], holding, WALLET, WALLET), budget(1, 0, 0, 0), ...budgets],
    { ...token([1, 0, 0, 0], WALLET, SOMEONE), programId: SYSTEM_PROGRAM },
  ]
  for (const beside of takers)
    for (const all of [
      [...instructions, beside],
      [beside, ...instructions],
    ])
      yield { ...plan, instructions: all }
  const rest = instructions.toSpliced(at, 1)
  const isWrapping = ({ programId }: Call) => [SYSTEM_PROGRAM, TOKEN_PROGRAM].some((one) => one === programId)
  const turned = [...rest.slice(at).filter(isWrapping), own, ...rest.slice(0, at).filter(isWrapping)]
  if (turned.length > 1) yield { ...plan, instructions: [...rest.filter((each) => !isWrapping(each)), ...turned] }
}

/** An account in between that is not opened once before the swap and closed once after it, to the wallet and by its own program. */
function* otherBetweens(plan: Plan): Generator<Plan> {
  const { instructions } = plan
  const opens = instructions.find(({ accounts }) => accounts[3]?.address === PYUSD) as Call
  const closes = instructions.find(({ programId }) => programId === TOKEN_2022_PROGRAM) as Call
  const others = instructions.filter((each) => each !== opens && each !== closes)
  const at = others.findIndex(({ programId }) => programId === PROGRAM)
  const theirs = { address: associatedTokenAddress(SOMEONE, PYUSD, TOKEN_2022_PROGRAM), isWritable: true }
  const forTheirs = { ...opens, accounts: opens.accounts.with(1, theirs).with(2, { address: SOMEONE }) }
  for (const [before, after] of [
    ...[
      [[opens], [closes, closes]],
      [[opens, closes], []],
      [
        [opens, closes],
        [opens, closes],
      ],
      [[], [opens, closes]],
    ],
    ...[
      [[opens], [closes, opens]],
      [[opens], [{ ...closes, programId: TOKEN_PROGRAM }]],
    ],
    [[forTheirs], [{ ...closes, accounts: closes.accounts.with(0, theirs) }]],
  ] as [Call[], Call[]][])
    yield { ...plan, instructions: others.toSpliced(at + 1, 0, ...after).toSpliced(at, 0, ...before) }
}

/** With the places of the instructions after the budget, of which each is attacked. */
const SWAPS = [
  ['tokens for another wallet, with a fee', orders.usdc({ feeBps: 30 }), 3],
  ['tokens for the wallet itself', orders.usdc({ recipient: WALLET }), 3],
  ['SOL for tokens', orders.sol(), 7],
  ['tokens for SOL', orders.toSol(), 4],
  ['SOL for tokens of Token-2022, by two pools, with a fee', orders.pyusd({ feeBps: 30 }), 7],
  ['an account of SOL in between', orders.usdc(), 5, openBy(NATIVE_SOL)],
  ['an account of Token-2022 in between', orders.sol(), 9, openBy(PYUSD, TOKEN_2022_PROGRAM)],
] as const

for (const [title, order, count, open = openBy()] of SWAPS)
  for (let at = 2; at < count + 2; at += 1)
    attackSolana({
      ...{ venue: 'jupiter', open, at, swaps: [{ title: `${title}, instruction ${at}`, order }], isHarmless: () => false },
      allows: allowedFor([order.input.address, order.output.address]),
      also: (plan) =>
        at > 2 ? [] : title.includes('Token-2022 in between') ? [...otherPlans(plan), ...otherBetweens(plan)] : otherPlans(plan),
    })

const count = countMutations('jupiter')
let bench: VenueBench
afterAll(() => bench?.close())

test('proof: rejects the payload beside another order', async () => {
  bench = await openBench({ settings })
  const swap = await swapOf(bench.venue, orders.usdc({ feeBps: 30 }))
  expect(await prove(bench.venue, swap)).toEqual([])
  const { order, offer } = swap
  const others: readonly Partial<Swap>[] = [
    { offer: { ...offer, fee: { ...offer.fee, bps: 0 } } },
    { offer: altered(offer, 'slippage.guaranteedMin', (least: bigint) => least + 1n) },
    { order: { ...order, sender: OTHER } },
    ...[{ amount: order.inputAmount + 1n }, { to: [-2, NATIVE_SOL] as const }, { from: [-2, PYUSD] as const }].map((wish) => ({
      order: orders.usdc({ feeBps: 30, ...wish }),
    })),
  ]
  for (const [which, other] of others.entries()) count(`order ${which}`, await prove(bench.venue, { ...swap, ...other }))
})
