import type { Chains } from '../../chains/chains.ts'
import { encodeSolanaTransaction } from '../../chains/solana/solanaCodec.ts'
import { toAmount } from '../../core/amount.ts'
import { isNative, NATIVE } from '../../core/asset.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Execution, Hex, WalletTransaction } from '../../core/execution.ts'
import { addressIn } from '../kit/addresses.ts'
import { fromChain } from '../kit/chainReads.ts'
import { claimProblems } from '../kit/claimProblems.ts'
import { wrappedNative } from '../kit/spokePools.ts'
import { checkId, rejected, VenueError } from '../venueError.ts'
import type { MayanClient } from './client.ts'
import { carryOf, type DecodePorts, decode, REFUND_COST } from './decode.ts'
import { encodePlacedOrder, type SourceSwap } from './forwarder.ts'
import { type Ask, type Terms, toSwapQuery } from './map.ts'
import { placingCalls } from './svm.ts'

export type BuildPorts = DecodePorts & {
  readonly chains: Pick<Chains, 'token' | 'latestBlockhash'>
  readonly client: Pick<MayanClient, 'swap'>
  /** True for a price: the payload need not be ready to send. */
  readonly isPreview: boolean
}

/** The router's calldata is not read: the Forwarder allows only listed routers, and enforces the least output. */
const swapBefore = async (terms: Terms, ask: Ask, { client, signal, isPreview }: BuildPorts): Promise<SourceSwap | null> => {
  const { minMiddle, tokenIn } = terms
  if (minMiddle === null) return null
  const { chainId } = ask.order.input
  const middle = (tokenIn === NATIVE ? wrappedNative(chainId) : tokenIn) ?? tokenIn
  if (isPreview) return { router: ask.contracts.forwarders[0], data: '0x', middle, minMiddle }
  const { swapRouterAddress, swapRouterCalldata } = await client.swap(toSwapQuery(ask, middle), signal)
  const router = addressIn(chainId, swapRouterAddress, 'the router')
  return { router, data: swapRouterCalldata.toLowerCase() as Hex, middle, minMiddle }
}

const onSolana = async (terms: Terms, { order: { inputAmount, sender }, contracts }: Ask, ports: BuildPorts) => {
  const { chains, signal, isPreview } = ports
  const called = { swift: terms.swift, proxy: contracts.proxies[0], feeManager: contracts.feeManagers[0] }
  // For a price, any 32 bytes give a transaction of the same length.
  const recentBlockhash = isPreview ? called.proxy : (await fromChain(chains.latestBlockhash(signal))).blockhash
  const { order, protocolBps, tokenIn: mint } = terms
  const instructions = placingCalls({ ...called, order, protocolBps, mint, amount: inputAmount, payer: sender })
  const serialized = await encodeSolanaTransaction({ feePayer: sender, recentBlockhash, instructions })
  return { chainId: SOLANA, to: called.proxy, data: serialized, value: toAmount(0n), serialized } as const
}

const onEvm = async (terms: Terms, ask: Ask, ports: BuildPorts): Promise<WalletTransaction> => {
  const { input, inputAmount } = ask.order
  const swap = await swapBefore(terms, ask, ports)
  const paid = { token: input.address, amount: inputAmount }
  const data = await encodePlacedOrder({ swift: terms.swift, paid, swap, tokenIn: terms.tokenIn, order: terms.order })
  return { chainId: input.chainId, to: ask.contracts.forwarders[0], data, value: toAmount(isNative(input) ? inputAmount : 0n) }
}

/** Builds the wallet's transaction from the terms, and checks its effect against the request. Throws VenueError. */
export const build = async (terms: Terms, ask: Ask, ports: BuildPorts): Promise<Execution> => {
  const transaction = await (ask.order.input.chainId === SOLANA ? onSolana : onEvm)(terms, ask, ports)
  const payload: Execution['payload'] = { executionType: 'TRANSACTION', transaction }
  const carry = await carryOf(transaction, terms.protocolBps, ports)
  const claims = await decode({ payload, carry }, ports)
  const problems = claimProblems(claims, { ...ask, minimum: terms.minimum, expected: terms.expected })
  const [first] = problems
  const why = `mayan: what cannot be proved: ${problems.join(', ')}`
  // An amount whose refund would cost too much: see VENUES.md.
  if (first === REFUND_COST && problems.length === 1) throw new VenueError('unsupportedPair', why, { reason: 'notSold' })
  if (first !== undefined) throw rejected(checkId(first), why)
  const slippage = { isFirm: true, guaranteedMin: terms.minimum }
  return { payload, venueRef: null, evidence: null, outputAmount: terms.expected, slippage, carry }
}
