import { takesFor } from '../../kit/lies.ts'
import { answering, hasKey, ok, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { nodeAnswers } from './answers.ts'
import { poolsOf } from './networks.ts'
import { createRegistrations } from './registrations.ts'
import { createSwaps } from './swaps.ts'
import { ONE } from './units.ts'
import { watchDeposits } from './watch.ts'

const ID = 'thorchain'
/** Where, on the host of the first node, the second one and the registration service stand in for hosts of their own. */
const SECOND = '/second'
const MEMOLESS = '/memoless/api/v1'
const KEY = { lengthMax: 256, code: 'UNAUTHORIZED', message: 'invalid API key' }

/** THORNode's API from its OpenAPI document and source, with the routers and vaults of its chains. https://dev.thorchain.org */
export const createThorchain = (world: World): SimVenue => {
  const { tokens, faults } = world
  const pools = poolsOf(tokens)
  const swaps = createSwaps(world, ID, pools)
  const registrations = createRegistrations(world, pools)

  const answers = nodeAnswers(world, { venue: ID, pools, swaps, registrations })

  const route = (request: SimRequest): SimResponse => {
    const { method, path, headers, body } = request
    if (path === `${MEMOLESS}/register` && method === 'POST') {
      hasKey(headers['x-api-key'], KEY)
      refuseIf(takesFor(faults, ID, path)('halt'), 'HALTED', 'memoless transactions are halted')
      return ok(registrations.register(body))
    }
    const own = path.startsWith(`${SECOND}/`) ? path.slice(SECOND.length) : path
    for (const [pattern, answer] of answers) {
      const match = method === 'GET' ? pattern.exec(own) : null
      if (match) return answer(request, ...match.slice(1))
    }
    return { status: 501, body: { code: 12, message: 'Not Implemented', details: [] } }
  }

  return {
    id: ID,
    handle: answering(route, ({ status: code, message, code: own }, { path }) =>
      path.startsWith(MEMOLESS)
        ? { status: code, body: { success: false, error: { code: own, message } } }
        : { status: code, body: { code: Number(own ?? 3), message, details: [] } },
    ),
    ...watchDeposits(world, { pools, swaps, registrations }),
    settings: { SECOND_URL: SECOND, MEMOLESS_URL: MEMOLESS },
    pricePaths: [],
  }
}

/** The stock of a vault in the router: what it may pay out of each token. */
export const VAULT_STOCK = ONE ** 8n
