import type { Hex } from '../../../core/execution.ts'
import { callData } from '../../kit/callData.ts'
import { type SettlementFault, takeSettlementFault } from '../../kit/fate.ts'
import { land, payOut } from '../../kit/payOut.ts'
import type { SimCall, World } from '../../kit/world.ts'
import { metaTxnCall } from './actions.ts'
import { PERMIT2, RELAYER } from './networks.ts'
import type { QuotedTrade } from './quotes.ts'

/** In ms after it was submitted: sent to the chain, in a block, under three of them. */
export const TIMES = { submitted: 2_000, mined: 4_000, confirmed: 8_000 }
export type End =
  | { readonly status: 'confirmed'; readonly hash: string; readonly at: number }
  | { readonly status: 'failed'; readonly reason: string }
/** A trade that was submitted. */
export type Open = QuotedTrade & {
  readonly since: number
  readonly signature: Hex
  readonly permit: Hex | null
  fate: SettlementFault | null
  end: End | null
}

/** The relayer spends no gas on what its node refuses beforehand. */
const relay = async ({ evm, clock }: World, order: Open): Promise<End> => {
  const { deal, approval, permit, settler, call, signature, taker } = order
  const { chainId, sell } = deal
  const by = (to: string, data: string): SimCall => ({ chainId, from: RELAYER, to, data })
  if (approval && permit) {
    const { value, deadline } = approval.eip712.message
    const parts = [Number.parseInt(permit.slice(130), 16), permit.slice(0, 66), `0x${permit.slice(66, 130)}`]
    const signatureOf =
      'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)'
    const allow = await callData(signatureOf, [taker, PERMIT2, BigInt(String(value)), BigInt(String(deadline)), ...parts])
    await land(evm, by(sell.address, allow))
  }
  const { txHash } = await land(evm, by(settler, await metaTxnCall(call, signature)))
  return { status: 'confirmed', hash: txHash, at: clock.now() }
}

const endOf = async (world: World, order: Open): Promise<End> => {
  const { faults, random, clock } = world
  const { deal, call } = order
  const claim = (hash: string): End => ({ status: 'confirmed', hash, at: clock.now() })
  order.fate ??= takeSettlementFault(faults, 'zerox')
  switch (order.fate) {
    case 'fails':
      return { status: 'failed', reason: 'last_look_declined' }
    case 'never-fills':
      return { status: 'failed', reason: 'order_expired' }
    case 'lying-success':
      return claim(`0x${random.hex(64)}`)
    case 'short-fill':
      return claim(await payOut(world, { token: deal.buy, to: call.header.recipient, amount: deal.minimum / 2n }))
    case null:
      return relay(world, order)
  }
}

/** What becomes of a trade once it is due. A failure is told by its rejection, too. */
export const settle = async (world: World, order: Open): Promise<void> => {
  try {
    order.end = await endOf(world, order)
  } catch (error) {
    order.end = { status: 'failed', reason: 'transaction_simulation_failed' }
    throw new Error(`trade ${order.trade.hash} was not settled: ${String(error)}`, { cause: error })
  }
}

/** Of those that never fill, when they no longer can; of others, when the relayer comes to it. */
export const dueAt = ({ fate, since, deadline }: Open): number =>
  fate === 'never-fills' ? (Number(deadline) + 1) * 1_000 : since + TIMES.mined
