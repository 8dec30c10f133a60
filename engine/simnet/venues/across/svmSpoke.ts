import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { solanaProgramAddress } from '../../../chains/solana/solanaProgramAddress.ts'
import { addressOf as parsedAddress } from '../../../core/address.ts'
import { NATIVE_SOL } from '../../../core/asset.ts'
import { type AnchorError, anchorFailure, anchorRefusal, discriminatorOf } from '../../kit/anchor.ts'
import type { SimSolanaInstruction } from '../../kit/simVenue.ts'
import type { SimProgram } from '../../kit/world.ts'
import { addressOf } from './book.ts'
import type { Network } from './networks.ts'
import { DEPOSIT_DISCRIMINATOR, readSolana, type SolanaDeposit } from './readSolana.ts'
import { deadlineOf, depositIdOf, FILL_RELAY, takeFill, tellDeposit } from './svmEvents.ts'
import { EXECUTE_REFUND_LEAF, takeRefund } from './svmRefunds.ts'

/**
 * programs/svm-spoke/src/error.rs of across-protocol/contracts: its own errors begin at 6000 and, in its latest form, those of
 * Solana at 7000.
 */
const OWN_ERRORS = {
  InvalidQuoteTimestamp: 6000,
  InvalidFillDeadline: 6001,
  InvalidExclusiveRelayer: 6014,
  InvalidOutputToken: 6015,
  InvalidMint: 7006,
  InvalidDelegatePda: 7016,
} as const

/** Nine of the instruction, and two that Anchor adds for its events. */
const ACCOUNTS = 11
/** State of the program on mainnet, in seconds. */
const QUOTE_TIME_BUFFER = 3_600
const FILL_DEADLINE_BUFFER = 21_600

type Failure = AnchorError | keyof typeof OWN_ERRORS

const isZero = (word: string): boolean => /^0x0*$/.test(word)

const argumentFailure = ({ deposit }: SolanaDeposit, now: number): Failure | null => {
  if (isZero(deposit.outputToken)) return 'InvalidOutputToken'
  if (deposit.quoteTimestamp > now || now - deposit.quoteTimestamp > QUOTE_TIME_BUFFER) return 'InvalidQuoteTimestamp'
  if (deposit.fillDeadline > now + FILL_DEADLINE_BUFFER) return 'InvalidFillDeadline'
  return deposit.exclusivityDeadline > 0 && isZero(deposit.exclusiveRelayer) ? 'InvalidExclusiveRelayer' : null
}

/**
 * Across's program on Solana: of a deposit it takes the input, which the depositor must have approved to the delegate
 * derived from the arguments, a fill has the relayer pay the recipient, and a leaf of refunds gives back; it tells of each.
 * Anything else fails: its other instructions are not here. `now` gives unix seconds.
 */
export const svmSpoke = (network: Network, now: () => number): SimProgram => {
  const program = parsedAddress('solana', network.spokePool)
  const delegateOf = ({ args }: SolanaDeposit): string =>
    solanaProgramAddress(program, [utf8ToBytes('delegate'), keccak_256(args)])

  const failureOf = (call: SimSolanaInstruction, seen: SolanaDeposit | null, signers: readonly string[]): Failure | null => {
    const [, , delegate, , , mint, , , , authority] = call.accounts
    const isDeposit = discriminatorOf(call) === DEPOSIT_DISCRIMINATOR
    const wanted = { isWhole: seen !== null, accounts: ACCOUNTS, signer: 0 }
    const refusal = anchorRefusal(call, signers, isDeposit ? wanted : null)
    if (refusal || !seen) return refusal
    if (authority !== solanaProgramAddress(program, [utf8ToBytes('__event_authority')])) return 'ConstraintSeeds'
    if (mint !== addressOf(network, seen.deposit.inputToken)) return 'InvalidMint'
    // The offline network has no wrapped SOL of its own.
    if (mint === NATIVE_SOL) return 'AccountNotInitialized'
    return argumentFailure(seen, now()) ?? (delegate === delegateOf(seen) ? null : 'InvalidDelegatePda')
  }

  return (instruction, { signers, id }) => {
    if (discriminatorOf(instruction) === FILL_RELAY) return takeFill(instruction, network)
    if (discriminatorOf(instruction) === EXECUTE_REFUND_LEAF) return takeRefund(instruction, network)
    const seen = readSolana(instruction, network.spokePool)
    const failure = failureOf(instruction, seen, signers)
    if (failure || !seen) return failure && anchorFailure(failure, OWN_ERRORS)
    const { inputToken, depositor, inputAmount: amount } = seen.deposit
    const exclusivityDeadline = deadlineOf(seen.deposit.exclusivityDeadline, now())
    const tells = tellDeposit(program, { ...seen.deposit, exclusivityDeadline, depositId: depositIdOf(id) })
    const [token, from] = [addressOf(network, inputToken), addressOf(network, depositor)]
    return { token, from, amount, delegate: delegateOf(seen), tells }
  }
}
