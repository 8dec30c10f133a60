import { hashTypedData, recoverTypedData } from '../../../chains/evm/evmCodec.ts'
import type { Hex, TypedData } from '../../../core/execution.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { allowanceOf, balanceOf, isAcceptedBy } from '../../kit/chainReads.ts'
import { takeSettlementFault } from '../../kit/fate.ts'
import { integer, matching, oneOf, readFields, record, type } from '../../kit/fields.ts'
import { takesFor } from '../../kit/lies.ts'
import { found, ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { PERMIT2 } from './networks.ts'
import { type QuotedTrade, requireTrade } from './quotes.ts'
import { refuseField, refuseInput } from './refusal.ts'
import { dueAt, type Open, settle, TIMES } from './relayer.ts'

/** A trade must have so long to go, in seconds. */
const LEAST_LEFT = 30n

const EIP712 = type('typed data', (value) => (typeof value === 'object' && value !== null ? (value as TypedData) : undefined))
const WORD = matching('32 bytes', /^0x[0-9a-fA-F]{64}$/)
const SIGNATURE = record({
  required: { signatureType: integer(0, 10) },
  optional: { v: integer(0, 255), r: WORD, s: WORD, signatureBytes: matching('bytes', /^0x([0-9a-fA-F]{2})+$/) },
})
const SIGNED = { eip712: EIP712, signature: SIGNATURE }
const SUBMISSION = {
  required: {
    chainId: integer(1, 1_000_000_000),
    trade: record({ required: { type: oneOf('settler_metatransaction'), ...SIGNED }, optional: {} }),
  },
  optional: {
    approval: record({
      required: { type: oneOf('permit', 'daiPermit', 'executeMetaTransaction::approve'), ...SIGNED },
      optional: {},
    }),
  },
}
const readSubmission = (body: unknown) => readFields(body, SUBMISSION, refuseField)
type Signature = ReturnType<typeof readSubmission>['trade']['signature']

const invalidSignature = (): Refusal => new Refusal('INVALID_SIGNATURE', 'The signature is invalid')

/** Type 2 is EIP-712 by a key, type 5 whatever a contract takes. */
const bytesOf = ({ signatureType, v, r, s, signatureBytes }: Signature): Hex => {
  if (signatureType === 5 && signatureBytes !== undefined) return signatureBytes as Hex
  if (signatureType !== 2 || r === undefined || s === undefined || (v !== 27 && v !== 28)) throw invalidSignature()
  return `${r}${s.slice(2)}${v.toString(16)}` as Hex
}

const hashOf = (eip712: TypedData): Promise<string> => hashTypedData(eip712).catch(() => '')

/** What a wallet must have signed. */
type Asked = { readonly chainId: number; readonly taker: string; readonly eip712: TypedData; readonly digest: string }

const checkSigner = async (world: World, asked: Asked, signature: Signature): Promise<Hex> => {
  const bytes = bytesOf(signature)
  const { chainId, taker, eip712, digest } = asked
  if (signature.signatureType === 5) {
    if (!(await isAcceptedBy(world, chainId, taker, digest, bytes))) throw invalidSignature()
    return bytes
  }
  const signer = (await recoverTypedData(eip712, bytes))?.toLowerCase() ?? null
  if (signer === null) throw invalidSignature()
  refuseIf(signer !== taker, 'INVALID_SIGNER', 'The signer is not the taker', { signer })
  return bytes
}

const checkFunds = async (world: World, { deal, taker, trade, approval }: QuotedTrade): Promise<void> => {
  const { chainId, sell, amount } = deal
  const owned = { chainId, token: sell.address, owner: taker }
  const [held, allowed] = [await balanceOf(world, owned), await allowanceOf(world, owned, PERMIT2)]
  const isShort = (held !== null && held < amount) || (approval === null && allowed !== null && allowed < amount)
  refuseIf(isShort, 'INSUFFICIENT_BALANCE_OR_ALLOWANCE', 'Insufficient balance or allowance', {
    ...{ metaTransactionHash: trade.hash, taker, sellToken: sell.address.toLowerCase() },
    ...{ sellAmount: amount.toString(), minBalanceOrAllowance: amount.toString() },
  })
}

type Word = { readonly status: string; readonly hash: string | null; readonly reason?: string }

const wordOf = ({ since, end, fate }: Open, now: number): Word => {
  const age = now - since
  if (end?.status === 'failed') return { status: 'failed', hash: null, reason: end.reason }
  if (end !== null) return { status: age < TIMES.confirmed ? 'succeeded' : 'confirmed', hash: end.hash }
  return { status: fate === 'never-fills' || age < TIMES.submitted ? 'pending' : 'submitted', hash: null }
}

export const createTrades = (world: World) => {
  const quoted = new BoundedMap<string, QuotedTrade>()
  const open = new BoundedMap<string, Open>()
  const { clock, faults, schedule } = world

  const submit = async ({ body }: SimRequest): Promise<SimResponse> => {
    const { chainId, trade, approval } = readSubmission(body)
    const digest = await hashOf(trade.eip712)
    const order = requireTrade(quoted.get(digest))
    refuseInput(order.deal.chainId !== chainId, 'chainId', 'Is not that of the trade')
    refuseIf(open.has(digest), 'TRADE_ALREADY_SUBMITTED', 'The trade was submitted before', { tradeHash: digest })
    const left = order.deadline - BigInt(Math.floor(clock.now() / 1_000))
    const expiry = Number(order.deadline)
    refuseIf(left < LEAST_LEFT, 'META_TRANSACTION_EXPIRY_TOO_SOON', 'The expiry is too soon', { expiry })
    const asked = { chainId, taker: order.taker, eip712: trade.eip712, digest }
    const signature = await checkSigner(world, asked, trade.signature)
    const approved = approval === undefined ? null : await hashOf(approval.eip712)
    refuseIf(approved !== (order.approval?.hash ?? null) && approved !== null, 'INVALID_APPROVAL', 'The approval is invalid')
    await checkFunds(world, { ...order, approval: approved === null ? null : order.approval })
    const ofApproval = approval && { ...asked, eip712: approval.eip712, digest: approved ?? '' }
    const permit = approval && ofApproval ? await checkSigner(world, ofApproval, approval.signature) : null
    const kept: Open = { ...order, since: clock.now(), signature, permit, fate: takeSettlementFault(faults, 'zerox'), end: null }
    open.set(digest, kept)
    schedule.at(dueAt(kept), () => settle(world, kept))
    return ok({ tradeHash: digest, type: 'settler_metatransaction', zid: order.call.zid }, 201)
  }

  const status = ({ path, query }: SimRequest, tradeHash: string): SimResponse => {
    refuseInput(!/^[0-9]{1,10}$/.test(query.get('chainId') ?? ''), 'chainId', 'Required')
    const order = open.get(tradeHash)
    const isOfChain = order?.deal.chainId === Number(query.get('chainId'))
    const known = found(isOfChain ? order : null, 'META_TRANSACTION_STATUS_NOT_FOUND', 'Metatransaction not found', {
      status: 404,
    })
    const { hash, ...told } = wordOf(known, clock.now())
    const isStrange = takesFor(faults, 'zerox', path)('unknown-status')
    const transactions = hash === null ? [] : [{ hash, timestamp: known.since + TIMES.mined }]
    return ok({ ...told, ...(isStrange ? { status: 'disputed' } : {}), transactions, zid: known.call.zid })
  }

  return { keep: (trade: QuotedTrade) => void quoted.set(trade.trade.hash, trade), submit, status }
}
