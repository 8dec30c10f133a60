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

/** A swap that is paid by a transaction on an EVM chain. */
export type Route = {
  readonly title: string
  readonly venue: string
  readonly from: Side & { readonly amount: string }
  readonly to: Side
  readonly slippageBps?: number
  /** How much the venue itself takes, where a fee goes to others first. */
  readonly tookAmount?: string
  /** The transaction that pays delivers, too. */
  readonly isAtOnce?: true
  /** Nothing on the chain says which of two equal swaps to one recipient a transaction made, where it did not make both. */
  readonly isNameless?: true
  /** The venue tells of one swap of a transaction, and the chain of none by its name: of two in one the other stays open. */
  readonly isOnePerTransaction?: true
  /** How far time runs between two looks. */
  readonly stepMs: number
}

const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const usdcOnBase = { chainId: 8453, token: USDC.base } as const
const usdcOnArbitrum = { chainId: 42161, token: USDC.arbitrum } as const
const coins = (chainId: 1 | 8453, amount: string) => ({ chainId, token: NATIVE, amount: parseEther(amount).toString() }) as const

/** Of venues that sell tokens by a signature by default. */
export const BY_TRANSACTIONS = { VENUE_BEBOP_TOKENS_BY: 'rfq' } as const

export const ROUTES: readonly Route[] = [
  {
    ...{ title: 'USDC by Relay', venue: 'relay', stepMs: 2_000 },
    ...{ from: { ...usdcOnBase, amount: '250000000' }, to: usdcOnArbitrum },
  },
  { ...{ title: 'ether by Relay', venue: 'relay', stepMs: 2_000 }, ...{ from: coins(8453, '1'), to: usdcOnArbitrum } },
  {
    ...{ title: 'USDC by Relay to ether', venue: 'relay', stepMs: 2_000 },
    ...{ from: { ...usdcOnBase, amount: '250000000' }, to: { chainId: 42161, token: NATIVE } },
  },
  {
    ...{ title: 'USDC by Across', venue: 'across', stepMs: 3_000 },
    ...{ from: { ...usdcOnBase, amount: '250000000' }, to: usdcOnArbitrum },
  },
  {
    ...{ title: 'ether by Across', venue: 'across', stepMs: 3_000 },
    ...{ from: coins(8453, '1'), to: { chainId: 42161, token: NATIVE } },
  },
  {
    ...{ title: 'ARB by Across, exchanged before it is bridged', venue: 'across', stepMs: 3_000, slippageBps: 50 },
    ...{ from: { chainId: 42161, token: ARB, amount: parseEther('1000').toString() }, to: usdcOnBase },
  },
  {
    ...{ title: 'USDC by deBridge', venue: 'debridge', stepMs: 3_000 },
    ...{ from: { ...usdcOnBase, amount: '250000000' }, to: usdcOnArbitrum },
  },
  {
    ...{ title: 'USDC by Mayan to ether', venue: 'mayan', stepMs: 3_000 },
    ...{ from: { ...usdcOnBase, amount: '250000000' }, to: { chainId: 42161, token: NATIVE } },
  },
  {
    ...{ title: 'ether by Mayan, wrapped first', venue: 'mayan', stepMs: 3_000 },
    ...{ from: coins(8453, '1'), to: usdcOnArbitrum },
  },
  {
    ...{ title: "ether by CoW's EthFlow", venue: 'cow', stepMs: 6_000 },
    ...{ from: coins(1, '1'), to: { chainId: 1, token: USDC.ethereum } },
  },
  {
    ...{ title: "USDC by Chainflip's vault", venue: 'chainflip', isOnePerTransaction: true, stepMs: 6_000 },
    ...{ from: { ...usdcOnArbitrum, amount: '250000000' }, to: { chainId: 1, token: USDC.ethereum } },
  },
  {
    ...{ title: 'USDC by KyberSwap to ether', venue: 'kyberswap', isAtOnce: true, stepMs: 1_000 },
    ...{ from: { ...usdcOnBase, amount: '250000000' }, to: { chainId: 8453, token: NATIVE } },
  },
  {
    ...{ title: 'ether by KyberSwap', venue: 'kyberswap', isAtOnce: true, stepMs: 1_000 },
    ...{ from: coins(8453, '1'), to: usdcOnBase },
  },
  {
    ...{ title: 'DAI by 0x', venue: 'zerox', isAtOnce: true, isNameless: true, stepMs: 1_000 },
    ...{ from: { chainId: 1, token: DAI, amount: parseEther('1000').toString() }, to: { chainId: 1, token: USDC.ethereum } },
  },
  {
    ...{ title: 'ether by 0x', venue: 'zerox', isAtOnce: true, isNameless: true, stepMs: 1_000 },
    ...{ from: coins(1, '1'), to: { chainId: 1, token: USDC.ethereum } },
  },
  {
    ...{ title: 'USDC by LI.FI to ether', venue: 'lifi', isAtOnce: true, stepMs: 1_000 },
    ...{ from: { ...usdcOnBase, amount: '250000000' }, to: { chainId: 8453, token: NATIVE } },
  },
  {
    ...{ title: "USDC by LI.FI and Circle's bridge", venue: 'lifi', tookAmount: '249375000', stepMs: 600_000 },
    ...{ from: { ...usdcOnBase, amount: '250000000' }, to: usdcOnArbitrum },
  },
  {
    ...{ title: "USDC by Bebop's router to ether", venue: 'bebop', isAtOnce: true, stepMs: 1_000 },
    ...{ from: { ...usdcOnBase, amount: '250000000' }, to: { chainId: 8453, token: NATIVE } },
  },
  {
    ...{ title: "ether by Bebop's router", venue: 'bebop', isAtOnce: true, stepMs: 1_000 },
    ...{ from: coins(8453, '1'), to: usdcOnBase },
  },
  {
    ...{ title: "USDC by Bebop's makers", venue: 'bebop', isAtOnce: true, stepMs: 1_000 },
    ...{ from: { chainId: 1, token: USDC.ethereum, amount: '250000000' }, to: { chainId: 1, token: DAI } },
  },
]

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

/** A swap that is executed, and what its payer is to call. */
export type OpenSwap = {
  readonly offer: Quote
  readonly quoteToken: string
  readonly recipient: string
  readonly approvals: readonly Call[]
  readonly payment: Call
}

/** Two equal swaps of one second are refused where nothing but the second tells them apart. */
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

/** What a recipient gained since. */
export const watchDelivery = (service: Pick<Service, 'control'>, { to }: Route, owner: string) =>
  watch(service, { delivered: { ...to, owner } })

/** Follows a swap to its end, which must be a success that rests on this payment and on a delivery of its own. */
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

/** Puts as many blocks on a transaction as its chain wants, and no more than a moment. */
export const bury = async ({ control }: TestService, chainId: number): Promise<void> => {
  const mine = { jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: ['0x4'] }
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(control.rpcUrl(chainId), { method: 'POST', headers, body: JSON.stringify(mine) })
  expect(await answer.json()).not.toHaveProperty('error')
  // What a chain tells is kept for a second.
  await control.advance(2_000)
}
