import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runDemo } from './demo/runDemo.ts'
import { serve } from './serve.ts'

/**
 * Swaps between all kinds of chains on the offline network, made as a client would make them: over HTTP alone, with an
 * ordinary wallet library for each chain. Ends with exit code 1 when a swap does not deliver what was promised.
 */

const main = async (): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'swap-demo-'))
  try {
    const { VENUES_ENABLED } = process.env
    const { url, simnet, close } = await serve({
      ...(VENUES_ENABLED && { VENUES_ENABLED }),
      PORT: '0',
      SIMNET_CONTROL_PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: '10000',
    })
    try {
      if (!simnet) throw new Error('the demo runs on the offline network')
      await runDemo({ serviceUrl: url, controlUrl: simnet.controlUrl }, (line = '') => process.stdout.write(`${line}\n`))
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
