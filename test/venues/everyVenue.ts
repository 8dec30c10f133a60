import { BITCOIN, ecosystemOf, SOLANA } from '../../engine/core/chain.ts'
import type { VenueOrder } from '../../engine/core/order.ts'
import { Secret } from '../../engine/core/secret.ts'
import type { SimResponse } from '../../engine/simnet/kit/simVenue.ts'
import { SIM_VENUES } from '../../engine/simnet/simVenues.ts'
import type { Venue, VenueConfig, VenueDefinition } from '../../engine/venues/venue.ts'
import { anOrder, WALLETS } from '../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../support/fakeChains.ts'
import { createTestClock } from '../support/testEngine.ts'
import { createVenueBench, type VenueBench } from '../support/venueBench.ts'
import { never, type Swap, signed, swapOf } from '../support/venueKit/calls.ts'
import { createNetworkChains, type FakeNetwork } from '../support/venueKit/network.ts'
import { networkOf } from './fakeNetworks.ts'

/** Shared parts of the tests of every venue: ordinary swaps, benches and venue calls. */

const USDC = {
  1: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  8453: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  42161: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  [-2]: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
} as const
const DAI_ETHEREUM = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const NATIVE_SOL = 'So11111111111111111111111111111111111111112'
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

/** Ordinary swaps of every kind. Each venue must serve one of them at least, or there is nothing to hold it to. */
export const ORDERS: readonly VenueOrder[] = [
  anOrder({ from: [8453, USDC[8453]], to: [42161, USDC[42161]], amount: 250_000_000n }),
  anOrder({ from: [1, USDC[1]], to: [1, DAI_ETHEREUM], amount: 400_000_000n }),
  anOrder({ from: [1, NATIVE], to: [1, USDC[1]], amount: 10n ** 18n }),
  anOrder({ from: [8453, USDC[8453]], to: [-2, USDC[-2]], amount: 250_000_000n, recipient: WALLETS.solana }),
  anOrder({ from: [-2, USDC[-2]], to: [8453, USDC[8453]], amount: 250_000_000n, recipient: WALLETS.evm }),
  anOrder({ from: [-2, NATIVE_SOL], to: [-2, USDC[-2]], amount: 10n ** 10n }),
  anOrder({ from: [-2, USDC[-2]], to: [-2, NATIVE_SOL], amount: 250_000_000n }),
  anOrder({ from: [-2, NATIVE_SOL], to: [-1, NATIVE], amount: 10n ** 10n, recipient: WALLETS.bitcoin }),
  anOrder({ from: [-1, NATIVE], to: [1, USDC[1]], amount: 2_500_000n, recipient: WALLETS.evm, refundTo: WALLETS.bitcoin }),
]

/** A venue with these settings, and nothing to talk to. */
export const venueWith = (
  { settings, publicBaseUrl, create }: VenueDefinition,
  values: { readonly [name: string]: string },
): Venue => {
  const set = settings.map(({ name }) => [name, values[name] ?? null] as const)
  const config: VenueConfig = { baseUrl: publicBaseUrl, apiKey: new Secret('key'), settings: Object.fromEntries(set) }
  const http = { send: () => Promise.reject(new Error('no network')), close: async () => undefined }
  const clock = createTestClock()
  return create(config, { http, chains: createFakeChains(), clock, wellVenues: () => [], notice: () => undefined })
}

export const servedBy = ({ venue }: Pick<VenueBench, 'venue'>): readonly VenueOrder[] =>
  ORDERS.filter((order) => venue.profile.serves(order))

export type AnyBench = VenueBench & {
  readonly network: FakeNetwork
  readonly chains: FakeChains
  /** What the venue answers instead, to the paths this gives an answer for. */
  instead: (path: string) => SimResponse | null
}

export const openAnyBench = async (
  definition: VenueDefinition,
  options: { readonly apiKey?: string } = {},
): Promise<AnyBench> => {
  const simulator = SIM_VENUES.find(({ id }) => id === definition.id)
  if (!simulator) throw new Error(`${definition.id} has no simulator`)
  const network = networkOf(definition.id)
  const { evm, solana } = network
  const chains = createNetworkChains(network)
  const hook: { instead: AnyBench['instead'] } = { instead: () => null }
  const bench = await createVenueBench(
    definition,
    (world) => {
      const sim = simulator.create(world)
      return { ...sim, handle: (request) => hook.instead(request.path) ?? sim.handle(request) }
    },
    { chains, evm, solana, ...options },
  )
  return Object.assign(hook, bench, { network, chains })
}

/** Opens a bench for one look at a venue. */
export const withBench = async (definition: VenueDefinition, run: (bench: AnyBench) => Promise<void>): Promise<void> => {
  const bench = await openAnyBench(definition)
  try {
    await run(bench)
  } finally {
    await bench.close()
  }
}

/** A swap that was built, submitted where it must be, and paid. */
export type Stage = { readonly swap: Swap; readonly ref: string }

/** The venue takes this long to see a payment. */
const SEEN_MS = 6_000

/** Does what the wallet would, and gives what the swap is followed by. */
export const pay = async (
  { venue, sim, world, network }: Omit<AnyBench, 'instead'>,
  swap: Swap,
  txHash = swap.order.input.chainId === SOLANA ? '5'.repeat(88) : `0x${'ab'.repeat(32)}`,
): Promise<string> => {
  const { order, execution } = swap
  const { payload } = execution
  switch (payload.executionType) {
    case 'SIGNATURE':
      return (await venue.submitter?.submit(swap, await signed(execution), never()))?.statusRef ?? ''
    case 'DEPOSIT': {
      const { chainId, address, amount } = payload.deposit
      const sent = chainId === BITCOIN ? await world.bitcoin.transfer({ to: address, amount }) : txHash
      if (!sim.onDeposit({ chainId, token: order.input.address, address, amount, txHash: sent }))
        throw new Error('unknown address')
      return address
    }
    case 'TRANSACTION': {
      const { chainId, to, data, value } = payload.transaction
      const landed = await network.land({ chainId, from: order.sender, to, data, value, txHash })
      if (!sim.onTransaction(landed)) throw new Error('unknown transaction')
      return txHash
    }
  }
}

/** One swap of each kind that a venue serves: another execution type, another kind of chain on either side. */
export const stagesOf = async (bench: AnyBench): Promise<readonly Stage[]> => {
  const stages = new Map<string, Stage>()
  for (const order of servedBy(bench)) {
    const swap = await swapOf(bench.venue, order)
    const kind = [swap.offer.executionType, ecosystemOf(order.input.chainId), ecosystemOf(order.output.chainId)].join()
    if (!stages.has(kind)) stages.set(kind, { swap, ref: await pay(bench, swap) })
  }
  bench.clock.advance(SEEN_MS)
  return [...stages.values()]
}

export type CallName = 'quote' | 'execute' | 'submit' | 'track' | 'track without our record' | 'prices'
export type VenueCall = (venue: Venue, signal: AbortSignal) => Promise<unknown>

/** Everything that is ever asked of a venue about a swap. A call that it has not is left out. */
export const callsOf = ({ swap, ref }: Stage, { submitter, tracker, prices }: Venue): ReadonlyMap<CallName, VenueCall> => {
  const calls = new Map<CallName, VenueCall>()
  calls.set('quote', (venue, signal) => venue.quote(swap.order, signal))
  calls.set('execute', (venue, signal) => venue.execute(swap, swap.binding, signal))
  if (submitter && swap.execution.payload.executionType === 'SIGNATURE')
    calls.set('submit', async (venue, signal) => venue.submitter?.submit(swap, await signed(swap.execution), signal))
  if (tracker) calls.set('track', async (venue, signal) => venue.tracker?.track(ref, swap, signal))
  if (tracker)
    calls.set('track without our record', async (venue, signal) => venue.tracker?.track(ref, { ...swap, executed: null }, signal))
  if (prices) calls.set('prices', async (venue, signal) => venue.prices?.usd(swap.order.input, signal))
  return calls
}

/** Asked beside the way: where the answer fails the call goes on, in the same state, and may say less. */
const BESIDE: readonly (readonly [venue: string, call: CallName, path: RegExp])[] = [
  // What was delivered, from the books, and under which request a deposit was quoted again.
  ['relay', 'track', /^\/requests\/v3$/],
  // Refines an order that is open.
  ['cow', 'track', /\/status$/],
  ['cow', 'track without our record', /\/status$/],
]

export const isBeside = (venue: string, { name, path }: { readonly name: CallName; readonly path: string }): boolean =>
  BESIDE.some(([of, call, asked]) => of === venue && call === name && asked.test(path))

/** A path without the name of what a call itself opened, which is another one each time. */
export const steadyPath = (path: string): string => path.replace(/([0-9]+-[A-Za-z]+-[0-9]+|[0-9A-F]{64})$/, '')

/** A path without the id of one swap in it. */
export const pathKind = (path: string): string => steadyPath(path).replace(/0x[0-9a-f]+/, '{id}')
