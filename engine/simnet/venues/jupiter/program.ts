import { SOLANA } from '../../../core/chain.ts'
import { anchorFailure, anchorRefusal, discriminatorOf } from '../../kit/anchor.ts'
import type { SimSolanaInstruction } from '../../kit/simVenue.ts'
import type { SimCharge, SimProgram, World } from '../../kit/world.ts'
import { authority, holdingOf } from './instructions.ts'
import { priced } from './pricing.ts'
import { AUTHORITY_ID, CALLS, EVENT_AUTHORITY, PROGRAM } from './published.ts'

/** Of the program's IDL. */
const OWN_ERRORS = { SlippageToleranceExceeded: 6001, InvalidTokenAccount: 6025, RoutePlan: 6000 } as const

const WORDS_BYTES = 26

const kindOf = (call: SimSolanaInstruction) => {
  const found = discriminatorOf(call)
  return Object.values(CALLS).find(({ discriminator }) => discriminator === found) ?? null
}

type Failure = Parameters<typeof anchorFailure<keyof typeof OWN_ERRORS>>[0]
const fail = (error: Failure): SimCharge => anchorFailure(error, OWN_ERRORS)

/** The words of a call, and the accounts by what they are. */
const readCall = ({ accounts, data }: SimSolanaInstruction, kind: (typeof CALLS)['route' | 'shared']) => {
  const bytes = Buffer.from(data)
  const { head } = kind
  const isShared = kind === CALLS.shared
  const account = (at: number): string => accounts[at] ?? ''
  const [mints, own, elsewhere] = isShared ? [6, 5, 5] : [3, 2, 7]
  const given = account(elsewhere)
  return {
    amount: bytes.readBigUInt64LE(head),
    quoted: bytes.readBigUInt64LE(head + 8),
    slippageBps: bytes.readUInt16LE(head + 16),
    feeBps: bytes.readUInt16LE(head + 18),
    steps: bytes.readUInt32LE(head + 22),
    isItsOwn: !isShared || (account(0) === authority() && bytes[8] === AUTHORITY_ID),
    taker: account(kind.signer),
    source: account(kind.signer + 1),
    destination: given === PROGRAM ? account(own) : given,
    mints: [account(mints), account(mints + 1)] as const,
    event: account(isShared ? 10 : 8),
    others: accounts.slice(kind.accounts),
  }
}

/** Jupiter's program: takes the input from the taker and pays the output at today's price, or fails below the bound of the call. */
export const jupiterProgram =
  ({ market, tokens }: Pick<World, 'market' | 'tokens'>): SimProgram =>
  (instruction, { signers, holding }) => {
    const kind = kindOf(instruction)
    const isWhole = kind !== null && instruction.data.length >= kind.head + WORDS_BYTES + 5
    const refusal = anchorRefusal(instruction, signers, kind && { isWhole, accounts: kind.accounts, signer: kind.signer })
    if (refusal || !kind) return fail(refusal ?? 'InstructionFallbackNotFound')
    const call = readCall(instruction, kind)
    const [input, output] = call.mints.map((mint) => tokens.find(SOLANA, mint))
    if (!call.isItsOwn || call.event !== EVENT_AUTHORITY) return fail('ConstraintSeeds')
    if (!input || !output || call.source !== holdingOf(call.taker, input)) return fail('InvalidTokenAccount')
    const [feeAccount = ''] = call.feeBps > 0 ? call.others : []
    const feeMint = call.feeBps > 0 ? (holding(feeAccount)?.mint ?? null) : input.address
    if (feeMint === null) return fail('AccountNotInitialized')
    if (![input.address, output.address].includes(feeMint)) return fail('InvalidTokenAccount')
    const of = feeMint === input.address ? 'input' : 'output'
    const deal = priced({ input, output, amount: call.amount, fee: { bps: call.feeBps, of } }, { market, tokens })
    if (deal === null || call.steps !== deal.hops.length) return fail('RoutePlan')
    if (deal.expected < (call.quoted * BigInt(10_000 - call.slippageBps)) / 10_000n) return fail('SlippageToleranceExceeded')
    const paid = { token: output.address, account: call.destination, amount: deal.expected }
    const fee = { token: feeMint, account: feeAccount, amount: deal.fee }
    const taken = { token: input.address, from: call.taker, amount: call.amount, pays: deal.fee > 0n ? [paid, fee] : [paid] }
    return input.isNative ? { ...taken, isWrapped: true } : taken
  }

/** What every swap names, so that a table may stand for it. */
export const tableOf = ({ tokens, solana }: Pick<World, 'tokens' | 'solana'>): readonly string[] => {
  const own = tokens.all.filter(({ chainId }) => chainId === SOLANA)
  const stock = own.map((token) => holdingOf(solana.treasury(), token))
  return [
    EVENT_AUTHORITY,
    ...own.map(({ address }) => address),
    ...stock,
    authority(),
    ...own.map((token) => holdingOf(authority(), token)),
  ]
}
