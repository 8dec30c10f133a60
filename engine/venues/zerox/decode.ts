import { parseAbi } from 'abitype'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { nativeAsset } from '../../core/asset.ts'
import { type ChainId, isChainId } from '../../core/chain.ts'
import type {
  ClaimedFee,
  Execution,
  Hex,
  PayloadClaims,
  SignaturePayload,
  TransactionPayload,
  TypedData,
} from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { addressIn, assetIn } from '../kit/addresses.ts'
import { VenueError } from '../venueError.ts'
import { type Header, isAfterSwap, keepsTheRest, readNativeCheck, readShare, readSignedTaken, readTaken } from './actions.ts'
import { ALLOWANCE_HOLDER, PERMIT2 } from './published.ts'
import type { Settlers } from './settlers.ts'
import { hashOfPermit, hashOfTrade } from './typedData.ts'
import { evidenceShape, permitShape, tradeMessageShape } from './wire.ts'

/** `src/allowanceholder/IAllowanceHolder.sol` and `src/interfaces/ISettlerTakerSubmitted.sol` of 0x-settler. */
const EXEC = parseAbi(['function exec(address operator, address token, uint256 amount, address target, bytes data)'])
const EXECUTE = parseAbi([
  'struct AllowedSlippage { address recipient; address buyToken; uint256 minAmountOut; }',
  'function execute(AllowedSlippage slippage, bytes[] actions, bytes32 zidAndAffiliate)',
])

const bad = (what: string): VenueError => new VenueError('badResponse', `payload: ${what}`)

/** What a call to AllowanceHolder says. */
export type Swap = {
  readonly operator: string
  readonly target: string
  readonly token: string
  readonly amount: bigint
  readonly header: Header
  readonly actions: readonly Hex[]
}

/** Null when it is no swap by AllowanceHolder and a Settler, or not to the last byte. */
export const readSwap = async (data: string): Promise<Swap | null> => {
  if (!/^0x([0-9a-f]{2})*$/.test(data)) return null
  const outer = (await readExactCall(EXEC, data as Hex)) as readonly [string, string, bigint, string, Hex] | null
  if (outer === null) return null
  const [operator, token, amount, target, call] = outer
  const inner = (await readExactCall(EXECUTE, call)) as readonly [Header, readonly Hex[], Hex] | null
  return inner && { operator, token, amount, target, header: inner[0], actions: inner[1] }
}

/** Seconds on chain, ms here; what no clock holds ends far beyond any bound. */
const msOf = (seconds: bigint): number => Number(seconds) * 1_000

export type Decoding = { readonly settlers: Settlers; readonly feeRecipient: Address | null }

type Sold = { readonly chainId: ChainId; readonly header: Header; readonly actions: readonly Hex[] }

/** What the integrator gets: known by its own address, as 0x's fees are of the same form. */
const readFee = async ({ header, actions }: Sold, feeRecipient: Address | null) => {
  const shares = await Promise.all(actions.map(readShare))
  const own = shares.filter((share) => share !== null && share.recipient === feeRecipient)
  const [first] = own
  const fee: ClaimedFee | null = first ? { recipient: first.recipient, bps: Number(first.bps) } : null
  // A share of what is not there yet is nothing.
  const rest = first ? await Promise.all(actions.slice(shares.indexOf(first) + 1).map(isAfterSwap)) : []
  const isLast = rest.every((isAfter) => isAfter)
  const isClear = own.length <= 1 && (!first || (first.token === header.buyToken && first.bps <= 10_000n && isLast))
  return { fee, checks: { fee: isClear } }
}

const soldOf = async (sold: Sold, { feeRecipient }: Decoding, checks: { readonly [name: string]: boolean }) => {
  const { chainId, header, actions } = sold
  const { fee, checks: ofFee } = await readFee(sold, feeRecipient)
  return {
    chainId,
    nativeFee: 0n,
    // Tokens are taken in the transaction that pays.
    refundTo: null,
    output: { asset: assetIn(chainId, header.buyToken.toLowerCase(), 'buyToken'), minimum: header.minAmountOut },
    recipient: addressIn(chainId, header.recipient.toLowerCase(), 'the recipient'),
    fee,
    unread: failing({
      ...checks,
      ...ofFee,
      // Without a header the Settler checks nothing at its end.
      header: header.minAmountOut > 0n && header.buyToken !== ZERO_EVM_ADDRESS && header.recipient !== ZERO_EVM_ADDRESS,
      exactOutput: !keepsTheRest(actions),
    }),
  }
}

const decodeTransaction = async ({ transaction }: TransactionPayload, decoding: Decoding): Promise<PayloadClaims> => {
  const { chainId, to, data, value, serialized } = transaction
  const swap = await readSwap(data)
  const [first = '0x'] = swap?.actions ?? []
  if (!swap) throw bad('the calldata is no swap by AllowanceHolder')
  const { operator, target, token, amount } = swap
  const isNative = token === ZERO_EVM_ADDRESS
  const taken = readTaken(first)
  const check = await readNativeCheck(first)
  const isTaken = isNative ? check?.amount === amount : taken?.token === token.toLowerCase() && taken.amount === amount
  const deadline = (isNative ? check : taken)?.deadline
  const claims = await soldOf({ chainId, ...swap }, decoding, {
    to: to === ALLOWANCE_HOLDER,
    operator: operator === target,
    settler: decoding.settlers.isSettler('taker', chainId, target),
    firstAction: isTaken && deadline !== undefined,
    value: value === (isNative ? amount : 0n),
    serialized: serialized === undefined,
  })
  return {
    ...claims,
    pays: to,
    spender: isNative ? null : ALLOWANCE_HOLDER,
    input: { asset: isNative ? nativeAsset(chainId) : assetIn(chainId, token, 'the sold token'), amount },
    deadlineAt: deadline === undefined ? null : msOf(deadline),
  }
}

type Approval = {
  readonly deadline: bigint
  readonly approval: PayloadClaims['approval']
  readonly checks: { readonly [name: string]: boolean }
}

/** What a permit lets be taken. Its domain must be that of the sold token, or it is none. */
const readApproval = async (permit: TypedData | null, token: string, hash: Hex | null): Promise<Approval> => {
  if (permit === null) return { deadline: 0n, approval: null, checks: { approval: hash === null } }
  const { chainId, verifyingContract = '' } = permit.domain
  if (chainId === undefined || !isChainId(chainId)) throw bad('the domain of the approval names no chain')
  const { owner, spender, value, deadline } = permitShape.read(permit.message)
  return {
    deadline: BigInt(deadline),
    approval: {
      owner: addressIn(chainId, owner.toLowerCase(), 'the owner'),
      spender: addressIn(chainId, spender.toLowerCase(), 'the spender'),
      amount: BigInt(value),
    },
    checks: {
      approval: verifyingContract.toLowerCase() === token.toLowerCase(),
      'approval.hash': hash !== null && (await hashOfPermit(permit)) === hash,
    },
  }
}

const decodeSignature = async (
  { payload, evidence, venueRef }: Execution & { readonly payload: SignaturePayload },
  decoding: Decoding,
): Promise<PayloadClaims> => {
  const { typedData, approvalData, chainId: stated } = payload
  const { tradeHash, approvalHash } = evidenceShape.read(evidence)
  const { chainId } = typedData.domain
  if (chainId === undefined || !isChainId(chainId)) throw bad('the domain names no chain')
  const { permitted, spender, nonce, deadline, slippageAndActions } = tradeMessageShape.read(typedData.message)
  const { actions, minAmountOut, ...parties } = slippageAndActions
  const asset = assetIn(chainId, permitted.token.toLowerCase(), 'the sold token')
  const approved = await readApproval(approvalData, permitted.token, approvalHash)
  const taken = readSignedTaken(actions[0] ?? '0x')
  const isTaken =
    taken?.token === permitted.token.toLowerCase() &&
    taken.amount === BigInt(permitted.amount) &&
    taken.nonce === BigInt(nonce) &&
    taken.deadline === BigInt(deadline)
  const header = {
    recipient: addressIn(chainId, parties.recipient.toLowerCase(), 'the recipient'),
    buyToken: assetIn(chainId, parties.buyToken.toLowerCase(), 'buyToken').address,
    minAmountOut: BigInt(minAmountOut),
  }
  const claims = await soldOf({ chainId, header, actions }, decoding, {
    chainId: chainId === stated && (approvalData === null || approvalData.domain.chainId === chainId),
    settler: decoding.settlers.isSettler('metaTransaction', chainId, spender),
    firstAction: isTaken,
    'trade.hash': (await hashOfTrade(typedData)) === tradeHash && venueRef === tradeHash,
    ...approved.checks,
  })
  return {
    ...claims,
    pays: PERMIT2,
    spender: PERMIT2,
    input: { asset, amount: BigInt(permitted.amount) },
    approval: approved.approval ?? null,
    deadlineAt: msOf(approved.deadline > BigInt(deadline) ? approved.deadline : BigInt(deadline)),
  }
}

/** What a payload of this venue would do, from its own bytes and the hashes of what is signed. */
export const createDecode =
  (decoding: Decoding) =>
  async (execution: Execution): Promise<PayloadClaims> => {
    const { payload } = execution
    switch (payload.executionType) {
      case 'SIGNATURE':
        return decodeSignature({ ...execution, payload }, decoding)
      case 'TRANSACTION':
        return decodeTransaction(payload, decoding)
      case 'DEPOSIT':
        throw bad('this venue takes no deposits')
    }
  }
