import { SOLANA } from '../../core/chain.ts'
import type { Payload, PayloadClaims } from '../../core/execution.ts'
import { VenueError } from '../venueError.ts'
import { decodeEvm } from './decodeEvm.ts'
import { decodeSolana } from './decodeSolana.ts'
import type { DecodePorts } from './deposit.ts'

/** Reads a payload of Across back from its bytes. */
export const decode = async (payload: Payload, ports: DecodePorts): Promise<PayloadClaims> => {
  if (payload.executionType !== 'TRANSACTION') throw new VenueError('badResponse', `a ${payload.executionType} is none of Across`)
  const { transaction } = payload
  return transaction.chainId === SOLANA ? decodeSolana(transaction, ports) : decodeEvm(transaction, ports)
}
