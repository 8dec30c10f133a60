import { type Address, addressOf, evmAddressText, parseEvmAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
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

const addressesOf = (text: string): readonly (Address | null)[] => text.split(',').map((one) => parseEvmAddress(one.trim()))

/** A setting that is a list of EVM addresses, none of them nobody's. */
export const addressesSetting = (name: string, expects: string): VenueSetting => ({
  name,
  pattern: { test: (text) => addressesOf(text).every((one) => one !== null && one !== ZERO_EVM_ADDRESS) },
  expects: `EVM addresses separated by commas, ${expects}`,
})

/** None when unset. */
export const addressesIn = ({ settings }: Pick<VenueConfig, 'settings'>, { name }: VenueSetting): readonly Address[] =>
  addressesOf(settings[name] ?? '').filter((one) => one !== null)
