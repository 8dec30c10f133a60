import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startSimnet } from '../engine/simnet/simnet.ts'
import { SERVICE_FLAGS, startProgram } from './client/program.ts'
import { connectService, type ServiceClient } from './client/service.ts'
import { executeAs } from './client/swap.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from './client/tokens.ts'
import type { Execution, QuoteRequest } from './client/wire.ts'
import { liveEnvironment } from './liveEnvironment.ts'

/**
 * Repeats quote, execution and status on one service: `npm run soak -- --minutes 10`. Compares the smallest heap of the second
 * quarter of the time with that of the last. Exits with 1 if a call fails or the heap grew by more than a third.
 */
const GROWTH_MAX = 4 / 3

const EVM = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

const SWAPS: { readonly [type in Execution['executionType']]: QuoteRequest } = {
  DEPOSIT: {
    ...{ inputChainId: -1, outputChainId: 8453, inputToken: NATIVE, outputToken: USDC.base, inputAmount: '5000000' },
    ...{ userAddress: BITCOIN, destinationAddress: EVM, refundAddress: BITCOIN },
  },
  TRANSACTION: {
    ...{ inputChainId: 8453, outputChainId: 42161, inputToken: USDC.base, outputToken: USDC.arbitrum, inputAmount: '250000000' },
    userAddress: EVM,
  },
  SIGNATURE: {
    ...{ inputChainId: 1, outputChainId: 1, inputToken: USDC.ethereum, outputToken: WETH_ETHEREUM, inputAmount: '1000000000' },
    userAddress: EVM,
  },
}

const memoryOf = async (monitorUrl: string): Promise<readonly number[]> => {
  const page = await (await fetch(`${monitorUrl}/metrics`)).text()
  const names = ['nodejs_heap_size_used_bytes', 'process_resident_memory_bytes']
  return names.map((name) => Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(page)?.[1] ?? Number.NaN))
}

/** A swap from quote to its first status, without a payment: the chains use the network's clock, and the service its own. */
const openSwap = async (client: ServiceClient, executionType: Execution['executionType'], nth: number): Promise<void> => {
  const { quoteToken } = await client.call('quote', {
    body: { ...SWAPS[executionType], inputAmount: String(Number(SWAPS[executionType].inputAmount) + nth) },
  })
  const execution = await executeAs(client, executionType, { quoteToken })
  if (!('statusRef' in execution)) return
  const { status } = await client.call('status', { query: { quoteToken, ref: execution.statusRef } })
  if (status !== 'pending') throw new Error(`an unpaid swap is ${status}`)
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
  const lastsMs = Number(values.minutes) * 60_000
  const dataDir = mkdtempSync(join(tmpdir(), 'swap-soak-'))
  const simnet = await startSimnet({ controlPort: 0, seed: '1' })
  const settings = {
    PORT: '0',
    METRICS_PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000',
    VENUES_ENABLED: 'near-intents,across,cow',
  }
  const service = startProgram(new URL('start.ts', import.meta.url), {
    env: { ...liveEnvironment(simnet), ...settings },
    flags: SERVICE_FLAGS,
  })
  try {
    const client = connectService(await service.url)
    const monitorUrl = /^Monitoring on (\S+)$/m.exec(service.stderr())?.[1] ?? ''
    const startedAt = performance.now()
    const least = Array.from({ length: 4 }, () => [Infinity, Infinity] as readonly number[])
    let swaps = 0
    for (let elapsed = 0; elapsed < lastsMs; elapsed = performance.now() - startedAt) {
      for (const type of ['DEPOSIT', 'TRANSACTION', 'SIGNATURE'] as const) await openSwap(client, type, swaps)
      swaps += 3
      const [quarter, now] = [Math.floor((4 * elapsed) / lastsMs), await memoryOf(monitorUrl)]
      least[quarter] = (least[quarter] ?? []).map((bytes, at) => Math.min(bytes, now[at] ?? Number.NaN))
    }
    const growth = (least[3]?.[0] ?? Number.NaN) / (least[1]?.[0] ?? Number.NaN)
    const ofQuarters = (at: number) => least.map((bytes) => Math.round((bytes[at] ?? Number.NaN) / 1_048_576)).join(', ')
    process.stdout.write(
      `${swaps} swaps; least heap per quarter: ${ofQuarters(0)} MiB, RSS: ${ofQuarters(1)} MiB; growth ${growth.toFixed(2)} [ops-memory-flat]\n`,
    )
    if (!(growth <= GROWTH_MAX)) process.exitCode = 1
  } finally {
    service.child.kill('SIGTERM')
    await service.ended
    await simnet.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

await main()
