import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { COMPUTE_BUDGET_PROGRAM, encodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import type { Binding, Execution, Payload, PayloadClaims, TypedData } from '../../../engine/core/execution.ts'
import type { ExecutionType, Offer } from '../../../engine/core/offer.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { compareClaims } from '../../../engine/execution/payloadProof.ts'
import type { TrustedPart, TrustRule, VenueProfile } from '../../../engine/venues/venue.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import {
  addressFor,
  createFakeVenue,
  type FakeVenue,
  ignoresSignal,
  TOY_CONTRACT,
  TOY_FEE_ACCOUNT,
} from '../../support/fakeVenue.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { orderOn, ROUTES, startSwaps } from '../../support/swapStage.ts'
import { refusalOf, START_AT } from '../../support/testEngine.ts'

/** One honest execution, and what it is compared with. Every input is 1,000,000 units, every guaranteed output 995,000. */
type Proof = {
  readonly payload: Payload
  readonly built: Omit<Execution, 'payload'>
  readonly claims: PayloadClaims
  readonly order: VenueOrder
  readonly offer: Offer
  readonly binding: Binding
  readonly profile: VenueProfile
}

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

const proofs = new Map<Kind, Proof>()
const proofOf = (kind: Kind): Proof => proofs.get(kind) as Proof

beforeAll(async () => {
  const { signal } = new AbortController()
  for (const [name, [kind, route]] of Object.entries(KINDS)) {
    const venue = createFakeVenue('toy', { kind, now: () => START_AT })
    const order = anOrder(route)
    const offer = await venue.quote(order, signal)
    const binding = { recipient: order.recipient, refundTo: order.refundTo }
    const execution = await venue.execute({ order, offer }, binding, signal)
    const { payload, ...built } = execution
    proofs.set(name as Kind, {
      payload,
      built,
      claims: await venue.decode(execution),
      order,
      offer,
      binding,
      profile: venue.profile,
    })
  }
})

type Changes = { readonly [part in keyof Proof]?: object }

const isPlain = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first with the fields of the second, at every depth. */
const merged = (base: unknown, change: unknown): unknown => {
  if (!isPlain(base) || !isPlain(change)) return change
  const fields = Object.entries(change).map(([name, value]) => [name, merged((base as { [name: string]: unknown })[name], value)])
  return { ...base, ...Object.fromEntries(fields) }
}

const mismatches = (proof: Proof, change: Changes = {}): readonly string[] => {
  const { payload, built, claims, order, offer, binding, profile } = merged(proof, change) as Proof
  return compareClaims(claims, { ...built, payload }, { sealed: { order, offer }, binding, profile, now: START_AT })
}

type Kinds = Kind | readonly Kind[]
type Row = readonly [what: string, mismatch: string, change: Changes, kinds?: Kinds]

const claims = (what: string, mismatch: string, change: object, kinds: Kinds = ALL): Row => [
  what,
  mismatch,
  { claims: change },
  kinds,
]
const minimum = (claimed: unknown) => ({ output: { minimum: claimed } })

const CLAIMS: readonly Row[] = [
  claims('another chain', 'chain', { chainId: 10 }),
  claims('an unpublished contract', 'contract', { pays: STRANGER }, CONTRACTS),
  claims('another deposit address than shown', 'deposit.address', { pays: STRANGER }, DEPOSITS),
  claims('no spender', 'spender', { spender: null }, ALLOWANCES),
  claims('another spender', 'spender', { spender: STRANGER }, ALLOWANCES),
  claims('a spender that was not quoted', 'spender', { spender: TOY_CONTRACT }, [COINS, SOLANA, ...DEPOSITS]),
  claims('another input token', 'input.token', { input: { asset: { address: STRANGER } } }),
  claims('the input token of another chain', 'input.token', { input: { asset: { chainId: 10 } } }),
  claims('one unit more of input', 'input.amount', { input: { amount: INPUT + 1n } }),
  claims('one unit less of input', 'input.amount', { input: { amount: INPUT - 1n } }),
  claims('another output token', 'output.token', { output: { asset: { address: STRANGER } } }),
  claims('the output on another chain', 'output.token', { output: { asset: { chainId: 10 } } }),
  claims('one unit less of guaranteed output', 'output.minimum', minimum(MINIMUM - 1n)),
  claims('one unit more guaranteed than expected', 'output.minimum', minimum(INPUT + 1n)),
  claims('a minimum that only the venue reports', 'output.minimum', minimum({ told: MINIMUM })),
  claims('a minimum that is not reported', 'output.minimum', minimum('unproved')),
  claims('another recipient', 'recipient', { recipient: STRANGER }),
  claims('a recipient that only the venue reports', 'recipient', { recipient: { told: WALLETS.evm } }),
  claims('a recipient that is not reported', 'recipient', { recipient: 'unproved' }),
  claims('another refund address', 'refundTo', { refundTo: STRANGER }),
  claims('no refund address', 'refundTo', { refundTo: null }, DEPOSITS),
  claims('no refund address, as only the venue reports', 'refundTo', { refundTo: { told: null } }),
  claims('a refund address that only the venue reports', 'refundTo', { refundTo: { told: WALLETS.evm } }, EVM_DEPOSIT),
  claims('a refund address that is not reported', 'refundTo', { refundTo: 'unproved' }),
  claims('a fee in basis points that was not quoted', 'fee', { fee: { recipient: TOY_FEE_ACCOUNT, bps: 1 } }),
  claims('a fee in units that was not quoted', 'fee', { fee: { recipient: TOY_FEE_ACCOUNT, amount: 1n } }),
  claims('no fee, as only the venue reports', 'fee', { fee: { told: null } }),
  claims('a fee that is not reported', 'fee', { fee: 'unproved' }),
  claims('a deadline that is now', 'deadline', { deadlineAt: START_AT }),
  claims('a deadline beyond the maximum', 'deadline', { deadlineAt: START_AT + HOUR_MS + 1 }),
  claims('a deadline that is no time', 'deadline', { deadlineAt: Number.NaN }),
  claims('a fee beside the input that was not quoted', 'nativeFee', { nativeFee: 1n }),
  claims('a negative fee beside the input', 'nativeFee', { nativeFee: -1n }),
  claims('a part that was not read', 'unread: a hook', { unread: ['a hook'] }),
  claims('an approval that the payload lacks', 'approval', { approval: { spender: TOY_CONTRACT, amount: INPUT } }),
]

/** Rows of one part of the payload, whose mismatches begin with `prefix`. */
const rowsOf =
  (prefix: string, wrap: (change: object) => Changes, usual: Kinds) =>
  (what: string, field: string, change: object, kinds = usual): Row => [what, `${prefix}.${field}`, wrap(change), kinds]
const transaction = rowsOf('transaction', (change) => ({ payload: { transaction: change } }), TRANSACTIONS)
const deposit = rowsOf('deposit', (change) => ({ payload: { deposit: change } }), DEPOSITS)
const typedDomain = rowsOf('typedData.domain', (domain) => ({ payload: { typedData: { domain } } }), SIGNED)

const approvalData = (domain: TypedData['domain'] = { chainId: 1, verifyingContract: TOKENS.usdcEthereum.address }) => ({
  approvalData: {
    domain,
    types: { Permit: [{ name: 'spender', type: 'address' }] },
    primaryType: 'Permit',
    message: { spender: TOY_CONTRACT },
  },
})
const APPROVAL = { spender: TOY_CONTRACT, amount: INPUT }
const approved = (approval: object | null | undefined, domain?: TypedData['domain']): Changes => ({
  payload: approvalData(domain),
  claims: { approval },
})
const approval = (what: string, claimed: object | null | undefined): Row => [what, 'approval', approved(claimed), SIGNED]
const approvalDomain = rowsOf('approvalData.domain', (domain) => approved(APPROVAL, domain), SIGNED)

const PARTIES = ['sender', 'recipient', 'refundTo'] as const
/** The payload pays an address that belongs to one party. Everything else agrees with that. */
const ownedBy = (party: (typeof PARTIES)[number], address: string): Changes =>
  party === 'sender' ? { order: { sender: address } } : { binding: { [party]: address }, claims: { [party]: address } }

const OWNED: readonly Row[] = [
  ...PARTIES.map((party): Row => {
    const own = ownedBy(party, STRANGER)
    const change = { ...own, payload: { deposit: { address: STRANGER } }, claims: { ...own.claims, pays: STRANGER } }
    return [`a deposit address of the ${party}`, 'deposit.owner', change, EVM_DEPOSIT]
  }),
  ...PARTIES.map((party): Row => [`a contract that is the ${party}`, 'contract.owner', ownedBy(party, TOY_CONTRACT), CONTRACTS]),
]

const APPROVALS: readonly Row[] = [
  approvalDomain('an approval on another chain', 'chainId', { chainId: 10, verifyingContract: TOKENS.usdcEthereum.address }),
  approvalDomain('an approval without a chain', 'chainId', { verifyingContract: TOKENS.usdcEthereum.address }),
  approvalDomain('an approval by another contract', 'verifyingContract', { chainId: 1, verifyingContract: STRANGER }),
  approvalDomain('an approval by another token', 'verifyingContract', {
    chainId: 1,
    verifyingContract: TOKENS.usdtEthereum.address,
  }),
  approval('an approval without a claim', undefined),
  approval('an approval that is claimed to be none', null),
  approval('an approval for another spender', { ...APPROVAL, spender: STRANGER }),
  approval('an approval by another owner', { ...APPROVAL, owner: STRANGER }),
  approval('an approval of one unit more', { ...APPROVAL, amount: INPUT + 1n }),
  approval('an approval of one unit less', { ...APPROVAL, amount: INPUT - 1n }),
]

const ENVELOPE: readonly Row[] = [
  transaction('a transaction on another chain', 'chainId', { chainId: 10 }),
  transaction('a transaction to another contract', 'to', { to: STRANGER }),
  transaction('one unit of coins too many', 'value', { value: INPUT + 1n }),
  transaction('one unit of coins too few', 'value', { value: INPUT - 1n }),
  transaction('no coins', 'value', { value: 0n }, COINS),
  transaction('coins beside a token', 'value', { value: 1n }, [TOKEN, SOLANA]),
  transaction('other bytes in data than in serialized', 'data', { data: 'AAAA' }, SOLANA),
  transaction('other bytes in serialized than in data', 'data', { serialized: 'AAAA' }, SOLANA),
  transaction('a Solana transaction beside the calldata', 'data', { serialized: 'AAAA' }, EVM_TRANSACTIONS),
  deposit('a deposit on another chain', 'chainId', { chainId: 10 }),
  deposit('another deposit address than decoded', 'address', { address: STRANGER }),
  deposit('a deposit of one unit more', 'amount', { amount: INPUT + 1n }),
  deposit('a deposit of one unit less', 'amount', { amount: INPUT - 1n }),
  ['a signature on another chain', 'chainId', { payload: { chainId: 10 } }, SIGNED],
  typedDomain('a domain of another chain', 'chainId', { chainId: 10 }),
  typedDomain('a domain without a chain', 'chainId', { chainId: undefined }),
  typedDomain('another verifying contract', 'verifyingContract', { verifyingContract: STRANGER }),
  typedDomain('no verifying contract', 'verifyingContract', { verifyingContract: undefined }),
  ...(['TRANSACTION', 'SIGNATURE', 'DEPOSIT'] as const).map((executionType): Row => {
    const others = ALL.filter((kind) => KINDS[kind][0] !== executionType)
    return [`a quote won as ${executionType}`, 'executionType', { offer: { executionType } }, others]
  }),
]

const quotedFee = (bps: number, fee: unknown): Changes => ({ offer: { fee: { bps, amount: 2_500n } }, claims: { fee } })
const fee = (what: string, mismatch: string, claimed: object | null): Row => [what, mismatch, quotedFee(25, claimed)]
const toUs = (size: object) => ({ recipient: TOY_FEE_ACCOUNT, ...size })

const FEES: readonly Row[] = [
  fee('no fee although one was quoted', 'fee', null),
  fee('a fee to another recipient', 'fee.recipient', { recipient: 'stranger', bps: 25 }),
  fee('a fee in units to another recipient', 'fee.recipient', { recipient: 'stranger', amount: 2_500n }),
  fee('a fee without a recipient', 'fee.recipient', { recipient: null, bps: 25 }),
  fee('a fee of one basis point more', 'fee.amount', toUs({ bps: 26 })),
  fee('a fee of one basis point less', 'fee.amount', toUs({ bps: 24 })),
  fee('a fee above that of the expected output', 'fee.amount', toUs({ amount: 2_509n })),
  fee('a fee below that of the guaranteed output', 'fee.amount', toUs({ amount: 2_490n })),
  fee('a fee of zero units', 'fee.amount', toUs({ amount: 0n })),
  fee('a negative fee', 'fee.amount', toUs({ amount: -2_500n })),
]

const trusting = (kind: Kind, ...parts: readonly TrustedPart[]): Changes => {
  const [executionType] = KINDS[kind]
  const rule: TrustRule = { executionType, parts, appliesTo: () => true, routes: 'all', reason: 'the toy says nothing' }
  return { profile: { takesOnTrust: [rule] } }
}

const NO_BOUND = { built: { slippage: null }, offer: { slippage: null } } as const
const HOLDING = { holdsInput: () => true }

/** Changes with all of their mismatches; none is accepted. */
type ExactRow = readonly [what: string, found: readonly string[], change: Changes, kind: Kind]
const EXACT: readonly ExactRow[] = [
  ['several differences', ['output.minimum', 'recipient'], { claims: { recipient: STRANGER, ...minimum(1n) } }, TOKEN],
  ['one unit more of guaranteed output', [], { claims: minimum(MINIMUM + 1n) }, TOKEN],
  ['the expected output guaranteed', [], { claims: minimum(INPUT) }, TOKEN],
  ['no deadline', [], { claims: { deadlineAt: null } }, TOKEN],
  ['the earliest deadline', [], { claims: { deadlineAt: START_AT + 1 } }, TOKEN],
  ['the latest deadline', [], { claims: { deadlineAt: START_AT + HOUR_MS } }, TOKEN],
  ['a refund address that it needs not', [], { claims: { refundTo: WALLETS.evm } }, TOKEN],
  ['one unit guaranteed where the quote has no bound', [], { ...NO_BOUND, claims: minimum(1n) }, TOKEN],
  ['nothing guaranteed where the quote has no bound', ['output.minimum'], { ...NO_BOUND, claims: minimum(0n) }, TOKEN],
  [
    'a minimum below the bound of the built payload',
    ['output.minimum'],
    { built: { slippage: { guaranteedMin: MINIMUM + 1n } } },
    TOKEN,
  ],
  [
    'a fee in units without a minimum to compare it with',
    ['fee.amount'],
    {
      ...{ ...trusting(TOKEN, 'minimum'), ...quotedFee(25, null) },
      claims: { fee: toUs({ amount: 2_500n }), ...minimum('unproved') },
    },
    TOKEN,
  ],
  ['a refund to the payer', [], { profile: HOLDING, claims: { refundTo: 'payer' } }, COINS],
  [
    'a refund to the payer and another refund address',
    ['refundTo'],
    { profile: HOLDING, claims: { refundTo: 'payer' }, binding: { refundTo: STRANGER } },
    COINS,
  ],
  ['no refund while the venue holds the input', ['refundTo'], { profile: HOLDING, claims: { refundTo: null } }, COINS],
  ['an approval signed to the token', [], approved(APPROVAL), SIGNED],
  ['an approval signed to a published contract', [], approved(APPROVAL, { chainId: 1, verifyingContract: TOY_CONTRACT }), SIGNED],
  ['an approval that names its owner', [], approved({ ...APPROVAL, owner: WALLETS.evm }), SIGNED],
]

describe('payload proof', () => {
  it.each(ALL)('accepts an honest %s', (kind) => {
    expect(mismatches(proofOf(kind))).toEqual([])
  })

  const cases = (rows: readonly Row[]) =>
    rows.flatMap(([what, mismatch, change, kinds = ALL]) => [kinds].flat().map((kind) => [kind, what, mismatch, change] as const))
  const refuses = (kind: Kind, _what: string, mismatch: string, change: Changes) =>
    expect(mismatches(proofOf(kind), change)).toContain(mismatch)
  it.each(cases([...CLAIMS, ...ENVELOPE, ...FEES]))('refuses a %s with %s as %s [proof-against-quote]', refuses)
  it.each(cases(OWNED))('refuses a %s with %s as %s [proof-against-quote]', refuses)
  it.each(cases(APPROVALS))('refuses a %s with %s as %s [proof-against-quote]', refuses)

  it.each(EXACT)('of a payload with %s finds the mismatches %o', (_what, found, change, kind) => {
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
  ])('%s fee beside the input: pays %d, claims %d, quoted %d, at most %d [proof-against-quote]', (...row) => {
    const [, paid, claimed, quoted, most, found] = row
    for (const [kind, coins] of [[TOKEN, 0n] as const, [COINS, INPUT] as const]) {
      const payload = { transaction: { value: coins + paid } }
      const sides = { offer: { nativeFee: quoted }, profile: { nativeFeeMax: () => most } }
      expect(mismatches(proofOf(kind), { payload, claims: { nativeFee: claimed }, ...sides }), kind).toEqual(found)
    }
  })

  it.each(ALL)('accepts a report of the venue only for listed parts, and as quoted: %s', (kind) => {
    const proof = proofOf(kind)
    const parts: {
      readonly [part in TrustedPart]: { found: string; change: (claim: unknown) => object; honest: unknown; lie: unknown }
    } = {
      recipient: { found: 'recipient', change: (recipient) => ({ recipient }), honest: WALLETS.evm, lie: STRANGER },
      minimum: { found: 'output.minimum', change: minimum, honest: MINIMUM, lie: MINIMUM - 1n },
      refund: { found: 'refundTo', change: (refundTo) => ({ refundTo }), honest: proof.claims.refundTo, lie: STRANGER },
      fee: { found: 'fee', change: (own) => ({ fee: own }), honest: null, lie: { recipient: null, bps: 1 } },
    }
    for (const [part, { found, change, honest, lie }] of Object.entries(parts)) {
      const [listed, others] = [
        trusting(kind, part as TrustedPart),
        trusting(kind, ...(Object.keys(parts) as TrustedPart[]).filter((other) => other !== part)),
      ]
      for (const claim of ['unproved', { told: honest }]) {
        expect(mismatches(proof, { ...listed, claims: change(claim) }), part).toEqual([])
        expect(mismatches(proof, { ...others, claims: change(claim) }), part).toEqual([found])
      }
      expect(mismatches(proof, { ...listed, claims: change({ told: lie }) }), part).toContain(found)
    }
  })

  it.each<[string, TrustedPart, number, readonly string[]]>([
    ['accepts the quoted fee', 'fee', 25, []],
    ['refuses another fee', 'fee', 26, ['fee.amount']],
    ['refuses the quoted fee when another part is listed', 'recipient', 25, ['fee']],
  ])('%s without a recipient, as the venue reports', (_what, part, bps, found) => {
    const change = { ...trusting('TRANSACTION of a token', part), ...quotedFee(25, { told: { recipient: null, bps } }) }
    expect(mismatches(proofOf('TRANSACTION of a token'), change)).toEqual(found)
  })

  it('accepts the quoted fee in basis points, and in units for any output from the guaranteed to the expected one', () => {
    const proof = proofOf('SIGNATURE')
    const accepted = (bps: number, size: object) => expect(mismatches(proof, quotedFee(bps, toUs(size)))).toEqual([])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.bigInt({ min: MINIMUM, max: INPUT }), (bps, net) => {
        accepted(bps, { bps })
        // `net` is left after the fee, which is a share of the gross amount, rounded either way.
        const exact = (net * BigInt(bps)) / (10_000n - BigInt(bps))
        for (const amount of [exact, exact + 1n].filter((units) => units > 0n)) accepted(bps, { amount })
      }),
    )
  })
})

describe('execute: a payload that fails the proof', () => {
  afterEach(realTime)

  const refused = { venue: 'toy', reason: 'payloadMismatch' }
  type TransactionPayload = Extract<Payload, { executionType: 'TRANSACTION' }>
  const withTransaction =
    (change: object) =>
    (execution: Execution): Execution => {
      const { transaction: own } = execution.payload as TransactionPayload
      return { ...execution, payload: { executionType: 'TRANSACTION', transaction: { ...own, ...change } } }
    }
  const withRecipient = (execution: Execution): Execution => {
    const { data } = (execution.payload as TransactionPayload).transaction
    const words = Buffer.from(data.slice(10), 'hex')
      .toString()
      .replace(`"recipient":"${WALLETS.evm}"`, `"recipient":"${STRANGER}"`)
    return withTransaction({ data: `${data.slice(0, 10)}${Buffer.from(words).toString('hex')}` })(execution)
  }

  it.each<[string, ExecutionType, (execution: Execution) => Execution, RegExp]>([
    ['another recipient', 'TRANSACTION', withRecipient, /^recipient$/],
    ['calldata of another function', 'TRANSACTION', withTransaction({ data: '0xdeadbeef' }), /^undecodable: no toy call$/],
    ['no calldata', 'TRANSACTION', withTransaction({ data: '' }), /^undecodable/],
    [
      'a shape that its decoder does not expect',
      'TRANSACTION',
      withTransaction({ data: null }),
      /^undecodable: the adapter failed/,
    ],
    [
      'altered evidence',
      'DEPOSIT',
      (one) => ({ ...one, evidence: { ...(one.evidence as object), seal: 'forged' } }),
      /^undecodable: the seal is broken$/,
    ],
    ['no evidence', 'DEPOSIT', (one) => ({ ...one, evidence: null }), /^undecodable: the adapter failed/],
  ])('with %s (%s) is recorded, neither stored nor returned [proof-against-quote]', async (_what, kind, alter, mismatch) => {
    const stage = await startSwaps({ kind })
    stage.venue.script.alter = alter
    const { details, publicMessage } = await refusalOf(stage.swap(), 'INTERNAL')
    expect(details).toEqual(refused)
    expect(publicMessage).toContain('toy')
    expect(publicMessage).not.toContain(STRANGER)
    const { quoteId } = stage.reported('payload.refused')[0] ?? {}
    expect(stage.reported('payload.refused')).toEqual([
      { event: 'payload.refused', requestId: 'req-1', quoteId, venue: 'toy', mismatches: [expect.stringMatching(mismatch)] },
    ])
    expect(stage.reported('swap.executed')).toEqual([])
    expect(await stage.store.kept()).toEqual([])
  })

  it('is refused when its decoder never ends [proof-against-quote]', async () => {
    const stage = await startSwaps()
    stage.venue.script.decode = () => ignoresSignal(null, new AbortController().signal)
    const token = await stage.token()
    fakeTime()
    const call = refusalOf(stage.execute(token), 'INTERNAL')
    while (stage.venue.calls.execute.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await advance(30_000)
    expect((await call).details).toEqual(refused)
  })

  it('because of a bug of the service is an error of the service', async () => {
    const feeRecipient = (): never => {
      throw new TypeError('a bug')
    }
    const stage = await startSwaps({ profile: { feeRecipient } }, { caller: { feeBps: 10 } })
    await expect(stage.swap()).rejects.toThrow(TypeError)
    expect(stage.reported('swap.executed')).toEqual([])
  })

  it.each([
    ['an absurd network fee', orderOn(ROUTES.solana).sender, [3, 0, 0, 0, 0, 0, 0, 0, 1], 'transaction.networkFee'],
    ['another fee payer', addressFor('solana', 'stranger'), [2, 0, 0, 0, 0], 'transaction.feePayer'],
  ] as const)(
    'on Solana has %s, although its decoder accepts it [proof-solana-companions]',
    async (_what, feePayer, budget, mismatch) => {
      const venue = createFakeVenue('toy', { now: () => START_AT })
      const instructions = [{ programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.from(budget) }]
      const recentBlockhash = addressFor('solana', 'block')
      const serialized = await encodeSolanaTransaction({ feePayer, recentBlockhash, instructions })
      venue.script.alter = withTransaction({ data: serialized, serialized })
      const reading: FakeVenue = { ...venue, decode: async () => proofOf('TRANSACTION on Solana').claims }
      const stage = await startSwaps({}, { venue: reading })
      await refusalOf(stage.swap(orderOn(ROUTES.solana)), 'INTERNAL')
      expect(stage.reported('payload.refused')).toMatchObject([{ mismatches: [mismatch] }])
    },
  )
})
