import type { Deposit } from './swaps.ts'
import { SWAP_MS, wireHash } from './swaps.ts'
import { toEight } from './units.ts'

export const UNSEEN = { stages: { inbound_observed: { started: false, final_count: 0, completed: false } } }

/** The legs that are sent, and those that are to be. `RAGNAROK` stands for what nobody expects of a swap. */
const legsOf = (deposit: Deposit, now: number) => {
  const { hash, end, fate, refunds, swap, from, refundTo, input, inventedTxHash } = deposit
  const to = swap?.pool ?? from
  const leg = (txHash: string, memo: string, pool = to, address = swap?.recipient ?? refundTo, amount = 0n, decimals = 8) => ({
    ...{ id: wireHash(txHash), chain: pool.network.code, from_address: pool.network.vault, to_address: address, gas: [], memo },
    coins: [{ asset: pool.name, amount: String(toEight(amount, decimals)) }],
  })
  const isSwapped = fate !== null && now >= (fate.completedAt ?? 0) + SWAP_MS
  const isRefund = end?.ends === 'refunded' || (end === null && isSwapped && fate.ends === 'refunded')
  const back = refunds.map((sent) => leg(sent.txHash, `REFUND:${hash}`, from, refundTo, sent.amount, input.decimals))
  const sent =
    end?.ends === 'filled'
      ? [leg(end.txHash ?? inventedTxHash, `OUT:${hash}`, to, swap?.recipient, end.amount, to.token.decimals)]
      : []
  const odd = end?.ends === 'unheardOf' ? [leg(inventedTxHash, `RAGNAROK:${hash}`)] : []
  const [pool, owed, address] = isRefund
    ? [from, deposit.amount - deposit.refundCost, refundTo]
    : [to, (end ?? fate)?.amount ?? 0n, swap?.recipient ?? refundTo]
  const planned = {
    chain: pool.network.code,
    to_address: address,
    coin: { asset: pool.name, amount: String(toEight(owed, pool.token.decimals)) },
    refund: isRefund,
  }
  return { out: [...sent, ...back, ...odd], planned: end?.ends === 'failed' ? [] : [planned] }
}

/** TxStatusResponse of the OpenAPI document. */
export const statusBody = (deposit: Deposit, now: number) => {
  const { hash, memo, from, input, amount, end } = deposit
  const { out, planned } = legsOf(deposit, now)
  const isOver = end !== null
  return {
    tx: {
      id: hash,
      chain: from.network.code,
      to_address: from.network.vault,
      coins: [{ asset: from.name, amount: String(toEight(amount, input.decimals)) }],
      gas: [],
      memo,
    },
    planned_out_txs: planned,
    ...(out.length > 0 ? { out_txs: out } : {}),
    stages: {
      inbound_observed: { started: true, final_count: 78, completed: true },
      inbound_confirmation_counted: { remaining_confirmation_seconds: 0, completed: true },
      inbound_finalised: { completed: true },
      swap_status: { pending: !isOver },
      swap_finalised: { completed: isOver },
      ...(isOver && end.ends !== 'failed' ? { outbound_signed: { completed: out.length > 0 } } : {}),
    },
  }
}
