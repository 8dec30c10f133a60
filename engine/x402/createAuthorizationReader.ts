import { ChainError } from '../chains/chains.ts'
import { pause } from '../net/pause.ts'
import type { AuthorizationReader, AuthorizationState } from './authorizationReader.ts'
import { readEvmPayment } from './evmAuthorization.ts'
import type { Look } from './look.ts'
import { type EvmStateParts, readEvmState } from './readEvmState.ts'
import { readSolanaState, type SolanaStateParts } from './readSolanaState.ts'
import { readSolanaPayment } from './solanaPayment.ts'

export type AuthorizationReaderParts = EvmStateParts &
  SolanaStateParts & {
    /** The pause between two reads of a reported transaction. Absent: real time. */
    readonly wait?: typeof pause
  }

/** Public nodes are a block or two apart: https://docs.base.org/base-chain/network-information/block-building */
const LOOKS = { most: 12, everyMs: 500 } as const

const UNKNOWN: AuthorizationState = { state: 'unknown' }

/** The reported transaction is not visible yet, but may still appear. */
const isEarly = ({ seen: { state }, isBehind }: Look): boolean => isBehind && (state === 'unused' || state === 'unknown')

export const createAuthorizationReader = ({ wait = pause, ...parts }: AuthorizationReaderParts): AuthorizationReader => {
  type Question = Parameters<AuthorizationReader['stateOf']>

  const look = async (...[payload, requirements, signal, told]: Question): Promise<Look> => {
    if (requirements.network.startsWith('solana:')) {
      const payment = await readSolanaPayment(payload.payload, requirements)
      return payment ? readSolanaState(parts, payment, told, signal) : { seen: UNKNOWN, isBehind: false }
    }
    const payment = readEvmPayment(payload.payload, requirements)
    return payment ? readEvmState(parts, payment, told, signal) : { seen: UNKNOWN, isBehind: false }
  }

  const tryLook = async (...question: Question): Promise<Look> => {
    const [, , signal, told] = question
    try {
      return await look(...question)
    } catch (error) {
      if (error instanceof ChainError && !signal.aborted) return { seen: UNKNOWN, isBehind: told !== null }
      throw error
    }
  }

  return {
    stateOf: async (...question) => {
      const [, , signal] = question
      let last = await tryLook(...question)
      for (let looks = 1; isEarly(last) && looks < LOOKS.most; looks++) {
        await wait(LOOKS.everyMs, signal)
        last = await tryLook(...question)
      }
      return last.seen
    },
  }
}
