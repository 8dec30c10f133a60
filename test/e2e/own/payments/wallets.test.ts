import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heldBy } from '../../../../scripts/client/balances.ts'
import { fund, statusOf } from '../../../../scripts/client/swap.ts'
import { only, startService, type TestService } from '../../../support/service.ts'
import { createPayers, type PayerKind } from './payers.ts'
import { BY_TRANSACTIONS, bury, callsOf, expectSuccess, isNative, openSwap, ROUTES, type Route, watchDelivery } from './routes.ts'

/** The service recognises a payment of every kind of wallet, for one swap. */

let service: TestService
beforeAll(async () => {
  service = await startService({
    ...only('relay', 'across', 'cow', 'bebop', 'kyberswap', 'lifi', 'zerox', 'debridge', 'mayan', 'chainflip'),
    ...BY_TRANSACTIONS,
  })
})
afterAll(() => service.close())

const KINDS: readonly PayerKind[] = ['an account of a key', 'a Safe', 'an account of ERC-4337', 'an account of EIP-7702']

/** Every kind of wallet pays the first two routes; a Safe and a bundle pay the rest. */
const kindsOf = (route: Route): readonly PayerKind[] => (ROUTES.indexOf(route) < 2 ? KINDS : ['a Safe'])

describe.each(ROUTES)('$title', (route) => {
  const { chainId, token, amount } = route.from
  const payers = () => createPayers(service, chainId)
  const held = (owner: string) => heldBy(service, { chainId, token, owner })

  it.each(kindsOf(route))('paid by %s is a success, to the unit', async (kind) => {
    const payer = await payers().newPayer(kind)
    const swap = await openSwap(service, route, { payer })
    const [before, changes] = [await held(payer.address), await watchDelivery(service, route, swap.recipient)]
    const { ref, cost } = await payer.pay(callsOf(swap))
    expect(before - (await held(payer.address))).toBe(BigInt(amount) + (isNative(route) ? cost : 0n))
    const { delivered } = await expectSuccess(service, route, { ...swap, ref })
    expect(delivered).toBeGreaterThanOrEqual(BigInt(swap.offer.slippage?.guaranteedMin ?? -1))
    expect(await changes()).toEqual({ delivered })
  })

  if (route.isOnePerTransaction !== true) {
    it("paid in one bundle with a stranger's swap: each succeeds by its own payment, and a third is not found", async () => {
      const [mine, stranger, third] = [
        await payers().newPayer('an account of ERC-4337'),
        await payers().newPayer('an account of ERC-4337'),
        await payers().newPayer('an account of ERC-4337'),
      ]
      const own = await openSwap(service, route, { payer: mine })
      const other = await openSwap(service, route, { payer: stranger })
      const unpaid = await openSwap(service, route, { payer: third, recipient: own.recipient })
      const [changes, otherChanges] = [
        await watchDelivery(service, route, own.recipient),
        await watchDelivery(service, route, other.recipient),
      ]
      const ref = await payers().bundle([
        { sender: stranger.address, calls: callsOf(other) },
        { sender: mine.address, calls: callsOf(own) },
      ])
      expect((await statusOf(service, { ...unpaid, ref })).status).toBe('not_found')
      const { delivered } = await expectSuccess(service, route, { ...own, ref })
      const { delivered: theirs } = await expectSuccess(service, route, { ...other, ref })
      expect([await changes(), await otherChanges()]).toEqual([{ delivered }, { delivered: theirs }])
      expect((await statusOf(service, { ...unpaid, ref })).status).toBe('not_found')
    })
  }

  it.each(['a Safe', 'an account of ERC-4337'] as const)(
    'whose call failed inside a successful transaction of %s is failed, and the same payload paid later is a success',
    async (kind) => {
      const payer = await payers().newPayer(kind)
      const swap = await openSwap(service, route, { payer })
      const before = await held(payer.address)
      // Without coins, or without an allowance.
      if (isNative(route)) await payers().empty(payer.address)
      const { ref } = await payer.pay([swap.payment])
      if (isNative(route)) await fund(service, chainId, payer.address, { [token]: before.toString() })
      expect(await held(payer.address)).toBe(before)
      await bury(service, chainId)
      expect((await statusOf(service, { ...swap, ref })).status).toBe('failed')
      const good = await payer.pay(callsOf(swap))
      await expectSuccess(service, route, { ...swap, ref: good.ref })
      expect((await statusOf(service, { ...swap, ref })).status).toBe('failed')
    },
  )

  /** The contracts of these venues accept no order twice. */
  const isTakenOnce = ['cow', 'bebop', 'debridge', 'mayan'].includes(route.venue)

  it('paid twice by the same payload ends once, and the second payment is extra', async () => {
    const payer = await payers().newPayer('a Safe')
    const swap = await openSwap(service, route, { payer })
    const { ref } = await payer.pay(callsOf(swap))
    await fund(service, chainId, payer.address, { [token]: amount })
    await expectSuccess(service, route, { ...swap, ref })
    const again = await payer.pay(callsOf(swap))
    const extra = { status: 'processing', payments: [{ txHash: ref }, {}, { kind: 'extra', txHash: again.ref }] }
    const second = isTakenOnce ? { status: 'failed' } : extra
    await bury(service, chainId)
    expect(await statusOf(service, { ...swap, ref: again.ref })).toMatchObject(second)
    expect((await statusOf(service, { ...swap, ref })).status).toBe('success')
  })
})
