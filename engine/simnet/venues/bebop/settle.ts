import { callData, ERC20 } from '../../kit/callData.ts'
import { land } from '../../kit/payOut.ts'
import type { Desk, JamOrder } from './desk.ts'
import { CONTRACTS, NATIVE_MARKER, SOLVER, ZERO_ADDRESS } from './networks.ts'

const STRUCT =
  'struct JamOrder { address taker; address receiver; uint256 expiry; uint256 exclusivityDeadline; uint256 nonce; address executor; uint256 partnerInfo; address[] sellTokens; address[] buyTokens; uint256[] sellAmounts; uint256[] buyAmounts; bool usingPermit2; }'
const SETTLE_INTERNAL = [
  STRUCT,
  'function settleInternal(JamOrder order, bytes signature, uint256[] filledAmounts, bytes hooksData)',
]
const SETTLE = [
  STRUCT,
  'struct Interaction { bool result; address to; uint256 value; bytes data; }',
  'function settle(JamOrder order, bytes signature, Interaction[] interactions, bytes hooksData, address balanceRecipient)',
]
const MOST = (1n << 256n) - 1n

/** Gives the solver what it is to pay, and has it let the balance manager take that. */
const prepare = async ({ world: { evm }, network: { chainId }, allowed }: Desk, token: string, amount: bigint): Promise<void> => {
  await evm.fund({ chainId, token, holder: SOLVER, amount })
  if (token === NATIVE_MARKER || allowed.has(token)) return
  allowed.add(token)
  await land(evm, { chainId, from: SOLVER, to: token, data: await callData(ERC20.approve, [CONTRACTS.manager, MOST]) })
}

/**
 * Settles an order by the contract, which takes what was sold, holds the solver to the signature and pays receiver and fees out
 * of `gross`. Throws EvmRevert where a contract refuses, as for want of an allowance.
 */
export const settleOrder = async (
  desk: Desk,
  order: JamOrder,
  { signature, gross }: { readonly signature: string; readonly gross: bigint },
): Promise<string> => {
  const { sellToken, buyToken, sellAmount, buyAmount } = order
  await prepare(desk, buyToken, gross)
  const lists = { sellTokens: [sellToken], buyTokens: [buyToken], sellAmounts: [sellAmount], buyAmounts: [buyAmount] }
  const data = await callData(SETTLE_INTERNAL, [{ ...order, ...lists, usingPermit2: false }, signature, [gross], '0x'])
  const value = buyToken === NATIVE_MARKER ? gross : 0n
  return (await land(desk.world.evm, { chainId: desk.network.chainId, from: SOLVER, to: CONTRACTS.jam, data, value })).txHash
}

/** Uses a taker's nonce up, as a fill does. */
const strikeNonce = async ({ world: { evm }, network: { chainId } }: Desk, order: JamOrder): Promise<void> => {
  const lists = { sellTokens: [], buyTokens: [], sellAmounts: [], buyAmounts: [] }
  const nothing = { ...order, ...lists, executor: ZERO_ADDRESS, partnerInfo: 0n, usingPermit2: false }
  const data = await callData(SETTLE, [nothing, '0x', [], '0x', SOLVER])
  await land(evm, { chainId, from: order.taker, to: CONTRACTS.jam, data })
}

/**
 * Takes all that was sold and pays half of what was signed. The contract refuses to, so its accounts are used behind its back.
 * Throws as settleOrder.
 */
export const settleShort = async (desk: Desk, order: JamOrder): Promise<string> => {
  const { evm } = desk.world
  const { chainId } = desk.network
  const { sellToken, buyToken, sellAmount, taker, receiver } = order
  const amount = order.buyAmount / 2n
  await evm.fund({ chainId, token: buyToken, holder: SOLVER, amount })
  const take = await callData(ERC20.transferFrom, [taker, SOLVER, sellAmount])
  await land(evm, { chainId, from: CONTRACTS.manager, to: sellToken, data: take })
  await strikeNonce(desk, order)
  const give =
    buyToken === NATIVE_MARKER
      ? { to: receiver, data: '0x', value: amount }
      : { to: buyToken, data: await callData(ERC20.transfer, [receiver, amount]) }
  return (await land(evm, { chainId, from: SOLVER, ...give })).txHash
}
