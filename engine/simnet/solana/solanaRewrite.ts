import type { SolanaInstructionPlan } from '../../chains/solana/solanaCodec.ts'
import type { SolanaKey, SolanaPrepared } from './solanaPrepare.ts'
import { encodeSolanaWire } from './solanaWire.ts'

export type RewrittenSolana = {
  readonly bytes: Buffer
  /** Its accounts, in the order it numbers them. */
  readonly keys: readonly string[]
}

/** An account is one byte in an instruction. */
const KEYS_MAX = 256

/** The order of a message: signers first, and of each kind the writable ones. */
const rankOf = ({ isSigner, isWritable }: SolanaKey): number => (isSigner ? 0 : 2) + (isWritable ? 0 : 1)

const withAdded = (keys: readonly SolanaKey[], instructions: readonly SolanaInstructionPlan[]): readonly SolanaKey[] => {
  const all = new Map(keys.map((key) => [key.address, key]))
  const named = instructions.flatMap(({ programId, accounts }) => [...accounts, { address: programId }])
  for (const { address, isWritable = false } of named)
    if (!all.has(address)) all.set(address, { address, isSigner: false, isWritable, isLoaded: false })
  return [...all.values()].sort((a, b) => rankOf(a) - rankOf(b))
}

/**
 * The same transaction with other instructions, for a machine that checks no signatures: same signers, same fee, same
 * rights to the accounts it has. Accounts new to it sign nothing, and are written where an instruction says so. Lookup
 * tables are written out. Null when it has more accounts than can be numbered.
 */
export const rewriteSolana = (
  { wire: { signatures, message }, keys }: SolanaPrepared,
  instructions: readonly SolanaInstructionPlan[],
): RewrittenSolana | null => {
  const all = withAdded(keys, instructions)
  if (all.length > KEYS_MAX) return null
  const places = new Map(all.map(({ address }, index) => [address, index]))
  const place = (address: string): number => places.get(address) ?? 0
  const readonlyUnsigned = all.filter((key) => rankOf(key) === 3).length
  const bytes = encodeSolanaWire(signatures, {
    header: { ...message.header, readonlyUnsigned },
    keys: all.map(({ address }) => address),
    blockhash: message.blockhash,
    instructions: instructions.map(({ programId, accounts, data }) => ({
      program: place(programId),
      accounts: accounts.map(({ address }) => place(address)),
      data: Buffer.from(data),
    })),
  })
  return { bytes, keys: all.map(({ address }) => address) }
}
