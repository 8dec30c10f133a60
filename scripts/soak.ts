import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startSimnet } from '../engine/simnet/simnet.ts'
import { connectService, type ServiceClient } from './client/service.ts'
import { executeAs } from './client/swap.ts'
import { NATIVE, USDC } from './client/tokens.ts'
import { projectRoot } from './contract/document.ts'
import { liveEnvironment } from './liveEnvironment.ts'

/**
 * Uses one service for a while, from quote to execution and status again and again, and compares the least heap of the second quarter of the
 * time with that of the last: `npm run soak -- --minutes 10`. Exits 1 when a call fails or the heap grew by more than a third.
 */
const GROWTH_MAX = 4 / 3

const SWAP = {
  inputChainId: -1,
  outputChainId: 8453,
  inputToken: NATIVE,
  outputToken: USDC.base,
  inputAmount: '5000000',
  userAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  destinationAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  refundAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
} as const

const startService = async (env: { readonly [name: string]: string }) => {
  const child = spawn(process.execPath, [join(projectRoot, 'scripts/start.ts')], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  for await (const text of child.stderr.setEncoding('utf8')) {
    output += text as string
    const [url, monitorUrl] = [/^Listening on (\S+)$/m, /^Monitoring on (\S+)$/m].map((line) => line.exec(output)?.[1])
    if (url !== undefined && monitorUrl !== undefined) return { child: child as ChildProcess, url, monitorUrl }
  }
  throw new Error(`the service did not start: ${output}`)
}

const heapOf = async (monitorUrl: string): Promise<number> => {
  const page = await (await fetch(`${monitorUrl}/metrics`)).text()
  return Number(/^nodejs_heap_size_used_bytes(?:\{.*\})? (\S+)$/m.exec(page)?.[1] ?? Number.NaN)
}

/** A swap from quote to its first status. Nothing is paid: the chains' time is that of the network, and the service has its own. */
const openSwap = async (client: ServiceClient): Promise<void> => {
  const { quoteToken } = await client.call('quote', { body: SWAP })
  const { statusRef } = await executeAs(client, 'DEPOSIT', { quoteToken })
  const { status } = await client.call('status', { query: { quoteToken, ref: statusRef } })
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
    VENUES_ENABLED: 'near-intents',
  }
  const { child, url, monitorUrl } = await startService({ ...liveEnvironment(simnet), ...settings })
  try {
    const [client, startedAt] = [connectService(url), performance.now()]
    const least: [number, number, number, number] = [Infinity, Infinity, Infinity, Infinity]
    let swaps = 0
    for (let elapsed = 0; elapsed < lastsMs; elapsed = performance.now() - startedAt) {
      await openSwap(client)
      swaps += 1
      const quarter = Math.floor((4 * elapsed) / lastsMs) as 0 | 1 | 2 | 3
      least[quarter] = Math.min(least[quarter], await heapOf(monitorUrl))
    }
    const growth = least[3] / least[1]
    const megabytes = least.map((bytes) => Math.round(bytes / 1_048_576)).join(', ')
    process.stdout.write(`${swaps} swaps opened; least heap per quarter: ${megabytes} MiB; growth ${growth.toFixed(2)}\n`)
    if (!(growth <= GROWTH_MAX)) process.exitCode = 1
  } finally {
    child.kill('SIGTERM')
    await once(child, 'close')
    await simnet.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

await main()
