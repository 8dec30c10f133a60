import { answering, hasKey, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { NETWORKS, type Network, networkById, tokenBody } from './networks.ts'
import { VALIDATION } from './question.ts'
import { answerQuote } from './quotes.ts'
import { createTransfers } from './transfers.ts'

const ID = 'lifi'
const KEY = { lengthMax: 128, code: '1010', message: 'Invalid API key' }

/** The key that the offline network gives out; it takes every other one as well. */
const API_KEY = 'offline-lifi-key'

const STATUS_PARAMS = new Set(['txHash', 'transactionId', 'bridge', 'fromChain', 'toChain'])
const HASH = /^(?:0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{80,90})$/

/** LI.FI's API from its OpenAPI document and its contracts, with Circle's bridge behind it. https://docs.li.fi */
export const createLifi = (world: World): SimVenue => {
  const { tokens, market } = world
  const transfers = createTransfers(world, ID)

  const statusOf = async ({ query }: SimRequest): Promise<SimResponse> => {
    const stranger = [...query.keys()].find((name) => !STATUS_PARAMS.has(name))
    refuseIf(stranger !== undefined, VALIDATION, `[ValidationError] /${stranger} is unknown`)
    const txHash = query.get('txHash') ?? ''
    refuseIf(!HASH.test(txHash), VALIDATION, '[ValidationError] /txHash must be a transaction hash')
    for (const name of ['fromChain', 'toChain']) {
      const chain = query.get(name)
      refuseIf(chain !== null && networkById(chain) === null, VALIDATION, `[ValidationError] /${name} must be a valid chain`)
    }
    return ok(
      (await transfers.status(txHash, query.get('transactionId'))) ?? { status: 'NOT_FOUND', sending: null, receiving: null },
    )
  }

  const chainBody = ({ id, key, name, diamond, chainId }: Network) => {
    const coin = tokens.native(chainId)
    return {
      ...{ id, key, chainType: diamond === null ? 'SVM' : 'EVM', name, coin: coin.symbol, mainnet: true },
      nativeToken: tokenBody(coin, market.usdMicros(coin)),
      metamask: {
        ...{ chainId: `0x${id.toString(16)}`, chainName: name, blockExplorerUrls: [], rpcUrls: [] },
        nativeCurrency: { name: coin.name, symbol: coin.symbol, decimals: coin.decimals },
      },
      ...(diamond === null ? {} : { diamondAddress: diamond }),
    }
  }

  const route = async (request: SimRequest): Promise<SimResponse> => {
    const { method, path, headers } = request
    hasKey(headers['x-lifi-api-key'], KEY)
    if (method === 'GET' && path === '/v1/quote') return ok(await answerQuote(world, ID, request, transfers.issue))
    if (method === 'GET' && path === '/v1/status') return statusOf(request)
    if (method === 'GET' && path === '/v1/chains') return ok({ chains: NETWORKS.map(chainBody) })
    throw new Refusal('1003', 'Not Found', { status: 404 })
  }

  return {
    id: ID,
    handle: answering(route, ({ status, code, message, more }) => ({
      status,
      body: { message, ...(code === null ? {} : { code: Number(code) }), ...more },
    })),
    onTransaction: transfers.onTransaction,
    onDeposit: () => false,
    settings: { API_KEY },
    pricePaths: [],
  }
}
