import { hexToBytes } from '@noble/hashes/utils.js'
import { parseAbi } from 'abitype'
import type { Chains } from '../../chains/chains.ts'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import { packSolanaTransaction, readLookupTables } from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import { isSameAsset } from '../../core/asset.ts'
import { BITCOIN, SOLANA } from '../../core/chain.ts'
import type { Execution, Hex, Payload, WalletTransaction } from '../../core/execution.ts'
import { addressIn, isSameAddress } from '../kit/addresses.ts'
import { fromChain, tableReader } from '../kit/chainReads.ts'
import { claimProblems } from '../kit/claimProblems.ts'
import { demand } from '../kit/demand.ts'
import { rejected, VenueError } from '../venueError.ts'
import { type DecodePorts, readClaims } from './decode.ts'
import { type Ask, notSold, type Terms } from './map.ts'
import { type OrderRules, type OrderTerms, readOrder } from './order.ts'
import { PINNED, SOLANA_DEPOSITORY, spelledIn, toWireChain, UNSOLD_STEPS } from './published.ts'
import { type Evidence, evmData, type Quote, type Step, solanaData, type TrackingCarry } from './wire.ts'

/** An answer that was held against the question, by what it says. */
export type Answered = { readonly ask: Ask; readonly answer: Quote; readonly terms: Terms }

export type BuildPorts = DecodePorts & {
  readonly chains: Pick<Chains, 'latestBlockhash'>
  /** True for a price: nothing needs to be ready to be sent. */
  readonly isPreview: boolean
}

type Built = { readonly execution: Execution; readonly gasUnits: bigint | null }

/** Without the order there is nothing that binds recipient and minimum; and a swap before the deposit is opaque calldata. */
const orderIn = async ({ answer, ask, terms }: Answered, rules: OrderRules): Promise<OrderTerms> => {
  const { protocol } = answer
  const { orderId, orderData } = protocol?.v2 ?? {}
  if (!orderId || !orderData) throw rejected('order', 'relay answered without an order of the settlement protocol', { protocol })
  const { solver } = orderData
  if (!isSameAddress(solver, rules.solver)) throw rejected('solver', 'relay answered with an order of another solver', solver)
  const order = await readOrder(orderData, rules)
  demand('relay answered with', {
    'another order id': order.orderIds.includes(orderId.toLowerCase() as Hex),
    'another input chain': order.input.asset.chainId === ask.order.input.chainId,
  })
  if (!isSameAsset(order.input.asset, ask.order.input)) throw notSold('a swap before the deposit')
  for (const refusal of order.unprovable) throw refusal
  demand('relay answered with', {
    'another minimum in its order': order.output.minimum === terms.slippage.guaranteedMin,
    // An order that expects less than the answer tells would make a price out of the answer's word alone.
    'another output amount in its order': order.expected >= terms.outputAmount,
  })
  return order
}

const APPROVALS = new Set(['approve', 'approval'])

/** What is still to be done in a step. */
type Due = Pick<Step, 'id' | 'kind' | 'depositAddress'> & { readonly data?: unknown }

/** Approvals, and one deposit. */
const planOf = ({ steps }: Quote): { readonly approvals: readonly Due[]; readonly deposit: Due } => {
  const due = steps.flatMap(({ items, ...step }): readonly Due[] =>
    items.filter(({ status }) => status !== 'complete').map(({ data }) => ({ ...step, data })),
  )
  const approvals = due.filter(({ id }) => APPROVALS.has(id))
  const [deposit, ...others] = due.filter(({ id }) => !APPROVALS.has(id))
  if (due.some(({ id }) => UNSOLD_STEPS.has(id))) throw notSold('a step besides a deposit')
  const shown = due.map(({ id, kind }) => `${id} (${kind})`).join(', ')
  if (deposit?.id !== 'deposit' || others.length > 0 || due.some(({ kind }) => kind !== 'transaction'))
    throw rejected('steps', 'relay answered with other steps than one deposit', shown)
  return { approvals, deposit }
}

const requestIdOf = ({ steps }: Quote): Hex => {
  const ids = new Set(steps.flatMap(({ requestId }) => (requestId ? [requestId.toLowerCase()] : [])))
  const [id] = ids
  if (id === undefined || ids.size > 1) throw rejected('requestId', 'relay answered with another request id', [...ids])
  return id as Hex
}

const readCall = (raw: unknown, { order: { input }, user }: Ask) => {
  const call = evmData.read(raw)
  demand('relay answered with', {
    'another chain': call.chainId === toWireChain(input.chainId),
    'another payer': spelledIn(input.chainId, call.from, 'the payer') === user,
  })
  return { ...call, contract: spelledIn(input.chainId, call.to, 'the contract') }
}

const APPROVE = parseAbi(['function approve(address spender, uint256 amount)'])

/** An approval of the vendor's own making is not used, but must ask for nothing strange. A zero one comes before some tokens' others. */
const checkApproval = async (raw: unknown, ask: Ask): Promise<void> => {
  const { input, inputAmount } = ask.order
  const { contract, data, value } = readCall(raw, ask)
  const [spender, amount] = (await readExactCall(APPROVE, data.toLowerCase() as Hex)) ?? []
  demand('relay answered with', {
    'another token to approve': contract === input.address && BigInt(value) === 0n,
    'another amount to approve': amount === 0n || (typeof amount === 'bigint' && amount >= inputAmount),
    'another spender': spender === PINNED[input.chainId].depository,
  })
}

/** In place of a blockhash while only a price is asked for: any 32 bytes make a transaction of the same length. */
const ANY_BLOCKHASH = SOLANA_DEPOSITORY

const keyIn = (text: string): Address => addressIn(SOLANA, text, 'an account')

/**
 * Puts the vendor's instructions into the unsigned transaction a wallet signs: v0, with the lookup tables it names, paid
 * for by the user. A preview is built on no real block. Throws VenueError, of kind noLiquidity when it is too long to send.
 */
const packDeposit = async (raw: unknown, user: Address, ports: BuildPorts): Promise<WalletTransaction> => {
  const { chains, isPreview, signal } = ports
  const { instructions, addressLookupTableAddresses: tables } = solanaData.read(raw)
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
  if (serialized === null) throw new VenueError('noLiquidity', 'relay: the transaction is longer than Solana takes')
  return { chainId: SOLANA, to: SOLANA_DEPOSITORY, data: serialized, value: toAmount(0n), serialized }
}

/** What the wallet is to do, by the venue's word: whether it does what was asked for, its claims tell. */
const payloadOf = async (
  answer: Quote,
  ask: Ask,
  ports: BuildPorts,
): Promise<{ readonly payload: Payload; readonly gasUnits: bigint | null }> => {
  const { approvals, deposit } = planOf(answer)
  const { inputAmount, input } = ask.order
  const { chainId } = input
  if (chainId === BITCOIN) {
    const address = addressIn(chainId, deposit.depositAddress ?? '', 'the deposit address')
    return { payload: { executionType: 'DEPOSIT', deposit: { chainId, address, amount: inputAmount } }, gasUnits: null }
  }
  if (chainId === SOLANA) {
    demand('relay answered with', { 'an approval on Solana': approvals.length === 0 })
    const transaction = await packDeposit(deposit.data, ask.user, ports)
    return { payload: { executionType: 'TRANSACTION', transaction }, gasUnits: null }
  }
  for (const { data } of approvals) await checkApproval(data, ask)
  const { contract, data, value, gas } = readCall(deposit.data, ask)
  const transaction = { chainId, to: contract, data: data.toLowerCase(), value: toAmount(BigInt(value)) }
  return { payload: { executionType: 'TRANSACTION', transaction }, gasUnits: BigInt(gas ?? 0) || null }
}

/** Reads the order and the steps of an answer, and holds what they would do against what was asked. Throws VenueError. */
export const build = async (answered: Answered, ports: BuildPorts): Promise<Built> => {
  const { answer, ask, terms } = answered
  const order = await orderIn(answered, ports)
  const requestId = requestIdOf(answer)
  const { payload, gasUnits } = await payloadOf(answer, ask, ports)
  const evidence: Evidence = {
    v: 1,
    order: order.words,
    user: ask.user,
    appFee: terms.appFee > 0n ? terms.appFee.toString() : null,
    depositAddress: payload.executionType === 'DEPOSIT' ? payload.deposit.address : null,
  }
  const { claims, unprovable: beside } = await readClaims(payload, { evidence, order }, ports)
  const problems = claimProblems(claims, { ...ask, minimum: terms.slippage.guaranteedMin })
  if (problems.length > 0) throw rejected('payload', `relay answered with ${problems.join(', ')}`, problems)
  for (const refusal of beside) throw refusal
  const carry: TrackingCarry = { v: 1, requestId }
  const { outputAmount, slippage } = terms
  const venueRef = evidence.depositAddress ?? requestId
  return { execution: { payload, venueRef, evidence, outputAmount, slippage, carry }, gasUnits }
}
