import { hashTypedData, recoverTypedData } from '../../../chains/evm/evmCodec.ts'
import { PERMIT2 } from '../../../chains/evm/permit2.ts'
import type { Hex, TypedData } from '../../../core/execution.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { callData } from '../../kit/callData.ts'
import { balanceOf, isAcceptedBy } from '../../kit/chainReads.ts'
import { type SettlementFault, takeSettlementFault } from '../../kit/fate.ts'
import * as fields from '../../kit/fields.ts'
import { takesFor } from '../../kit/lies.ts'
import { land, payOut } from '../../kit/payOut.ts'
import { found, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import type { SimCall, World } from '../../kit/world.ts'
import { metaTxnCall, type QuotedTrade } from './payloads.ts'
import { type Deal, invalid, refuseField } from './requests.ts'

const WORD = fields.matching('32 bytes', /^0x[0-9a-fA-F]{64}$/)
const BYTES = fields.matching('bytes', /^0x([0-9a-fA-F]{2})+$/)
const TYPED = fields.type('typed data', (value) =>
  typeof value === 'object' && value !== null ? (value as TypedData) : undefined,
)
const SIGNED = fields.record({
  required: {
    type: fields.oneOf('settler_metatransaction', 'permit'),
    eip712: TYPED,
    signature: fields.record({
      required: { signatureType: fields.integer(2, 5) },
      optional: { v: fields.integer(27, 28), r: WORD, s: WORD, signatureBytes: BYTES },
    }),
  },
  optional: {},
})
const SUBMISSION = { required: { chainId: fields.integer(1, 1_000_000_000), trade: SIGNED }, optional: { approval: SIGNED } }

type Signed = Exclude<ReturnType<(typeof SIGNED)['read']>, undefined>

/** The taker's signature. Type 2 is by its key, any other type by its contract. */
const signatureOf = async (world: World, { chainId, taker }: Deal, { eip712, signature }: Signed): Promise<Hex> => {
  const { signatureType, v, r = '', s = '', signatureBytes = '0x' } = signature
  const bytes = (signatureType === 2 ? `${r}${s.slice(2)}${v?.toString(16)}` : signatureBytes) as Hex
  const isRight =
    signatureType === 2
      ? (await recoverTypedData(eip712, bytes))?.toLowerCase() === taker
      : await isAcceptedBy(world, chainId, taker, await hashTypedData(eip712), bytes)
  refuseIf(!isRight, 'INVALID_SIGNATURE', 'The signature is invalid')
  return bytes
}

/** The signed amount is there to be taken. */
const checkBalance = async (world: World, { chainId, sell, sellAmount, taker }: Deal): Promise<void> => {
  const held = await balanceOf(world, { chainId, token: sell.address, owner: taker })
  const isShort = held !== null && held < sellAmount
  refuseIf(isShort, 'INSUFFICIENT_BALANCE_OR_ALLOWANCE', 'Insufficient balance or allowance')
}

/** When a trade is sent to its chain, mined, and below three blocks; ms after its submission. */
const TIMES = { submitted: 2_000, mined: 4_000, confirmed: 8_000 }
/** The account of the relayer. Exists in simulations only. */
const RELAYER = '0x7e2f5a1c9b3d4e6f8091a2b3c4d5e6f708192a3b'
const PERMIT = 'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)'

/** A submitted trade. Once it is over, one without a transaction has failed. */
type Open = QuotedTrade & {
  readonly since: number
  readonly signature: Hex
  readonly permit: Hex | null
  fate: SettlementFault | null
  txHash: string | null
  isOver: boolean
}

/** Settles by the Settler of the chain. Throws where the chain would revert. */
const relay = async ({ evm }: World, order: Open): Promise<string> => {
  const { deal, approval, permit, settler } = order
  const { chainId, sell, taker } = deal
  const by = (to: string, data: string): SimCall => ({ chainId, from: RELAYER, to, data })
  if (approval && permit) {
    const { value, deadline } = approval.eip712.message
    const parts = [Number.parseInt(permit.slice(130), 16), permit.slice(0, 66), `0x${permit.slice(66, 130)}`]
    const args = [taker, PERMIT2, BigInt(String(value)), BigInt(String(deadline)), ...parts]
    await land(evm, by(sell.address, await callData(PERMIT, args)))
  }
  return (await land(evm, by(settler, await metaTxnCall(order, order.signature)))).txHash
}

const settledBy = async (world: World, order: Open): Promise<string | null> => {
  const { deal, header } = order
  order.fate ??= takeSettlementFault(world.faults, 'zerox')
  if (order.fate === null) return relay(world, order)
  if (order.fate === 'lying-success') return `0x${world.random.hex(64)}`
  return order.fate === 'short-fill' ? payOut(world, { token: deal.buy, to: header.recipient, amount: deal.minimum / 2n }) : null
}

/** A trade that its chain refuses fails, and the schedule reports the reason. */
const settle = async (world: World, order: Open): Promise<void> => {
  try {
    order.txHash = await settledBy(world, order)
  } finally {
    order.isOver = true
  }
}

const statusOf = ({ since, txHash, isOver, fate }: Open, now: number): string => {
  if (isOver && txHash === null) return 'failed'
  if (isOver) return now - since < TIMES.confirmed ? 'succeeded' : 'confirmed'
  return fate === 'never-fills' || now - since < TIMES.submitted ? 'pending' : 'submitted'
}

export const createTrades = (world: World) => {
  const quoted = new BoundedMap<string, QuotedTrade>()
  const open = new BoundedMap<string, Open>()
  const { clock, faults, schedule } = world

  const submit = async ({ body }: SimRequest): Promise<SimResponse> => {
    const { chainId, trade, approval } = fields.readFields(body, SUBMISSION, refuseField)
    const hash = await hashTypedData(trade.eip712).catch(() => '')
    const order = found(quoted.get(hash), 'META_TRANSACTION_INVALID', 'The metatransaction is invalid')
    if (order.deal.chainId !== chainId) throw invalid('chainId')
    refuseIf(open.has(hash), 'TRADE_ALREADY_SUBMITTED', 'The trade was submitted before', { tradeHash: hash })
    const isOther = approval && (await hashTypedData(approval.eip712).catch(() => '')) !== order.approval?.hash
    refuseIf(isOther === true, 'INVALID_APPROVAL', 'The approval is invalid')
    const signature = await signatureOf(world, order.deal, trade)
    const permit = approval ? await signatureOf(world, order.deal, approval) : null
    await checkBalance(world, order.deal)
    const fate = takeSettlementFault(faults, 'zerox')
    const kept: Open = { ...order, since: clock.now(), signature, permit, fate, txHash: null, isOver: false }
    open.set(hash, kept)
    // A trade that never fills ends by its deadline.
    const endsAt = fate === 'never-fills' ? (Number(order.deadline) + 1) * 1_000 : kept.since + TIMES.mined
    schedule.at(endsAt, () => settle(world, kept))
    return ok({ tradeHash: hash, type: 'settler_metatransaction', zid: order.zid }, 201)
  }

  const status = ({ path, query }: SimRequest, hash: string): SimResponse => {
    const order = open.get(hash)
    if (!order || String(order.deal.chainId) !== query.get('chainId'))
      throw new Refusal('META_TRANSACTION_STATUS_NOT_FOUND', 'Metatransaction not found', { status: 404 })
    const { txHash, since, zid } = order
    const isStrange = takesFor(faults, 'zerox', path)('unknown-status')
    const transactions = txHash === null ? [] : [{ hash: txHash, timestamp: since + TIMES.mined }]
    return ok({ status: isStrange ? 'disputed' : statusOf(order, clock.now()), transactions, zid })
  }

  return { keep: (trade: QuotedTrade) => void quoted.set(trade.digest, trade), submit, status }
}
