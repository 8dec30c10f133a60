import { Connection, Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js'
import { createPublicClient, createWalletClient, encodeFunctionData, erc20Abi, type Hex, http } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ChainEvidence, createChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { createChains } from '../../../engine/chains/createChains.ts'
import { createEndpointHealth } from '../../../engine/chains/endpoints/endpointHealth.ts'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { NATIVE_SOL } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { acrossContracts } from '../../../engine/simnet/contracts/acrossContracts.ts'
import { type Simnet, startSimnet } from '../../../engine/simnet/simnet.ts'
import { createAcross } from '../../../engine/simnet/venues/across/across.ts'
import { across } from '../../../engine/venues/across/venue.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { controlNetwork, type NetworkControl } from '../../../scripts/client/network.ts'
import { unnoticed } from '../../support/unnoticed.ts'
import { account, never, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { NATIVE, SVM_SPOKE, USDC, usdcOrder } from './support.ts'

const AMOUNT = 250_000_000n

let simnet: Simnet
let control: NetworkControl
let connection: Connection
let venue: Venue
let evidence: ChainEvidence
let keypair: Keypair
let people = 0
const client = createHttpClient()

beforeAll(async () => {
  simnet = await startSimnet({
    controlPort: 0,
    seed: 'across',
    venues: [{ id: 'across', create: createAcross, contracts: acrossContracts }],
  })
  control = controlNetwork(simnet.controlUrl)
  connection = new Connection(control.rpcUrl(-2), 'confirmed')
  const rpcUrls = Object.fromEntries(Object.entries(simnet.rpcUrls).map(([chainId, url]) => [chainId, [url]]))
  const { baseUrl, settings } = simnet.venues['across'] ?? { baseUrl: '', settings: {} }
  const chains = createChains({ rpcUrls, http: client })
  const { clock } = simnet
  evidence = createChainEvidence({ rpcUrls, http: client, clock, health: createEndpointHealth({ clock }) })
  venue = across.create(
    { baseUrl, apiKey: null, settings },
    { http: client, chains, clock: simnet.clock, wellVenues: () => [], notice: unnoticed },
  )
}, 30_000)
afterAll(async () => {
  await client.close()
  await simnet.close()
})
beforeEach(async () => {
  people += 1
  keypair = Keypair.fromSeed(new Uint8Array(32).fill(people))
  await fund(NATIVE_SOL, 10_000_000n)
})

const fund = (token: string, amount: bigint) =>
  control.faucet({ chainId: -2, token, address: keypair.publicKey.toBase58(), amount: amount.toString() })

const seenOn = async (chainId: ChainId, text: string | null | undefined): Promise<SeenTransaction> => {
  const hash = parseTransactionId(chainId, text ?? '')
  const seen = hash && (await evidence.transaction({ chainId, hash }, never()))
  if (!seen) throw new Error('no such transaction')
  return seen
}

const opened = async () => {
  const sender = addressOf('solana', keypair.publicKey.toBase58())
  const swap = await swapOf(venue, usdcOrder({ from: [-2, USDC.solana], to: [8453, USDC.base], amount: AMOUNT, sender }))
  return { swap, built: VersionedTransaction.deserialize(Buffer.from(transactionOf(swap.execution).data, 'base64')) }
}

test('simulated Solana deposit: takes the input, uses up the approval and is filled', async () => {
  await fund(USDC.solana, AMOUNT + 5n)
  const { swap, built } = await opened()
  built.sign([keypair])
  const signature = await connection.sendRawTransaction(built.serialize())
  const meta = (await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 }))?.meta
  const ofPayer = (balances: NonNullable<typeof meta>['preTokenBalances']) =>
    balances?.filter(({ owner }) => owner === keypair.publicKey.toBase58()).map(({ uiTokenAmount }) => uiTokenAmount.amount)
  expect([meta?.err, ofPayer(meta?.preTokenBalances), ofPayer(meta?.postTokenBalances)]).toEqual([
    null,
    [(AMOUNT + 5n).toString()],
    ['5'],
  ])
  expect(meta?.logMessages).toContain(`Program ${SVM_SPOKE} success`)
  const { value } = await connection.getParsedTokenAccountsByOwner(keypair.publicKey, { mint: new PublicKey(USDC.solana) })
  expect(value[0]?.account.data.parsed.info).not.toHaveProperty('delegate')
  const told = await venue.events?.inputs(await seenOn(-2, signature), swap)
  const took = { token: USDC.solana, amount: AMOUNT }
  expect(told).toEqual([{ place: expect.stringMatching(/^instruction:/), orderId: expect.stringMatching(/:\d+$/), took }])
  await control.advance(60_000)
  const word = await venue.tracker?.track(signature, swap, never())
  expect(word).toMatchObject({ state: 'success', venueStatus: 'filled', paidBy: [signature] })
  // It is filled by the id that the program told.
  const filled = await seenOn(8453, word?.txHash)
  expect(await venue.events?.outputs(filled, swap, [told?.[0]?.orderId ?? ''])).toHaveLength(1)
}, 60_000)

test('events: a fill on Solana is found by its program event, with the amount of the recipient', async () => {
  const recipient = addressOf('solana', keypair.publicKey.toBase58())
  const swap = await swapOf(venue, usdcOrder({ to: [-2, USDC.solana], recipient }))
  for (const [token, amount] of [
    [NATIVE, 10n ** 18n],
    [USDC.base, AMOUNT],
  ] as const)
    await control.faucet({ chainId: 8453, token, address: account.address, amount: amount.toString() })
  const transport = http(control.rpcUrl(8453))
  const [wallet, base] = [createWalletClient({ account, transport }), createPublicClient({ transport })]
  const { to, data } = transactionOf(swap.execution)
  const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [to as Hex, AMOUNT] })
  const send = async (call: { to: Hex; data: Hex }) => {
    const hash = await wallet.sendTransaction({ ...call, chain: null })
    return base.waitForTransactionReceipt({ hash })
  }
  await send({ to: USDC.base, data: approval })
  const { transactionHash } = await send({ to: to as Hex, data: data as Hex })
  const [paid] = (await venue.events?.inputs(await seenOn(8453, transactionHash), swap)) ?? []
  await control.advance(60_000)
  const word = await venue.tracker?.track(transactionHash, swap, never())
  const filled = await seenOn(-2, word?.txHash)
  const amount = swap.execution.slippage?.guaranteedMin
  expect(await venue.events?.outputs(filled, swap, [paid?.orderId ?? ''])).toEqual([
    { place: expect.stringMatching(/^instruction:/), amount },
  ])
  expect(await venue.events?.outputs(filled, swap, ['8453:999999'])).toEqual([])
  const { value } = await connection.getParsedTokenAccountsByOwner(keypair.publicKey, { mint: new PublicKey(USDC.solana) })
  expect(value[0]?.account.data.parsed.info.tokenAmount.amount).toBe(String(amount))
}, 60_000)
