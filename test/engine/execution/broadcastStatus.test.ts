import { afterEach, describe, expect, it } from 'vitest'
import { finalAt, landed, solanaFails } from '../../support/fakeSolana.ts'
import { addressFor, statusOf } from '../../support/fakeVenue.ts'
import {
  isOver,
  LAST_HEIGHT,
  type Signed,
  type SubmitStage,
  sign,
  startSubmitStage,
  status,
  statusBy,
  submit,
} from '../../support/submitStage.ts'
import { refusalOf } from '../../support/testEngine.ts'

/** What is said of a swap whose transaction the service sends, to its end, and what execute hands out after it. */

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const start = async (): Promise<SubmitStage> => {
  const stage = await startSubmitStage()
  closers.push(() => stage.close())
  return stage
}

const isFailed = async (stage: SubmitStage, { quoted, statusRef, txHash, body }: Signed) => {
  for (const quoteToken of [quoted, body.quoteToken])
    for (const ref of [statusRef, txHash]) expect(await statusBy(stage, quoteToken, ref)).toMatchObject({ state: 'failed' })
}

describe('status', () => {
  it('is failed for good once what was sent can never land, and execute hands out a fresh transaction', async () => {
    const stage = await start()
    const signed = await sign(stage)
    await submit(stage, signed)
    stage.venue.script.track = async () => statusOf('not_found')
    stage.solana.script.finality = finalAt(LAST_HEIGHT + 150)
    expect(await status(stage, signed)).toMatchObject({ state: 'pending' })
    isOver(stage)
    await isFailed(stage, signed)
    stage.solana.script.finality = solanaFails()
    await isFailed(stage, signed)
    await refusalOf(submit(stage, signed), 'ORDER_REJECTED')
    const fresh = await sign(stage, signed.quoted)
    expect(fresh.statusRef).not.toBe(signed.statusRef)
    expect(await submit(stage, fresh)).toEqual({ txHash: fresh.txHash })
    expect(await status(stage, fresh)).toMatchObject({ state: 'pending' })
  })

  it('is not failed by a block that may be rolled back, and execute hands out a fresh transaction once it is final', async () => {
    const stage = await start()
    const signed = await sign(stage)
    await submit(stage, signed)
    stage.venue.script.track = async () => statusOf('not_found')
    stage.solana.script.landing = landed('failed', false)
    for (const ref of [signed.statusRef, signed.txHash])
      expect(await statusBy(stage, signed.quoted, ref)).toMatchObject({ state: 'pending' })
    expect((await sign(stage, signed.quoted)).txHash).toBe(signed.txHash)
    stage.solana.script.landing = landed('failed')
    await isFailed(stage, signed)
    // It did land: repeating the post says so.
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
    const fresh = await sign(stage, signed.quoted)
    expect(await submit(stage, fresh)).toEqual({ txHash: fresh.txHash })
    expect(stage.solana.sent()).toHaveLength(2)
  })

  it('promises no refund for what was never paid, whatever the venue says of the time', async () => {
    const stage = await start()
    const signed = await sign(stage)
    await submit(stage, signed)
    stage.venue.script.track = async () => statusOf('expired')
    isOver(stage)
    await isFailed(stage, signed)
  })

  it('stays pending while nothing was posted, whatever the venue says of the time', async () => {
    const stage = await start()
    stage.venue.script.alter = (execution) => ({ ...execution, venueRef: 'toy-order' })
    const signed = await sign(stage)
    stage.venue.script.track = async () => statusOf('expired')
    isOver(stage)
    expect(await status(stage, signed)).toMatchObject({ state: 'pending', venueStatus: 'TOY_EXPIRED' })
  })

  it('is the venue’s when it was paid by another transaction of the wallet, against the rules', async () => {
    const stage = await start()
    stage.venue.script.alter = (execution) => ({ ...execution, venueRef: 'toy-order' })
    const signed = await sign(stage)
    await submit(stage, signed)
    isOver(stage)
    stage.venue.script.track = async ({ ref }) => statusOf(ref === 'toy-order' ? 'processing' : 'not_found')
    expect(await status(stage, signed)).toMatchObject({ state: 'processing' })
    expect((await sign(stage, signed.quoted)).txHash).toBe(signed.txHash)
  })

  it('is told by the transaction hash as by the statusRef, from the first moment', async () => {
    const stage = await start()
    const signed = await sign(stage)
    await submit(stage, signed)
    stage.venue.script.track = async () => statusOf('not_found')
    for (const quoteToken of [signed.quoted, signed.body.quoteToken])
      for (const ref of [signed.statusRef, signed.txHash])
        expect(await statusBy(stage, quoteToken, ref)).toMatchObject({ state: 'pending' })
    expect(await statusBy(stage, signed.quoted, addressFor('solana', 'nobody'))).toMatchObject({ state: 'not_found' })
  })

  it('does not fall back to pending when the venue forgets', async () => {
    const stage = await start()
    const signed = await sign(stage)
    await submit(stage, signed)
    stage.venue.script.track = async () => statusOf('processing')
    expect(await status(stage, signed)).toMatchObject({ state: 'processing' })
    stage.venue.script.track = async () => statusOf('not_found')
    expect(await status(stage, signed)).toMatchObject({ state: 'processing' })
  })
})
