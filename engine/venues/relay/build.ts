import { hexToBytes } from '@noble/hashes/utils.js'
import { parseAbi } from 'abitype'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import { packSolanaTransaction, readLookupTables, type SolanaInstructionPlan } from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import { isSameAsset } from '../../core/asset.ts'
import { BITCOIN, SOLANA } from '../../core/chain.ts'
import type { Hex, Payload, WalletTransaction } from '../../core/execution.ts'
import { addressIn } from '../kit/addresses.ts'
import { claimProblems } from '../kit/claimProblems.ts'
import { demand } from '../kit/demand.ts'
import { VenueError } from '../venueError.ts'
import { type DecodePorts, readClaims } from './decode.ts'
import { type Ask, badAnswer, type Terms, unprovable } from './map.ts'
import { pinned, SOLANA_DEPOSITORY, spelledIn, toWireChain } from './published.ts'
import { type OrderRules, type OrderTerms, readOrder } from './readOrder.ts'
import { fromChain, tableReader } from './solanaDeposit.ts'
import { type Evidence, type EvmData, evmData, type Item, type Quote, type Step, solanaData } from './wire.ts'

/** What an answer comes to once it was read: what the wallet does, and the venue's words about it. */
export type Built = {
  readonly payload: Payload
  readonly requestId: Hex
  readonly evidence: Evidence
  readonly gasUnits: bigint | null
}

export type BuildPorts = DecodePorts & {
  /** True for a price: nothing needs to be ready to be sent. */
  readonly isPreview: boolean
}

type Ordered = { readonly order: OrderTerms; readonly orderData: Evidence['order'] }

/** Without the order there is nothing that binds recipient and minimum; and a swap before the deposit is opaque calldata. */
const orderIn = async ({ protocol, details }: Quote, { order: asked }: Ask, rules: OrderRules): Promise<Ordered> => {
  const { orderId, orderData } = protocol?.v2 ?? {}
  if (orderId === undefined || orderData === undefined) throw unprovable('a swap outside the settlement protocol')
  const order = await readOrder(orderData, rules)
  if (!order.orderIds.includes(orderId.toLowerCase() as Hex)) throw badAnswer('order id')
  if (!isSameAsset(order.input.asset, asked.input)) throw unprovable('a swap before the deposit')
  if (order.unprovable.length > 0) throw unprovable(order.unprovable.join(', '))
  const { amount, minimumAmount } = details.currencyOut
  demand('relay answered with', {
    'another minimum in its order': order.output.minimum === BigInt(minimumAmount),
    // An order that expects less than the answer tells would make a price out of the answer's word alone.
    'another output amount in its order': order.expected >= BigInt(amount),
  })
  return { order, orderData }
}

const APPROVALS = new Set(['approve', 'approval'])

type Plan = { readonly approvals: readonly Item[]; readonly deposit: Item; readonly step: Step }

/** Approvals, and one deposit. Every other step swaps, calls or asks for a signature. */
const planOf = ({ steps }: Quote): Plan => {
  const open = steps.map((step) => ({ ...step, items: step.items.filter(({ status }) => status !== 'complete') }))
  const due = open.filter(({ items }) => items.length > 0)
  const approvals = due.filter(({ id }) => APPROVALS.has(id))
  const [step, ...others] = due.filter(({ id }) => !APPROVALS.has(id))
  if (!step || others.length > 0 || step.id !== 'deposit') throw unprovable('a step besides a deposit')
  const [deposit, ...more] = step.items
  if (!deposit || more.length > 0 || due.some(({ kind }) => kind !== 'transaction')) throw badAnswer('kind of step')
  return { approvals: approvals.flatMap(({ items }) => items), deposit, step }
}

const requestIdOf = ({ steps }: Quote): Hex => {
  const ids = new Set(steps.flatMap(({ requestId }) => (requestId === undefined ? [] : [requestId.toLowerCase()])))
  const [id] = ids
  if (id === undefined || ids.size > 1) throw badAnswer('request id')
  return id as Hex
}

const readCall = (raw: unknown, { order: { input }, user }: Ask): EvmData & { readonly contract: Address } => {
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
    'another spender': spender === pinned(input.chainId).depository,
  })
}

/** In place of a blockhash while only a price is asked for: any 32 bytes make a transaction of the same length. */
const ANY_BLOCKHASH = SOLANA_DEPOSITORY

/**
 * Puts the vendor's instructions into the unsigned transaction a wallet signs: v0, with the lookup tables it names, paid
 * for by the user. A preview is built on no real block. Throws VenueError, of kind noLiquidity when it is too long to send.
 */
const packDeposit = async (
  raw: unknown,
  user: Address,
  { chains, isPreview, signal }: BuildPorts,
): Promise<WalletTransaction> => {
  const { instructions, addressLookupTableAddresses = [] } = solanaData.read(raw)
  const tables = addressLookupTableAddresses.map((table) => addressIn(SOLANA, table, 'a lookup table'))
  const plans = instructions.map(
    ({ keys, programId, data }): SolanaInstructionPlan => ({
      programId: addressIn(SOLANA, programId, 'a program'),
      accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
        address: addressIn(SOLANA, pubkey, 'an account'),
        isSigner,
        isWritable,
      })),
      data: hexToBytes(data.toLowerCase()),
    }),
  )
  const [lookups, recentBlockhash] = await Promise.all([
    readLookupTables(tables, tableReader(chains, signal)),
    isPreview ? ANY_BLOCKHASH : fromChain(chains.latestBlockhash(signal)).then(({ blockhash }) => blockhash),
  ])
  const serialized = await packSolanaTransaction({ feePayer: user, recentBlockhash, instructions: plans }, lookups)
  if (serialized === null) throw new VenueError('noLiquidity', 'relay: the transaction is longer than Solana takes')
  return { chainId: SOLANA, to: SOLANA_DEPOSITORY, data: serialized, value: toAmount(0n), serialized }
}

/** What the wallet is to do, by the venue's word: whether it does what was asked for, its claims tell. */
const payloadOf = async (
  { approvals, deposit, step }: Plan,
  ask: Ask,
  ports: BuildPorts,
): Promise<Pick<Built, 'payload' | 'gasUnits'>> => {
  const { inputAmount, input } = ask.order
  const { chainId } = input
  if (chainId === BITCOIN) {
    const address = addressIn(chainId, step.depositAddress ?? '', 'the deposit address')
    return { payload: { executionType: 'DEPOSIT', deposit: { chainId, address, amount: inputAmount } }, gasUnits: null }
  }
  if (chainId === SOLANA) {
    if (approvals.length > 0) throw badAnswer('approval')
    const transaction = await packDeposit(deposit.data, ask.user, ports)
    return { payload: { executionType: 'TRANSACTION', transaction }, gasUnits: null }
  }
  for (const { data } of approvals) await checkApproval(data, ask)
  const { contract, data, value, gas } = readCall(deposit.data, ask)
  const transaction = { chainId, to: contract, data: data.toLowerCase(), value: toAmount(BigInt(value)) }
  const gasUnits = BigInt(gas ?? 0)
  return { payload: { executionType: 'TRANSACTION', transaction }, gasUnits: gasUnits === 0n ? null : gasUnits }
}

/** Reads the steps of an answer that was priced, and holds what they would do against what was asked. Throws VenueError. */
export const build = async (
  answer: Quote,
  { ask, terms }: { readonly ask: Ask; readonly terms: Terms },
  ports: BuildPorts,
): Promise<Built> => {
  const { order, orderData } = await orderIn(answer, ask, ports)
  const plan = planOf(answer)
  const requestId = requestIdOf(answer)
  const { payload, gasUnits } = await payloadOf(plan, ask, ports)
  const evidence: Evidence = {
    v: 1,
    order: orderData,
    user: ask.user,
    appFee: terms.appFee > 0n ? terms.appFee.toString() : null,
    depositAddress: payload.executionType === 'DEPOSIT' ? payload.deposit.address : null,
  }
  const read = await readClaims(payload, { evidence, order }, ports)
  const problems = claimProblems(read.claims, { ...ask, minimum: terms.slippage.guaranteedMin })
  if (problems.length > 0)
    throw new VenueError('badResponse', `relay answered with what was not asked for: ${problems.join(', ')}`)
  if (read.unprovable.length > 0) throw unprovable(read.unprovable.join(', '))
  return { payload, requestId, evidence, gasUnits }
}
