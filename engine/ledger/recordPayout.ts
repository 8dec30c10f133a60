import type { ChainEvidence } from '../chains/chainEvidence.ts'
import type { ChainId } from '../core/chain.ts'
import type { Clock } from '../core/clock.ts'
import type { PayoutEcosystem } from '../core/partner.ts'
import { parseTransactionId } from '../core/transactionId.ts'
import { payoutStanding } from '../keys/payoutStanding.ts'
import type { Balance } from '../store/balances.ts'
import { type LedgerEntry, type NewLedgerEntry, payoutKeyOf } from '../store/ledger.ts'
import type { PayoutAddress } from '../store/partners.ts'
import type { Store, StoreParts } from '../store/store.ts'
import { lookForTransfer, type TransferSight } from './payoutEvidence.ts'

/** What the operator paid a partner of a balance. `chainId` and `token` are those of the balance. */
export type Payout = {
  readonly partnerId: string
  readonly ecosystem: PayoutEcosystem
  readonly chainId: ChainId
  readonly token: string
  /** Smallest units, above 0. */
  readonly amount: bigint
  /** On the chain of the balance; of `thorchain` on THORChain. */
  readonly txHash: string
}

export type PayoutRefusal =
  | 'unknownPartner'
  /** The partner has no address there that counts. */
  | 'noAddress'
  | 'badAmount'
  | 'badTransaction'
  /** That transaction is recorded for this partner and token. */
  | 'alreadyRecorded'
  /** It is more than is owed. */
  | 'notOwed'
  /** The chain shows no such transfer, or one that may vanish, or cannot be read. */
  | Exclude<TransferSight, 'seen'>

export type RecordedPayout =
  | {
      readonly kind: 'recorded'
      readonly owedBefore: bigint
      readonly owedAfter: bigint
      /** Where it was to be paid to. */
      readonly address: string
      readonly sight: 'seen' | 'unreadable'
    }
  | { readonly kind: 'refused'; readonly reason: PayoutRefusal; readonly owed: bigint; readonly address: string | null }

export type PayoutPorts = {
  readonly store: Pick<Store, 'partners' | 'ledger' | 'transaction'>
  /** Null: the chains cannot be asked. */
  readonly evidence: ChainEvidence | null
  readonly clock: Clock
}

type Where = Pick<Payout, 'ecosystem' | 'chainId' | 'token'>

/** Below 0 where what was paid has been taken back since. */
export const owedIn = (balances: readonly Balance[], { ecosystem, chainId, token }: Where): bigint => {
  const own = balances.find((one) => one.ecosystem === ecosystem && one.chainId === chainId && one.token === token)
  return own ? own.earned - own.paid : 0n
}

const THORCHAIN_TX = /^[0-9a-fA-F]{64}$/

/** In the one spelling that it has. */
const spelt = ({ ecosystem, chainId, txHash }: Payout): string | null => {
  if (ecosystem === 'thorchain') return THORCHAIN_TX.test(txHash) ? txHash.toUpperCase() : null
  return parseTransactionId(chainId, txHash)
}

const isSame = ({ document }: LedgerEntry, { ecosystem, chainId, token, txHash }: Payout): boolean =>
  document['ecosystem'] === ecosystem &&
  document['chainId'] === chainId &&
  document['token'] === token &&
  document['txHash'] === txHash

const toEntry = (
  payout: Payout,
  address: PayoutAddress,
  how: { readonly at: number; readonly sight: string },
): NewLedgerEntry => {
  const { partnerId, ecosystem, chainId, token, amount, txHash } = payout
  const line = { ecosystem, chainId, token, amount }
  return {
    // Of two that are recorded at once, which both saw as much owed, one finds its number taken.
    key: payoutKeyOf(partnerId, how.at),
    kind: 'payout',
    swapId: null,
    document: { ecosystem, chainId, token, txHash, address: address.address, countsFrom: address.countsFrom, sight: how.sight },
    lines: [
      { account: `partner:${partnerId}`, side: 'debit', ...line },
      { account: 'payer', side: 'credit', ...line },
    ],
  }
}

/**
 * Records that a partner was paid: once for each transaction, partner and token, and never more than is owed. The transfer is
 * looked for on its chain first; `acceptUnread`: the operator's word stands in where the chain cannot be read, and nowhere else.
 */
export const createRecordPayout = ({ store, evidence, clock }: PayoutPorts) => {
  type Checked = { readonly payout: Payout; readonly address: PayoutAddress; readonly sight: 'seen' | 'unreadable' }

  const refused = (reason: PayoutRefusal, owed: bigint, address: string | null = null): RecordedPayout => ({
    kind: 'refused',
    reason,
    owed,
    address,
  })

  /** Null: another payout was recorded meanwhile. */
  const write = async ({ ledger }: StoreParts, { payout, address, sight }: Checked): Promise<RecordedPayout | null> => {
    const before = await ledger.payoutsTo(payout.partnerId)
    const owed = owedIn(await ledger.balancesOf(payout.partnerId), payout)
    if (before.some((entry) => isSame(entry, payout))) return refused('alreadyRecorded', owed, address.address)
    if (payout.amount > owed) return refused('notOwed', owed, address.address)
    const isWritten = await ledger.book(toEntry(payout, address, { at: before.length + 1, sight }))
    if (!isWritten) return null
    return { kind: 'recorded', owedBefore: owed, owedAfter: owed - payout.amount, address: address.address, sight }
  }

  const sightOf = async (payout: Payout, payee: string, signal: AbortSignal): Promise<TransferSight> =>
    evidence === null ? 'unreadable' : lookForTransfer(evidence, { ...payout, payee }, signal)

  return async (
    asked: Payout,
    { acceptUnread, signal }: { readonly acceptUnread: boolean; readonly signal: AbortSignal },
  ): Promise<RecordedPayout> => {
    const { partnerId, ecosystem } = asked
    if ((await store.partners.byId(partnerId)) === null) return refused('unknownPartner', 0n)
    const owed = owedIn(await store.ledger.balancesOf(partnerId), asked)
    const { counts: address } = payoutStanding(await store.partners.standingAddressesOf(partnerId), ecosystem, clock.now())
    const txHash = spelt(asked)
    if (address === null) return refused('noAddress', owed)
    if (asked.amount <= 0n) return refused('badAmount', owed, address.address)
    if (txHash === null) return refused('badTransaction', owed, address.address)
    const payout = { ...asked, txHash }
    const sight = await sightOf(payout, address.address, signal)
    if (sight !== 'seen' && !(sight === 'unreadable' && acceptUnread)) return refused(sight, owed, address.address)
    for (;;) {
      const recorded = await store.transaction((parts) => write(parts, { payout, address, sight }))
      if (recorded !== null) return recorded
    }
  }
}
