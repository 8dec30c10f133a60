import { keccakText } from '../../chains/evm/evmCodec.ts'
import { ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { nativeAsset } from '../../core/asset.ts'
import { type ChainId, isChainId } from '../../core/chain.ts'
import type { Execution, Hex, PayloadClaims, SignaturePayload, TransactionPayload, TypedData } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { addressIn, assetIn } from '../kit/addresses.ts'
import { rejected } from '../venueError.ts'
import { type AppDataReading, readAppData } from './appData.ts'
import { DOMAIN_NAME, DOMAIN_VERSION, decodeCreateOrder, type EthFlowOrder, ORDER_FIELDS } from './protocol.ts'
import { type CowFamilies, type CowFamily, familyOf } from './published.ts'
import { type Evidence, evidenceShape, messageShape, type WireMessage } from './wire.ts'

/** The document counts only when it matches the signed hash. */
const readDocument = ({ appData }: Evidence, signedHash: Hex): AppDataReading => {
  if (keccakText(appData) !== signedHash.toLowerCase()) throw rejected('appData', 'the app data is not the one the order names')
  return readAppData(appData)
}

const hasOrderType = ({ types, primaryType }: TypedData): boolean => {
  const fields = types['Order'] ?? []
  const isSame =
    fields.length === ORDER_FIELDS.length &&
    ORDER_FIELDS.every(({ name, type }, i) => fields[i]?.name === name && fields[i].type === type)
  return primaryType === 'Order' && Object.keys(types).length === 1 && isSame
}

/** The fields that both kinds of payload have. */
type Terms = Pick<
  WireMessage | EthFlowOrder,
  'buyToken' | 'buyAmount' | 'receiver' | 'validTo' | 'appData' | 'feeAmount' | 'partiallyFillable'
>

/** `checks`: further conditions. */
const claimsOf = (chainId: ChainId, order: Terms, evidence: Evidence, checks: { readonly [name: string]: boolean }) => {
  const recipient = addressIn(chainId, order.receiver.toLowerCase(), 'the receiver')
  const { partnerFee, unread } = readDocument(evidence, order.appData)
  const isAsBuilt = {
    receiver: recipient !== ZERO_EVM_ADDRESS,
    feeAmount: BigInt(order.feeAmount) === 0n,
    partiallyFillable: !order.partiallyFillable,
  }
  return {
    chainId,
    nativeFee: 0n,
    output: { asset: assetIn(chainId, order.buyToken.toLowerCase(), 'buyToken'), minimum: BigInt(order.buyAmount) },
    recipient,
    fee: partnerFee,
    deadlineAt: order.validTo * 1_000,
    unread: [...failing({ ...checks, ...isAsBuilt }), ...unread],
  }
}

/** Null: the payload's contract is unknown. */
type Known = CowFamily | null

const decodeSignature = (payload: SignaturePayload, evidence: Evidence, family: Known): PayloadClaims => {
  const { chainId: stated, typedData, approvalData } = payload
  const { domain, message } = typedData
  const { name, version, chainId, verifyingContract, ...otherDomain } = domain
  if (!verifyingContract || chainId === undefined || !isChainId(chainId))
    throw rejected('domain', 'the domain names no chain or contract')
  const pays = addressIn(chainId, verifyingContract.toLowerCase(), 'the contract')
  const order = messageShape.read(message)
  const checks = {
    domain: name === DOMAIN_NAME && version === DOMAIN_VERSION && Object.keys(otherDomain).length === 0,
    verifyingContract: family !== null,
    chainId: chainId === stated,
    types: hasOrderType(typedData),
    kind: order.kind === 'sell',
    sellTokenBalance: order.sellTokenBalance === 'erc20',
    buyTokenBalance: order.buyTokenBalance === 'erc20',
    approvalData: approvalData === null,
  }
  return {
    ...claimsOf(chainId, order, evidence, checks),
    pays,
    spender: family?.relayer ?? null,
    input: { asset: assetIn(chainId, order.sellToken.toLowerCase(), 'sellToken'), amount: BigInt(order.sellAmount) },
    // A signed order moves no money before its fill.
    refundTo: null,
  }
}

const HEX = /^0x([0-9a-fA-F]{2})*$/

const decodeTransaction = async (
  { transaction }: TransactionPayload,
  evidence: Evidence,
  family: Known,
): Promise<PayloadClaims> => {
  const { chainId, to, data, value, serialized } = transaction
  const order = HEX.test(data) ? await decodeCreateOrder(data as Hex) : null
  if (!order) throw rejected('call', 'the calldata is no createOrder call, or more than one', data)
  const checks = {
    to: family !== null,
    value: value === order.sellAmount + order.feeAmount,
    quoteId: evidence.quoteId !== null && order.quoteId === BigInt(evidence.quoteId),
    serialized: serialized === undefined,
  }
  return {
    ...claimsOf(chainId, order, evidence, checks),
    pays: to,
    spender: null,
    input: { asset: nativeAsset(chainId), amount: order.sellAmount },
    // EthFlow refunds the coins to their sender. The order names no refund address.
    refundTo: 'payer',
  }
}

/** The effect of a payload, by its own bytes and the app data whose hash they contain. */
export const decode = async ({ payload, evidence: rawEvidence }: Execution, families: CowFamilies): Promise<PayloadClaims> => {
  const [evidence, family] = [evidenceShape.read(rawEvidence), familyOf(families, payload)]
  switch (payload.executionType) {
    case 'SIGNATURE':
      return decodeSignature(payload, evidence, family)
    case 'TRANSACTION':
      return decodeTransaction(payload, evidence, family)
    case 'DEPOSIT':
      throw rejected('executionType', 'this venue takes no deposits')
  }
}
