import { utf8ToBytes } from '@noble/hashes/utils.js'
import { parseAddress, ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { BITCOIN, type ChainId, ecosystemOf } from '../../../core/chain.ts'
import { fromWire, parseMemo, spelledOut, toWireHash } from '../../../venues/thorchain/protocol.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { callData } from '../../kit/callData.ts'
import { type Fate, fails, fateByFault, fills, refunds, takeSettlementFault } from '../../kit/fate.ts'
import { inventedTxHash } from '../../kit/freshAddress.ts'
import { createFulfilment, type Fulfilment, type Progress, type Terms, untouched } from '../../kit/fulfilment.ts'
import { land, type Payout } from '../../kit/payOut.ts'
import type { World } from '../../kit/world.ts'
import { networkOf, outboundFeeOf, type Pool, priceOf, toEight } from './networks.ts'

/** The swap of a memo; null for a memo whose deposit is refunded. Offline the network makes no parts of a swap. */
export const readMemo = (text: string, pools: readonly Pool[], from: ChainId) => {
  const memo = parseMemo(text)
  const pool = memo && pools.find(({ name }) => name === spelledOut(memo.asset))
  if (!pool || memo.interval > 0n || memo.quantity > 1n) return null
  const { recipient, refundTo, limit, quantity, affiliates } = memo
  const isAddress = (chainId: ChainId, address: string) => parseAddress(ecosystemOf(chainId), address) !== null
  if (!isAddress(pool.network.chainId, recipient) || (refundTo !== null && !isAddress(from, refundTo))) return null
  const share = affiliates.reduce((sum, { bps }) => sum + bps, 0)
  return { pool, recipient, refundTo, limit, isSplit: quantity === 0n, share }
}

type Paid = {
  readonly from: Pool
  readonly amount: bigint
  readonly memo: string
  readonly payer: string
  readonly txHash: string
}

/** A deposit. `hash`: of its transaction, which payments name. `inventedTxHash`: of no transaction, for a fault. */
type Deposit = Terms &
  Progress &
  Omit<Paid, 'payer' | 'txHash'> & {
    readonly hash: string
    readonly swap: ReturnType<typeof readMemo>
    readonly refundTo: string
    readonly inventedTxHash: string
  }

const SWAP_MS = 6_000
/** Larger deposits of bitcoin wait for more than one block. */
const COUNTING_MS = 5 * 60_000
const REFUND_MS = 12 * 60_000

const TRANSFER_OUT = 'function transferOut(address to, address asset, uint256 amount, string memo) payable'

/** Pays from the vault. The router holds the tokens of its vaults, and receives here what they earned before. */
const pay = async ({ evm, bitcoin }: World, { token, to, amount }: Payout, memo: string): Promise<string> => {
  const { chainId, address, isNative } = token
  if (chainId === BITCOIN) return bitcoin.transfer({ to, amount, data: utf8ToBytes(memo) })
  const { vault, router } = networkOf(chainId) ?? {}
  if (!vault || !router) throw new Error(`no vault on chain ${chainId}`)
  await evm.fund({ chainId, token: address, holder: isNative ? vault : router, amount })
  const data = await callData(TRANSFER_OUT, [to, isNative ? ZERO_EVM_ADDRESS : address, amount, memo])
  return (await land(evm, { chainId, from: vault, to: router, data, value: isNative ? amount : 0n })).txHash
}

/** TxStatusResponse of the OpenAPI document. */
const statusBody = (deposit: Deposit, now: number) => {
  const { hash, from, memo, amount, swap, refundTo, refundCost, end, fate, refunds: sentBack, inventedTxHash: noHash } = deposit
  const [to, recipient] = [swap?.pool ?? from, swap?.recipient ?? refundTo]
  const coin = (pool: Pool, units: bigint) => ({ asset: pool.name, amount: String(toEight(units, pool)) })
  const leg = (kind: string, txHash: string, pool: Pool, address: string, units: bigint) => ({
    ...{ id: toWireHash(txHash), chain: pool.network.code, to_address: address, gas: [], memo: `${kind}:${hash}` },
    coins: [coin(pool, units)],
  })
  const out = sentBack.map((sent) => leg('REFUND', sent.txHash, from, refundTo, sent.amount))
  if (end?.ends === 'filled') out.unshift(leg('OUT', end.txHash ?? noHash, to, recipient, end.amount))
  // No swap has a payment of this kind.
  if (end?.ends === 'unheardOf') out.push(leg('RAGNAROK', noHash, to, recipient, 0n))
  const isSwapped = fate !== null && now >= (fate.completedAt ?? 0) + SWAP_MS
  const isRefund = (end ?? (isSwapped ? fate : null))?.ends === 'refunded'
  const planned = isRefund
    ? { chain: from.network.code, to_address: refundTo, coin: coin(from, amount - refundCost), refund: true }
    : { chain: to.network.code, to_address: recipient, coin: coin(to, (end ?? fate)?.amount ?? 0n), refund: false }
  return {
    tx: { id: hash, chain: from.network.code, coins: [coin(from, amount)], gas: [], memo },
    planned_out_txs: end?.ends === 'failed' ? [] : [planned],
    ...(out.length > 0 ? { out_txs: out } : {}),
    stages: {
      inbound_observed: { started: true, final_count: 78, completed: true },
      inbound_finalised: { completed: true },
      swap_status: { pending: end === null },
      swap_finalised: { completed: end !== null },
      ...(end !== null && end.ends !== 'failed' ? { outbound_signed: { completed: out.length > 0 } } : {}),
    },
  }
}

const UNSEEN = { stages: { inbound_observed: { started: false, final_count: 0, completed: false } } }

export const createSwaps = (world: World, pools: readonly Pool[]) => {
  const { clock, random, market, faults } = world
  const deposits = new BoundedMap<string, Deposit>()

  const decide = ({ from, swap, settleMs, amount }: Deposit, completedAt: number | null): Fate => {
    const at = (completedAt ?? clock.now()) + (settleMs > 0 ? 0 : SWAP_MS)
    const refundAt = at + REFUND_MS
    if (swap === null) return refunds(refundAt, 'memo is not a swap')
    const { pool: to, limit, share, isSplit } = swap
    const { emitted, expected } = priceOf({ from, to, amount: toEight(amount, from), share }, market)
    const fill = fills(at, fromWire(expected, to.token.decimals), amount)
    const fault = takeSettlementFault(faults, 'thorchain')
    const [minimum, reason] = [fromWire(limit, to.token.decimals), 'emit asset less than price limit']
    if (fault) return fateByFault(fault, { fill, minimum, refundAt, reason })
    if (faults.take('thorchain', 'unknown-status')) return { ...fails(at, null), ends: 'unheardOf' }
    // The limit of a swap without a quantity applies before the outbound fee.
    const isEnough = (isSplit ? emitted : expected) >= limit && expected > 0n
    return isEnough ? fill : refunds(refundAt, reason)
  }

  const fulfilment: Fulfilment<Deposit> = createFulfilment<Deposit>(world, {
    decide,
    instead: () => refunds(clock.now() + REFUND_MS, 'outbound failed'),
    deliver: ({ hash, swap }, amount) => {
      if (swap === null) throw new Error('nothing was ordered')
      return pay(world, { token: swap.pool.token, to: swap.recipient, amount }, `OUT:${hash}`)
    },
    giveBack: ({ hash, from, refundTo: to }, amount) => pay(world, { token: from.token, to, amount }, `REFUND:${hash}`),
    vanished: (deposit) => {
      if (deposit.from.network.chainId !== BITCOIN || deposit.confirmedAt !== null) return
      // A payment that was never in a block is no deposit until it returns.
      for (const payment of deposit.paid) fulfilment.whenBack(payment, () => fulfilment.pay(deposit, payment))
      deposit.paid = []
    },
  })

  /** A deposit that the network has seen in a block. */
  const findSeen = (hash: string): Deposit | null => {
    const deposit = deposits.get(hash)
    if (!deposit || fulfilment.seen(deposit).length === 0) return null
    const { from, confirmedAt, end } = deposit
    return from.network.chainId !== BITCOIN || confirmedAt !== null || end !== null ? deposit : null
  }

  return {
    /** Takes note of a payment to a vault, whatever its memo. */
    deposited: ({ payer, txHash, ...paid }: Paid): void => {
      const { from, amount, memo } = paid
      const hash = toWireHash(txHash)
      if (deposits.has(hash)) return
      const { chainId } = from.network
      const swap = readMemo(memo, pools, chainId)
      const deposit: Deposit = {
        ...{ ...untouched(), ...paid, hash, swap, input: from.token, refundTo: swap?.refundTo ?? payer },
        inventedTxHash: inventedTxHash(swap?.pool.network.chainId ?? chainId, random),
        refundCost: fromWire(outboundFeeOf(from, market), from.token.decimals),
        ...{ amountNeeded: amount, openUntil: clock.now(), settleMs: chainId === BITCOIN ? COUNTING_MS : 0 },
      }
      deposits.set(hash, deposit)
      fulfilment.pay(deposit, { txHash, amount })
    },
    isSeen: (hash: string): boolean => findSeen(hash) !== null,
    /** GET /thorchain/tx/status/{hash}. */
    status: (hash: string) => {
      const deposit = findSeen(hash)
      return deposit === null ? UNSEEN : statusBody(deposit, clock.now())
    },
  }
}
