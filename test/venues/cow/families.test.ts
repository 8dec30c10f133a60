import { afterAll, beforeAll, expect, test } from 'vitest'
import { cow } from '../../../engine/venues/cow/venue.ts'
import { renamed } from '../../support/renamed.ts'
import { prove, type Swap, swapOf, track, typedDataOf } from '../../support/venueKit/calls.ts'
import { toldBy } from '../../support/venueKit/canned.ts'
import { venueWith } from '../everyVenue.ts'
import { openEventsNetwork, signedTrade } from './eventsNetwork.ts'
import table from './families.json' with { type: 'json' }
import { type CowBench, cannedCow, ETH_FLOW, etherToUsdc, openBench, SETTINGS, SETTLEMENT, uidOf, usdcToWeth } from './support.ts'

const FILL = 999n * 10n ** 15n
const { own, statuses, refused } = table
const settingsOf = { own: { ...SETTINGS, ...own }, pinned: SETTINGS }
const kindOf = (name: string) => (name === 'own' ? 'own' : 'pinned')
const uid = ({ execution }: Swap) => uidOf(execution.venueRef)

let bench: CowBench
const network = openEventsNetwork(() => bench)
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => Promise.all([bench.close(), network.close()]))
const venueOf = (name: string) => cannedCow(toldBy(bench.sim), { settings: settingsOf[kindOf(name)] }).venue

test('an order is for the contracts of the setting, and a trade and a placement by them count with it alone', async () => {
  const [set, pinned] = [venueOf('own'), venueOf('pinned')]
  const [swap, old] = [await swapOf(set, usdcToWeth()), await network.funded()]
  expect([typedDataOf(swap.execution).domain.verifyingContract, swap.offer.spender]).toEqual([own.SETTLEMENT, own.VAULT_RELAYER])
  expect([await prove(set, swap), await prove(pinned, swap)]).toEqual([[], expect.arrayContaining(['contract', 'spender'])])
  const { seen } = await network.settle([await signedTrade(old)], FILL)
  const moved = renamed(seen, [
    [SETTLEMENT, own.SETTLEMENT],
    [uid(old), uid(swap)],
  ])
  const placed = await swapOf(bench.venue, etherToUsdc())
  const paid = renamed({ swap: placed, seen: (await network.place(placed)).seen }, [[ETH_FLOW, own.ETH_FLOW]])
  const counted = async ({ events }: typeof set) =>
    [
      await events?.inputs(moved, swap),
      await events?.outputs(moved, swap, []),
      await events?.named(moved),
      await events?.inputs(paid.seen, paid.swap),
    ].map((all) => all?.length)
  expect([await counted(set), await counted(pinned)]).toEqual([
    [1, 1, expect.any(Number), 1],
    [0, 0, 0, 0],
  ])
  for (const venue of [set, pinned]) expect(await venue.events?.outputs(seen, old, [])).toMatchObject([{ amount: FILL }])
})

test.each(statuses)('$what is read as $states, with our record of it and without', async ({ order, settings, states }) => {
  const swap = await swapOf(venueOf(order), usdcToWeth())
  const { message } = typedDataOf(swap.execution)
  const found = { ...message, owner: swap.order.sender, status: 'fulfilled', executedBuyAmount: `${FILL}` }
  const trades = [{ orderUid: uid(swap), buyAmount: `${FILL}` }]
  const answering = ({ path }: { readonly path: string }) => ({ body: path.endsWith('/trades') ? trades : found })
  const { venue } = cannedCow(answering, { settings: settingsOf[kindOf(settings)] })
  const ref = swap.execution.venueRef ?? ''
  expect([(await track(venue, ref, swap)).state, (await track(venue, ref, swap, 'without')).state]).toEqual(states)
})

test.each(refused)('the start is refused with %s of the three', (...names) => {
  const some = Object.fromEntries(names.map((name) => [name, own[name as keyof typeof own]]))
  expect(() => venueWith(cow, some)).toThrow(/VENUE_COW_SETTLEMENT and VENUE_COW_VAULT_RELAYER/)
})
