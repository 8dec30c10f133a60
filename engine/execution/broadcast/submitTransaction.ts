import { ChainError, type Chains } from '../../chains/chains.ts'
import type { SolanaTransactions } from '../../chains/solana/solanaTransactions.ts'
import { invalidRequest, SwapError } from '../../errors.ts'
import { createSingleFlight } from '../../net/singleFlight.ts'
import { bindSwap, type CallContext, markOf } from '../../observe/callContext.ts'
import type { QuoteSeal, SealedQuote } from '../../quoting/seal.ts'
import { recordedOr } from '../../store/recordedOr.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import { isLookedAfter } from '../lookedAfter.ts'
import { sandboxTxHash } from '../sandbox.ts'
import { broadcastable } from './broadcastable.ts'
import { readSignedHash, requireSamePayment } from './readSigned.ts'
import { createSendOnce, type Sent } from './sendOnce.ts'

export type SubmitTransactionPorts = {
  readonly chains: Chains
  readonly solana: SolanaTransactions
  readonly seal: QuoteSeal
  readonly store: Pick<Store, 'swaps' | 'broadcasts' | 'settlement'>
}

export type SubmitTransactionRequest = { readonly quoteToken: string; readonly signedTransaction: string }

/** The execution of a token, and its transaction to sign. */
type Handed = { readonly quote: SealedQuote; readonly record: SwapRecord; readonly serialized: string }

const notHandedOut = (reason: string): SwapError => invalidRequest([{ path: 'quoteToken', reason }])

const uncertain = (txHash: string, cause: unknown): SwapError =>
  new SwapError(
    'BUILD_FAILED',
    'Solana could not be reached, and the transaction may have been sent. Post the same signedTransaction again; sign no other.',
    { details: { txHash, retryable: true }, cause },
  )

const failureOf = (sent: Sent, txHash: string): SwapError | null => {
  switch (sent.result) {
    case 'sent':
    case 'landed':
      return null
    case 'rejected': {
      const { reason, error } = sent.refusal
      const text = `Solana refused the transaction (${reason}). Nothing was paid. Request a new transaction from /execute, or a new quote after expiresAt.`
      return new SwapError('ORDER_REJECTED', text, { details: { reason, transactionError: error } })
    }
    case 'occupied': {
      const reason = sent.hasLanded
        ? 'is not the one that was posted first, which has landed: sign no other'
        : 'is not the one that was posted first, which may still land: post that one again, and sign no other'
      const fields = [{ path: 'signedTransaction', reason }]
      return new SwapError('INVALID_REQUEST', 'The request is not valid: signedTransaction.', {
        details: { fields, txHash: sent.txHash },
      })
    }
    case 'uncertain':
      return uncertain(txHash, sent.cause)
  }
}

/**
 * Broadcasts a signed Solana transaction of /execute after checking that it makes the same payment. Repeating the call is always
 * safe.
 */
export const createSubmitTransaction = ({ chains, solana, seal, store }: SubmitTransactionPorts) => {
  const { swaps, broadcasts } = store
  const once = createSingleFlight<Sent>()

  const open = async (quoteToken: string): Promise<Handed> => {
    const quote = seal.open(quoteToken)
    if (quote.swapId === null)
      throw notHandedOut('is not the one /execute returned together with a transaction that carries submit')
    const record = await swaps.byId(quote.swapId)
    const serialized = record && broadcastable(record.swap.order, record.swap.execution)
    if (!record || serialized === null || record.quoteId !== quote.id)
      throw notHandedOut('belongs to no execution that is known here: call /execute again')
    return { quote, record, serialized }
  }

  /** Executions that replaced one another. One for another recipient is another swap. */
  const rivalsOf = async ({ id, quoteId, swap: { binding } }: SwapRecord): Promise<readonly number[]> =>
    (await swaps.ofQuote(quoteId))
      .filter(({ swap }) => swap.binding.recipient === binding.recipient && swap.binding.refundTo === binding.refundTo)
      .flatMap((record) => (record.id === id ? [] : [record.id]))

  const send = async ({ record }: Handed, signedTransaction: string, txHash: string, context: CallContext): Promise<Sent> => {
    const sendOnce = createSendOnce({ chains, solana, broadcasts, observe: context.observe })
    const { id: swapId } = record
    return once(`${swapId}|${txHash}`, async () =>
      sendOnce({ swapId, txHash, base64: signedTransaction, rivals: await rivalsOf(record) }),
    )
  }

  /** Settlement reads a sent transaction first from now on. */
  const hasten = async (record: SwapRecord, { observe }: CallContext): Promise<void> => {
    const swap = { swapId: record.id, isPaid: true }
    if (isLookedAfter(record)) await recordedOr(observe, undefined, () => store.settlement.hasten(swap))
  }

  const check = async ({ record, serialized }: Handed, signedTransaction: string, txHash: string): Promise<void> => {
    // Already checked. Its lookup tables may be closed by now.
    if ((await broadcasts.find(record.id))?.txHash === txHash) return
    try {
      await requireSamePayment(signedTransaction, serialized, chains)
    } catch (error) {
      throw error instanceof ChainError ? uncertain(txHash, error) : error
    }
  }

  return async (
    { quoteToken, signedTransaction }: SubmitTransactionRequest,
    asked: CallContext,
  ): Promise<{ readonly txHash: string }> => {
    const handed = await open(quoteToken)
    const { quote } = handed
    const context = bindSwap(asked, markOf(handed.record))
    const txHash = await readSignedHash(signedTransaction)
    await check(handed, signedTransaction, txHash)
    if (quote.order.sandbox) return { txHash: sandboxTxHash(quote) }
    const sent = await send(handed, signedTransaction, txHash, context)
    if (sent.result !== 'rejected' && sent.result !== 'occupied') await hasten(handed.record, context)
    const { venue } = quote.offer
    const outcome = sent.result === 'occupied' ? 'rejected' : sent.result
    context.observe({ event: 'transaction.submitted', venue, txHash, outcome })
    const failure = failureOf(sent, txHash)
    if (failure) throw failure
    return { txHash }
  }
}
