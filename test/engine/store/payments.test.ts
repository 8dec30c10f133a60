import { describe, expect, it } from 'vitest'
import { NATIVE } from '../../../engine/core/asset.ts'
import { StoreError } from '../../../engine/store/storeError.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { aPayment, idOf } from '../../support/storedSwap.ts'
import { withSwaps } from '../../support/storeStage.ts'

const elsewhere = { chainId: 1, txHash: idOf('e9') } as const

describe('recorded payments', () => {
  it('read back whole, of their swap, in the order of their claims', async () => {
    const { payments, ids } = await withSwaps(2)
    const onBitcoin = {
      chainId: -1,
      txHash: idOf('b2', -1),
      token: NATIVE,
      recipient: WALLETS.bitcoin,
      place: 'output:1',
    } as const
    const all = [
      aPayment(1, { kind: 'input', orderId: 'order-1', paidAt: Date.UTC(9999, 11, 31), isFinal: true }),
      aPayment(2, { amount: (1n << 256n) - 1n }),
      aPayment(3, { kind: 'refund', amount: null }),
      aPayment(0, { kind: 'extra', ...onBitcoin }),
    ]
    for (const payment of all) expect(await payments.claim(ids[0], [payment])).toBe(true)
    expect([await payments.ofSwap(ids[0]), await payments.ofSwap(ids[1])]).toEqual([all, []])
  })

  it('stay as they were first claimed, and belong to one swap: a claim of several records all or none', async () => {
    const { payments, ids } = await withSwaps(2)
    const [a, b] = ids
    for (const [swapId, claimed, isClaimed] of [
      [a, [aPayment(2)], true],
      [a, [aPayment(2, { amount: 9n }), aPayment(5)], true],
      [b, [aPayment(1), aPayment(2), aPayment(3)], false],
      [b, [aPayment(1), aPayment(3)], true],
      [b, [aPayment(4), aPayment(2)], false],
      // The same place of another chain is another payment.
      [b, [aPayment(2, { chainId: 10 })], true],
      [a, [aPayment(2, { chainId: 10 })], false],
    ] as const)
      expect(await payments.claim(swapId, claimed)).toBe(isClaimed)
    // A defect of a statement is no failure of the store, which a caller would repeat.
    const broken = payments.claim(a, [aPayment(6), aPayment(7, { place: null as never })])
    await expect(broken).rejects.not.toBeInstanceOf(StoreError)
    expect(await payments.ofSwap(a)).toEqual([aPayment(2), aPayment(5)])
    expect(await payments.ofSwap(b)).toEqual([aPayment(1), aPayment(3), aPayment(2, { chainId: 10 })])
    expect(await payments.takenFrom(a, { chainId: 10, txHash: idOf('a1') }, 'block:0/')).toMatchObject([{ swapId: b }])
  })

  it('belong to one of several swaps that claim them at once', async () => {
    const { payments, ids } = await withSwaps(3)
    const claimed = await Promise.all(ids.map((swapId) => payments.claim(swapId, [aPayment(1)])))
    expect(claimed.filter(Boolean)).toHaveLength(1)
    expect(await payments.ofSwap(ids[claimed.indexOf(true)] ?? 0)).toEqual([aPayment(1)])
  })

  it('of a transaction are listed as far as they belong to other swaps', async () => {
    const { payments, ids } = await withSwaps(3)
    const [a, b, c] = ids
    await payments.claim(a, [aPayment(1), aPayment(2)])
    await payments.claim(b, [aPayment(3, { recipient: WALLETS.evmOther }), aPayment(4, { chainId: 10 })])
    const taken = (swapId: number, log: number, recipient: string = WALLETS.evm) => {
      const { place, token } = aPayment(log)
      return { swapId, place, token, recipient }
    }
    const ofB = taken(b, 3, WALLETS.evmOther)
    expect(await payments.takenFrom(c, aPayment(9), 'block:0/')).toEqual([taken(a, 1), taken(a, 2), ofB])
    expect(await payments.takenFrom(a, aPayment(9), 'block:0/')).toEqual([ofB])
    expect(await payments.takenFrom(c, elsewhere, 'block:0/')).toEqual([])
  })

  it('under a place are listed by bytes, whatever the collation, and of other swaps only', async () => {
    const { payments, ids } = await withSwaps(2)
    for (const place of ['block:7/balance:x', 'block:70/a', 'block:8/b', 'block:7/', 'Block:7/c', 'BLOCK:7/D'])
      await payments.claim(ids[0], [aPayment(1, { txHash: idOf(place.includes('8') ? 'd4' : 'd5'), place })])
    const places = async (swapId: number, prefix: string) =>
      (await payments.takenFrom(swapId, elsewhere, prefix)).map(({ place }) => place).sort()
    expect(await places(ids[1], 'block:7/')).toEqual(['block:7/', 'block:7/balance:x'])
    expect([await places(ids[1], 'block:9/'), await places(ids[0], 'block:7/')]).toEqual([[], []])
  })

  it('of a transaction become final, or are dropped and free again, for one swap', async () => {
    const { payments, ids } = await withSwaps(2)
    const [a, b] = ids
    const later = aPayment(1, { txHash: idOf('c3'), place: 'c3' })
    const elsewhereToo = aPayment(2, { chainId: 10 })
    await payments.claim(a, [aPayment(1), aPayment(2), later, elsewhereToo])
    await payments.claim(b, [aPayment(3)])
    await payments.setFinal(a, aPayment(1))
    expect((await payments.ofSwap(a)).map(({ isFinal }) => isFinal)).toEqual([true, true, false, false])
    expect(await payments.ofSwap(b)).toEqual([aPayment(3)])
    await payments.drop(a, aPayment(1))
    expect([await payments.ofSwap(a), await payments.ofSwap(b)]).toEqual([[later, elsewhereToo], [aPayment(3)]])
    expect(await payments.claim(b, [aPayment(1)])).toBe(true)
  })
})
