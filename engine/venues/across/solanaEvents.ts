import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import type { Movement, SeenInstruction, SeenTransaction } from '../../chains/seen.ts'
import { solanaProgramAddress } from '../../chains/solana/solanaProgramAddress.ts'
import type { Address } from '../../core/address.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { InputEvent, PayoutEvent } from '../venue.ts'
import { messageHash } from './evmFills.ts'
import { areSums, isExclusivity, type OwnDeposit } from './ownDeposit.ts'
import { hexOf, type OwnSolanaDeposit } from './ownSolanaDeposit.ts'
import { SVM_SPOKE, WIRE_SOLANA } from './published.ts'

/**
 * https://www.anchor-lang.com/docs/features/events: to tell of an event a program calls itself, with an account that only it
 * can sign for. The discriminators are those of dist/src/svm/assets/idl/svm_spoke.json in @across-protocol/contracts.
 */
const EVENT = '0xe445a52e51cb9a1d'
const FUNDS_DEPOSITED = `${EVENT}9dd1645f3b640344`
const FILLED_RELAY = `${EVENT}193ab6003263a075`
const HEAD_BYTES = 16
const eventAuthority = (): Address => solanaProgramAddress(SVM_SPOKE, [utf8ToBytes('__event_authority')])

const isCall = ({ program }: SeenInstruction): boolean => program === SVM_SPOKE
const isEvent = ({ data }: SeenInstruction): boolean => hexOf(data.slice(0, 8)) === EVENT

/** An event of the program, its bytes behind the discriminators; null for any other instruction. */
const eventOf = (kind: string, instruction: SeenInstruction): Uint8Array | null => {
  const { accounts, data } = instruction
  const isIt = isCall(instruction) && hexOf(data.slice(0, HEAD_BYTES)) === kind
  return isIt && accounts.length === 1 && accounts[0] === eventAuthority() ? data.slice(HEAD_BYTES) : null
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const isBetween = ({ place }: Movement, { called, told }: { readonly called: number; readonly told: number }): boolean => {
  const index = Number(/^instruction:(\d+)$/.exec(place)?.[1] ?? -1)
  return index > called && index < told
}

/**
 * The events of one kind, their bytes behind the discriminators, each with what moved between the call and it, and with the sums
 * that no instruction explains.
 */
export const callsOf = ({ instructions, movements }: SeenTransaction, kind: string) => {
  const found: { readonly event: Uint8Array; readonly moved: readonly Movement[] }[] = []
  let called = -1
  for (const instruction of instructions.filter(isCall)) {
    const event = eventOf(`${EVENT}${kind}`, instruction)
    if (!isEvent(instruction)) called = instruction.index
    if (event === null) continue
    const told = instruction.index
    const isIts = (moved: Movement): boolean => isBetween(moved, { called, told }) || moved.place.startsWith('balance:')
    found.push({ event, moved: movements.filter(isIts) })
  }
  return found
}

/** `FundsDeposited`: what the arguments of the deposit do not say is its id and its time of exclusivity. */
const EVENT_BYTES = 256

/** The id that the program gave a deposit; null where the event is not that of this deposit. */
const depositIdIn = (event: Uint8Array, { data, terms }: OwnSolanaDeposit, at: number | null): bigint | null => {
  if (event.length !== EVENT_BYTES) return null
  const isSame = ([from, to]: readonly [number, number], ofDeposit: number): boolean =>
    hexOf(event.slice(from, to)) === hexOf(data.slice(ofDeposit, ofDeposit + to - from))
  const isOwn =
    isSame([0, 112], 72) && // both tokens, both amounts and the destination
    isSame([144, 152], 216) && // the times
    isSame([156, 220], 8) && // depositor and recipient
    isSame([220, 252], 184) && // the exclusive relayer
    isSame([252, 256], 228) && // the message, of which there is none
    isExclusivity(viewOf(event).getUint32(152, true), terms, at)
  return isOwn ? BigInt(hexOf(event.slice(112, 144))) : null
}

/** A deposit is this one by all its bytes and accounts, whoever called the program. */
const isSameCall = (seen: SeenInstruction, { data, accounts }: OwnSolanaDeposit): boolean =>
  isCall(seen) &&
  hexOf(seen.data) === hexOf(data) &&
  seen.accounts.length === accounts.length &&
  accounts.every((account, i) => account !== null && account === seen.accounts[i])

/** The program tells of a deposit before it is called again. */
const toldOf = ({ instructions, at }: SeenTransaction, index: number, own: OwnSolanaDeposit): bigint | null => {
  for (const instruction of instructions) {
    if (instruction.index <= index || !isCall(instruction)) continue
    const event = eventOf(FUNDS_DEPOSITED, instruction)
    if (event !== null) return depositIdIn(event, own, at)
    if (!isEvent(instruction)) return null
  }
  return null
}

/** The deposits of a transaction on Solana that are the payload's own. */
export const solanaDeposits = (seen: SeenTransaction, own: OwnSolanaDeposit): readonly InputEvent[] =>
  seen.instructions
    .filter((instruction) => isSameCall(instruction, own))
    .map(({ index }) => {
      const depositId = toldOf(seen, index, own)
      const token = base58.encode(own.data.slice(72, 104)) as Address
      return {
        place: `instruction:${index}`,
        orderId: depositId === null ? null : `${WIRE_SOLANA}:${depositId}`,
        took: { token, amount: own.terms.inputAmount },
      }
    })

const FILL_BYTES = 393

type SolanaFill = { readonly originChainId: bigint; readonly depositId: bigint; readonly amount: bigint }

/** `FilledRelay` of this deposit; null for one of another. */
const fillIn = (event: Uint8Array, own: OwnDeposit): SolanaFill | null => {
  if (event.length !== FILL_BYTES) return null
  const view = viewOf(event)
  const word = (at: number) => hexOf(event.slice(at, at + 32))
  const isOwn =
    word(0) === own.inputToken &&
    word(32) === own.outputToken &&
    areSums(own, { inputAmount: BigInt(word(64)), outputAmount: view.getBigUint64(96, true) }) &&
    view.getUint32(152, true) === own.fillDeadline &&
    isExclusivity(view.getUint32(156, true), own, 'any') &&
    word(160) === own.exclusiveRelayer &&
    word(224) === own.depositor &&
    word(256) === own.recipient &&
    word(288) === messageHash(own.message) &&
    word(320) === own.recipient &&
    word(352) === word(288)
  if (!isOwn) return null
  const [originChainId, depositId] = [view.getBigUint64(112, true), BigInt(word(120))]
  return { originChainId, depositId, amount: view.getBigUint64(384, true) }
}

/** The fills of a transaction on Solana that deliver one of these deposits. */
export const solanaFills = (
  seen: SeenTransaction,
  own: OwnDeposit,
  { swap, isOrder }: { readonly swap: ExecutedSwap; readonly isOrder: (originChainId: bigint, depositId: bigint) => boolean },
): readonly PayoutEvent[] => {
  const { order, binding } = swap
  const bytesOf = (address: Address) => hexOf(base58.decode(address))
  if (bytesOf(binding.recipient) !== own.recipient || bytesOf(order.output.address) !== own.outputToken) return []
  const outputs: PayoutEvent[] = []
  let called = -1
  for (const instruction of seen.instructions.filter(isCall)) {
    const event = eventOf(FILLED_RELAY, instruction)
    const fill = event && fillIn(event, own)
    if (!isEvent(instruction)) called = instruction.index
    if (fill === null || !isOrder(fill.originChainId, fill.depositId)) continue
    outputs.push(paymentOf(seen, swap, { called, told: instruction.index, amount: fill.amount }))
  }
  return outputs
}

type Told = { readonly called: number; readonly told: number; readonly amount: bigint }

/** The payment itself where the chain shows it between the call and its event, so that nobody else counts it. */
const paymentOf = ({ movements }: SeenTransaction, { order, binding }: ExecutedSwap, fill: Told): PayoutEvent => {
  const paid = movements.find(
    (moved) => isBetween(moved, fill) && moved.token === order.output.address && moved.to === binding.recipient,
  )
  return paid ? { place: paid.place, amount: paid.amount } : { place: `instruction:${fill.told}`, amount: fill.amount }
}

/** See SwapEvents.named: what a fill moved between the call and its event, and what its recipient gained that no instruction explains. */
export const paidOnSolana = (seen: SeenTransaction): readonly string[] => {
  const places: string[] = []
  let called = -1
  for (const instruction of seen.instructions.filter(isCall)) {
    const event = eventOf(FILLED_RELAY, instruction)
    if (!isEvent(instruction)) called = instruction.index
    if (event?.length !== FILL_BYTES) continue
    const told = instruction.index
    const [token, recipient] = [base58.encode(event.slice(32, 64)), base58.encode(event.slice(256, 288))]
    const sum = `balance:${token}:${recipient}`
    const own = seen.movements.filter((moved) => isBetween(moved, { called, told }) || moved.place === sum)
    places.push(...own.map(({ place }) => place))
  }
  return places
}
