import { scriptOfAddress } from './bitcoinScripts.ts'
import { hash160 } from './hash160.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const PAYS_KEY = /^(?:76a914([0-9a-f]{40})88ac|0014([0-9a-f]{40}))$/

/** The script that pays an address, and those that pay its key by the key's other addresses; empty for an invalid address. */
export const bitcoinPayees = (address: string): readonly string[] => {
  const script = scriptOfAddress(address)
  if (!script) return []
  const [, legacy, segwit] = PAYS_KEY.exec(hex(script)) ?? []
  const key = legacy ?? segwit
  if (key === undefined) return [hex(script)]
  const wrapped = hex(hash160(Buffer.from(`0014${key}`, 'hex')))
  return [`76a914${key}88ac`, `0014${key}`, `a914${wrapped}87`]
}
