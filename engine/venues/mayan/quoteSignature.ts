import { keccakText, recoverPersonal } from '../../chains/evm/evmCodec.ts'
import type { Address } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'
import { rejected } from '../venueError.ts'

/** Without nulls, and with the members of objects sorted by name. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter((each) => each !== null).map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, canonical(member)]))
}

/** The accounts that may sign quotes, and whether a quote needs a signature. */
export type SignatureRule = { readonly signers: readonly Address[]; readonly isRequired: boolean }

/**
 * Throws VenueError where another account signed a quote, and where a required signature is missing: the documents promise none.
 * `text` is the unchanged answer: src/utils/signature.ts of mayan-finance/tx-builder.
 */
export const demandSigned = async (text: string, at: number, { signers, isRequired }: SignatureRule): Promise<void> => {
  const { quotes } = JSON.parse(text) as { readonly quotes: readonly { readonly [name: string]: unknown }[] }
  const { signature = null, ...quote } = quotes[at] ?? {}
  if (signature === null && !isRequired) return
  if (signature === null) throw rejected('signature', 'mayan answered with a quote without a signature')
  const signer = await recoverPersonal(keccakText(JSON.stringify(canonical(quote))), signature as Hex)
  if (signer === null || !signers.includes(signer))
    throw rejected('signer', `mayan answered with a quote that ${signer ?? 'nobody'} signed`, signer)
}
