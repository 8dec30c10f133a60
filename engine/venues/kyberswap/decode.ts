import { keccakText } from '../../chains/evm/evmCodec.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { isNative, NATIVE } from '../../core/asset.ts'
import type { ChainId } from '../../core/chain.ts'
import type { ClaimedFee, Execution, PayloadClaims } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import { assetIn } from '../kit/addresses.ts'
import { rejected } from '../venueError.ts'
import { type RouterCall, readSwapCall } from './router.ts'

/**
 * Flags of the description. Answers confirm that the fee is a share of the output. Answers of September 2026 set 0x200, which has
 * no effect on the fields read here. Every other flag is unobserved, such as a partial fill or more coins than the input.
 */
const FEE_ON_OUTPUT = 0x40n
const FEE_IN_BPS = 0x80n
const UNEXPLAINED = 0x200n
const KNOWN_FLAGS = FEE_ON_OUTPUT | FEE_IN_BPS | UNEXPLAINED

/** `unread` unless the fee is one share of the output for one account. */
const feeOf = ({ feeReceivers, feeAmounts, flags }: RouterCall['desc']): ClaimedFee | null | 'unread' => {
  if (feeReceivers.length === 0 && feeAmounts.length === 0) return null
  const [[recipient, ...others], [bps, ...rest]] = [feeReceivers, feeAmounts]
  if (recipient === undefined || bps === undefined || others.length > 0 || rest.length > 0) return 'unread'
  const isShare = (flags & FEE_ON_OUTPUT) !== 0n && (flags & FEE_IN_BPS) !== 0n && bps > 0n && bps < 10_000n
  return isShare ? { recipient, bps: Number(bps) } : 'unread'
}

/** The swap's executor, and the recipients of the input: the executor, or pools, as in builds of July 2026. */
export const payeesOf = ({ callTarget, desc: { srcReceivers } }: RouterCall): readonly Address[] => [callTarget, ...srcReceivers]

/**
 * Whether an address may be the executor or a pool: it is no token or fee recipient of the swap. No payload can show which
 * addresses are pools. The router reverts where the recipient gains less than the minimum.
 */
const mayBePaid = ({ desc: { srcToken, dstToken, feeReceivers } }: RouterCall, to: Address, router: Address): boolean =>
  BigInt(to) >> 96n !== 0n && ![router, NATIVE, srcToken, dstToken, ...feeReceivers].includes(to)

/** The order may name a pool as its recipient. */
export const PAYS_RECIPIENT = 'input that goes to the recipient'

/** True when all of the input enters the swap: coins with the executor call, tokens by transfers to the executor or pools. */
const isPaidIntoSwap = (call: RouterCall, isOfCoins: boolean, router: Address): boolean => {
  const { srcReceivers, srcAmounts, amount } = call.desc
  if (srcReceivers.length !== srcAmounts.length || (srcReceivers.length === 0) !== isOfCoins) return false
  if (!payeesOf(call).every((to) => mayBePaid(call, to, router))) return false
  return isOfCoins || srcAmounts.reduce((sum, part) => sum + part, 0n) === amount
}

type SwapCall = RouterCall & { readonly chainId: ChainId; readonly router: Address }

const swapCallOf = async ({ payload }: Pick<Execution, 'payload'>): Promise<SwapCall> => {
  if (payload.executionType !== 'TRANSACTION') throw rejected('payload', 'kyberswap: no transaction', payload.executionType)
  const { chainId, to: router, data } = payload.transaction
  const call = await readSwapCall(data)
  if (call === null) throw rejected('call', 'kyberswap: calldata that is no swap', data)
  return { ...call, chainId, router }
}

/**
 * The effect of a router call, by its description. The router itself enforces the least amount on the recipient's output after
 * the fee. The deadline lies in the executor's data, and cannot be read.
 */
export const decode = async (execution: Execution): Promise<PayloadClaims> => {
  const call = await swapCallOf(execution)
  const { chainId, router: pays, approveTarget, desc } = call
  const input = { asset: assetIn(chainId, desc.srcToken, 'the input token'), amount: desc.amount }
  const isOfCoins = isNative(input.asset)
  const fee = feeOf(desc)
  return {
    chainId,
    pays,
    spender: isOfCoins ? null : pays,
    nativeFee: 0n,
    input,
    output: { asset: assetIn(chainId, desc.dstToken, 'the output token'), minimum: desc.minReturnAmount },
    recipient: desc.dstReceiver,
    refundTo: null,
    fee: fee === 'unread' ? 'unproved' : fee,
    deadlineAt: null,
    unread: failing({
      'flags that nobody explains': (desc.flags & ~KNOWN_FLAGS) === 0n,
      'the fee': fee !== 'unread',
      'input that goes elsewhere': isPaidIntoSwap(call, isOfCoins, pays),
      [PAYS_RECIPIENT]: !payeesOf(call).includes(desc.dstReceiver),
      'an allowance for somebody else': approveTarget === ZERO_EVM_ADDRESS,
      'a permit': desc.permit === '0x',
    }),
  }
}

/** The key of a swap in the router's events, from all data of the swap. `said`: its clientData, in lower case. */
export const swapName = (
  { chainId, sender }: { readonly chainId: ChainId; readonly sender: string },
  { desc, clientData: said }: Pick<RouterCall, 'desc' | 'clientData'>,
): string => {
  const { srcToken, dstToken, dstReceiver, amount } = desc
  return keccakText([chainId, sender, srcToken, dstToken, dstReceiver, amount, said.toLowerCase()].join())
}

/** The router logs the venue's clientData with each swap: the id of the route and the second of its creation. */
export const toldApartBy = async ({ order, execution }: ExecutedSwap): Promise<readonly SwapKey[]> => {
  const call = await swapCallOf(execution)
  return [{ kind: 'orderId', value: swapName({ chainId: call.chainId, sender: order.sender }, call) }]
}
