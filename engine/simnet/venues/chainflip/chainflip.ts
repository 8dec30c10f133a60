import { schnorr } from '@noble/curves/secp256k1.js'
import { base58 } from '@scure/base'
import { listOf, matching, oneOf, readFields, text, type } from '../../kit/fields.ts'
import { misquotedBy, takesFor } from '../../kit/lies.ts'
import { answering, found, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { VAULT_PROGRAM, vaultAddress } from './channels.ts'
import { vaultOn } from './networks.ts'
import { createOpenings, refuseHalt } from './openings.ts'
import { createOrders } from './orders.ts'
import { checkAmount } from './pricing.ts'
import { readQuoteQuery } from './requests.ts'
import { statusBody } from './status.ts'
import { watchVaults } from './vaultSwap.ts'
import { networkBody, quoteBody } from './views.ts'

const ID = 'chainflip'
const SOL_VAULT = '3tJ67qa2GDfvv2wcMYNUfN5QBZrFpTwcU8ASZKMvCTVU'
const MINUTE_MS = 60_000
/** Of names that it does not know in a minute: then nothing is told for ten. */
const STRANGERS_MAX = 10

const RPC = {
  required: {
    jsonrpc: oneOf('2.0'),
    id: type('a number or a text', (value) => (typeof value === 'number' || typeof value === 'string' ? value : undefined)),
    method: matching('a method', /^[a-z_0-9]{1,64}$/),
    params: listOf(text(0, 0), 0),
  },
  optional: {},
}

const BATCH_MAX = 16

/** Notes who asks by names that nobody has. */
const createStrangers = ({ now }: World['clock']) => {
  let at: number[] = []
  let pausedUntil = 0
  return {
    check: () => refuseIf(now() < pausedUntil, null, 'Too many requests, please try again later', { status: 429 }),
    add: () => {
      at = [...at.filter((each) => now() - each < MINUTE_MS), now()]
      if (at.length > STRANGERS_MAX) pausedUntil = now() + 10 * MINUTE_MS
    },
  }
}

/**
 * Chainflip's public backend and a node of its State Chain, from their sources: quotes, deposit channels, calls of the vault, and
 * swaps that end by a delivery, a refund, or not at all. https://github.com/chainflip-io/chainflip-sdk-monorepo
 */
export const createChainflip = (world: World): SimVenue => {
  const { clock, faults, market, tokens, random } = world
  const orders = createOrders(world, ID)
  const strangers = createStrangers(clock)
  const vaultKey = schnorr.getPublicKey(random.bytes(32))
  const { postChannel, postVaultSwap } = createOpenings(world, ID, { orders, vaultKey })

  const getQuote = ({ query, path }: SimRequest): SimResponse => {
    const takes = takesFor(faults, ID, path)
    const question = readQuoteQuery(query, tokens)
    refuseHalt(takes, question.src.name)
    checkAmount(question, question.amount, market)
    return ok([quoteBody({ ...question, misquoted: misquotedBy(takes) }, world)])
  }

  const getSwap = (id: string): SimResponse => {
    strangers.check()
    const channel = orders.channel(id)
    const swap = channel?.swaps.at(-1) ?? orders.byPayment(id)
    if (!swap) strangers.add()
    const known = found(swap, null, 'resource not found', { status: 404 })
    return ok(statusBody(known, channel, orders.seen(known).length > 0, clock.now()))
  }

  const answerRpc = async (body: unknown): Promise<object> => {
    const asked = readFields(body, RPC, ({ name }) => new Refusal(null, `invalid request: ${name}`))
    if (asked.method !== 'cf_get_vault_addresses')
      return { jsonrpc: '2.0', id: asked.id, error: { code: -32_601, message: 'Method not found' } }
    const evm = (chainId: number) => [...Buffer.from((vaultOn(chainId) ?? '').slice(2), 'hex')]
    const bitcoin_vault = { Btc: [...Buffer.from(await vaultAddress(vaultKey))] }
    const [sol_vault_program, solana_sol_vault] = [VAULT_PROGRAM, SOL_VAULT].map((address) => ({
      Sol: [...base58.decode(address)],
    }))
    const onSolana = { sol_vault_program, solana_sol_vault }
    const onEvm = { ethereum: { Eth: evm(1) }, arbitrum: { Arb: evm(42161) }, bsc: { Bsc: evm(56) } }
    const result = { ...onEvm, ...onSolana, bitcoin: [], bitcoin_vault }
    return { jsonrpc: '2.0', id: asked.id, result }
  }

  /** A node of the State Chain, which is nobody's backend. Questions come alone, or several in a list. */
  const postRpc = async ({ body }: SimRequest): Promise<SimResponse> =>
    ok(Array.isArray(body) ? await Promise.all(body.slice(0, BATCH_MAX).map(answerRpc)) : await answerRpc(body))

  const ROUTES: { readonly [route: string]: (request: SimRequest) => SimResponse | Promise<SimResponse> } = {
    'GET /api/networkInfo': ({ path }) => ok(networkBody(takesFor(faults, ID, path)('halt'))),
    'GET /v2/quote': getQuote,
    'POST /api/openSwapDepositChannel': postChannel,
    'POST /api/encodeVaultSwapData': postVaultSwap,
    'POST /rpc': postRpc,
    'GET /healthcheck': () => ({ status: 200, body: 'OK', contentType: 'text/plain' }),
  }

  const route = (request: SimRequest): SimResponse | Promise<SimResponse> => {
    const { method, path } = request
    const [, id] = /^\/v2\/swaps\/([^/]+)$/.exec(path) ?? []
    if (method === 'GET' && id !== undefined) return getSwap(decodeURIComponent(id))
    return found(ROUTES[`${method} ${path}`], null, 'resource not found', { status: 404 })(request)
  }

  return {
    id: ID,
    // Bodies that do not fit are refused as zod words it, everything else in a message.
    handle: answering(route, ({ status, code, message, more }) => ({ status, body: code === 'ZodError' ? more : { message } })),
    onDeposit: ({ chainId, address, token, amount, txHash }) => orders.deposit({ chainId, address, token }, txHash, amount),
    onTransaction: watchVaults(world, orders),
    settings: { RPC_URL: '/rpc' },
    pricePaths: [{ path: '/api/encodeVaultSwapData' }, { path: '/rpc' }],
  }
}
