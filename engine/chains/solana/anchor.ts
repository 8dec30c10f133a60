import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Address } from '../../core/address.ts'
import type { Movement, SeenInstruction } from '../seen.ts'
import { type Fields, hexOf, type Layout, readBorsh } from './borsh.ts'
import { solanaProgramAddress } from './solanaProgramAddress.ts'

/** Calls and events of programs built with Anchor, by the names and layouts of their published interface. */

const DISCRIMINATOR_BYTES = 8

/** https://www.anchor-lang.com/docs/basics/idl#discriminators */
const discriminatorOf = (kind: 'global' | 'event', name: string): string =>
  hexOf(sha256(utf8ToBytes(`${kind}:${name}`)).slice(0, DISCRIMINATOR_BYTES))

const isHeadedBy = (data: Uint8Array, discriminator: string): boolean =>
  hexOf(data.slice(0, DISCRIMINATOR_BYTES)) === discriminator

/** Whether the data of an instruction calls this one of its program, by its name in snake_case. */
export const isAnchorCall = (data: Uint8Array, name: string): boolean => isHeadedBy(data, discriminatorOf('global', name))

/** The arguments of a call; null when it is another one, or when bytes are missing or left over. */
export const readAnchorCall = <const L extends Layout>(data: Uint8Array, name: string, layout: L): Fields<L> | null =>
  isAnchorCall(data, name) ? readBorsh(layout, data.slice(DISCRIMINATOR_BYTES)) : null

/**
 * A program reports an event by a call to itself with this prefix, and with an account that only it can sign for.
 * https://www.anchor-lang.com/docs/features/events
 */
const EVENT = '0xe445a52e51cb9a1d'

export const eventAuthority = (program: Address): Address => solanaProgramAddress(program, [utf8ToBytes('__event_authority')])

/** An event that a program reported. */
export type ToldInstruction<E> = {
  /** The program's last call before the event; -1 without one. */
  readonly called: number
  readonly index: number
  /** As `Movement.place`. */
  readonly place: string
  readonly event: E
}

/** The events of a kind, by its name in PascalCase, that a program reported, in their order. Other lengths are ignored. */
export const anchorEventsBy = <const L extends Layout>(
  program: Address,
  { name, layout }: { readonly name: string; readonly layout: L },
  instructions: readonly SeenInstruction[],
): readonly ToldInstruction<Fields<L>>[] => {
  const authority = eventAuthority(program)
  const discriminator = discriminatorOf('event', name)
  const told: ToldInstruction<Fields<L>>[] = []
  let called = -1
  for (const { index, accounts, data } of instructions.filter((instruction) => instruction.program === program)) {
    if (!isHeadedBy(data, EVENT)) {
      called = index
      continue
    }
    const body = data.slice(DISCRIMINATOR_BYTES)
    const isTold = accounts.length === 1 && accounts[0] === authority && isHeadedBy(body, discriminator)
    const event = isTold ? readBorsh(layout, body.slice(DISCRIMINATOR_BYTES)) : null
    if (event !== null) told.push({ called, index, place: `instruction:${index}`, event })
  }
  return told
}

/** Whether money moved after the call and before the program's event. */
export const isMovedFor = (
  { place }: Movement,
  { called, index }: Pick<ToldInstruction<unknown>, 'called' | 'index'>,
): boolean => {
  const at = Number(/^instruction:(\d+)$/.exec(place)?.[1] ?? -1)
  return at > called && at < index
}
