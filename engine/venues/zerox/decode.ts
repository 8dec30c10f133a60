import type { CallOf } from '../../chains/evm/abiFields.ts'
import { readNamedCall } from '../../chains/evm/exactCall.ts'
import { PERMIT2 } from '../../chains/evm/permit2.ts'
import { hashTypedAs } from '../../chains/evm/typedKind.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { nativeAsset } from '../../core/asset.ts'
import { type ChainId, isChainId } from '../../core/chain.ts'
import type { Execution, Hex, PayloadClaims, SignaturePayload, TransactionPayload, TypedData } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { addressIn, assetIn, isSameAddress } from '../kit/addresses.ts'
import { hashOfPermit, readPermit } from '../kit/permit.ts'
import { rejected } from '../venueError.ts'
import { type Header, isAfterSwap, keepsTheRest, readNativeCheck, readShare, readSignedTaken, readTaken } from './actions.ts'
import { EXEC, EXECUTE, TRADE } from './protocol.ts'
import type { Settlers } from './settlers.ts'
import { evidenceShape, tradeMessageShape } from './wire.ts'

/** The content of a call to AllowanceHolder. */
export type Swap = CallOf<typeof EXEC> & { readonly header: Header; readonly actions: readonly Hex[] }

/** Null for another call than a swap by AllowanceHolder and a Settler, or one with extra bytes. */
export const readSwap = async (data: string): Promise<Swap | null> => {
  if (!/^0x([0-9a-f]{2})*$/.test(data)) return null
  const outer = await readNamedCall(EXEC, data as Hex)
  const inner = outer && (await readNamedCall(EXECUTE, outer.data))
  return inner && { ...outer, header: inner.slippage, actions: inner.actions }
}

/** The hash that a wallet signs for a trade in the domain of Permit2; null for typed data of another type. */
export const hashOfTrade = async (typedData: TypedData): Promise<Hex | null> => {
  const { name, verifyingContract = '' } = typedData.domain
  return name === 'Permit2' && isSameAddress(verifyingContract, PERMIT2) ? hashTypedAs(typedData, TRADE) : null
}

/** Seconds on chain, ms here; a value beyond every clock is far beyond any bound. */
const msOf = (seconds: bigint): number => Number(seconds) * 1_000

export type Decoding = { readonly settlers: Settlers; readonly feeRecipient: Address | null }

type Checks = { readonly [name: string]: boolean }
type Sold = { readonly chainId: ChainId; readonly header: Header; readonly actions: readonly Hex[] }

/** The header's bounds, and the integrator's share: identified by its own address, as 0x's fees have the same form. */
const soldOf = async ({ chainId, header, actions }: Sold, { feeRecipient }: Decoding, checks: Checks) => {
  const { minAmountOut: minimum, ...parties } = header
  const buyToken = assetIn(chainId, parties.buyToken.toLowerCase(), 'buyToken')
  const recipient = addressIn(chainId, parties.recipient.toLowerCase(), 'the recipient')
  const shares = await Promise.all(actions.map(readShare))
  const own = shares.filter((share) => share !== null && share.recipient === feeRecipient)
  const [fee] = own
  // A share of an output that was not paid yet is zero.
  const after = fee ? await Promise.all(actions.slice(shares.indexOf(fee) + 1).map(isAfterSwap)) : []
  return {
    chainId,
    nativeFee: 0n,
    // The transaction that takes the tokens also pays.
    refundTo: null,
    output: { asset: buyToken, minimum },
    recipient,
    fee: fee ? { recipient: fee.recipient, bps: Number(fee.bps) } : null,
    unread: failing({
      ...checks,
      fee:
        own.length <= 1 && (!fee || (isSameAddress(fee.token, header.buyToken) && fee.bps <= 10_000n && !after.includes(false))),
      // Without a header the Settler checks no output at its end.
      header: minimum > 0n && buyToken.address !== ZERO_EVM_ADDRESS && recipient !== ZERO_EVM_ADDRESS,
      exactOutput: !keepsTheRest(actions),
    }),
  }
}

const decodeTransaction = async ({ transaction }: TransactionPayload, decoding: Decoding): Promise<PayloadClaims> => {
  const { chainId, to, data, value, serialized } = transaction
  const swap = await readSwap(data)
  if (!swap) throw rejected('call', 'the calldata is no swap by AllowanceHolder', data)
  const { operator, target, token, amount, actions } = swap
  const [first = '0x'] = actions
  const isNative = token === ZERO_EVM_ADDRESS
  const taken = readTaken(first)
  const check = await readNativeCheck(first)
  const isTaken = isNative ? check?.amount === amount : taken?.token === token.toLowerCase() && taken.amount === amount
  const deadline = (isNative ? check : taken)?.deadline
  const claims = await soldOf({ chainId, ...swap }, decoding, {
    to: decoding.settlers.allowanceHolders(chainId).includes(to),
    operator: operator === target,
    settler: decoding.settlers.isSettler('taker', chainId, target),
    firstAction: isTaken && deadline !== undefined,
    value: value === (isNative ? amount : 0n),
    serialized: serialized === undefined,
  })
  return {
    ...claims,
    pays: to,
    spender: isNative ? null : to,
    input: { asset: isNative ? nativeAsset(chainId) : assetIn(chainId, token, 'the sold token'), amount },
    deadlineAt: deadline === undefined ? null : msOf(deadline),
  }
}

const decodeSignature = async (
  { payload, evidence, venueRef }: Execution & { readonly payload: SignaturePayload },
  decoding: Decoding,
): Promise<PayloadClaims> => {
  const { typedData, approvalData, chainId: stated } = payload
  const { tradeHash, approvalHash } = evidenceShape.read(evidence)
  const { chainId } = typedData.domain
  if (chainId === undefined || !isChainId(chainId)) throw rejected('domainChain', 'the domain names no chain', chainId)
  const { permitted, spender, nonce, deadline, slippageAndActions } = tradeMessageShape.read(typedData.message)
  const { actions, minAmountOut, ...parties } = slippageAndActions
  const asset = assetIn(chainId, permitted.token.toLowerCase(), 'the sold token')
  const [amount, endsAt] = [BigInt(permitted.amount), BigInt(deadline)]
  const permit = approvalData && readPermit(approvalData)
  const taken = readSignedTaken(actions[0] ?? '0x')
  const isTaken = taken?.amount === amount && taken.nonce === BigInt(nonce) && taken.deadline === endsAt
  const claims = await soldOf({ chainId, header: { ...parties, minAmountOut: BigInt(minAmountOut) }, actions }, decoding, {
    chainId: chainId === stated && (permit === null || permit.chainId === chainId),
    settler: decoding.settlers.isSettler('metaTransaction', chainId, spender),
    firstAction: isTaken && isSameAddress(taken.token, permitted.token),
    'trade.hash': (await hashOfTrade(typedData)) === tradeHash && venueRef === tradeHash,
    // A permit counts only with the domain of the sold token.
    approval: permit === null ? approvalHash === null : permit.isOf(permitted.token),
    'approval.hash': approvalData === null || (approvalHash !== null && (await hashOfPermit(approvalData)) === approvalHash),
  })
  return {
    ...claims,
    pays: PERMIT2,
    spender: PERMIT2,
    input: { asset, amount },
    approval: permit?.approval ?? null,
    deadlineAt: msOf(permit && permit.deadline > endsAt ? permit.deadline : endsAt),
  }
}

/** The effect of a payload, by its own bytes and the hashes of the signed data. */
export const createDecode =
  (decoding: Decoding) =>
  async (execution: Execution): Promise<PayloadClaims> => {
    const { payload } = execution
    if (payload.executionType === 'SIGNATURE') return decodeSignature({ ...execution, payload }, decoding)
    if (payload.executionType === 'TRANSACTION') return decodeTransaction(payload, decoding)
    throw rejected('payload', 'this venue takes no deposits', payload.executionType)
  }
