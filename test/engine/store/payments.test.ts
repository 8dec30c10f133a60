import { afterEach, describe, expect, it } from 'vitest'
import { NATIVE } from '../../../engine/core/asset.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { aNewSwap, aPayment, idOf } from '../../support/storedSwap.ts'
import { STORES } from '../../support/stores.ts'
import { createTestClock } from '../../support/testEngine.ts'

/** What every store promises of the payments that were seen. */

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

describe.each(STORES)('a store in %s keeps the payments that were seen:', (_name, open) => {
  const withSwaps = async (count: number) => {
    const store = await open(createTestClock())
    closers.push(() => store.close())
    const ids: number[] = []
    while (ids.length < count) ids.push((await store.swaps.add(await aNewSwap({ bindingKey: `b${ids.length}` }))).id)
    return { payments: store.payments, ids: ids as [number, number, number] }
  }

  it('gives back what was claimed, all of it, in the order it was', async () => {
    const { payments, ids } = await withSwaps(2)
    const all = [
      aPayment(1, { kind: 'input', orderId: 'order-1', paidAt: Date.UTC(9999, 11, 31), isFinal: true }),
      aPayment(2, { amount: (1n << 256n) - 1n }),
      aPayment(3, { kind: 'refund', amount: null }),
      aPayment(0, {
        kind: 'extra',
        chainId: -1,
        txHash: idOf('b2', -1),
        token: NATIVE,
        recipient: WALLETS.bitcoin,
        place: 'output:1',
      }),
    ]
    for (const payment of all) expect(await payments.claim(ids[0], [payment])).toBe(true)
    expect(await payments.ofSwap(ids[0])).toEqual(all)
    expect(await payments.ofSwap(ids[1])).toEqual([])
  })

  it('once, as they were first seen, however often they are claimed', async () => {
    const { payments, ids } = await withSwaps(1)
    await payments.claim(ids[0], [aPayment(1)])
    expect(await payments.claim(ids[0], [aPayment(1, { amount: 9n }), aPayment(2)])).toBe(true)
    expect(await payments.ofSwap(ids[0])).toEqual([aPayment(1), aPayment(2)])
  })

  it('each as one swap’s: of several, all of them or none', async () => {
    const { payments, ids } = await withSwaps(2)
    await payments.claim(ids[0], [aPayment(2)])
    expect(await payments.claim(ids[1], [aPayment(1), aPayment(2), aPayment(3)])).toBe(false)
    expect(await payments.ofSwap(ids[1])).toEqual([])
    expect(await payments.claim(ids[1], [aPayment(1), aPayment(3)])).toBe(true)
    expect(await payments.claim(ids[1], [aPayment(4), aPayment(2)])).toBe(false)
    expect(await payments.ofSwap(ids[1])).toEqual([aPayment(1), aPayment(3)])
  })

  it('in one statement: where one of them cannot be written, none is', async () => {
    const { payments, ids } = await withSwaps(1)
    const unwritable = aPayment(2, { place: null as never })
    await expect(payments.claim(ids[0], [aPayment(1), unwritable])).rejects.toThrow()
    expect(await payments.ofSwap(ids[0])).toEqual([])
  })

  it('as one swap’s at once', async () => {
    const { payments, ids } = await withSwaps(3)
    const claimed = await Promise.all(ids.map((swapId) => payments.claim(swapId, [aPayment(1)])))
    expect(claimed.filter(Boolean)).toHaveLength(1)
    expect(await payments.ofSwap(ids[claimed.indexOf(true)] ?? 0)).toEqual([aPayment(1)])
  })

  it('by place and chain: the same place of another chain is another payment', async () => {
    const { payments, ids } = await withSwaps(2)
    const there = aPayment(1, { chainId: 10 })
    expect(await payments.claim(ids[0], [aPayment(1)])).toBe(true)
    expect(await payments.claim(ids[1], [there])).toBe(true)
    expect(await payments.takenFrom(ids[0], there, 'block:0/')).toMatchObject([{ place: there.place }])
  })

  it('and tells what of a transaction is other swaps’', async () => {
    const { payments, ids } = await withSwaps(3)
    const [a, b, c] = ids
    await payments.claim(a, [aPayment(1), aPayment(2)])
    await payments.claim(b, [aPayment(3, { recipient: WALLETS.evmOther })])
    const { token } = aPayment(1)
    const taken = (swapId: number, log: number, recipient: string = WALLETS.evm) => ({
      swapId,
      place: aPayment(log).place,
      token,
      recipient,
    })
    expect(await payments.takenFrom(c, aPayment(9), 'block:0/')).toEqual([
      taken(a, 1),
      taken(a, 2),
      taken(b, 3, WALLETS.evmOther),
    ])
    expect(await payments.takenFrom(a, aPayment(9), 'block:0/')).toEqual([taken(b, 3, WALLETS.evmOther)])
    expect(await payments.takenFrom(c, { chainId: 1, txHash: idOf('e9') }, 'block:0/')).toEqual([])
  })

  it('and of other transactions what stands under a place', async () => {
    const { payments, ids } = await withSwaps(2)
    const under = (place: string) => aPayment(1, { txHash: idOf(place.includes('8') ? 'd4' : 'd5'), place })
    // A database that sorts as people do would have the last ones in between.
    for (const place of ['block:7/balance:x', 'block:70/a', 'block:8/b', 'block:7/', 'Block:7/c', 'BLOCK:7/D'])
      expect(await payments.claim(ids[0], [under(place)])).toBe(true)
    const places = async (prefix: string) =>
      (await payments.takenFrom(ids[1], { chainId: 1, txHash: idOf('e9') }, prefix)).map(({ place }) => place)
    expect((await places('block:7/')).sort()).toEqual(['block:7/', 'block:7/balance:x'])
    expect(await places('block:9/')).toEqual([])
    expect(await payments.takenFrom(ids[0], { chainId: 1, txHash: idOf('e9') }, 'block:7/')).toEqual([])
  })

  it('and which transactions are final, or taken back, of one swap', async () => {
    const { payments, ids } = await withSwaps(2)
    const [a, b] = ids
    const later = aPayment(1, { txHash: idOf('c3'), place: 'c3' })
    await payments.claim(a, [aPayment(1), aPayment(2), later])
    await payments.claim(b, [aPayment(3)])
    await payments.setFinal(a, aPayment(1))
    expect((await payments.ofSwap(a)).map(({ isFinal }) => isFinal)).toEqual([true, true, false])
    expect(await payments.ofSwap(b)).toEqual([aPayment(3)])
    await payments.drop(a, aPayment(1))
    expect(await payments.ofSwap(a)).toEqual([later])
    expect(await payments.ofSwap(b)).toEqual([aPayment(3)])
    expect(await payments.claim(b, [aPayment(1)])).toBe(true)
  })
})
