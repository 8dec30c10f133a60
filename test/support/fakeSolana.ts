import { ChainError, type ChainFailure } from '../../engine/chains/chains.ts'
import type { SolanaBroadcast } from '../../engine/chains/solanaBroadcast.ts'

export type SolanaCall = { readonly method: keyof SolanaBroadcast; readonly subject: string }

export type FakeSolana = SolanaBroadcast & {
  /** Replaces one call. */
  readonly script: { -readonly [method in keyof SolanaBroadcast]: SolanaBroadcast[method] }
  /** Every call, in the order it was started. */
  readonly calls: SolanaCall[]
  /** What was handed to `send`, in order. */
  sent(): readonly string[]
}

export const solanaFails =
  (failure: ChainFailure = 'unreachable'): (() => Promise<never>) =>
  () =>
    Promise.reject(new ChainError(failure, -2, `scripted ${failure}`))

/** A Solana that takes everything and has no memory; all of it scriptable and recorded. */
export const createFakeSolana = (): FakeSolana => {
  const calls: SolanaCall[] = []
  const script: FakeSolana['script'] = {
    simulate: async () => null,
    send: async () => ({ isAccepted: true }),
    landing: async () => null,
    isBlockhashValid: async () => true,
    finalizedHeight: async () => 0,
  }
  const note = (method: keyof SolanaBroadcast, subject: string) => calls.push({ method, subject })
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
    finalizedHeight: (signal) => {
      note('finalizedHeight', '')
      return script.finalizedHeight(signal)
    },
  }
}
