import { afterEach, describe, expect, it } from 'vitest'
import type { ChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import type { TrackedSwap } from '../../../engine/core/quote.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, statusOf } from '../../support/fakeVenue.ts'
import { createTestEngine, START_AT, type TestEngine } from '../../support/testEngine.ts'

const GUARANTEED = 995_000n
const HASH = `0x${'ab'.repeat(32)}`
const now = () => START_AT

let closer: TestEngine | null = null
afterEach(async () => {
  await closer?.close()
})

/** Two swaps to one recipient, whose venue names one transaction for both, and a chain on which it paid so much. */
const bench = async (paid: bigint) => {
  const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now })
  const evidence: ChainEvidence = { payments: async () => ({ amount: paid, paidIn: [], paidAt: START_AT }) }
  const engine = await createTestEngine({ venues: [venue], evidence })
  closer = engine
  const told = { deliveredAmount: toAmount(999_000n) }
  let spelling = HASH
  venue.script.track = async () => statusOf('success', { ...told, txHash: spelling })

  const open = async (recipient: 'evm' | 'evmOther' = 'evm') => {
    const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
    const { quoteToken } = await engine.engine.quote({ ...order, recipient: WALLETS[recipient] }, engine.context)
    const asked = { quoteToken, destinationAddress: null, refundAddress: null }
    const { statusRef } = await engine.engine.execute(asked, engine.context)
    return (): Promise<TrackedSwap> => engine.engine.status({ quoteToken, ref: statusRef ?? '' }, engine.context)
  }
  return {
    engine,
    open,
    spell: (txHash: string) => {
      spelling = txHash
    },
  }
}

describe('one transaction that a venue names for two swaps', () => {
  it('proves one of them when it paid for one, even if both are asked about at once', async () => {
    const { open } = await bench(GUARANTEED + 1n)
    const [first, second] = [await open(), await open()]
    const told = await Promise.all([first(), second()])
    expect(told.map(({ state }) => state).sort()).toEqual(['processing', 'success'])
    const later = await Promise.all([first(), second()])
    expect(later.map(({ state }) => state)).toEqual(told.map(({ state }) => state))
    expect(later.find(({ state }) => state === 'processing')).toMatchObject({
      venueStatus: 'TOY_SUCCESS',
      deliveredAmount: null,
      txHash: null,
    })
  })

  it('is one transaction in whatever spelling', async () => {
    const { open, spell } = await bench(GUARANTEED)
    const [first, second] = [await open(), await open()]
    spell(HASH.toUpperCase().replace('0X', '0x'))
    expect(await first()).toMatchObject({ state: 'success', txHash: HASH })
    spell(HASH)
    expect((await second()).state).toBe('processing')
  })

  it('proves both when it paid for both, and tells each what its venue says it got', async () => {
    const { open } = await bench(2n * 999_000n)
    const [first, second] = [await open(), await open()]
    for (const status of [first, second]) expect(await status()).toMatchObject({ state: 'success', deliveredAmount: 999_000n })
  })

  it('proves both when it paid two recipients', async () => {
    const { open } = await bench(GUARANTEED)
    const [first, second] = [await open('evm'), await open('evmOther')]
    for (const status of [first, second]) expect((await status()).state).toBe('success')
  })

  it('is believed where the disk is in trouble, which is reported', async () => {
    const { engine, open } = await bench(GUARANTEED)
    const status = await open()
    await engine.database.schema.alterTable('deliveries').renameTo('away').execute()
    expect((await status()).state).toBe('success')
    expect(engine.reported('store.failed')).toHaveLength(1)
  })
})
