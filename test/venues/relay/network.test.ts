import { Keypair, VersionedTransaction } from '@solana/web3.js'
import { createPublicClient, createWalletClient, defineChain, encodeFunctionData, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChains } from '../../../engine/chains/createChains.ts'
import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { relayContracts } from '../../../engine/simnet/contracts/relayContracts.ts'
import { type Simnet, startSimnet } from '../../../engine/simnet/simnet.ts'
import { createRelay } from '../../../engine/simnet/venues/relay/relay.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { controlNetwork, type NetworkControl } from '../../../scripts/client/network.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { unnoticed } from '../../support/unnoticed.ts'
import {
  bitcoinOrder,
  DEPOSITORY,
  depositOf,
  etherOrder,
  NATIVE,
  NATIVE_SOL,
  signal,
  solOrder,
  swapOf,
  transactionOf,
  USDC,
  usdcOrder,
} from './support.ts'

/** The whole way on the offline chains: real calls of the depository, real deliveries. */

const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const keypair = Keypair.fromSeed(new Uint8Array(32).fill(9))
const solanaWallet = addressOf('solana', keypair.publicKey.toBase58())
const ERC20 = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
])

let simnet: Simnet
let control: NetworkControl
let venue: Venue
const client = createHttpClient()

beforeAll(async () => {
  simnet = await startSimnet({
    controlPort: 0,
    seed: 'relay',
    venues: [{ id: 'relay', create: createRelay, contracts: relayContracts }],
  })
  control = controlNetwork(simnet.controlUrl)
  const rpcUrls = Object.fromEntries(Object.entries(simnet.rpcUrls).map(([chainId, url]) => [chainId, [url]]))
  const { baseUrl, settings } = simnet.venues['relay'] ?? { baseUrl: '', settings: {} }
  const chains = createChains({ rpcUrls, http: client })
  venue = relay.create({ baseUrl, apiKey: null, settings }, { http: client, chains, clock: simnet.clock, notice: unnoticed })
}, 30_000)
afterAll(async () => {
  await client.close()
  await simnet.close()
})

const on = (chainId: number) => {
  const rpcUrl = control.rpcUrl(chainId)
  const chain = defineChain({
    id: chainId,
    name: 'offline',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const transport = http(rpcUrl)
  return { wallet: createWalletClient({ account, chain, transport }), reads: createPublicClient({ chain, transport }) }
}
const tokensOf = (chainId: number, token: string, owner: string): Promise<bigint> =>
  on(chainId).reads.readContract({ address: token as never, abi: ERC20, functionName: 'balanceOf', args: [owner as never] })

/** Follows a swap to its end, as time passes. */
const follow = async (swap: Awaited<ReturnType<typeof swapOf>>, ref: string, ms: number) => {
  await control.advance(ms)
  return venue.tracker?.track(ref, swap, signal())
}

test('tokens from Base to Arbitrum', async () => {
  await control.faucet({ chainId: 8453, token: USDC.base, address: account.address, amount: '250000000' })
  const swap = await swapOf(venue, usdcOrder({ sender: addressOf('evm', account.address) }))
  const { to, data, value } = transactionOf(swap.execution)
  const { wallet, reads } = on(8453)
  const approval = encodeFunctionData({ abi: ERC20, functionName: 'approve', args: [DEPOSITORY as never, 250_000_000n] })
  await reads.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ to: USDC.base, data: approval }) })
  const hash = await wallet.sendTransaction({ to: to as never, data: data as never, value })
  await reads.waitForTransactionReceipt({ hash })
  await control.transaction({ chainId: 8453, txHash: hash })
  expect(await tokensOf(8453, USDC.base, DEPOSITORY)).toBe(250_000_000n)
  expect(await follow(swap, hash, 1)).toMatchObject({ state: 'processing' })
  const done = await follow(swap, hash, 60_000)
  expect(done).toMatchObject({ state: 'success', venueStatus: 'success' })
  expect(await tokensOf(42161, USDC.arbitrum, WALLETS.evmOther)).toBe(swap.execution.outputAmount)
  const receipt = await on(42161).reads.getTransactionReceipt({ hash: done?.txHash as never })
  expect(receipt.status).toBe('success')
}, 60_000)

test('ether from Base to SOL', async () => {
  const order = etherOrder({
    to: [-2, NATIVE_SOL],
    sender: addressOf('evm', account.address),
    recipient: WALLETS.solana,
    amount: 10n ** 17n,
  })
  await control.faucet({ chainId: 8453, token: NATIVE, address: account.address, amount: (10n ** 18n).toString() })
  const swap = await swapOf(venue, order)
  const { to, data, value } = transactionOf(swap.execution)
  const { wallet, reads } = on(8453)
  const hash = await wallet.sendTransaction({ to: to as never, data: data as never, value })
  await reads.waitForTransactionReceipt({ hash })
  await control.transaction({ chainId: 8453, txHash: hash })
  expect(await follow(swap, hash, 60_000)).toMatchObject({ state: 'success' })
}, 60_000)

const solana = async (method: string, params: readonly unknown[]): Promise<unknown> => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return ((await (await fetch(control.rpcUrl(-2), { ...init, body })).json()) as { result?: unknown }).result
}
const lamports = async (): Promise<bigint> => BigInt(((await solana('getBalance', [solanaWallet])) as { value: number }).value)

test.each([
  ['SOL', solOrder({ sender: solanaWallet }), NATIVE_SOL],
  ['tokens', solOrder({ from: [-2, USDC.solana], amount: 250_000_000n, sender: solanaWallet }), USDC.solana],
] as const)(
  '%s from Solana to Base, built on a real block, signed and sent',
  async (_name, order: VenueOrder, token) => {
    await control.faucet({ chainId: -2, token: NATIVE_SOL, address: solanaWallet, amount: '20000000000' })
    if (token !== NATIVE_SOL) await control.faucet({ chainId: -2, token, address: solanaWallet, amount: '250000000' })
    const before = { lamports: await lamports(), tokens: await tokensOf(8453, USDC.base, WALLETS.evmOther) }
    const swap = await swapOf(venue, order)
    const { data } = transactionOf(swap.execution)
    const signed = VersionedTransaction.deserialize(Buffer.from(data, 'base64'))
    signed.sign([keypair])
    const wire = Buffer.from(signed.serialize()).toString('base64')
    const signature = String(await solana('sendTransaction', [wire, { encoding: 'base64' }]))
    expect(signature).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/)
    expect(await follow(swap, signature, 60_000)).toMatchObject({ state: 'success', venueStatus: 'success' })
    expect((await tokensOf(8453, USDC.base, WALLETS.evmOther)) - before.tokens).toBe(swap.execution.outputAmount)
    if (token === NATIVE_SOL) expect(before.lamports - (await lamports())).toBe(order.inputAmount + 5_000n)
  },
  60_000,
)

test('bitcoin to Base', async () => {
  const swap = await swapOf(venue, bitcoinOrder({ recipient: WALLETS.evm }))
  const { address, amount } = depositOf(swap.execution)
  await control.deposit({ chainId: -1, token: NATIVE, address, amount: amount.toString() })
  expect(await follow(swap, address, 1_000)).toMatchObject({ state: 'processing', venueStatus: 'pending' })
  expect(await follow(swap, address, 3_600_000)).toMatchObject({ state: 'success' })
  expect(await tokensOf(8453, USDC.base, WALLETS.evm)).toBeGreaterThanOrEqual(swap.execution.outputAmount)
}, 60_000)
