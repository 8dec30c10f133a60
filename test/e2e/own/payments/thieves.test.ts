import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { statusOf } from '../../../../scripts/client/swap.ts'
import { only, startService, type TestService } from '../../../support/service.ts'
import { HOUR_MS } from '../../support.ts'
import { createPayers } from './payers.ts'
import { BY_TRANSACTIONS, callsOf, expectSuccess, openSwap, quoteFor, ROUTES, watchDelivery } from './routes.ts'

/** Nobody's swap is paid by what somebody else paid, whoever asks first and whatever else the two have in common. */

let service: TestService
beforeAll(async () => {
  service = await startService({
    ...only('relay', 'across', 'cow', 'bebop', 'kyberswap', 'lifi', 'zerox', 'debridge', 'mayan', 'chainflip'),
    ...BY_TRANSACTIONS,
  })
})
afterAll(() => service.close())

describe.each(ROUTES)('$title', (route) => {
  const newPayer = () => createPayers(service, route.from.chainId).newPayer('an account of a key')
  const stateOf = async (quoteToken: string, ref: string) => (await statusOf(service, { quoteToken, ref })).status

  it.each(['his own sender', "the victim's sender"] as const)(
    'paid by its owner is not found by a thief who executed the same before with %s, and asks first',
    async (whose) => {
      const victim = await newPayer()
      const thief = whose === 'his own sender' ? await newPayer() : victim
      const stolen = await openSwap(service, route, { payer: thief })
      const own = await openSwap(service, route, { payer: victim, recipient: stolen.recipient })
      const changes = await watchDelivery(service, route, own.recipient)
      const { ref } = await victim.pay(callsOf(own))
      expect(await stateOf(stolen.quoteToken, ref)).toBe('not_found')
      const { delivered } = await expectSuccess(service, route, { ...own, ref })
      expect(await stateOf(stolen.quoteToken, ref)).toBe('not_found')
      expect(await changes()).toEqual({ delivered })
    },
  )

  it('is not found by a quote that was never executed, by the payment of another of the same terms, three days later either', async () => {
    const victim = await newPayer()
    const own = await openSwap(service, route, { payer: victim })
    const { quoteToken } = await quoteFor(service, route, { sender: victim.address, recipient: own.recipient })
    const { ref } = await victim.pay(callsOf(own))
    expect(await stateOf(quoteToken, ref)).toBe('not_found')
    await expectSuccess(service, route, { ...own, ref })
    expect(await stateOf(quoteToken, ref)).toBe('not_found')
    await service.control.advance(72 * HOUR_MS)
    expect(await stateOf(quoteToken, ref)).toBe('not_found')
    expect(await stateOf(own.quoteToken, ref)).toBe('success')
  })

  it("of a thief who pays the victim's recipient is his own: the victim's is what it is, and ends with its own", async () => {
    const [victim, thief] = [await newPayer(), await newPayer()]
    const own = await openSwap(service, route, { payer: victim })
    const theirs = await openSwap(service, route, { payer: thief, recipient: own.recipient })
    const changes = await watchDelivery(service, route, own.recipient)
    const gift = await thief.pay(callsOf(theirs))
    expect(await stateOf(own.quoteToken, gift.ref)).toBe('not_found')
    const { delivered: given } = await expectSuccess(service, route, { ...theirs, ref: gift.ref })
    expect(await stateOf(own.quoteToken, gift.ref)).toBe('not_found')
    const { ref } = await victim.pay(callsOf(own))
    const { delivered } = await expectSuccess(service, route, { ...own, ref })
    expect(await changes()).toEqual({ delivered: given + delivered })
  })
})
