import { readNamedCall } from '../../chains/evm/exactCall.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex, WalletTransaction } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { type DlnOrder, unreadable } from './dlnOrder.ts'
import { bytesOf, CREATE_SALTED_ORDER, PROTOCOL_FEE_BPS, SWAP_AND_CALL } from './protocol.ts'

/** A swap before the order. The order takes exactly the required amount of its output, and the excess is returned. */
export type SwapFirst = { readonly token: Address; readonly amount: bigint; readonly router: Address }

/** The order of an EVM transaction. */
export type EvmOrder = {
  readonly order: DlnOrder
  /** The contract that takes the order. */
  readonly source: Address
  readonly swap: SwapFirst | null
  /** Problems of the call. */
  readonly unread: readonly string[]
}

/** A documented limit of ours: the required value of such calls is not published. */
export const SWAP_OF_COINS = 'a swap of coins'

const RECIPIENT_CHARS = 2 + 40
const AFFILIATE_CHARS = RECIPIENT_CHARS + 64

/** DlnSource.sol, `_createSaltedOrder`: empty, or an address and an amount. */
const affiliateIn = (bytes: Hex): DlnOrder['affiliate'] => {
  if (bytes === '0x') return null
  if (bytes.length !== AFFILIATE_CHARS) throw unreadable('an integrator fee', bytes)
  return { beneficiary: bytes.slice(0, RECIPIENT_CHARS) as Hex, amount: BigInt(`0x${bytes.slice(RECIPIENT_CHARS)}`) }
}

const readDirect = async (data: Hex, giveChain: ChainId, source: Address): Promise<EvmOrder> => {
  const call = await readNamedCall(CREATE_SALTED_ORDER, data)
  if (call === null) throw unreadable('calldata that makes no order', data.slice(0, 10))
  const { orderCreation: made, salt, affiliateFee, referralCode, permitEnvelope, metadata } = call
  const order: DlnOrder = {
    giveChain,
    salt,
    giveToken: bytesOf(giveChain, made.giveTokenAddress),
    giveAmount: made.giveAmount,
    takeChainId: made.takeChainId,
    takeToken: made.takeTokenAddress,
    takeAmount: made.takeAmount,
    receiver: made.receiverDst,
    givePatchAuthority: bytesOf(giveChain, made.givePatchAuthoritySrc),
    orderAuthority: made.orderAuthorityAddressDst,
    allowedTaker: made.allowedTakerDst,
    cancelBeneficiary: made.allowedCancelBeneficiarySrc,
    externalCall: made.externalCall,
    affiliate: affiliateIn(affiliateFee),
    referralCode,
    metadata,
    feeBps: PROTOCOL_FEE_BPS,
  }
  return { order, source, swap: null, unread: failing({ 'a permit': permitEnvelope === '0x' }) }
}

const readForwarded = async (data: Hex, giveChain: ChainId, forwarder: Address): Promise<EvmOrder | null> => {
  const call = await readNamedCall(SWAP_AND_CALL, data)
  if (call === null) return null
  const { order, source, unread } = await readDirect(call.targetData, giveChain, call.target)
  const back = bytesOf(giveChain, call.srcTokenRefundRecipient)
  return {
    ...{ order, source },
    swap: { token: call.srcTokenIn, amount: call.srcAmountIn, router: call.srcSwapRouter },
    unread: [
      ...unread,
      ...failing({
        'a permit of the forwarder': call.srcTokenInPermitEnvelope === '0x',
        [SWAP_OF_COINS]: ![call.srcTokenIn, call.srcTokenOut].includes(ZERO_EVM_ADDRESS),
        'a swap of one token for itself': call.srcTokenIn !== call.srcTokenOut,
        'an order of another token than was bought': order.giveToken === bytesOf(giveChain, call.srcTokenOut),
        'an order of another amount than was bought': order.giveAmount === call.srcTokenExpectedAmountOut,
        'what is left over for a stranger':
          back === (order.cancelBeneficiary === '0x' ? order.orderAuthority : order.cancelBeneficiary),
        'a router that is deBridge’s own': ![source, forwarder, call.srcTokenIn, call.srcTokenOut].includes(call.srcSwapRouter),
      }),
    ],
  }
}

/** For a forwarder, or else a source. Throws VenueError for an unknown call, or one with extra bytes. */
export const readEvmOrder = async ({ chainId, to, data }: WalletTransaction): Promise<EvmOrder> => {
  const bytes = data.toLowerCase() as Hex
  return (await readForwarded(bytes, chainId, to)) ?? readDirect(bytes, chainId, to)
}
