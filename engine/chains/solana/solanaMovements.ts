import type { Address } from '../../core/address.ts'
import { NATIVE_SOL } from '../../core/asset.ts'
import type { Movement, SeenInstruction } from '../seen.ts'
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './solanaCodec.ts'

/** A token account, by the balances around a transaction or the instructions that made it. */
export type TokenAccount = { readonly owner: Address; readonly mint: Address }

/** The effects of a transaction from which its movements are derived. */
export type SolanaEffects = {
  readonly instructions: readonly SeenInstruction[]
  readonly tokenAccounts: ReadonlyMap<Address, TokenAccount>
  /** By owner, then by mint: what each holds more than before, less where it is negative. Lamports count as wrapped SOL. */
  readonly gains: ReadonlyMap<Address, ReadonlyMap<Address, bigint>>
}

/** Money handed over by one instruction. */
type Transfer = {
  readonly index: number
  readonly token: Address
  readonly from: Address | null
  readonly to: Address
  readonly amount: bigint
}

/** A number in an instruction's data, little-endian; null where the data is shorter. */
const u64At = (data: Uint8Array, at: number): bigint | null =>
  data.length < at + 8 ? null : new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(at, true)

const u32At = (data: Uint8Array, at: number): number | null =>
  data.length < at + 4 ? null : new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(at, true)

type Sides = { readonly source: Address | null; readonly target: Address | undefined; readonly amount: bigint | null }

/**
 * https://github.com/solana-program/token-2022/blob/main/interface/src/instruction.rs: Transfer 3, MintTo 7, TransferChecked 12,
 * MintToChecked 14. Of the extension for fees 26: TransferCheckedWithFee 1, which withholds its fee from the received amount.
 */
const tokenSides = ({ accounts, data }: SeenInstruction): Sides | null => {
  const [first = null, second, third] = accounts
  switch (data[0]) {
    case 3:
      return { source: first, target: second, amount: u64At(data, 1) }
    case 7:
    case 14:
      return { source: null, target: second, amount: u64At(data, 1) }
    case 12:
      return { source: first, target: third, amount: u64At(data, 1) }
    case 26: {
      const [amount, fee] = [u64At(data, 2), u64At(data, 11)]
      return data[1] === 1 && amount !== null && fee !== null ? { source: first, target: third, amount: amount - fee } : null
    }
    default:
      return null
  }
}

const tokenTransfer = (instruction: SeenInstruction, { tokenAccounts }: SolanaEffects): Transfer | null => {
  const { source, target, amount } = tokenSides(instruction) ?? { source: null, target: undefined, amount: null }
  const to = target && tokenAccounts.get(target)
  if (!to || amount === null) return null
  const from = source && tokenAccounts.get(source)
  return { index: instruction.index, token: to.mint, from: from?.owner ?? null, to: to.owner, amount }
}

/** https://docs.rs/solana-system-interface/latest/solana_system_interface/instruction/enum.SystemInstruction.html: Transfer 2, TransferWithSeed 11. */
const lamportTransfer = ({ index, accounts, data }: SeenInstruction, { tokenAccounts }: SolanaEffects): Transfer | null => {
  const kind = u32At(data, 0)
  const amount = u64At(data, 4)
  const [from, second, third] = accounts
  const target = kind === 2 ? second : kind === 11 ? third : undefined
  if (from === undefined || target === undefined || amount === null) return null
  const account = tokenAccounts.get(target)
  // The rent of another account; lamports of a wrapped-SOL account are its owner's.
  if (account && account.mint !== NATIVE_SOL) return null
  return { index, token: NATIVE_SOL, from, to: account?.owner ?? target, amount }
}

const transferIn = (instruction: SeenInstruction, effects: SolanaEffects): Transfer | null => {
  const { program } = instruction
  if (program === SYSTEM_PROGRAM) return lamportTransfer(instruction, effects)
  return program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM ? tokenTransfer(instruction, effects) : null
}

/**
 * The gain of one owner of one mint. Transfer by transfer where these explain the whole gain. The only transfer where less of it
 * stayed: a mint may withhold a fee that no instruction names. Otherwise one sum.
 */
const movementsOf = (
  gain: bigint,
  transfers: readonly Transfer[],
  payee: { readonly to: Address; readonly token: Address },
): readonly Movement[] => {
  const total = transfers.reduce((sum, { amount }) => sum + amount, 0n)
  const [only] = transfers
  if (total === gain) return transfers.map(({ index, ...transfer }) => ({ place: `instruction:${index}`, ...transfer }))
  if (only && transfers.length === 1 && total > gain)
    return [{ ...payee, place: `instruction:${only.index}`, from: only.from, amount: gain }]
  return [{ ...payee, place: `balance:${payee.token}:${payee.to}`, from: null, amount: gain }]
}

/**
 * The gain of each owner. Only the increase of an owner's balance counts as moved to it: money that passes through does not.
 * `from` is null where the payer gained more than it paid, so that its own gain is not subtracted twice.
 */
export const solanaMovements = (effects: SolanaEffects): readonly Movement[] => {
  const { instructions, gains } = effects
  const transfers = instructions.flatMap((instruction) => transferIn(instruction, effects) ?? [])
  const gainOf = (owner: Address | null, token: Address): bigint => (owner === null ? 0n : (gains.get(owner)?.get(token) ?? 0n))
  const moved = [...gains].flatMap(([to, byMint]) =>
    [...byMint].flatMap(([token, gain]) => {
      if (gain <= 0n) return []
      const own = transfers.filter((each) => each.to === to && each.token === token && each.from !== to && each.amount > 0n)
      return movementsOf(gain, own, { to, token })
    }),
  )
  return moved.map((movement) => (gainOf(movement.from, movement.token) > 0n ? { ...movement, from: null } : movement))
}
