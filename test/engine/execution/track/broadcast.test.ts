import { afterEach, describe, expect, it } from 'vitest'
import type { SeenTransaction } from '../../../../engine/chains/seen.ts'
import { decodeSolanaTransaction } from '../../../../engine/chains/solana/solanaCodec.ts'
import { parseTransactionId, type TransactionId } from '../../../../engine/core/transactionId.ts'
import { createFakeEvidence, hashOf, movement, seenTransaction } from '../../../support/fakeEvidence.ts'
import { finalAt, landed } from '../../../support/fakeSolana.ts'
import { statusOf } from '../../../support/fakeVenue.ts'
import { done, LEAST } from '../../../support/moneyBench.ts'
import { isOver, LAST_HEIGHT, order, sign, startSubmitStage, status, statusBy, submit } from '../../../support/submitStage.ts'

/** A swap whose transaction the service sends, held against the chains. */

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const start = async () => {
  const chain = createFakeEvidence()
  const stage = await startSubmitStage({ evidence: chain })
  closers.push(() => stage.close())
  const signed = await sign(stage)
  await submit(stage, signed)
  stage.solana.script.finality = finalAt(LAST_HEIGHT)
  stage.venue.script.track = async () => statusOf('not_found')
  const record = async () => (await stage.store.kept())[0]
  /** The transaction as its chain shows it. */
  const seen = async (wish: Partial<SeenTransaction> = {}): Promise<SeenTransaction> => {
    const payload = (await record())?.swap.execution.payload
    if (payload?.executionType !== 'TRANSACTION') throw new TypeError('no transaction')
    const wanted = (await decodeSolanaTransaction(payload.transaction.serialized ?? ''))?.instructions ?? []
    const instructions = wanted.map(({ programId, accounts, data }, index) => ({
      index,
      program: programId,
      accounts: accounts.filter((account) => account !== null),
      data,
    }))
    return seenTransaction({ chainId: -2, hash: parseTransactionId(-2, signed.txHash) as TransactionId, instructions, ...wish })
  }
  const state = async () => (await status(stage, signed)).state
  return { chain, stage, signed, record, seen, state }
}

describe('a transaction that the service sent', () => {
  it('is processing once its chain shows it, and ends with its delivery', async () => {
    const { chain, stage, signed, record, seen, state } = await start()
    expect(await state()).toBe('pending')
    chain.put(await seen())
    expect(await state()).toBe('processing')
    const delivery = seenTransaction({ chainId: 1, hash: hashOf(9), movements: [movement(order.output, order.recipient, LEAST)] })
    chain.put(delivery)
    stage.venue.script.track = async () => ({ ...statusOf('success'), ...done(delivery.hash) })
    for (const ref of [signed.statusRef, signed.txHash])
      expect(await statusBy(stage, signed.quoted, ref)).toMatchObject({ state: 'success', deliveredAmount: LEAST })
    expect(await record()).toMatchObject({ ref: signed.statusRef, status: { state: 'success' } })
  })

  it('ends as failed when it failed for good, whether or not its chain still shows what it tried', async () => {
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

  it('ends as failed when it can land no more, and not while its chain cannot be read', async () => {
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
})
