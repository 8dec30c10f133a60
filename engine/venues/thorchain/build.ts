import { toAmount } from '../../core/amount.ts'
import { isNative } from '../../core/asset.ts'
import type { Execution } from '../../core/execution.ts'
import { rejected } from '../venueError.ts'
import { type Ask, isPayersRefund, outboundFeeOf, type Terms } from './map.ts'
import type { Memoless } from './memoless.ts'
import { depositCall, type SwapMemo, toRouterAsset, writeMemo } from './protocol.ts'
import type { TrackingCarry } from './wire.ts'

/** The documents recommend at least an hour. */
const SENDING_SECONDS = 3_600

/** Without abbreviations, so that it is unambiguous: the asset by its contract, the limit in digits. */
const memoOf = (ask: Ask, { limit }: Terms): string => {
  const { binding, output, fee } = ask
  const refundTo = isPayersRefund(ask) ? null : binding.refundTo
  const affiliates: SwapMemo['affiliates'] = fee === null ? [] : [fee]
  return writeMemo({ asset: output.pool.asset, recipient: binding.recipient, refundTo, limit, affiliates })
}

const termsOf = ({ outputAmount, guaranteedMin }: Terms) => ({ outputAmount, slippage: { isFirm: false, guaranteedMin } })

const carryOf = (ask: Ask, registration: string | null): TrackingCarry => ({
  v: 1,
  registration,
  outboundFee: outboundFeeOf(ask).toString(),
})

/** A call of the router, which transfers the input to the vault with the memo beside it. */
export const toTransaction = async (ask: Ask, terms: Terms, now: number): Promise<Execution> => {
  const { order, vault } = ask
  const { input, inputAmount } = order
  if (vault.router === null) throw rejected('router', 'thorchain has no router there', input.chainId)
  const data = await depositCall({
    vault: vault.address,
    asset: toRouterAsset(input),
    amount: inputAmount,
    memo: memoOf(ask, terms),
    expiration: BigInt(Math.floor(now / 1_000) + SENDING_SECONDS),
  })
  const value = isNative(input) ? inputAmount : toAmount(0n)
  return {
    payload: { executionType: 'TRANSACTION', transaction: { chainId: input.chainId, to: vault.router, data, value } },
    venueRef: null,
    evidence: null,
    ...termsOf(terms),
    carry: carryOf(ask, null),
  }
}

/** Registers the memo at the network, and pays an amount that refers to it. */
export const toDeposit = async (ask: Ask, terms: Terms, memoless: Memoless, signal: AbortSignal): Promise<Execution> => {
  const { order, vault } = ask
  const memo = memoOf(ask, terms)
  const { hash, amount } = await memoless.register(memo, order.inputAmount, signal)
  const deposit = { chainId: order.input.chainId, address: vault.address, amount: toAmount(amount) }
  return {
    payload: { executionType: 'DEPOSIT', deposit },
    venueRef: vault.address,
    evidence: { v: 1, memo },
    ...termsOf(terms),
    carry: carryOf(ask, hash),
  }
}
