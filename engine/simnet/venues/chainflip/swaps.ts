import { BITCOIN } from '../../../core/chain.ts'
import { type CfParameters, STATE_CHAIN_BLOCK_MS } from '../../../venues/chainflip/protocol.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { callData } from '../../kit/callData.ts'
import { sumOf } from '../../kit/deposits.ts'
import { type Fate, fails, fateByFault, fills, refunds, takeSettlementFault } from '../../kit/fate.ts'
import { createFulfilment, type Fulfilment, type Progress, type Terms, untouched } from '../../kit/fulfilment.ts'
import { type Payout, payOut } from '../../kit/payOut.ts'
import { orRefused } from '../../kit/refusal.ts'
import type { SimDeposit } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { egressFee, leastAmount, type Pair, priceOf, vaultOn } from './pricing.ts'

/** The terms of a swap, by a channel or by a call of a vault. */
export type Opened = Pair &
  Pick<CfParameters, 'minPriceX128' | 'retryBlocks'> & {
    readonly recipient: string
    readonly refundTo: string
    readonly brokerBps: number
    readonly isVaultSwap: boolean
  }

export type Channel = {
  readonly id: string
  readonly address: string
  readonly expected: bigint
  readonly openedAt: number
  readonly expiresAt: number
}

/** `channel`: null for a call of a vault. */
export type Swap = Opened & Terms & Progress & { readonly channel: Channel | null }

/** From the payment, or from its block on Bitcoin, until the output is sent. */
export const SWAP_MS = 24_000

/** IVault.sol of chainflip-eth-contracts. */
const TRANSFER = [
  'struct SigData { uint256 sig; uint256 nonce; address kTimesGAddress; }',
  'struct TransferParams { address token; address recipient; uint256 amount; }',
  'function transfer(SigData sigData, TransferParams transferParams) payable',
] as const

/** Pays from the vault of an EVM chain, which is funded first. The vault here checks no signature. */
const payFrom = async (world: World, payout: Payout): Promise<string> => {
  const { token, to, amount } = payout
  const { chainId, address, isNative } = token
  const vault = vaultOn(chainId)
  if (vault === null) return payOut(world, payout)
  if (!isNative) await world.evm.fund({ chainId, token: address, holder: vault, amount })
  const signature = { sig: 0n, nonce: 0n, kTimesGAddress: vault }
  const data = await callData(TRANSFER, [signature, { token: address, recipient: to, amount }])
  return world.evm.transfer({ chainId, token: address, to, amount, by: { to: vault, data } })
}

/** A payment is lost when it is too small, is refunded when it buys less than the minimum price, and otherwise swapped. */
const decideFate = ({ faults, market }: World, swap: Swap, paid: bigint, at: number): Fate => {
  if (paid < leastAmount(market, swap)) return fails(at, 'BelowMinimumDeposit')
  const refund = refunds(at + swap.retryBlocks * STATE_CHAIN_BLOCK_MS, 'MinPriceViolation')
  const price = orRefused(() => priceOf(market, { ...swap, amount: paid }))
  if (price === null) return refund
  const minimum = (price.swapped * swap.minPriceX128) >> 128n
  const fill = fills(at, price.delivered, paid)
  const fault = takeSettlementFault(faults, 'chainflip')
  if (fault) return fateByFault(fault, { fill, minimum, refundAt: refund.at, reason: 'SWAP_OUTPUT_TOO_SMALL' })
  if (faults.take('chainflip', 'unknown-status')) return { ...fails(at, null), ends: 'unheardOf' }
  return price.bought < minimum ? refund : fill
}

/** Channels and swaps in memory, and the fulfilment of what is paid. */
export const createSwaps = (world: World) => {
  const { clock } = world
  /** By the id of a channel, its address, and the hash of a payment. */
  const known = new BoundedMap<string, Swap>()
  const fulfilment: Fulfilment<Swap> = createFulfilment<Swap>(world, {
    decide: (swap, completedAt) => {
      const at = (completedAt ?? clock.now()) + (swap.settleMs > 0 ? 0 : SWAP_MS)
      return decideFate(world, swap, sumOf(fulfilment.seen(swap)), at)
    },
    instead: () => refunds(clock.now() + STATE_CHAIN_BLOCK_MS, 'SENDING_FAILED'),
    deliver: ({ output: token, recipient: to }, amount) => payFrom(world, { token, to, amount }),
    giveBack: ({ input: token, refundTo: to }, amount) => payFrom(world, { token, to, amount }),
    vanished: (swap) => {
      if (swap.input.chainId !== BITCOIN) return
      for (const payment of swap.paid) fulfilment.whenBack(payment, () => fulfilment.pay(swap, payment))
      swap.paid = []
    },
  })
  const find = (name: string): Swap | undefined => known.get(name.toLowerCase())
  const pay = (swap: Swap, txHash: string, amount: bigint): void => {
    known.set(txHash.toLowerCase(), swap)
    fulfilment.pay(swap, { txHash, amount })
  }
  const newSwap = (opened: Opened, channel: Channel | null): Swap => ({
    ...{ ...opened, ...untouched(), channel },
    // Any payment is accepted. Its amount decides its fate.
    amountNeeded: 1n,
    refundCost: egressFee(world.market, opened.input),
    openUntil: channel?.expiresAt ?? clock.now(),
    settleMs: opened.input.chainId === BITCOIN ? SWAP_MS : 0,
  })

  return {
    find,
    isSeen: (swap: Swap): boolean => fulfilment.seen(swap).length > 0,
    open: (channel: Channel, terms: Opened): void => {
      const swap = newSwap(terms, channel)
      for (const name of [channel.id, channel.address]) known.set(name.toLowerCase(), swap)
    },
    /** True for the address of a channel. Other tokens and late deposits are ignored. */
    deposit: ({ chainId, address, token, amount, txHash }: SimDeposit): boolean => {
      const swap = find(address)
      if (!swap?.channel || swap.input.chainId !== chainId) return false
      const isTaken = world.tokens.find(chainId, token) === swap.input && clock.now() <= swap.channel.expiresAt
      if (isTaken) pay(swap, txHash, amount)
      return true
    },
    vaultSwap: (terms: Opened, txHash: string, amount: bigint): void => pay(newSwap(terms, null), txHash, amount),
  }
}

export type Swaps = ReturnType<typeof createSwaps>
