/**
 * How long a delivery is on its chain before /status tells `success`, by the network's clock: swaps of the native coin from
 * Base to every other chain, each looked at every quarter of a second. Prints a table; exits 1 when one does not end so.
 * `--runs 20` for each chain.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { nativeAsset } from '../engine/core/asset.ts'
import { CHAINS, type ChainId } from '../engine/core/chain.ts'
import { evmWallet } from './client/evm.ts'
import { controlNetwork, type NetworkControl } from './client/network.ts'
import { connectService, type ServiceClient } from './client/service.ts'
import { carryOut, fund, statusOf } from './client/swap.ts'
import { serve } from './serve.ts'
import { createParties } from './sweep/parties.ts'

const FROM = 8453
const AMOUNT = parseEther('1').toString()
const LOOK_MS = 250
const LOOKS_MAX = 40_000

type Means = { readonly service: ServiceClient; readonly control: NetworkControl; readonly seed: string }

/** Milliseconds from the first look that shows the delivery in a block to the one that tells success. */
const settle = async (chainId: ChainId, { service, control, seed }: Means): Promise<number> => {
  const wallet = await evmWallet(control, privateKeyToAccount(generatePrivateKey()))
  await fund({ control }, FROM, wallet.address, { [nativeAsset(FROM).address]: parseEther('2').toString() })
  const body = {
    inputChainId: FROM,
    inputToken: nativeAsset(FROM).address,
    inputAmount: AMOUNT,
    outputChainId: chainId,
    outputToken: nativeAsset(chainId).address,
    userAddress: wallet.address,
    destinationAddress: createParties(seed).recipient.on(chainId),
  } as const
  const quote = await service.call('quote', { body })
  const execution = await service.call('execute', { body: { quoteToken: quote.quoteToken } })
  const { ref } = await carryOut(execution, quote, { service, wallet })
  let shown: number | null = null
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const { status, txHash } = await statusOf(service, { quoteToken: quote.quoteToken, ref })
    if (txHash !== undefined) shown ??= look
    if (status === 'success') return (look - (shown ?? look)) * LOOK_MS
    await control.advance(LOOK_MS)
  }
  throw new Error(`a swap to chain ${chainId} did not end`)
}

/** The least that so many of a hundred do not exceed. */
const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.ceil((times.length * share) / 100) - 1)] ?? 0

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '20' } } })
  const runs = Number(values.runs)
  const dataDir = mkdtempSync(join(tmpdir(), 'swap-settlement-'))
  const { url, simnet, close } = await serve({
    PORT: '0',
    METRICS_PORT: 'off',
    SIMNET_CONTROL_PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000',
    VENUE_JUPITER_REQUESTS_PER_MINUTE: '1000000',
    VENUE_RELAY_REQUESTS_PER_MINUTE: '1000000',
    VENUE_ZEROX_REQUESTS_PER_MINUTE: '1000000',
    VENUE_UNISWAPX_REQUESTS_PER_MINUTE: '1000000',
    VENUES_ENABLED: 'relay',
    DATA_DIR: dataDir,
  })
  try {
    if (!simnet) throw new Error('this runs on the offline network')
    const [service, control] = [connectService(url), controlNetwork(simnet.controlUrl)]
    process.stdout.write('chain                runs   p50 s   p95 s\n')
    for (const { chainId, name } of CHAINS.filter((chain) => chain.chainId !== FROM)) {
      const times: number[] = []
      for (let run = 0; run < runs; run += 1) times.push(await settle(chainId, { service, control, seed: `${chainId} ${run}` }))
      const [half, most] = [percentile(times, 50), percentile(times, 95)].map((ms) => (ms / 1_000).toFixed(2).padStart(8))
      process.stdout.write(`${name.padEnd(20)}${String(times.length).padStart(5)}${half}${most}\n`)
    }
  } finally {
    await close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

await main()
