import { afterEach, describe, expect, it } from 'vitest'
import type { SendOutcome, SolanaRefusal } from '../../../engine/chains/solana/solanaTransactions.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { type FakeSolana, finalAt, landed, solanaFails, unseen } from '../../support/fakeSolana.ts'
import { statusOf } from '../../support/fakeVenue.ts'
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

/** What becomes of one signed transaction when the chain, the disk or the process fails at the worst moment. */

/** A node may be behind by as much as a blockhash serves. */
const UNTIL_HEIGHT = LAST_HEIGHT + 150

const BLOCKHASH_GONE: SolanaRefusal = { reason: 'blockhashExpired', error: 'BlockhashNotFound' }
const refuses =
  (refusal: SolanaRefusal, mayBeSent = false): FakeSolana['send'] =>
  async (): Promise<SendOutcome> => ({ isAccepted: false, refusal, mayBeSent })

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const start = async (change: StageChange = {}): Promise<SubmitStage> => {
  const stage = await startSubmitStage(change)
  if (!change.store) closers.push(() => stage.close())
  return stage
}

describe('one signed transaction [broadcast-repeat-pays-once]', () => {
  it('is sent once, and what was accepted needs no chain to be answered again', async () => {
    const stage = await start()
    const signed = await sign(stage)
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
    stage.solana.script.landing = solanaFails()
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
    expect(stage.solana.sent()).toEqual([signed.body.signedTransaction])
    expect(stage.reported('transaction.submitted').map(({ outcome }) => outcome)).toEqual(['sent', 'sent'])
  })

  it('is sent once when many posts arrive together', async () => {
    const stage = await start()
    const signed = await sign(stage)
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(stage, signed)))
    expect(new Set(answers.map(({ txHash }) => txHash))).toEqual(new Set([signed.txHash]))
    expect(stage.solana.sent()).toHaveLength(1)
  })

  it('that was sent before a crash is found on the chain and not sent again', async () => {
    const first = await start()
    const signed = await sign(first)
    // Sent, and then nothing more was written.
    first.solana.script.send = solanaFails()
    expect((await refusalOf(submit(first, signed), 'BUILD_FAILED')).details).toEqual({ txHash: signed.txHash, retryable: true })

    const second = await start({ store: first.store })
    second.solana.script.landing = (txHash, signal) => (txHash === signed.txHash ? landed('succeeded') : unseen())(txHash, signal)
    expect(await submit(second, signed)).toEqual({ txHash: signed.txHash })
    expect(second.solana.sent()).toEqual([])
    expect(second.reported('transaction.submitted')[0]?.outcome).toBe('landed')
  })

  it('that may have been sent is sent again while it can land: the same one lands once', async () => {
    const stage = await start()
    const signed = await sign(stage)
    stage.solana.script.send = solanaFails('timeout')
    await refusalOf(submit(stage, signed), 'BUILD_FAILED')
    stage.solana.script.send = refuses({ reason: 'alreadyProcessed', error: 'AlreadyProcessed' })
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
    expect(new Set(stage.solana.sent()).size).toBe(1)
  })

  it('that was accepted is answered though that could not be recorded, and is found again', async () => {
    const stage = await start()
    const signed = await sign(stage)
    stage.solana.script.send = async () => {
      stage.store.fails = (call) => call.startsWith('broadcasts.')
      return { isAccepted: true }
    }
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
    expect(stage.reported('store.failed')).toHaveLength(1)
    stage.store.fails = () => false
    stage.solana.script.landing = landed('succeeded')
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
    expect(stage.solana.sent()).toHaveLength(1)
  })

  it('is not sent when the swap cannot be reserved', async () => {
    const stage = await start()
    const signed = await sign(stage)
    stage.store.fails = (call) => call.startsWith('broadcasts.')
    await expect(submit(stage, signed)).rejects.toThrow()
    expect(stage.solana.sent()).toEqual([])
  })

  it('is not sent when nobody can tell how long it can land', async () => {
    const stage = await start()
    const signed = await sign(stage)
    stage.chains.script.latestBlockhash = () => chainFails('unreachable', -2)()
    expect((await refusalOf(submit(stage, signed), 'BUILD_FAILED')).details).toMatchObject({ txHash: signed.txHash })
    expect(stage.solana.sent()).toEqual([])
  })
})

describe('ORDER_REJECTED', () => {
  it('is said at once of what was refused before anybody can have taken it [broadcast-rejected-is-safe]', async () => {
    const stage = await start()
    const signed = await sign(stage)
    stage.solana.script.send = refuses(BLOCKHASH_GONE)
    const { details } = await refusalOf(submit(stage, signed), 'ORDER_REJECTED')
    expect(details).toEqual({ reason: 'blockhashExpired', transactionError: 'BlockhashNotFound' })
  })

  it('is never said while an earlier node may have taken it: only once the last block that could hold it is final [broadcast-rejected-is-safe]', async () => {
    const stage = await start()
    const signed = await sign(stage)
    stage.solana.script.send = refuses(BLOCKHASH_GONE, true)
    await refusalOf(submit(stage, signed), 'BUILD_FAILED')
    stage.solana.script.send = refuses(BLOCKHASH_GONE)
    stage.solana.script.finality = finalAt(UNTIL_HEIGHT)
    await refusalOf(submit(stage, signed), 'BUILD_FAILED')
    stage.solana.script.finality = finalAt(UNTIL_HEIGHT + 1)
    expect((await refusalOf(submit(stage, signed), 'ORDER_REJECTED')).details).toMatchObject({ reason: 'blockhashExpired' })
  })

  it('is said of what a node took and no block did [broadcast-rejected-is-safe]', async () => {
    const stage = await start()
    const signed = await sign(stage)
    await submit(stage, signed)
    stage.solana.script.finality = finalAt(UNTIL_HEIGHT + 1)
    await refusalOf(submit(stage, signed), 'ORDER_REJECTED')
    expect(stage.solana.sent()).toHaveLength(1)
  })

  it('is not said of what landed in the very last block', async () => {
    const stage = await start()
    const signed = await sign(stage)
    stage.solana.script.send = solanaFails()
    await refusalOf(submit(stage, signed), 'BUILD_FAILED')
    stage.solana.script.finality = finalAt(UNTIL_HEIGHT + 1)
    stage.solana.script.landing = landed('succeeded')
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
  })
})

describe('execute, repeated [broadcast-repeat-pays-once]', () => {
  it('hands out the same transaction while it can be sent, under a token of its own', async () => {
    const stage = await start()
    const signed = await sign(stage)
    const again = await sign(stage, signed.quoted)
    expect(again.body.signedTransaction).toBe(signed.body.signedTransaction)
    expect(again.statusRef).toBe(signed.statusRef)
    expect(signed.body.quoteToken).not.toBe(signed.quoted)
    expect(stage.venue.calls.execute).toHaveLength(1)
  })

  it('builds a fresh one once the blockhash is over and nothing was sent; each is followed by its own ref', async () => {
    const stage = await start()
    const first = await sign(stage)
    stage.solana.script.send = refuses(BLOCKHASH_GONE)
    await refusalOf(submit(stage, first), 'ORDER_REJECTED')
    stage.solana.script.isBlockhashValid = async () => false
    const fresh = await sign(stage, first.quoted)
    expect(fresh.body.signedTransaction).not.toBe(first.body.signedTransaction)
    expect(fresh.statusRef).not.toBe(first.statusRef)
    expect(stage.venue.calls.execute).toHaveLength(2)
    stage.solana.script.send = async () => ({ isAccepted: true })
    expect(await submit(stage, fresh)).toEqual({ txHash: fresh.txHash })
    const mixed = { ...fresh, body: { ...fresh.body, quoteToken: first.body.quoteToken } }
    await refusalOf(submit(stage, mixed), 'INVALID_REQUEST')
  })

  it('builds none while one may be under way, whatever its blockhash', async () => {
    const stage = await start()
    const signed = await sign(stage)
    stage.solana.script.send = solanaFails()
    await refusalOf(submit(stage, signed), 'BUILD_FAILED')
    stage.solana.script.isBlockhashValid = async () => false
    expect((await sign(stage, signed.quoted)).body.signedTransaction).toBe(signed.body.signedTransaction)
    expect(stage.venue.calls.execute).toHaveLength(1)
  })

  it('builds none when the wallet sent the first one by itself, against the rules, and the venue has it', async () => {
    const stage = await start()
    stage.venue.script.alter = (execution) => ({ ...execution, venueRef: 'toy-order' })
    const signed = await sign(stage)
    expect(signed.statusRef).toBe('toy-order')
    stage.venue.script.track = async () => statusOf('processing')
    expect(await status(stage, signed)).toMatchObject({ state: 'processing' })
    stage.solana.script.isBlockhashValid = async () => false
    expect((await sign(stage, signed.quoted)).body.signedTransaction).toBe(signed.body.signedTransaction)
  })

  it('builds none while the chain cannot say whether the first can be sent', async () => {
    const stage = await start()
    const signed = await sign(stage)
    stage.solana.script.isBlockhashValid = solanaFails()
    expect((await sign(stage, signed.quoted)).body.signedTransaction).toBe(signed.body.signedTransaction)
    expect(stage.reported('chain.unread')).toMatchObject([{ chainId: -2, what: 'blockhash' }])
  })
})

describe('BUILD_FAILED at execute [execute-solana-cannot-pay]', () => {
  it('is what the chain says of the payment, and the quote can be executed once the wallet is funded', async () => {
    const stage = await start()
    const { quoteToken } = await stage.engine.quote(order, stage.context)
    stage.solana.script.simulate = async () => ({ reason: 'insufficientFunds', error: 'InsufficientFundsForFee' })
    expect((await refusalOf(execute(stage, quoteToken), 'BUILD_FAILED')).details).toEqual({
      venue: 'toy',
      reason: 'insufficientFunds',
      transactionError: 'InsufficientFundsForFee',
    })
    expect(stage.reported('payment.refused')).toMatchObject([{ venue: 'toy', reason: 'insufficientFunds' }])
    stage.solana.script.simulate = async () => null
    expect((await execute(stage, quoteToken)).submission).not.toBeNull()
  })

  it('is not said when the chain cannot be asked: it is tried again when it is sent', async () => {
    const stage = await start()
    stage.solana.script.simulate = solanaFails()
    expect((await sign(stage)).txHash).not.toBe('')
    expect(stage.reported('chain.unread')).toMatchObject([{ chainId: -2, what: 'simulation' }])
  })
})

describe('status', () => {
  it('is pending before anything is posted, without asking a venue that knows no ref of ours', async () => {
    const stage = await start()
    expect(await status(stage, await sign(stage))).toMatchObject({ state: 'pending', isTracked: true })
    expect(stage.venue.calls.track).toEqual([])
  })

  it('asks the venue by the transaction once it was posted, and stays pending while the venue knows nothing', async () => {
    const stage = await start()
    const signed = await sign(stage)
    await submit(stage, signed)
    stage.venue.script.track = async () => statusOf('not_found')
    expect(await status(stage, signed)).toMatchObject({ state: 'pending' })
    stage.venue.script.track = async () => statusOf('processing')
    expect(await status(stage, signed)).toMatchObject({ state: 'processing', venueStatus: 'TOY_PROCESSING' })
    expect(stage.venue.calls.track.map(({ ref }) => ref)).toEqual([signed.txHash, signed.txHash])
  })

  it('is failed for good when the transaction failed in its block', async () => {
    const stage = await start()
    const signed = await sign(stage)
    await submit(stage, signed)
    stage.solana.script.landing = landed('failed')
    expect(await status(stage, signed)).toMatchObject({ state: 'failed' })
    stage.solana.script.landing = solanaFails()
    expect(await status(stage, signed)).toMatchObject({ state: 'failed' })
  })
})
