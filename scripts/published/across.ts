import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ChainId, chainOf, type EvmChainId } from '../../engine/core/chain.ts'
import { BRIDGED } from '../../engine/venues/across/bridgeTokens.ts'
import { ACROSS_CHAINS, fromWireChain, SVM_SPOKE, WIRE_SOLANA, wrappedNative } from '../../engine/venues/across/contracts.ts'
import type { Comparison } from './comparison.ts'

const CONTRACTS = '@across-protocol/contracts'
const CONSTANTS = '@across-protocol/constants'

type Deployments = {
  readonly chains: { readonly [chainId: string]: { readonly contracts: { readonly [name: string]: { readonly address: string } } } }
}

type Constants = {
  readonly CHAIN_IDs: { readonly [name: string]: number }
  readonly TOKEN_SYMBOLS_MAP: {
    readonly [symbol: string]: { readonly decimals: number; readonly addresses: { readonly [chainId: string]: string } }
  }
  readonly TOKEN_EQUIVALENCE_REMAPPING: { readonly [symbol: string]: string }
}

/** One fact in both spellings; `-` where one side has none. */
type Fact = { readonly what: string; readonly ours: string; readonly theirs: string }

const NONE = '-'
const spelled = (address: string | null | undefined): string =>
  !address ? NONE : address.startsWith('0x') ? address.toLowerCase() : address

const contractFacts = ({ chains }: Deployments): readonly Fact[] => {
  const published = (chainId: number, name: string) => spelled(chains[String(chainId)]?.contracts[name]?.address)
  const facts: Fact[] = [
    { what: 'SvmSpoke on Solana', ours: SVM_SPOKE, theirs: published(WIRE_SOLANA, 'SvmSpoke') },
  ]
  for (const [key, ours] of Object.entries(ACROSS_CHAINS)) {
    const chainId = Number(key) as EvmChainId
    const { name } = chainOf(chainId)
    const add = (contract: string, address: string | null | undefined) =>
      facts.push({ what: `${contract} on ${name}`, ours: spelled(address), theirs: published(chainId, contract) })
    add('SpokePool', ours.spokePool)
    add('SpokePoolPeriphery', ours.peripheries.autumn)
    add('MulticallHandler', ours.multicallHandler)
    // The package knows the emitters of the newest chains only.
    if (published(chainId, 'AcrossEventEmitter') !== NONE) add('AcrossEventEmitter', ours.eventEmitter)
  }
  return facts
}

/** A chain Across has come to, or left: known by its SpokePool. */
const reachFacts = ({ chains }: Deployments): readonly Fact[] =>
  Object.entries(chains).flatMap(([wire, { contracts }]) => {
    const isOurs = isOurChain(Number(wire))
    if (!isOurs || !contracts['SpokePool']) return []
    return [{ what: `reach of chain ${wire}`, ours: fromWireChain(BigInt(wire)) === null ? NONE : 'served', theirs: 'served' }]
  })

const isOurChain = (wire: number): boolean => {
  try {
    return chainOf(wire as ChainId).chainId > 0
  } catch {
    return false
  }
}

type Forms = Map<string, string>

/** `chain address` to decimals, of one token in all its forms on our chains. */
const ourForms = (symbol: string): Forms => {
  const token = BRIDGED.find((candidate) => candidate.symbol === symbol)
  return new Map(
    token?.rows.map(([chainId, address, decimals]) => [`${chainId} ${address}`, String(decimals ?? token.decimals)]) ?? [],
  )
}

const theirForms = (wanted: string, { TOKEN_SYMBOLS_MAP, TOKEN_EQUIVALENCE_REMAPPING }: Constants): Forms => {
  const forms: Forms = new Map()
  // The token itself first: its equivalents repeat its address on Ethereum with decimals of their own.
  const symbols = Object.keys(TOKEN_SYMBOLS_MAP).filter((symbol) => TOKEN_EQUIVALENCE_REMAPPING[symbol] === wanted)
  for (const symbol of [wanted, ...symbols]) {
    const { decimals, addresses } = TOKEN_SYMBOLS_MAP[symbol] ?? { decimals: 0, addresses: {} }
    for (const [wire, address] of Object.entries(addresses)) {
      const chainId = fromWireChain(BigInt(wire))
      const key = `${chainId} ${spelled(address)}`
      if (chainId !== null && !forms.has(key)) forms.set(key, String(decimals))
    }
  }
  return forms
}

const tokenFacts = (constants: Constants): readonly Fact[] =>
  BRIDGED.flatMap(({ symbol }) => {
    const [ours, theirs] = [ourForms(symbol), theirForms(symbol, constants)]
    return [...new Set([...ours.keys(), ...theirs.keys()])].map((form) => ({
      what: `${symbol}, decimals at ${form}`,
      ours: ours.get(form) ?? NONE,
      theirs: theirs.get(form) ?? NONE,
    }))
  })

/** Symbols of the wrapped native coins, by chain. */
const WRAPPED_SYMBOLS: { readonly [chainId: number]: string } = { 56: 'WBNB', 137: 'WMATIC', 143: 'WMON', 999: 'WHYPE', 43114: 'WAVAX' }

const wrappedFacts = ({ TOKEN_SYMBOLS_MAP }: Constants): readonly Fact[] =>
  Object.keys(ACROSS_CHAINS).map((key) => {
    const symbol = WRAPPED_SYMBOLS[Number(key)] ?? 'WETH'
    return {
      what: `wrapped native coin (${symbol}) on ${chainOf(Number(key) as EvmChainId).name}`,
      ours: spelled(wrappedNative(Number(key) as EvmChainId)),
      theirs: spelled(TOKEN_SYMBOLS_MAP[symbol]?.addresses[key]),
    }
  })

/**
 * Holds our table of Across's contracts and tokens against the vendor's packages. `packagesDir` holds them as
 * `node_modules` does.
 */
export const compareAcross = async (packagesDir: string): Promise<Comparison> => {
  const require = createRequire(pathToFileURL(join(packagesDir, 'none.cjs')))
  const deployments = require(join(packagesDir, CONTRACTS, 'dist/broadcast/deployed-addresses.json')) as Deployments
  const constants = require(join(packagesDir, CONSTANTS)) as Constants
  const facts: readonly Fact[] = [
    { what: 'chain id of Solana', ours: String(WIRE_SOLANA), theirs: String(constants.CHAIN_IDs['SOLANA'] ?? NONE) },
    ...contractFacts(deployments),
    ...reachFacts(deployments),
    ...wrappedFacts(constants),
    ...tokenFacts(constants),
  ]
  const version = (name: string) => (require(join(packagesDir, name, 'package.json')) as { version: string }).version
  return {
    venue: 'across',
    packages: [CONTRACTS, CONSTANTS].map((name) => `${name}@${version(name)}`),
    compared: facts.length,
    differences: facts.filter(({ ours, theirs }) => ours !== theirs),
  }
}
