import { NATIVE } from '../../engine/core/asset.ts'
import { CHAIN_IDS, type ChainId } from '../../engine/core/chain.ts'
import { COW_CHAIN_IDS, ETH_FLOW, networkOf, SETTLEMENT, VAULT_RELAYER } from '../../engine/venues/cow/published.ts'
import { cow } from '../../engine/venues/cow/venue.ts'
import { jsonShape } from '../../engine/venues/kit/jsonShape.ts'
import { type Comparison, differencesOf, loadPackage, readPackageJson, versionsOf } from './comparison.ts'

type ByChain<T> = { readonly [chainId: string]: T }

const TEXTS = { type: 'object', additionalProperties: { type: 'string' } }

type SdkConfig = {
  readonly ETH_ADDRESS: string
  readonly COW_PROTOCOL_SETTLEMENT_CONTRACT_ADDRESS: ByChain<string>
  readonly COW_PROTOCOL_VAULT_RELAYER_ADDRESS: ByChain<string>
  readonly ETH_FLOW_ADDRESSES: ByChain<string>
  readonly WRAPPED_NATIVE_CURRENCIES: ByChain<{ readonly address: string }>
  /** Those on which it still trades. */
  readonly TRADABLE_SUPPORTED_CHAIN_IDS: readonly number[]
}

const sdkConfigShape = jsonShape<SdkConfig>('@cowprotocol/sdk-config', {
  type: 'object',
  required: [
    'ETH_ADDRESS',
    'COW_PROTOCOL_SETTLEMENT_CONTRACT_ADDRESS',
    'COW_PROTOCOL_VAULT_RELAYER_ADDRESS',
    'ETH_FLOW_ADDRESSES',
    'WRAPPED_NATIVE_CURRENCIES',
    'TRADABLE_SUPPORTED_CHAIN_IDS',
  ],
  properties: {
    ETH_ADDRESS: { type: 'string' },
    COW_PROTOCOL_SETTLEMENT_CONTRACT_ADDRESS: TEXTS,
    COW_PROTOCOL_VAULT_RELAYER_ADDRESS: TEXTS,
    ETH_FLOW_ADDRESSES: TEXTS,
    WRAPPED_NATIVE_CURRENCIES: {
      type: 'object',
      additionalProperties: { type: 'object', required: ['address'], properties: { address: { type: 'string' } } },
    },
    TRADABLE_SUPPORTED_CHAIN_IDS: { type: 'array', items: { type: 'integer' } },
  },
})

const orderBookShape = jsonShape<{ readonly ORDER_BOOK_PROD_CONFIG: ByChain<string> }>('@cowprotocol/sdk-order-book', {
  type: 'object',
  required: ['ORDER_BOOK_PROD_CONFIG'],
  properties: { ORDER_BOOK_PROD_CONFIG: TEXTS },
})

const DEPLOYMENTS = {
  type: 'object',
  additionalProperties: { type: 'object', required: ['address'], properties: { address: { type: 'string' } } },
}

type Deployments = ByChain<{ readonly address: string }>

const deploymentsShape = jsonShape<{ readonly GPv2Settlement: Deployments; readonly GPv2VaultRelayer: Deployments }>(
  '@cowprotocol/contracts networks.json',
  {
    type: 'object',
    required: ['GPv2Settlement', 'GPv2VaultRelayer'],
    properties: { GPv2Settlement: DEPLOYMENTS, GPv2VaultRelayer: DEPLOYMENTS },
  },
)

export const COW_PACKAGES = ['@cowprotocol/contracts', '@cowprotocol/sdk-config', '@cowprotocol/sdk-order-book'] as const

const isOurs = (chainId: number): chainId is ChainId => CHAIN_IDS.some((each) => each === chainId)

/** The addresses, hosts and wrapped coins of every chain that either of us knows. */
export const compareCow = async (packagesDir: string): Promise<Comparison> => {
  const config = sdkConfigShape.read({ ...(loadPackage(packagesDir, '@cowprotocol/sdk-config') as object) })
  const books = orderBookShape.read({ ...(loadPackage(packagesDir, '@cowprotocol/sdk-order-book') as object) })
  const deployed = deploymentsShape.read(await readPackageJson(packagesDir, '@cowprotocol/contracts/networks.json'))

  const theirChains = config.TRADABLE_SUPPORTED_CHAIN_IDS.filter(isOurs)
  const chainIds = [...new Set([...COW_CHAIN_IDS, ...theirChains])]
  const perChain = chainIds.flatMap((chainId) => {
    const network = networkOf(chainId)
    const ours = network !== null
    const on = (what: string) => `${what} on ${chainId}`
    return [
      { what: on('trading'), ours: String(ours), theirs: String(theirChains.includes(chainId)) },
      {
        what: on('settlement'),
        ours: ours ? SETTLEMENT : null,
        theirs: config.COW_PROTOCOL_SETTLEMENT_CONTRACT_ADDRESS[chainId],
      },
      {
        what: on('vault relayer'),
        ours: ours ? VAULT_RELAYER : null,
        theirs: config.COW_PROTOCOL_VAULT_RELAYER_ADDRESS[chainId],
      },
      { what: on('EthFlow'), ours: ours ? ETH_FLOW : null, theirs: config.ETH_FLOW_ADDRESSES[chainId] },
      { what: on('wrapped coin'), ours: network?.wrappedNative, theirs: config.WRAPPED_NATIVE_CURRENCIES[chainId]?.address },
      {
        what: on('order book'),
        ours: network && `${cow.publicBaseUrl}/${network.path}`,
        theirs: books.ORDER_BOOK_PROD_CONFIG[chainId],
      },
    ]
  })
  // The contracts' own list is behind on the newest chains, and what it lacks says nothing.
  const perDeployment = COW_CHAIN_IDS.flatMap((chainId) => {
    const settlement = deployed.GPv2Settlement[chainId]?.address
    const relayer = deployed.GPv2VaultRelayer[chainId]?.address
    return [
      ...(settlement === undefined ? [] : [{ what: `deployed settlement on ${chainId}`, ours: SETTLEMENT, theirs: settlement }]),
      ...(relayer === undefined ? [] : [{ what: `deployed vault relayer on ${chainId}`, ours: VAULT_RELAYER, theirs: relayer }]),
    ]
  })
  const claims = [{ what: 'native coin', ours: NATIVE, theirs: config.ETH_ADDRESS }, ...perChain, ...perDeployment]
  return {
    venue: 'cow',
    packages: await versionsOf(packagesDir, COW_PACKAGES),
    compared: claims.length,
    differences: differencesOf(claims),
  }
}
