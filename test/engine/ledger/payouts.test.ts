import { describe, expect, it, onTestFinished } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { BITCOIN, SOLANA } from '../../../engine/core/chain.ts'
import { countsFrom, payoutStanding, replacedBy } from '../../../engine/keys/payoutStanding.ts'
import { createRecordPayout, type Payout } from '../../../engine/ledger/recordPayout.ts'
import type { NewLedgerEntry } from '../../../engine/store/ledger.ts'
import type { PayoutAddress } from '../../../engine/store/partners.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { expectBalanced } from '../../support/expectBalanced.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { createFakeEvidence, hashOf, movement, seenTransaction } from '../../support/fakeEvidence.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { anEntry } from '../../support/storedSwap.ts'
import { createTestClock, START_AT } from '../../support/testEngine.ts'
import cases from './payoutStanding.json' with { type: 'json' }

const USDC = TOKENS.usdcArbitrum
const COIN = { chainId: 42161, address: addressOf('evm', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE') } as const
const BTC = { chainId: BITCOIN, address: COIN.address } as const
const THOR = `thor1${'a'.repeat(38)}`
const ON_THORCHAIN = { ecosystem: 'thorchain', chainId: BITCOIN, token: BTC.address, txHash: 'ab'.repeat(32) } as const
const HOUR_MS = 3_600_000

type Seen = Parameters<typeof seenTransaction>[0]

/** Partners who are owed 1,000 units in each of four tokens. */
const start = async (...partnerIds: readonly string[]) => {
  const clock = createTestClock()
  const store = createMemoryStore(clock)
  onTestFinished(async () => {
    await expectBalanced(store)
    await store.close()
  })
  const book = (entry: NewLedgerEntry) => store.transaction(({ ledger }) => ledger.book(entry))
  for (const id of ['p1', ...partnerIds]) {
    await store.partners.add({ id, kind: 'selfServe', feeBps: 50, requestsPerMinute: null }, null)
    for (const [ecosystem, address, assets] of [
      ['evm', WALLETS.evm, [USDC, COIN]],
      ['solana', WALLETS.solana, [TOKENS.usdcSolana]],
      ['thorchain', THOR, [BTC]],
    ] as const) {
      await store.partners.addPayoutAddress(id, { ecosystem, address, countsFrom: clock.at })
      for (const { chainId, address: token } of assets)
        await book(anEntry(`${id} ${ecosystem} ${token}`, id, { ecosystem, chainId, token, amount: 1_000n }))
    }
  }
  const evidence = createFakeEvidence()
  const record = createRecordPayout({ store, evidence, clock })
  const pay = ({ acceptUnread = false, ...wish }: Partial<Payout> & { acceptUnread?: boolean } = {}) =>
    record(
      { partnerId: 'p1', ecosystem: 'evm', chainId: 42161, token: USDC.address, amount: 400n, txHash: hashOf(1), ...wish },
      { acceptUnread, signal: new AbortController().signal },
    )
  const put = (amount: bigint, number = 1, rest: Partial<Seen> = {}) => {
    const movements = [movement(USDC, WALLETS.evm, amount)]
    evidence.put(seenTransaction({ chainId: 42161, hash: hashOf(number), standing: 'final', movements, at: clock.at, ...rest }))
  }
  const balance = async () => (await store.ledger.balancesOf('p1')).find(({ token }) => token === USDC.address)
  return { store, book, clock, evidence, pay, put, balance }
}

describe('a payout', () => {
  it('is recorded with its transfer and address, reduces the balance, and counts once in any spelling of its hash', async () => {
    const { store, pay, put, balance, clock } = await start()
    put(400n)
    expect(await pay()).toEqual({ kind: 'recorded', owedBefore: 1_000n, owedAfter: 600n, address: WALLETS.evm, sight: 'seen' })
    expect(await balance()).toMatchObject({ earned: 1_000n, paid: 400n })
    const line = { ecosystem: 'evm', chainId: 42161, token: USDC.address, amount: 400n }
    const debit = { account: 'partner:p1', side: 'debit', ...line }
    const credit = { account: 'payer', side: 'credit', ...line }
    const document = { txHash: hashOf(1), address: WALLETS.evm, countsFrom: clock.at, sight: 'seen', place: hashOf(1) }
    expect(await store.ledger.payoutsTo('p1')).toMatchObject([{ kind: 'payout', document, lines: [debit, credit] }])
    for (const txHash of [hashOf(1), hashOf(1).toUpperCase().replace('0X', '0x')])
      expect(await pay({ txHash, amount: 1n })).toMatchObject({ kind: 'refused', reason: 'alreadyRecorded', owed: 600n })
  })

  it('never exceeds the balance, also when several are recorded at once [payout-once-within-balance]', async () => {
    const { pay, put, balance } = await start()
    for (const number of [1, 2, 3, 4, 5]) put(2_000n, number)
    expect(await pay({ amount: 1_001n })).toMatchObject({ kind: 'refused', reason: 'notOwed', owed: 1_000n })
    const results = await Promise.all([1, 2, 3, 4, 5].map((number) => pay({ amount: 300n, txHash: hashOf(number) })))
    const outcomes = results.map((one) => (one.kind === 'refused' ? one.reason : one.kind)).toSorted()
    expect(outcomes).toEqual(['notOwed', 'notOwed', 'recorded', 'recorded', 'recorded'])
    expect(await balance()).toMatchObject({ earned: 1_000n, paid: 900n })
  })

  it.each([
    ['one unit less', 'missing', { movements: [movement(USDC, WALLETS.evm, 399n)] }],
    ['another payee', 'missing', { movements: [movement(USDC, WALLETS.evmOther, 400n)] }],
    ['another token', 'missing', { movements: [movement(TOKENS.daiArbitrum, WALLETS.evm, 400n)] }],
    ['a failed transaction', 'missing', { isSuccess: false }],
    ['a confirmed transaction', 'notFinal', { standing: 'confirmed' }],
  ] as const)('of which the chain shows %s is refused as %s', async (_, reason, seen) => {
    const { pay, put } = await start()
    put(400n, 1, seen)
    for (const acceptUnread of [false, true]) expect(await pay({ acceptUnread })).toMatchObject({ kind: 'refused', reason })
    expect(await pay({ txHash: hashOf(2), acceptUnread: true })).toMatchObject({ kind: 'refused', reason: 'missing' })
  })

  it('is accepted by the statement of the operator when the chain is unreadable, and recorded so [payout-once-within-balance]', async () => {
    const { pay, put, evidence, store } = await start()
    put(400n)
    evidence.isUnreadable = () => true
    expect(await pay()).toMatchObject({ kind: 'refused', reason: 'unreadable', owed: 1_000n })
    expect(await pay({ acceptUnread: true })).toMatchObject({ kind: 'recorded', sight: 'unreadable' })
    expect((await store.ledger.payoutsTo('p1'))[0]?.document).toMatchObject({ sight: 'unreadable', place: null })
  })

  it('of a Bitcoin balance is paid on THORChain, which the service cannot read', async () => {
    const { pay } = await start()
    expect(await pay(ON_THORCHAIN)).toMatchObject({ kind: 'refused', reason: 'unreadable', address: THOR })
    const stated = { ...ON_THORCHAIN, acceptUnread: true }
    expect(await pay(stated)).toMatchObject({ kind: 'recorded', owedAfter: 600n, address: THOR })
    expect(await pay({ ...stated, txHash: 'AB'.repeat(32) })).toMatchObject({ reason: 'alreadyRecorded' })
    expect(await pay({ ...stated, txHash: 'no hash' })).toMatchObject({ reason: 'badTransaction' })
  })

  it('on Solana, or of coins that a contract sent, is read on the chain', async () => {
    const { pay, put, evidence } = await start()
    const hash = hashOf(7, SOLANA)
    put(0n, 7, { chainId: SOLANA, hash, movements: [movement(TOKENS.usdcSolana, WALLETS.solana, 9n)] })
    const onSolana = { ecosystem: 'solana', chainId: SOLANA, token: TOKENS.usdcSolana.address, amount: 9n, txHash: hash } as const
    expect(await pay(onSolana)).toMatchObject({ kind: 'recorded', sight: 'seen' })
    put(0n, 8, { movements: [] })
    const inCoins = { token: COIN.address, amount: 9n, txHash: hashOf(8) }
    expect(await pay(inCoins)).toMatchObject({ reason: 'missing' })
    evidence.gain({ chainId: 42161, height: 1_000, recipient: WALLETS.evm }, 9n)
    expect(await pay(inCoins)).toMatchObject({ kind: 'recorded', sight: 'seen' })
  })

  const [THIEF, NEXT] = [addressOf('evm', '0x220866B1A2219f40e72f5c628B65D54268cA3A9D'), addressOf('evm', `0x${'1'.repeat(40)}`)]
  /** Changes of the first address: the hour, the address, the hour from which it counts, and the one that it replaces at once. */
  const CHANGES = {
    'with a hold': [[0, WALLETS.evmOther, 72, null]],
    'at once': [[1, WALLETS.evmOther, 1, WALLETS.evm]],
    'after a theft': [
      [0, THIEF, 72, null],
      [1, NEXT, 80, THIEF],
    ],
  } as const
  it.each([
    ['with a hold', WALLETS.evm, -1, { reason: 'noAddress' }],
    ['with a hold', WALLETS.evm, 71, { kind: 'recorded', address: WALLETS.evm }],
    ['with a hold', WALLETS.evmOther, 71, { reason: 'missing', address: WALLETS.evm }],
    // Sent before the change, and in a block shortly after it.
    ['with a hold', WALLETS.evm, 72 + 1 / 60, { kind: 'recorded', address: WALLETS.evm }],
    ['with a hold', WALLETS.evm, 73, { reason: 'missing', address: WALLETS.evmOther }],
    ['with a hold', WALLETS.evmOther, 73, { kind: 'recorded', address: WALLETS.evmOther }],
    ['at once', WALLETS.evm, 0.5, { kind: 'recorded', address: WALLETS.evm }],
    ['at once', WALLETS.evm, 2, { reason: 'missing', address: WALLETS.evmOther }],
    ['after a theft', THIEF, 75, { reason: 'missing', address: WALLETS.evm }],
    ['after a theft', WALLETS.evm, 75, { kind: 'recorded', address: WALLETS.evm }],
  ] as const)(
    'must reach the address of its time: changed %s, paid to %s in hour %s [payout-once-within-balance]',
    async (change, to, hours, expected) => {
      const { pay, put, store, clock } = await start()
      const at = (hour: number) => START_AT + hour * HOUR_MS
      for (const [hour, address, from, replaces] of CHANGES[change]) {
        clock.at = at(hour)
        const replaced = (await store.partners.payoutAddressesOf('p1')).filter((one) => one.address === replaces)
        await store.partners.addPayoutAddress('p1', { ecosystem: 'evm', address, countsFrom: at(from) }, replaced)
      }
      clock.at = at(200)
      put(100n, 1, { at: at(hours), movements: [movement(USDC, to, 100n)] })
      expect(await pay({ amount: 100n })).toMatchObject(expected)
    },
  )

  it('counts once for partners with one address: together at most what the transaction paid there', async () => {
    const { pay, put, evidence } = await start('p2', 'p3')
    const used = { reason: 'alreadyRecorded' }
    put(700n)
    expect(await pay({ amount: 400n })).toMatchObject({ kind: 'recorded' })
    expect(await pay({ partnerId: 'p2', amount: 400n })).toMatchObject({ ...used, owed: 1_000n })
    const both = await Promise.all(['p2', 'p3'].map((partnerId) => pay({ partnerId, amount: 300n })))
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['recorded', 'refused'])
    // One balance shows the coins of a whole block, whichever of its transactions is named.
    for (const number of [8, 9]) put(0n, number, { movements: [] })
    evidence.gain({ chainId: 42161, height: 1_000, recipient: WALLETS.evm }, 9n)
    const coins = { token: COIN.address, amount: 9n }
    expect(await pay({ ...coins, txHash: hashOf(8) })).toMatchObject({ kind: 'recorded' })
    for (const partnerId of ['p1', 'p2']) expect(await pay({ ...coins, partnerId, txHash: hashOf(9) })).toMatchObject(used)
    const unread = { ...ON_THORCHAIN, acceptUnread: true }
    expect(await pay(unread)).toMatchObject({ kind: 'recorded' })
    expect(await pay({ ...unread, partnerId: 'p2' })).toMatchObject(used)
  })

  it('is refused for an unknown partner, for no amount and without an address', async () => {
    const { pay, put, store } = await start()
    put(400n)
    await store.partners.add({ id: 'p2', kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, null)
    expect(await pay({ partnerId: 'p9' })).toMatchObject({ kind: 'refused', reason: 'unknownPartner', owed: 0n })
    expect(await pay({ amount: 0n })).toMatchObject({ kind: 'refused', reason: 'badAmount', owed: 1_000n })
    expect(await pay({ partnerId: 'p2' })).toMatchObject({ kind: 'refused', reason: 'noAddress', owed: 0n })
  })

  it('is refused while the balance is below 0 after a reversal of paid earnings', async () => {
    const { pay, put, book } = await start()
    put(1_000n)
    expect(await pay({ amount: 1_000n })).toMatchObject({ owedAfter: 0n })
    const line = { chainId: 42161, token: USDC.address, amount: 1_000n } as const
    await book(anEntry('reversal', 'p1', { kind: 'reversal', side: 'debit', ...line }))
    put(1n, 2)
    expect(await pay({ amount: 1n, txHash: hashOf(2) })).toMatchObject({ reason: 'notOwed', owed: -1_000n })
  })
})

type Sets = readonly (readonly [address: string, at: number])[]

/** Each case sets addresses one after the other, with a hold of 72. */
it.each(cases as unknown as readonly [string, Sets, number, readonly (string | null)[]][])(
  'payout address: %s',
  (_what, sets, now, expected) => {
    const ofSolana = { id: 9, ecosystem: 'solana', address: 's', countsFrom: 0, replacedAt: null, createdAt: 0 } as const
    let all: readonly PayoutAddress[] = [ofSolana]
    for (const [address, at] of sets) {
      const before = payoutStanding(all, 'evm', at)
      const from = countsFrom(before, address, { now: at, holdMs: 72 })
      if (from === null) continue
      const replaced = replacedBy(before, from, at).map(({ id }) => id)
      all = all.map((one) => (replaced.includes(one.id) ? { ...one, replacedAt: at } : one))
      all = [...all, { id: all.length, ecosystem: 'evm', address, countsFrom: from, replacedAt: null, createdAt: at }]
    }
    const { counts, awaited } = payoutStanding(all, 'evm', now)
    expect([counts?.address ?? null, awaited?.address ?? null]).toEqual(expected)
  },
)
