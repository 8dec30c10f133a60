import { afterEach, describe, expect, it } from 'vitest'
import type { ChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { ChainError } from '../../../engine/chains/chains.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import type { TrackedSwap } from '../../../engine/core/answers.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { addressFor, createFakeVenue, statusOf } from '../../support/fakeVenue.ts'
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
  const chain = { paid, fail: false }
  const evidence: ChainEvidence = {
    payments: async () => {
      if (chain.fail) throw new ChainError('unreachable', 42161, 'scripted')
      return { amount: chain.paid, paidIn: [], paidAt: START_AT }
    },
  }
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
    venue,
    evidence: chain,
    open,
    statusRefOf: async () => {
      const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
      const { quoteToken } = await engine.engine.quote(order, engine.context)
      const asked = { quoteToken, destinationAddress: null, refundAddress: null }
      return (await engine.engine.execute(asked, engine.context)).statusRef ?? ''
    },
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
    engine.store.fails = (call) => call.startsWith('payoutClaims.')
    expect((await status()).state).toBe('success')
    expect(engine.reported('store.failed')).toHaveLength(1)
  })
})

describe('a quote that was never executed', () => {
  it('is not the swap that a ref of another quote belongs to', async () => {
    const { engine, venue, statusRefOf } = await bench(GUARANTEED)
    const ref = await statusRefOf()
    const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
    const { quoteToken } = await engine.engine.quote({ ...order, recipient: WALLETS.evmOther }, engine.context)
    expect(await engine.engine.status({ quoteToken, ref }, engine.context)).toMatchObject({ state: 'not_found' })
    expect(venue.calls.track).toEqual([])
  })

  it('is proved by nothing its recipient did not get, or what delivered another swap', async () => {
    const { engine, open } = await bench(GUARANTEED)
    const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
    const { quoteToken } = await engine.engine.quote(order, engine.context)
    const ref = addressFor('evm', 'an address of nobody here')
    const lost = () => engine.engine.status({ quoteToken, ref }, engine.context)
    // Its record may be lost: what the chain shows is then enough.
    expect((await lost()).state).toBe('success')
    expect((await (await open())()).state).toBe('success')
    expect((await lost()).state).toBe('processing')
  })
})

describe('a chain that cannot be read for once', () => {
  it('lends the venue’s word to one answer, and the next one is seen again', async () => {
    const { open, evidence } = await bench(GUARANTEED)
    const status = await open()
    evidence.fail = true
    expect(await status()).toMatchObject({ state: 'success', deliveredAmount: 999_000n })
    evidence.fail = false
    evidence.paid = GUARANTEED - 1n
    expect((await status()).state).toBe('processing')
    evidence.paid = GUARANTEED
    expect(await status()).toMatchObject({ state: 'success', deliveredAmount: GUARANTEED })
  })

  it('does not make true what the chain has refuted', async () => {
    const { open, evidence } = await bench(GUARANTEED - 1n)
    const status = await open()
    expect((await status()).state).toBe('processing')
    evidence.fail = true
    expect(await status()).toMatchObject({ state: 'processing', venueStatus: 'TOY_SUCCESS' })
    evidence.fail = false
    expect((await status()).state).toBe('processing')
  })
})
