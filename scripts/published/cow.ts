import { NATIVE } from '../../engine/core/asset.ts'
import { CHAIN_IDS, type ChainId } from '../../engine/core/chain.ts'
import { COW_CHAIN_IDS, ETH_FLOW, networkOf, SETTLEMENT, VAULT_RELAYER } from '../../engine/venues/cow/published.ts'
import { cow } from '../../engine/venues/cow/venue.ts'
import { count, list, object, record, shape, text } from '../../engine/venues/kit/shapes.ts'
import { type Comparison, differencesOf, loadPackage, readPackageJson, versionsOf } from './comparison.ts'

const byChain = record(text())
const deployments = record(object({ address: text() }))

/** `TRADABLE_SUPPORTED_CHAIN_IDS`: those on which it still trades. */
const sdkConfigShape = shape(
  '@cowprotocol/sdk-config',
  object({
    ETH_ADDRESS: text(),
    COW_PROTOCOL_SETTLEMENT_CONTRACT_ADDRESS: byChain,
    COW_PROTOCOL_VAULT_RELAYER_ADDRESS: byChain,
    ETH_FLOW_ADDRESSES: byChain,
    WRAPPED_NATIVE_CURRENCIES: deployments,
    TRADABLE_SUPPORTED_CHAIN_IDS: list(count()),
  }),
)

const orderBookShape = shape('@cowprotocol/sdk-order-book', object({ ORDER_BOOK_PROD_CONFIG: byChain }))

const deploymentsShape = shape(
  '@cowprotocol/contracts networks.json',
  object({ GPv2Settlement: deployments, GPv2VaultRelayer: deployments }),
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
    sources: await versionsOf(packagesDir, COW_PACKAGES),
    compared: claims.length,
    differences: differencesOf(claims),
  }
}
