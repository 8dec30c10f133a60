import { utf8ToBytes } from '@noble/hashes/utils.js'
import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { BITCOIN } from '../../../core/chain.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { callData } from '../../kit/callData.ts'
import { type Fate, fails, fateByFault, fills, refunds, takeSettlementFault } from '../../kit/fate.ts'
import { inventedTxHash } from '../../kit/freshAddress.ts'
import { createFulfilment, type Fulfilment, type Progress, type Terms, untouched } from '../../kit/fulfilment.ts'
import { land, type Payout } from '../../kit/payOut.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { readMemo, type Swap } from './memo.ts'
import { networkOf, type Pool } from './networks.ts'
import { outboundFeeOf, priceOf } from './pricing.ts'
import { fromEight, toEight } from './units.ts'

/** A deposit, and what the network makes of it. */
export type Deposit = Terms &
  Progress & {
    /** Capital letters, without 0x: what its payments name. */
    readonly hash: string
    readonly from: Pool
    readonly input: SimToken
    readonly amount: bigint
    readonly memo: string
    /** Null where the memo orders nothing: it is sent back. */
    readonly swap: Swap | null
    readonly refundTo: string
    /** Of no transaction: what is named in a lie. */
    readonly inventedTxHash: string
  }

/** Blocks of the network's own, and of the chain it waits for. */
export const SWAP_MS = 6_000
/** Larger deposits of bitcoin wait for more than a block. */
const COUNTING_MS = 5 * 60_000
/** It waits its turn among what the vaults send. */
const REFUND_MS = 12 * 60_000

const TRANSFER_OUT = 'function transferOut(address to, address asset, uint256 amount, string memo) payable'
/** The router holds what its vaults may pay out; what they earned before is given it here. */
export const wireHash = (txHash: string): string => txHash.replace(/^0x/, '').toUpperCase()

export const createSwaps = (world: World, venue: string, pools: readonly Pool[]) => {
  const { clock, random, market, tokens, faults, evm, bitcoin } = world
  const deposits = new BoundedMap<string, Deposit>()

  const pay = async ({ token, to, amount }: Payout, memo: string): Promise<string> => {
    const { chainId, address, isNative } = token
    if (chainId === BITCOIN) return bitcoin.transfer({ to, amount, data: utf8ToBytes(memo) })
    const { vault, router } = networkOf(chainId) ?? {}
    if (!vault || !router) throw new Error(`no vault on chain ${chainId}`)
    await evm.fund({ chainId, token: address, holder: isNative ? vault : router, amount })
    const data = await callData(TRANSFER_OUT, [to, isNative ? ZERO_EVM_ADDRESS : address, amount, memo])
    const call = { chainId, from: vault, to: router, data, value: isNative ? amount : 0n }
    return (await land(evm, call)).txHash
  }

  const priceNow = ({ from, amount, input }: Deposit, { pool: to, affiliates }: Swap) => {
    const affiliateBps = affiliates.reduce((sum, [, bps]) => sum + bps, 0)
    const question = { from, to, amount: toEight(amount, input.decimals), affiliateBps }
    return priceOf(question, { market, native: tokens.native })
  }

  const decide = (deposit: Deposit, completedAt: number | null): Fate => {
    const { swap, settleMs, amount } = deposit
    const at = (completedAt ?? clock.now()) + (settleMs > 0 ? 0 : SWAP_MS)
    if (swap === null) return refunds(at + REFUND_MS, 'memo is not a swap')
    const { emitted, expected } = priceNow(deposit, swap)
    const { decimals } = swap.pool.token
    const fill = fills(at, fromEight(expected, decimals), amount)
    const [minimum, refundAt] = [fromEight(swap.limit, decimals), at + REFUND_MS]
    const fault = takeSettlementFault(faults, venue)
    if (fault) return fateByFault(fault, { fill, minimum, refundAt, reason: 'emit asset less than price limit' })
    if (faults.take(venue, 'unknown-status')) return { ...fails(at, null), ends: 'unheardOf' }
    // The limit of a swap in parts is that of the parts, before their sum pays for its way.
    const isEnough = emitted >= swap.limit && (swap.isSplit || expected >= swap.limit) && expected > 0n
    return isEnough ? fill : refunds(refundAt, `emit asset ${expected} less than price limit ${swap.limit}`)
  }

  const fulfilment: Fulfilment<Deposit> = createFulfilment<Deposit>(world, {
    decide,
    instead: () => refunds(clock.now() + REFUND_MS, 'outbound failed'),
    deliver: ({ hash, swap, refundTo }, amount) => {
      const token = swap?.pool.token
      if (!token) throw new Error('nothing was ordered')
      return pay({ token, to: swap.recipient ?? refundTo, amount }, `OUT:${hash}`)
    },
    giveBack: ({ hash, input: token, refundTo: to }, amount) => pay({ token, to, amount }, `REFUND:${hash}`),
    vanished: (deposit) => {
      if (deposit.input.chainId !== BITCOIN || deposit.confirmedAt !== null) return
      // Never in a block, it was none: should it come back it is one again.
      for (const payment of deposit.paid) fulfilment.whenBack(payment, () => fulfilment.pay(deposit, payment))
      deposit.paid = []
    },
  })

  return {
    /** What a chain shows of a deposit to the vault, whatever its memo says. */
    deposited: (paid: { from: Pool; amount: bigint; memo: string; payer: string; txHash: string }): void => {
      const { from, amount, memo, payer, txHash } = paid
      const hash = wireHash(txHash)
      if (deposits.has(hash)) return
      const swap = readMemo(memo, pools, from.network.chainId)
      const deposit: Deposit = {
        ...untouched(),
        ...{ hash, from, input: from.token, amount, memo, swap, refundTo: swap?.refundTo ?? payer },
        inventedTxHash: inventedTxHash(swap?.pool.network.chainId ?? from.network.chainId, random),
        amountNeeded: amount,
        refundCost: fromEight(outboundFeeOf(from, market, tokens.native), from.token.decimals),
        openUntil: clock.now(),
        settleMs: from.network.chainId === BITCOIN ? COUNTING_MS : 0,
      }
      deposits.set(hash, deposit)
      fulfilment.pay(deposit, { txHash, amount })
    },
    find: (hash: string): Deposit | null => deposits.get(hash) ?? null,
    /** Whether the network has seen it in a block. */
    isSeen: (deposit: Deposit): boolean =>
      fulfilment.seen(deposit).length > 0 &&
      (deposit.input.chainId !== BITCOIN || deposit.confirmedAt !== null || deposit.end !== null),
  }
}

export type Swaps = ReturnType<typeof createSwaps>
