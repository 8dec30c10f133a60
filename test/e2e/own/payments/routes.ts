import { parseEther } from 'viem'
import { expect } from 'vitest'
import { watch } from '../../../../scripts/client/balances.ts'
import { executeAs, follow, fund, lastOf, type Open } from '../../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../../scripts/client/tokens.ts'
import type { Quote, QuoteRequest, SwapStatus } from '../../../../scripts/client/wire.ts'
import type { TestService } from '../../../support/service.ts'
import { allBut } from '../../../support/swaps.ts'
import { type Call, newAddress, type Payer } from './payers.ts'

type Side = { readonly chainId: QuoteRequest['inputChainId']; readonly token: string }

/** A swap that a transaction pays. */
export type Route = {
  readonly title: string
  readonly venue: string
  readonly from: Side & { readonly amount: string }
  readonly to: Side
  readonly slippageBps?: number
  /** The venue reports one swap of a transaction, and no event names it: of two in one transaction the other stays open. */
  readonly isOnePerTransaction?: true
  /** The time between two status requests. */
  readonly stepMs: number
}

const [ARB, DAI] = ['0x912CE59144191C1204E64559FE8253a0e49E6548', '0x6B175474E89094C44Da98b954EedeAC495271d0F']
const on = { ethereum: { chainId: 1, token: USDC.ethereum }, base: { chainId: 8453, token: USDC.base } } as const
const onArbitrum = { chainId: 42161, token: USDC.arbitrum } as const
const coins = (chainId: 1 | 8453 | 42161) => ({ chainId, token: NATIVE }) as const
const usdc = <S extends Side>(side: S) => ({ ...side, amount: '250000000' })
const whole = (side: Side, amount = '1') => ({ ...side, amount: parseEther(amount).toString() })

/** Venues that sell tokens by a signature by default. */
export const BY_TRANSACTIONS = { VENUE_BEBOP_TOKENS_BY: 'rfq' } as const

type Row = readonly [title: string, venue: string, from: Route['from'], to: Side, stepMs: number, rest?: Partial<Route>]
const ROWS: readonly Row[] = [
  ['USDC by Relay', 'relay', usdc(on.base), onArbitrum, 2_000],
  ['ether by Relay', 'relay', whole(coins(8453)), onArbitrum, 2_000],
  ['USDC by Relay to ether', 'relay', usdc(on.base), coins(42161), 2_000],
  ['USDC by Across', 'across', usdc(on.base), onArbitrum, 3_000],
  ['ether by Across', 'across', whole(coins(8453)), coins(42161), 3_000],
  [
    'ARB by Across, exchanged first',
    'across',
    whole({ chainId: 42161, token: ARB }, '1000'),
    on.base,
    3_000,
    { slippageBps: 50 },
  ],
  ['USDC by deBridge', 'debridge', usdc(on.base), onArbitrum, 3_000],
  ['USDC by Mayan to ether', 'mayan', usdc(on.base), coins(42161), 3_000],
  ['ether by Mayan, wrapped first', 'mayan', whole(coins(8453)), onArbitrum, 3_000],
  ["ether by CoW's EthFlow", 'cow', whole(coins(1)), on.ethereum, 6_000],
  ["USDC by Chainflip's vault", 'chainflip', usdc(onArbitrum), on.ethereum, 6_000, { isOnePerTransaction: true }],
  ['USDC by KyberSwap to ether', 'kyberswap', usdc(on.base), coins(8453), 1_000],
  ['ether by KyberSwap', 'kyberswap', whole(coins(8453)), on.base, 1_000],
  ['DAI by 0x', 'zerox', whole({ chainId: 1, token: DAI }, '1000'), on.ethereum, 1_000],
  ['ether by 0x', 'zerox', whole(coins(1)), on.ethereum, 1_000],
  ['USDC by LI.FI to ether', 'lifi', usdc(on.base), coins(8453), 1_000],
  ["USDC by LI.FI and Circle's bridge", 'lifi', usdc(on.base), onArbitrum, 600_000],
  ["USDC by Bebop's router to ether", 'bebop', usdc(on.base), coins(8453), 1_000],
  ["ether by Bebop's router", 'bebop', whole(coins(8453)), on.base, 1_000],
  ["USDC by Bebop's makers", 'bebop', usdc(on.ethereum), { chainId: 1, token: DAI }, 1_000],
]
export const ROUTES = ROWS.map(([title, venue, from, to, stepMs, rest]): Route => ({ title, venue, from, to, stepMs, ...rest }))

export const isNative = ({ from }: Route): boolean => from.token === NATIVE

export const quoteFor = (service: Pick<TestService, 'call'>, route: Route, named: { sender: string; recipient: string }) => {
  const { from, to, venue, slippageBps } = route
  const body: QuoteRequest = {
    ...{ inputChainId: from.chainId, inputToken: from.token, inputAmount: from.amount },
    ...{ outputChainId: to.chainId, outputToken: to.token },
    ...{ userAddress: named.sender, destinationAddress: named.recipient, excludeVenues: allBut(venue) },
    ...(slippageBps === undefined ? {} : { slippageBps }),
  }
  return service.call('quote', { body })
}

type Service = Pick<TestService, 'call' | 'control'>

/** An executed swap with its calls. */
export type OpenSwap = {
  readonly offer: Quote
  readonly quoteToken: string
  readonly recipient: string
  readonly approvals: readonly Call[]
  readonly payment: Call
}

/** Some venues distinguish equal swaps only by their second. */
const SECOND_MS = 1_000

export const openSwap = async (
  service: Service,
  route: Route,
  { payer: { address }, recipient = newAddress() }: { readonly payer: Pick<Payer, 'address'>; readonly recipient?: string },
): Promise<OpenSwap> => {
  await service.control.advance(SECOND_MS)
  await fund(service, route.from.chainId, address, { [route.from.token]: route.from.amount })
  const offer = await quoteFor(service, route, { sender: address, recipient })
  if (offer.venueFee) await fund(service, route.from.chainId, address, { [NATIVE]: offer.venueFee.native })
  const { quoteToken } = offer
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  return { offer, quoteToken, recipient, approvals: approval ? [approval.transaction] : [], payment: transaction }
}

export const callsOf = ({ approvals, payment }: OpenSwap): readonly Call[] => [...approvals, payment]

/** The later gain of a recipient. */
export const watchDelivery = (service: Pick<Service, 'control'>, { to }: Route, owner: string) =>
  watch(service, { delivered: { ...to, owner } })

/** Follows a swap to a success by this payment and a delivery of its own. */
export const expectSuccess = async (
  service: Service,
  route: Route,
  { quoteToken, ref }: Open,
): Promise<SwapStatus & { readonly delivered: bigint }> => {
  const end = lastOf(await follow(service, { quoteToken, ref }, { stepMs: route.stepMs }))
  const payments = end.payments ?? []
  const [output] = payments.filter(({ kind }) => kind === 'output')
  expect(end.status).toBe('success')
  expect(payments[0]).toMatchObject({ kind: 'input', chainId: route.from.chainId, txHash: ref })
  expect(payments.filter(({ kind }) => kind !== 'extra')).toHaveLength(2)
  expect(output).toMatchObject({ chainId: route.to.chainId, token: route.to.token, txHash: end.txHash })
  return { ...end, delivered: BigInt(output?.amount ?? -1) }
}

/** Mines the blocks that a transaction needs to count, within a moment. */
export const bury = async ({ control }: TestService, chainId: number): Promise<void> => {
  const mine = { jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: ['0x4'] }
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(control.rpcUrl(chainId), { method: 'POST', headers, body: JSON.stringify(mine) })
  expect(await answer.json()).not.toHaveProperty('error')
  // The service caches reads of a chain for a second.
  await control.advance(2_000)
}
