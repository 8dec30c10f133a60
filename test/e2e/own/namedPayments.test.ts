import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createPublicClient, type Hex, http, parseAbiItem, parseEther } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { broadcast, pay } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { ACCOUNT, allBut, TRANSACTION_SWAP } from '../../support/swaps.ts'
import { startLive } from '../liveService.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'

/** A venue whose payouts name no order says that what was paid for another order, its own or another venue's, was its delivery. */

const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'

let service: TestService
beforeAll(async () => {
  service = await startService(only('near-intents', 'across', 'lifi', 'relay'))
  await fund(service, 8453, ACCOUNT.address, { [NATIVE]: parseEther('10').toString(), [USDC.base]: '450000000' })
})
afterAll(() => service.close())

/** Stands before a venue, and answers with what `lie` makes of an answer, where it makes anything of it. */
const startLiar = async (target: string, lie: (url: string, told: object) => object | null) => {
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const body = await text(request)
    const asked = { method, headers: { 'content-type': 'application/json' }, ...(body === '' ? {} : { body }) }
    const answer = await fetch(`${target}${url}`, asked)
    const told = (await answer.json()) as object
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(lie(url, told) ?? told))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

type Named = { readonly hash: string; readonly amountOut: string }

/** Tells of every swap of NEAR Intents that it was delivered by a transaction, once there is one to name. */
const startNearLiar = async (target: string) => {
  let named: Named | null = null
  const liar = await startLiar(target, (url, told) => {
    if (named === null || !url.startsWith('/v0/status')) return null
    const said = { amountOut: named.amountOut, destinationChainTxHashes: [{ hash: named.hash, explorerUrl: '' }] }
    const { swapDetails } = told as { readonly swapDetails: object }
    return { ...told, status: 'SUCCESS', swapDetails: { ...swapDetails, ...said, refundedAmount: '0' } }
  })
  const names = (lie: Named | null) => {
    named = lie
  }
  return { ...liar, names }
}

it('a delivery by Across is no success of NEAR Intents, and is one of the swap it was made for though that is asked about last', async () => {
  const { control } = service
  const liar = await startNearLiar(service.simnet.venues['near-intents']?.baseUrl ?? '')
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

/** LI.FI's swaps by Circle, of which it says by what transaction they were delivered, once `delivered` has one. */
const startLifiLie = async () => {
  const delivered = new Map<string, string>()
  const liar = await startLiar(service.simnet.venues.lifi?.baseUrl ?? '', (url, told) => {
    const txHash = [...delivered].find(([ref]) => url.includes(ref))?.[1]
    if (txHash === undefined) return null
    return { ...told, status: 'DONE', substatus: 'COMPLETED', receiving: { chainId: 42161, txHash, amount: '249355000' } }
  })
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'swap-service-'))
  const live = await startLive(service.simnet, { VENUE_LIFI_BASE_URL: liar.url, VENUE_LIFI_DENY_BRIDGES: 'across', DATA_DIR })
  const { control } = service
  const swap = async (venue: string, inputChainId: 8453 | 42161, inputToken: string, inputAmount: string) => {
    await fund(service, inputChainId, ACCOUNT.address, { [NATIVE]: parseEther('1').toString(), [inputToken]: inputAmount })
    const { quoteToken } = await live.call('quote', {
      body: {
        ...{ inputChainId, inputToken, inputAmount, outputChainId: 42161, outputToken: USDC.arbitrum },
        ...{ userAddress: ACCOUNT.address, excludeVenues: allBut(venue) },
      },
    })
    const { approval, transaction } = await executeAs(live, 'TRANSACTION', { quoteToken })
    if (approval) await broadcast(control.rpcUrl(inputChainId), approval.transaction)
    return { quoteToken, ref: await broadcast(control.rpcUrl(inputChainId), transaction) }
  }
  const close = async () => {
    await live.close()
    await liar.close()
    await rm(DATA_DIR, { recursive: true, force: true })
  }
  return { live, swap, delivered, close }
}

it('what LI.FI paid for a swap within one chain is no delivery of Circle’s, whatever LI.FI says', async () => {
  const { live, swap, delivered, close } = await startLifiLie()
  await service.control.fault('lifi', 'never-fills', { count: 1 })
  const burnt = await swap('lifi', 8453, USDC.base, '250000000')
  const bought = await swap('lifi', 42161, ARB, parseEther('1000').toString())
  await service.control.advance(30_000)

  delivered.set(burnt.ref, bought.ref)
  expect(await statusOf(live, burnt)).toMatchObject({ status: 'processing', venueStatus: 'DONE:COMPLETED' })
  expect(await statusOf(live, bought)).toMatchObject({ status: 'success', txHash: bought.ref })
  expect((await statusOf(live, burnt)).status).toBe('processing')
  await close()
})

it('a delivery that names its order is that order’s, once LI.FI no longer says that it was Circle’s', async () => {
  const { control } = service
  const { live, swap, delivered, close } = await startLifiLie()
  const burnt = await swap('lifi', 8453, USDC.base, '250000000')
  const filled = await swap('relay', 8453, USDC.base, '251000000')
  await control.advance(MINUTE_MS)
  const node = createPublicClient({ transport: http(control.rpcUrl(42161)) })
  const event = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 amount)')
  const paid = { address: USDC.arbitrum as Hex, event, args: { to: ACCOUNT.address as Hex }, fromBlock: 0n }
  const fill = (await node.getLogs(paid)).at(-1)?.transactionHash ?? ''

  delivered.set(burnt.ref, fill)
  expect(await statusOf(live, burnt)).toMatchObject({ status: 'success', txHash: fill })
  delivered.clear()
  await control.advance(HOUR_MS)
  const network = { call: live.call, control }
  expect(lastOf(await follow(network, filled, { stepMs: MINUTE_MS }))).toMatchObject({ status: 'success', txHash: fill })
  const end = lastOf(await follow(network, burnt, { stepMs: MINUTE_MS }))
  expect(end).toMatchObject({ status: 'success', venue: 'lifi' })
  expect(end.txHash).not.toBe(fill)
  await close()
})
