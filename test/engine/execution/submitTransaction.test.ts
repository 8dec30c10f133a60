import { describe, expect, it, onTestFinished } from 'vitest'
import type { SendOutcome, SolanaRefusal } from '../../../engine/chains/solana/solanaTransactions.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { type FakeSolana, finalAt, landed, solanaFails, unseen } from '../../support/fakeSolana.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { isWrite } from '../../support/memoryStore.ts'
import {
  execute,
  LAST_HEIGHT,
  order,
  type StageChange,
  type SubmitStage,
  sign,
  startSubmitStage,
  status,
  submit,
} from '../../support/submitStage.ts'
import { refusalOf } from '../../support/testEngine.ts'

/** A node may be behind by as much as a blockhash is valid. */
const UNTIL_HEIGHT = LAST_HEIGHT + 150

const EXPIRED: SolanaRefusal = { reason: 'blockhashExpired', error: 'BlockhashNotFound' }
const refuses =
  (refusal: SolanaRefusal, mayBeSent = false): FakeSolana['send'] =>
  async (): Promise<SendOutcome> => ({ isAccepted: false, refusal, mayBeSent })

const start = async (change: StageChange = {}): Promise<SubmitStage> => {
  const stage = await startSubmitStage(change)
  if (!change.store) onTestFinished(() => stage.close())
  return stage
}
/** A stage, and its signed transaction. */
const startSigned = async (change: StageChange = {}) => {
  const stage = await start(change)
  const signed = await sign(stage)
  return { stage, signed, script: stage.solana.script, post: () => submit(stage, signed), hash: { txHash: signed.txHash } }
}
const uncertain = async (call: Promise<unknown>) => (await refusalOf(call, 'BUILD_FAILED')).details
const rejected = async (call: Promise<unknown>) => (await refusalOf(call, 'ORDER_REJECTED')).details

describe('submit-transaction: one signed transaction', () => {
  it('is sent once, and an accepted one needs no chain to return its hash again [broadcast-repeat-pays-once]', async () => {
    const { stage, signed, script, post, hash } = await startSigned()
    const answers = await Promise.all(Array.from({ length: 8 }, post))
    script.landing = solanaFails()
    for (const answer of [...answers, await post()]) expect(answer).toEqual(hash)
    expect(stage.solana.sent()).toEqual([signed.body.signedTransaction])
    expect(new Set(stage.reported('transaction.submitted').map(({ outcome }) => outcome))).toEqual(new Set(['sent']))
  })

  it('that was sent before a crash is found on the chain, and not sent again', async () => {
    const { stage, signed, script, post, hash } = await startSigned()
    script.send = solanaFails()
    expect(await uncertain(post())).toEqual({ ...hash, retryable: true })
    const restarted = await start({ store: stage.store })
    restarted.solana.script.landing = (txHash, signal) =>
      (txHash === signed.txHash ? landed('succeeded') : unseen())(txHash, signal)
    expect(await submit(restarted, signed)).toEqual(hash)
    expect(restarted.solana.sent()).toEqual([])
    expect(restarted.reported('transaction.submitted')[0]?.outcome).toBe('landed')
  })

  it('that may have been sent is sent again while it can land', async () => {
    const { stage, script, post, hash } = await startSigned()
    script.send = solanaFails('timeout')
    await uncertain(post())
    script.send = refuses({ reason: 'alreadyProcessed', error: 'AlreadyProcessed' })
    expect(await post()).toEqual(hash)
    expect([stage.solana.sent().length, new Set(stage.solana.sent()).size]).toEqual([2, 1])
  })

  it('that was accepted returns its hash although that could not be recorded, and is found again', async () => {
    const { stage, script, post, hash } = await startSigned()
    script.send = async () => {
      stage.store.fails = (call) => call.startsWith('broadcasts.')
      return { isAccepted: true }
    }
    expect(await post()).toEqual(hash)
    expect(stage.reported('store.failed')).toHaveLength(1)
    stage.store.fails = () => false
    script.landing = landed('succeeded')
    expect(await post()).toEqual(hash)
    expect(stage.solana.sent()).toHaveLength(1)
  })

  it('is not sent while the store cannot reserve the swap, and is sent afterwards', async () => {
    const { stage, post, hash } = await startSigned()
    for (const fails of [isWrite, (call: string) => call.startsWith('broadcasts.')]) {
      stage.store.fails = fails
      expect((await refusalOf(post(), 'INTERNAL')).details).toEqual({ retryable: true })
    }
    expect(stage.solana.sent()).toEqual([])
    stage.store.fails = () => false
    expect(await post()).toEqual(hash)
  })

  it('is not sent while the height of its last block is unreadable', async () => {
    const { stage, post, hash } = await startSigned()
    stage.chains.script.latestBlockhash = () => chainFails('unreachable', -2)()
    expect(await uncertain(post())).toMatchObject(hash)
    expect(stage.solana.sent()).toEqual([])
  })
})

describe('submit-transaction: ORDER_REJECTED', () => {
  const details = { reason: 'blockhashExpired', transactionError: 'BlockhashNotFound' }

  it('is returned at once when no node can have accepted the transaction', async () => {
    const { script, post } = await startSigned()
    script.send = refuses(EXPIRED)
    expect(await rejected(post())).toEqual(details)
  })

  it('waits for the last block that could hold it while a node may have accepted it [broadcast-rejected-is-safe]', async () => {
    const { script, post } = await startSigned()
    script.send = refuses(EXPIRED, true)
    await uncertain(post())
    script.send = refuses(EXPIRED)
    script.finality = finalAt(UNTIL_HEIGHT)
    await uncertain(post())
    script.finality = finalAt(UNTIL_HEIGHT + 1)
    expect(await rejected(post())).toMatchObject({ reason: 'blockhashExpired' })
  })

  it('is returned for an accepted transaction that no block holds', async () => {
    const { stage, script, post } = await startSigned()
    await post()
    script.finality = finalAt(UNTIL_HEIGHT + 1)
    await rejected(post())
    expect(stage.solana.sent()).toHaveLength(1)
  })

  it('is not returned for a transaction that landed in the very last block', async () => {
    const { script, post, hash } = await startSigned()
    script.send = solanaFails()
    await uncertain(post())
    Object.assign(script, { finality: finalAt(UNTIL_HEIGHT + 1), landing: landed('succeeded') })
    expect(await post()).toEqual(hash)
  })
})

describe('execute, repeated for a transaction that the service sends', () => {
  it('returns the same transaction while it can be sent, with an own token', async () => {
    const { stage, signed } = await startSigned()
    const again = await sign(stage, signed.quoted)
    expect([again.body.signedTransaction, again.statusRef]).toEqual([signed.body.signedTransaction, signed.statusRef])
    expect(signed.body.quoteToken).not.toBe(signed.quoted)
    expect(stage.venue.calls.execute).toHaveLength(1)
  })

  it('returns a fresh one with an own ref once the rejected one can never land [broadcast-repeat-pays-once]', async () => {
    const { stage, signed, script, post } = await startSigned()
    script.send = refuses(EXPIRED)
    await rejected(post())
    script.isBlockhashValid = async () => false
    const fresh = await sign(stage, signed.quoted)
    expect(fresh.body.signedTransaction).not.toBe(signed.body.signedTransaction)
    expect(fresh.statusRef).not.toBe(signed.statusRef)
    expect(stage.venue.calls.execute).toHaveLength(2)
    script.send = async () => ({ isAccepted: true })
    expect(await submit(stage, fresh)).toEqual({ txHash: fresh.txHash })
    await refusalOf(submit(stage, { body: { ...fresh.body, quoteToken: signed.body.quoteToken } }), 'INVALID_REQUEST')
  })

  it('returns the same transaction while it may be under way, or Solana cannot be read', async () => {
    const { stage, signed, script, post } = await startSigned()
    const again = async () =>
      expect((await sign(stage, signed.quoted)).body).toMatchObject({ signedTransaction: signed.body.signedTransaction })
    script.isBlockhashValid = solanaFails()
    await again()
    expect(stage.reported('chain.unread')).toMatchObject([{ chainId: -2, what: 'blockhash' }])
    Object.assign(script, { send: solanaFails(), isBlockhashValid: async () => false })
    await uncertain(post())
    await again()
    expect(stage.venue.calls.execute).toHaveLength(1)
  })

  it('returns the same transaction when the wallet sent it itself and the venue has the order', async () => {
    const stage = await start()
    stage.venue.script.alter = (execution) => ({ ...execution, venueRef: 'toy-order' })
    const signed = await sign(stage)
    expect(signed.statusRef).toBe('toy-order')
    stage.venue.script.track = async () => statusOf('processing')
    expect(await status(stage, signed)).toMatchObject({ state: 'processing' })
    stage.solana.script.isBlockhashValid = async () => false
    expect((await sign(stage, signed.quoted)).body.signedTransaction).toBe(signed.body.signedTransaction)
  })
})

describe('execute: the simulation of a Solana payment', () => {
  it('gives BUILD_FAILED with the error of the chain, and the quote can be executed afterwards', async () => {
    const stage = await start()
    const { quoteToken } = await stage.engine.quote(order, stage.context)
    stage.solana.script.simulate = async () => ({ reason: 'insufficientFunds', error: 'InsufficientFundsForFee' })
    const details = { venue: 'toy', reason: 'insufficientFunds', transactionError: 'InsufficientFundsForFee' }
    expect(await uncertain(execute(stage, quoteToken))).toEqual(details)
    expect(stage.reported('payment.refused')).toMatchObject([{ venue: 'toy', reason: 'insufficientFunds' }])
    stage.solana.script.simulate = async () => null
    expect((await execute(stage, quoteToken)).submission).not.toBeNull()
  })

  it('refuses nothing while Solana is unreachable [execute-solana-cannot-pay]', async () => {
    const stage = await start()
    stage.solana.script.simulate = solanaFails()
    expect((await sign(stage)).txHash).not.toBe('')
    expect(stage.reported('chain.unread')).toMatchObject([{ chainId: -2, what: 'simulation' }])
  })
})

describe('status of a transaction that the service sends', () => {
  it('is pending until it is posted, then asks the venue by its hash, and stays pending without an answer', async () => {
    const { stage, signed, post } = await startSigned()
    expect(await status(stage, signed)).toMatchObject({ state: 'pending', isTracked: true })
    expect(stage.venue.calls.track).toEqual([])
    await post()
    stage.venue.script.track = async () => statusOf('not_found')
    expect(await status(stage, signed)).toMatchObject({ state: 'pending' })
    stage.venue.script.track = async () => statusOf('processing')
    expect(await status(stage, signed)).toMatchObject({ state: 'processing', venueStatus: 'TOY_PROCESSING' })
    expect(stage.venue.calls.track.map(({ ref }) => ref)).toEqual([signed.txHash, signed.txHash])
  })

  it('is failed when the transaction failed in its block, also while the chain is unreachable afterwards', async () => {
    const { stage, signed, script, post } = await startSigned()
    await post()
    for (const landing of [landed('failed'), solanaFails()]) {
      script.landing = landing
      expect(await status(stage, signed)).toMatchObject({ state: 'failed' })
    }
  })
})
