import type { Clock } from '../../engine/core/clock.ts'
import type { Payment } from '../../engine/core/payment.ts'
import { isTerminal } from '../../engine/core/swapStatus.ts'
import type { Broadcast, BroadcastStore } from '../../engine/store/broadcasts.ts'
import type { Build, BuildStore } from '../../engine/store/builds.ts'
import type { PaymentStore } from '../../engine/store/payments.ts'
import type { Store, StoreParts } from '../../engine/store/store.ts'
import { StoreError } from '../../engine/store/storeError.ts'
import { readDocument, writeDocument } from '../../engine/store/swapDocument.ts'
import type { SwapKeyClaim, SwapKeyStore } from '../../engine/store/swapKeys.ts'
import type { SwapRecord, SwapStore } from '../../engine/store/swaps.ts'

type PaymentRow = Payment & { readonly swapId: number }
type SwapRow = { readonly bindingKey: string; readonly record: SwapRecord }

/** Everything that is kept. No row is ever changed in place, so that a copy of the lists is a copy of all. */
type Rows = {
  swaps: readonly SwapRow[]
  broadcasts: ReadonlyMap<number, Broadcast & { readonly posts: number }>
  payments: readonly PaymentRow[]
  builds: ReadonlyMap<string, Build & { readonly until: number }>
  swapKeys: ReadonlyMap<string, SwapKeyClaim>
}

/** A call of the store, such as `swaps.add`. */
type Call = `${keyof StoreParts}.${string}` | 'probe'

/** The records in memory: what the store promises, without a database; and trouble as a test wishes it. */
export type MemoryStore = Store & {
  /** Which calls fail from here on, as those of a store in trouble; none at first. */
  fails: (call: Call) => boolean
  /** All swaps, oldest first. */
  kept(): readonly SwapRecord[]
  /** As when the records were lost. */
  forget(): void
}

export const isWrite = (call: Call): boolean => /\.(add|set|claim|release|reserve|drop)/.test(call)

const nothing = (): Rows => ({ swaps: [], broadcasts: new Map(), payments: [], builds: new Map(), swapKeys: new Map() })

const withEntry = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> => new Map(map).set(key, value)
const withoutEntry = <K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> => new Map([...map].filter(([one]) => one !== key))

const swapsIn = (rows: Rows, clock: Clock): SwapStore => {
  const find = (quoteId: string, bindingKey: string): SwapRecord | null =>
    rows.swaps.find((row) => row.record.quoteId === quoteId && row.bindingKey === bindingKey)?.record ?? null
  const change = (id: number, changed: Partial<SwapRecord>): void => {
    rows.swaps = rows.swaps.map((row) => (row.record.id === id ? { ...row, record: { ...row.record, ...changed } } : row))
  }
  const record = (id: number) => rows.swaps.find((row) => row.record.id === id)?.record ?? null
  return {
    add: async ({ bindingKey, ...swap }) => {
      const record: SwapRecord = {
        ...swap,
        id: (rows.swaps.at(-1)?.record.id ?? 0) + 1,
        swap: readDocument(writeDocument(swap.swap)),
        status: { state: 'pending', venueStatus: null, deliveredAmount: null, txHash: null },
        isFollowed: false,
        postingAt: null,
        submittedAt: null,
        endedAt: null,
        createdAt: clock.now(),
      }
      const standing = find(swap.quoteId, bindingKey)
      if (!standing) rows.swaps = [...rows.swaps, { bindingKey, record }]
      return standing ?? record
    },
    find: async (quoteId, bindingKey) => find(quoteId, bindingKey),
    byId: async (id) => record(id),
    isOfAnotherQuote: async (ref, quoteId) => rows.swaps.some(({ record }) => record.ref === ref && record.quoteId !== quoteId),
    ofQuote: async (quoteId) =>
      rows.swaps
        .map(({ record }) => record)
        .filter((record) => record.quoteId === quoteId)
        .reverse(),
    setPosting: async (id) => change(id, { postingAt: clock.now() }),
    setSubmitted: async (id, ref) => change(id, { ref, submittedAt: clock.now(), isFollowed: true }),
    setStatus: async (id, { state, venueStatus, deliveredAmount, txHash }, ref) =>
      change(id, {
        ref,
        status: { state, venueStatus, deliveredAmount, txHash },
        isFollowed: true,
        ...(isTerminal(state) && { endedAt: record(id)?.endedAt ?? clock.now() }),
      }),
  }
}

const buildsIn = (rows: Rows, clock: Clock): BuildStore => ({
  reserve: async ({ quoteId, bindingKey, owner }, leaseMs) => {
    const key = JSON.stringify([quoteId, bindingKey])
    if ((rows.builds.get(key)?.until ?? 0) > clock.now()) return false
    rows.builds = withEntry(rows.builds, key, { quoteId, bindingKey, owner, until: clock.now() + leaseMs })
    return true
  },
  release: async ({ quoteId, bindingKey, owner }) => {
    const key = JSON.stringify([quoteId, bindingKey])
    if (rows.builds.get(key)?.owner === owner) rows.builds = withoutEntry(rows.builds, key)
  },
  underWay: async (quoteId) =>
    [...rows.builds.values()]
      .filter((build) => build.quoteId === quoteId && build.until > clock.now())
      .map(({ bindingKey }) => bindingKey),
})

const swapKeysIn = (rows: Rows, clock: Clock): SwapKeyStore => ({
  claim: async (claim) => {
    const name = JSON.stringify([claim.venue, claim.kind, claim.value])
    const holder = rows.swapKeys.get(name)
    const isFree = !holder || holder.swapId === claim.swapId || (holder.until !== null && holder.until <= clock.now())
    if (isFree) rows.swapKeys = withEntry(rows.swapKeys, name, claim)
    return isFree ? claim.swapId : holder.swapId
  },
})

const broadcastsIn = (rows: Rows, clock: Clock): BroadcastStore => {
  const keep = (swapId: number, row: Broadcast & { readonly posts: number }): void => {
    rows.broadcasts = withEntry(rows.broadcasts, swapId, row)
  }
  const told = ({ txHash, untilHeight, acceptedAt, fate }: Broadcast): Broadcast => ({ txHash, untilHeight, acceptedAt, fate })
  return {
    find: async (swapId) => {
      const row = rows.broadcasts.get(swapId)
      return row ? told(row) : null
    },
    claim: async (swapId, claim) => {
      const standing = rows.broadcasts.get(swapId)
      if (!standing) keep(swapId, { ...claim, acceptedAt: null, posts: 1, fate: null })
      else if (standing.txHash === claim.txHash) keep(swapId, { ...standing, posts: standing.posts + 1 })
      return { broadcast: told(standing ?? { ...claim, acceptedAt: null, fate: null }), isNew: !standing }
    },
    setAccepted: async (swapId, claim) =>
      keep(swapId, { posts: 1, fate: null, ...rows.broadcasts.get(swapId), ...claim, acceptedAt: clock.now() }),
    setFate: async (swapId, txHash, fate) => {
      const row = rows.broadcasts.get(swapId)
      if (row?.txHash === txHash) keep(swapId, { ...row, fate })
    },
    release: async (swapId, txHash) => {
      const row = rows.broadcasts.get(swapId)
      if (row?.txHash !== txHash || row.posts !== 1 || row.acceptedAt !== null) return false
      rows.broadcasts = withoutEntry(rows.broadcasts, swapId)
      return true
    },
  }
}

const paymentsIn = (rows: Rows): PaymentStore => {
  const isAt = (a: Pick<Payment, 'chainId' | 'txHash'>, b: Pick<Payment, 'chainId' | 'txHash'>): boolean =>
    a.chainId === b.chainId && a.txHash === b.txHash
  const isOf = (swapId: number, where: Pick<Payment, 'chainId' | 'txHash'>) => (row: PaymentRow) =>
    row.swapId === swapId && isAt(row, where)
  return {
    claim: async (swapId, payments) => {
      const standing = (payment: Payment) =>
        rows.payments.find((row) => row.chainId === payment.chainId && row.place === payment.place)
      if (payments.some((payment) => (standing(payment)?.swapId ?? swapId) !== swapId)) return false
      for (const payment of payments) if (!standing(payment)) rows.payments = [...rows.payments, { ...payment, swapId }]
      return true
    },
    ofSwap: async (id) => rows.payments.filter(({ swapId }) => swapId === id).map(({ swapId: _id, ...payment }) => payment),
    takenFrom: async (id, where, placesUnder) =>
      rows.payments
        .filter((row) => row.swapId !== id && row.chainId === where.chainId)
        .filter((row) => row.txHash === where.txHash || row.place.startsWith(placesUnder))
        .map(({ swapId, place, token, recipient }) => ({ swapId, place, token, recipient })),
    setFinal: async (swapId, where) => {
      const isMeant = isOf(swapId, where)
      rows.payments = rows.payments.map((row) => (isMeant(row) ? { ...row, isFinal: true } : row))
    },
    drop: async (swapId, where) => {
      const isMeant = isOf(swapId, where)
      rows.payments = rows.payments.filter((row) => !isMeant(row))
    },
  }
}

const partsOf = (rows: Rows, clock: Clock): StoreParts => ({
  swaps: swapsIn(rows, clock),
  builds: buildsIn(rows, clock),
  swapKeys: swapKeysIn(rows, clock),
  broadcasts: broadcastsIn(rows, clock),
  payments: paymentsIn(rows),
})

/** The same part, with something to happen before each of its calls. */
const before = <P extends object>(part: P, happens: (name: string) => Promise<void>): P =>
  Object.fromEntries(
    Object.entries(part).map(([name, call]) => [
      name,
      async (...args: readonly unknown[]) => {
        await happens(name)
        return call(...args)
      },
    ]),
  ) as P

export const createMemoryStore = (clock: Clock): MemoryStore => {
  const rows = nothing()
  /** The end of the transactions that were begun. */
  let ended: Promise<unknown> = Promise.resolve()

  const troubled = (parts: StoreParts, happens: () => Promise<void>): StoreParts => {
    const watch = <N extends keyof StoreParts>(name: N): StoreParts[N] =>
      before(parts[name], async (call) => {
        await happens()
        if (store.fails(`${name}.${call}`)) throw new StoreError(`the store failed: ${name}.${call}`)
      })
    return {
      swaps: watch('swaps'),
      builds: watch('builds'),
      swapKeys: watch('swapKeys'),
      broadcasts: watch('broadcasts'),
      payments: watch('payments'),
    }
  }

  const run = async <T>(work: (parts: StoreParts) => Promise<T>): Promise<T> => {
    const draft = { ...rows }
    const result = await work(troubled(partsOf(draft, clock), async () => undefined))
    Object.assign(rows, draft)
    return result
  }

  const store: MemoryStore = {
    ...troubled(partsOf(rows, clock), async () => void (await ended)),
    fails: () => false,
    transaction: (work) => {
      const done = ended.then(() => run(work))
      ended = done.catch(() => undefined)
      return done
    },
    probe: async () => {
      if (store.fails('probe')) throw new StoreError('the store failed: probe')
    },
    close: async () => undefined,
    kept: () => rows.swaps.map(({ record }) => record),
    forget: () => void Object.assign(rows, nothing()),
  }
  return store
}
