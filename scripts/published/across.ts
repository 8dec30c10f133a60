import { chainOf, type EvmChainId, isChainId, isEvmChainId } from '../../engine/core/chain.ts'
import { PEG_FORMS, type PegForm } from '../../engine/core/peg.ts'
import { ACROSS_CHAINS, fromWireChain, SVM_SPOKE, WIRE_SOLANA } from '../../engine/venues/across/published.ts'
import { across } from '../../engine/venues/across/venue.ts'
import { count, object, record, type Static, shape, text } from '../../engine/venues/kit/shapes.ts'
import { wrappedNative } from '../../engine/venues/kit/spokePools.ts'
import { type Comparison, differencesOf, loadPackage, readPackageJson, readText, versionsOf } from './comparison.ts'

const deploymentsShape = shape(
  '@across-protocol/contracts deployed-addresses.json',
  object({ chains: record(object({ contracts: record(object({ address: text() })) })) }),
)

const constantsShape = shape(
  '@across-protocol/constants',
  object({
    CHAIN_IDs: record(count()),
    TOKEN_SYMBOLS_MAP: record(object({ decimals: count(), addresses: record(text()) })),
    TOKEN_EQUIVALENCE_REMAPPING: record(text()),
  }),
)

type Deployments = Static<typeof deploymentsShape>
type Constants = Static<typeof constantsShape>

export const ACROSS_PACKAGES = ['@across-protocol/contracts', '@across-protocol/constants', '@across-protocol/app-sdk'] as const

type Claim = Parameters<typeof differencesOf>[0][number]

const contractClaims = ({ chains }: Deployments): readonly Claim[] => {
  const published = (chainId: number, name: string) => chains[String(chainId)]?.contracts[name]?.address
  return Object.entries(ACROSS_CHAINS).flatMap(([key, { spokePool, peripheries, multicallHandler, eventEmitter }]) => {
    const chainId = Number(key)
    const on = (contract: string, ours: string | null | undefined) => ({
      what: `${contract} on ${chainId}`,
      ours,
      theirs: published(chainId, contract),
    })
    const emitter = on('AcrossEventEmitter', eventEmitter)
    return [
      on('SpokePool', spokePool),
      on('SpokePoolPeriphery', peripheries.autumn),
      on('MulticallHandler', multicallHandler),
      // The package knows the emitters of the newest chains only, and what it lacks says nothing.
      ...(emitter.theirs === undefined ? [] : [emitter]),
    ]
  })
}

/** A chain Across has come to is known by its SpokePool. */
const reachClaims = ({ chains }: Deployments): readonly Claim[] =>
  Object.entries(chains).flatMap(([wire, { contracts }]) => {
    const chainId = Number(wire)
    const isOurs = isChainId(chainId) && isEvmChainId(chainId)
    if (!isOurs || !contracts['SpokePool']) return []
    return [{ what: `reach of ${wire}`, ours: String(fromWireChain(BigInt(wire)) !== null), theirs: 'true' }]
  })

/** `chain address` to decimals, of one token in all its forms on our chains. */
const formsOf = (rows: readonly Omit<PegForm, 'token'>[]): ReadonlyMap<string, string> => {
  const forms = new Map<string, string>()
  for (const { chainId, address, decimals } of rows) {
    const form = `${chainId} ${address.startsWith('0x') ? address.toLowerCase() : address}`
    if (!forms.has(form)) forms.set(form, String(decimals))
  }
  return forms
}

const theirForms = (wanted: string, { TOKEN_SYMBOLS_MAP, TOKEN_EQUIVALENCE_REMAPPING }: Constants) => {
  // The token itself first: its equivalents repeat its address on Ethereum with decimals of their own.
  const equivalents = Object.keys(TOKEN_EQUIVALENCE_REMAPPING).filter((each) => TOKEN_EQUIVALENCE_REMAPPING[each] === wanted)
  return formsOf(
    [wanted, ...equivalents].flatMap((symbol) => {
      const { decimals, addresses } = TOKEN_SYMBOLS_MAP[symbol] ?? { decimals: 0, addresses: {} }
      return Object.entries(addresses).flatMap(([wire, address]) => {
        const chainId = fromWireChain(BigInt(wire))
        return chainId === null ? [] : [{ chainId, address, decimals }]
      })
    }),
  )
}

const tokenClaims = (constants: Constants): readonly Claim[] =>
  [...Map.groupBy(PEG_FORMS, ({ token }) => token)].flatMap(([symbol, rows]) => {
    const ours = formsOf(rows)
    const theirs = theirForms(symbol, constants)
    return [...new Set([...ours.keys(), ...theirs.keys()])].map((form) => ({
      what: `decimals of ${symbol} at ${form}`,
      ours: ours.get(form),
      theirs: theirs.get(form),
    }))
  })

/** What the package calls the wrapped native coin, where it is not WETH. */
const WRAPPED_SYMBOLS: { readonly [name: string]: string } = {
  56: 'WBNB',
  137: 'WMATIC',
  143: 'WMON',
  999: 'WHYPE',
  43114: 'WAVAX',
}

const wrappedClaims = ({ TOKEN_SYMBOLS_MAP }: Constants): readonly Claim[] =>
  Object.keys(ACROSS_CHAINS).map((key) => ({
    what: `wrapped ${chainOf(Number(key) as EvmChainId).nativeCurrency.symbol} on ${key}`,
    ours: wrappedNative(Number(key) as EvmChainId),
    theirs: TOKEN_SYMBOLS_MAP[WRAPPED_SYMBOLS[key] ?? 'WETH']?.addresses[key],
  }))

/** The contracts, wrapped coins and bridged tokens of every chain that either of us knows. */
export const compareAcross = async (packagesDir: string): Promise<Comparison> => {
  const file = '@across-protocol/contracts/dist/broadcast/deployed-addresses.json'
  const deployments = deploymentsShape.read(await readPackageJson(packagesDir, file))
  const constants = constantsShape.read({ ...(loadPackage(packagesDir, '@across-protocol/constants') as object) })
  const host = await readText(packagesDir, '@across-protocol/app-sdk/dist/constants/index.js')
  const svmSpoke = deployments.chains[String(WIRE_SOLANA)]?.contracts['SvmSpoke']?.address
  const claims: readonly Claim[] = [
    { what: 'host', ours: across.publicBaseUrl, theirs: /MAINNET_API_URL = "([^"]+)"/.exec(host)?.[1] },
    { what: 'number of Solana', ours: String(WIRE_SOLANA), theirs: constants.CHAIN_IDs['SOLANA']?.toString() },
    { what: 'SvmSpoke', ours: SVM_SPOKE, theirs: svmSpoke },
    ...contractClaims(deployments),
    ...reachClaims(deployments),
    ...wrappedClaims(constants),
    ...tokenClaims(constants),
  ]
  return {
    venue: 'across',
    sources: await versionsOf(packagesDir, ACROSS_PACKAGES),
    compared: claims.length,
    differences: differencesOf(claims),
  }
}
