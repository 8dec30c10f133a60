import { base58 } from '@scure/base'
import type { Connection } from '@solana/web3.js'
import type { SeenTransaction } from '../../engine/chains/seen.ts'
import { type Address, addressOf } from '../../engine/core/address.ts'
import { SOLANA } from '../../engine/core/chain.ts'
import { parseTransactionId } from '../../engine/core/transactionId.ts'
import { seenEvm } from './seenEvm.ts'

/** A transaction of Solana by its instructions, in the order they ran. What it moved is left out. */
export const seenSolana = async (connection: Connection, signature: string): Promise<SeenTransaction> => {
  const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  const hash = parseTransactionId(SOLANA, signature)
  if (!landed || hash === null) throw new Error('no such transaction')
  const { message } = landed.transaction
  const keys = [
    ...message.staticAccountKeys,
    ...(landed.meta?.loadedAddresses?.writable ?? []),
    ...(landed.meta?.loadedAddresses?.readonly ?? []),
  ]
  const named = (index: number): Address => addressOf('solana', keys[index]?.toBase58() ?? '')
  const instructions = message.compiledInstructions.flatMap(({ programIdIndex, accountKeyIndexes, data }, at) => [
    { program: named(programIdIndex), accounts: accountKeyIndexes.map(named), data: new Uint8Array(data) },
    ...(landed.meta?.innerInstructions ?? [])
      .filter(({ index }) => index === at)
      .flatMap((inner) => inner.instructions)
      .map((called) => ({
        program: named(called.programIdIndex),
        accounts: called.accounts.map(named),
        data: base58.decode(called.data),
      })),
  ])
  return {
    ...seenEvm(8453, []),
    chainId: SOLANA,
    hash,
    isSuccess: landed.meta?.err === null,
    at: (landed.blockTime ?? 0) * 1_000,
    instructions: instructions.map((instruction, index) => ({ ...instruction, index })),
  }
}
