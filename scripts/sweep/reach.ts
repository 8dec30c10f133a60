import { readFileSync, writeFileSync } from 'node:fs'
import { BITCOIN, CHAIN_IDS, type ChainId, chainOf, SOLANA } from '../../engine/core/chain.ts'
import { type Baseline, trialName } from './baseline.ts'
import { allPairs, type Pair } from './pairs.ts'

const FILE = new URL('../../engine/venues/REACH.md', import.meta.url)

export const readReachPage = (): string => readFileSync(FILE, 'utf8')

/** Whether the venue executed the swap of these two tokens in the baseline. */
export const executes = ({ executed }: Baseline, venue: string, pair: Pair): boolean => executed.has(trialName(venue, pair))

/** A pair of chains, and the venues that swap any token of the one into any of the other. */
export type Reach = { readonly from: ChainId; readonly to: ChainId; readonly venues: readonly string[] }

const chainsOf = ({ from, to }: Pair): string => `${from.chainId} ${to.chainId}`

/** Every ordered pair of chains. Bitcoin has one token, and so no pair with itself. */
export const reachOf = (baseline: Baseline): readonly Reach[] => {
  const byChains = Map.groupBy(allPairs(), chainsOf)
  return CHAIN_IDS.flatMap((from) =>
    CHAIN_IDS.flatMap((to) => {
      const pairs = byChains.get(`${from} ${to}`)
      if (pairs === undefined) return []
      // From Bitcoin THORChain sells only where the operator names a registration service.
      const isCounted = (venue: string) =>
        !(from === BITCOIN && venue === 'thorchain') && pairs.some((pair) => executes(baseline, venue, pair))
      return [{ from, to, venues: baseline.venues.filter(isCounted).toSorted() }]
    }),
  )
}

/** Kinds of swaps, in the order of the page. */
const KINDS = [
  'on one EVM chain',
  'on Solana',
  'between EVM chains',
  'from Solana to EVM chains',
  'from EVM chains to Solana',
  'from Bitcoin',
  'to Bitcoin',
] as const

const kindOf = ({ from, to }: Reach): (typeof KINDS)[number] => {
  if (from === BITCOIN || to === BITCOIN) return from === BITCOIN ? 'from Bitcoin' : 'to Bitcoin'
  if (from === to) return from === SOLANA ? 'on Solana' : 'on one EVM chain'
  if (from === SOLANA) return 'from Solana to EVM chains'
  return to === SOLANA ? 'from EVM chains to Solana' : 'between EVM chains'
}

/** The venues that serve any pair of chains of each kind. */
export const venuesByKind = (reach: readonly Reach[]): { readonly [kind: string]: readonly string[] } => {
  const byKind = Map.groupBy(reach, kindOf)
  return Object.fromEntries(
    KINDS.map((kind) => [kind, [...new Set(byKind.get(kind)?.flatMap(({ venues }) => venues))].toSorted()]),
  )
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const nameOf = (chainId: ChainId): string => `${chainOf(chainId).name} (${chainId})`

/** The page that shows how far the venues reach. */
export const reachPage = (baseline: Baseline): string => {
  const reach = reachOf(baseline)
  const countOf = (from: ChainId, to: ChainId): string => {
    const found = reach.find((one) => one.from === from && one.to === to)
    return found === undefined ? '' : `${found.venues.length}`
  }
  const ids = (all: readonly string[]) => all.map((id) => `\`${id}\``).join(', ')
  const empty = reach.filter(({ venues }) => venues.length === 0)
  const kinds = Object.entries(venuesByKind(reach)).map(([kind, venues]) => [kind, `${venues.length}`, ids(venues)])
  const emptyLines = empty.map(({ from, to }) => `- from ${nameOf(from)} to ${nameOf(to)}`)
  return `<!-- Written by: npm run sweep -- --write. Do not edit. -->

# Venues by chain

Find out how many venues swap between two chains. A venue counts for a pair of chains when it quoted and executed a swap between any two of their tokens.
The swaps ran on the offline network, where lists of tokens are shorter than the real ones. Only a quote shows what a venue serves today.
\`thorchain\` does not count from Bitcoin: it serves that direction only with \`VENUE_THORCHAIN_MEMOLESS_URL\`.

${table(['swaps', 'venues', 'which'], kinds)}

Number of venues that swap from the chain of the row to the chain of the column:

${table(
  ['', ...CHAIN_IDS.map(String)],
  CHAIN_IDS.map((from) => [nameOf(from), ...CHAIN_IDS.map((to) => countOf(from, to))]),
)}

${empty.length === 0 ? 'No pair is empty.' : `No venue serves:\n\n${emptyLines.join('\n')}`}
`
}

export const writeReachPage = (baseline: Baseline): void => writeFileSync(FILE, reachPage(baseline))
