import { hexToBytes } from '@noble/hashes/utils.js'
import { parseEvmAddress } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Execution, PayloadClaims, WalletTransaction } from '../../core/execution.ts'
import { claimProblems } from '../kit/claimProblems.ts'
import { demand } from '../kit/demand.ts'
import { checkId, rejected } from '../venueError.ts'
import { readPayload } from './decode.ts'
import { orderIdOf } from './dlnOrder.ts'
import { type Ask, amountIn, type Terms } from './map.ts'
import { bytesOf } from './protocol.ts'
import type { Pinned } from './published.ts'
import { readSolanaOrder } from './solanaOrder.ts'
import type { CreateTx } from './wire.ts'

const transactionOf = async ({ tx, orderId }: CreateTx, { input }: Ask['order'], pinned: Pinned): Promise<WalletTransaction> => {
  if (tx == null) throw rejected('transaction', 'debridge answered without a transaction')
  const { chainId } = input
  if (chainId === SOLANA) {
    const serialized = Buffer.from(hexToBytes(tx.data.slice(2))).toString('base64')
    const { instruction } = await readSolanaOrder(serialized, pinned, orderId ?? null)
    return { chainId, to: instruction.programId, data: serialized, value: toAmount(0n), serialized }
  }
  const to = parseEvmAddress((tx.to ?? '').toLowerCase())
  if (to === null) throw rejected('contract', 'debridge answered without a contract to call', tx.to)
  return { chainId, to, data: tx.data.toLowerCase(), value: amountIn(tx.value ?? '0') }
}

/** The execution of an answer, and its effect. */
export type Built = { readonly execution: Execution; readonly claims: PayloadClaims }

/** Reads the order from the bytes to hand out, and checks it against the request. Throws VenueError. */
export const build = async (answer: CreateTx, ask: Ask, terms: Terms, pinned: Pinned): Promise<Built> => {
  const { order, binding } = ask
  const { sender, input } = order
  const transaction = await transactionOf(answer, order, pinned)
  const payload: Execution['payload'] = { executionType: 'TRANSACTION', transaction }
  const { made, claims } = await readPayload(transaction, { pinned, orderId: answer.orderId?.toLowerCase() ?? null })
  const orderId = orderIdOf(made, bytesOf(input.chainId, sender))
  demand('debridge answered with', {
    'another order id than its order’s': answer.orderId?.toLowerCase() === orderId,
    'somebody else’s order to add to': [made.givePatchAuthority === bytesOf(input.chainId, sender), made.givePatchAuthority],
    'another fixed fee': [claims.nativeFee === terms.nativeFee, claims.nativeFee],
  })
  const { outputAmount } = terms
  const problems = claimProblems(claims, { order, binding, minimum: outputAmount, expected: outputAmount })
  if (problems.length > 0) throw rejected(checkId(problems[0] ?? ''), `debridge answered with ${problems.join(', ')}`)
  const slippage = { isFirm: true, guaranteedMin: outputAmount }
  const evidence = { v: 1, orderId, fixFee: terms.nativeFee.toString() }
  return { execution: { payload, venueRef: orderId, evidence, outputAmount, slippage, carry: null }, claims }
}
