import { afterEach, describe, expect, it } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { BITCOIN, SOLANA } from '../../../engine/core/chain.ts'
import type { PayoutEcosystem } from '../../../engine/core/partner.ts'
import { createRecordPayout, type Payout } from '../../../engine/ledger/recordPayout.ts'
import type { NewLedgerEntry } from '../../../engine/store/ledger.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { expectBalanced } from '../../support/expectBalanced.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { createFakeEvidence, hashOf, movement, seenTransaction } from '../../support/fakeEvidence.ts'
import { createMemoryStore, type MemoryStore } from '../../support/memoryStore.ts'
import { createTestClock, START_AT } from '../../support/testEngine.ts'

const USDC = TOKENS.usdcArbitrum
const COIN = { chainId: 42161, address: addressOf('evm', '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE') } as const
const OWED = 1_000n
const THOR = `thor1${'a'.repeat(38)}`

const stores: MemoryStore[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) {
    await expectBalanced(store)
    await store.close()
  }
})

const earning = (
  key: string,
  ecosystem: PayoutEcosystem,
  asset: { chainId: number; address: string },
  amount = OWED,
): NewLedgerEntry => {
  const line = { ecosystem, chainId: asset.chainId as 1, token: asset.address, amount }
  return {
    key,
    kind: 'fee',
    swapId: null,
    // Of an extra payment: it needs no swap that succeeded.
    document: { orderId: 'order-1' },
    lines: [
      { account: 'venue:toy', side: 'debit', ...line },
      { account: 'partner:p1', side: 'credit', ...line },
    ],
  }
}

const earningOf = (partnerId: string, entry: NewLedgerEntry): NewLedgerEntry => ({
  ...entry,
  lines: entry.lines.map((line) =>
    line.account === 'partner:p1' ? { ...line, account: `partner:${partnerId}` as const } : line,
  ),
})

/** As nothing takes it away any more. */
const final = (wish: Parameters<typeof seenTransaction>[0]) => seenTransaction({ standing: 'final', ...wish })

/** A partner who is owed a thousand in each of four tokens. */
const start = async () => {
  const clock = createTestClock()
  const store = createMemoryStore(clock)
  stores.push(store)
  await store.partners.add({ id: 'p1', kind: 'selfServe', feeBps: 50, requestsPerMinute: null }, null)
  for (const [ecosystem, address] of [
    ['evm', WALLETS.evm],
    ['solana', WALLETS.solana],
    ['thorchain', THOR],
  ] as const)
    await store.partners.addPayoutAddress('p1', { ecosystem, address, countsFrom: clock.at })
  const book = (entry: NewLedgerEntry) => store.transaction(({ ledger }) => ledger.book(entry))
  await book(earning('a', 'evm', USDC))
  await book(earning('b', 'evm', COIN))
  await book(earning('c', 'solana', TOKENS.usdcSolana))
  await book(earning('d', 'thorchain', { chainId: BITCOIN, address: COIN.address }))
  const evidence = createFakeEvidence()
  const record = createRecordPayout({ store, evidence, clock })
  const pay = (wish: Partial<Payout> = {}, acceptUnread = false) =>
    record(
      { partnerId: 'p1', ecosystem: 'evm', chainId: 42161, token: USDC.address, amount: 400n, txHash: hashOf(1), ...wish },
      { acceptUnread, signal: new AbortController().signal },
    )
  const put = (amount: bigint, number = 1, rest: Partial<Parameters<typeof seenTransaction>[0]> = {}) =>
    evidence.put(
      final({ chainId: 42161, hash: hashOf(number), movements: [movement(USDC, WALLETS.evm, amount)], at: clock.at, ...rest }),
    )
  const balance = async (token: string) => (await store.ledger.balancesOf('p1')).find((one) => one.token === token)
  return { store, book, clock, evidence, pay, put, balance }
}

describe('a payout', () => {
  it('is recorded with the address that counted, and less is owed by it', async () => {
    const { store, pay, put, balance, clock } = await start()
    put(400n)
    expect(await pay()).toEqual({ kind: 'recorded', owedBefore: 1_000n, owedAfter: 600n, address: WALLETS.evm, sight: 'seen' })
    expect(await balance(USDC.address)).toMatchObject({ earned: 1_000n, paid: 400n })
    const line = { ecosystem: 'evm', chainId: 42161, token: USDC.address, amount: 400n }
    expect(await store.ledger.payoutsTo('p1')).toMatchObject([
      {
        kind: 'payout',
        document: { txHash: hashOf(1), address: WALLETS.evm, countsFrom: clock.at, sight: 'seen' },
        lines: [
          { account: 'partner:p1', side: 'debit', ...line },
          { account: 'payer', side: 'credit', ...line },
        ],
      },
    ])
  })

  it('is recorded once for a transaction, however the transaction is spelt [payout-once-within-balance]', async () => {
    const { pay, put } = await start()
    put(400n)
    expect(await pay()).toMatchObject({ kind: 'recorded' })
    for (const txHash of [hashOf(1), hashOf(1).toUpperCase().replace('0X', '0x')])
      expect(await pay({ txHash, amount: 1n })).toMatchObject({ kind: 'refused', reason: 'alreadyRecorded', owed: 600n })
  })

  it('goes to no address that was replaced before its time came, though that has come since', async () => {
    const { store, clock, evidence, pay, put } = await start()
    const stolen = addressOf('evm', '0x220866B1A2219f40e72f5c628B65D54268cA3A9D')
    const at = (hours: number) => clock.at + hours * 3_600_000
    await store.partners.addPayoutAddress('p1', { ecosystem: 'evm', address: stolen, countsFrom: at(72) })
    const replaced = (await store.partners.payoutAddressesOf('p1')).filter(({ address }) => address === stolen)
    const next = { ecosystem: 'evm', address: addressOf('evm', `0x${'1'.repeat(40)}`), countsFrom: at(80) } as const
    await store.partners.addPayoutAddress('p1', next, replaced)
    clock.at = at(75)
    evidence.put(final({ chainId: 42161, hash: hashOf(1), movements: [movement(USDC, stolen, 400n)], at: clock.at }))
    expect(await pay()).toMatchObject({ kind: 'refused', reason: 'missing', address: WALLETS.evm })
    put(400n, 2)
    expect(await pay({ txHash: hashOf(2) })).toMatchObject({ kind: 'recorded', address: WALLETS.evm })
  })

  it('is never more than is owed, also of several at once', async () => {
    const { pay, put, balance } = await start()
    for (const number of [1, 2, 3, 4, 5]) put(2_000n, number)
    expect(await pay({ amount: 1_001n })).toMatchObject({ kind: 'refused', reason: 'notOwed', owed: 1_000n })
    const told = await Promise.all([1, 2, 3, 4, 5].map((number) => pay({ amount: 300n, txHash: hashOf(number) })))
    expect(told.filter(({ kind }) => kind === 'recorded')).toHaveLength(3)
    expect(told.filter((one) => one.kind === 'refused' && one.reason === 'notOwed')).toHaveLength(2)
    expect(await balance(USDC.address)).toMatchObject({ earned: 1_000n, paid: 900n })
  })

  it.each([
    ['nothing', 'missing', {}],
    ['less', 'missing', { movements: [movement(USDC, WALLETS.evm, 399n)] }],
    ['another payee', 'missing', { movements: [movement(USDC, WALLETS.evmOther, 400n)] }],
    ['another token', 'missing', { movements: [movement(TOKENS.daiArbitrum, WALLETS.evm, 400n)] }],
    ['a failure', 'missing', { isSuccess: false, movements: [movement(USDC, WALLETS.evm, 400n)] }],
    ['what is in a block', 'notFinal', { standing: 'fresh', movements: [movement(USDC, WALLETS.evm, 400n)] }],
    ['what may vanish', 'notFinal', { standing: 'confirmed', movements: [movement(USDC, WALLETS.evm, 400n)] }],
  ] as const)('of which the chain shows %s is refused as %s', async (_, reason, wish) => {
    const { pay, evidence } = await start()
    evidence.put(final({ chainId: 42161, hash: hashOf(1), ...wish }))
    for (const acceptUnread of [false, true]) expect(await pay({}, acceptUnread)).toMatchObject({ kind: 'refused', reason })
    expect(await pay({ txHash: hashOf(2) }, true)).toMatchObject({ kind: 'refused', reason: 'missing' })
  })

  it('is taken on the operator’s word where the chain cannot be read, when the operator gives it, and kept so [payout-once-within-balance]', async () => {
    const { pay, put, evidence, store } = await start()
    put(400n)
    evidence.isUnreadable = () => true
    expect(await pay()).toMatchObject({ kind: 'refused', reason: 'unreadable', owed: 1_000n })
    expect(await pay({}, true)).toMatchObject({ kind: 'recorded', sight: 'unreadable' })
    expect((await store.ledger.payoutsTo('p1'))[0]?.document['sight']).toBe('unreadable')
  })

  it('in Bitcoin’s balance is paid on THORChain, which nobody here reads', async () => {
    const { pay } = await start()
    const paid = { ecosystem: 'thorchain', chainId: BITCOIN, token: COIN.address, txHash: 'ab'.repeat(32) } as const
    expect(await pay(paid)).toMatchObject({ kind: 'refused', reason: 'unreadable', address: THOR })
    expect(await pay(paid, true)).toMatchObject({ kind: 'recorded', owedAfter: 600n, address: THOR })
    expect(await pay({ ...paid, txHash: 'AB'.repeat(32) }, true)).toMatchObject({ reason: 'alreadyRecorded' })
    expect(await pay({ ...paid, txHash: 'no hash' }, true)).toMatchObject({ reason: 'badTransaction' })
  })

  it('on Solana, and in coins that a contract sent, is seen like any other', async () => {
    const { pay, evidence } = await start()
    const hash = hashOf(7, SOLANA)
    evidence.put(final({ chainId: SOLANA, hash, movements: [movement(TOKENS.usdcSolana, WALLETS.solana, 9n)] }))
    const onSolana = { ecosystem: 'solana', chainId: SOLANA, token: TOKENS.usdcSolana.address, amount: 9n, txHash: hash } as const
    expect(await pay(onSolana)).toMatchObject({ kind: 'recorded', sight: 'seen' })
    evidence.put(final({ chainId: 42161, hash: hashOf(8) }))
    const inCoins = { token: COIN.address, amount: 9n, txHash: hashOf(8) }
    expect(await pay(inCoins)).toMatchObject({ reason: 'missing' })
    evidence.gain({ chainId: 42161, height: 1_000, recipient: WALLETS.evm }, 9n)
    expect(await pay(inCoins)).toMatchObject({ kind: 'recorded', sight: 'seen' })
  })

  it('is held to the address that counted when it was paid, whenever it is recorded [payout-once-within-balance]', async () => {
    const { pay, put, store, clock } = await start()
    const at = (hours: number) => START_AT + hours * 3_600_000
    const next = { ecosystem: 'evm', address: WALLETS.evmOther, countsFrom: at(72) } as const
    await store.partners.addPayoutAddress('p1', next)
    clock.at = at(200)
    const paidTo = (address: typeof WALLETS.evm, hours: number, number: number) => {
      put(100n, number, { at: at(hours), movements: [movement(USDC, address, 100n)] })
      return pay({ amount: 100n, txHash: hashOf(number) })
    }
    expect(await paidTo(WALLETS.evm, 71, 1)).toMatchObject({ kind: 'recorded', address: WALLETS.evm })
    expect(await paidTo(WALLETS.evmOther, 71, 2)).toMatchObject({ reason: 'missing', address: WALLETS.evm })
    expect(await paidTo(WALLETS.evm, 73, 3)).toMatchObject({ reason: 'missing', address: WALLETS.evmOther })
    expect(await paidTo(WALLETS.evmOther, 73, 4)).toMatchObject({ kind: 'recorded', address: WALLETS.evmOther })
    // Sent before the change, and in a block after it.
    expect(await paidTo(WALLETS.evm, 72 + 1 / 60, 5)).toMatchObject({ kind: 'recorded', address: WALLETS.evm })
    expect(await paidTo(WALLETS.evm, -1, 6)).toMatchObject({ reason: 'noAddress' })
  })

  it('is held to no address that had been replaced by the time it was paid, though it counted before', async () => {
    const { pay, put, store, clock } = await start()
    const [first] = await store.partners.payoutAddressesOf('p1')
    if (!first) throw new Error('no address')
    const now = START_AT + 3_600_000
    clock.at = now
    const again = { ecosystem: 'evm', address: WALLETS.evmOther, countsFrom: now } as const
    await store.partners.addPayoutAddress('p1', again, [first])
    clock.at = START_AT + 2 * 3_600_000
    put(100n, 1, { at: START_AT + 1_800_000 })
    expect(await pay({ amount: 100n })).toMatchObject({ kind: 'recorded', address: WALLETS.evm })
    put(100n, 2)
    expect(await pay({ amount: 100n, txHash: hashOf(2) })).toMatchObject({ reason: 'missing', address: WALLETS.evmOther })
  })

  it('counts once for partners who share an address: of a transaction no more than it paid there', async () => {
    const { pay, put, store, clock, evidence } = await start()
    const book = (entry: NewLedgerEntry) => store.transaction(({ ledger }) => ledger.book(entry))
    for (const id of ['p2', 'p3']) {
      await store.partners.add({ id, kind: 'selfServe', feeBps: 50, requestsPerMinute: null }, null)
      await store.partners.addPayoutAddress(id, { ecosystem: 'evm', address: WALLETS.evm, countsFrom: clock.at })
      await store.partners.addPayoutAddress(id, { ecosystem: 'thorchain', address: THOR, countsFrom: clock.at })
      for (const [key, asset] of Object.entries({ usdc: USDC, coin: COIN }))
        await book(earningOf(id, earning(`${key} ${id}`, 'evm', asset)))
      await book(earningOf(id, earning(`thor ${id}`, 'thorchain', { chainId: BITCOIN, address: COIN.address })))
    }
    put(700n)
    expect(await pay({ amount: 400n })).toMatchObject({ kind: 'recorded' })
    expect(await pay({ partnerId: 'p2', amount: 400n })).toMatchObject({ reason: 'alreadyRecorded', owed: 1_000n })
    const both = await Promise.all(['p2', 'p3'].map((partnerId) => pay({ partnerId, amount: 300n })))
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['recorded', 'refused'])
    // Coins that contracts sent in one block are told by one balance, whatever transaction is named.
    for (const number of [8, 9]) evidence.put(final({ chainId: 42161, hash: hashOf(number) }))
    evidence.gain({ chainId: 42161, height: 1_000, recipient: WALLETS.evm }, 9n)
    expect(await pay({ token: COIN.address, amount: 9n, txHash: hashOf(8) })).toMatchObject({ kind: 'recorded' })
    for (const partnerId of ['p1', 'p2'])
      expect(await pay({ partnerId, token: COIN.address, amount: 9n, txHash: hashOf(9) })).toMatchObject({
        reason: 'alreadyRecorded',
      })
    const unread = { ecosystem: 'thorchain', chainId: BITCOIN, token: COIN.address, txHash: 'ab'.repeat(32) } as const
    expect(await pay(unread, true)).toMatchObject({ kind: 'recorded' })
    expect(await pay({ ...unread, partnerId: 'p2' }, true)).toMatchObject({ reason: 'alreadyRecorded' })
  })

  it('is refused to nobody, to nowhere and of nothing', async () => {
    const { pay, put, store } = await start()
    put(400n)
    expect(await pay({ partnerId: 'p9' })).toMatchObject({ reason: 'unknownPartner' })
    expect(await pay({ amount: 0n })).toMatchObject({ reason: 'badAmount' })
    await store.partners.add({ id: 'p2', kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, null)
    expect(await pay({ partnerId: 'p2' })).toMatchObject({ reason: 'noAddress', owed: 0n })
  })

  it('that was taken back since leaves a balance below nothing, of which nothing is paid', async () => {
    const { pay, put, book } = await start()
    put(1_000n)
    expect(await pay({ amount: 1_000n })).toMatchObject({ owedAfter: 0n })
    const { key, lines, document } = earning('a', 'evm', USDC)
    const turned = lines.map((line) => ({ ...line, side: line.side === 'debit' ? ('credit' as const) : ('debit' as const) }))
    await book({ key: `${key}:reversal`, kind: 'reversal', swapId: null, document, lines: turned })
    put(1n, 2)
    expect(await pay({ amount: 1n, txHash: hashOf(2) })).toMatchObject({ reason: 'notOwed', owed: -1_000n })
  })
})

it('what is owed is told by partner and token, in amounts of any size', async () => {
  const { store, book } = await start()
  await store.partners.add({ id: 'p0', kind: 'selfServe', feeBps: 50, requestsPerMinute: null }, null)
  const huge = 2n ** 200n
  await book(earning('e', 'evm', USDC, huge))
  await book({
    ...earning('f', 'evm', USDC),
    lines: earning('f', 'evm', USDC).lines.map((line) =>
      line.account === 'partner:p1' ? { ...line, account: 'partner:p0' } : line,
    ),
  })
  const told = (await store.ledger.balances(null, 10)).map(({ partnerId, ecosystem, token, earned }) => [
    partnerId,
    ecosystem,
    token,
    earned,
  ])
  expect(told).toEqual([
    ['p0', 'evm', USDC.address, OWED],
    ['p1', 'evm', COIN.address, OWED],
    ['p1', 'evm', USDC.address, OWED + huge],
    ['p1', 'solana', TOKENS.usdcSolana.address, OWED],
    ['p1', 'thorchain', COIN.address, OWED],
  ])
})
