import type { ChainEvidence } from '../chains/chainEvidence.ts'
import type { ChainId } from '../core/chain.ts'
import type { Clock } from '../core/clock.ts'
import type { PayoutEcosystem } from '../core/partner.ts'
import { parseTransactionId } from '../core/transactionId.ts'
import { payoutStandingAt } from '../keys/payoutStanding.ts'
import type { Balance } from '../store/balances.ts'
import { type LedgerEntry, type NewLedgerEntry, payoutKeyOf } from '../store/ledger.ts'
import type { PayoutAddress } from '../store/partners.ts'
import type { Store, StoreParts } from '../store/store.ts'
import { type Gain, lookAtTransfer, type TransferSight } from './payoutEvidence.ts'

/** The operator's payment to a partner. `chainId` and `token` are those of the balance. */
export type Payout = {
  readonly partnerId: string
  readonly ecosystem: PayoutEcosystem
  readonly chainId: ChainId
  readonly token: string
  /** Smallest units, above 0. */
  readonly amount: bigint
  /** On the chain of the balance; for `thorchain` on THORChain. */
  readonly txHash: string
}

export type PayoutRefusal =
  | 'unknownPartner'
  /** The partner has no effective address there, or lacked one at the time of the payment. */
  | 'noAddress'
  | 'badAmount'
  | 'badTransaction'
  /** That transaction is recorded for this partner and token, or its transfer to that address is recorded for another partner. */
  | 'alreadyRecorded'
  /** It exceeds the owed amount. */
  | 'notOwed'
  /** The chain shows no such transfer, or one that is not final, or is unreadable. */
  | Exclude<TransferSight['kind'], 'seen'>

export type RecordedPayout =
  | {
      readonly kind: 'recorded'
      readonly owedBefore: bigint
      readonly owedAfter: bigint
      /** The required address. */
      readonly address: string
      readonly sight: 'seen' | 'unreadable'
    }
  | { readonly kind: 'refused'; readonly reason: PayoutRefusal; readonly owed: bigint; readonly address: string | null }

export type PayoutPorts = {
  readonly store: Pick<Store, 'partners' | 'ledger' | 'transaction'>
  /** Null: no access to the chains. */
  readonly evidence: ChainEvidence | null
  readonly clock: Clock
}

type Where = Pick<Payout, 'ecosystem' | 'chainId' | 'token'>

/** Below 0 where paid earnings were reversed later. */
export const owedIn = (balances: readonly Balance[], { ecosystem, chainId, token }: Where): bigint => {
  const own = balances.find((one) => one.ecosystem === ecosystem && one.chainId === chainId && one.token === token)
  return own ? own.earned - own.paid : 0n
}

const THORCHAIN_TX = /^[0-9a-fA-F]{64}$/

/** In its canonical spelling. */
const spelt = ({ ecosystem, chainId, txHash }: Payout): string | null => {
  if (ecosystem === 'thorchain') return THORCHAIN_TX.test(txHash) ? txHash.toUpperCase() : null
  return parseTransactionId(chainId, txHash)
}

type Checked = {
  readonly payout: Payout
  /** The address that was effective at the payment. */
  readonly address: PayoutAddress
  /** The transaction's payment there; null: the chain was unreadable. */
  readonly gain: Gain | null
}

const isOf = ({ document }: LedgerEntry, { ecosystem, chainId, token }: Where): boolean =>
  document['ecosystem'] === ecosystem && document['chainId'] === chainId && document['token'] === token

const isSame = (entry: LedgerEntry, payout: Payout): boolean => isOf(entry, payout) && entry.document['txHash'] === payout.txHash

/** Whether the same transfers were recorded before. */
const isOutOf = (entry: LedgerEntry, { payout, gain }: Checked): boolean =>
  isSame(entry, payout) || (isOf(entry, payout) && gain !== null && entry.document['place'] === gain.place)

const sumOf = (entries: readonly LedgerEntry[]): bigint =>
  entries.reduce((sum, { lines }) => sum + (lines.find(({ side }) => side === 'debit')?.amount ?? 0n), 0n)

const toEntry = ({ payout, address, gain }: Checked, at: number): NewLedgerEntry => {
  const { partnerId, ecosystem, chainId, token, amount, txHash } = payout
  const line = { ecosystem, chainId, token, amount }
  return {
    // Of two concurrent records with the same owed amount, one fails because its number is taken.
    key: payoutKeyOf(partnerId, at),
    kind: 'payout',
    swapId: null,
    document: {
      ecosystem,
      chainId,
      token,
      txHash,
      address: address.address,
      countsFrom: address.countsFrom,
      sight: gain === null ? 'unreadable' : 'seen',
      place: gain?.place ?? null,
    },
    lines: [
      { account: `partner:${partnerId}`, side: 'debit', ...line },
      { account: 'payer', side: 'credit', ...line },
    ],
  }
}

/** Block times are inexact, and a transfer takes a moment to enter a block. */
const APART_MS = 120_000

/** The addresses of a partner at a time, shortly before and shortly after it. */
const addressesAt = (
  history: readonly PayoutAddress[],
  ecosystem: PayoutEcosystem,
  { at, now }: { readonly at: number; readonly now: number },
): readonly PayoutAddress[] => {
  const times = [at, at - APART_MS, Math.min(at + APART_MS, Math.max(at, now))]
  return [...new Set(times.flatMap((time) => payoutStandingAt(history, ecosystem, time).counts ?? []))]
}

/** The address that received enough; else the reason for the uncertainty. */
const seenAt = async (
  payout: Payout,
  sight: Extract<TransferSight, { kind: 'seen' }>,
  addresses: readonly PayoutAddress[],
): Promise<Checked | 'missing' | 'unreadable'> => {
  let reason: 'missing' | 'unreadable' = 'missing'
  for (const address of addresses) {
    const gain = await sight.gainOf(address.address)
    if (gain === null) reason = 'unreadable'
    else if (gain.amount >= payout.amount) return { payout, address, gain }
  }
  return reason
}

/**
 * Records a payout: once for each transaction, partner and token. It never exceeds the owed amount, nor the unrecorded rest of
 * the transaction's transfers to that address. It first reads the transfer on its chain. `acceptUnread`: accepts the operator's
 * statement where the chain cannot be read, and only there.
 */
export const createRecordPayout = ({ store, evidence, clock }: PayoutPorts) => {
  const refused = (reason: PayoutRefusal, owed: bigint, address: string | null = null): RecordedPayout => ({
    kind: 'refused',
    reason,
    owed,
    address,
  })

  /** Null: another payout was recorded in between. */
  const write = async ({ ledger }: StoreParts, checked: Checked): Promise<RecordedPayout | null> => {
    const { payout, gain } = checked
    const { address } = checked.address
    const before = await ledger.payoutsTo(payout.partnerId)
    const owed = owedIn(await ledger.balancesOf(payout.partnerId), payout)
    if (before.some((entry) => isSame(entry, payout))) return refused('alreadyRecorded', owed, address)
    const paid = (await ledger.payoutsAt(address)).filter((entry) => isOutOf(entry, checked))
    const isUsedUp = gain === null ? paid.length > 0 : gain.amount - sumOf(paid) < payout.amount
    if (isUsedUp) return refused('alreadyRecorded', owed, address)
    if (payout.amount > owed) return refused('notOwed', owed, address)
    const isWritten = await ledger.book(toEntry(checked, before.length + 1))
    if (!isWritten) return null
    const sight = gain === null ? 'unreadable' : 'seen'
    return { kind: 'recorded', owedBefore: owed, owedAfter: owed - payout.amount, address, sight }
  }

  /** The address and amount of the payout; or the reason for the uncertainty. */
  const check = async (
    payout: Payout,
    sight: TransferSight,
    acceptUnread: boolean,
  ): Promise<Checked | { readonly reason: PayoutRefusal; readonly address: string | null }> => {
    const [history, now] = [await store.partners.payoutAddressesOf(payout.partnerId), clock.now()]
    const at = sight.kind === 'seen' ? (sight.at ?? now) : now
    const addresses = addressesAt(history, payout.ecosystem, { at, now })
    const [first] = addresses
    if (first === undefined) return { reason: 'noAddress', address: null }
    const reason = sight.kind === 'seen' ? await seenAt(payout, sight, addresses) : sight.kind
    if (typeof reason !== 'string') return reason
    return reason === 'unreadable' && acceptUnread ? { payout, address: first, gain: null } : { reason, address: first.address }
  }

  const sightOf = async (payout: Payout, signal: AbortSignal): Promise<TransferSight> =>
    evidence === null ? { kind: 'unreadable' } : lookAtTransfer(evidence, payout, signal)

  return async (
    asked: Payout,
    { acceptUnread, signal }: { readonly acceptUnread: boolean; readonly signal: AbortSignal },
  ): Promise<RecordedPayout> => {
    const { partnerId, amount } = asked
    if ((await store.partners.byId(partnerId)) === null) return refused('unknownPartner', 0n)
    const owed = owedIn(await store.ledger.balancesOf(partnerId), asked)
    const txHash = spelt(asked)
    if (amount <= 0n) return refused('badAmount', owed)
    if (txHash === null) return refused('badTransaction', owed)
    const payout = { ...asked, txHash }
    const checked = await check(payout, await sightOf(payout, signal), acceptUnread)
    if ('reason' in checked) return refused(checked.reason, owed, checked.address)
    for (;;) {
      const recorded = await store.transaction((parts) => write(parts, checked))
      if (recorded !== null) return recorded
    }
  }
}
