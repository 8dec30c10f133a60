import { createClient, type Execute, getClient, type ProgressData } from '@relayprotocol/relay-sdk'
import { configureDynamicChains } from '@relayprotocol/relay-sdk/chain-utils'
import { createPublicClient, createWalletClient, defineChain, type Hex, http, parseEther } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { relayContracts } from '../../engine/simnet/contracts/relayContracts.ts'
import { startSimnet } from '../../engine/simnet/simnet.ts'
import { createRelay } from '../../engine/simnet/venues/relay/relay.ts'
import { watch } from '../../scripts/client/balances.ts'
import { receiptOf } from '../../scripts/client/evm.ts'
import { controlNetwork } from '../../scripts/client/network.ts'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import { WALLETS } from '../support/anOrder.ts'
import { account } from '../support/venueKit/calls.ts'

const ZERO = `0x${'00'.repeat(20)}` as const
const BTC = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8'

const venues = [{ id: 'relay', create: createRelay, contracts: relayContracts }]
const simnet = await startSimnet({ controlPort: 0, seed: 'judge', venues })
afterAll(() => simnet.close())
const control = controlNetwork(simnet.controlUrl)

const chainOn = (id: number) =>
  defineChain({
    id,
    name: 'offline',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [control.rpcUrl(id)] } },
  })

createClient({ baseApiUrl: simnet.venues['relay']?.baseUrl ?? '', pollingInterval: 20, chains: [] })
// The list is the simulator's; where a chain has an endpoint the client would otherwise know from elsewhere.
const chains = await configureDynamicChains()
const placed = chains.map((chain) => (chain.vmType === 'evm' ? { ...chain, viemChain: chainOn(chain.id) } : chain))
getClient().configure({ chains: placed, confirmationPollingInterval: 20 })

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
    wallet: createWalletClient({ account, chain: chainOn(chainId), transport: http() }),
    onProgress: (progress) => {
      seen.push(progress)
      // Each step before it has a transaction too: what the time is advanced by then, the fill must still wait for.
      const deposit = progress.steps.findIndex(({ id }) => id === 'deposit')
      const isPaid = (progress.txHashes?.length ?? 0) > deposit
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

test('relay: the official client reads the chain list, with every supported chain', () => {
  expect(chains.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 143, 4663, 8453, 8253038, 792703809]))
})

test('relay: the official client approves, deposits and sees tokens delivered', async () => {
  await fund(8453, NATIVE, parseEther('10'))
  await fund(8453, USDC.base, 250_000_000n)
  const quote = await getQuote({})
  const delivered = { chainId: 42161, token: USDC.arbitrum, owner: WALLETS.evmOther }
  const changes = await watch({ control }, { delivered })
  const { steps, item, seen } = await carryOut(quote, 8453)
  expect(steps.map(({ id, items }) => [id, ...items.map(({ status }) => status)])).toEqual([
    ['approve', 'complete'],
    ['deposit', 'complete'],
  ])
  expect(seen.at(-1)?.error).toBeUndefined()
  expect(item).toMatchObject({ checkStatus: 'success', progressState: 'complete' })
  const fills = item?.txHashes?.filter(({ chainId }) => chainId === 42161) ?? []
  expect(fills).toHaveLength(1)
  expect(await changes()).toEqual({ delivered: BigInt(quote.details?.currencyOut?.amount ?? 0) })
  expect((await receiptOf(control.rpcUrl(42161), fills[0]?.txHash)).status).toBe('success')
}, 60_000)

test('relay: the official client deposits coins with the quoted fees', async () => {
  await fund(1, NATIVE, parseEther('3'))
  const quote = await getQuote(ether(1, 4663))
  const { item } = await carryOut(quote, 1)
  expect(item).toMatchObject({ status: 'complete', checkStatus: 'success' })
  const hash = item?.internalTxHashes?.[0]?.txHash as Hex
  const told = quote.steps.at(-1)?.items[0]?.data as { maxFeePerGas: string }
  const sent = await createPublicClient({ transport: http(control.rpcUrl(1)) }).getTransaction({ hash })
  expect(sent.maxFeePerGas).toBe(BigInt(told.maxFeePerGas))
}, 60_000)

test('relay: the official client reports a refund', async () => {
  await fund(8453, NATIVE, parseEther('2'))
  const quote = await getQuote({ ...ether(8453, 42161), options: { refundTo: account.address } })
  await control.fault('relay', 'never-fills')
  await expect(carryOut(quote, 8453, 40 * 60_000)).rejects.toThrow('Transaction failed: Refunded')
  await control.clearFaults()
}, 60_000)

test('relay: the official client receives a bitcoin address, strict or not', async () => {
  const coins = { chainId: 8253038, toChainId: 8453, currency: BTC, toCurrency: USDC.base, amount: '1000000' }
  const options = { useDepositAddress: true, refundTo: WALLETS.bitcoin }
  const asked = [options, { ...options, strict: true }].map((own) => getQuote({ ...coins, user: WALLETS.bitcoin, options: own }))
  const [first, second] = (await Promise.all(asked)).map(({ steps }) => steps[0]?.depositAddress)
  for (const address of [first, second]) expect(address).toMatch(/^bc1q[0-9a-z]{38}$/)
  expect(first).not.toBe(second)
})

test('simulated Relay: rejects a referrer name without an API key', async () => {
  const client = getClient()
  client.configure({ source: 'acme' })
  const rawError = { errorCode: 'UNAUTHORIZED_QUOTE' }
  await expect(getQuote({})).rejects.toMatchObject({ message: 'Please provide an api key', rawError })
  Reflect.deleteProperty(client, 'source')
  await expect(getQuote({})).resolves.toHaveProperty('steps')
})
