import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rpcUrlsKey } from '../../../engine/config/chains.ts'
import { venueKey } from '../../../engine/config/venues.ts'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import { CHAIN_IDS } from '../../../engine/core/chain.ts'
import { SERVICE_VERSION } from '../../../engine/core/serviceVersion.ts'
import { VENUE_DEFINITIONS } from '../../../engine/venues/registry.ts'
import { connectService } from '../../../scripts/client/service.ts'
import { serve } from '../../../scripts/serve.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { listening } from '../../support/listening.ts'

type Heard = { readonly host: string; readonly userAgent: string | undefined }

const venueIds = VENUE_DEFINITIONS.map(({ id }) => id)
const chainHost = (chainId: number) => `chain${chainId}`

/** Quotes from each kind of chain, so that the service uses each kind of client. */
const quoteAll = async (serviceUrl: string) => {
  const { send } = connectService(serviceUrl)
  const { evm, solana, bitcoin } = WALLETS
  const bridge = pair(TOKENS.usdcArbitrum)
  for (const [[inputChainId, inputToken], [outputChainId, outputToken], userAddress] of [
    [pair(TOKENS.usdcEthereum), bridge, evm],
    [pair(TOKENS.usdcSolana), bridge, solana],
    [[-1, NATIVE], bridge, bitcoin],
    [pair(TOKENS.usdcEthereum), [1, NATIVE], evm],
    [[-2, NATIVE_SOL], pair(TOKENS.usdcSolana), solana],
  ] as const) {
    const addresses = outputChainId === bridge[0] ? { destinationAddress: evm, refundAddress: userAddress } : {}
    const route = { inputChainId, inputToken, inputAmount: '5000000', outputChainId, outputToken }
    await send('POST', '/api/v1/quote', { body: { ...route, userAddress, ...addresses } })
  }
}

/** Serves against one server that stands for all venues and chain endpoints, and returns what that server received. */
const requestsOf = async (env: { readonly [key: string]: string }): Promise<readonly Heard[]> => {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    const [, host = ''] = (request.url ?? '').split('/')
    heard.push({ host, userAgent: request.headers['user-agent'] })
    request.resume()
    response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
  })
  const outside = await listening(server)
  const dataDir = await mkdtemp(join(tmpdir(), 'swap-agent-'))
  const keyed = VENUE_DEFINITIONS.filter(({ needsKey }) => needsKey)
  try {
    const service = await serve({
      NETWORK: 'mainnet',
      PORT: '0',
      METRICS_PORT: 'off',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      ...Object.fromEntries(venueIds.map((id) => [venueKey(id, 'BASE_URL'), `${outside.url}/${id}`])),
      ...Object.fromEntries(keyed.map(({ id }) => [venueKey(id, 'API_KEY'), 'a-key'])),
      ...Object.fromEntries(CHAIN_IDS.map((chainId) => [rpcUrlsKey(chainId), `${outside.url}/${chainHost(chainId)}`])),
      ...env,
    })
    await quoteAll(service.url)
    await service.close()
    return heard
  } finally {
    await outside.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

it.each([
  ['the service and its version', {}, `swap-service/${SERVICE_VERSION}`],
  ['the text of USER_AGENT', { USER_AGENT: 'example-swaps/7 (ops@example.org)' }, 'example-swaps/7 (ops@example.org)'],
])(
  'user agent: every request to venues, JSON-RPC endpoints and explorers names %s [venue-user-agent]',
  async (_what, env, userAgent) => {
    const heard = await requestsOf(env)
    const hosts = new Set(heard.map(({ host }) => host))
    for (const host of [...venueIds, ...[1, 42161, -1, -2].map(chainHost)]) expect(hosts).toContain(host)
    expect(new Set(heard.map((one) => one.userAgent))).toEqual(new Set([userAgent]))
  },
)
