import { VENUE_ID } from '../../engine/venues/chainflip/map.ts'
import { PUBLIC_RPC_URL, WIRE_ASSETS, WIRE_CHAINS } from '../../engine/venues/chainflip/published.ts'
import { number, object, record, type Static, shape, text } from '../../engine/venues/kit/shapes.ts'
import { type Comparison, differencesOf, loadPackage, versionsOf } from './comparison.ts'

/** Vaults are in no package: they were read from the chain specification of the State Chain. */
export const CHAINFLIP_PACKAGES: readonly string[] = ['@chainflip/utils', '@chainflip/rpc']

const utilsShape = shape(
  '@chainflip/utils',
  object({
    assetConstants: { ...record(object({ chain: text(), symbol: text(), decimals: number() })), minProperties: 1 },
    assetContractId: { ...record(number()), minProperties: 1 },
    chainContractId: { ...record(number()), minProperties: 1 },
  }),
)

const rpcShape = shape('@chainflip/rpc', object({ PUBLIC_RPC_ENDPOINTS: object({ mainnet: text() }) }))

type Utils = Static<typeof utilsShape>

const CHAINS = Object.values(WIRE_CHAINS)

/** One asset in one line. */
const spelled = ({ chain, symbol, decimals }: Utils['assetConstants'][string], id: number | undefined): string =>
  `${symbol} on ${chain}, ${decimals} decimals, number ${id}`

/** Every asset of a chain of ours, as each of the two has it. */
const assetClaims = ({ assetConstants, assetContractId }: Utils) => {
  const theirs = Object.entries(assetConstants).filter(([, { chain }]) => CHAINS.some(({ name }) => name === chain))
  const names = new Set([...WIRE_ASSETS.map(({ name }) => name), ...theirs.map(([name]) => name)])
  return [...names].map((name) => {
    const ours = WIRE_ASSETS.find((asset) => asset.name === name)
    const known = assetConstants[name]
    return {
      what: `asset ${name}`,
      ours: ours && spelled(ours, ours.contractId),
      theirs: known && spelled(known, assetContractId[name]),
    }
  })
}

/** The assets and numbers that calls of a vault name, and the public node. */
export const compareChainflip = async (packagesDir: string): Promise<Comparison> => {
  const utils = utilsShape.read({ ...(loadPackage(packagesDir, '@chainflip/utils/dist/chainflip.cjs') as object) })
  const rpc = rpcShape.read({ ...(loadPackage(packagesDir, '@chainflip/rpc/dist/constants.cjs') as object) })
  const claims = [
    { what: 'node', ours: PUBLIC_RPC_URL, theirs: rpc.PUBLIC_RPC_ENDPOINTS.mainnet },
    ...CHAINS.map(({ name, contractId }) => ({
      what: `number of ${name}`,
      ours: String(contractId),
      theirs: utils.chainContractId[name]?.toString(),
    })),
    ...assetClaims(utils),
  ]
  return {
    venue: VENUE_ID,
    sources: await versionsOf(packagesDir, CHAINFLIP_PACKAGES),
    compared: claims.length,
    differences: differencesOf(claims),
  }
}
