import { record, shape, text } from '../../engine/venues/kit/shapes.ts'
import { VENUE_ID } from '../../engine/venues/mayan/map.ts'
import { CPI_PROXY, FEE_MANAGER, FORWARDER, PUBLIC_HOSTS, SWAP_PROGRAM } from '../../engine/venues/mayan/published.ts'
import { type Comparison, differencesOf, readText, versionsOf } from './comparison.ts'

/**
 * Its addresses are read from the text of the SDK, which loads what it needs for Sui, and nobody here has. The program of Swift V2
 * on Solana is not compared: the registry's newest, 12.2.5, has the one before that of 15.2.0 of the repository.
 */
export const MAYAN_PACKAGES: readonly string[] = ['@mayanfinance/swap-sdk']

const addressesShape = shape('addresses of @mayanfinance/swap-sdk', { ...record(text()), minProperties: 1 })

/** By the SDK's names. */
const OURS: { readonly [name: string]: string } = {
  MAYAN_FORWARDER_CONTRACT: FORWARDER,
  MAYAN_PROGRAM_ID: SWAP_PROGRAM,
  CPI_PROXY_PROGRAM_ID: CPI_PROXY,
  FEE_MANAGER_PROGRAM_ID: FEE_MANAGER,
  PRICE_URL: PUBLIC_HOSTS.price,
  EXPLORER_URL: PUBLIC_HOSTS.explorer,
}

/** The contract and programs that wallets call, and the hosts that are asked. */
export const compareMayan = async (packagesDir: string): Promise<Comparison> => {
  const source = await readText(packagesDir, '@mayanfinance/swap-sdk/dist/index.mjs')
  const [, literal = ''] = /\baddresses_default = (\{[^}]*\});/.exec(source) ?? []
  const theirs = addressesShape.read(JSON.parse(literal))
  const claims = Object.entries(OURS).map(([what, ours]) => ({ what, ours, theirs: theirs[what] }))
  return {
    venue: VENUE_ID,
    sources: await versionsOf(packagesDir, MAYAN_PACKAGES),
    compared: claims.length,
    differences: differencesOf(claims),
  }
}
