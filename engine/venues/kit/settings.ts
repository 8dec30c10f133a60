import { type Address, addressOf, parseAddress, parseEvmAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type ChainId, isChainId } from '../../core/chain.ts'
import type { VenueConfig, VenueSetting } from '../venue.ts'

const NOBODYS: readonly (string | null)[] = [null, ZERO_EVM_ADDRESS, '1'.repeat(32)]

/** The address of zero bytes is nobody's. */
const isSomebodys = (address: Address | null): address is Address => !NOBODYS.includes(address)

/** A setting that is an EVM address; `expects` says what for. */
export const addressSetting = (name: string, expects: string): VenueSetting => ({
  name,
  pattern: { test: (text) => isSomebodys(parseEvmAddress(text)) },
  expects: `an EVM address, ${expects}`,
})

export const FEE_RECIPIENT = addressSetting('FEE_RECIPIENT', 'to which integrator fees are paid')

/** Null when unset. */
export const addressIn = ({ settings }: Pick<VenueConfig, 'settings'>, { name }: VenueSetting): Address | null => {
  const text = settings[name] ?? null
  return text === null ? null : addressOf('evm', text)
}

/** A setting that is a list of addresses, none of them nobody's; what it lists, none when unset. */
const listOf = (ecosystem: 'evm' | 'solana') => {
  const parse = (text: string) => text.split(',').map((one) => parseAddress(ecosystem, one.trim()))
  const setting = (name: string, expects: string): VenueSetting => ({
    name,
    pattern: { test: (text) => parse(text).every(isSomebodys) },
    expects: `${ecosystem === 'evm' ? 'EVM' : 'Solana'} addresses separated by commas, ${expects}`,
  })
  const listed = ({ settings }: Pick<VenueConfig, 'settings'>, { name }: VenueSetting): readonly Address[] =>
    parse(settings[name] ?? '').filter((one) => one !== null)
  return [setting, listed] as const
}

export const [addressesSetting, addressesIn] = listOf('evm')
export const [solanaAddressesSetting, solanaAddressesIn] = listOf('solana')

export type AddressesByChain = { readonly [chainId in ChainId]?: readonly Address[] }

/** From pairs such as `8453=0x…` or `8453:0x…`; null where one of them is none. */
const byChain = (text: string, serves: (chainId: ChainId) => boolean = () => true): AddressesByChain | null => {
  const found: { [chainId in ChainId]?: readonly Address[] } = {}
  for (const one of text.split(',')) {
    const [, id, raw = ''] = /^([1-9][0-9]*)[=:](0x[0-9a-fA-F]{40})$/.exec(one.trim()) ?? []
    const [chainId, address] = [Number(id), parseEvmAddress(raw)]
    if (!isChainId(chainId) || !serves(chainId) || !isSomebodys(address)) return null
    found[chainId] = [...(found[chainId] ?? []), address]
  }
  return found
}

/** A setting that is a list of EVM addresses, each by its chain; `serves`: which chains it may name, all where left out. */
export const addressesByChainSetting = (name: string, expects: string, serves?: (chainId: ChainId) => boolean): VenueSetting => ({
  name,
  pattern: { test: (text) => byChain(text, serves) !== null },
  expects: `${expects}, such as 1=0x…,8453=0x…, each by its chain`,
})

/** None when unset. */
export const addressesByChainIn = ({ settings }: Pick<VenueConfig, 'settings'>, { name }: VenueSetting): AddressesByChain =>
  byChain(settings[name] ?? '') ?? {}

export type ChainNames = ReadonlyMap<string, ChainId>

/** A setting that adds names of pinned chains, none for two of them, and what reads all names. `isOthers`: a chain's that is not pinned. */
export const chainNames = (name: string, expects: string, pinned: ChainNames, isOthers = (_: string, _id: ChainId) => false) => {
  const parse = (text: string): ChainNames | null => {
    const names = new Map(pinned)
    for (const one of text.split(',')) {
      const [, id, added = ''] = /^(-?[1-9][0-9]*)=([a-z][a-z0-9_]{0,31})$/.exec(one.trim()) ?? []
      const chainId = [...pinned.values()].find((each) => String(each) === id)
      if (chainId === undefined || (names.get(added) ?? chainId) !== chainId || isOthers(added, chainId)) return null
      names.set(added, chainId)
    }
    return names
  }
  const pattern = { test: (text: string) => parse(text) !== null }
  const read = ({ settings }: Pick<VenueConfig, 'settings'>): ChainNames => parse(settings[name] ?? '') ?? pinned
  return [{ name, pattern, expects: `${expects}, such as 56=bnb,143=mon, none of another chain` }, read] as const
}
