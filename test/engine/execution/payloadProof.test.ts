import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { COMPUTE_BUDGET_PROGRAM, encodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { Binding, ClaimedFee, Execution, Payload, PayloadClaims, Proven, TypedData } from '../../../engine/core/execution.ts'
import type { ExecutionType, Offer } from '../../../engine/core/offer.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { compareClaims } from '../../../engine/execution/payloadProof.ts'
import type { TrustedPart, TrustRule } from '../../../engine/venues/venue.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import {
  addressFor,
  createFakeVenue,
  type FakeVenue,
  ignoresSignal,
  TOY_CONTRACT,
  TOY_FEE_ACCOUNT,
} from '../../support/fakeVenue.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { createTestEngine, refusalOf, START_AT, type TestEngine } from '../../support/testEngine.ts'

/** One honest execution and all it is held against. */
type Proof = {
  readonly execution: Execution
  readonly claims: PayloadClaims
  readonly order: VenueOrder
  readonly offer: Offer
  readonly binding: Binding
  readonly venue: FakeVenue
}

const provedOf = (minimum: Proven<bigint>): bigint => {
  if (typeof minimum !== 'bigint') throw new Error('the toy venue proves its minimum')
  return minimum
}

const toldOf = <T>(claimed: Proven<T>): Proven<T> => ({ told: claimed as T })

const now = () => START_AT
const HOUR_MS = 3_600_000

const honest = async (kind: ExecutionType, wish: OrderWish): Promise<Proof> => {
  const venue = createFakeVenue('toy', { kind, now })
  const order = anOrder(wish)
  const offer = await venue.quote(order, new AbortController().signal)
  const binding = { recipient: order.recipient, refundTo: order.refundTo }
  const execution = await venue.execute({ order, offer }, binding, new AbortController().signal)
  return { execution, claims: await venue.decode(execution), order, offer, binding, venue }
}

const mismatches = ({ execution, claims, order, offer, binding, venue: { profile } }: Proof): readonly string[] =>
  compareClaims(claims, execution, { sealed: { order, offer }, binding, profile, now: START_AT })

const ERC20 = { from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n } satisfies OrderWish
const COINS = { from: [1, NATIVE], to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n } satisfies OrderWish
const SPL = {
  from: pair(TOKENS.usdcSolana),
  to: pair(TOKENS.usdcEthereum),
  amount: 1_000_000n,
  recipient: WALLETS.evm,
} satisfies OrderWish
const BITCOIN = { from: [-1, 'BTC'], to: pair(TOKENS.usdcEthereum), amount: 50_000n, recipient: WALLETS.evm } satisfies OrderWish

const KINDS = {
  'TRANSACTION of a token': ['TRANSACTION', ERC20],
  'TRANSACTION of coins': ['TRANSACTION', COINS],
  'TRANSACTION on Solana': ['TRANSACTION', SPL],
  SIGNATURE: ['SIGNATURE', ERC20],
  'DEPOSIT on EVM': ['DEPOSIT', ERC20],
  'DEPOSIT on Bitcoin': ['DEPOSIT', BITCOIN],
} as const satisfies { [name: string]: readonly [ExecutionType, OrderWish] }

type KindName = keyof typeof KINDS

type Mutation = {
  /** The mismatch that must be among those found. */
  readonly name: string
  readonly what: string
  readonly alter: (proof: Proof) => Proof
  readonly on?: readonly KindName[]
}

const stranger = addressFor('evm', 'stranger')
const claim = (
  what: string,
  name: string,
  change: (claims: PayloadClaims) => Partial<PayloadClaims>,
  on?: readonly KindName[],
): Mutation => ({
  name,
  what: `claims: ${what}`,
  alter: (proof) => ({ ...proof, claims: { ...proof.claims, ...change(proof.claims) } }),
  ...(on ? { on } : {}),
})

const ON_CONTRACTS = ['TRANSACTION of a token', 'TRANSACTION of coins', 'SIGNATURE'] as const
const WITH_ALLOWANCE = ['TRANSACTION of a token', 'SIGNATURE'] as const
const WITHOUT_ALLOWANCE = ['TRANSACTION of coins', 'DEPOSIT on EVM', 'DEPOSIT on Bitcoin', 'TRANSACTION on Solana'] as const
const DEPOSITS = ['DEPOSIT on EVM', 'DEPOSIT on Bitcoin'] as const
const TRANSACTIONS = ['TRANSACTION of a token', 'TRANSACTION of coins', 'TRANSACTION on Solana'] as const

const CLAIMS: readonly Mutation[] = [
  claim('another chain', 'chain', () => ({ chainId: 10 })),
  claim('a contract nobody published', 'contract', () => ({ pays: stranger }), ON_CONTRACTS),
  claim('a deposit address that is not the one shown', 'deposit.address', () => ({ pays: stranger }), DEPOSITS),
  claim('an allowance for nobody', 'spender', () => ({ spender: null }), WITH_ALLOWANCE),
  claim('an allowance for a stranger', 'spender', () => ({ spender: stranger }), WITH_ALLOWANCE),
  claim('an allowance where none was quoted', 'spender', () => ({ spender: TOY_CONTRACT }), WITHOUT_ALLOWANCE),
  claim('another input token', 'input.token', ({ input }) => ({
    input: { ...input, asset: { ...input.asset, address: stranger } },
  })),
  claim('the input token of another chain', 'input.token', ({ input }) => ({
    input: { ...input, asset: { ...input.asset, chainId: 10 } },
  })),
  claim('one unit more of input', 'input.amount', ({ input }) => ({ input: { ...input, amount: input.amount + 1n } })),
  claim('one unit less of input', 'input.amount', ({ input }) => ({ input: { ...input, amount: input.amount - 1n } })),
  claim('no input', 'input.amount', ({ input }) => ({ input: { ...input, amount: 0n } })),
  claim('another output token', 'output.token', ({ output }) => ({
    output: { ...output, asset: { ...output.asset, address: stranger } },
  })),
  claim('the output on another chain', 'output.token', ({ output }) => ({
    output: { ...output, asset: { ...output.asset, chainId: 10 } },
  })),
  claim('one unit less of guaranteed output', 'output.minimum', ({ output }) => ({
    output: { ...output, minimum: provedOf(output.minimum) - 1n },
  })),
  claim('more guaranteed than is expected', 'output.minimum', ({ output }) => ({ output: { ...output, minimum: 2n ** 128n } })),
  claim('no guaranteed output', 'output.minimum', ({ output }) => ({ output: { ...output, minimum: 0n } })),
  claim('another recipient', 'recipient', () => ({ recipient: stranger })),
  claim('another refund address', 'refundTo', () => ({ refundTo: stranger })),
  claim('a deposit that is refunded nobody knows where', 'refundTo', () => ({ refundTo: null }), DEPOSITS),
  claim('a fee nobody asked for, in basis points', 'fee', () => ({ fee: { recipient: TOY_FEE_ACCOUNT, bps: 1 } })),
  claim('a fee nobody asked for, in units', 'fee', () => ({ fee: { recipient: TOY_FEE_ACCOUNT, amount: 1n } })),
  claim('a deadline that has passed', 'deadline', () => ({ deadlineAt: START_AT - 1 })),
  claim('a deadline that is now', 'deadline', () => ({ deadlineAt: START_AT })),
  claim('a deadline past the furthest', 'deadline', () => ({ deadlineAt: START_AT + HOUR_MS + 1 })),
  claim('a deadline that is no time', 'deadline', () => ({ deadlineAt: Number.NaN })),
  claim('a fee beside the input that was not quoted', 'nativeFee', () => ({ nativeFee: 1n })),
  claim('a fee beside the input of less than nothing', 'nativeFee', () => ({ nativeFee: -1n })),
  claim('a recipient that is only told', 'recipient', ({ recipient }) => ({ recipient: toldOf(recipient) })),
  claim('a recipient that nobody tells', 'recipient', () => ({ recipient: 'unproved' })),
  claim('a minimum that is only told', 'output.minimum', ({ output }) => ({
    output: { ...output, minimum: toldOf(output.minimum) },
  })),
  claim('a minimum that nobody tells', 'output.minimum', ({ output }) => ({ output: { ...output, minimum: 'unproved' } })),
  claim('a refund that is only told', 'refundTo', ({ refundTo }) => ({ refundTo: toldOf(refundTo) })),
  claim('a refund that nobody tells', 'refundTo', () => ({ refundTo: 'unproved' })),
  claim('a fee that is only told', 'fee', ({ fee: own }) => ({ fee: toldOf(own) })),
  claim('a fee that nobody tells', 'fee', () => ({ fee: 'unproved' })),
  claim('a part that was not read', 'unread: a hook', () => ({ unread: ['a hook'] })),
]

const payload = (what: string, name: string, on: readonly KindName[], change: (payload: Payload) => Payload): Mutation => ({
  name,
  what: `payload: ${what}`,
  on,
  alter: (proof) => ({ ...proof, execution: { ...proof.execution, payload: change(proof.execution.payload) } }),
})

type TransactionPayload = Extract<Payload, { executionType: 'TRANSACTION' }>
type DepositPayload = Extract<Payload, { executionType: 'DEPOSIT' }>
type SignaturePayload = Extract<Payload, { executionType: 'SIGNATURE' }>

const transaction = (
  what: string,
  name: string,
  change: Partial<TransactionPayload['transaction']>,
  on: readonly KindName[] = TRANSACTIONS,
) =>
  payload(what, name, on, (one) => ({
    executionType: 'TRANSACTION',
    transaction: { ...(one as TransactionPayload).transaction, ...change },
  }))
const deposit = (what: string, name: string, change: Partial<DepositPayload['deposit']>) =>
  payload(what, name, DEPOSITS, (one) => ({
    executionType: 'DEPOSIT',
    deposit: { ...(one as DepositPayload).deposit, ...change },
  }))
const signature = (what: string, name: string, change: (one: SignaturePayload) => Partial<SignaturePayload>) =>
  payload(what, name, ['SIGNATURE'], (one) => ({ ...(one as SignaturePayload), ...change(one as SignaturePayload) }))
const domain =
  (change: (domain: TypedData['domain']) => TypedData['domain']) =>
  ({ typedData }: SignaturePayload) => ({
    typedData: { ...typedData, domain: change(typedData.domain) },
  })
const approvalOf = (domainOfApproval: TypedData['domain']): TypedData => ({
  domain: domainOfApproval,
  types: { Permit: [{ name: 'spender', type: 'address' }] },
  primaryType: 'Permit',
  message: { spender: TOY_CONTRACT },
})
/** An honest approval of the toy's, and what is claimed of it. */
const allowing =
  (approval: PayloadClaims['approval'], verifyingContract: string = TOKENS.usdcEthereum.address) =>
  (proof: Proof): Proof => {
    const signed = {
      ...(proof.execution.payload as SignaturePayload),
      approvalData: approvalOf({ chainId: 1, verifyingContract }),
    }
    const claims = { ...proof.claims, ...(approval === undefined ? {} : { approval }) }
    return { ...proof, claims, execution: { ...proof.execution, payload: signed } }
  }
const APPROVAL = { spender: TOY_CONTRACT, amount: 1_000_000n }
const approval = (what: string, claimed: PayloadClaims['approval']): Mutation => ({
  name: 'approval',
  what: `approval: ${what}`,
  on: ['SIGNATURE'],
  alter: allowing(claimed),
})

const ENVELOPE: readonly Mutation[] = [
  transaction('another chain', 'transaction.chainId', { chainId: 10 }),
  transaction('another contract', 'transaction.to', { to: stranger }),
  transaction('one unit of coins more', 'transaction.value', { value: toAmount(1_000_001n) }),
  transaction('one unit of coins less', 'transaction.value', { value: toAmount(999_999n) }),
  transaction('no coins', 'transaction.value', { value: toAmount(0n) }, ['TRANSACTION of coins']),
  transaction('coins beside the token', 'transaction.value', { value: toAmount(1n) }, [
    'TRANSACTION of a token',
    'TRANSACTION on Solana',
  ]),
  transaction('other bytes in data than in serialized', 'transaction.data', { data: 'AAAA' }, ['TRANSACTION on Solana']),
  transaction('other bytes in serialized than in data', 'transaction.data', { serialized: 'AAAA' }, ['TRANSACTION on Solana']),
  transaction('a Solana transaction beside the calldata', 'transaction.data', { serialized: 'AAAA' }, [
    'TRANSACTION of a token',
    'TRANSACTION of coins',
  ]),
  deposit('another chain', 'deposit.chainId', { chainId: 10 }),
  deposit('another address', 'deposit.address', { address: stranger }),
  ...(['sender', 'recipient', 'refundTo'] as const).map(
    (party): Mutation => ({
      name: 'deposit.owner',
      what: `payload: an address of the ${party}, signed for`,
      on: ['DEPOSIT on EVM'],
      alter: (proof) => {
        const address = addressFor('evm', 'a party')
        const paid = { ...(proof.execution.payload as DepositPayload).deposit, address }
        const order = { ...proof.order, ...(party === 'sender' ? { sender: address } : {}) }
        const binding = { ...proof.binding, ...(party === 'sender' ? {} : { [party]: address }) }
        const claims = { ...proof.claims, pays: address, recipient: binding.recipient, refundTo: binding.refundTo }
        return {
          ...proof,
          order,
          binding,
          claims,
          execution: { ...proof.execution, payload: { executionType: 'DEPOSIT', deposit: paid } },
        }
      },
    }),
  ),
  ...(['sender', 'recipient', 'refundTo'] as const).map(
    (party): Mutation => ({
      name: 'contract.owner',
      what: `payload: a contract that is the ${party}`,
      on: ON_CONTRACTS,
      alter: (proof) => {
        const order = { ...proof.order, ...(party === 'sender' ? { sender: TOY_CONTRACT } : {}) }
        const binding = { ...proof.binding, ...(party === 'sender' ? {} : { [party]: TOY_CONTRACT }) }
        const { refundTo } = proof.claims
        const claims = { ...proof.claims, recipient: binding.recipient, refundTo: refundTo && binding.refundTo }
        return { ...proof, order, binding, claims }
      },
    }),
  ),
  deposit('one unit more', 'deposit.amount', { amount: toAmount(1_000_001n) }),
  deposit('one unit less', 'deposit.amount', { amount: toAmount(49_999n) }),
  signature('another chain', 'chainId', () => ({ chainId: 10 })),
  signature(
    'a domain of another chain',
    'typedData.domain.chainId',
    domain((own) => ({ ...own, chainId: 10 })),
  ),
  signature(
    'a domain of no chain',
    'typedData.domain.chainId',
    domain(({ chainId: _, ...own }) => own),
  ),
  signature(
    'another verifying contract',
    'typedData.domain.verifyingContract',
    domain((own) => ({ ...own, verifyingContract: stranger })),
  ),
  signature(
    'no verifying contract',
    'typedData.domain.verifyingContract',
    domain(({ verifyingContract: _, ...own }) => own),
  ),
  signature('an approval on another chain', 'approvalData.domain.chainId', () => ({
    approvalData: approvalOf({ chainId: 10, verifyingContract: TOKENS.usdcEthereum.address }),
  })),
  signature('an approval on no chain', 'approvalData.domain.chainId', () => ({
    approvalData: approvalOf({ verifyingContract: TOKENS.usdcEthereum.address }),
  })),
  signature("an approval by a stranger's contract", 'approvalData.domain.verifyingContract', () => ({
    approvalData: approvalOf({ chainId: 1, verifyingContract: stranger }),
  })),
  signature('an approval by another token', 'approvalData.domain.verifyingContract', () => ({
    approvalData: approvalOf({ chainId: 1, verifyingContract: TOKENS.usdtEthereum.address }),
  })),
  approval('of which nothing is claimed', undefined),
  approval('that is claimed to be none', null),
  approval('for a stranger', { ...APPROVAL, spender: addressFor('evm', 'stranger') }),
  approval('of one unit more', { ...APPROVAL, amount: 1_000_001n }),
  approval('of one unit less', { ...APPROVAL, amount: 999_999n }),
  approval('of all there will ever be', { ...APPROVAL, amount: 2n ** 256n - 1n }),
  {
    name: 'approval',
    what: 'approval: claimed and not there',
    alter: (proof) => ({ ...proof, claims: { ...proof.claims, approval: APPROVAL } }),
  },
]

const QUOTE: readonly Mutation[] = (['TRANSACTION', 'SIGNATURE', 'DEPOSIT'] as const).map((executionType) => ({
  name: 'executionType',
  what: `quote: was won as ${executionType}`,
  on: (Object.keys(KINDS) as KindName[]).filter((name) => KINDS[name][0] !== executionType),
  alter: (proof) => ({ ...proof, offer: { ...proof.offer, executionType } }),
}))

const fee = (bps: number): Pick<Offer, 'fee'> => ({ fee: { bps, amount: toAmount(2_500n) } })
const withFee = (what: string, name: string, quotedBps: number, found: ClaimedFee | null): Mutation => ({
  name,
  what: `fee: ${what}`,
  alter: (proof) => ({ ...proof, offer: { ...proof.offer, ...fee(quotedBps) }, claims: { ...proof.claims, fee: found } }),
})

const FEES: readonly Mutation[] = [
  withFee('quoted and not taken', 'fee', 25, null),
  withFee('to a stranger', 'fee.recipient', 25, { recipient: 'stranger', bps: 25 }),
  withFee('to a stranger, in units', 'fee.recipient', 25, { recipient: 'stranger', amount: 2_500n }),
  withFee('one basis point more', 'fee.amount', 25, { recipient: TOY_FEE_ACCOUNT, bps: 26 }),
  withFee('one basis point less', 'fee.amount', 25, { recipient: TOY_FEE_ACCOUNT, bps: 24 }),
  withFee('more units than of the expected output', 'fee.amount', 25, { recipient: TOY_FEE_ACCOUNT, amount: 2_509n }),
  withFee('fewer units than of the guaranteed output', 'fee.amount', 25, { recipient: TOY_FEE_ACCOUNT, amount: 2_490n }),
  withFee('all of it', 'fee.amount', 25, { recipient: TOY_FEE_ACCOUNT, amount: 1_000_000n }),
  withFee('no units at all', 'fee.amount', 25, { recipient: TOY_FEE_ACCOUNT, amount: 0n }),
  withFee('less than nothing', 'fee.amount', 25, { recipient: TOY_FEE_ACCOUNT, amount: -2_500n }),
]

const kindNames = Object.keys(KINDS) as KindName[]
const proofs = new Map<KindName, Proof>()
const counts = { altered: 0, refused: 0 }

const proofOf = (name: KindName): Proof => {
  const proof = proofs.get(name)
  if (!proof) throw new RangeError(name)
  return proof
}

beforeAll(async () => {
  for (const name of kindNames) {
    const [kind, wish] = KINDS[name]
    proofs.set(name, await honest(kind, wish))
  }
})

afterAll(() => {
  process.stdout.write(`proof mutations: ${counts.altered} altered, ${counts.refused} refused\n`)
})

describe('the payload proof [proof-against-quote]', () => {
  it.each(kindNames)('lets an honest %s pass', (name) => {
    expect(mismatches(proofOf(name))).toEqual([])
  })

  const matrix = [...CLAIMS, ...ENVELOPE, ...QUOTE, ...FEES].flatMap((mutation) =>
    (mutation.on ?? kindNames).map((kind) => ({ kind, ...mutation })),
  )

  it.each(matrix)('refuses a $kind with $what', ({ kind, name, alter }) => {
    counts.altered += 1
    const found = mismatches(alter(proofOf(kind)))
    expect(found).toContain(name)
    counts.refused += 1
  })

  const listing = (proof: Proof, ...parts: readonly TrustedPart[]): Proof => {
    const { executionType } = proof.execution.payload
    const rule: TrustRule = { executionType, parts, appliesTo: () => true, routes: 'all', reason: 'the toy says nothing' }
    return { ...proof, venue: { ...proof.venue, profile: { ...proof.venue.profile, takesOnTrust: [rule] } } }
  }

  it.each(kindNames)(
    'takes on trust what the profile lists for a %s, and nothing else, and holds what is told to the quote',
    (name) => {
      const honestProof = proofOf(name)
      const { claims } = honestProof
      const unproved: { readonly [part in TrustedPart]: readonly Partial<PayloadClaims>[] } = {
        recipient: [{ recipient: 'unproved' }, { recipient: toldOf(claims.recipient) }],
        minimum: [
          { output: { ...claims.output, minimum: 'unproved' } },
          { output: { ...claims.output, minimum: toldOf(claims.output.minimum) } },
        ],
        refund: [{ refundTo: 'unproved' }, { refundTo: toldOf(claims.refundTo) }],
        fee: [{ fee: 'unproved' }, { fee: { told: null } }],
      }
      const lies: { readonly [part in TrustedPart]: readonly [Partial<PayloadClaims>, string] } = {
        recipient: [{ recipient: { told: stranger } }, 'recipient'],
        minimum: [{ output: { ...claims.output, minimum: { told: provedOf(claims.output.minimum) - 1n } } }, 'output.minimum'],
        refund: [{ refundTo: { told: stranger } }, 'refundTo'],
        fee: [{ fee: { told: { recipient: null, bps: 1 } } }, 'fee'],
      }
      const parts = Object.keys(unproved) as TrustedPart[]
      for (const part of parts) {
        const told = listing(honestProof, part)
        for (const change of unproved[part]) {
          expect(mismatches({ ...told, claims: { ...claims, ...change } }), part).toEqual([])
          const others = parts.filter((other) => other !== part)
          expect(mismatches({ ...listing(honestProof, ...others), claims: { ...claims, ...change } }), part).not.toEqual([])
        }
        const [lie, mismatch] = lies[part]
        expect(mismatches({ ...told, claims: { ...claims, ...lie } }), part).toContain(mismatch)
      }
    },
  )

  it('takes a fee for nobody knows whom only where the profile lists the fee, and only of the quoted size', () => {
    const proof = { ...proofOf('TRANSACTION of a token'), offer: { ...proofOf('TRANSACTION of a token').offer, ...fee(25) } }
    const withFee = (bps: number) => ({ ...proof.claims, fee: { told: { recipient: null, bps } } })
    expect(mismatches({ ...listing(proof, 'fee'), claims: withFee(25) })).toEqual([])
    expect(mismatches({ ...listing(proof, 'fee'), claims: withFee(26) })).toEqual(['fee.amount'])
    expect(mismatches({ ...listing(proof, 'recipient'), claims: withFee(25) })).toEqual(['fee'])
    expect(mismatches({ ...listing(proof, 'fee'), claims: { ...proof.claims, fee: { recipient: null, bps: 25 } } })).toEqual([
      'fee.recipient',
    ])
  })

  it.each(['TRANSACTION of a token', 'TRANSACTION of coins'] as const)(
    'lets a %s carry the quoted fee beside the input, within the bound of the profile',
    (name) => {
      const proof = proofOf(name)
      const { transaction: own } = proof.execution.payload as TransactionPayload
      const attempt = (paid: bigint, claimed: bigint, quoted: bigint, most: bigint) =>
        mismatches({
          ...proof,
          claims: { ...proof.claims, nativeFee: claimed },
          offer: { ...proof.offer, nativeFee: toAmount(quoted) },
          venue: { ...proof.venue, profile: { ...proof.venue.profile, nativeFeeMax: () => most } },
          execution: {
            ...proof.execution,
            payload: { executionType: 'TRANSACTION', transaction: { ...own, value: toAmount(own.value + paid) } },
          },
        })
      expect(attempt(5n, 5n, 5n, 5n)).toEqual([])
      expect(attempt(4n, 4n, 5n, 9n)).toEqual([])
      expect(attempt(0n, 0n, 5n, 9n)).toEqual([])
      expect(attempt(5n, 4n, 5n, 9n)).toEqual(['transaction.value'])
      expect(attempt(0n, 5n, 5n, 9n)).toEqual(['transaction.value'])
      expect(attempt(6n, 6n, 5n, 9n)).toEqual(['nativeFee'])
      expect(attempt(6n, 6n, 6n, 5n)).toEqual(['nativeFee'])
    },
  )

  it('sends coins back to whoever pays where that is who is to be refunded, and needs no refund where nothing is held', () => {
    const proof = proofOf('TRANSACTION of coins')
    const holding = { ...proof, venue: { ...proof.venue, profile: { ...proof.venue.profile, holdsInput: () => true } } }
    const claims = { ...proof.claims, refundTo: 'payer' as const }
    expect(mismatches({ ...holding, claims })).toEqual([])
    expect(mismatches({ ...holding, claims, binding: { ...proof.binding, refundTo: stranger } })).toEqual(['refundTo'])
    expect(mismatches({ ...holding, claims: { ...claims, refundTo: null } })).toEqual(['refundTo'])
    expect(mismatches({ ...proof, claims: { ...claims, refundTo: null } })).toEqual([])
  })

  it('names everything that differs, not just the first', () => {
    const proof = proofOf('TRANSACTION of a token')
    const claims = { ...proof.claims, recipient: stranger, output: { ...proof.claims.output, minimum: 1n } }
    expect(mismatches({ ...proof, claims })).toEqual(['output.minimum', 'recipient'])
  })

  it('has no quarrel with what is better or not said', () => {
    const proof = proofOf('TRANSACTION of a token')
    for (const claims of [
      { output: { ...proof.claims.output, minimum: provedOf(proof.claims.output.minimum) + 1n } },
      { deadlineAt: null },
      { deadlineAt: START_AT + 1 },
      { deadlineAt: START_AT + HOUR_MS },
      { refundTo: WALLETS.evm },
    ] satisfies Partial<PayloadClaims>[])
      expect(mismatches({ ...proof, claims: { ...proof.claims, ...claims } })).toEqual([])
  })

  it('wants at least one unit where the quote gave no bound', () => {
    const proof = proofOf('TRANSACTION of a token')
    const offer = { ...proof.offer, slippage: null }
    const execution = { ...proof.execution, slippage: null }
    const minimum = (value: bigint) => ({ ...proof.claims, output: { ...proof.claims.output, minimum: value } })
    expect(mismatches({ ...proof, execution, offer, claims: minimum(1n) })).toEqual([])
    expect(mismatches({ ...proof, execution, offer, claims: minimum(0n) })).toEqual(['output.minimum'])
  })

  it('takes an approval signed to the token itself or to a published contract', () => {
    const proof = proofOf('SIGNATURE')
    for (const verifyingContract of [TOKENS.usdcEthereum.address, TOY_CONTRACT]) {
      expect(mismatches(allowing(APPROVAL, verifyingContract)(proof))).toEqual([])
    }
  })

  it('takes the quoted fee in basis points, and in units of anything between the guaranteed and the expected output', () => {
    const proof = proofOf('SIGNATURE')
    const withClaim = (bps: number, found: ClaimedFee) =>
      mismatches({ ...proof, offer: { ...proof.offer, ...fee(bps) }, claims: { ...proof.claims, fee: found } })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.bigInt({ min: provedOf(proof.claims.output.minimum), max: proof.execution.outputAmount }),
        (bps, net) => {
          expect(withClaim(bps, { recipient: TOY_FEE_ACCOUNT, bps })).toEqual([])
          // What is left after the fee is `net`: the fee is its share of the gross amount, rounded either way.
          const exact = (net * BigInt(bps)) / (10_000n - BigInt(bps))
          for (const amount of [exact, exact + 1n].filter((units) => units > 0n))
            expect(withClaim(bps, { recipient: TOY_FEE_ACCOUNT, amount })).toEqual([])
        },
      ),
    )
  })
})

describe('a payload that is not what was quoted [proof-against-quote]', () => {
  let engine: TestEngine | null = null

  afterEach(async () => {
    realTime()
    await engine?.close()
    engine = null
  })

  const attempt = async (venue: FakeVenue) => {
    engine = await createTestEngine({ venues: [venue] })
    const { quoteToken } = await engine.engine.quote(anOrder(ERC20), engine.context)
    const call = engine.engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, engine.context)
    return { engine, error: await refusalOf(call, 'INTERNAL') }
  }

  const rewrite = (execution: Execution, from: string, to: string): Execution => {
    if (execution.payload.executionType !== 'TRANSACTION') throw new TypeError('not a transaction')
    const { transaction: own } = execution.payload
    const text = Buffer.from(own.data.slice(10), 'hex').toString()
    expect(text).toContain(from)
    const data = `${own.data.slice(0, 10)}${Buffer.from(text.replace(from, to)).toString('hex')}`
    return { ...execution, payload: { executionType: 'TRANSACTION', transaction: { ...own, data } } }
  }

  it('is refused naming the venue, recorded with what differs, not stored and not handed out', async () => {
    const venue = createFakeVenue('toy', { now })
    venue.script.alter = (execution) => rewrite(execution, `"recipient":"${WALLETS.evm}"`, `"recipient":"${stranger}"`)
    const { engine: refusing, error } = await attempt(venue)
    expect(error.details).toEqual({ venue: 'toy', reason: 'payloadMismatch' })
    expect(error.publicMessage).toContain('toy')
    expect(JSON.stringify([error.publicMessage, error.details])).not.toContain(stranger)
    expect(refusing.reported('payload.refused')).toEqual([
      { event: 'payload.refused', requestId: 'req-1', quoteId: expect.any(String), venue: 'toy', mismatches: ['recipient'] },
    ])
    expect(refusing.reported('swap.executed')).toEqual([])
    expect(await refusing.store.kept()).toEqual([])
  })

  it.each<[string, ExecutionType, (execution: Execution) => Execution, RegExp]>([
    [
      'calldata of another function',
      'TRANSACTION',
      (one) => ({
        ...one,
        payload: {
          executionType: 'TRANSACTION',
          transaction: { ...(one.payload as TransactionPayload).transaction, data: '0xdeadbeef' },
        },
      }),
      /^undecodable: no toy call$/,
    ],
    [
      'no calldata',
      'TRANSACTION',
      (one) => ({
        ...one,
        payload: { executionType: 'TRANSACTION', transaction: { ...(one.payload as TransactionPayload).transaction, data: '' } },
      }),
      /^undecodable/,
    ],
    [
      'evidence that was tampered with',
      'DEPOSIT',
      (one) => ({ ...one, evidence: { ...(one.evidence as object), seal: 'forged' } }),
      /^undecodable: the seal is broken$/,
    ],
    [
      'no evidence, so that the decoder breaks',
      'DEPOSIT',
      (one) => ({ ...one, evidence: null }),
      /^undecodable: the adapter failed/,
    ],
    [
      'a shape no decoder expects',
      'TRANSACTION',
      (one) => ({ ...one, payload: { executionType: 'TRANSACTION' } as unknown as Payload }),
      /^undecodable: the adapter failed/,
    ],
  ])('is refused and recorded when it cannot be decoded: %s', async (_what, kind, alter, mismatch) => {
    const venue = createFakeVenue('toy', { kind, now })
    venue.script.alter = alter
    const { engine: refusing, error } = await attempt(venue)
    expect(error.details).toEqual({ venue: 'toy', reason: 'payloadMismatch' })
    expect(refusing.reported('payload.refused')).toMatchObject([{ mismatches: [expect.stringMatching(mismatch)] }])
    expect(await refusing.store.kept()).toEqual([])
  })

  it('is refused when its decoder never ends', async () => {
    const venue = createFakeVenue('toy', { now })
    venue.script.decode = () => ignoresSignal(null, new AbortController().signal)
    engine = await createTestEngine({ venues: [venue] })
    const { quoteToken } = await engine.engine.quote(anOrder(ERC20), engine.context)
    fakeTime()
    const call = refusalOf(
      engine.engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, engine.context),
      'INTERNAL',
    )
    while (venue.calls.execute.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await advance(30_000)
    expect((await call).details).toEqual({ venue: 'toy', reason: 'payloadMismatch' })
  })

  it('does not take a defect of ours for one of the payload', async () => {
    const feeRecipient = (): never => {
      throw new TypeError('a bug')
    }
    const venue = createFakeVenue('toy', { now, profile: { feeRecipient } })
    engine = await createTestEngine({ venues: [venue], caller: { feeBps: 10 } })
    const { quoteToken } = await engine.engine.quote(anOrder(ERC20), engine.context)
    const call = engine.engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, engine.context)
    await expect(call).rejects.toThrow(TypeError)
    expect(engine.reported('swap.executed')).toEqual([])
  })

  it('is refused when its evidence does not verify', async () => {
    const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now })
    venue.script.decode = async () => {
      throw new VenueError('badResponse', 'not signed by the venue')
    }
    const { engine: refusing } = await attempt(venue)
    expect(refusing.reported('payload.refused')).toMatchObject([{ mismatches: ['undecodable: not signed by the venue'] }])
  })

  it.each([
    ['an absurd network fee', true, 'transaction.networkFee'],
    ['another payer', false, 'transaction.feePayer'],
  ])('is refused on Solana for %s, whatever its venue reads of it [proof-solana-companions]', async (_what, isOwn, mismatch) => {
    const venue = createFakeVenue('toy', { now })
    const order = anOrder(SPL)
    const budget = (bytes: readonly number[]) => ({
      programId: COMPUTE_BUDGET_PROGRAM,
      accounts: [],
      data: Uint8Array.from(bytes),
    })
    const serialized = await encodeSolanaTransaction({
      feePayer: isOwn ? order.sender : addressFor('solana', 'stranger'),
      recentBlockhash: addressFor('solana', 'block'),
      instructions: [budget(isOwn ? [3, 0, 0, 0, 0, 0, 0, 0, 1] : [2, 0, 0, 0, 0])],
    })
    venue.script.alter = (one) => ({
      ...one,
      payload: {
        executionType: 'TRANSACTION',
        transaction: { ...(one.payload as TransactionPayload).transaction, data: serialized, serialized },
      },
    })
    const { claims } = await honest('TRANSACTION', SPL)
    const reading: FakeVenue = { ...venue, decode: async () => claims }
    engine = await createTestEngine({ venues: [reading] })
    const { quoteToken } = await engine.engine.quote(order, engine.context)
    const call = engine.engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, engine.context)
    await refusalOf(call, 'INTERNAL')
    expect(engine.reported('payload.refused')).toMatchObject([{ mismatches: [mismatch] }])
  })

  it('is refused when a deposit address was swapped on the way', async () => {
    const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now })
    venue.script.alter = (one) => ({
      ...one,
      payload: { executionType: 'DEPOSIT', deposit: { ...(one.payload as DepositPayload).deposit, address: stranger } },
    })
    const { engine: refusing } = await attempt(venue)
    expect(refusing.reported('payload.refused')).toMatchObject([{ mismatches: ['deposit.address'] }])
  })

  it('is refused when it is of another kind than was quoted', async () => {
    const other = createFakeVenue('toy', { kind: 'DEPOSIT', now })
    const venue = createFakeVenue('toy', { kind: 'TRANSACTION', now })
    const impostor: FakeVenue = { ...venue, execute: other.execute, decode: other.decode }
    const { engine: refusing } = await attempt(impostor)
    expect(refusing.reported('payload.refused')[0]?.mismatches).toContain('executionType')
  })
})
