import { SOLANA } from '../../core/chain.ts'
import type { Execution, PayloadClaims } from '../../core/execution.ts'
import { VenueError } from '../venueError.ts'
import { decodeEvm } from './decodeEvm.ts'
import { decodeSolana } from './decodeSolana.ts'

/** Reads an execution of Across back from its bytes. `now` bounds the age of the quote inside, epoch ms. */
export const decode = async ({ payload }: Execution, now: number): Promise<PayloadClaims> => {
  if (payload.executionType !== 'TRANSACTION') throw new VenueError('badResponse', `a ${payload.executionType} is none of Across`)
  const { transaction } = payload
  return transaction.chainId === SOLANA ? decodeSolana(transaction, now) : decodeEvm(transaction, now)
}
