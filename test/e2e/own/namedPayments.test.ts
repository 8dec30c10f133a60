import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { broadcast, pay } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { ACCOUNT, allBut, TRANSACTION_SWAP } from '../../support/swaps.ts'
import { startLive } from '../liveService.ts'

/** A venue whose payouts name no order says that another venue's delivery was its own. */

let service: TestService
beforeAll(async () => {
  service = await startService(only('near-intents', 'across'))
  await fund(service, 8453, ACCOUNT.address, { [NATIVE]: parseEther('10').toString(), [USDC.base]: '450000000' })
})
afterAll(() => service.close())

type Told = { readonly status: string; readonly swapDetails: object }

/** Stands before NEAR Intents, and tells of every swap that it was delivered by a transaction, once there is one to name. */
const startLiar = async (target: string) => {
  let named: { readonly hash: string; readonly amountOut: string } | null = null
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const body = await text(request)
    const asked = { method, headers: { 'content-type': 'application/json' }, ...(body === '' ? {} : { body }) }
    const answer = await fetch(`${target}${url}`, asked)
    const told = (await answer.json()) as Told
    const isLie = named !== null && url.startsWith('/v0/status')
    const said = { amountOut: named?.amountOut, destinationChainTxHashes: [{ hash: named?.hash, explorerUrl: '' }] }
    const swapDetails = { ...told.swapDetails, ...said, refundedAmount: '0' }
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isLie ? { ...told, status: 'SUCCESS', swapDetails } : told))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    names: (lie: typeof named) => {
      named = lie
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

it('a delivery by Across is no success of NEAR Intents, and is one of the swap it was made for though that is asked about last', async () => {
  const { control } = service
  const liar = await startLiar(service.simnet.venues['near-intents']?.baseUrl ?? '')
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'swap-service-'))
  const live = await startLive(service.simnet, { VENUE_NEAR_INTENTS_BASE_URL: liar.url, DATA_DIR })
  const rpcUrl = control.rpcUrl(8453)

  const near = await live.call('quote', {
    body: { ...TRANSACTION_SWAP, inputAmount: '200000000', excludeVenues: allBut('near-intents') },
  })
  const { deposit, statusRef } = await executeAs(live, 'DEPOSIT', { quoteToken: near.quoteToken })
  const lied = { quoteToken: near.quoteToken, ref: statusRef }
  await pay(rpcUrl, { chainId: 8453, token: USDC.base, to: deposit.address, amount: deposit.amount })

  const { quoteToken } = await live.call('quote', { body: TRANSACTION_SWAP })
  const { approval, transaction } = await executeAs(live, 'TRANSACTION', { quoteToken })
  if (approval) await broadcast(rpcUrl, approval.transaction)
  const filled = { quoteToken, ref: await broadcast(rpcUrl, transaction) }
  await control.advance(30_000)
  const { fillTx } = await control.askVenue<{ fillTx: string }>('across', `/deposit/status?depositTxHash=${filled.ref}`)

  liar.names({ hash: fillTx, amountOut: near.output.amount })
  expect(await statusOf(live, lied)).toMatchObject({ status: 'processing', venueStatus: 'SUCCESS' })
  expect(await statusOf(live, filled)).toMatchObject({ status: 'success', venue: 'across', txHash: fillTx })
  expect((await statusOf(live, lied)).status).toBe('processing')
  // Its own delivery is one, once that is what the venue names.
  liar.names(null)
  const end = lastOf(await follow({ call: live.call, control }, lied, { stepMs: 20_000 }))
  expect(end).toMatchObject({ status: 'success', venue: 'near-intents' })
  expect(end.txHash).not.toBe(fillTx)
  await live.close()
  await liar.close()
  await rm(DATA_DIR, { recursive: true, force: true })
})
