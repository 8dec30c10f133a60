import { expect, it } from 'vitest'
import {
  COMPUTE_BUDGET_PROGRAM,
  packSolanaTransaction,
  type SolanaInstruction,
  type SolanaTransaction,
} from '../../../engine/chains/solana/solanaCodec.ts'
import type { SendOutcome } from '../../../engine/chains/solana/solanaTransactions.ts'
import type { Address } from '../../../engine/core/address.ts'
import { compareTransactions, WALLET_PROGRAMS } from '../../../engine/execution/broadcast/compareTransactions.ts'
import { requireSamePayment } from '../../../engine/execution/broadcast/readSigned.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { type FakeSolana, finalAt, landed, solanaFails, unseen } from '../../support/fakeSolana.ts'
import { addressFor, statusOf } from '../../support/fakeVenue.ts'
import { isWrite, type MemoryStore } from '../../support/memoryStore.ts'
import {
  execute,
  LAST_HEIGHT,
  order,
  type SubmitStage,
  sign,
  signer,
  startSubmitStage,
  status,
  submit,
} from '../../support/submitStage.ts'
import { refusalOf } from '../../support/testEngine.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'

/** A node may be behind by as much as a blockhash is valid. */
const UNTIL_HEIGHT = LAST_HEIGHT + 150
const DAY_BLOCKS = 216_000

/** No block can hold the transaction any more. */
const OVER = finalAt(UNTIL_HEIGHT + 1)
const LATER = finalAt(LAST_HEIGHT + DAY_BLOCKS)

const ERRORS = {
  alreadyProcessed: 'AlreadyProcessed',
  blockhashExpired: 'BlockhashNotFound',
  insufficientFunds: 'InsufficientFundsForFee',
} as const
type Reason = keyof typeof ERRORS
type Outcome = 'sent' | 'uncertain' | Reason
const refusedBy = (reason: Reason, mayBeSent = false): SendOutcome => {
  return { isAccepted: false, refusal: { reason, error: ERRORS[reason] }, mayBeSent }
}
const refuses = (reason: Reason, mayBeSent?: boolean) => async () => refusedBy(reason, mayBeSent)

const open = closedAfterEach(startSubmitStage)

/** A stage with a signed transaction, and what a post of it returns. */
const start = async () => {
  const stage = await open()
  const signed = await sign(stage)
  const hash = { txHash: signed.txHash }
  return {
    stage,
    signed,
    hash,
    script: stage.solana.script,
    isSent: async (on: SubmitStage = stage) => expect(await submit(on, signed)).toEqual(hash),
    /** Posts it while Solana behaves so from here on: it is sent, uncertain, or rejected for that reason. */
    posts: async (change: Partial<FakeSolana['script']>, outcome: Outcome) => {
      Object.assign(stage.solana.script, change)
      const post = submit(stage, signed)
      if (outcome === 'sent') return expect(await post).toEqual(hash)
      const { code, details } = await refusalOf(post)
      if (outcome === 'uncertain') return expect([code, details]).toEqual(['BUILD_FAILED', { ...hash, retryable: true }])
      expect([code, details]).toEqual(['ORDER_REJECTED', { reason: outcome, transactionError: ERRORS[outcome] }])
    },
    /** /execute returns the same transaction. */
    isSame: async () => expect((await sign(stage, signed.quoted)).body.signedTransaction).toBe(signed.body.signedTransaction),
  }
}

/** A send that waits for its outcome. */
const heldSend = () => {
  const [outcome, begun] = [Promise.withResolvers<SendOutcome>(), Promise.withResolvers<void>()]
  const send: FakeSolana['send'] = () => {
    begun.resolve()
    return outcome.promise
  }
  return { send, begun: begun.promise, end: outcome.resolve }
}

it('submit-transaction: a signed transaction is sent once, and an accepted one needs no chain to return its hash again [broadcast-repeat-pays-once]', async () => {
  const { stage, signed, script, hash, isSent } = await start()
  expect(await Promise.all(Array.from({ length: 8 }, () => submit(stage, signed)))).toEqual(Array(8).fill(hash))
  script.landing = solanaFails()
  await isSent()
  expect(stage.solana.sent()).toEqual([signed.body.signedTransaction])
  expect(new Set(stage.reported('transaction.submitted').map(({ outcome }) => outcome))).toEqual(new Set(['sent']))
})

it('submit-transaction: a signed transaction of a partner is read by settlement as a paid swap from then on', async () => {
  const stage = await open({ caller: { tier: 'selfServe', partnerId: 'p1' } })
  const signed = await sign(stage)
  const isPaid = async () => (await stage.store.settlement.find(1))?.isPaid
  expect(await isPaid()).toBe(false)
  await submit(stage, signed)
  expect(await isPaid()).toBe(true)
})

it('submit-transaction: a signed transaction that was accepted returns its hash although that could not be recorded, and is found again', async () => {
  const { stage, script, isSent } = await start()
  script.send = async () => {
    stage.store.fails = (call) => call.startsWith('broadcasts.')
    return { isAccepted: true }
  }
  await isSent()
  expect(stage.reported('store.failed')).toHaveLength(1)
  stage.store.fails = () => false
  script.landing = landed('succeeded')
  await isSent()
  expect(stage.solana.sent()).toHaveLength(1)
  expect(stage.reported('transaction.submitted').map(({ outcome }) => outcome)).toEqual(['sent', 'landed'])
})

it('status of a transaction that the service sends asks no venue until it is posted, and then by its hash', async () => {
  const { stage, signed, isSent } = await start()
  expect(await status(stage, signed)).toMatchObject({ state: 'pending', isTracked: true })
  expect(stage.venue.calls.track).toEqual([])
  await isSent()
  stage.venue.script.track = async () => statusOf('processing')
  expect(await status(stage, signed)).toMatchObject({ state: 'processing', venueStatus: 'TOY_PROCESSING' })
  expect(stage.venue.calls.track.map(({ ref }) => ref)).toEqual([signed.txHash])
})

it('submit-transaction: a posted transaction is compared no more, since its lookup tables may be closed by now', async () => {
  const { stage, signed } = await start()
  const unlike = await sign(stage, signed.quoted, (serialized) => signer.signChanged(serialized, { instructions: () => [] }))
  await refusalOf(submit(stage, unlike), 'INVALID_REQUEST')
  await stage.store.broadcasts.claim(1, { txHash: unlike.txHash, untilHeight: UNTIL_HEIGHT })
  expect(await submit(stage, unlike)).toEqual({ txHash: unlike.txHash })
})

it('submit-transaction: a signed transaction is not sent while the store cannot reserve the swap, or its last block is unreadable', async () => {
  const { stage, signed, isSent, posts } = await start()
  const { latestBlockhash } = stage.chains.script
  stage.chains.script.latestBlockhash = () => chainFails('unreachable', -2)()
  await posts({}, 'uncertain')
  Object.assign(stage.chains.script, { latestBlockhash })
  for (const fails of [isWrite, (call) => call.startsWith('broadcasts.')] satisfies MemoryStore['fails'][]) {
    stage.store.fails = fails
    expect((await refusalOf(submit(stage, signed), 'INTERNAL')).details).toEqual({ retryable: true })
  }
  expect(stage.solana.sent()).toEqual([])
  stage.store.fails = () => false
  await isSent()
})

it('submit-transaction: a signed transaction for another recipient of the quote is another swap, and both may be paid', async () => {
  const { stage, signed, isSent } = await start()
  const destinationAddress = addressFor('evm', 'another recipient')
  const other = await stage.engine.execute({ quoteToken: signed.quoted, destinationAddress, refundAddress: null }, stage.context)
  if (other.payload.executionType !== 'TRANSACTION' || !other.submission) throw new Error('nothing to submit')
  const signedTransaction = signer.sign(other.payload.transaction.serialized ?? '')
  await isSent()
  await submit(stage, { body: { quoteToken: other.submission.quoteToken, signedTransaction } })
  expect(stage.solana.sent()).toEqual([signed.body.signedTransaction, signedTransaction])
})

/** What Solana does from here on, and what a post of the transaction returns then. */
type Post = readonly [change: Partial<FakeSolana['script']>, Outcome]
const slotOf = (height: number) => finalAt(height)(AbortSignal.timeout(1_000)).then(({ slot }) => slot)
const [OVER_SLOT, LATER_SLOT] = [await slotOf(UNTIL_HEIGHT + 1), await slotOf(LAST_HEIGHT + DAY_BLOCKS)]

/** How often the transaction is sent, and the posts of it. */
const POSTS: { readonly [what: string]: readonly [sent: number, ...Post[]] } = {
  'may have been sent is uncertain with its hash, and is sent again while it can land': [
    2,
    [{ send: solanaFails('timeout') }, 'uncertain'],
    [{ send: refuses('alreadyProcessed') }, 'sent'],
  ],
  'no node can have accepted is rejected at once': [1, [{ send: refuses('insufficientFunds') }, 'insufficientFunds']],
  'a node may have accepted is rejected after the last block that could hold it, by a node that reached finality': [
    3,
    [{ send: refuses('blockhashExpired', true) }, 'uncertain'],
    [{ send: refuses('blockhashExpired'), finality: finalAt(UNTIL_HEIGHT) }, 'uncertain'],
    [{ finality: OVER, landing: unseen(OVER_SLOT - 1) }, 'uncertain'],
    [{ landing: unseen(OVER_SLOT) }, 'blockhashExpired'],
  ],
  'was accepted, and that no block holds, is rejected': [1, [{}, 'sent'], [{ finality: OVER }, 'blockhashExpired']],
  'landed in the very last block is not rejected': [
    1,
    [{ send: solanaFails() }, 'uncertain'],
    [{ finality: OVER, landing: landed('succeeded') }, 'sent'],
  ],
  'the wallet sent, and whose blockhash has expired, is found once a node shows it': [
    1,
    [{ send: refuses('blockhashExpired'), landing: solanaFails() }, 'uncertain'],
    [{ landing: landed('succeeded') }, 'sent'],
  ],
  'is old is rejected only when the nodes keep the blocks of its lifetime': [
    2,
    [{ send: solanaFails() }, 'uncertain'],
    [{ finality: LATER, firstSlot: async () => LATER_SLOT - DAY_BLOCKS }, 'uncertain'],
    [{ firstSlot: solanaFails() }, 'uncertain'],
    [{ firstSlot: async () => LATER_SLOT - 3 * DAY_BLOCKS }, 'blockhashExpired'],
  ],
  'was accepted stays so while the nodes keep no history, and once it landed': [
    1,
    [{}, 'sent'],
    [{ finality: LATER, firstSlot: async () => LAST_HEIGHT + DAY_BLOCKS }, 'sent'],
    [{ landing: landed('succeeded') }, 'sent'],
    [{ landing: unseen(), firstSlot: async () => 0 }, 'sent'],
  ],
}
it.each(Object.entries(POSTS))('submit-transaction: one that %s [broadcast-rejected-is-safe]', async (_what, [sent, ...all]) => {
  const { stage, signed, posts } = await start()
  for (const post of all) await posts(...post)
  expect(stage.solana.sent()).toEqual(Array(sent).fill(signed.body.signedTransaction))
})

it.each([true, false])(
  'submit-transaction: a refusal hides no acceptance elsewhere, before it: %s [broadcast-no-early-reject]',
  async (isBefore) => {
    const { stage, signed, script, hash, isSent } = await start()
    const other = await open({ store: stage.store })
    const [held, heldToo] = [heldSend(), heldSend()]
    script.send = held.send
    if (!isBefore) other.solana.script.send = heldToo.send
    const first = submit(stage, signed)
    await held.begun
    const second = submit(other, signed)
    await (isBefore ? second : heldToo.begun)
    held.end(refusedBy('insufficientFunds'))
    if (isBefore) expect(await first).toEqual(hash)
    else await refusalOf(first, 'BUILD_FAILED')
    heldToo.end({ isAccepted: true })
    expect(await second).toEqual(hash)
    await isSent(other)
    expect(other.solana.sent()).toHaveLength(1)
  },
)

it('submit-transaction: lets no quote be paid twice when a lagging node calls the first blockhash expired [broadcast-no-early-reject]', async () => {
  const { stage, signed: first, posts } = await start()
  stage.solana.script.isBlockhashValid = async () => false
  const fresh = await sign(stage, first.quoted)
  expect(fresh.txHash).not.toBe(first.txHash)
  await posts({}, 'sent')
  expect((await refusalOf(submit(stage, fresh), 'INVALID_REQUEST')).details).toMatchObject({ txHash: first.txHash })
  expect(stage.solana.sent()).toEqual([first.body.signedTransaction])
  stage.solana.script.finality = OVER
  expect(await submit(stage, fresh)).toEqual({ txHash: fresh.txHash })
  await posts({}, 'blockhashExpired')
})

it('execute, repeated for a transaction that the service sends, returns the same one with an own token until it is rejected, then a fresh one with an own ref [broadcast-repeat-pays-once]', async () => {
  const { stage, signed, script, posts, isSame } = await start()
  await isSame()
  expect(signed.body.quoteToken).not.toBe(signed.quoted)
  expect(stage.venue.calls.execute).toHaveLength(1)
  await posts({ send: refuses('blockhashExpired') }, 'blockhashExpired')
  script.isBlockhashValid = async () => false
  const fresh = await sign(stage, signed.quoted)
  expect(fresh.body.signedTransaction).not.toBe(signed.body.signedTransaction)
  expect(fresh.statusRef).not.toBe(signed.statusRef)
  script.send = async () => ({ isAccepted: true })
  expect(await submit(stage, fresh)).toEqual({ txHash: fresh.txHash })
  await refusalOf(submit(stage, { body: { ...fresh.body, quoteToken: signed.body.quoteToken } }), 'INVALID_REQUEST')
})

it('execute, repeated for a transaction that the service sends, returns the same one while it may be under way, or Solana cannot be read', async () => {
  const { stage, script, posts, isSame } = await start()
  script.isBlockhashValid = solanaFails()
  await isSame()
  expect(stage.reported('chain.unread')).toMatchObject([{ chainId: -2, what: 'blockhash' }])
  await posts({ send: solanaFails(), isBlockhashValid: async () => false }, 'uncertain')
  await isSame()
})

it('execute, repeated for a transaction that the service sends, returns the same one when the wallet sent it itself and the venue has the order', async () => {
  const stage = await open()
  stage.venue.script.alter = (execution) => ({ ...execution, venueRef: 'toy-order' })
  const signed = await sign(stage)
  stage.venue.script.track = async () => statusOf('processing')
  expect(await status(stage, signed)).toMatchObject({ state: 'processing' })
  stage.solana.script.isBlockhashValid = async () => false
  expect((await sign(stage, signed.quoted)).body.signedTransaction).toBe(signed.body.signedTransaction)
})

it('execute: a simulated Solana payment that fails is BUILD_FAILED with the reason, and an unreachable Solana refuses nothing [execute-solana-cannot-pay]', async () => {
  const stage = await open()
  const { quoteToken } = await stage.engine.quote(order, stage.context)
  const refusal = { reason: 'insufficientFunds', error: 'InsufficientFundsForFee' } as const
  stage.solana.script.simulate = async () => refusal
  const details = { venue: 'toy', reason: refusal.reason, transactionError: refusal.error }
  expect((await refusalOf(execute(stage, quoteToken), 'BUILD_FAILED')).details).toEqual(details)
  expect(stage.reported('payment.refused')).toMatchObject([{ venue: 'toy', reason: refusal.reason }])
  stage.solana.script.simulate = solanaFails()
  expect((await execute(stage, quoteToken)).submission).not.toBeNull()
  expect(stage.reported('chain.unread')).toMatchObject([{ chainId: -2, what: 'simulation' }])
})

const key = (name: string) => addressFor('solana', name)
const [PAYER, ONE, OTHER] = [key('payer'), key('one'), key('other')]

const deposit: SolanaInstruction = {
  programId: key('venue'),
  accounts: [PAYER, key('vault'), key('mint')],
  data: Uint8Array.from({ length: 48 }, (_none, at) => at),
}
const memo: SolanaInstruction = { programId: key('memo'), accounts: [], data: Buffer.from('order 7') }
const returned: SolanaTransaction = {
  feePayer: PAYER,
  signers: [PAYER, ONE, OTHER],
  recentBlockhash: key('block'),
  instructions: [deposit, memo],
  usesLookupTables: false,
}
const compared = (change: Partial<SolanaTransaction>, to: Partial<SolanaTransaction> = {}) =>
  compareTransactions({ ...returned, ...change }, { ...returned, ...to })

const PAYMENT = [expect.stringContaining('no longer makes the payment')]
const SIGNERS = [expect.stringContaining('other signers')]

it('submit-transaction accepts added and omitted instructions of the programs of wallets [broadcast-same-payment]', () => {
  for (const programId of WALLET_PROGRAMS as readonly Address[]) {
    const added: SolanaInstruction = { programId, accounts: [], data: Uint8Array.of(3, 1) }
    const instructions = [added, deposit, added, memo, added]
    expect([compared({ instructions }), compared({}, { instructions })]).toEqual([[], []])
  }
})

it('submit-transaction accepts signers in another order, and accounts of a lookup table that was read [broadcast-same-payment]', () => {
  expect(compared({ signers: [PAYER, OTHER, ONE], usesLookupTables: true })).toEqual([])
})

const { accounts, data } = deposit
const unread = { instructions: [{ ...deposit, accounts: [PAYER, null, key('mint')] }] }
it.each<[string, Partial<SolanaTransaction>, found: unknown[], returned?: Partial<SolanaTransaction>]>([
  ['another fee payer', { feePayer: ONE }, [expect.stringContaining('another fee payer')]],
  ['another blockhash', { recentBlockhash: key('other') }, [expect.stringContaining('another blockhash')]],
  ['a missing signer', { signers: [PAYER, ONE] }, SIGNERS],
  ['another signer', { signers: [PAYER, ONE, key('third')] }, SIGNERS],
  ['a signer twice in place of another', { signers: [PAYER, ONE, ONE] }, SIGNERS],
  ['no instructions that matter, although none were returned', { instructions: [] }, PAYMENT, { instructions: [] }],
  ['an account of a lookup table that was not read, as returned', unread, PAYMENT, unread],
])('submit-transaction refuses %s [broadcast-same-payment]', (_what, change, found, asReturned) => {
  expect(compared(change, asReturned)).toEqual(found)
})

const changed = (...changes: readonly Partial<SolanaInstruction>[]) => changes.map((change) => [{ ...deposit, ...change }, memo])
it.each<[string, readonly (readonly SolanaInstruction[])[]]>([
  ['any other byte', [...data.keys()].flatMap((at) => changed({ data: data.with(at, (data[at] ?? 0) ^ 0x80) }))],
  ['another byte count', changed({ data: Uint8Array.of(...data, 0) }, { data: data.slice(0, -1) })],
  ['another account', changed({ accounts: accounts.with(1, OTHER) }, { accounts: accounts.with(2, OTHER) })],
  ['another account count', changed({ accounts: accounts.slice(0, -1) }, { accounts: [...accounts, OTHER] })],
  ['another program', changed({ programId: OTHER })],
  ['another order of instructions', [[memo, deposit]]],
  ['a missing instruction', [[deposit], [memo], []]],
  ['an added instruction', [[deposit, memo, memo]]],
])('submit-transaction refuses %s [broadcast-same-payment]', (_what, cases) => {
  for (const instructions of cases) expect(compared({ instructions })).toEqual(PAYMENT)
})

it('submit-transaction reads the lookup tables of a changed transaction alone, and refuses accounts that none names [broadcast-same-payment]', async () => {
  const [TABLE, VAULT] = [key('table'), key('vault')]
  const payment = { ...deposit, accounts: [{ address: PAYER, isSigner: true }, { address: VAULT }] }
  const raise = { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.of(2, 64, 13, 3, 0) }
  const plan = { feePayer: PAYER, recentBlockhash: key('block') }
  const pack = async (...instructions: readonly (typeof payment)[]) =>
    (await packSolanaTransaction({ ...plan, instructions }, new Map([[TABLE, [VAULT]]]))) ?? ''
  const [ours, changed] = [await pack(payment), await pack(raise, payment)]
  await requireSamePayment(ours, ours, { lookupTable: solanaFails() })
  await requireSamePayment(changed, ours, { lookupTable: async () => [VAULT] })
  await refusalOf(requireSamePayment(changed, ours, { lookupTable: async () => null }), 'INVALID_REQUEST')
  await expect(requireSamePayment(changed, ours, { lookupTable: solanaFails() })).rejects.toThrow('scripted unreachable')
})
