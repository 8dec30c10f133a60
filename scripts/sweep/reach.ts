import { readFileSync, writeFileSync } from 'node:fs'
import { CHAIN_IDS, type ChainId, chainOf } from '../../engine/core/chain.ts'
import { type RouteType, routeTypeOf } from '../../engine/core/route.ts'
import { type Baseline, countThen } from './baseline.ts'
import { allPairs, type Pair } from './pairs.ts'

const FILE = new URL('../../engine/venues/REACH.md', import.meta.url)

export const readReachPage = (): string => readFileSync(FILE, 'utf8')

/** Whether the venue executed the swap of these two tokens, when the whole sweep was last written down. */
export const executes = (baseline: Baseline, venue: string, pair: Pair): boolean =>
  countThen(baseline, venue, [pair]).executed === 1

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
        !(from === -1 && venue === 'thorchain') && countThen(baseline, venue, pairs).executed > 0
      const venues = Object.keys(baseline.venues).filter(isCounted)
      return [{ from, to, venues: venues.toSorted() }]
    }),
  )
}

/** As routeTypeOf, with the two directions of what crosses to another kind of chain told apart. */
export type RouteClass =
  | Exclude<RouteType, 'CROSS_ECOSYSTEM' | 'NATIVE_BITCOIN'>
  | 'FROM_SOLANA'
  | 'TO_SOLANA'
  | 'FROM_BITCOIN'
  | 'TO_BITCOIN'

export const classOf = ({ from, to }: Pick<Reach, 'from' | 'to'>): RouteClass => {
  const asset = (chainId: ChainId) => ({ chainId, address: '' as never })
  const type = routeTypeOf({ input: asset(from), output: asset(to) })
  if (type === 'NATIVE_BITCOIN') return from === -1 ? 'FROM_BITCOIN' : 'TO_BITCOIN'
  if (type === 'CROSS_ECOSYSTEM') return from === -2 ? 'FROM_SOLANA' : 'TO_SOLANA'
  return type
}

const CLASSES: { readonly [name in RouteClass]: string } = {
  EVM_SAME_CHAIN: 'on one EVM chain',
  SOLANA_SAME_CHAIN: 'on Solana',
  EVM_CROSS_CHAIN: 'between EVM chains',
  FROM_SOLANA: 'from Solana to EVM chains',
  TO_SOLANA: 'from EVM chains to Solana',
  FROM_BITCOIN: 'from Bitcoin',
  TO_BITCOIN: 'to Bitcoin',
}

/** The venues that serve any pair of chains of each class. */
export const venuesByClass = (reach: readonly Reach[]): { readonly [name in RouteClass]: readonly string[] } => {
  const byClass = Map.groupBy(reach, classOf)
  const venuesOf = (name: RouteClass) => [...new Set(byClass.get(name)?.flatMap(({ venues }) => venues))].toSorted()
  return Object.fromEntries(Object.keys(CLASSES).map((name) => [name, venuesOf(name as RouteClass)])) as never
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
  const classes = Object.entries(venuesByClass(reach)).map(([name, venues]) => [
    CLASSES[name as RouteClass],
    `${venues.length}`,
    ids(venues),
  ])
  const emptyLines = empty.map(({ from, to }) => `- from ${nameOf(from)} to ${nameOf(to)}`)
  return `<!-- Written by: npm run sweep -- --write. Do not edit. -->

# Venues by chain

Find out how many venues swap between two chains. A venue counts for a pair of chains when it quoted and executed a swap between any two of their tokens.
The swaps ran on the offline network, where lists of tokens are shorter than the real ones. Only a quote shows what a venue serves today.
\`thorchain\` does not count from Bitcoin: it serves that direction only with \`VENUE_THORCHAIN_MEMOLESS_URL\`.

${table(['swaps', 'venues', 'which'], classes)}

Number of venues that swap from the chain of the row to the chain of the column:

${table(
  ['', ...CHAIN_IDS.map(String)],
  CHAIN_IDS.map((from) => [nameOf(from), ...CHAIN_IDS.map((to) => countOf(from, to))]),
)}

${empty.length === 0 ? 'No pair is empty.' : `No venue serves:\n\n${emptyLines.join('\n')}`}
`
}

export const writeReachPage = (baseline: Baseline): void => writeFileSync(FILE, reachPage(baseline))
