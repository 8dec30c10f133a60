import { base58 } from '@scure/base'
import { PERMIT2 } from '../../engine/chains/evm/permit2.ts'
import { addressOf } from '../../engine/core/address.ts'
import { toAmount } from '../../engine/core/amount.ts'
import { NATIVE, nativeAsset } from '../../engine/core/asset.ts'
import { BITCOIN, CHAIN_IDS, type ChainId, type EvmChainId, isChainId } from '../../engine/core/chain.ts'
import { PEG_FORMS } from '../../engine/core/peg.ts'
import { SVM_SPOKE, WIRE_SOLANA } from '../../engine/venues/across/protocol.ts'
import { ACROSS_CHAINS, fromWireChain } from '../../engine/venues/across/published.ts'
import { across } from '../../engine/venues/across/venue.ts'
import { WIRE_ASSETS, WIRE_CHAINS } from '../../engine/venues/chainflip/protocol.ts'
import { PUBLIC_RPC_URL } from '../../engine/venues/chainflip/published.ts'
import { ETH_FLOW, SETTLEMENT, VAULT_RELAYER } from '../../engine/venues/cow/protocol.ts'
import { COW_CHAIN_IDS, networkOf as cowNetworkOf } from '../../engine/venues/cow/published.ts'
import { cow } from '../../engine/venues/cow/venue.ts'
import { wrappedNative } from '../../engine/venues/kit/spokePools.ts'
import { CPI_PROXY, FEE_MANAGER, FORWARDER, SWAP_PROGRAM } from '../../engine/venues/mayan/protocol.ts'
import { PUBLIC_HOSTS } from '../../engine/venues/mayan/published.ts'
import { CHAIN_CODES, quoteDigest, signedWords } from '../../engine/venues/near-intents/protocol.ts'
import { readSettings } from '../../engine/venues/near-intents/settings.ts'
import { RAW_STATUSES as NEAR_STATUSES } from '../../engine/venues/near-intents/track.ts'
import { nearIntents } from '../../engine/venues/near-intents/venue.ts'
import { DEPOSIT_WORDS_IF_SET, PRICE_WORDS, REQUEST_WORDS, REQUEST_WORDS_IF_SET } from '../../engine/venues/near-intents/wire.ts'
import { type Ask, toPriceRequest, toQuoteRequest } from '../../engine/venues/relay/map.ts'
import { STAND_INS } from '../../engine/venues/relay/protocol.ts'
import { RAW_STATUSES as RELAY_STATUSES } from '../../engine/venues/relay/track.ts'
import { relay } from '../../engine/venues/relay/venue.ts'
import { KINDS, ROUTINGS, networkOf as uniswapxNetworkOf } from '../../engine/venues/uniswapx/protocol.ts'
import type { Row, Values } from './compare.ts'

/** The tables that a package of their venue publishes too. */

type Name = string | number
type Texts = { readonly [name: string]: string }
type Place = Pick<Row, 'package' | 'file'>

const row = (place: Place, path: string, ours: Row['ours'], options: Pick<Row, 'as' | 'names'> = {}): Row => {
  return { ...place, path, ours, ...options }
}

const on = <T extends Name>(names: readonly T[], value: (name: T) => Values[string]): Values =>
  Object.fromEntries(names.map((name) => [name, value(name)]))

/** A list, as names that are there. */
const setOf = (names: readonly Name[]): Values => on(names, () => 'yes')

const wordsOf = (text: string, pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, word = '']) => word)

const isOurs = (chainId: Name): boolean => isChainId(Number(chainId))

const ourChains = (ids: readonly Name[]): Values => setOf(ids.filter(isOurs))

type Deployed = { readonly [chainId: string]: { readonly contracts: { readonly [name: string]: { readonly address: string } } } }
type AcrossChain = NonNullable<(typeof ACROSS_CHAINS)[EvmChainId]>
type AcrossTokens = { readonly [symbol: string]: { readonly decimals: number; readonly addresses: Texts } }

const ACROSS_IDS = Object.keys(ACROSS_CHAINS).map((key) => Number(key) as EvmChainId)
const DEPLOYMENTS = { package: '@across-protocol/contracts', file: 'dist/broadcast/deployed-addresses.json' }
const ACROSS_CONSTANTS = { package: '@across-protocol/constants' }
const ACROSS_SDK = { package: '@across-protocol/app-sdk', file: 'dist/constants/index.js' }

type OurContract = (chain: AcrossChain) => string | null | undefined

const deployed = (contract: string, ours: OurContract, names: Row['names'] = 'all'): Row => {
  const nameOn = (id: Name) => `${id}.${contract}`
  const known = Object.fromEntries(Object.entries(ACROSS_CHAINS).map(([id, chain]) => [nameOn(id), ours(chain)]))
  const as = (chains: Deployed) =>
    Object.fromEntries(ACROSS_IDS.map((id) => [nameOn(id), chains[id]?.contracts[contract]?.address]))
  return row(DEPLOYMENTS, 'chains', known, { as, names })
}

/** Chains with a SpokePool, and the program on Solana. */
const acrossReach = (chains: Deployed): Values => ({
  ...ourChains(Object.keys(chains).filter((id) => chains[id]?.contracts['SpokePool'])),
  SvmSpoke: chains[String(WIRE_SOLANA)]?.contracts['SvmSpoke']?.address,
})

/** The package's name of a wrapped coin, if it is not WETH. */
const WRAPPED: Texts = { 56: 'WBNB', 137: 'WMATIC', 143: 'WMON', 999: 'WHYPE', 43114: 'WAVAX' }

const wrappedCoins = (tokens: AcrossTokens): Values => on(ACROSS_IDS, (id) => tokens[WRAPPED[id] ?? 'WETH']?.addresses[id])

const formName = (token: string, chainId: number, address: string): string =>
  `${token} ${chainId} ${address.startsWith('0x') ? address.toLowerCase() : address}`

// Of two rows with one address, the first counts.
const OUR_FORMS = Object.fromEntries(
  PEG_FORMS.map(({ token, chainId, address, decimals }) => [formName(token, chainId, address), decimals]).reverse(),
)

/** Decimals by form. A token comes before its equivalents, which repeat its address on Ethereum with decimals of their own. */
const acrossForms = (tokens: AcrossTokens, { TOKEN_EQUIVALENCE_REMAPPING: same }: { TOKEN_EQUIVALENCE_REMAPPING: Texts }) => {
  const forms: { [name: string]: number } = {}
  for (const token of new Set(PEG_FORMS.map((form) => form.token)))
    for (const symbol of [token, ...Object.keys(same).filter((each) => same[each] === token)])
      for (const [wire, address] of Object.entries(tokens[symbol]?.addresses ?? {})) {
        const chainId = fromWireChain(BigInt(wire))
        if (chainId !== null) forms[formName(token, chainId, address)] ??= tokens[symbol]?.decimals ?? 0
      }
  return forms
}

const acrossUrl = (text: string): string => wordsOf(text, /MAINNET_API_URL = "([^"]+)"/g).join()

const ACROSS: readonly Row[] = [
  row(ACROSS_SDK, 'MAINNET_API_URL', across.publicBaseUrl, { as: acrossUrl }),
  deployed('SpokePool', ({ spokePool }) => spokePool),
  deployed('SpokePoolPeriphery', ({ peripheries }) => peripheries.autumn),
  deployed('MulticallHandler', ({ multicallHandler }) => multicallHandler),
  // The package lists the emitters of the newest chains only.
  deployed('AcrossEventEmitter', ({ eventEmitter }) => eventEmitter, 'theirs'),
  row(DEPLOYMENTS, 'chains', { ...setOf(ACROSS_IDS), SvmSpoke: SVM_SPOKE }, { as: acrossReach, names: 'all' }),
  row(ACROSS_CONSTANTS, 'CHAIN_IDs.SOLANA', String(WIRE_SOLANA)),
  row(ACROSS_CONSTANTS, 'TOKEN_SYMBOLS_MAP', on(ACROSS_IDS, wrappedNative), { as: wrappedCoins, names: 'all' }),
  row(ACROSS_CONSTANTS, 'TOKEN_SYMBOLS_MAP', OUR_FORMS, { as: acrossForms, names: 'all' }),
]

type ChainflipAsset = { readonly name: string; readonly chain: string; readonly symbol: string; readonly decimals: number }

const CHAINFLIP_UTILS = { package: '@chainflip/utils', file: 'dist/chainflip.cjs' }
const CHAINFLIP_RPC = { package: '@chainflip/rpc', file: 'dist/constants.cjs' }
const CHAINFLIP_CHAINS = Object.values(WIRE_CHAINS)

const chainflipAssets = (assets: readonly ChainflipAsset[]): Values =>
  Object.fromEntries(assets.map(({ name, symbol, chain, decimals }) => [name, `${symbol} on ${chain}, ${decimals} decimals`]))

const publishedAssets = (assets: { readonly [name: string]: Omit<ChainflipAsset, 'name'> }): Values => {
  const all = Object.entries(assets).map(([name, asset]) => ({ ...asset, name }))
  return chainflipAssets(all.filter((asset) => CHAINFLIP_CHAINS.some(({ name }) => name === asset.chain)))
}

const numbersOf = (named: readonly { readonly name: string; readonly contractId: number }[]): Values =>
  Object.fromEntries(named.map(({ name, contractId }) => [name, contractId]))

/** Vaults are in no package: they were read from the chain specification of the State Chain. */
const CHAINFLIP: readonly Row[] = [
  row(CHAINFLIP_RPC, 'PUBLIC_RPC_ENDPOINTS.mainnet', PUBLIC_RPC_URL),
  row(CHAINFLIP_UTILS, 'chainContractId', numbersOf(CHAINFLIP_CHAINS)),
  row(CHAINFLIP_UTILS, 'assetContractId', numbersOf(WIRE_ASSETS)),
  row(CHAINFLIP_UTILS, 'assetConstants', chainflipAssets(WIRE_ASSETS), { as: publishedAssets, names: 'all' }),
]

const COW_CONFIG = { package: '@cowprotocol/sdk-config' }
const COW_BOOKS = { package: '@cowprotocol/sdk-order-book' }
const COW_CONTRACTS = { package: '@cowprotocol/contracts', file: 'networks.json' }

const onCow = (value: Name | ((id: (typeof COW_CHAIN_IDS)[number]) => string | undefined)): Values =>
  on(COW_CHAIN_IDS, (id) => (typeof value === 'function' ? value(id) : value))

const WRAPPED_ON_COW = onCow((id) => cowNetworkOf(id)?.wrappedNative)
const COW_URLS = onCow((id) => `${cow.publicBaseUrl}/${cowNetworkOf(id)?.path}`)

const addressesOf = (contracts: { readonly [chainId: string]: { readonly address: string } }): Values =>
  onCow((id) => contracts[id]?.address)

const COW: readonly Row[] = [
  row(COW_CONFIG, 'ETH_ADDRESS', NATIVE),
  // Those on which it still trades.
  row(COW_CONFIG, 'TRADABLE_SUPPORTED_CHAIN_IDS', setOf(COW_CHAIN_IDS), { as: ourChains, names: 'all' }),
  row(COW_CONFIG, 'COW_PROTOCOL_SETTLEMENT_CONTRACT_ADDRESS', onCow(SETTLEMENT)),
  row(COW_CONFIG, 'COW_PROTOCOL_VAULT_RELAYER_ADDRESS', onCow(VAULT_RELAYER)),
  row(COW_CONFIG, 'ETH_FLOW_ADDRESSES', onCow(ETH_FLOW)),
  row(COW_CONFIG, 'WRAPPED_NATIVE_CURRENCIES', WRAPPED_ON_COW, { as: addressesOf }),
  row(COW_BOOKS, 'ORDER_BOOK_PROD_CONFIG', COW_URLS),
  // The contracts' own list lacks the newest chains.
  row(COW_CONTRACTS, 'GPv2Settlement', onCow(SETTLEMENT), { as: addressesOf, names: 'theirs' }),
  row(COW_CONTRACTS, 'GPv2VaultRelayer', onCow(VAULT_RELAYER), { as: addressesOf, names: 'theirs' }),
]

const MAYAN_ADDRESSES: Values = {
  MAYAN_FORWARDER_CONTRACT: FORWARDER,
  MAYAN_PROGRAM_ID: SWAP_PROGRAM,
  CPI_PROXY_PROGRAM_ID: CPI_PROXY,
  FEE_MANAGER_PROGRAM_ID: FEE_MANAGER,
  PRICE_URL: PUBLIC_HOSTS.price,
  EXPLORER_URL: PUBLIC_HOSTS.explorer,
}

/**
 * The addresses are read from the text of the SDK, which would load a package for Sui that is not installed. The program of Swift
 * V2 on Solana is not compared: the newest package, 12.2.5, has the one before that of 15.2.0 of the repository.
 */
const MAYAN: readonly Row[] = [
  row({ package: '@mayanfinance/swap-sdk', file: 'dist/index.mjs' }, 'addresses', MAYAN_ADDRESSES, {
    as: (text: string) => JSON.parse(/\baddresses_default = (\{[^}]*\});/.exec(text)?.[1] ?? '') as Texts,
  }),
]

const NEAR = { package: '@defuse-protocol/one-click-sdk-typescript' }

/** A quote with every signed word, and some that the venue does not sign. */
const everyWord = (dry: boolean) => {
  const words = (...groups: readonly object[]) => on(groups.flatMap(Object.keys), (word) => `a ${word}`)
  const unsigned = { depositMode: 'SIMPLE', sessionId: 'an id', appFees: [] }
  return {
    timestamp: '2026-11-20T00:00:01.412Z',
    quoteRequest: { ...words(REQUEST_WORDS, REQUEST_WORDS_IF_SET), ...unsigned, dry },
    quote: words(PRICE_WORDS, DEPOSIT_WORDS_IF_SET),
  }
}

/** The digests of a dry and of a real quote. */
const digests = (digestOf: (quote: ReturnType<typeof everyWord>) => string): Values => ({
  dry: digestOf(everyWord(true)),
  real: digestOf(everyWord(false)),
})

const OUR_DIGESTS = digests((quote) => quoteDigest(signedWords(quote as never)))
const { publicKey: PUBLIC_KEY } = readSettings({ baseUrl: '', apiKey: null, settings: {} })

const valuesOf = (texts: Texts): Values => setOf(Object.values(texts))

/** More than one key would be a rotation. */
const quoteKeys = (text: string): string =>
  [...new Set(wordsOf(text, /ed25519:([1-9A-HJ-NP-Za-km-z]{43,44})(?=["'`])/g))].join(', ')

const NEAR_INTENTS: readonly Row[] = [
  row(NEAR, 'OpenAPI.BASE', nearIntents.publicBaseUrl),
  // The key is a constant that is not exported.
  row({ ...NEAR, file: 'dist/index.js' }, 'key', base58.encode(PUBLIC_KEY), { as: quoteKeys }),
  row(NEAR, 'quoteHash', OUR_DIGESTS, { as: digests }),
  row(NEAR, 'TokenResponse.blockchain', setOf(Object.values(CHAIN_CODES)), { as: valuesOf }),
  row(NEAR, 'GetExecutionStatusResponse.status', setOf(NEAR_STATUSES), { as: valuesOf, names: 'theirs' }),
]

/** A request with every field that the adapter sends. */
const everyField = (): Ask => {
  const [payer, recipient] = [addressOf('bitcoin', STAND_INS.bitcoin), addressOf('evm', STAND_INS.evm)]
  const order = { input: nativeAsset(BITCOIN), output: nativeAsset(1), inputAmount: toAmount(1n) } as Ask['order']
  const binding = { recipient, refundTo: payer }
  return { order, binding, user: payer, slippageBps: 1, fee: { bps: 1, recipient }, referrer: 'x' }
}

const RELAY_SDK = { package: '@relayprotocol/relay-sdk' }
const RELAY_TYPES = { ...RELAY_SDK, file: '_types/src/types/api.d.ts' }

/** The types of one path of the API: the text between this path and the next. */
const relayPath = (types: string, path: string): string => types.split(`\n    "${path}": {`)[1]?.split(/\n {4}"\//)[0] ?? ''

const relayFields = (path: string, body: object): Row => {
  const fields = (types: string) => wordsOf(relayPath(types, path).split('responses:')[0] ?? '', /^ {24}([A-Za-z]+)\??:/gm)
  return row(RELAY_TYPES, path, setOf(Object.keys(body)), { as: (types: string) => setOf(fields(types)) })
}

const relayStatuses = (types: string): Values => {
  const [union = ''] = wordsOf(relayPath(types, '/intents/status/v3'), /\bstatus\?: ([^;]+);/g)
  return setOf(wordsOf(union, /"([a-z]+)"/g))
}

/** No package has the depositories, routers and the solver: they were read from the repositories. */
const RELAY: readonly Row[] = [
  row(RELAY_SDK, 'MAINNET_RELAY_API', relay.publicBaseUrl),
  row(RELAY_SDK, 'evmDeadAddress', STAND_INS.evm),
  row(RELAY_SDK, 'solDeadAddress', STAND_INS.solana),
  row(RELAY_SDK, 'bitcoinDeadAddress', STAND_INS.bitcoin),
  relayFields('/quote/v2', toQuoteRequest(everyField())),
  relayFields('/price', toPriceRequest(everyField())),
  row(RELAY_TYPES, '/intents/status/v3', setOf(RELAY_STATUSES), { as: relayStatuses, names: 'theirs' }),
]

const UNISWAPX_SDK = { package: '@uniswap/uniswapx-sdk' }
const UNISWAPX_IDS = CHAIN_IDS.filter((id) => uniswapxNetworkOf(id) !== null)

/** On Arbitrum the V2 reactor was retired. */
const reactors = (reactorOf: (id: ChainId, routing: (typeof ROUTINGS)[number]) => string | undefined): Values => {
  const pairs = UNISWAPX_IDS.flatMap((id) => ROUTINGS.map((routing) => [id, routing] as const))
  const current = pairs.filter(([id, routing]) => id !== 42161 || routing !== 'DUTCH_V2')
  return Object.fromEntries(current.map(([id, routing]) => [`${id}.${routing}`, reactorOf(id, routing)]))
}

const publishedReactors = (mapping: { readonly [chainId: string]: Texts }): Values =>
  reactors((id, routing) => {
    const address = mapping[id]?.[KINDS[routing].orderType] ?? ''
    return /^(0x0{40})?$/.test(address) ? undefined : address
  })

const OUR_REACTORS = reactors((id, routing) => uniswapxNetworkOf(id)?.reactors[routing])
const PERMIT2_EVERYWHERE = on(UNISWAPX_IDS, () => PERMIT2)

const UNISWAPX: readonly Row[] = [
  row(UNISWAPX_SDK, 'PERMIT2_MAPPING', PERMIT2_EVERYWHERE),
  row(UNISWAPX_SDK, 'REACTOR_ADDRESS_MAPPING', OUR_REACTORS, { as: publishedReactors, names: 'all' }),
]

export const ROWS: { readonly [venue: string]: readonly Row[] } = {
  across: ACROSS,
  chainflip: CHAINFLIP,
  cow: COW,
  mayan: MAYAN,
  'near-intents': NEAR_INTENTS,
  relay: RELAY,
  uniswapx: UNISWAPX,
}
