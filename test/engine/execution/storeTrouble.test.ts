import { afterEach, describe, expect, it } from 'vitest'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue } from '../../support/fakeVenue.ts'
import { isWrite } from '../../support/memoryStore.ts'
import { sign, startSubmitStage, submit } from '../../support/submitStage.ts'
import { createTestEngine, refusalOf, START_AT, type TestEngine } from '../../support/testEngine.ts'

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** As on a disk that takes no more. */
const stopWrites = ({ store }: TestEngine, isStopped: boolean): void => {
  store.fails = (call) => isStopped && isWrite(call)
}

describe('records that cannot be written', () => {
  it('cost an execute, which says that it can be repeated', async () => {
    const stage = await createTestEngine({ venues: [createFakeVenue('toy', { kind: 'DEPOSIT', now: () => START_AT })] })
    closers.push(() => stage.close())
    const { engine, context } = stage
    const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
    const { quoteToken } = await engine.quote(order, context)
    const execute = () => engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, context)
    stopWrites(stage, true)
    expect((await refusalOf(execute(), 'INTERNAL')).details).toEqual({ retryable: true })
    stopWrites(stage, false)
    expect(await execute()).toMatchObject({ payload: { executionType: 'DEPOSIT' } })
  })

  it('keep a signed transaction from being sent, and say that it can be posted again', async () => {
    const stage = await startSubmitStage()
    closers.push(() => stage.close())
    const signed = await sign(stage)
    stopWrites(stage, true)
    expect((await refusalOf(submit(stage, signed), 'INTERNAL')).details).toEqual({ retryable: true })
    expect(stage.solana.calls.filter(({ method }) => method === 'send')).toEqual([])
    stopWrites(stage, false)
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
  })
})
