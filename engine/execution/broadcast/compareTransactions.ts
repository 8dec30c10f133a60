import { bytesToHex } from '@noble/hashes/utils.js'
import { COMPUTE_BUDGET_PROGRAM, type SolanaInstruction, type SolanaTransaction } from '../../chains/solana/solanaCodec.ts'
import { failing } from '../../core/failing.ts'

/**
 * Programs whose instructions a wallet may add, change or omit. Compute budgets set the network fee. Assertions of Lighthouse can
 * only make a transaction fail. https://docs.phantom.com/developer-powertools/lighthouse
 */
export const WALLET_PROGRAMS: readonly string[] = [COMPUTE_BUDGET_PROGRAM, 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95']

const essential = ({ instructions }: SolanaTransaction): readonly SolanaInstruction[] =>
  instructions.filter(({ programId }) => !WALLET_PROGRAMS.includes(programId))

const isSameInstruction = (a: SolanaInstruction, b: SolanaInstruction | undefined): boolean =>
  b !== undefined &&
  a.programId === b.programId &&
  bytesToHex(a.data) === bytesToHex(b.data) &&
  a.accounts.length === b.accounts.length &&
  // Two unnamed accounts are not equal.
  a.accounts.every((account, index) => account !== null && account === b.accounts[index])

const isSameList = (a: readonly SolanaInstruction[], b: readonly SolanaInstruction[]): boolean =>
  a.length > 0 && a.length === b.length && a.every((instruction, index) => isSameInstruction(instruction, b[index]))

/** In any order: compiling a message sorts signers anew. */
const isSameSigners = (a: SolanaTransaction, b: SolanaTransaction): boolean =>
  a.signers.length === b.signers.length && b.signers.every((signer) => a.signers.includes(signer))

/**
 * Compares a signed transaction with the one that /execute returned: same fee payer, signers and blockhash, and every top-level
 * instruction unchanged and in order. Venues match deposits by that form; a contract wallet that wraps instructions loses it.
 * Both need resolved lookup tables. Returns the differences as texts for the caller.
 */
export const compareTransactions = (signed: SolanaTransaction, handedOut: SolanaTransaction): readonly string[] =>
  failing({
    'has another fee payer than the transaction /execute returned': signed.feePayer === handedOut.feePayer,
    'asks for other signers than the transaction /execute returned': isSameSigners(signed, handedOut),
    'has another blockhash than the transaction /execute returned': signed.recentBlockhash === handedOut.recentBlockhash,
    'no longer makes the payment of the transaction /execute returned: its instructions must stay top-level and unchanged':
      isSameList(essential(signed), essential(handedOut)),
  })
