import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { privateKeyToAccount } from 'viem/accounts'
import { bitcoinPayer } from './client/bitcoin.ts'
import { bitcoinWallet } from './client/bitcoinWallet.ts'
import { evmWallet } from './client/evm.ts'
import { controlNetwork } from './client/network.ts'
import { connectService } from './client/service.ts'
import { solanaWallet } from './client/solana.ts'
import { BITCOIN, NATIVE, NATIVE_SOL, SOLANA, USDC, WETH_ETHEREUM } from './client/tokens.ts'
import { type Operator, runPartner } from './demo/partner.ts'
import { type FeeMoney, type Route, swap } from './demo/swap.ts'
import { serve } from './serve.ts'

/**
 * Swaps between all kinds of chains on the offline network, as a client would: only over HTTP, with an ordinary wallet library
 * for each chain. Exits with 1 if a swap does not deliver the guaranteed amount.
 */

const [ETHEREUM, BASE, ARBITRUM] = [1, 8453, 42161] as const
const ONE_ETHER = '1000000000000000000'

type WalletName = 'evm' | 'solana' | 'bitcoin'
type Side = readonly [chainId: Route['inputChainId'], token: string]

const route = ([inputChainId, inputToken]: Side, inputAmount: string, [outputChainId, outputToken]: Side): Route => ({
  inputChainId,
  inputToken,
  inputAmount,
  outputChainId,
  outputToken,
})

const BASE_USDC: Side = [BASE, USDC.base]
const DOLLARS_250 = '250000000'
const FIRST = route(BASE_USDC, DOLLARS_250, [ARBITRUM, USDC.arbitrum])
const TO_SOLANA = route([ARBITRUM, USDC.arbitrum], DOLLARS_250, [SOLANA, NATIVE_SOL])
const ON_ETHEREUM = route([ETHEREUM, USDC.ethereum], '1000000000', [ETHEREUM, WETH_ETHEREUM])

const SWAPS: readonly (readonly [title: string, from: WalletName, to: WalletName, route: Route])[] = [
  ['EVM to EVM: 250 USDC on Base to USDC on Arbitrum', 'evm', 'evm', FIRST],
  ['EVM to Solana: 250 USDC on Arbitrum to SOL', 'evm', 'solana', TO_SOLANA],
  ['Solana to EVM: 250 USDC on Solana to USDC on Base', 'solana', 'evm', route([SOLANA, USDC.solana], DOLLARS_250, BASE_USDC)],
  ['Bitcoin to EVM: 0.05 BTC to USDC on Base', 'bitcoin', 'evm', route([BITCOIN, NATIVE], '5000000', BASE_USDC)],
  ['EVM to Bitcoin: 1 ETH on Base to BTC', 'evm', 'bitcoin', route([BASE, NATIVE], ONE_ETHER, [BITCOIN, NATIVE])],
  ['On one chain: 1000 USDC on Ethereum to WETH', 'evm', 'evm', ON_ETHEREUM],
]

const FEE_MONEY: { readonly [name in WalletName]: FeeMoney } = {
  evm: { [NATIVE]: ONE_ETHER },
  solana: { [NATIVE_SOL]: '1000000000' },
  bitcoin: { [NATIVE]: '100000' },
}

/** Keys that everybody can guess: for the offline network alone. */
const EVM_KEY = `0x${'07'.repeat(32)}` as const

const say = (line = ''): void => void process.stdout.write(`${line}\n`)

/** Makes every swap against a running service. Rejects at the first that does not end as promised. */
const runDemo = async (serviceUrl: string, controlUrl: string, operator: Operator): Promise<void> => {
  const service = connectService(serviceUrl)
  const control = controlNetwork(controlUrl)
  const chains = await service.call('chains')
  const chainOf = (chainId: number) => {
    const chain = chains.find((candidate) => candidate.chainId === chainId)
    if (!chain) throw new Error(`the service has no chain ${chainId}`)
    return chain
  }
  const wallets = {
    evm: evmWallet(control, privateKeyToAccount(EVM_KEY)),
    solana: solanaWallet(control, 7),
    bitcoin: bitcoinPayer(control, bitcoinWallet('p2wpkh', 'demo')),
  }
  const means = { service, control, chainOf, say, sender: wallets.evm, recipient: wallets.evm }
  say('Everything below happens on the offline network: simulated venues and prices, no real money.')
  say(`Wallets: EVM ${wallets.evm.address} (viem)`)
  say(`         Solana ${wallets.solana.address} (@solana/web3.js)`)
  say(`         Bitcoin ${wallets.bitcoin.address} (bitcoinjs-lib)`)
  for (const [i, [title, from, to, asked]] of SWAPS.entries()) {
    say(`\n${i + 1}. ${title}`)
    await swap(asked, FEE_MONEY[from], { ...means, sender: wallets[from], recipient: wallets[to] })
  }
  say('\nA partner, by an API key of its own')
  await runPartner(FIRST, FEE_MONEY.evm, { ...means, serviceUrl, operator })
  say(`\n${SWAPS.length} of ${SWAPS.length} swaps delivered what was promised, or more.`)
}

const OPERATOR = join(import.meta.dirname, 'operator.ts')

/** The operator's tool, as a process of its own beside the service. */
const operatorOf =
  (env: NodeJS.ProcessEnv): Operator =>
  async (...args) =>
    (await promisify(execFile)(process.execPath, [OPERATOR, ...args], { env: { ...process.env, ...env } })).stdout

const main = async (): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'swap-demo-'))
  try {
    const { VENUES_ENABLED } = process.env
    const { url, simnet, close } = await serve({
      ...(VENUES_ENABLED && { VENUES_ENABLED }),
      PORT: '0',
      METRICS_PORT: 'off',
      SIMNET_CONTROL_PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: '10000',
      SETTLEMENT_INTERVAL_SECONDS: '1',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    })
    try {
      if (!simnet) throw new Error('the demo runs on the offline network')
      const { controlUrl } = simnet
      await runDemo(url, controlUrl, operatorOf({ DATA_DIR: dataDir, SIMNET_CONTROL_PORT: new URL(controlUrl).port }))
    } finally {
      await close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`FAILED: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
