import { base58 } from '@scure/base'
import { eventAuthority } from '../../../chains/solana/anchor.ts'
import type { SolanaInstructionPlan } from '../../../chains/solana/solanaCodec.ts'
import { SOLANA } from '../../../core/chain.ts'
import { JUPITER } from '../../../venues/jupiter/protocol.ts'
import { alteredTerms, misquotedBy, takesFor } from '../../kit/lies.ts'
import { answering, found, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse, SimVenue } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { AUTHORITY, holdingOf, instructionsOf, readQuery } from './build.ts'
import { type Deal, jupiterProgram, priced } from './program.ts'

const ID = 'jupiter'
const NO_ROUTES = 'No routes found'

const wireInstruction = ({ programId, accounts, data }: SolanaInstructionPlan) => ({
  programId,
  accounts: accounts.map(({ address, isSigner = false, isWritable = false }) => ({ pubkey: address, isSigner, isWritable })),
  data: Buffer.from(data).toString('base64'),
})

const routePlan = ({ hops }: Deal) =>
  hops.map(({ from, to, inAmount, outAmount }, at) => {
    const pool = { ammKey: JUPITER, label: `Pool ${at + 1}`, inputMint: from.address, outputMint: to.address }
    return { swapInfo: { ...pool, inAmount: inAmount.toString(), outAmount: outAmount.toString() }, percent: 100, bps: 10_000 }
  })

/** What every swap names, so that a table may stand for it. */
const tableOf = ({ tokens, solana }: World): readonly string[] => {
  const own = tokens.all.filter(({ chainId }) => chainId === SOLANA)
  const heldBy = (owner: string) => own.map((token) => holdingOf(owner, token))
  const mints = own.map(({ address }) => address)
  return [eventAuthority(JUPITER), ...mints, ...heldBy(solana.treasury()), AUTHORITY, ...heldBy(AUTHORITY)]
}

/**
 * Jupiter's router from its public reference: prices, with the instructions of the swap, which its program makes at once.
 * https://dev.jup.ag/docs/swap/build
 */
export const createJupiter = (world: World): SimVenue => {
  const { random, faults, solana } = world
  const table = base58.encode(random.bytes(32))
  const addresses = tableOf(world)
  solana.install(JUPITER, jupiterProgram(world))
  solana.placeTable(table, addresses)

  const build = async ({ query: asked, path }: SimRequest): Promise<SimResponse> => {
    const takes = takesFor(faults, ID, path)
    const query = await readQuery(asked, world)
    const { input, output, amount, taker, slippageBps, destination } = query
    refuseIf(takes('halt'), null, NO_ROUTES)
    const deal = found(priced(query, world), null, NO_ROUTES)
    const expected = deal.expected * misquotedBy(takes)
    const recipient = destination ?? holdingOf(taker, output)
    const here = { chainId: SOLANA }
    const honest = { recipient, minimum: expected, amount, contract: JUPITER }
    const terms = alteredTerms(takes, honest, { origin: here, destination: here })
    const { budget, setup, swap, cleanup } = instructionsOf(query, deal, { terms, stock: solana.treasury() })
    const threshold = (expected * BigInt(10_000 - slippageBps) + 9_999n) / 10_000n
    return ok({
      ...{ inputMint: input.address, outputMint: output.address, inAmount: amount.toString(), outAmount: expected.toString() },
      ...{ otherAmountThreshold: threshold.toString(), swapMode: 'ExactIn', slippageBps, priceImpactPct: '0.0001' },
      routePlan: routePlan(deal),
      computeBudgetInstructions: budget.map(wireInstruction),
      setupInstructions: setup.map(wireInstruction),
      swapInstruction: wireInstruction(swap),
      cleanupInstruction: cleanup && wireInstruction(cleanup),
      otherInstructions: [],
      addressesByLookupTableAddress: { [table]: addresses },
    })
  }

  return {
    id: ID,
    handle: answering(
      (request) => {
        if (`${request.method} ${request.path}` !== 'GET /swap/v2/build') throw new Refusal(null, 'Not found', { status: 404 })
        return build(request)
      },
      ({ status, message }) => ({ status, body: { error: message } }),
    ),
    onDeposit: () => false,
    onTransaction: ({ solana: made }) => made?.instructions.some(({ programId }) => programId === JUPITER) ?? false,
    settings: { API_KEY: 'a-key-of-the-offline-network' },
    pricePaths: [],
  }
}
