import { base58 } from '@scure/base'
import type { SolanaInstructionPlan } from '../../../chains/solana/solanaCodec.ts'
import { SOLANA } from '../../../core/chain.ts'
import { alteredTerms, misquotedBy, type Takes, takesFor } from '../../kit/lies.ts'
import { answering, found, hasKey, ok, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { type BuildQuery, readBuildQuery } from './buildQuery.ts'
import { holdingOf, instructionsOf } from './instructions.ts'
import { type Deal, priced } from './pricing.ts'
import { jupiterProgram, tableOf } from './program.ts'
import { PROGRAM } from './published.ts'
import { createRateLimit } from './rateLimit.ts'

const ID = 'jupiter'
const NO_ROUTES = 'No routes found'
const KEY = { lengthMax: 256, code: null, message: 'Unauthorized' }

const wireInstruction = ({ programId, accounts, data }: SolanaInstructionPlan) => ({
  programId,
  accounts: accounts.map(({ address, isSigner = false, isWritable = false }) => ({ pubkey: address, isSigner, isWritable })),
  data: Buffer.from(data).toString('base64'),
})

const routePlan = ({ hops }: Deal) =>
  hops.map(({ from, to, inAmount, outAmount }, at) => ({
    swapInfo: {
      ammKey: PROGRAM,
      label: `Pool ${at + 1}`,
      inputMint: from.address,
      outputMint: to.address,
      inAmount: inAmount.toString(),
      outAmount: outAmount.toString(),
    },
    percent: 100,
    bps: 10_000,
  }))

/**
 * Jupiter's router from its public reference: prices, with the instructions of the swap, which its program makes at once.
 * https://dev.jup.ag/docs/swap/build
 */
export const createJupiter = (world: World): SimVenue => {
  const { clock, random, tokens, market, faults, solana } = world
  const table = base58.encode(random.bytes(32))
  const addresses = tableOf(world)
  solana.install(PROGRAM, jupiterProgram(world))
  solana.placeTable(table, addresses)

  const termsOf = (query: BuildQuery, expected: bigint, takes: Takes) => {
    const { taker, output, amount, destination } = query
    const here = { chainId: SOLANA }
    const recipient = destination ?? holdingOf(taker, output)
    const honest = { recipient, minimum: expected, amount, contract: PROGRAM }
    return alteredTerms(takes, honest, { origin: here, destination: here })
  }

  const getBuild = async ({ query: asked, path }: SimRequest): Promise<SimResponse> => {
    const takes = takesFor(faults, ID, path)
    const query = await readBuildQuery(asked, tokens, solana.holding)
    refuseIf(takes('halt'), null, NO_ROUTES)
    const deal = found(priced(query, { market, tokens }), null, NO_ROUTES)
    const expected = deal.expected * misquotedBy(takes)
    const terms = termsOf(query, expected, takes)
    const { budget, setup, swap, cleanup } = instructionsOf(query, deal, { terms, stock: solana.treasury() })
    const seconds = Math.floor(clock.now() / 1_000)
    return ok({
      inputMint: query.input.address,
      outputMint: query.output.address,
      inAmount: query.amount.toString(),
      outAmount: expected.toString(),
      otherAmountThreshold: ((expected * BigInt(10_000 - query.slippageBps) + 9_999n) / 10_000n).toString(),
      swapMode: 'ExactIn',
      slippageBps: query.slippageBps,
      priceImpactPct: '0.0001',
      routePlan: routePlan(deal),
      computeBudgetInstructions: budget.map(wireInstruction),
      setupInstructions: setup.map(wireInstruction),
      swapInstruction: wireInstruction(swap),
      cleanupInstruction: cleanup && wireInstruction(cleanup),
      otherInstructions: [],
      tipInstruction: null,
      addressesByLookupTableAddress: { [table]: addresses },
      blockhashWithMetadata: {
        blockhash: [...base58.decode(await solana.blockhash())],
        lastValidBlockHeight: 150,
        fetchedAt: { secs_since_epoch: seconds, nanos_since_epoch: 0 },
      },
    })
  }

  const limit = createRateLimit(clock)
  const route = (request: SimRequest): Promise<SimResponse> => {
    const { method, path, headers } = request
    limit(hasKey(headers['x-api-key'], KEY) ? (headers['x-api-key'] ?? '') : null)
    refuseIf(`${method} ${path}` !== 'GET /swap/v2/build', null, 'Not found', { status: 404 })
    return getBuild(request)
  }

  return {
    id: ID,
    handle: answering(route, ({ status, message, more: { headers } }) =>
      status === 429
        ? { status, body: message, contentType: 'text/plain', headers: headers as { readonly [name: string]: string } }
        : { status, body: { error: message } },
    ),
    onDeposit: () => false,
    onTransaction: (transaction) => transaction.solana?.instructions.some(({ programId }) => programId === PROGRAM) ?? false,
    settings: { API_KEY: 'a-key-of-the-offline-network' },
    pricePaths: [],
  }
}
