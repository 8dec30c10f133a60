import { describe, expect, it } from 'vitest'
import {
  COMPUTE_BUDGET_PROGRAM,
  decodeSolanaTransaction,
  packSolanaTransaction,
} from '../../../engine/chains/solana/solanaCodec.ts'
import type { SendOutcome } from '../../../engine/chains/solana/solanaTransactions.ts'
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
const refusedBy = (reason: Reason, mayBeSent = false): SendOutcome => ({
  isAccepted: false,
  refusal: { reason, error: ERRORS[reason] },
  mayBeSent,
})
const refuses =
  (...given: Parameters<typeof refusedBy>): FakeSolana['send'] =>
  async () =>
    refusedBy(...given)

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
    posts: async (change: Partial<FakeSolana['script']>, outcome: 'sent' | 'uncertain' | Reason) => {
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
  const { promise: outcome, resolve: end } = Promise.withResolvers<SendOutcome>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const send: FakeSolana['send'] = () => {
    begin()
    return outcome
  }
  return { send, begun, end }
}

describe('submit-transaction: a signed transaction', () => {
  it('is sent once, and an accepted one needs no chain to return its hash again [broadcast-repeat-pays-once]', async () => {
    const { stage, signed, script, hash, isSent } = await start()
    expect(await Promise.all(Array.from({ length: 8 }, () => submit(stage, signed)))).toEqual(Array(8).fill(hash))
    script.landing = solanaFails()
    await isSent()
    expect(stage.solana.sent()).toEqual([signed.body.signedTransaction])
    expect(new Set(stage.reported('transaction.submitted').map(({ outcome }) => outcome))).toEqual(new Set(['sent']))
  })

  it('of a partner is read by settlement as a paid swap from then on', async () => {
    const stage = await open({ caller: { tier: 'selfServe', partnerId: 'p1' } })
    const signed = await sign(stage)
    const isPaid = async () => (await stage.store.settlement.find(1))?.isPaid
    expect(await isPaid()).toBe(false)
    await submit(stage, signed)
    expect(await isPaid()).toBe(true)
  })

  it('that may have been sent is uncertain with its hash, and sent again while it can land', async () => {
    const { stage, signed, posts } = await start()
    await posts({ send: solanaFails('timeout') }, 'uncertain')
    await posts({ send: refuses('alreadyProcessed') }, 'sent')
    expect(stage.solana.sent()).toEqual(Array(2).fill(signed.body.signedTransaction))
  })

  it('that was accepted returns its hash although that could not be recorded, and is found again', async () => {
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
  })

  it('is not sent while the store cannot reserve the swap, or its last block is unreadable', async () => {
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

  it('for another recipient of the quote is another swap, and both may be paid', async () => {
    const { stage, signed, isSent } = await start()
    const destinationAddress = addressFor('evm', 'another recipient')
    const other = await stage.engine.execute(
      { quoteToken: signed.quoted, destinationAddress, refundAddress: null },
      stage.context,
    )
    if (other.payload.executionType !== 'TRANSACTION' || !other.submission) throw new Error('nothing to submit')
    const signedTransaction = signer.sign(other.payload.transaction.serialized ?? '')
    await isSent()
    await submit(stage, { body: { quoteToken: other.submission.quoteToken, signedTransaction } })
    expect(stage.solana.sent()).toEqual([signed.body.signedTransaction, signedTransaction])
  })

  it('that names accounts by a lookup table is sent unchanged without a read of it, and changed is found after it closed', async () => {
    const [TABLE, VAULT] = [addressFor('solana', 'table'), addressFor('solana', 'vault')]
    const stage = await open()
    const { payload } = await execute(stage, (await stage.engine.quote(order, stage.context)).quoteToken)
    if (payload.executionType !== 'TRANSACTION') throw new Error(payload.executionType)
    const plain = await decodeSolanaTransaction(payload.transaction.serialized ?? '')
    if (!plain) throw new Error('no transaction')
    const accounts = [{ address: plain.feePayer, isSigner: true }, { address: VAULT }]
    const instructions = plain.instructions.map(({ programId, data }) => ({ programId, data, accounts }))
    const raise = { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.of(2, 64, 13, 3, 0) }
    const [data = '', changed = ''] = await Promise.all(
      [instructions, [raise, ...instructions]].map(
        async (list) => (await packSolanaTransaction({ ...plain, instructions: list }, new Map([[TABLE, [VAULT]]]))) ?? '',
      ),
    )
    const transaction = { ...payload.transaction, data, serialized: data }
    stage.venue.script.alter = (execution) => ({ ...execution, payload: { ...payload, transaction } })
    stage.chains.script.lookupTable = () => chainFails('unreachable', -2)()
    const unchanged = await sign(stage)
    expect(await submit(stage, unchanged)).toEqual({ txHash: unchanged.txHash })
    const signed = await sign(stage, undefined, () => signer.sign(changed))
    for (const table of [[VAULT], null]) {
      stage.chains.script.lookupTable = async () => table
      expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
    }
  })
})

describe('submit-transaction: ORDER_REJECTED [broadcast-rejected-is-safe]', () => {
  it('is returned at once when no node can have accepted the transaction', async () => {
    const { posts } = await start()
    await posts({ send: refuses('insufficientFunds') }, 'insufficientFunds')
  })

  it('waits for the last block that could hold it, by a node that reached finality, while a node may have accepted it', async () => {
    const { posts } = await start()
    await posts({ send: refuses('blockhashExpired', true) }, 'uncertain')
    await posts({ send: refuses('blockhashExpired'), finality: finalAt(UNTIL_HEIGHT) }, 'uncertain')
    const { slot } = await OVER(AbortSignal.timeout(1_000))
    await posts({ finality: OVER, landing: unseen(slot - 1) }, 'uncertain')
    await posts({ landing: unseen(slot) }, 'blockhashExpired')
  })

  it('is returned for an accepted transaction that no block holds', async () => {
    const { stage, posts } = await start()
    await posts({}, 'sent')
    await posts({ finality: OVER }, 'blockhashExpired')
    expect(stage.solana.sent()).toHaveLength(1)
  })

  it('is not returned for a transaction that landed in the very last block', async () => {
    const { stage, posts } = await start()
    await posts({ send: solanaFails() }, 'uncertain')
    await posts({ finality: OVER, landing: landed('succeeded') }, 'sent')
    expect(stage.solana.sent()).toHaveLength(1)
    expect(stage.reported('transaction.submitted').map(({ outcome }) => outcome)).toEqual(['uncertain', 'landed'])
  })
})

describe('submit-transaction, with lagging nodes or a second process [broadcast-no-early-reject]', () => {
  it.each([true, false])(
    'a refusal in one process does not hide the acceptance in another, which came before: %s',
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

  it('finds a transaction of the wallet that landed although its blockhash has expired, once a node shows it', async () => {
    const { posts } = await start()
    await posts({ send: refuses('blockhashExpired'), landing: solanaFails() }, 'uncertain')
    await posts({ landing: landed('succeeded') }, 'sent')
  })

  it('rejects an old transaction only when the nodes keep the blocks of its lifetime', async () => {
    const { posts } = await start()
    await posts({ send: solanaFails() }, 'uncertain')
    const { slot } = await LATER(AbortSignal.timeout(1_000))
    await posts({ finality: LATER, firstSlot: async () => slot - DAY_BLOCKS }, 'uncertain')
    await posts({ firstSlot: solanaFails() }, 'uncertain')
    await posts({ firstSlot: async () => slot - 3 * DAY_BLOCKS }, 'blockhashExpired')
  })

  it('keeps an accepted transaction pending while the nodes keep no history, and a landed one landed', async () => {
    const { stage, signed, posts } = await start()
    await posts({}, 'sent')
    await posts({ finality: LATER, firstSlot: async () => LAST_HEIGHT + DAY_BLOCKS }, 'sent')
    stage.venue.script.track = async () => statusOf('not_found')
    expect(await status(stage, signed)).toMatchObject({ state: 'pending' })
    await posts({ landing: landed('succeeded') }, 'sent')
    await posts({ landing: unseen(), firstSlot: async () => 0 }, 'sent')
  })

  it('lets no quote be paid twice when a lagging node calls the first blockhash expired', async () => {
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
})

describe('execute, repeated for a transaction that the service sends', () => {
  it('returns the same one with an own token until it is rejected, then a fresh one with an own ref [broadcast-repeat-pays-once]', async () => {
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

  it('returns the same one while it may be under way, or Solana cannot be read', async () => {
    const { stage, script, posts, isSame } = await start()
    script.isBlockhashValid = solanaFails()
    await isSame()
    expect(stage.reported('chain.unread')).toMatchObject([{ chainId: -2, what: 'blockhash' }])
    await posts({ send: solanaFails(), isBlockhashValid: async () => false }, 'uncertain')
    await isSame()
  })

  it('returns the same one when the wallet sent it itself and the venue has the order', async () => {
    const stage = await open()
    stage.venue.script.alter = (execution) => ({ ...execution, venueRef: 'toy-order' })
    const signed = await sign(stage)
    stage.venue.script.track = async () => statusOf('processing')
    expect(await status(stage, signed)).toMatchObject({ state: 'processing' })
    stage.solana.script.isBlockhashValid = async () => false
    expect((await sign(stage, signed.quoted)).body.signedTransaction).toBe(signed.body.signedTransaction)
  })
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

it('status of a transaction that the service sends is pending until it is posted, and then asks the venue by its hash', async () => {
  const { stage, signed, isSent } = await start()
  expect(await status(stage, signed)).toMatchObject({ state: 'pending', isTracked: true })
  expect(stage.venue.calls.track).toEqual([])
  await isSent()
  stage.venue.script.track = async () => statusOf('processing')
  expect(await status(stage, signed)).toMatchObject({ state: 'processing', venueStatus: 'TOY_PROCESSING' })
  expect(stage.venue.calls.track.map(({ ref }) => ref)).toEqual([signed.txHash])
})
