import { formatUsd, unitsOf, usdMicrosOf } from '../../kit/dollars.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { contractOf, type Network } from './networks.ts'
import type { Price } from './pricing.ts'
import { ONE, type SwapQuery, wireToken } from './swapQuery.ts'

/** A bridged token as the bridge names it: native coins by their wrapped form. */
export const bridgeToken = (network: Network, token: SimToken) => ({
  ...wireToken(network, token),
  address: contractOf(network, token),
})

type Part = { readonly amount: bigint; readonly token: SimToken; readonly wire: ReturnType<typeof wireToken> }

/** `fees` of `steps.bridge`: all in the token that is deposited, as parts of it. */
export const bridgeFeesBody = ({ origin }: SwapQuery, { bridgeIn, bridgeInput, fees }: Price) => {
  const token = bridgeToken(origin, bridgeIn)
  const part = (amount: bigint) => ({ amount: amount.toString(), pct: ((amount * ONE) / bridgeInput).toString(), token })
  const { lp, relayerCapital, destinationGas, total } = fees
  const details = { lp: part(lp), relayerCapital: part(relayerCapital), destinationGas: part(destinationGas) }
  return { ...part(total), details: { type: 'across', ...details } }
}

/** `fees`: in dollars too, and as parts of the input. api/swap/_swap-fees.ts of across-protocol/frontend. */
export const feesBody = ({ market, tokens }: World, query: SwapQuery, price: Price) => {
  const { origin, destination, input, output, amount } = query
  const { bridgeIn, fees, appFee } = price
  const paid = usdMicrosOf(market, input, amount)
  const component = ({ amount: sum, token, wire }: Part) => {
    const micros = usdMicrosOf(market, token, sum)
    return { amount: sum.toString(), amountUsd: formatUsd(micros), token: wire, pct: ((micros * ONE) / paid).toString() }
  }
  const ofInput = (micros: bigint) =>
    component({ amount: unitsOf(market, input, micros), token: input, wire: wireToken(origin, input) })
  const ofBridge = (sum: bigint) => component({ amount: sum, token: bridgeIn, wire: bridgeToken(origin, bridgeIn) })
  const gasToken = tokens.native(destination.chainId)
  const gasMicros = usdMicrosOf(market, bridgeIn, fees.destinationGas)
  const app = component({ amount: appFee, token: output, wire: wireToken(destination, output) })
  const wireGas = { token: gasToken, wire: wireToken(destination, gasToken) }
  const destinationGas = component({ amount: unitsOf(market, gasToken, gasMicros), ...wireGas })
  const details = { type: 'across', lp: ofBridge(fees.lp), relayerCapital: ofBridge(fees.relayerCapital), destinationGas }
  const bridge = { ...ofBridge(fees.total), details }
  /** What is missing on the other side, in dollars, and how much of it the exchanges took. */
  const lost = (delivered: bigint) => {
    const total = paid - usdMicrosOf(market, output, delivered)
    return { total, impact: total - usdMicrosOf(market, bridgeIn, fees.total) - usdMicrosOf(market, output, appFee) }
  }
  const [likely, most] = [lost(price.expectedOutput), lost(price.minOutput)]
  const likelyDetails = { type: 'total-breakdown', swapImpact: ofInput(likely.impact), app, bridge }
  const mostDetails = { type: 'max-total-breakdown', maxSwapImpact: ofInput(most.impact), app, bridge }
  return {
    total: { ...ofInput(likely.total), details: likelyDetails },
    totalMax: { ...ofInput(most.total), details: mostDetails },
    originGas: { amount: '0', amountUsd: '0.0', token: wireToken(origin, tokens.native(origin.chainId)) },
  }
}
