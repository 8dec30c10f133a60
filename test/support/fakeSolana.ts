import { ChainError, type ChainFailure } from '../../engine/chains/chains.ts'
import type { SolanaTransactions } from '../../engine/chains/solana/solanaTransactions.ts'

export type SolanaCall = { readonly method: keyof SolanaTransactions; readonly subject: string }

export type FakeSolana = SolanaTransactions & {
  /** Replaces one call. */
  readonly script: { -readonly [method in keyof SolanaTransactions]: SolanaTransactions[method] }
  /** Every call, in the order it was started. */
  readonly calls: SolanaCall[]
  /** What was handed to `send`, in order. */
  sent(): readonly string[]
}

export const solanaFails =
  (failure: ChainFailure = 'unreachable'): (() => Promise<never>) =>
  () =>
    Promise.reject(new ChainError(failure, -2, `scripted ${failure}`))

/** The slots of this Solana that had no block. */
const SKIPPED_SLOTS = 300_000

/** That height is final; every node has come that far, and no further. */
export const finalAt =
  (height: number): SolanaTransactions['finality'] =>
  async () => ({ slot: height + SKIPPED_SLOTS, height })

/** No block has it, says a node that has come that far. */
export const unseen =
  (seenSlot = Number.MAX_SAFE_INTEGER): SolanaTransactions['landing'] =>
  async () => ({ outcome: null, isFinal: false, seenSlot })

/** A block has it. */
export const landed =
  (outcome: 'succeeded' | 'failed', isFinal = true): SolanaTransactions['landing'] =>
  async () => ({ outcome, isFinal, seenSlot: Number.MAX_SAFE_INTEGER })

/** A Solana that takes everything and has no memory; all of it scriptable and recorded. */
export const createFakeSolana = (): FakeSolana => {
  const calls: SolanaCall[] = []
  const script: FakeSolana['script'] = {
    simulate: async () => null,
    send: async () => ({ isAccepted: true }),
    landing: unseen(),
    isBlockhashValid: async () => true,
    finality: finalAt(0),
    firstSlot: async () => 0,
  }
  const note = (method: keyof SolanaTransactions, subject: string) => calls.push({ method, subject })
  return {
    script,
    calls,
    sent: () => calls.filter(({ method }) => method === 'send').map(({ subject }) => subject),
    simulate: (base64, signal) => {
      note('simulate', base64)
      return script.simulate(base64, signal)
    },
    send: (base64, signal) => {
      note('send', base64)
      return script.send(base64, signal)
    },
    landing: (txHash, signal) => {
      note('landing', txHash)
      return script.landing(txHash, signal)
    },
    isBlockhashValid: (blockhash, signal) => {
      note('isBlockhashValid', blockhash)
      return script.isBlockhashValid(blockhash, signal)
    },
    finality: (signal) => {
      note('finality', '')
      return script.finality(signal)
    },
    firstSlot: (signal) => {
      note('firstSlot', '')
      return script.firstSlot(signal)
    },
  }
}
