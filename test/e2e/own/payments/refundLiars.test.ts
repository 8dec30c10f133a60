import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { heldBy } from '../../../../scripts/client/balances.ts'
import { follow, lastOf, statusOf } from '../../../../scripts/client/swap.ts'
import { HOUR_MS, MINUTE_MS } from '../../support.ts'
import { give, OTHER_TOKENS } from './gifts.ts'
import { type LyingStage, startLyingStage } from './liars.ts'
import { createPayers, type Payer } from './payers.ts'
import { callsOf, openSwap, ROUTES, type Route } from './routes.ts'

/** A venue that says `refunded` is believed only once what was paid in is seen to have come back, for this swap. */

let stage: LyingStage
beforeAll(async () => {
  stage = await startLyingStage()
})
afterAll(() => stage.close())
afterEach(async () => {
  stage.claim(null)
  await stage.service.control.clearFaults()
})

const claim = (txHash: string) => stage.claim({ what: 'refunded', txHash, amount: '0' })

/** Paid, and neither delivered nor refunded. */
const taken = async (route: Route, fault: 'lying-success' | 'never-fills', payer?: Payer) => {
  const own = payer ?? (await createPayers(stage.service, route.from.chainId).newPayer('a Safe'))
  const swap = await openSwap(stage.service, route, { payer: own })
  await stage.service.control.fault(route.venue, fault)
  const { ref } = await own.pay(callsOf(swap))
  await stage.service.control.clearFaults()
  return { ...swap, ref, payer: own }
}

/** However often it is asked, once the venue has heard of it. */
const isOwed = async (swap: { quoteToken: string; ref: string }) => {
  for (const advanceMs of [10_000, MINUTE_MS, 10 * MINUTE_MS]) {
    await stage.service.control.advance(advanceMs)
    expect((await statusOf(stage.service, swap)).status).toBe('expired')
  }
}

type Victim = { readonly route: Route; readonly owner: string; readonly ref: string }

const allButOne = ({ from }: Route): string => (BigInt(from.amount) - 1n).toString()

const LIES: { readonly [lie: string]: (victim: Victim) => Promise<string> } = {
  dust: ({ route: { from }, owner }) => give(stage.service, { ...from, owner, amount: '1' }),
  'one unit less than was paid': ({ route, owner }) => give(stage.service, { ...route.from, owner, amount: allButOne(route) }),
  'the sum in another token': ({ route: { from }, owner }) => {
    const token = OTHER_TOKENS[from.chainId] ?? ''
    return give(stage.service, { ...from, token, owner })
  },
  'the sum paid to somebody else': ({ route: { from } }) =>
    give(stage.service, { ...from, owner: '0x8888888888888888888888888888888888888888' }),
  'the payment itself': async ({ ref }) => ref,
  'a transaction that nobody made': async () => `0x${'ab'.repeat(32)}`,
}

const TITLES = ['USDC by Relay', 'USDC by Across', 'USDC by deBridge', "ether by CoW's EthFlow"]

describe.each(ROUTES.filter(({ title }) => TITLES.includes(title)))('$title', (route) => {
  it.each(Object.entries(LIES))('is not refunded by a venue that names %s', async (_lie, tell) => {
    const { payer, ...swap } = await taken(route, 'lying-success')
    claim(await tell({ route, owner: payer.address, ref: swap.ref }))
    await isOwed(swap)
  })

  it('is not refunded by a venue that names a payment of the sum from before the swap', async () => {
    const payer = await createPayers(stage.service, route.from.chainId).newPayer('a Safe')
    const before = await give(stage.service, { ...route.from, owner: payer.address })
    await stage.service.control.advance(HOUR_MS)
    const swap = await taken(route, 'lying-success', payer)
    claim(before)
    await isOwed(swap)
  })

  it('is not refunded by a venue that names a gift of the sum: its refunds are told by its contracts', async () => {
    const { payer, ...swap } = await taken(route, 'lying-success')
    claim(await give(stage.service, { ...route.from, owner: payer.address }))
    await isOwed(swap)
  })

  if (route.venue === 'relay' || route.venue === 'across')
    it('of two equal swaps only one is refunded where the venue names one refund for both', async () => {
      const payer = await createPayers(stage.service, route.from.chainId).newPayer('a Safe')
      const refunded = await taken(route, 'never-fills', payer)
      const before = await heldBy(stage.service, { ...route.from, owner: payer.address })
      const end = lastOf(await follow(stage.service, refunded, { stepMs: 30 * MINUTE_MS }))
      expect(end).toMatchObject({ status: 'refunded', payments: [{ kind: 'input' }, { kind: 'refund', txHash: end.txHash }] })
      const back = BigInt(end.payments?.[1]?.amount ?? -1)
      expect((await heldBy(stage.service, { ...route.from, owner: payer.address })) - before).toBe(back)
      const swap = await taken(route, 'lying-success', payer)
      claim(end.txHash ?? '')
      await isOwed(swap)
      stage.claim(null)
      expect((await statusOf(stage.service, refunded)).status).toBe('refunded')
    })

  if (route.venue === 'across')
    it('of two equal swaps paid at once only one is refunded by one refund, whoever asks first', async () => {
      const payer = await createPayers(stage.service, route.from.chainId).newPayer('an account of ERC-4337')
      const swaps = [await openSwap(stage.service, route, { payer }), await openSwap(stage.service, route, { payer })]
      await stage.service.control.fault(route.venue, 'lying-success', { count: 1 })
      await stage.service.control.fault(route.venue, 'never-fills')
      const { ref } = await payer.pay(swaps.flatMap(callsOf))
      await stage.service.control.clearFaults()
      await stage.service.control.advance(4 * HOUR_MS)
      const path = `/deposit/status?depositTxnRef=${ref}&index=1`
      const { depositRefundTxnRef } = await stage.service.control.askVenue<{ depositRefundTxnRef: string }>('across', path)
      claim(depositRefundTxnRef)
      const told = []
      for (const { quoteToken } of [...swaps, ...swaps]) told.push((await statusOf(stage.service, { quoteToken, ref })).status)
      expect(told).toEqual(['refunded', 'expired', 'refunded', 'expired'])
    })
})
