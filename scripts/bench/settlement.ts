import type { ChainEvidence } from '../../engine/chains/chainEvidence.ts'
import { parseConfig } from '../../engine/config/config.ts'
import { addressOf } from '../../engine/core/address.ts'
import { toAmount } from '../../engine/core/amount.ts'
import { systemClock } from '../../engine/core/clock.ts'
import type { ExecutedSwap } from '../../engine/core/swap.ts'
import { wordless } from '../../engine/core/swapStatus.ts'
import { createEngine } from '../../engine/engine.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'
import { openSqliteStore } from '../../engine/store/sqliteStore.ts'
import type { Store } from '../../engine/store/store.ts'
import type { Venue } from '../../engine/venues/venue.ts'
import type { Children } from './children.ts'
import { type Figure, formatRate } from './figure.ts'
import type { Effort } from './options.ts'
import { createInstantVenues } from './product/benchVenues.ts'
import { createMemoryChains, memorySolana } from './product/memoryChains.ts'
import { sampleOrder, TOKEN_KEY } from './product/sample.ts'

const OPEN = 10_000
const PAID_ONE_OF = 100

const depositOf = (number: number) => addressOf('evm', `0x${number.toString(16).padStart(40, '0')}`)

/** A chain that answers at once: of a deposit address only whether it is in use. */
const createEvidence = (isPaid: (address: string) => boolean): ChainEvidence => {
  const unasked = () => Promise.reject(new Error('a pass over unpaid addresses does not ask for this'))
  return {
    transaction: async () => null,
    coinsByBalance: unasked,
    search: async () => ({ hashes: [], isWhole: true }),
    sentBy: unasked,
    untouchedUntil: async ({ recipient }) => (isPaid(recipient) ? null : Date.now()),
    confirmedTime: async () => Date.now(),
    hasCode: unasked,
  }
}

const storeSwaps = async (store: Store, venue: Venue): Promise<void> => {
  const order = sampleOrder()
  const offer = { ...(await venue.quote(order, new AbortController().signal)), executionType: 'DEPOSIT' as const }
  const binding = { recipient: order.sender, refundTo: order.sender }
  const swapOf = (number: number): ExecutedSwap => {
    const deposit = { chainId: order.input.chainId, address: depositOf(number), amount: toAmount(order.inputAmount) }
    const payload = { executionType: 'DEPOSIT' as const, deposit }
    const execution = {
      payload,
      evidence: null,
      venueRef: null,
      outputAmount: offer.outputAmount,
      slippage: offer.slippage,
      carry: null,
    }
    return { order, offer, binding, execution, deadlineAt: Date.now() + 3_600_000 }
  }
  await store.transaction(async ({ swaps, settlement }) => {
    for (let number = 0; number < OPEN; number += 1) {
      const whose = { partnerId: 'p', feeOf: 'partner', executedBy: 'p', requestId: '', tokenKey: null } as const
      const names = { quoteId: `q${number}`, bindingKey: '', isSandbox: false, ref: depositOf(number) }
      const { id, createdAt } = await swaps.add({ ...names, ...whose, swap: swapOf(number) })
      await settlement.add({ swapId: id, isPaid: false, dueAt: createdAt })
    }
  })
}

/** One pass of the settlement job over 10,000 open swaps, 100 of them paid, in a database in memory. */
export const measureSettlement = async (_children: Children, _effort: Effort): Promise<readonly Figure[]> => {
  const [like] = createInstantVenues(1)
  if (!like) throw new Error('no venue')
  let asked = 0
  const track = async () => {
    asked += 1
    return { ...wordless('pending'), state: 'processing' as const }
  }
  const venue: Venue = { ...like, tracker: { track } }
  const paid = new Set(Array.from({ length: OPEN / PAID_ONE_OF }, (_none, index) => depositOf(index * PAID_ONE_OF) as string))
  const store = await openSqliteStore({ file: ':memory:', network: 'simnet' }, systemClock)
  await storeSwaps(store, venue)
  const { settlement } = await createEngine(parseConfig({ QUOTE_TOKEN_KEYS: TOKEN_KEY, WEBHOOK_SECRET_KEYS: TOKEN_KEY }), {
    http: createHttpClient(),
    chains: createMemoryChains(),
    solana: memorySolana,
    store,
    evidence: createEvidence((address) => paid.has(address)),
    observe: () => undefined,
    venues: [venue],
  })
  const cpu = process.cpuUsage()
  const report = await settlement.runOnce()
  const { user, system } = process.cpuUsage(cpu)
  await settlement.stop()
  await store.close()
  if (report?.looked !== OPEN || asked !== paid.size) throw new Error(`looked at ${report?.looked}, asked about ${asked}`)
  return [
    {
      name: `    settlement: a pass over ${formatRate(OPEN)} open swaps, ${paid.size} of them paid`,
      measured: `${formatRate((user + system) / 1_000)} ms`,
      absolute: `of processor time, ${formatRate((user + system) / OPEN)} us a swap; ${formatRate(report.elapsedMs)} ms by the clock; ${asked} asks`,
      goal: null,
    },
  ]
}
