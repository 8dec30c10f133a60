import { type Address, addressOf, evmAddressText } from '../../core/address.ts'
import type { VenueConfig, VenueSetting } from '../venue.ts'

/** A setting that is an EVM address; `expects` says what for. */
export const addressSetting = (name: string, expects: string): VenueSetting => ({
  name,
  pattern: evmAddressText,
  expects: `an EVM address, ${expects}`,
})

export const FEE_RECIPIENT = addressSetting('FEE_RECIPIENT', 'to which integrator fees are paid')

/** Null when unset. */
export const addressIn = ({ settings }: Pick<VenueConfig, 'settings'>, { name }: VenueSetting): Address | null => {
  const text = settings[name] ?? null
  return text === null ? null : addressOf('evm', text)
}
