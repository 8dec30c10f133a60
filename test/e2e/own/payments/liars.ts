import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { vi } from 'vitest'
import { systemClock } from '../../../../engine/core/clock.ts'
import { type Simnet, startSimnet } from '../../../../engine/simnet/simnet.ts'
import { controlNetwork } from '../../../../scripts/client/network.ts'
import type { TestService } from '../../../support/service.ts'
import { startLive } from '../../liveService.ts'

/** What venues claim of whichever swap they are asked about: the transaction, and where it is a delivery the amount. */
export type Claim = { readonly what: 'delivered' | 'refunded'; readonly txHash: string; readonly amount: string }

type Said = { readonly [field: string]: unknown }
type Lie = (path: string, said: Said, claim: Claim) => unknown

/** How each venue tells that a swap was delivered, or refunded; what else it says stays as it is. */
const LIES: { readonly [venue: string]: Lie } = {
  relay: (path, said, { what, txHash }) => {
    if (!path.startsWith('/intents/status/v3')) return said
    const reasons = { failReason: 'N/A', refundFailReason: 'N/A' }
    return { ...said, ...reasons, status: what === 'delivered' ? 'success' : 'refund', txHashes: [txHash] }
  },
  across: (path, said, { what, txHash }) => {
    if (!path.startsWith('/deposit/status')) return said
    const refund = { status: 'refunded', depositRefundTxnRef: txHash, depositRefundTxHash: txHash }
    const fill = { status: 'filled', fillTxnRef: txHash, fillTx: txHash, actionsSucceeded: true }
    return { ...said, ...(what === 'delivered' ? fill : refund) }
  },
  chainflip: (path, said, { what, txHash, amount }) => {
    if (!path.startsWith('/v2/swaps/')) return said
    const egress = { amount, txRef: txHash, scheduledAt: 1, witnessedAt: 1 }
    const told = what === 'delivered' ? { swapEgress: egress, refundEgress: null } : { swapEgress: null, refundEgress: egress }
    return { ...said, state: 'COMPLETED', ...told }
  },
  lifi: (path, said, { what, txHash, amount }) => {
    const { pathname, searchParams } = new URL(path, 'http://any')
    if (pathname !== '/v1/status') return said
    const isDelivered = what === 'delivered'
    const chainId = Number(searchParams.get(isDelivered ? 'toChain' : 'fromChain'))
    const substatus = isDelivered ? 'COMPLETED' : 'REFUNDED'
    return { ...said, status: 'DONE', substatus, receiving: { txHash, chainId, amount } }
  },
  mayan: (path, said, { what, txHash }) => {
    if (!path.startsWith('/swap/')) return said
    const [fill, refund] = [
      { status: 'ORDER_SETTLED', clientStatus: 'COMPLETED', fulfillTxHash: txHash },
      { status: 'ORDER_REFUNDED', clientStatus: 'REFUNDED', refundTxHash: txHash },
    ]
    return { ...said, ...(what === 'delivered' ? fill : refund) }
  },
  cow: (path, said, { what, txHash, amount }) => {
    if (/\/orders\/0x[0-9a-f]+$/.test(path))
      return what === 'delivered'
        ? { ...said, status: 'fulfilled', executedBuyAmount: amount }
        : { ...said, status: 'expired', ethflowData: { refundTxHash: txHash, isRefunded: true } }
    const [, orderUid] = /\/trades\?.*orderUid=(0x[0-9a-f]+)/.exec(path) ?? []
    return orderUid === undefined ? said : [{ orderUid, buyAmount: amount, txHash }]
  },
  debridge: (path, said, { what, txHash }) => {
    if (!path.startsWith('/api/Orders/')) return said
    const told = { transactionHash: { stringValue: txHash } }
    const back = { state: 'ClaimedOrderCancel', claimedOrderCancelSrcEventInfo: { transactionMetadata: told } }
    return { ...said, ...(what === 'delivered' ? { state: 'Fulfilled', fulfilledDstEventMetadata: told } : back) }
  },
}

/** Venues that say what they are told to. */
type Liars = {
  readonly env: { readonly [name: string]: string }
  /** Null: they are honest again. */
  claim(claim: Claim | null): void
  close(): Promise<void>
}

const startLiars = async ({ venues }: Simnet): Promise<Liars> => {
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

export type Service = Pick<TestService, 'call' | 'control'>

/** The service as on the public network, over an offline one whose venues lie as they are told to. */
export type LyingStage = {
  readonly simnet: Simnet
  readonly service: Service
  /** Null: they are honest again. */
  claim(claim: Claim | null): void
  close(): Promise<void>
}

export const startLyingStage = async (): Promise<LyingStage> => {
  const venues = Object.keys(LIES)
  const simnet = await startSimnet({ controlPort: 0, seed: '1', venues })
  const liars = await startLiars(simnet)
  const dataDir = await mkdtemp(join(tmpdir(), 'swap-liars-'))
  // On the public network a service goes by the machine's clock, which does not run ahead with the offline chains.
  const clock = vi.spyOn(systemClock, 'now').mockImplementation(() => simnet.clock.now())
  const live = await startLive(simnet, { DATA_DIR: dataDir, VENUES_ENABLED: venues.join(','), ...liars.env })
  return {
    simnet,
    service: { ...live, control: controlNetwork(simnet.controlUrl) },
    claim: liars.claim,
    close: async () => {
      await live.close()
      await liars.close()
      await simnet.close()
      clock.mockRestore()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
