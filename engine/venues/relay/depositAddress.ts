import { scriptOfAddress } from '../../chains/bitcoin/bitcoinScripts.ts'
import { hash160 } from '../../chains/bitcoin/hash160.ts'
import type { Address } from '../../core/address.ts'
import { SHARED_BITCOIN_ADDRESSES } from './published.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const PAYS_KEY = /^(?:76a914([0-9a-f]{40})88ac|0014([0-9a-f]{40}))$/

/** The scripts that pay an address, and those that pay its key by another of the key's addresses. */
const scriptsOf = (address: string): readonly string[] => {
  const script = scriptOfAddress(address)
  if (!script) return []
  const [, legacy, segwit] = PAYS_KEY.exec(hex(script)) ?? []
  const key = legacy ?? segwit
  if (key === undefined) return [hex(script)]
  const wrapped = hex(hash160(Buffer.from(`0014${key}`, 'hex')))
  return [`76a914${key}88ac`, `0014${key}`, `a914${wrapped}87`]
}

/**
 * Whether an address in bitcoin can be one of the venue's for a single order: no address of a party of the swap, in
 * whatever spelling, and none that the venue keeps for everything.
 */
export const isOwnOfOrder = (address: Address, parties: readonly string[]): boolean => {
  const taken = new Set([...parties, ...SHARED_BITCOIN_ADDRESSES].flatMap(scriptsOf))
  return scriptsOf(address).every((script) => !taken.has(script))
}
