import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../engine/config/config.ts'
import type { Simnet } from '../../engine/simnet/simnet.ts'
import { controlNetwork, type NetworkControl } from '../../scripts/client/network.ts'
import { connectService, type ServiceClient } from '../../scripts/client/service.ts'
import { serve } from '../../scripts/serve.ts'
import { ownDatabase } from './postgres/ownDatabase.ts'
import { type Recorder, startRecorder } from './recorder.ts'

/** A whole running service on an offline network of its own. */
export type TestService = ServiceClient & {
  /** Where clients call: the service, or what records its answers for Prism when the whole of `npm test` runs. */
  readonly publicUrl: string
  /** What has another process find its records, beside the data folder. */
  readonly databaseEnv: Environment
  /** The service itself, whatever stands in front of it. */
  readonly url: string
  /** Where liveness, readiness and metrics are told; null unless `METRICS_PORT` is set to 0. */
  readonly monitorUrl: string | null
  readonly control: NetworkControl
  readonly simnet: Simnet
  /** Ends everything. */
  close(): Promise<void>
}

type Venues = { readonly VENUES_ENABLED: string }

/** The venues that a suite is about: those to come change nothing that it says. */
export const only = (...ids: readonly string[]): Venues => ({ VENUES_ENABLED: ids.join(',') })

/** So that only tests about the limits meet them. */
const UNLIMITED_PER_MINUTE = '1000000'

/**
 * Starts the real service, real adapters included, against a fresh offline network: free ports, data in a temporary
 * folder, nothing logged. `env` names the venues, by `only`, and overrides any setting.
 */
export const startService = async (env: Environment & Venues): Promise<TestService> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'swap-service-'))
  const database = await ownDatabase()
  const removeData = async () => {
    await rm(dataDir, { recursive: true, force: true })
    await database.remove()
  }
  const service = await serve({
    PORT: '0',
    METRICS_PORT: 'off',
    SIMNET_CONTROL_PORT: '0',
    SIMNET_SEED: '1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: UNLIMITED_PER_MINUTE,
    VENUE_DEBRIDGE_REQUESTS_PER_MINUTE: UNLIMITED_PER_MINUTE,
    VENUE_KYBERSWAP_REQUESTS_PER_MINUTE: UNLIMITED_PER_MINUTE,
    VENUE_JUPITER_REQUESTS_PER_MINUTE: UNLIMITED_PER_MINUTE,
    VENUE_RELAY_REQUESTS_PER_MINUTE: UNLIMITED_PER_MINUTE,
    VENUE_ZEROX_REQUESTS_PER_MINUTE: UNLIMITED_PER_MINUTE,
    VENUE_THORCHAIN_REQUESTS_PER_MINUTE: UNLIMITED_PER_MINUTE,
    VENUE_UNISWAPX_REQUESTS_PER_MINUTE: UNLIMITED_PER_MINUTE,
    VENUE_LIFI_REQUESTS_PER_MINUTE: UNLIMITED_PER_MINUTE,
    ...database.env,
    ...env,
  }).catch(async (error: unknown) => {
    await removeData()
    throw error
  })
  if (!service.simnet) throw new Error('tests run on the offline network only')
  const folder = process.env['SWAP_TEST_RECORD_TO']
  const recorder: Recorder | null = folder ? await startRecorder(service.url, join(folder, `${randomUUID()}.jsonl`)) : null
  const publicUrl = recorder?.url ?? service.url
  return {
    publicUrl,
    databaseEnv: database.env,
    url: service.url,
    monitorUrl: service.monitorUrl,
    control: controlNetwork(service.simnet.controlUrl),
    simnet: service.simnet,
    ...connectService(publicUrl),
    close: async () => {
      await recorder?.close()
      await service.close()
      await removeData()
    },
  }
}
