import { hexToBytes } from '@noble/hashes/utils.js'
import { parseAbi } from 'abitype'
import type { Chains } from '../../chains/chains.ts'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import { packSolanaTransaction, readLookupTables } from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import { isSameAsset } from '../../core/asset.ts'
import { BITCOIN, type ChainId, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Execution, Hex, Payload, WalletTransaction } from '../../core/execution.ts'
import { addressIn, isSameAddress } from '../kit/addresses.ts'
import { fromChain, tableReader } from '../kit/chainReads.ts'
import { claimProblems } from '../kit/claimProblems.ts'
import { demand } from '../kit/demand.ts'
import { rejected, VenueError } from '../venueError.ts'
import { type DecodePorts, readClaims } from './decode.ts'
import { type Ask, demandSome, depositoriesOn, notSold, routersOn, spelledIn, type Terms, unreadable } from './map.ts'
import { type OrderRules, type OrderTerms, readOrder } from './order.ts'
import { SOLANA_DEPOSITORY, toWireChain } from './protocol.ts'
import { type Evidence, evmItem, type Quote, type Step, solanaItem, type TrackingCarry } from './wire.ts'

/** An answer whose stated values match the request. */
export type Answered = { readonly ask: Ask; readonly answer: Quote; readonly terms: Terms }

export type BuildPorts = DecodePorts & {
  readonly chains: Pick<Chains, 'latestBlockhash'>
  /** True for a price: the payload need not be ready to send. */
  readonly isPreview: boolean
}

type Built = { readonly execution: Execution; readonly gasUnits: bigint | null }

/** Without the order recipient and minimum are unbound. Its input is the requested one, except after a swap step. */
const orderIn = async ({ answer, ask, terms }: Answered, hasSwap: boolean, rules: OrderRules): Promise<OrderTerms> => {
  const { protocol } = answer
  const { orderId, orderData } = protocol?.v2 ?? {}
  if (!orderId || !orderData) throw rejected('order', 'relay answered without an order of the settlement protocol', { protocol })
  const { solver } = orderData
  if (!isSameAddress(solver, rules.solver)) throw rejected('solver', 'relay answered with an order of another solver', solver)
  const order = await readOrder(orderData, rules)
  demand('relay answered with', {
    'another order id': order.orderIds.includes(orderId.toLowerCase() as Hex),
    'another input chain': [order.input.asset.chainId === ask.order.input.chainId, order.input.asset.chainId],
  })
  const { asset } = order.input
  if (!hasSwap && !isSameAsset(asset, ask.order.input))
    throw rejected('orderInput', 'relay answered with an order of another input', asset.address)
  for (const refusal of order.unprovable) throw refusal
  demand('relay answered with', {
    'another minimum in its order': [order.output.minimum === terms.slippage.guaranteedMin, order.output.minimum],
    // An order that expects less than the answer would leave the price unproved.
    'another output amount in its order': order.expected >= terms.outputAmount,
  })
  return order
}

const APPROVALS = new Set(['approve', 'approval'])

/** An open item of a step. */
type Due = Pick<Step, 'id' | 'kind' | 'depositAddress'> & { readonly item: Step['items'][number] }

/** Approvals, and one deposit; or swaps, which may include the deposit. */
type Plan = { readonly approvals: readonly Due[]; readonly swaps: readonly Due[]; readonly deposit: Due | null }

const planOf = ({ steps }: Quote, chainId: ChainId): Plan => {
  const due = steps.flatMap(({ items, ...step }): readonly Due[] =>
    items.filter(({ status }) => status !== 'complete').map((item) => ({ ...step, item })),
  )
  const approvals = due.filter(({ id }) => APPROVALS.has(id))
  // Where Relay has no router, no swapping contract is published.
  const swaps = due.filter(({ id }) => id === 'swap' && isEvmChainId(chainId))
  const [deposit = null, ...others] = due.filter((each) => !approvals.includes(each) && !swaps.includes(each))
  const isKnown = deposit === null ? swaps.length > 0 : deposit.id === 'deposit' && others.length === 0
  const shown = due.map(({ id, kind }) => `${id} (${kind})`).join(', ')
  if (!isKnown || due.some(({ kind }) => kind !== 'transaction'))
    throw rejected('steps', 'relay answered with other steps than one deposit', shown)
  return { approvals, swaps, deposit }
}

const requestIdOf = ({ steps }: Quote): Hex => {
  const ids = new Set(steps.flatMap(({ requestId }) => (requestId ? [requestId.toLowerCase()] : [])))
  const [id] = ids
  if (id === undefined || ids.size > 1) throw rejected('requestId', 'relay answered with another request id', [...ids])
  return id as Hex
}

const readCall = ({ item }: Due, { order: { input }, user }: Ask) => {
  const { data: call } = evmItem.read(item)
  demand('relay answered with', {
    'another chain': [call.chainId === toWireChain(input.chainId), call.chainId],
    'another payer': spelledIn(input.chainId, call.from, 'the payer') === user,
  })
  return { ...call, contract: spelledIn(input.chainId, call.to, 'the contract') }
}

const APPROVE = parseAbi(['function approve(address spender, uint256 amount)'])

/** The vendor's own approval is not used, but must be regular. Some tokens need a zero approval first. */
const checkApproval = async (step: Due, ask: Ask, spenders: readonly Address[]): Promise<void> => {
  const { input, inputAmount } = ask.order
  const { contract, data, value } = readCall(step, ask)
  const [spender, amount] = (await readExactCall(APPROVE, data.toLowerCase() as Hex)) ?? []
  demand('relay answered with', {
    'another token to approve': contract === input.address && BigInt(value) === 0n,
    'another amount to approve': amount === 0n || (typeof amount === 'bigint' && amount >= inputAmount),
    'another spender': spenders.some((known) => known === spender),
  })
}

/** A swap before the deposit is opaque calldata: not sold where the rest of the answer is known. */
const refuseSwaps = async (
  { approvals, swaps, deposit }: Plan,
  ask: Ask,
  { unread }: OrderTerms,
  { routers, depositories }: BuildPorts,
) => {
  const { chainId } = ask.order.input
  const depositoriesOfChain = depositoriesOn(chainId, depositories)
  const known = [...depositoriesOfChain, ...routersOn(chainId, routers)]
  for (const step of approvals) await checkApproval(step, ask, known)
  if (deposit !== null && !depositoriesOfChain.includes(readCall(deposit, ask).contract))
    throw unreadable('depository', 'a call of another contract', readCall(deposit, ask).contract)
  const strange = swaps.map((step) => readCall(step, ask).contract).find((contract) => !known.includes(contract))
  if (strange !== undefined) throw unreadable('swapContract', 'a swap by an unknown contract', strange)
  if (unread.length > 0) throw rejected('payload', `relay answered with ${unread.join(', ')}`, unread)
  throw notSold('a swap before the deposit')
}

/** Replaces a blockhash in a price request: any 32 bytes give a transaction of the same length. */
const ANY_BLOCKHASH = SOLANA_DEPOSITORY

const keyIn = (text: string): Address => addressIn(SOLANA, text, 'an account')

/**
 * Puts the vendor's instructions into the wallet's unsigned transaction: v0, with its lookup tables, paid by the user. A preview
 * has no real blockhash. Throws VenueError, of kind noLiquidity when it is too long to send.
 */
const packDeposit = async ({ item }: Due, user: Address, ports: BuildPorts): Promise<WalletTransaction> => {
  const { chains, isPreview, signal } = ports
  const { instructions, addressLookupTableAddresses: tables } = solanaItem.read(item).data
  const plans = instructions.map(({ keys, programId, data }) => ({
    programId: keyIn(programId),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({ address: keyIn(pubkey), isSigner, isWritable })),
    data: hexToBytes(data),
  }))
  const [lookups, recentBlockhash] = await Promise.all([
    readLookupTables((tables ?? []).map(keyIn), tableReader(ports)),
    isPreview ? ANY_BLOCKHASH : fromChain(chains.latestBlockhash(signal)).then(({ blockhash }) => blockhash),
  ])
  const serialized = await packSolanaTransaction({ feePayer: user, recentBlockhash, instructions: plans }, lookups)
  const called = plans.find(({ programId }) => depositoriesOn(SOLANA, ports.depositories).includes(programId))
  if (serialized === null) throw new VenueError('noLiquidity', 'relay: the transaction is longer than Solana takes')
  return { chainId: SOLANA, to: called?.programId ?? SOLANA_DEPOSITORY, data: serialized, value: toAmount(0n), serialized }
}

/** The wallet's payload by the venue's answer. Its claims show whether it matches the request. */
const payloadOf = async (
  { approvals }: Plan,
  deposit: Due,
  ask: Ask,
  ports: BuildPorts,
): Promise<{ readonly payload: Payload; readonly gasUnits: bigint | null }> => {
  const { inputAmount, input } = ask.order
  const { chainId } = input
  if (chainId === BITCOIN) {
    const address = addressIn(chainId, deposit.depositAddress ?? '', 'the deposit address')
    return { payload: { executionType: 'DEPOSIT', deposit: { chainId, address, amount: inputAmount } }, gasUnits: null }
  }
  if (chainId === SOLANA) {
    demand('relay answered with', { 'an approval on Solana': approvals.length === 0 })
    const transaction = await packDeposit(deposit, ask.user, ports)
    return { payload: { executionType: 'TRANSACTION', transaction }, gasUnits: null }
  }
  for (const step of approvals) await checkApproval(step, ask, depositoriesOn(chainId, ports.depositories))
  const { contract, data, value, gas } = readCall(deposit, ask)
  const transaction = { chainId, to: contract, data: data.toLowerCase(), value: toAmount(BigInt(value)) }
  return { payload: { executionType: 'TRANSACTION', transaction }, gasUnits: BigInt(gas ?? 0) || null }
}

/** Reads the order and the steps of an answer, and checks their effect against the request. Throws VenueError. */
export const build = async (answered: Answered, ports: BuildPorts): Promise<Built> => {
  const { answer, ask, terms } = answered
  const plan = planOf(answer, ask.order.input.chainId)
  const order = await orderIn(answered, plan.swaps.length > 0, ports)
  const requestId = requestIdOf(answer)
  if (plan.swaps.length > 0 || plan.deposit === null) return refuseSwaps(plan, ask, order, ports)
  const { payload, gasUnits } = await payloadOf(plan, plan.deposit, ask, ports)
  const evidence: Evidence = {
    v: 1,
    order: order.words,
    user: ask.user,
    appFee: terms.appFee > 0n ? terms.appFee.toString() : null,
    depositAddress: payload.executionType === 'DEPOSIT' ? payload.deposit.address : null,
  }
  const { claims, unprovable: beside } = await readClaims(payload, { evidence, order }, ports)
  const problems = claimProblems(claims, { ...ask, minimum: terms.slippage.guaranteedMin, expected: terms.outputAmount })
  if (problems.length > 0) throw rejected('payload', `relay answered with ${problems.join(', ')}`, problems)
  for (const refusal of beside) throw refusal
  demandSome(terms)
  const carry: TrackingCarry = { v: 1, requestId }
  const { outputAmount, slippage } = terms
  const venueRef = evidence.depositAddress ?? requestId
  return { execution: { payload, venueRef, evidence, outputAmount, slippage, carry }, gasUnits }
}
