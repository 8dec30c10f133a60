/** The guides: what stands beside the description of single operations, in the order in which they are read. */

export type Guide = {
  /** In its address: `/docs/guides/<slug>`. */
  readonly slug: string
  readonly title: string
  /** Markdown, which may also be a page of this tree that its readers find beside the code. */
  readonly source: URL
}

const here = (name: string): URL => new URL(`./guides/${name}.md`, import.meta.url)
const engine = (folder: string): URL => new URL(`../../engine/${folder}/README.md`, import.meta.url)

export const GUIDES: readonly Guide[] = [
  { slug: 'first-swap', title: 'First swap', source: here('first-swap') },
  { slug: 'execution-types', title: 'The three execution types', source: here('execution-types') },
  { slug: 'approvals', title: 'Approvals', source: here('approvals') },
  { slug: 'following', title: 'Following a swap to its end', source: here('following') },
  { slug: 'refunds', title: 'Refunds', source: here('refunds') },
  { slug: 'errors', title: 'Errors and what to do', source: here('errors') },
  { slug: 'keys', title: 'Keys and fees', source: here('keys') },
  { slug: 'webhooks', title: 'Webhooks and the feed', source: engine('webhooks') },
  { slug: 'pay-per-call', title: 'Pay per call', source: engine('x402') },
  { slug: 'sandbox', title: 'Sandbox', source: here('sandbox') },
  { slug: 'offline-network', title: 'The offline network', source: engine('simnet') },
  { slug: 'clients', title: 'Generated clients', source: here('clients') },
  { slug: 'going-live', title: 'Going live', source: here('going-live') },
]

export const pathOf = ({ slug }: Guide): string => `/docs/guides/${slug}`
