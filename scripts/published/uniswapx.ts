import { PERMIT2 } from '../../engine/chains/evm/permit2.ts'
import { CHAIN_IDS } from '../../engine/core/chain.ts'
import { record, shape, text } from '../../engine/venues/kit/shapes.ts'
import { KINDS, networkOf, ROUTINGS } from '../../engine/venues/uniswapx/published.ts'
import { type Comparison, differencesOf, loadPackage, versionsOf } from './comparison.ts'

export const UNISWAPX_PACKAGES = ['@uniswap/uniswapx-sdk'] as const

const reactorsShape = shape('REACTOR_ADDRESS_MAPPING', record(record(text())))
const permit2Shape = shape('PERMIT2_MAPPING', record(text()))

/** What the SDK keeps in the place of none. */
const NONE = /^0x0{40}$/

/** Permit2 and the reactors of the chains that we ask, kind by kind. On Arbitrum the V2 reactor was retired. */
export const compareUniswapX = async (packagesDir: string): Promise<Comparison> => {
  const sdk = loadPackage(packagesDir, '@uniswap/uniswapx-sdk') as { readonly [name: string]: unknown }
  const reactors = reactorsShape.read(sdk['REACTOR_ADDRESS_MAPPING'])
  const permit2 = permit2Shape.read(sdk['PERMIT2_MAPPING'])
  const claims = CHAIN_IDS.flatMap((chainId) => {
    const network = networkOf(chainId)
    if (network === null) return []
    const kinds = ROUTINGS.filter((routing) => !(chainId === 42161 && routing === 'DUTCH_V2'))
    const perKind = kinds.map((routing) => {
      const theirs = reactors[chainId]?.[KINDS[routing].orderType] ?? ''
      const told = theirs === '' || NONE.test(theirs) ? null : theirs
      return { what: `${routing} reactor on ${chainId}`, ours: network.reactors[routing], theirs: told }
    })
    return [...perKind, { what: `Permit2 on ${chainId}`, ours: PERMIT2, theirs: permit2[chainId] }]
  })
  return {
    venue: 'uniswapx',
    sources: await versionsOf(packagesDir, UNISWAPX_PACKAGES),
    compared: claims.length,
    differences: differencesOf(claims),
  }
}
