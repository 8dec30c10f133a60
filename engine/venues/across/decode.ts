import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { SOLANA } from '../../core/chain.ts'
import type { Payload, PayloadClaims, WalletTransaction } from '../../core/execution.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import { rejected } from '../venueError.ts'
import { decodeEvm, loggedDeposit } from './decodeEvm.ts'
import { decodeSolana, depositArguments } from './decodeSolana.ts'
import type { DecodePorts } from './deposit.ts'

const transactionOf = (payload: Payload): WalletTransaction => {
  if (payload.executionType === 'TRANSACTION') return payload.transaction
  throw rejected('executionType', `a ${payload.executionType} is none of Across`, payload.executionType)
}

/** Reads a payload of Across back from its bytes. */
export const decode = async (payload: Payload, ports: DecodePorts): Promise<PayloadClaims> => {
  const transaction = transactionOf(payload)
  return transaction.chainId === SOLANA ? decodeSolana(transaction, ports) : decodeEvm(transaction, ports)
}

const written = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

/** Across numbers deposits when they land. Until then only its content identifies a deposit. */
export const toldApartBy = async ({ order, execution }: ExecutedSwap): Promise<readonly SwapKey[]> => {
  const transaction = transactionOf(execution.payload)
  const isSolana = transaction.chainId === SOLANA
  const deposit = isSolana ? await depositArguments(transaction) : await loggedDeposit(transaction, order.sender)
  return [{ kind: 'payload', value: bytesToHex(sha256(utf8ToBytes(JSON.stringify(deposit, written)))) }]
}
