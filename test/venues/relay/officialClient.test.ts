import { createClient, type Execute, getClient, type ProgressData } from '@relayprotocol/relay-sdk'
import { configureDynamicChains } from '@relayprotocol/relay-sdk/chain-utils'
import { createPublicClient, createWalletClient, defineChain, type Hex, http, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relayContracts } from '../../../engine/simnet/contracts/relayContracts.ts'
import { type Simnet, startSimnet } from '../../../engine/simnet/simnet.ts'
import { createRelay } from '../../../engine/simnet/venues/relay/relay.ts'
import { controlNetwork, type NetworkControl } from '../../../scripts/client/network.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { account } from '../../support/venueKit/calls.ts'

/**
 * The vendor's own client, unmodified, against the simulator: what it asks must be taken, what it is answered must take it
 * to the end, on the offline chains.
 */

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

/** Carries a quote out, the network's time running ahead once it is paid for; the last step's item, and what was told on the way. */
const carryOut = async (quote: Execute, chainId: number, advanceMs = 60_000) => {
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
  return { steps: data.steps, item: data.steps.at(-1)?.items[0], seen }
}

const fund = (chainId: number, token: string, amount: bigint) =>
  control.faucet({ chainId, token, address: account.address, amount: amount.toString() })

const ether = (chainId: number, toChainId: number) => {
  const amount = parseEther('1').toString()
  return { chainId, toChainId, currency: ZERO, toCurrency: ZERO, amount }
}

describe('the official client', () => {
  test('knows the chains of the list, ours among them', () => {
    const ids = getClient().chains.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([1, 143, 4663, 8453, 8253038, 792703809]))
  })

  test('approves, deposits and sees tokens delivered', async () => {
    await fund(8453, NATIVE, parseEther('10'))
    await fund(8453, USDC.base, 250_000_000n)
    const quote = await getQuote({})
    const args = [WALLETS.evmOther as Hex] as const
    const held = () => readsOn(42161).readContract({ address: USDC.arbitrum, abi: ERC20, functionName: 'balanceOf', args })
    const before = await held()
    const { steps, item, seen } = await carryOut(quote, 8453)
    expect(steps.map(({ id, items }) => [id, ...items.map(({ status }) => status)])).toEqual([
      ['approve', 'complete'],
      ['deposit', 'complete'],
    ])
    expect(seen.at(-1)?.error).toBeUndefined()
    expect(item).toMatchObject({ checkStatus: 'success', progressState: 'complete' })
    const fills = item?.txHashes?.filter(({ chainId }) => chainId === 42161) ?? []
    expect(fills).toHaveLength(1)
    expect(((await held()) - before).toString()).toBe(quote.details?.currencyOut?.amount)
    const receipt = await readsOn(42161).getTransactionReceipt({ hash: (fills[0]?.txHash ?? '0x') as Hex })
    expect(receipt.status).toBe('success')
  }, 60_000)

  test('deposits coins, with the fees it was told', async () => {
    await fund(1, NATIVE, parseEther('3'))
    const quote = await getQuote(ether(1, 4663))
    const { item } = await carryOut(quote, 1)
    expect(item).toMatchObject({ status: 'complete', checkStatus: 'success' })
    const hash = item?.internalTxHashes?.[0]?.txHash as Hex
    const told = quote.steps.at(-1)?.items[0]?.data as { maxFeePerGas: string }
    expect((await readsOn(1).getTransaction({ hash })).maxFeePerGas).toBe(BigInt(told.maxFeePerGas))
  }, 60_000)

  test('tells of a refund as one', async () => {
    await fund(8453, NATIVE, parseEther('2'))
    const quote = await getQuote({ ...ether(8453, 42161), options: { refundTo: account.address } })
    await control.fault('relay', 'never-fills')
    await expect(carryOut(quote, 8453, 40 * 60_000)).rejects.toThrow('Transaction failed: Refunded')
    await control.clearFaults()
  }, 60_000)

  test('is given an address to pay bitcoin to, whether it asks for a strict one or not', async () => {
    const addresses = new Set<string | undefined>()
    const coins = { chainId: 8253038, toChainId: 8453, currency: BTC, toCurrency: USDC.base, amount: '1000000' }
    for (const strict of [{}, { strict: true }]) {
      const options = { useDepositAddress: true, refundTo: WALLETS.bitcoin, ...strict }
      const { steps } = await getQuote({ ...coins, user: WALLETS.bitcoin, options })
      expect(steps[0]?.depositAddress).toMatch(/^bc1q[0-9a-z]{38}$/)
      addresses.add(steps[0]?.depositAddress)
    }
    expect(addresses.size).toBe(2)
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
