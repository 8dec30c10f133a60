import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { SimEvm } from '../../../engine/simnet/kit/world.ts'
import { createAcross } from '../../../engine/simnet/venues/across/across.ts'
import { across } from '../../../engine/venues/across/venue.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { never, type Swap, transactionOf } from '../../support/venueKit/calls.ts'
import { type Answering, type Canned, type CannedOptions, canned } from '../../support/venueKit/canned.ts'
import { type AcrossNetwork, createAcrossNetwork } from './fakeNetwork.ts'

export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const WITH_FEE = { FEE_RECIPIENT, INTEGRATOR_ID: '0xbeef' }

export const USDC = {
  base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  arbitrum: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  ethereum: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  bsc: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
} as const
export const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
export const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
export const WETH = {
  base: '0x4200000000000000000000000000000000000006',
  arbitrum: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
} as const

export const SPOKE_POOL_BASE = '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'
export const SPOKE_POOL_ARBITRUM = '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A'
export const PERIPHERY = '0x97CCDBea4632140639aD5eA9b944aa034eb15fD4'
export const SVM_SPOKE = 'DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru'

export type AcrossBench = VenueBench & { readonly chains: FakeChains; readonly network: AcrossNetwork }

export const openBench = async (
  options: { settings?: { readonly [name: string]: string }; apiKey?: string; evm?: Partial<SimEvm> } = {},
): Promise<AcrossBench> => {
  const chains = createFakeChains()
  const network = createAcrossNetwork(options.evm)
  const { evm, solana } = network
  return { ...(await createVenueBench(across, createAcross, { chains, ...options, evm, solana })), chains, network }
}

/** Puts what was built on its chain, as the wallet would. True when the venue saw it. */
export const broadcast = async (
  { network, sim }: AcrossBench,
  { order, execution }: Pick<Swap, 'order' | 'execution'>,
  txHash: string,
  change: { readonly data?: string } = {},
): Promise<boolean> => {
  const { to, data, value, chainId } = transactionOf(execution)
  return sim.onTransaction(await network.land({ chainId, from: order.sender, to, data, value, txHash, ...change }))
}

/** 250 USDC from Base to Arbitrum, for someone else than the sender. */
export const usdcOrder = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({
    from: [8453, USDC.base],
    to: [42161, USDC.arbitrum],
    amount: 250_000_000n,
    recipient: WALLETS.evmOther,
    ...wish,
  })

/** The adapter, given these answers. */
export const told = (answering: Answering, options: CannedOptions = {}): Canned => canned(across, answering, options)

/** A proper answer of the simulator to what the adapter asks for this order. */
export const properAnswer = async (order: VenueOrder, settings: { readonly [name: string]: string } = {}): Promise<unknown> => {
  const bench = await openBench({ settings })
  try {
    await bench.venue.quote(order, never())
    const response = await fetch(`${bench.baseUrl}/swap/approval?${bench.sent[0]?.query}`)
    return await response.json()
  } finally {
    await bench.close()
  }
}
