import { afterEach, describe, expect, it } from 'vitest'
import type { SeenTransaction } from '../../../../engine/chains/seen.ts'
import { createFakeEvidence, type FakeEvidence, hashOf, movement, seenTransaction } from '../../../support/fakeEvidence.ts'
import { finalAt, landed } from '../../../support/fakeSolana.ts'
import { statusOf } from '../../../support/fakeVenue.ts'
import { done, LEAST } from '../../../support/moneyBench.ts'
import {
  isOver,
  LAST_HEIGHT,
  order,
  type StageChange,
  type SubmitStage,
  seenOf,
  sign,
  startSubmitStage,
  status,
  statusBy,
  submit,
} from '../../../support/submitStage.ts'
import { START_AT } from '../../../support/testEngine.ts'

/** A swap whose transaction the service sends, held against the chains. */

const MINUTE_MS = 60_000

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** The swap is delivered, and its venue says so of every ref. */
const deliver = (stage: SubmitStage, chain: FakeEvidence): void => {
  const delivery = seenTransaction({ chainId: 1, hash: hashOf(9), movements: [movement(order.output, order.recipient, LEAST)] })
  chain.put(delivery)
  stage.venue.script.track = async () => ({ ...statusOf('success'), ...done(delivery.hash) })
}

const start = async ({ isPosted = true, ...change }: { readonly isPosted?: boolean } & StageChange = {}) => {
  const chain = createFakeEvidence()
  const stage = await startSubmitStage({ evidence: chain, ...change })
  closers.push(() => stage.close())
  const signed = await sign(stage)
  if (isPosted) await submit(stage, signed)
  stage.solana.script.finality = finalAt(LAST_HEIGHT)
  stage.venue.script.track = async () => statusOf('not_found')
  const record = async () => (await stage.store.kept())[0]
  const seen = (wish: Partial<SeenTransaction> = {}) => seenOf(signed, wish)
  const ends = () => deliver(stage, chain)
  const state = async () => (await status(stage, signed)).state
  return { chain, stage, signed, record, seen, state, ends }
}

describe('a transaction that the service sent', () => {
  it('is processing once its chain shows it, and ends with its delivery', async () => {
    const { chain, stage, signed, record, seen, state, ends } = await start()
    expect(await state()).toBe('pending')
    chain.put(await seen())
    expect(await state()).toBe('processing')
    ends()
    for (const ref of [signed.statusRef, signed.txHash])
      expect(await statusBy(stage, signed.quoted, ref)).toMatchObject({ state: 'success', deliveredAmount: LEAST })
    expect(await record()).toMatchObject({ ref: signed.statusRef, status: { state: 'success' } })
  })

  it('ends as failed when it failed for good, whether or not its chain still shows what it tried [broadcast-failed-when-dead]', async () => {
    for (const showsAll of [true, false]) {
      const { chain, stage, record, seen, state } = await start()
      chain.put(await seen({ isSuccess: false, ...(showsAll ? {} : { instructions: [] }) }))
      await state()
      expect((await record())?.endedAt).toBeNull()
      stage.solana.script.landing = landed('failed', true)
      expect(await state()).toBe('failed')
      expect(await record()).toMatchObject({ status: { state: 'failed' }, endedAt: stage.clock.at })
    }
  })

  it('ends as failed when it can land no more, and not while its chain cannot be read [broadcast-failed-when-dead]', async () => {
    const { chain, stage, record, state } = await start()
    isOver(stage)
    chain.isUnreadable = () => true
    stage.venue.script.track = async () => statusOf('failed')
    expect(await state()).toBe('pending')
    expect((await record())?.endedAt).toBeNull()
    chain.isUnreadable = () => false
    expect(await state()).toBe('failed')
  })

  it('is not over for its venue’s word while its chain shows that it paid', async () => {
    const { chain, stage, seen, state } = await start()
    chain.put(await seen())
    isOver(stage)
    stage.venue.script.track = async () => statusOf('failed')
    expect(await state()).toBe('expired')
  })

  it('is its own where Solana’s time is half an hour behind ours', async () => {
    const { chain, seen, state, ends } = await start()
    chain.put(await seen({ at: START_AT - 30 * MINUTE_MS }))
    ends()
    expect(await state()).toBe('success')
  })
})

describe('a transaction that the service was to send, and its wallet sent [broadcast-failed-when-dead]', () => {
  it('is the swap’s though nothing was posted, by the statusRef as by its hash', async () => {
    const { chain, stage, signed, record, seen, state, ends } = await start({ isPosted: false })
    expect(await state()).toBe('pending')
    chain.put(await seen())
    ends()
    for (const ref of [signed.txHash, signed.statusRef])
      expect(await statusBy(stage, signed.quoted, ref)).toMatchObject({ state: 'success', deliveredAmount: LEAST })
    expect(await record()).toMatchObject({ ref: signed.statusRef, status: { state: 'success' } })
  })

  it('is the swap’s in the place of the one that was posted, which can land no more', async () => {
    const { chain, stage, signed, seen, record, state, ends } = await start()
    isOver(stage)
    chain.put(await seen({ hash: hashOf(77, -2) }))
    ends()
    const { track } = stage.venue.script
    stage.venue.script.track = async (asked, ...rest) =>
      asked.ref === signed.txHash ? statusOf('not_found') : track(asked, ...rest)
    expect(await state()).toBe('success')
    expect(await record()).toMatchObject({ ref: signed.statusRef, status: { state: 'success' } })
  })

  it('may have paid in its place as long as what it sent cannot be read', async () => {
    const { chain, stage, record, state } = await start()
    isOver(stage)
    chain.isUnreadable = ({ method }) => method === 'sentBy'
    expect(await state()).toBe('pending')
    expect((await record())?.endedAt).toBeNull()
    chain.isUnreadable = () => false
    expect(await state()).toBe('failed')
  })

  it('is found without being asked for: the swap ends, and its partner is told', async () => {
    const { chain, stage, seen, record, ends } = await start({
      isPosted: false,
      caller: { tier: 'selfServe', partnerId: 'partner-1' },
    })
    await stage.store.partners.add({ id: 'partner-1', kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, null)
    const pass = async () => {
      stage.clock.at += 5 * MINUTE_MS
      return stage.engine.settlement.runOnce()
    }
    expect(await pass()).toMatchObject({ ended: 0, open: 1 })
    expect(stage.venue.calls.track).toEqual([])
    chain.put(await seen())
    ends()
    expect(await pass()).toMatchObject({ ended: 1 })
    expect(await record()).toMatchObject({ status: { state: 'success' } })
    await stage.engine.settlement.stop()
  })
})
