import type { Environment } from '../../engine/config.ts'
import type { Simnet } from '../../engine/simnet/simnet.ts'
import { serve } from '../../scripts/serve.ts'
import { clientOf, type TestService } from '../support/service.ts'

export type LiveService = Pick<TestService, 'send' | 'call'> & { close(): Promise<void> }

const venueKey = (id: string, name: string): string => `VENUE_${id.toUpperCase().replaceAll('-', '_')}_${name}`
const rpcKey = (chainId: string): string => `RPC_URLS_${{ '-1': 'BITCOIN', '-2': 'SOLANA' }[chainId] ?? chainId}`

/** What an operator would set to have the service of the public network talk to this one instead. */
export const liveEnvironment = ({ venues, rpcUrls }: Simnet): Environment => ({
  NETWORK: 'mainnet',
  ...Object.fromEntries(Object.entries(rpcUrls).map(([chainId, url]) => [rpcKey(chainId), url])),
  ...Object.fromEntries(
    Object.entries(venues).flatMap(([id, { baseUrl, settings }]) => [
      [venueKey(id, 'BASE_URL'), baseUrl],
      ...Object.entries(settings).map(([name, value]) => [venueKey(id, name), value]),
    ]),
  ),
})

/** The service as it runs on the public network, pointed at an offline one that outlives it. */
export const startLive = async (simnet: Simnet, env: Environment): Promise<LiveService> => {
  const service = await serve({
    ...liveEnvironment(simnet),
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000',
    ...env,
  })
  return { ...clientOf(service.url), close: service.close }
}
