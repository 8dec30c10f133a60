import { ChainError } from '../chains/chains.ts'
import { pause } from '../net/pause.ts'
import type { AuthorizationReader, AuthorizationState } from './authorizationReader.ts'
import { readEvmPayment } from './evmAuthorization.ts'
import { type EvmStateParts, readEvmState } from './readEvmState.ts'
import { readSolanaState, type SolanaStateParts } from './readSolanaState.ts'
import { readSolanaPayment } from './solanaPayment.ts'

export type AuthorizationReaderParts = EvmStateParts &
  SolanaStateParts & {
    /** Between two looks for a transaction that somebody has told of. Left out: real time. */
    readonly wait?: typeof pause
  }

/** Public nodes are a block or two apart: https://docs.base.org/base-chain/network-information/block-building */
const LOOKS = { most: 12, everyMs: 500 } as const

const UNKNOWN: AuthorizationState = { state: 'unknown' }

/** Nothing that was said can be seen yet, and it still may be. */
const isEarly = ({ state }: AuthorizationState): boolean => state === 'unused' || state === 'unknown'

export const createAuthorizationReader = ({ wait = pause, ...parts }: AuthorizationReaderParts): AuthorizationReader => {
  const look: AuthorizationReader['stateOf'] = async (payload, requirements, signal, told) => {
    try {
      if (requirements.network.startsWith('solana:')) {
        const payment = await readSolanaPayment(payload, requirements)
        return payment ? await readSolanaState(parts, payment, told, signal) : UNKNOWN
      }
      const payment = readEvmPayment(payload, requirements)
      return payment ? await readEvmState(parts, payment, told, signal) : UNKNOWN
    } catch (error) {
      if (error instanceof ChainError && !signal.aborted) return UNKNOWN
      throw error
    }
  }
  return {
    stateOf: async (payload, requirements, signal, told) => {
      let seen = await look(payload, requirements, signal, told)
      for (let looks = 1; told !== null && isEarly(seen) && looks < LOOKS.most; looks++) {
        await wait(LOOKS.everyMs, signal)
        seen = await look(payload, requirements, signal, told)
      }
      return seen
    },
  }
}
