import type { ChainId } from '../../../core/chain.ts'
import { alteredTerms, takesFor } from '../../kit/lies.ts'
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { EXECUTOR, ROUTER } from './networks.ts'
import { type BuildQuestion, readBuildQuestion } from './questions.ts'
import { routerCall } from './routerCall.ts'
import { GAS, type Issued, type Routes } from './routeSummary.ts'

const BPS = 10_000
/** How often the executor can pay what one call tells it to. */
const STOCKED = 3n

/** Fractions of a basis point are taken too: to a ten-thousandth here. */
const leastOf = (net: bigint, slippage: number): bigint => (net * BigInt(Math.round((BPS - slippage) * BPS))) / BigInt(BPS * BPS)

type Call = { readonly data: string; readonly value: bigint; readonly contract: string }

/** By a run of the call: it needs what the wallet has, and has allowed. */
const estimate = async (evm: World['evm'], { data, value, contract }: Call, chainId: ChainId, from: string): Promise<void> => {
  await evm.call({ chainId, from, to: contract, data, value }).catch((error: unknown) => {
    throw new Refusal('4227', `gas estimation failed: ${error instanceof Error ? error.message : ''}`, { status: 422 })
  })
}

/** What the wallet is to send, altered where a fault says so; the executor finds what it will have to pay. */
const callOf = async ({ faults, evm, clock }: World, venue: string, route: Issued, question: BuildQuestion, path: string) => {
  const takes = takesFor(faults, venue, path)
  refuseIf(takes('halt'), '4008', 'route not found')
  const { chainId, input, output, amount: asked, price } = route
  const minimum = leastOf(price.net, question.slippageTolerance)
  const honest = { recipient: question.recipient, minimum, amount: asked, contract: ROUTER }
  const { contract, ...terms } = alteredTerms(takes, honest, { origin: route, destination: route })
  // The pool gives less than it is to, so that the router takes nothing.
  const gross = takes('short-fill') ? minimum / 2n : price.gross
  const data = await routerCall({ route, question, ...terms, gross, nowSeconds: Math.floor(clock.now() / 1_000) })
  await evm.fund({ chainId, token: output.address, holder: EXECUTOR, amount: gross * STOCKED })
  return { data, value: input.isNative ? terms.amount : 0n, contract }
}

/** `data` of POST /{chain}/api/v1/route/build. */
export const buildBody = async (world: World, venue: string, routes: Routes, { body, path }: SimRequest, chainId: ChainId) => {
  const question = readBuildQuestion(body, Math.floor(world.clock.now() / 1_000))
  const route = routes.find(question.routeSummary, chainId)
  refuseIf(routes.isOver(route), '4222', 'quoted amount is smaller than estimated', { status: 422 })
  const call = await callOf(world, venue, route, question, path)
  if (question.enableGasEstimation) await estimate(world.evm, call, chainId, question.sender)
  const { amount, price } = route
  return {
    amountIn: amount.toString(),
    amountInUsd: price.usdIn,
    amountOut: price.net.toString(),
    amountOutUsd: price.usdOut,
    gas: GAS.toString(),
    gasUsd: '0.25',
    additionalCostUsd: '0',
    additionalCostMessage: '',
    outputChange: { amount: '0', percent: 0, level: 0 },
    data: call.data,
    routerAddress: call.contract,
    transactionValue: call.value.toString(),
  }
}
