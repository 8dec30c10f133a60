import { expect, it } from 'vitest'
import type { SeenTransaction } from '../../../../engine/chains/seen.ts'
import { createFakeEvidence, hashOf, movement, seenTransaction } from '../../../support/fakeEvidence.ts'
import { finalAt, landed, solanaFails } from '../../../support/fakeSolana.ts'
import { addressFor, statusOf } from '../../../support/fakeVenue.ts'
import { done, LEAST } from '../../../support/moneyBench.ts'
import { isOver, LAST_HEIGHT, order, seenOf, sign, startSubmitStage, statusBy, submit } from '../../../support/submitStage.ts'
import { refusalOf } from '../../../support/testEngine.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'

const open = closedAfterEach(startSubmitStage)

/** A signed transaction of which the venue knows nothing, posted unless `isPosted` is false. */
const start = async ({
  isPosted = true,
  ...change
}: { readonly isPosted?: boolean } & Parameters<typeof startSubmitStage>[0] = {}) => {
  const chain = createFakeEvidence()
  const stage = await open({ evidence: chain, ...change })
  const signed = await sign(stage)
  if (isPosted) await submit(stage, signed)
  stage.solana.script.finality = finalAt(LAST_HEIGHT)
  const { script } = stage.venue
  script.track = async () => statusOf('not_found')
  return {
    ...stage,
    stage,
    chain,
    signed,
    script,
    record: async () => (await stage.store.kept())[0],
    put: async (wish: Partial<SeenTransaction> = {}) => chain.put(await seenOf(signed, wish)),
    /** The output is delivered, and the venue reports that of every ref. */
    ends: () => {
      const movements = [movement(order.output, order.recipient, LEAST)]
      chain.put(seenTransaction({ chainId: 1, hash: hashOf(9), movements }))
      script.track = async () => statusOf('success', done(hashOf(9)))
    },
    /** The state by both tokens and both refs; each that differs, in this order. */
    state: async () => {
      const told = new Set<string>()
      for (const token of [signed.quoted, signed.body.quoteToken])
        for (const ref of [signed.txHash, signed.statusRef]) told.add((await statusBy(stage, token, ref)).state)
      return [...told].join()
    },
  }
}

it('broadcast: is processing once its chain shows it, and ends with its delivery', async () => {
  const { stage, signed, record, put, state, ends } = await start()
  expect(await state()).toBe('pending')
  expect(await statusBy(stage, signed.quoted, addressFor('solana', 'nobody'))).toMatchObject({ state: 'not_found' })
  await put()
  expect(await state()).toBe('processing')
  ends()
  expect(await state()).toBe('success')
  expect(await record()).toMatchObject({ ref: signed.statusRef, status: { state: 'success', deliveredAmount: LEAST } })
})

it('broadcast: is failed only once its failure is final, and /execute then returns a fresh one', async () => {
  const { stage, signed, clock, solana, record, put, state } = await start()
  solana.script.landing = landed('failed', false)
  expect(await state()).toBe('pending')
  expect((await sign(stage, signed.quoted)).txHash).toBe(signed.txHash)
  await put({ isSuccess: false })
  await state()
  expect((await record())?.endedAt).toBeNull()
  solana.script.landing = landed('failed')
  expect(await state()).toBe('failed')
  expect(await record()).toMatchObject({ status: { state: 'failed' }, endedAt: clock.at })
  // It did land: a repeated post returns its hash.
  expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
  const fresh = await sign(stage, signed.quoted)
  expect(await submit(stage, fresh)).toEqual({ txHash: fresh.txHash })
  expect(solana.sent()).toHaveLength(2)
})

it.each([
  ['its payment', (): boolean => true],
  ['what else its wallet sent', ({ method }: { readonly method: string }) => method === 'sentBy'],
])('broadcast: can land no more, and is pending while the chain cannot show %s, then failed', async (_what, isUnreadable) => {
  const { stage, chain, record, script, state } = await start()
  isOver(stage)
  chain.isUnreadable = isUnreadable
  script.track = async () => statusOf('failed')
  expect(await state()).toBe('pending')
  expect((await record())?.endedAt).toBeNull()
  chain.isUnreadable = () => false
  expect(await state()).toBe('failed')
})

it('broadcast: is failed only once it can never land, and /execute then returns a fresh one [broadcast-failed-when-dead]', async () => {
  const { stage, signed, solana, state } = await start()
  solana.script.finality = finalAt(LAST_HEIGHT + 150)
  expect(await state()).toBe('pending')
  isOver(stage)
  expect(await state()).toBe('failed')
  solana.script.finality = solanaFails()
  expect(await state()).toBe('failed')
  await refusalOf(submit(stage, signed), 'ORDER_REJECTED')
  const fresh = await sign(stage, signed.quoted)
  expect(fresh.statusRef).not.toBe(signed.statusRef)
  expect(await submit(stage, fresh)).toEqual({ txHash: fresh.txHash })
  expect(await statusBy(stage, fresh.quoted, fresh.statusRef)).toMatchObject({ state: 'pending' })
})

it('broadcast: another payment of the wallet ends the swap of one that can land no more [broadcast-failed-when-dead]', async () => {
  const { stage, signed, script, put, record, state, ends } = await start()
  isOver(stage)
  await put({ hash: hashOf(77, -2) })
  ends()
  const { track } = script
  script.track = async (asked, signal) => (asked.ref === signed.txHash ? statusOf('not_found') : track(asked, signal))
  expect(await state()).toBe('success')
  expect(await record()).toMatchObject({ ref: signed.statusRef, status: { state: 'success' } })
})

it('broadcast: a payment of the wallet is found by settlement although nothing was posted, without a venue call before', async () => {
  const caller = { tier: 'selfServe', partnerId: 'partner-1' } as const
  const { clock, engine, store, signed, venue, put, record, state, ends } = await start({ isPosted: false, caller })
  await store.partners.add({ id: 'partner-1', kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, null)
  const pass = async () => {
    clock.at += 300_000
    return engine.settlement.runOnce()
  }
  expect([await pass(), venue.calls.track]).toMatchObject([{ ended: 0, open: 1 }, []])
  expect(await state()).toBe('not_found,pending')
  await put()
  ends()
  expect(await pass()).toMatchObject({ ended: 1 })
  expect(await state()).toBe('success')
  expect(await record()).toMatchObject({ ref: signed.statusRef, status: { state: 'success', deliveredAmount: LEAST } })
  await engine.settlement.stop()
})
