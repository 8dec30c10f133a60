import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { rpcUrlsKey } from '../../../engine/config/chains.ts'
import { venueKey } from '../../../engine/config/venues.ts'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import { CHAIN_IDS } from '../../../engine/core/chain.ts'
import { SERVICE_VERSION } from '../../../engine/core/serviceVersion.ts'
import { VENUE_DEFINITIONS } from '../../../engine/venues/registry.ts'
import { connectService } from '../../../scripts/client/service.ts'
import { serve } from '../../../scripts/serve.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closing } from '../../support/closing.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { listening } from '../../support/listening.ts'

const own = closing()
const venueIds = VENUE_DEFINITIONS.map(({ id }) => id)
const chainHost = (chainId: number) => `chain${chainId}`
const { evm, solana, bitcoin } = WALLETS
const usdcArbitrum = pair(TOKENS.usdcArbitrum)

/** Swaps from each kind of chain, so that the service uses each kind of client. */
const SWAPS = [
  [pair(TOKENS.usdcEthereum), usdcArbitrum, evm],
  [pair(TOKENS.usdcSolana), usdcArbitrum, solana],
  [[-1, NATIVE], usdcArbitrum, bitcoin],
  [pair(TOKENS.usdcEthereum), [1, NATIVE], evm],
  [[-2, NATIVE_SOL], pair(TOKENS.usdcSolana), solana],
] as const

it.each([
  ['the service and its version', {}, `swap-service/${SERVICE_VERSION}`],
  ['the text of USER_AGENT', { USER_AGENT: 'example-swaps/7 (ops@example.org)' }, 'example-swaps/7 (ops@example.org)'],
])('user agent: every request to venues and chain endpoints names %s [venue-user-agent]', async (_what, env, userAgent) => {
  const hosts = new Set<string | undefined>()
  const agents = new Set<string | undefined>()
  const server = createServer((request, response) => {
    hosts.add(request.url?.split('/')[1])
    agents.add(request.headers['user-agent'])
    request.resume()
    response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
  })
  const outside = own(await listening(server))
  const dataDir = await mkdtemp(join(tmpdir(), 'swap-agent-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const keyed = VENUE_DEFINITIONS.filter(({ needsKey }) => needsKey)
  const service = await serve({
    ...{ NETWORK: 'mainnet', PORT: '0', METRICS_PORT: 'off', DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    ...Object.fromEntries(venueIds.map((id) => [venueKey(id, 'BASE_URL'), `${outside.url}/${id}`])),
    ...Object.fromEntries(keyed.map(({ id }) => [venueKey(id, 'API_KEY'), 'a-key'])),
    ...Object.fromEntries(CHAIN_IDS.map((chainId) => [rpcUrlsKey(chainId), `${outside.url}/${chainHost(chainId)}`])),
    ...env,
  })
  for (const [[inputChainId, inputToken], [outputChainId, outputToken], userAddress] of SWAPS) {
    const addresses = outputChainId === usdcArbitrum[0] ? { destinationAddress: evm, refundAddress: userAddress } : {}
    const route = { inputChainId, inputToken, inputAmount: '5000000', outputChainId, outputToken }
    await connectService(service.url).send('POST', '/api/v1/quote', { body: { ...route, userAddress, ...addresses } })
  }
  await service.close()
  for (const host of [...venueIds, ...[1, 42161, -1, -2].map(chainHost)]) expect(hosts).toContain(host)
  expect([...agents]).toEqual([userAgent])
})
