import { SOLANA } from '../core/chain.ts'
import { chainOfNetwork } from '../ledger/accessEntry.ts'
import type { NewLedgerEntry } from '../store/ledger.ts'
import type { PaidCall } from '../store/paidCalls.ts'
import type { Store } from '../store/store.ts'

type Settled = Pick<PaidCall, 'paymentKey' | 'requestId' | 'operation' | 'network' | 'asset' | 'amount' | 'payTo' | 'payer'>

const entryOf = (call: Settled, transaction: string): NewLedgerEntry => {
  const { network, asset, amount, payTo, payer, requestId, operation } = call
  const chainId = chainOfNetwork(network)
  const line = { ecosystem: chainId === SOLANA ? 'solana' : 'evm', chainId, token: asset, amount } as const
  return {
    key: `access:${call.paymentKey}`,
    kind: 'access',
    swapId: null,
    document: { network, asset, amount: amount.toString(), payTo, payer, transaction, requestId, operation },
    lines: [
      { account: `payTo:${payTo}`, side: 'debit', ...line },
      { account: 'access', side: 'credit', ...line },
    ],
  }
}

/** Marks a call as paid and books it, in one transaction. False where its holder no longer holds it. */
export const settleCall = (
  store: Pick<Store, 'transaction'>,
  call: Settled,
  { holder, transaction }: { readonly holder: string; readonly transaction: string },
): Promise<boolean> =>
  store.transaction(async ({ paidCalls, ledger }) => {
    if (!(await paidCalls.setSettled(call.paymentKey, holder, transaction))) return false
    await ledger.book(entryOf(call, transaction))
    return true
  })
