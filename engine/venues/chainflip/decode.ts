import { hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { type CallOf, namedArguments } from '../../chains/evm/abiFields.ts'
import { keccakHex } from '../../chains/evm/evmCodec.ts'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import type { Address } from '../../core/address.ts'
import { isNative, NATIVE } from '../../core/asset.ts'
import { BITCOIN, ecosystemOf, SOLANA } from '../../core/chain.ts'
import type { Deposit, Execution, Hex, PayloadClaims, WalletTransaction } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import { addressIn } from '../kit/addresses.ts'
import { addressKeys } from '../kit/swapKeys.ts'
import { rejected, type VenueError } from '../venueError.ts'
import { type CountedFees, leastAt } from './map.ts'
import {
  channelNumber,
  depositAddressOf,
  readCfParameters,
  type WireAsset,
  wireAssetNamed,
  wireAssetNumbered,
  wireAssetOf,
  X_SWAP_NATIVE,
  X_SWAP_TOKEN,
} from './protocol.ts'
import type { Pinned } from './published.ts'
import { type Channel, type Evidence, evidence as evidenceShape } from './wire.ts'

/** The source of Bitcoin's vault key: a node, separate from the broker that opens channels. Throws VenueError. */
export type DecodePorts = {
  vaultKey(): Promise<Uint8Array>
  readonly pinned: Pinned
  /** Our broker's id in the State Chain, and our name for it; null without a broker. */
  readonly broker: { readonly id: Hex; readonly name: string } | null
}

const unreadable = (check: string, found: unknown): VenueError => rejected(check, `chainflip: the ${check} cannot be read`, found)

/** No user would lock funds for a price longer than a day. */
const RETRY_BLOCKS_MAX = 14_400

const feesOf = ({ ingress, egress }: Pick<Evidence, 'ingress' | 'egress'>): CountedFees => ({
  ingress: BigInt(ingress),
  egress: BigInt(egress),
})

/** In the format of vault calls: raw bytes, or text for bitcoin. */
const recipientIn = (bytes: Hex, { asset: { chainId } }: WireAsset): Address => {
  const raw = hexToBytes(bytes.slice(2))
  const text = { evm: () => bytes, solana: () => base58.encode(raw), bitcoin: () => new TextDecoder().decode(raw) }
  return addressIn(chainId, text[ecosystemOf(chainId)](), 'the recipient')
}

/** A vault call of either kind. */
export type VaultCall = Pick<CallOf<typeof X_SWAP_NATIVE>, 'dstChain' | 'dstAddress' | 'dstToken' | 'cfParameters'> & {
  readonly input: { readonly token: Address; readonly amount: bigint }
}

/** Null for another call, or for one not in canonical form. */
export const readVaultCall = async ({ chainId, data, value }: WalletTransaction): Promise<VaultCall | null> => {
  const bytes = data.toLowerCase() as Hex
  const native = await readExactCall(X_SWAP_NATIVE, bytes)
  const coins = wireAssetOf({ chainId, address: NATIVE })
  if (native !== null) return coins && { ...namedArguments(X_SWAP_NATIVE, native), input: { token: NATIVE, amount: value } }
  const token = await readExactCall(X_SWAP_TOKEN, bytes)
  if (token === null || value !== 0n) return null
  const { srcToken, amount, ...call } = namedArguments(X_SWAP_TOKEN, token)
  return { ...call, input: { token: srcToken, amount } }
}

const claimsOfCall = async (
  transaction: WalletTransaction,
  { ingress, egress }: Evidence,
  { broker, pinned }: DecodePorts,
): Promise<PayloadClaims> => {
  const { chainId, to } = transaction
  const call = await readVaultCall(transaction)
  if (!pinned.vaults(chainId).includes(to)) throw unreadable('vault', `${to} (set VENUE_CHAINFLIP_VAULTS to accept it)`)
  if (call === null) throw unreadable('call', transaction.data.slice(0, 10))
  const input = wireAssetOf({ chainId, address: call.input.token })
  const output = wireAssetNumbered(call.dstChain, call.dstToken)
  const parameters = readCfParameters(call.cfParameters)
  if (!input || !output) throw unreadable('asset', [call.input.token, call.dstChain, call.dstToken])
  if (!parameters) throw unreadable('parameters', call.cfParameters)
  const { refundTo, minPriceX128, broker: paid, boostBps, retryBlocks } = parameters
  return {
    chainId,
    pays: to,
    spender: isNative(input.asset) ? null : to,
    nativeFee: 0n,
    input: { asset: input.asset, amount: call.input.amount },
    // The call contains the price. No call bounds the network's cost of sending.
    output: { asset: output.asset, minimum: { told: leastAt(minPriceX128, call.input.amount, feesOf({ ingress, egress })) } },
    recipient: recipientIn(call.dstAddress, output),
    refundTo,
    fee: paid.bps === 0 ? null : { recipient: paid.account === broker?.id ? broker.name : paid.account, bps: paid.bps },
    // A vault call has no deadline.
    deadlineAt: null,
    unread: failing({
      'a fee for a boost': boostBps === 0,
      'a swap that is tried for days': retryBlocks <= RETRY_BLOCKS_MAX,
    }),
  }
}

/** The instructions behind a channel rest on the venue's report. The address itself is proved to be the channel's. */
const claimsOfDeposit = async (
  { chainId, amount, address }: Deposit,
  { channel, ...told }: Evidence & { readonly channel: Channel },
  { vaultKey, pinned }: DecodePorts,
): Promise<PayloadClaims> => {
  const [, chainName = ''] = channel.id.split('-')
  const input = wireAssetNamed(chainName, channel.src)
  const output = wireAssetNamed(channel.dest.chain, channel.dest.asset)
  if (!input || !output || input.asset.chainId !== chainId) throw unreadable('channel', channel)
  const key = chainId === BITCOIN ? await vaultKey() : null
  const owners = chainId === SOLANA ? pinned.programs : pinned.vaults(chainId)
  const made = [undefined, ...owners].map((vault) => depositAddressOf(input, channelNumber(channel.id), key, vault))
  const pays = made.find((one) => one === address) ?? made[0] ?? null
  if (pays === null) throw unreadable('channelNumber', channel.id)
  const minimum = leastAt(BigInt(channel.minPriceX128), amount, feesOf(told))
  return {
    chainId,
    pays,
    spender: null,
    nativeFee: 0n,
    input: { asset: input.asset, amount },
    output: { asset: output.asset, minimum: { told: minimum } },
    recipient: { told: addressIn(output.asset.chainId, channel.destAddress, 'the recipient') },
    refundTo: { told: addressIn(chainId, channel.refundAddress, 'the refund address') },
    // The venue's own broker opens channels, without a fee of ours.
    fee: { told: null },
    deadlineAt: channel.expiresAt,
    unread: [],
  }
}

/** The effect of an execution, by its call, or by the channel that its address is derived from. Throws VenueError. */
export const decode = async ({ payload, evidence: words }: Execution, ports: DecodePorts): Promise<PayloadClaims> => {
  const { channel, ...evidence } = evidenceShape.read(words)
  if (payload.executionType === 'TRANSACTION' && channel === undefined) return claimsOfCall(payload.transaction, evidence, ports)
  if (payload.executionType === 'DEPOSIT' && channel !== undefined)
    return claimsOfDeposit(payload.deposit, { ...evidence, channel }, ports)
  throw unreadable('payload', payload.executionType)
}

/** A channel by its address and id. A vault call by its content: its event repeats every argument, and its price has a mark. */
export const toldApartBy = async ({ order, execution: { payload, evidence } }: ExecutedSwap): Promise<readonly SwapKey[]> => {
  if (payload.executionType === 'TRANSACTION') {
    const { chainId, data, value } = payload.transaction
    return [{ kind: 'orderId', value: `${chainId}:${value}:${keccakHex(data.toLowerCase() as Hex)}` }]
  }
  const { channel } = evidenceShape.read(evidence)
  if (payload.executionType !== 'DEPOSIT' || channel === undefined) throw unreadable('payload', payload.executionType)
  return [...addressKeys(payload.deposit, order.input), { kind: 'orderId', value: channel.id.toLowerCase() }]
}
