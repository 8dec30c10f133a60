import { PERMIT2 } from '../../chains/evm/permit2.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { isChainId } from '../../core/chain.ts'
import type { ClaimedFee, Execution, PayloadClaims, SignaturePayload } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { rejected } from '../venueError.ts'
import { type OrderOutput, readOrder, type SignedOrder } from './orders.ts'
import { networkOf } from './protocol.ts'
import { assetOf, type Reactors } from './published.ts'

const sum = (outputs: readonly OrderOutput[], of: 'start' | 'least'): bigint =>
  outputs.reduce((total, output) => total + output[of], 0n)

/** The operator's settings for orders. */
export type Ours = {
  /** The recipient of the integrator's fees; null without fees. */
  readonly feeRecipient: Address | null
  /** The allowed cosigners; empty: any. No document names them, and none can reduce an order's signed minimum. */
  readonly cosigners: readonly Address[]
  /** The reactors of a chain: the published ones, and those of a setting. */
  readonly reactorsOn: Reactors
}

/** The payments of an order. Outputs to our fee address are the fee, unless there are no others. */
export const split = ({ outputs }: Pick<SignedOrder, 'outputs'>, feeRecipient: Address | null) => {
  const others = outputs.filter(({ recipient }) => recipient !== feeRecipient)
  const paid = others.length > 0 ? others : outputs
  const fees = outputs.filter((output) => !paid.includes(output))
  return { paid, fees, expected: sum(paid, 'start'), minimum: sum(paid, 'least') }
}

/** A share of an order's outputs, in basis points to the nearest: the API takes it before the gas cost. */
const shareOf = (part: bigint, rest: bigint): number =>
  part + rest === 0n ? 0 : Number((part * 20_000n + part + rest) / ((part + rest) * 2n))

/** The fee, where it is the same share of the expected and of the guaranteed output. */
const feeOf = ({ paid, fees, expected, minimum }: ReturnType<typeof split>): ClaimedFee | null | undefined => {
  const [first] = fees
  if (first === undefined || paid.length === 0) return null
  const bps = shareOf(sum(fees, 'start'), expected)
  return bps > 0 && bps === shareOf(sum(fees, 'least'), minimum) ? { recipient: first.recipient, bps } : undefined
}

const claimsOf = (
  payload: SignaturePayload,
  order: SignedOrder,
  { feeRecipient, cosigners, reactorsOn }: Ours,
): PayloadClaims => {
  const { name, chainId, verifyingContract } = payload.typedData.domain
  const network = chainId !== undefined && isChainId(chainId) ? networkOf(chainId) : null
  if (network === null) throw rejected('chain', 'the domain is of no chain with UniswapX', chainId)
  const { permitted, spender, nonce, deadline, info, cosigner, input, isInputFixed, outputs } = order
  const divided = split(order, feeRecipient)
  const [first] = divided.paid
  if (first === undefined) throw rejected('outputs', 'the order pays nobody')
  const fee = feeOf(divided)
  const unread = failing({
    domain: name === 'Permit2',
    verifyingContract: verifyingContract === PERMIT2,
    chainId: chainId === payload.chainId,
    approvalData: payload.approvalData === null,
    reactor: reactorsOn(network.chainId, order.routing).some((known) => known === info.reactor),
    spender: spender === info.reactor,
    'permitted.token': permitted.token === input.token,
    'permitted.amount': BigInt(permitted.amount) === input.amount,
    'an input that changes': isInputFixed,
    nonce: nonce === info.nonce,
    deadline: deadline === info.deadline,
    additionalValidation: info.additionalValidationContract === ZERO_EVM_ADDRESS && info.additionalValidationData === '0x',
    // The zero address cannot cosign: the reactors of Dutch orders fill no order that names it.
    cosigner: cosigner !== ZERO_EVM_ADDRESS && (cosigners.length === 0 || cosigners.some((known) => known === cosigner)),
    // The zero address has no owner.
    'a payment to nobody': outputs.every(({ recipient }) => recipient !== ZERO_EVM_ADDRESS),
    'several recipients': divided.paid.every(({ recipient }) => recipient === first.recipient),
    'several output tokens': outputs.every(({ token }) => token === first.token),
    'an output that rises': outputs.every(({ start, least }) => start >= least && least > 0n),
    'a fee of no one share': fee !== undefined,
  })
  return {
    chainId: network.chainId,
    pays: PERMIT2,
    spender: PERMIT2,
    input: { asset: assetOf(network.chainId, input.token), amount: input.amount },
    output: { asset: assetOf(network.chainId, first.token), minimum: divided.minimum },
    recipient: first.recipient,
    // A signed order moves no money before its fill.
    refundTo: null,
    fee: fee ?? null,
    nativeFee: 0n,
    deadlineAt: Number(deadline) * 1_000,
    unread,
  }
}

export type Decoded = { readonly order: SignedOrder; readonly claims: PayloadClaims }

/** The effect of an order to sign, by its typed data. */
export const decodeOrder = async (payload: SignaturePayload, ours: Ours): Promise<Decoded> => {
  const order = await readOrder(payload.typedData)
  if (order === null) throw rejected('types', 'the types are those of no order of UniswapX')
  return { order, claims: claimsOf(payload, order, ours) }
}

export const createDecode =
  (ours: Ours) =>
  async ({ payload, venueRef }: Execution): Promise<PayloadClaims> => {
    if (payload.executionType !== 'SIGNATURE') throw rejected('executionType', 'this venue takes nothing but signatures')
    const { order, claims } = await decodeOrder(payload, ours)
    return { ...claims, unread: [...claims.unread, ...failing({ venueRef: venueRef === order.orderId })] }
  }
