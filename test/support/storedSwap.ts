import { type ChainId, isEvmChainId } from '../../engine/core/chain.ts'
import type { Payment } from '../../engine/core/payment.ts'
import type { ExecutedSwap } from '../../engine/core/swap.ts'
import { parseTransactionId, type TransactionId } from '../../engine/core/transactionId.ts'
import type { LedgerLine, NewLedgerEntry } from '../../engine/store/ledger.ts'
import type { NewSwap } from '../../engine/store/swaps.ts'
import { anOrder, WALLETS } from './anOrder.ts'
import { pair, TOKENS } from './fakeChains.ts'
import { createFakeVenue } from './fakeVenue.ts'

/** A swap as a toy venue builds it. */
export const anExecutedSwap = async (wish: Partial<ExecutedSwap['execution']> = {}): Promise<ExecutedSwap> => {
  const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now: () => 0 })
  const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
  const offer = await venue.quote(order, new AbortController().signal)
  const binding = { recipient: WALLETS.evm, refundTo: WALLETS.evm }
  const execution = await venue.execute({ order, offer }, binding, new AbortController().signal)
  return { order, offer, binding, execution: { ...execution, ...wish } }
}

/** The same, about to be stored. */
export const aNewSwap = async (wish: Partial<NewSwap> = {}): Promise<NewSwap> => ({
  quoteId: 'q1',
  bindingKey: 'a|b',
  partnerId: 'partner',
  feeOf: 'partner',
  executedBy: 'partner',
  requestId: 'req-1',
  tokenKey: 'key-01',
  isSandbox: false,
  ref: 'ref-1',
  swap: await anExecutedSwap(),
  ...wish,
})

/** A transaction id of one byte. */
export const idOf = (byte: string, chainId: ChainId = 1): TransactionId => {
  const txHash = parseTransactionId(chainId, `${isEvmChainId(chainId) ? '0x' : ''}${byte.repeat(32)}`)
  if (txHash === null) throw new TypeError('no transaction id')
  return txHash
}

/** A payment that a log shows, of one transaction unless wished otherwise. */
export const aPayment = (log: number, rest: Partial<Payment> = {}): Payment => ({
  kind: 'output',
  chainId: 1,
  txHash: idOf('a1'),
  place: `${idOf('a1')}/log:${log}`,
  token: TOKENS.usdcEthereum.address,
  recipient: WALLETS.evm,
  amount: 5n,
  orderId: null,
  paidAt: null,
  isFinal: false,
  ...rest,
})

type EntryWish = Partial<Omit<LedgerLine, 'account'>> & { readonly kind?: NewLedgerEntry['kind'] }

/** An entry between a payer and a partner: a fee of 10 units, of an extra payment, so that it needs no successful swap. */
export const anEntry = (key: string, partnerId: string, wish: EntryWish = {}): NewLedgerEntry => {
  const { kind = 'fee', side = 'credit', ...rest } = wish
  const line = { ecosystem: 'evm', chainId: 1, token: '0xa', amount: 10n, ...rest } as const
  const payer = { account: 'payer', side: side === 'credit' ? 'debit' : 'credit', ...line } as const
  const lines = [payer, { account: `partner:${partnerId}`, side, ...line }] as const
  return { key, kind, swapId: null, document: { orderId: 'o' }, lines }
}
