import { expect } from 'vitest'
import { watch } from '../../../../scripts/client/balances.ts'
import { executeAs, follow, fund, lastOf, type Open } from '../../../../scripts/client/swap.ts'
import { NATIVE } from '../../../../scripts/client/tokens.ts'
import type { Quote } from '../../../../scripts/client/wire.ts'
import type { TestService } from '../../../support/service.ts'
import { allBut } from '../../../support/swaps.ts'
import type { Paid, Side } from '../../sides.ts'
import type { Call } from './contractWallet.ts'
import { newAddress, type Payer } from './payers.ts'

/** A swap that a transaction pays. */
export type Route = {
  readonly venue: string
  readonly from: Paid
  readonly to: Side
  /** The time between two status requests. */
  readonly stepMs: number
}

export const isNative = ({ from }: Route): boolean => from.token === NATIVE

export const quoteFor = (
  service: Pick<TestService, 'call'>,
  { from, to, venue }: Pick<Route, 'from' | 'to' | 'venue'>,
  named: { readonly sender: string; readonly recipient: string },
) => {
  const input = { inputChainId: from.chainId, inputToken: from.token, inputAmount: from.amount }
  const addresses = { userAddress: named.sender, destinationAddress: named.recipient }
  const body = { ...input, outputChainId: to.chainId, outputToken: to.token, ...addresses, excludeVenues: allBut(venue) }
  return service.call('quote', { body })
}

type Service = Pick<TestService, 'call' | 'control'>

/** An executed swap with its calls, the payment last. */
export type OpenSwap = {
  readonly offer: Quote
  readonly quoteToken: string
  readonly recipient: string
  readonly calls: readonly Call[]
}

export const openSwap = async (
  service: Service,
  route: Route,
  { payer: { address }, recipient = newAddress() }: { readonly payer: Pick<Payer, 'address'>; readonly recipient?: string },
): Promise<OpenSwap> => {
  // Some venues distinguish equal swaps only by their second.
  await service.control.advance(1_000)
  await fund(service, route.from.chainId, address, { [route.from.token]: route.from.amount })
  const offer = await quoteFor(service, route, { sender: address, recipient })
  const { quoteToken } = offer
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  return { offer, quoteToken, recipient, calls: [...(approval ? [approval.transaction] : []), transaction] }
}

/** The later gain of a recipient. */
export const watchDelivery = (service: Pick<Service, 'control'>, { to }: Pick<Route, 'to'>, owner: string) =>
  watch(service, { delivered: { ...to, owner } })

/** Follows a swap to a success by this payment and a delivery of its own, whose amount it returns. */
export const expectSuccess = async (service: Service, { from, to, stepMs }: Route, swap: Open): Promise<bigint> => {
  const end = lastOf(await follow(service, { quoteToken: swap.quoteToken, ref: swap.ref }, { stepMs }))
  const [input, output, ...more] = end.payments ?? []
  expect([end.status, input, output]).toMatchObject([
    'success',
    { kind: 'input', chainId: from.chainId, txHash: swap.ref },
    { kind: 'output', ...to, txHash: end.txHash },
  ])
  expect(more.filter(({ kind }) => kind !== 'extra')).toEqual([])
  return BigInt(output?.amount ?? -1)
}
