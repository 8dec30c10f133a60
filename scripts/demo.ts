import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Operator } from './demo/partner.ts'
import { startReceiver } from './demo/receiver.ts'
import { runDemo } from './demo/runDemo.ts'
import { serve } from './serve.ts'

/**
 * Swaps between all kinds of chains on the offline network, as a client would: only over HTTP, with an ordinary wallet library
 * for each chain. Exits with 1 if a swap does not deliver the guaranteed amount.
 */

const OPERATOR = join(import.meta.dirname, 'operator.ts')

/** The operator's tool, as a process of its own beside the service. */
const operatorOf =
  (env: NodeJS.ProcessEnv): Operator =>
  async (...args) =>
    (await promisify(execFile)(process.execPath, [OPERATOR, ...args], { env: { ...process.env, ...env } })).stdout

const main = async (): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'swap-demo-'))
  const receiver = await startReceiver()
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
      const operator = operatorOf({ DATA_DIR: dataDir, SIMNET_CONTROL_PORT: new URL(controlUrl).port })
      const say = (line = '') => void process.stdout.write(`${line}\n`)
      await runDemo({ serviceUrl: url, controlUrl, partner: { receiver, operator } }, say)
    } finally {
      await close()
    }
  } finally {
    await receiver.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`FAILED: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
