import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, createWalletClient, formatUnits, type Hex, http, type TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { components, operations } from '../generated/api.d.ts'
import { serve } from './serve.ts'

/**
 * Three swaps from quote to success on the offline network, one of each execution type, with an ordinary viem wallet.
 * Everything goes over HTTP, as a client of the service would do it.
 */

type Schemas = components['schemas']
type Quote = Schemas['Quote']
type Execution = Schemas['Execution']
type SwapStatus = Schemas['SwapStatus']
type QuoteRequest = operations['quote']['requestBody']['content']['application/json']

/** A well-known development key: nobody's money. */
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const BITCOIN_WALLET = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

const USDC = {
  ethereum: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  arbitrum: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
}
const WETH_ETHEREUM = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

const say = (line = ''): void => {
  process.stdout.write(`${line}\n`)
}
const field = (name: string, value: string): void => say(`  ${name.padEnd(12)} ${value}`)

type Network = { readonly api: string; readonly control: string; readonly rpcUrl: (chainId: number) => string }

const call = async <T>(url: string, body?: unknown): Promise<T> => {
  const init =
    body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(url, init)
  const answer = (await response.json()) as { data?: T; error?: { code: string; message: string } }
  if (!response.ok) throw new Error(`${url}: ${response.status} ${JSON.stringify(answer.error ?? answer)}`)
  return answer.data ?? (answer as T)
}

const showQuote = ({ venue, routeType, input, output, fee, slippage, gas, estimatedTimeSeconds, approval }: Quote): void => {
  const amount = ({ token, amount: units }: Quote['input']) =>
    `${formatUnits(BigInt(units), token.decimals)} ${token.symbol} (chain ${token.chainId})`
  field('venue', `${venue.name}, ${routeType}`)
  field('pay', amount(input))
  field('get', `${amount(output)}, in about ${estimatedTimeSeconds} s`)
  if (slippage)
    field(
      'at least',
      `${formatUnits(BigInt(slippage.guaranteedMin), output.token.decimals)} ${output.token.symbol} (${slippage.bps} bps)`,
    )
  field('fee', `${fee.bps} bps`)
  field(
    'gas',
    gas
      ? `${formatUnits(BigInt(gas.native), gas.nativeSymbol === 'BTC' ? 8 : 18)} ${gas.nativeSymbol}, ${gas.usd ?? 'unknown'} USD`
      : 'none',
  )
  if (approval) field('approve', `${approval.amount} units to ${approval.spender}`)
}

const broadcast = async ({ rpcUrl }: Network, { chainId, to, data, value }: Schemas['ApprovalTransaction']): Promise<Hex> => {
  const chain = {
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl(chainId)] } },
  }
  const wallet = createWalletClient({ account, chain, transport: http() })
  const hash = await wallet.sendTransaction({ to: to as Hex, data: data as Hex, value: BigInt(value) })
  await createPublicClient({ chain, transport: http() }).waitForTransactionReceipt({ hash })
  return hash
}

/** Follows a swap until it ends, letting the network's time run ahead between two looks. */
const follow = async (
  { api, control }: Network,
  { quoteToken, output, estimatedTimeSeconds }: Quote,
  ref: string,
): Promise<void> => {
  const advanceMs = Math.max(5_000, estimatedTimeSeconds * 250)
  let last = ''
  for (let look = 0; look < 40; look += 1) {
    const status = await call<SwapStatus>(`${api}/status?${new URLSearchParams({ quoteToken, ref })}`)
    const shown = `${status.status}${status.venueStatus ? ` (${status.venueStatus})` : ''}`
    if (shown !== last) field('status', shown)
    last = shown
    if (status.status === 'success') {
      field(
        'delivered',
        status.deliveredAmount
          ? `${formatUnits(BigInt(status.deliveredAmount), output.token.decimals)} ${output.token.symbol}`
          : 'unknown',
      )
      field('tx', status.txHash ?? 'unknown')
      return
    }
    if (status.status === 'refunded' || status.status === 'failed') throw new Error(`the swap ended as ${status.status}`)
    await call(`${control}/clock`, { advanceMs })
  }
  throw new Error('the swap did not end')
}

const quoteAndExecute = async (
  { api }: Network,
  request: QuoteRequest,
  addresses: { refundAddress?: string } = {},
): Promise<{ quote: Quote; execution: Execution }> => {
  const quote = await call<Quote>(`${api}/quote`, request)
  showQuote(quote)
  const execution = await call<Execution>(`${api}/execute`, { quoteToken: quote.quoteToken, ...addresses })
  field('execute', execution.executionType)
  return { quote, execution }
}

const wrongType = (execution: Execution): Error => new Error(`unexpected executionType ${execution.executionType}`)

const transactionSwap = async (network: Network): Promise<void> => {
  say('1. TRANSACTION: 250 USDC from Base to Arbitrum, signed and broadcast by the wallet')
  await call(`${network.control}/faucet`, { chainId: 8453, token: USDC.base, address: account.address, amount: '250000000' })
  await call(`${network.control}/faucet`, {
    chainId: 8453,
    token: NATIVE,
    address: account.address,
    amount: '1000000000000000000',
  })
  const { quote, execution } = await quoteAndExecute(network, {
    inputChainId: 8453,
    outputChainId: 42161,
    inputToken: USDC.base,
    outputToken: USDC.arbitrum,
    inputAmount: '250000000',
    userAddress: account.address,
    excludeVenues: ['near-intents'],
  })
  if (execution.executionType !== 'TRANSACTION') throw wrongType(execution)
  if (execution.approval) field('approved in', await broadcast(network, execution.approval.transaction))
  const hash = await broadcast(network, execution.transaction)
  field('sent in', hash)
  await follow(network, quote, hash)
}

const signatureSwap = async (network: Network): Promise<void> => {
  say('2. SIGNATURE: 1000 USDC to WETH on Ethereum, an order signed by the wallet, without gas')
  await call(`${network.control}/faucet`, { chainId: 1, token: USDC.ethereum, address: account.address, amount: '1000000000' })
  await call(`${network.control}/faucet`, { chainId: 1, token: NATIVE, address: account.address, amount: '1000000000000000000' })
  const { quote, execution } = await quoteAndExecute(network, {
    inputChainId: 1,
    outputChainId: 1,
    inputToken: USDC.ethereum,
    outputToken: WETH_ETHEREUM,
    inputAmount: '1000000000',
    userAddress: account.address,
    excludeVenues: ['near-intents'],
  })
  if (execution.executionType !== 'SIGNATURE') throw wrongType(execution)
  if (execution.approval) field('approved in', await broadcast(network, execution.approval.transaction))
  const signature = await account.signTypedData(execution.typedData as unknown as TypedDataDefinition)
  field('signed', `${signature.slice(0, 20)}...`)
  const { statusRef } = await call<{ statusRef: string }>(`${network.api}/submit-signature`, {
    quoteToken: quote.quoteToken,
    signature,
  })
  field('order', statusRef)
  await follow(network, quote, statusRef)
}

const depositSwap = async (network: Network): Promise<void> => {
  say('3. DEPOSIT: 0.05 BTC from Bitcoin to USDC on Base, paid to an address')
  const { quote, execution } = await quoteAndExecute(
    network,
    {
      inputChainId: -1,
      outputChainId: 8453,
      inputToken: NATIVE,
      outputToken: USDC.base,
      inputAmount: '5000000',
      userAddress: BITCOIN_WALLET,
      destinationAddress: account.address,
    },
    { refundAddress: BITCOIN_WALLET },
  )
  if (execution.executionType !== 'DEPOSIT') throw wrongType(execution)
  const { address, amount, chainId } = execution.deposit
  field('pay to', `${address}: ${amount} units on chain ${chainId}`)
  await call(`${network.control}/deposits`, { chainId, token: NATIVE, address, amount })
  await follow(network, quote, execution.statusRef)
}

const main = async (): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'swap-demo-'))
  const service = await serve({
    PORT: '0',
    SIMNET_CONTROL_PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: '10000',
  })
  try {
    const { simnet } = service
    if (!simnet) throw new Error('the demo runs on the offline network')
    const network: Network = {
      api: `${service.url}/api/v1`,
      control: simnet.controlUrl,
      rpcUrl: (chainId) => simnet.rpcUrls[String(chainId)] ?? '',
    }
    say('Everything below happens on the offline network: simulated venues and prices, no real money.')
    for (const swap of [transactionSwap, signatureSwap, depositSwap]) {
      say()
      await swap(network)
    }
  } finally {
    await service.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

await main()
