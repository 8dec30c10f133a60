import { keccakText, recoverPersonal } from '../../chains/evm/evmCodec.ts'
import type { Address } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'
import { VenueError } from '../venueError.ts'

/** Without what is null or no number, the members of objects in the order of their names. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter((each) => each !== null).map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, canonical(member)]))
}

/**
 * Throws VenueError('badResponse') where a quote bears a signature that is not its venue's; one without is let pass, as the
 * documents promise none. `text` is the answer as it came: src/utils/signature.ts of mayan-finance/tx-builder.
 */
export const demandSigned = async (text: string, at: number, signer: Address): Promise<void> => {
  const { quotes } = JSON.parse(text) as { readonly quotes: readonly { readonly [name: string]: unknown }[] }
  const { signature = null, ...quote } = quotes[at] ?? {}
  if (signature === null) return
  const raw = keccakText(JSON.stringify(canonical(quote)))
  if ((await recoverPersonal(raw, signature as Hex)) !== signer)
    throw new VenueError('badResponse', 'mayan answered with a quote that it has not signed')
}
