import type { Environment } from '../../engine/config/config.ts'
import type { Simnet } from '../../engine/simnet/simnet.ts'
import { connectService } from '../../scripts/client/service.ts'
import { liveEnvironment } from '../../scripts/liveEnvironment.ts'
import { serve } from '../../scripts/serve.ts'
import type { TestService } from '../support/service.ts'

export type LiveService = Pick<TestService, 'send' | 'call'> & { close(): Promise<void> }

/** The service as it runs on the public network, pointed at an offline one that outlives it. Its records need a place of their own. */
export const startLive = async (simnet: Simnet, env: Environment & { readonly DATA_DIR: string }): Promise<LiveService> => {
  const service = await serve({
    ...liveEnvironment(simnet),
    PORT: '0',
    METRICS_PORT: 'off',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000',
    ...env,
  })
  return { ...connectService(service.url), close: service.close }
}
