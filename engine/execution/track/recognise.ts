import { standsIn, timesIn } from '../../chains/evm/standsIn.ts'
import type { SeenInstruction, SeenTransaction } from '../../chains/seen.ts'
import { decodeSolanaTransaction, MEMO_PROGRAM, type SolanaInstruction } from '../../chains/solana/solanaCodec.ts'
import { isNative } from '../../core/asset.ts'
import type { WalletTransaction } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent } from '../../venues/venue.ts'

/** Possible payments of a swap in a transaction; at most `times` of them are its own. */
export type Recognised = { readonly events: readonly InputEvent[]; readonly times: number }

const NOTHING: Recognised = { events: [], times: 0 }

/** `inside`: the calldata of a contract wallet or bundler contains the call, byte for byte. */
export type CallPlace = 'topLevel' | 'inside'

const bare = (hex: string): string => hex.slice(2).toLowerCase()

/** Hex digits of a selector and a word: any calldata could contain less by chance. */
const TELLING_LENGTH = 2 * (4 + 32)

/** Finds the returned call in an EVM transaction, from any sender. */
const findCall = ({ call }: SeenTransaction, { to, data, value }: WalletTransaction): CallPlace | null => {
  if (call === null) return null
  const [whole, part] = [bare(call.data), bare(data)]
  if (call.to === to && whole === part && call.value === value) return 'topLevel'
  return part.length >= TELLING_LENGTH && standsIn(whole, bare(to)) >= 0 && standsIn(whole, part) >= 0 ? 'inside' : null
}

/** Accounts that the payload names by a lookup table (null: its bytes do not contain them) match any account. */
const isCall = ({ program, data, accounts }: SeenInstruction, wanted: SolanaInstruction): boolean =>
  program === wanted.programId &&
  Buffer.compare(data, wanted.data) === 0 &&
  accounts.length === wanted.accounts.length &&
  wanted.accounts.every((account, index) => account === null || account === accounts[index])

/**
 * The instructions of a Solana transaction that equal the payload's calls of the program that it pays. `times`: the number that
 * can be its own, limited by the occurrences of each memo. Only the memo distinguishes two otherwise equal payloads.
 */
const callsOfPayload = async (
  { instructions }: SeenTransaction,
  { to, serialized = '' }: WalletTransaction,
): Promise<{ readonly calls: readonly SeenInstruction[]; readonly times: number }> => {
  const payload = (await decodeSolanaTransaction(serialized))?.instructions ?? []
  const [wanted, memos] = [to, MEMO_PROGRAM].map((program) => payload.filter(({ programId }) => programId === program))
  const calls = instructions.filter((instruction) => wanted?.some((one) => isCall(instruction, one)))
  const timesOf = (memo: SolanaInstruction) => instructions.filter((instruction) => isCall(instruction, memo)).length
  return { calls, times: Math.min(calls.length, ...(memos ?? []).map(timesOf)) }
}

/** Where a transaction, successful or not, contains the returned call; null if it does not. */
export const findAttempt = async (seen: SeenTransaction, { execution: { payload } }: ExecutedSwap): Promise<CallPlace | null> => {
  if (payload.executionType !== 'TRANSACTION') return null
  const { transaction } = payload
  if (transaction.serialized === undefined) return findCall(seen, transaction)
  return (await callsOfPayload(seen, transaction)).times > 0 ? 'topLevel' : null
}

/**
 * Recognises payments of an execution whose venue emits no events of them. The transaction must contain the returned call, at top
 * level or, if the sender has code, inside. On EVM chains exactly the input must have left the sender; native coins count at top
 * level only. In a batch of equal swaps any of the equal payments counts, as often as the call occurs.
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
    const { calls, times } = await callsOfPayload(seen, transaction)
    if (times === 0) return NOTHING
    return { events: calls.map(({ index }) => ({ place: `instruction:${index}`, orderId: null, took })), times }
  }
  const place = findCall(seen, transaction)
  if (place === null || (place === 'inside' && (!senderHasCode || isNative(input)))) return NOTHING
  const left = seen.movements.filter(
    ({ token, from, amount }) => token === input.address && from === sender && amount === inputAmount,
  )
  const events = left.map((movement) => ({ place: movement.place, orderId: null, took }))
  return { events, times: place === 'inside' ? timesIn(bare(seen.call?.data ?? '0x'), bare(transaction.data)) : 1 }
}
