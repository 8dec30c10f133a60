import type { Chains } from '../../chains/chains.ts'
import { keccakHex } from '../../chains/evm/evmCodec.ts'
import { type Asset, isNative, nativeAsset } from '../../core/asset.ts'
import { BITCOIN, type ChainId } from '../../core/chain.ts'
import type { DepositPayload, Execution, Hex, PayloadClaims, TransactionPayload } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import { addressIn } from '../kit/addresses.ts'
import { fromChain } from '../kit/chainReads.ts'
import { rejected } from '../venueError.ts'
import type { Memoless } from './memoless.ts'
import type { Network } from './network.ts'
import * as protocol from './protocol.ts'
import { evidence as evidenceShape } from './wire.ts'

/**
 * Whether the memo asks for a swap in one part. Without a quantity the advanced swap queue makes as many parts as the pools
 * allow. Each has its share of the limit, and the outbound fee comes off their sum: `AddSwapQueueItem` of THORNode.
 */
const isAtOnce = ({ interval, quantity }: protocol.SwapMemo): boolean => interval === 0n && quantity === 1n

export type DecodePorts = {
  readonly network: Pick<Network, 'agreedVault'>
  readonly memoless: Pick<Memoless, 'check'> | null
  readonly chains: Pick<Chains, 'token'>
  readonly signal: AbortSignal
}

const unreadable = (check: string, what: string, found: unknown) => rejected(check, `${what} cannot be read`, found)

const decimalsOf = async (asset: Asset, { chains, signal }: DecodePorts): Promise<number> =>
  (await fromChain(chains.token(asset, signal))).decimals

/** The claims of a memo. Throws VenueError for a memo of another kind, or with unknown parts. */
const readMemo = async (text: string, chainId: ChainId, ports: DecodePorts) => {
  const memo: protocol.SwapMemo | null = protocol.parseMemo(text)
  if (memo === null) throw unreadable('memo', 'the memo', text)
  // The pools at the arrival of the deposit would decide the meaning of a shortened name.
  const output = protocol.assetNamed(memo.asset)
  if (output === null) throw unreadable('memoAsset', 'the asset of the memo', memo.asset)
  const { limit, recipient, refundTo, affiliates } = memo
  const [affiliate, ...others] = affiliates
  return {
    output: { asset: output, minimum: protocol.fromWire(limit, await decimalsOf(output, ports)) },
    recipient: addressIn(output.chainId, recipient, 'the recipient'),
    refundTo: refundTo === null ? null : addressIn(chainId, refundTo, 'the refund address'),
    fee: affiliate === undefined ? null : { recipient: affiliate.name, bps: affiliate.bps },
    unread: failing({
      'a swap in parts, whose minimum is none of the whole': isAtOnce(memo),
      'a swap without a minimum': limit > 0n,
      'more than one integrator fee': others.length === 0,
      'a fee of nothing': affiliate === undefined || affiliate.bps > 0,
    }),
  }
}

const decodeTransaction = async ({ transaction }: TransactionPayload, ports: DecodePorts): Promise<PayloadClaims> => {
  const { chainId, to, data, value } = transaction
  const call = await protocol.readDepositCall(data)
  if (call === null) throw unreadable('call', 'the call', data)
  const vault = await ports.network.agreedVault({ chainId }, ports.signal)
  const asset = protocol.fromRouterAsset(chainId, call.asset)
  const { refundTo, unread, output, recipient, fee } = await readMemo(call.memo, chainId, ports)
  const coins = isNative(asset)
  return {
    chainId,
    pays: to,
    spender: coins ? null : to,
    nativeFee: 0n,
    // For coins the router forwards the value, whatever the call states.
    input: { asset, amount: coins ? value : call.amount },
    output,
    recipient,
    refundTo: refundTo ?? 'payer',
    fee,
    deadlineAt: Number(call.expiration) * 1_000,
    unread: [
      ...unread,
      ...failing({
        'a vault that is none of the network now': vault.active.includes(call.vault),
        'a router that the network does not use': to === vault.router,
        'another amount than the value': !coins || call.amount === value,
        'an amount of more than eight decimals': protocol.toWire(call.amount, await decimalsOf(asset, ports)) !== null,
      }),
    ],
  }
}

/**
 * Both nodes report the memo that the network stores for the amount's last digits. The wallet sends no memo, so every claim rests
 * on their report.
 */
const decodeDeposit = async ({ deposit }: DepositPayload, memo: string, ports: DecodePorts): Promise<PayloadClaims> => {
  if (ports.memoless === null || deposit.chainId !== BITCOIN) throw unreadable('deposit', 'a deposit', deposit.chainId)
  const [vault, kept] = await Promise.all([
    ports.network.agreedVault(deposit, ports.signal),
    ports.memoless.check(deposit.amount, ports.signal),
  ])
  const { output, recipient, refundTo, fee, unread } = await readMemo(memo, deposit.chainId, ports)
  return {
    chainId: deposit.chainId,
    pays: deposit.address,
    spender: null,
    nativeFee: 0n,
    input: { asset: nativeAsset(BITCOIN), amount: deposit.amount },
    output: { asset: output.asset, minimum: { told: output.minimum } },
    recipient: { told: recipient },
    refundTo: refundTo === null ? 'unproved' : { told: refundTo },
    fee: { told: fee },
    deadlineAt: kept.expiresAt,
    unread: [
      ...unread,
      ...failing({
        'a vault that is none of the network now': vault.active.includes(deposit.address),
        'another memo under the digits of the amount': kept.memo === memo,
        'digits that were used already': !kept.isUsed,
        'no address to refund to': refundTo !== null,
      }),
    ],
  }
}

/** The effect of an execution, by its bytes and the network's current state. Throws VenueError('rejected') if unreadable. */
export const decode = async ({ payload, evidence: words }: Execution, ports: DecodePorts): Promise<PayloadClaims> => {
  const kept = evidenceShape.read(words)
  if (payload.executionType === 'TRANSACTION') return decodeTransaction(payload, ports)
  if (payload.executionType === 'DEPOSIT' && kept !== null) return decodeDeposit(payload, kept.memo, ports)
  throw unreadable('payload', 'a payload of that kind', payload.executionType)
}

/** The expiry second identifies a call; a deposit without a memo has its vault and its last digits. */
export const toldApartBy = async ({ execution: { payload } }: ExecutedSwap): Promise<readonly SwapKey[]> => {
  if (payload.executionType === 'DEPOSIT') {
    const { address, amount } = payload.deposit
    return [{ kind: 'address+amount', value: `${address}/${amount % protocol.REFERENCES}` }]
  }
  if (payload.executionType === 'SIGNATURE') throw unreadable('payload', 'a signature', payload.executionType)
  const { chainId, data } = payload.transaction
  return [{ kind: 'payload', value: `${chainId}:${keccakHex(data.toLowerCase() as Hex)}` }]
}
