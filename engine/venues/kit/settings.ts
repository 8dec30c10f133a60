import { PERMIT2 } from '../../chains/evm/permit2.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../chains/solana/solanaCodec.ts'
import { type Address, addressOf, parseAddress, parseEvmAddress, parseSolanaAddress } from '../../core/address.ts'
import { NATIVE } from '../../core/asset.ts'
import { CHAIN_IDS, type ChainId, isChainId } from '../../core/chain.ts'
import type { VenueConfig, VenueSetting } from '../venue.ts'

/** Shared addresses, and placeholders for coins: never an account or contract of one venue. */
const NOBODYS: ReadonlySet<string | null> = new Set([
  ...[null, NATIVE, PERMIT2, SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM],
  ...[ASSOCIATED_TOKEN_PROGRAM, MEMO_PROGRAM, COMPUTE_BUDGET_PROGRAM],
])

/** Addresses up to 0xffff, including zero, are placeholders as well. */
const isSomebodys = (address: Address | null): address is Address => !NOBODYS.has(address) && !/^0x0{36}/.test(address ?? '')

/** A setting that is an EVM address; `expects` names its use. */
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

/** A setting that is one address of Solana. */
export const solanaAddressSetting = (name: string): VenueSetting => ({
  name,
  pattern: { test: (text) => isSomebodys(parseSolanaAddress(text)) },
  expects: 'a Solana address',
})

const ITEMS_MAX = 32
const EACH_ONCE = `at most ${ITEMS_MAX}, each once`

/** `chainId`: null where the item names no chain. */
type Item = { readonly chainId: ChainId | null; readonly address: Address }
const isTwice = ({ chainId, address }: Item, at: number, items: readonly Item[]): boolean =>
  items.slice(0, at).some((other) => other.address === address && (other.chainId ?? chainId) === (chainId ?? other.chainId))

/** The items of a list such as `0x…,8453=0x…` or `8453:0x…`; null for an invalid or repeated item, or too many of them. */
const itemsOf = (ecosystem: 'evm' | 'solana', text: string): readonly Item[] | null => {
  const parts = text.split(',', ITEMS_MAX + 1)
  const items = parts.flatMap((one): readonly Item[] => {
    const [, id, raw = ''] = /^(?:([1-9][0-9]*)[=:])?(\w+)$/.exec(one.trim()) ?? []
    const [chainId, address] = [id === undefined ? null : Number(id), parseAddress(ecosystem, raw)]
    return isSomebodys(address) && (chainId === null || isChainId(chainId)) ? [{ chainId, address }] : []
  })
  return parts.length > ITEMS_MAX || items.length < parts.length || items.some(isTwice) ? null : items
}

type Serves = (chainId: ChainId) => boolean
type Configured = Pick<VenueConfig, 'settings'>

const itemsIn = (ecosystem: 'evm' | 'solana', { settings }: Configured, { name }: VenueSetting): readonly Item[] =>
  itemsOf(ecosystem, settings[name] ?? '') ?? []

const testOf =
  (ecosystem: 'evm' | 'solana', takes: (chainId: ChainId | null) => boolean) =>
  (text: string): boolean =>
    itemsOf(ecosystem, text)?.every(({ chainId }) => takes(chainId)) ?? false

/** A setting with a list of EVM addresses; `serves`: the chains that an item may name, to apply there only; absent: none. */
export const addressesSetting = (name: string, expects: string, serves: Serves = () => false): VenueSetting => ({
  name,
  pattern: { test: testOf('evm', (chainId) => chainId === null || serves(chainId)) },
  expects: `EVM addresses separated by commas (${EACH_ONCE}), ${expects}`,
})

/** A setting with a list of EVM addresses, each with its chain; `serves`: the allowed chains. */
export const addressesByChainSetting = (name: string, expects: string, serves: Serves): VenueSetting => ({
  name,
  pattern: { test: testOf('evm', (chainId) => chainId !== null && serves(chainId)) },
  expects: `${expects}, such as 1=0x…,8453=0x…, each by its chain (${EACH_ONCE})`,
})

export const solanaAddressesSetting = (name: string, expects: string): VenueSetting => ({
  name,
  pattern: { test: testOf('solana', (chainId) => chainId === null) },
  expects: `Solana addresses separated by commas (${EACH_ONCE}), ${expects}`,
})

/** The addresses of a chain: `own`, and those that a setting lists for that chain or for all. */
export const addressesOn = (config: Configured, setting: VenueSetting, ...own: readonly Address[]) => {
  const items = itemsIn('evm', config, setting)
  return (on: ChainId): readonly Address[] => [
    ...own,
    ...items.flatMap(({ chainId, address }) => (chainId === null || chainId === on ? [address] : [])),
  ]
}

/** A list with the same number of items as another, for the same chains in the same order. */
export const isPairedBy = (setting: VenueSetting, other: VenueSetting): VenueSetting => ({
  ...setting,
  agrees: (settings) => {
    const [own, others] = [setting, other].map((one) => itemsIn('evm', { settings }, one).map(({ chainId }) => chainId))
    return JSON.stringify(own) === JSON.stringify(others)
  },
})

/** The addresses of a setting without chains; empty when unset. */
export const addressesIn = (config: Configured, setting: VenueSetting): readonly Address[] =>
  itemsIn('evm', config, setting).map(({ address }) => address)

export const solanaAddressesIn = (config: Configured, setting: VenueSetting): readonly Address[] =>
  itemsIn('solana', config, setting).map(({ address }) => address)

export type AddressesByChain = { readonly [chainId in ChainId]?: readonly Address[] }

export const addressesByChainIn = (config: Configured, setting: VenueSetting): AddressesByChain => {
  const listed = addressesOn(config, setting)
  return Object.fromEntries(CHAIN_IDS.map((id) => [id, listed(id)]))
}

export type ChainNames = ReadonlyMap<string, ChainId>

/** A setting that adds unique names of pinned chains, and the reader of all names. `isOthers`: a name of an unpinned chain. */
export const chainNames = (name: string, expects: string, pinned: ChainNames, isOthers = (_: string, _id: ChainId) => false) => {
  const parse = (text: string): ChainNames | null => {
    const names = new Map(pinned)
    if (text.split(',').length > ITEMS_MAX) return null
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
