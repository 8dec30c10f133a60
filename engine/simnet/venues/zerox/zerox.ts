import { answering, found, hasKey, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { ALLOWANCE_HOLDER, chainsBody, GASLESS_CHAIN_IDS, SWAP_CHAIN_IDS } from './networks.ts'
import { answerQuote } from './quotes.ts'
import { refusalBody, refuseInput } from './refusal.ts'
import { createTrades } from './trades.ts'

const KEY = { lengthMax: 128, code: null, message: 'Invalid authentication credentials' }

/** The key that the offline network gives out; it takes every other one as well. */
const API_KEY = 'offline-0x-key'

const QUOTES = ['/swap/allowance-holder/price', '/swap/allowance-holder/quote', '/gasless/price', '/gasless/quote']
const STATUS = /^\/gasless\/status\/(0x[0-9a-fA-F]{64})$/

/** 0x's Swap and Gasless APIs, the contracts behind them and the relayer of signed trades: https://docs.0x.org/openapi/evm-apis.json */
export const createZerox = (world: World): SimVenue => {
  const trades = createTrades(world)
  const newZid = () => `0x${world.random.hex(24)}`

  const get = (request: SimRequest): SimResponse | Promise<SimResponse> | null => {
    const { path, query } = request
    if (QUOTES.includes(path)) return answerQuote(world, request, trades.keep)
    if (path === '/swap/chains') return ok({ chains: chainsBody(SWAP_CHAIN_IDS), zid: newZid() })
    if (path === '/gasless/chains') return ok({ chains: chainsBody(GASLESS_CHAIN_IDS), zid: newZid() })
    if (path === '/sources') {
      refuseInput(!SWAP_CHAIN_IDS.includes(Number(query.get('chainId'))), 'chainId', 'Invalid chain')
      return ok({ sources: ['Offline_Pool'], zid: newZid() })
    }
    const tradeHash = STATUS.exec(path)?.[1]
    return tradeHash === undefined ? null : trades.status(request, tradeHash.toLowerCase())
  }

  const route = (request: SimRequest): SimResponse | Promise<SimResponse> => {
    const { method, path, headers } = request
    if (!hasKey(headers['0x-api-key'], KEY)) throw new Refusal(null, 'No API key found in request', { status: 401 })
    refuseIf(headers['0x-version'] !== 'v2', 'INPUT_INVALID', 'The input is invalid', {
      details: [{ field: '0x-version', reason: 'Must be v2' }],
    })
    const isSubmit = method === 'POST' && path === '/gasless/submit'
    const answer = isSubmit ? trades.submit(request) : method === 'GET' ? get(request) : null
    return found(answer, null, 'no Route matched with those values', { status: 404 })
  }

  return {
    id: 'zerox',
    handle: answering(route, refusalBody(world.random)),
    // Nobody is paid by deposit, and a call that landed is done.
    onDeposit: () => false,
    onTransaction: ({ to }) => to.toLowerCase() === ALLOWANCE_HOLDER,
    settings: { API_KEY },
    pricePaths: [],
  }
}
