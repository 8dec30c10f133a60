import { expect, it } from 'vitest'
import { COMPUTE_BUDGET_PROGRAM, encodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import type { ExecutionType } from '../../../engine/core/offer.ts'
import { compareClaims } from '../../../engine/execution/payloadProof.ts'
import type { TrustedPart, TrustRule } from '../../../engine/venues/venue.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { addressFor, createFakeVenue, type FakeVenue, TOY_CONTRACT, TOY_FEE_ACCOUNT } from '../../support/fakeVenue.ts'
import { orderOn, ROUTES, startSwaps } from '../../support/swapStage.ts'
import { refusalOf, START_AT } from '../../support/testEngine.ts'

const KINDS = {
  'TRANSACTION of a token': ['TRANSACTION', ROUTES.evm],
  'TRANSACTION of coins': ['TRANSACTION', ROUTES.coins],
  'TRANSACTION on Solana': ['TRANSACTION', ROUTES.solana],
  SIGNATURE: ['SIGNATURE', ROUTES.evm],
  'DEPOSIT on EVM': ['DEPOSIT', ROUTES.evm],
  'DEPOSIT on Bitcoin': ['DEPOSIT', ROUTES.bitcoin],
} as const satisfies { [name: string]: readonly [ExecutionType, OrderWish] }

type Kind = keyof typeof KINDS
const ALL = Object.keys(KINDS) as Kind[]
const [TOKEN, COINS, SOLANA] = ['TRANSACTION of a token', 'TRANSACTION of coins', 'TRANSACTION on Solana'] as const
const [EVM_DEPOSIT, SIGNED] = ['DEPOSIT on EVM', 'SIGNATURE'] as const
const EVM_TRANSACTIONS = [TOKEN, COINS]
const TRANSACTIONS = [...EVM_TRANSACTIONS, SOLANA]
const CONTRACTS = [...EVM_TRANSACTIONS, SIGNED]
const ALLOWANCES = [TOKEN, SIGNED]
const DEPOSITS: readonly Kind[] = [EVM_DEPOSIT, 'DEPOSIT on Bitcoin']

const [MINIMUM, INPUT] = [995_000n, 1_000_000n]
const STRANGER = addressFor('evm', 'stranger')
const HOUR_MS = 3_600_000
const APPROVAL = { spender: TOY_CONTRACT, amount: INPUT }
const toUs = (size: object) => ({ recipient: TOY_FEE_ACCOUNT, ...size })

/** An honest execution, and what it is compared with. Every input is 1,000,000 units, every guaranteed output 995,000. */
const honest = async (name: Kind) => {
  const [[kind, route], { signal }] = [KINDS[name], new AbortController()]
  const venue = createFakeVenue('toy', { kind, now: () => START_AT })
  const order = anOrder(route)
  const offer = await venue.quote(order, signal)
  const binding = { recipient: order.recipient, refundTo: order.refundTo }
  const execution = await venue.execute({ order, offer }, binding, signal)
  return { execution, claims: await venue.decode(execution), order, offer, binding, profile: venue.profile }
}
type Proof = Awaited<ReturnType<typeof honest>>
const proofs = new Map(await Promise.all(ALL.map(async (kind) => [kind, await honest(kind)] as const)))
const proofOf = (kind: Kind): Proof => proofs.get(kind) as Proof

type Changes = { readonly [part in keyof Proof]?: object }

const isPlain = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first with the fields of the second, at every depth. */
const merged = (base: unknown, change: unknown): unknown => {
  if (!isPlain(base) || !isPlain(change)) return change
  const fields = Object.entries(change).map(([name, value]) => [name, merged((base as { [name: string]: unknown })[name], value)])
  return { ...base, ...Object.fromEntries(fields) }
}

const mismatches = (proof: Proof, change: Changes = {}): readonly string[] => {
  const { execution, claims, order, offer, binding, profile } = merged(proof, change) as Proof
  return compareClaims(claims, execution, { sealed: { order, offer }, binding, profile, now: START_AT })
}

type Kinds = Kind | readonly Kind[]
/** Every one of the changes alone is the mismatch, in payloads of all these kinds. */
type Row = readonly [what: string, mismatch: string, changes: readonly Changes[], kinds: Kinds]

/** Rows of one part, whose mismatches begin with `prefix`. */
const rowsOf =
  (prefix: string, wrap: (change: object) => Changes, usual: Kinds) =>
  (what: string, field: string, changes: object | readonly object[], kinds = usual): Row => [
    what,
    `${prefix}${field}`,
    [changes].flat().map(wrap),
    kinds,
  ]
const paid = (payload: object): Changes => ({ execution: { payload } })
const claims = rowsOf('', (change) => ({ claims: change }), ALL)
const transaction = rowsOf('transaction.', (change) => paid({ transaction: change }), TRANSACTIONS)
const deposit = rowsOf('deposit.', (change) => paid({ deposit: change }), DEPOSITS)
const typedDomain = rowsOf('typedData.domain.', (domain) => paid({ typedData: { domain } }), SIGNED)
const minimum = (claimed: unknown) => ({ output: { minimum: claimed } })

const DEADLINES = [START_AT, START_AT + HOUR_MS + 1, Number.NaN].map((deadlineAt) => ({ deadlineAt }))
const CLAIMS: readonly Row[] = [
  claims('another chain', 'chain', { chainId: 10 }),
  claims('an unpublished contract', 'contract', { pays: STRANGER }, CONTRACTS),
  claims('another deposit address than shown', 'deposit.address', { pays: STRANGER }, DEPOSITS),
  claims('no or another spender', 'spender', [{ spender: null }, { spender: STRANGER }], ALLOWANCES),
  claims('a spender that was not quoted', 'spender', { spender: TOY_CONTRACT }, [COINS, SOLANA, ...DEPOSITS]),
  claims('another input token', 'input.token', { input: { asset: { address: STRANGER } } }),
  claims('another input', 'input.amount', [{ input: { amount: INPUT + 1n } }, { input: { amount: INPUT - 1n } }]),
  claims('another output token', 'output.token', { output: { asset: { address: STRANGER } } }),
  claims('less than guaranteed, or more than expected', 'output.minimum', [minimum(MINIMUM - 1n), minimum(INPUT + 1n)]),
  claims('another recipient', 'recipient', { recipient: STRANGER }),
  claims('another refund address', 'refundTo', { refundTo: STRANGER }),
  claims('no refund address', 'refundTo', { refundTo: null }, DEPOSITS),
  claims('a fee that was not quoted', 'fee', [{ fee: toUs({ bps: 1 }) }, { fee: toUs({ amount: 1n }) }]),
  claims('a deadline that is now, beyond the maximum or no time', 'deadline', DEADLINES),
  claims('a fee beside the input that was not quoted', 'nativeFee', [{ nativeFee: 1n }, { nativeFee: -1n }]),
  claims('a part that was not read', 'unread: a hook', { unread: ['a hook'] }),
  claims('an approval that the payload lacks', 'approval', { approval: APPROVAL }),
]

const approved = (approval?: object, domain: object = {}): Changes => ({
  ...paid({
    approvalData: {
      domain: { chainId: 1, verifyingContract: TOKENS.usdcEthereum.address, ...domain },
      types: { Permit: [{ name: 'spender', type: 'address' }] },
      primaryType: 'Permit',
      message: { spender: TOY_CONTRACT },
    },
  }),
  claims: { approval },
})
const approval = rowsOf('approval', (change) => approved({ ...APPROVAL, ...change }), SIGNED)
const approvalDomain = rowsOf('approvalData.domain.', (domain) => approved(APPROVAL, domain), SIGNED)

const APPROVALS: readonly Row[] = [
  approvalDomain('an approval on another chain', 'chainId', { chainId: 10 }),
  approvalDomain('an approval by another contract', 'verifyingContract', { verifyingContract: STRANGER }),
  ['an approval without a claim', 'approval', [approved()], SIGNED],
  approval('an approval for another spender', '', { spender: STRANGER }),
  approval('an approval by another owner', '', { owner: STRANGER }),
  approval('an approval of another amount', '', [{ amount: INPUT + 1n }, { amount: INPUT - 1n }]),
]

/** The payload pays an address that belongs to one party. Everything else agrees with that. */
const OWNED = (['sender', 'recipient', 'refundTo'] as const).flatMap((party): readonly Row[] => {
  const owned = (address: string) =>
    party === 'sender' ? { order: { sender: address } } : { binding: { [party]: address }, claims: { [party]: address } }
  const [own, contract]: Changes[] = [owned(STRANGER), owned(TOY_CONTRACT)]
  const change = { ...own, ...paid({ deposit: { address: STRANGER } }), claims: { ...own?.claims, pays: STRANGER } }
  return [
    [`a deposit address of the ${party}`, 'deposit.owner', [change], EVM_DEPOSIT],
    [`a contract that is the ${party}`, 'contract.owner', [contract ?? {}], CONTRACTS],
  ]
})

const ENVELOPE: readonly Row[] = [
  transaction('a transaction on another chain', 'chainId', { chainId: 10 }),
  transaction('a transaction to another contract', 'to', { to: STRANGER }),
  transaction('one unit of coins too many or too few', 'value', [{ value: INPUT + 1n }, { value: INPUT - 1n }]),
  transaction('no coins', 'value', { value: 0n }, COINS),
  transaction('coins beside a token', 'value', { value: 1n }, [TOKEN, SOLANA]),
  transaction('other bytes in data than in serialized', 'data', { data: 'AAAA' }, SOLANA),
  transaction('a Solana transaction beside the calldata', 'data', { serialized: 'AAAA' }, EVM_TRANSACTIONS),
  deposit('a deposit on another chain', 'chainId', { chainId: 10 }),
  deposit('another deposit address than decoded', 'address', { address: STRANGER }),
  deposit('a deposit of another amount', 'amount', [{ amount: INPUT + 1n }, { amount: INPUT - 1n }]),
  ['a signature on another chain', 'chainId', [paid({ chainId: 10 })], SIGNED],
  typedDomain('a domain of another chain', 'chainId', { chainId: 10 }),
  typedDomain('another verifying contract', 'verifyingContract', { verifyingContract: STRANGER }),
  ['a quote won as TRANSACTION', 'executionType', [{ offer: { executionType: 'TRANSACTION' } }], [SIGNED, ...DEPOSITS]],
  ['a quote won as DEPOSIT', 'executionType', [{ offer: { executionType: 'DEPOSIT' } }], [SIGNED, ...TRANSACTIONS]],
]

const quotedFee = (fee: unknown): Changes => ({ offer: { fee: { bps: 25, amount: 2_500n } }, claims: { fee } })
const fee = rowsOf('fee', quotedFee, ALL)
const FEES: readonly Row[] = [
  ['no fee although one was quoted', 'fee', [quotedFee(null)], ALL],
  fee('a fee to another or no recipient', '.recipient', [
    { ...toUs({ bps: 25 }), recipient: 'stranger' },
    { recipient: null, bps: 25 },
  ]),
  fee('a fee of another share', '.amount', [toUs({ bps: 26 }), toUs({ bps: 24 })]),
  fee('a fee above that of the expected output', '.amount', toUs({ amount: 2_508n })),
  fee('a fee below that of the guaranteed output', '.amount', [toUs({ amount: 2_492n }), toUs({ amount: 0n })]),
]

const trusting = (kind: Kind, ...parts: readonly TrustedPart[]): Changes => {
  const [executionType] = KINDS[kind]
  const rule: TrustRule = { executionType, parts, appliesTo: () => true, routes: 'all', reason: 'the toy says nothing' }
  return { profile: { takesOnTrust: [rule] } }
}
/** The venue reports the quoted fee, or another, without a recipient. */
const reported = (part: TrustedPart, bps = 25) => ({ ...trusting(TOKEN, part), ...quotedFee({ told: { recipient: null, bps } }) })
const UNBOUND = { ...quotedFee(null), claims: { fee: toUs({ amount: 2_500n }), ...minimum('unproved') } }
const NO_BOUND = { execution: { slippage: null }, offer: { slippage: null } } as const
const held = (refundTo: string | null, refund: string = WALLETS.evm): Changes => ({
  profile: { holdsInput: () => true },
  claims: { refundTo },
  binding: { refundTo: refund },
})

/** Changes with all of their mismatches; none is accepted. */
const EXACT: readonly [what: string, kind: Kind, change: Changes, ...found: string[]][] = [
  ...ALL.map((kind): [string, Kind, Changes] => ['nothing changed', kind, {}]),
  ['the quoted fee in basis points', SIGNED, quotedFee(toUs({ bps: 25 }))],
  ['the fee of the expected output, rounded', SIGNED, quotedFee(toUs({ amount: 2_507n }))],
  ['the fee of the guaranteed output, rounded', SIGNED, quotedFee(toUs({ amount: 2_493n }))],
  ['several differences', TOKEN, { claims: { recipient: STRANGER, ...minimum(1n) } }, 'output.minimum', 'recipient'],
  ['the expected output guaranteed', TOKEN, { claims: minimum(INPUT) }],
  ['no deadline', TOKEN, { claims: { deadlineAt: null } }],
  ['the earliest deadline', TOKEN, { claims: { deadlineAt: START_AT + 1 } }],
  ['the latest deadline', TOKEN, { claims: { deadlineAt: START_AT + HOUR_MS } }],
  ['a refund address that it needs not', TOKEN, { claims: { refundTo: WALLETS.evm } }],
  ['one unit guaranteed where the quote has no bound', TOKEN, { ...NO_BOUND, claims: minimum(1n) }],
  ['nothing guaranteed where the quote has no bound', TOKEN, { ...NO_BOUND, claims: minimum(0n) }, 'output.minimum'],
  ['less than the built bound', TOKEN, { execution: { slippage: { guaranteedMin: MINIMUM + 1n } } }, 'output.minimum'],
  ['a fee in units without a minimum to compare it with', TOKEN, { ...trusting(TOKEN, 'minimum'), ...UNBOUND }, 'fee.amount'],
  ['the quoted fee without a recipient, as reported', TOKEN, reported('fee')],
  ['another fee without a recipient, as reported', TOKEN, reported('fee', 26), 'fee.amount'],
  ['the quoted fee without a recipient where another part may be reported', TOKEN, reported('recipient'), 'fee'],
  ['a refund to the payer', COINS, held('payer')],
  ['a refund to the payer and another refund address', COINS, held('payer', STRANGER), 'refundTo'],
  ['no refund while the venue holds the input', COINS, held(null), 'refundTo'],
  ['an approval signed to the token', SIGNED, approved(APPROVAL)],
  ['an approval signed to a published contract', SIGNED, approved(APPROVAL, { verifyingContract: TOY_CONTRACT })],
  ['an approval that names its owner', SIGNED, approved({ ...APPROVAL, owner: WALLETS.evm })],
]

const cases = [...CLAIMS, ...ENVELOPE, ...FEES, ...OWNED, ...APPROVALS].flatMap(([what, mismatch, changes, kinds]) =>
  [kinds].flat().flatMap((kind) => changes.map((change) => [kind, what, mismatch, change] as const)),
)
it.each(cases)('payload proof: refuses a %s with %s as %s [proof-against-quote]', (kind, _what, mismatch, change) => {
  expect(mismatches(proofOf(kind), change)).toContain(mismatch)
})

it.each(EXACT)('payload proof: finds every mismatch of a payload with %s, %s', (_what, kind, change, ...found) => {
  expect(mismatches(proofOf(kind), change)).toEqual(found)
})

it.each([
  ['accepts the quoted', 5n, 5n, 5n, 5n, []],
  ['accepts a lower', 4n, 4n, 5n, 9n, []],
  ['accepts no', 0n, 0n, 5n, 9n, []],
  ['refuses coins above the claimed', 5n, 4n, 5n, 9n, ['transaction.value']],
  ['refuses coins below the claimed', 0n, 5n, 5n, 9n, ['transaction.value']],
  ['refuses more than the quoted', 6n, 6n, 5n, 9n, ['nativeFee']],
  ['refuses more than the maximum', 6n, 6n, 6n, 5n, ['nativeFee']],
])('payload proof: %s fee beside the input: pays %d, claims %d, quoted %d, at most %d [proof-against-quote]', (...row) => {
  const [, pays, claimed, quoted, most, found] = row
  for (const [kind, coins] of [[TOKEN, 0n] as const, [COINS, INPUT] as const]) {
    const sides = { offer: { nativeFee: quoted }, profile: { nativeFeeMax: () => most }, claims: { nativeFee: claimed } }
    expect(mismatches(proofOf(kind), { ...paid({ transaction: { value: coins + pays } }), ...sides }), kind).toEqual(found)
  }
})

it.each(ALL)('payload proof: accepts a report of the venue only for listed parts, and as quoted: %s', (kind) => {
  const proof = proofOf(kind)
  const parts = [
    ['recipient', 'recipient', (recipient: unknown) => ({ recipient }), WALLETS.evm, STRANGER],
    ['minimum', 'output.minimum', minimum, MINIMUM, MINIMUM - 1n],
    ['refund', 'refundTo', (refundTo: unknown) => ({ refundTo }), proof.claims.refundTo, STRANGER],
    ['fee', 'fee', (own: unknown) => ({ fee: own }), null, { recipient: null, bps: 1 }],
  ] as const
  for (const [part, found, change, honest, lie] of parts) {
    const others = parts.map(([other]) => other).filter((other) => other !== part)
    for (const claim of ['unproved', { told: honest }]) {
      expect(mismatches(proof, { ...trusting(kind, part), claims: change(claim) }), part).toEqual([])
      expect(mismatches(proof, { ...trusting(kind, ...others), claims: change(claim) }), part).toEqual([found])
    }
    expect(mismatches(proof, { ...trusting(kind, part), claims: change({ told: lie }) }), part).toContain(found)
  }
})

const forged = (built: Execution): Execution => ({ ...built, evidence: { ...(built.evidence as object), seal: 'forged' } })
const withData = (data: string | null, serialized?: string) => (execution: Execution) =>
  merged(execution, { payload: { transaction: { data, ...(serialized && { serialized }) } } }) as Execution
it.each<[string, ExecutionType, Partial<FakeVenue['script']>, RegExp]>([
  ['another recipient', 'TRANSACTION', { decode: async (honest) => ({ ...honest, recipient: STRANGER }) }, /^recipient$/],
  ['a shape that its decoder does not expect', 'TRANSACTION', { alter: withData(null) }, /^undecodable: the adapter failed/],
  ['altered evidence', 'DEPOSIT', { alter: forged }, /^undecodable: the seal is broken$/],
])('execute: a payload with %s is neither stored nor returned [proof-against-quote]', async (_what, kind, script, mismatch) => {
  const stage = await startSwaps({ kind })
  Object.assign(stage.venue.script, script)
  const { details, publicMessage } = await refusalOf(stage.swap(), 'INTERNAL')
  expect(details).toEqual({ venue: 'toy', reason: 'payloadMismatch' })
  expect(publicMessage).toContain('toy')
  expect(publicMessage).not.toContain(STRANGER)
  const refusal = { requestId: 'req-1', venue: 'toy', mismatches: [expect.stringMatching(mismatch)] }
  expect(stage.reported('payload.refused')).toMatchObject([refusal])
  expect(stage.reported('swap.executed')).toEqual([])
  expect(await stage.store.kept()).toEqual([])
})

it.each([
  ['an absurd network fee', orderOn(ROUTES.solana).sender, [3, 0, 0, 0, 0, 0, 0, 0, 1], 'transaction.networkFee'],
  ['another fee payer', addressFor('solana', 'stranger'), [2, 0, 0, 0, 0], 'transaction.feePayer'],
] as const)('execute refuses a Solana payload with %s [proof-solana-companions]', async (_what, feePayer, budget, mismatch) => {
  const venue = createFakeVenue('toy', { now: () => START_AT })
  const instructions = [{ programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.from(budget) }]
  const recentBlockhash = addressFor('solana', 'block')
  const serialized = await encodeSolanaTransaction({ feePayer, recentBlockhash, instructions })
  venue.script.alter = withData(serialized, serialized)
  const reading: FakeVenue = { ...venue, decode: async () => proofOf('TRANSACTION on Solana').claims }
  const stage = await startSwaps({}, { venue: reading })
  await refusalOf(stage.swap(orderOn(ROUTES.solana)), 'INTERNAL')
  expect(stage.reported('payload.refused')).toMatchObject([{ mismatches: [mismatch] }])
})
