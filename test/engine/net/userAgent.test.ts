import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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

/** Whom a request was meant for, by the first part of its path, and who it said is asking. */
type Heard = { readonly host: string; readonly userAgent: string | undefined }

/** All venues and chain endpoints at once: hears everything and answers nothing of use. */
const startOutside = async () => {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    const [, host = ''] = (request.url ?? '').split('/')
    heard.push({ host, userAgent: request.headers['user-agent'] })
    request.resume()
    response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
  })
  return { ...(await listening(server)), heard }
}

const venueIds = VENUE_DEFINITIONS.map(({ id }) => id)
const chainHost = (chainId: number) => `chain${chainId}`

/** A quote from each kind of chain, and a Solana payment's status: what every kind of client is used for. */
const askAround = async (serviceUrl: string) => {
  const { send } = connectService(serviceUrl)
  const [outputChainId, outputToken] = pair(TOKENS.usdcArbitrum)
  const wallet = { evm: WALLETS.evm, solana: WALLETS.solana, bitcoin: WALLETS.bitcoin }
  for (const [[inputChainId, inputToken], userAddress] of [
    [pair(TOKENS.usdcEthereum), wallet.evm],
    [pair(TOKENS.usdcSolana), wallet.solana],
    [[-1, NATIVE], wallet.bitcoin],
  ] as const) {
    const route = { inputChainId, inputToken, inputAmount: '5000000', outputChainId, outputToken }
    const addresses = { userAddress, destinationAddress: wallet.evm, refundAddress: userAddress }
    await send('POST', '/api/v1/quote', { body: { ...route, ...addresses } })
  }
  const sameChain = { outputChainId: 1, outputToken: NATIVE, inputAmount: '5000000', userAddress: wallet.evm }
  const [inputChainId, inputToken] = pair(TOKENS.usdcEthereum)
  await send('POST', '/api/v1/quote', { body: { inputChainId, inputToken, ...sameChain } })
  const [solana, usdc] = pair(TOKENS.usdcSolana)
  const onSolana = {
    inputChainId: solana,
    inputToken: NATIVE_SOL,
    inputAmount: '5000000',
    outputChainId: solana,
    outputToken: usdc,
  }
  await send('POST', '/api/v1/quote', { body: { ...onSolana, userAddress: wallet.solana } })
}

const heardBy = async (env: { readonly [key: string]: string }): Promise<readonly Heard[]> => {
  const outside = await startOutside()
  const dataDir = await mkdtemp(join(tmpdir(), 'swap-agent-'))
  try {
    const service = await serve({
      NETWORK: 'mainnet',
      PORT: '0',
      METRICS_PORT: 'off',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      ...Object.fromEntries(venueIds.map((id) => [venueKey(id, 'BASE_URL'), `${outside.url}/${id}`])),
      ...Object.fromEntries(
        VENUE_DEFINITIONS.filter(({ needsKey }) => needsKey).map(({ id }) => [venueKey(id, 'API_KEY'), 'a-key']),
      ),
      ...Object.fromEntries(CHAIN_IDS.map((chainId) => [rpcUrlsKey(chainId), `${outside.url}/${chainHost(chainId)}`])),
      ...env,
    })
    await askAround(service.url)
    await service.close()
    return outside.heard
  } finally {
    await outside.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

describe('every request that leaves the service [venue-user-agent]', () => {
  it.each([
    ['by its name and version', {}, `swap-service/${SERVICE_VERSION}`],
    ['as its operator wants', { USER_AGENT: 'example-swaps/7 (ops@example.org)' }, 'example-swaps/7 (ops@example.org)'],
  ])('says who is asking, %s: to all venues, JSON-RPC endpoints and explorers', async (_how, env, userAgent) => {
    const heard = await heardBy(env)
    const hosts = new Set(heard.map(({ host }) => host))
    for (const host of [...venueIds, ...[1, 42161, -1, -2].map(chainHost)]) expect(hosts).toContain(host)
    expect(new Set(heard.map((one) => one.userAgent))).toEqual(new Set([userAgent]))
  })
})
