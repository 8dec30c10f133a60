import { encodeCall } from '../../../chains/evm/evmCodec.ts'
import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { NATIVE } from '../../../core/asset.ts'
import { BALANCE_MANAGER, JAM_SETTLE, JAM_SETTLEMENT } from '../../../venues/bebop/protocol.ts'
import { callData, ERC20 } from '../../kit/callData.ts'
import { land, letTake } from '../../kit/payOut.ts'
import type { Desk, JamOrder } from './desk.ts'

/** Settles the signed orders of JAM. */
export const SOLVER = '0x79E4758262595Fdd0A3D7AfFA5bC681577fBD188'

const SETTLE_INTERNAL = [
  'struct JamOrder { address taker; address receiver; uint256 expiry; uint256 exclusivityDeadline; uint256 nonce; address executor; uint256 partnerInfo; address[] sellTokens; address[] buyTokens; uint256[] sellAmounts; uint256[] buyAmounts; bool usingPermit2; }',
  'function settleInternal(JamOrder order, bytes signature, uint256[] filledAmounts, bytes hooksData)',
]

/**
 * Settles an order by the contract, which pays receiver and fees out of `gross`. Throws EvmRevert where a contract refuses, as
 * without an allowance.
 */
export const settleOrder = async (
  { world: { evm }, network: { chainId } }: Desk,
  order: JamOrder,
  { signature, gross }: { readonly signature: string; readonly gross: bigint },
): Promise<string> => {
  const [token] = order.buyTokens
  await evm.fund({ chainId, token, holder: SOLVER, amount: gross })
  if (token !== NATIVE) await letTake(evm, { chainId, token, owner: SOLVER, spender: BALANCE_MANAGER })
  const data = await callData(SETTLE_INTERNAL, [{ ...order, usingPermit2: false }, signature, [gross], '0x'])
  const value = token === NATIVE ? gross : 0n
  return (await land(evm, { chainId, from: SOLVER, to: JAM_SETTLEMENT, data, value })).txHash
}

/** Takes all that was sold, uses the nonce up and pays half of the minimum, past the contract, which would refuse it. */
export const settleShort = async ({ world: { evm }, network: { chainId } }: Desk, order: JamOrder): Promise<string> => {
  const { taker, receiver } = order
  const [[sold], [token], [sellAmount]] = [order.sellTokens, order.buyTokens, order.sellAmounts]
  const amount = BigInt(order.buyAmounts[0]) / 2n
  await evm.fund({ chainId, token, holder: SOLVER, amount })
  const take = await callData(ERC20.transferFrom, [taker, SOLVER, BigInt(sellAmount)])
  await land(evm, { chainId, from: BALANCE_MANAGER, to: sold, data: take })
  const lists = { sellTokens: [], buyTokens: [], sellAmounts: [], buyAmounts: [] }
  const nothing = { ...order, ...lists, executor: ZERO_EVM_ADDRESS, partnerInfo: 0n, usingPermit2: false }
  const strike = await encodeCall(JAM_SETTLE, 'settle', [nothing, '0x', [], '0x', SOLVER])
  await land(evm, { chainId, from: taker, to: JAM_SETTLEMENT, data: strike })
  const isOfCoins = token === NATIVE
  const data = isOfCoins ? '0x' : await callData(ERC20.transfer, [receiver, amount])
  const give = { chainId, from: SOLVER, to: isOfCoins ? receiver : token, data, value: isOfCoins ? amount : 0n }
  return (await land(evm, give)).txHash
}
