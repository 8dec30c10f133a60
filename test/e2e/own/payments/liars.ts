import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Simnet } from '../../../../engine/simnet/simnet.ts'

/** A delivery that venues claim, of whichever swap they are asked about. */
export type Claim = { readonly txHash: string; readonly amount: string }

type Said = { readonly [field: string]: unknown }
type Lie = (path: string, said: Said, claim: Claim) => unknown

/** How each venue tells that a swap was delivered; what else it says stays as it is. */
const LIES: { readonly [venue: string]: Lie } = {
  relay: (path, said, { txHash }) =>
    path.startsWith('/intents/status/v3') ? { ...said, status: 'success', txHashes: [txHash], failReason: 'N/A' } : said,
  across: (path, said, { txHash }) =>
    path.startsWith('/deposit/status')
      ? { ...said, status: 'filled', fillTxnRef: txHash, fillTx: txHash, actionsSucceeded: true }
      : said,
  cow: (path, said, { txHash, amount }) => {
    if (/\/orders\/0x[0-9a-f]+$/.test(path)) return { ...said, status: 'fulfilled', executedBuyAmount: amount }
    const [, orderUid] = /\/trades\?.*orderUid=(0x[0-9a-f]+)/.exec(path) ?? []
    return orderUid === undefined ? said : [{ orderUid, buyAmount: amount, txHash }]
  },
}

/** Venues that say what they are told to. */
export type Liars = {
  readonly env: { readonly [name: string]: string }
  /** Null: they are honest again. */
  claim(claim: Claim | null): void
  close(): Promise<void>
}

export const startLiars = async ({ venues }: Simnet): Promise<Liars> => {
  let claimed: Claim | null = null
  const start = async ([venue, lie]: [string, Lie]) => {
    const target = venues[venue]?.baseUrl ?? ''
    const server = createServer(async (request, response) => {
      const { method = 'GET', url = '/' } = request
      const body = method === 'GET' ? {} : { body: await text(request), headers: { 'content-type': 'application/json' } }
      const answer = await fetch(`${target}${url}`, { method, ...body })
      const said = (await answer.json()) as Said
      const told = claimed !== null && answer.ok ? lie(url, said, claimed) : said
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(told))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { name: `VENUE_${venue.toUpperCase()}_BASE_URL`, url, server }
  }
  const started = await Promise.all(Object.entries(LIES).map(start))
  return {
    env: Object.fromEntries(started.map(({ name, url }) => [name, url])),
    claim: (claim) => {
      claimed = claim
    },
    close: async () => {
      for (const { server } of started) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}
