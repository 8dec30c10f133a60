import { standsIn, timesIn } from '../../chains/evm/standsIn.ts'
import type { SeenInstruction, SeenTransaction } from '../../chains/seen.ts'
import { decodeSolanaTransaction, type SolanaInstruction } from '../../chains/solana/solanaCodec.ts'
import { isNative } from '../../core/asset.ts'
import type { WalletTransaction } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent } from '../../venues/venue.ts'

/** What may be a swap's payments in a transaction, of which so many can be its own. */
export type Recognised = { readonly events: readonly InputEvent[]; readonly times: number }

const NOTHING: Recognised = { events: [], times: 0 }

/** `inside`: it stands, byte for byte, inside what a contract wallet or a bundler was handed. */
export type CallPlace = 'topLevel' | 'inside'

const bare = (hex: string): string => hex.slice(2).toLowerCase()

/** A selector and a word: less could stand in any calldata by chance. */
const TELLING_LENGTH = 2 * (4 + 32)

/** How an EVM transaction makes the call that was handed out. What it was sent from and to decides nothing. */
const findCall = ({ call }: SeenTransaction, { to, data, value }: WalletTransaction): CallPlace | null => {
  if (call === null) return null
  const [whole, part] = [bare(call.data), bare(data)]
  if (call.to === to && whole === part && call.value === value) return 'topLevel'
  return part.length >= TELLING_LENGTH && standsIn(whole, bare(to)) >= 0 && standsIn(whole, part) >= 0 ? 'inside' : null
}

/** Accounts that the payload names by a lookup table, which its bytes do not tell, are not held against it. */
const isCall = ({ program, data, accounts }: SeenInstruction, wanted: SolanaInstruction): boolean =>
  program === wanted.programId &&
  Buffer.compare(data, wanted.data) === 0 &&
  accounts.length === wanted.accounts.length &&
  wanted.accounts.every((account, index) => account === null || account === accounts[index])

/** The instructions of a Solana transaction that call the program a payload pays as the payload does. */
const callsOfPayload = async (
  { instructions }: SeenTransaction,
  { to, serialized = '' }: WalletTransaction,
): Promise<readonly SeenInstruction[]> => {
  const payload = await decodeSolanaTransaction(serialized)
  const wanted = (payload?.instructions ?? []).filter(({ programId }) => programId === to)
  return instructions.filter((instruction) => wanted.some((one) => isCall(instruction, one)))
}

/** How a transaction makes, or tries to make, the call that was handed out; null where it does not. */
export const findAttempt = async (seen: SeenTransaction, { execution: { payload } }: ExecutedSwap): Promise<CallPlace | null> => {
  if (payload.executionType !== 'TRANSACTION') return null
  const { transaction } = payload
  if (transaction.serialized === undefined) return findCall(seen, transaction)
  return (await callsOfPayload(seen, transaction)).length > 0 ? 'topLevel' : null
}

/**
 * What may be an execution's payment in a transaction, where the venue's contracts emit nothing that shows it: the call that
 * was handed out, at top level or inside the transaction of a sender with code, together with exactly the input that left the
 * sender. In a batch of equal swaps any of the equal payments, as many as the call stands there. Coins leave it visibly at top level only.
 */
export const recogniseCalls = async (
  seen: SeenTransaction,
  { order: { input, inputAmount, sender }, execution: { payload } }: ExecutedSwap,
  senderHasCode: boolean,
): Promise<Recognised> => {
  if (payload.executionType !== 'TRANSACTION' || !seen.isSuccess) return NOTHING
  const took = { token: input.address, amount: inputAmount }
  const { transaction } = payload
  if (transaction.serialized !== undefined) {
    const instructions = await callsOfPayload(seen, transaction)
    const events = instructions.map(({ index }) => ({ place: `instruction:${index}`, orderId: null, took }))
    return { events, times: events.length }
  }
  const place = findCall(seen, transaction)
  if (place === null || (place === 'inside' && (!senderHasCode || isNative(input)))) return NOTHING
  const left = seen.movements.filter(
    ({ token, from, amount }) => token === input.address && from === sender && amount === inputAmount,
  )
  const events = left.map((movement) => ({ place: movement.place, orderId: null, took }))
  return { events, times: place === 'inside' ? timesIn(bare(seen.call?.data ?? '0x'), bare(transaction.data)) : 1 }
}
