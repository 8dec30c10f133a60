import { createClient, type Execute, getClient, type ProgressData } from '@relayprotocol/relay-sdk'
import { configureDynamicChains } from '@relayprotocol/relay-sdk/chain-utils'
import { createPublicClient, createWalletClient, defineChain, type Hex, http, parseAbi, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relayContracts } from '../../../engine/simnet/contracts/relayContracts.ts'
import { type Simnet, startSimnet } from '../../../engine/simnet/simnet.ts'
import { createRelay } from '../../../engine/simnet/venues/relay/relay.ts'
import { controlNetwork, type NetworkControl } from '../../../scripts/client/network.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { NATIVE, USDC } from './support.ts'

/**
 * The vendor's own client, unmodified, against the simulator: what it asks must be taken, what it is answered must take it
 * to the end, on the offline chains.
 */

const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const ERC20 = parseAbi(['function balanceOf(address owner) view returns (uint256)'])
const ZERO = `0x${'00'.repeat(20)}` as const
const BTC = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8'

let simnet: Simnet
let control: NetworkControl
let baseApiUrl: string

const chainOn = (id: number) =>
  defineChain({
    id,
    name: 'offline',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [control.rpcUrl(id)] } },
  })
const walletOn = (id: number) => createWalletClient({ account, chain: chainOn(id), transport: http(control.rpcUrl(id)) })
const readsOn = (id: number) => createPublicClient({ chain: chainOn(id), transport: http(control.rpcUrl(id)) })

beforeAll(async () => {
  const venues = [{ id: 'relay', create: createRelay, contracts: relayContracts }]
  simnet = await startSimnet({ controlPort: 0, seed: 'judge', venues })
  control = controlNetwork(simnet.controlUrl)
  baseApiUrl = simnet.venues['relay']?.baseUrl ?? ''
  createClient({ baseApiUrl, pollingInterval: 20, chains: [] })
  // The list is the simulator's; where a chain has an endpoint the client would otherwise know from elsewhere.
  const listed = await configureDynamicChains()
  const chains = listed.map((chain) => (chain.vmType === 'evm' ? { ...chain, viemChain: chainOn(chain.id) } : chain))
  getClient().configure({ chains, confirmationPollingInterval: 20 })
}, 30_000)
afterAll(() => simnet.close())

type Wish = Parameters<ReturnType<typeof getClient>['actions']['getQuote']>[0]
const getQuote = (wish: Partial<Wish>) =>
  getClient().actions.getQuote({
    chainId: 8453,
    toChainId: 42161,
    currency: USDC.base,
    toCurrency: USDC.arbitrum,
    amount: '250000000',
    tradeType: 'EXACT_INPUT',
    user: account.address,
    recipient: WALLETS.evmOther,
    ...wish,
  })

/** Carries a quote out, the network's time running ahead once it is paid for. */
const carryOut = async (
  quote: Execute,
  { chainId, advanceMs = 60_000 }: { readonly chainId: number; readonly advanceMs?: number },
): Promise<{ readonly done: Execute; readonly seen: readonly ProgressData[] }> => {
  const seen: ProgressData[] = []
  let running: Promise<unknown> | null = null
  const { data } = await getClient().actions.execute({
    quote,
    wallet: walletOn(chainId),
    onProgress: (progress) => {
      seen.push(progress)
      const isPaid = progress.currentStep?.id === 'deposit' && (progress.txHashes?.length ?? 0) > 0
      if (isPaid) running ??= control.advance(advanceMs)
    },
  })
  await running
  return { done: data, seen }
}

const usdcOf = (chainId: number, token: string, owner: string): Promise<bigint> =>
  readsOn(chainId).readContract({ address: token as Hex, abi: ERC20, functionName: 'balanceOf', args: [owner as Hex] })

describe('the official client', () => {
  test('knows the chains of the list, ours among them', () => {
    const ids = getClient().chains.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([1, 143, 4663, 8453, 8253038, 792703809]))
  })

  test('approves, deposits and sees tokens delivered', async () => {
    await control.faucet({ chainId: 8453, token: NATIVE, address: account.address, amount: parseEther('10').toString() })
    await control.faucet({ chainId: 8453, token: USDC.base, address: account.address, amount: '250000000' })
    const quote = await getQuote({})
    const before = await usdcOf(42161, USDC.arbitrum, WALLETS.evmOther)
    const { done, seen } = await carryOut(quote, { chainId: 8453 })
    expect(done.steps.map(({ id, items }) => [id, ...items.map(({ status }) => status)])).toEqual([
      ['approve', 'complete'],
      ['deposit', 'complete'],
    ])
    expect(seen.at(-1)?.error).toBeUndefined()
    const [item] = done.steps.at(-1)?.items ?? []
    expect(item).toMatchObject({ checkStatus: 'success', progressState: 'complete' })
    const fills = item?.txHashes?.filter(({ chainId }) => chainId === 42161) ?? []
    expect(fills).toHaveLength(1)
    const delivered = (await usdcOf(42161, USDC.arbitrum, WALLETS.evmOther)) - before
    expect(delivered.toString()).toBe(quote.details?.currencyOut?.amount)
    const receipt = await readsOn(42161).getTransactionReceipt({ hash: (fills[0]?.txHash ?? '0x') as Hex })
    expect(receipt.status).toBe('success')
  }, 60_000)

  test('deposits coins, with the fees it was told', async () => {
    await control.faucet({ chainId: 1, token: NATIVE, address: account.address, amount: parseEther('3').toString() })
    const quote = await getQuote({
      chainId: 1,
      toChainId: 4663,
      currency: ZERO,
      toCurrency: ZERO,
      amount: parseEther('1').toString(),
    })
    const { done } = await carryOut(quote, { chainId: 1 })
    const [item] = done.steps.at(-1)?.items ?? []
    expect(item).toMatchObject({ status: 'complete', checkStatus: 'success' })
    const hash = item?.internalTxHashes?.[0]?.txHash as Hex
    const told = quote.steps.at(-1)?.items[0]?.data as { maxFeePerGas: string }
    expect((await readsOn(1).getTransaction({ hash })).maxFeePerGas).toBe(BigInt(told.maxFeePerGas))
  }, 60_000)

  test('tells of a refund as one', async () => {
    await control.faucet({ chainId: 8453, token: NATIVE, address: account.address, amount: parseEther('2').toString() })
    const quote = await getQuote({
      currency: ZERO,
      toCurrency: ZERO,
      amount: parseEther('1').toString(),
      options: { refundTo: account.address },
    })
    await control.fault('relay', 'never-fills')
    const refund = carryOut(quote, { chainId: 8453, advanceMs: 40 * 60_000 })
    await expect(refund).rejects.toThrow('Transaction failed: Refunded')
    await control.clearFaults()
  }, 60_000)

  test('is given an address to pay bitcoin to, whether it asks for a strict one or not', async () => {
    const wish = {
      chainId: 8253038,
      toChainId: 8453,
      currency: BTC,
      toCurrency: USDC.base,
      amount: '1000000',
      user: WALLETS.bitcoin,
    }
    const addresses = []
    for (const strict of [{}, { strict: true }]) {
      const quote = await getQuote({ ...wish, options: { useDepositAddress: true, refundTo: WALLETS.bitcoin, ...strict } })
      const [step] = quote.steps
      addresses.push(step?.depositAddress)
    }
    expect(new Set(addresses).size).toBe(2)
    for (const address of addresses) expect(address).toMatch(/^bc1q[0-9a-z]{38}$/)
  })

  test('is refused a name without a key, as everybody is', async () => {
    const client = getClient()
    client.configure({ source: 'acme' })
    await expect(getQuote({})).rejects.toMatchObject({
      message: 'Please provide an api key',
      rawError: { errorCode: 'UNAUTHORIZED_QUOTE' },
    })
    Reflect.deleteProperty(client, 'source')
    await expect(getQuote({})).resolves.toHaveProperty('steps')
  })
})
