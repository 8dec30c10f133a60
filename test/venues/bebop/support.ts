import { addressOf } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { createBebop } from '../../../engine/simnet/venues/bebop/bebop.ts'
import { bebop } from '../../../engine/venues/bebop/venue.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { type Answering, type Canned, type CannedOptions, canned } from '../../support/venueKit/canned.ts'
import { networkOf } from '../fakeNetworks.ts'

export const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
export const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
export const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
export const ROUTER = '0xBeb0009ACa35087ce7cCF11637E24dd1Aad3bf2A'
export const SETTLEMENT = '0xbbbbbBB520d69a9775E85b458C58c648259FAD5F'
export const JAM = '0xbeb0b0623f66bE8cE162EbDfA2ec543A522F4ea6'
export const BALANCE_MANAGER = '0xC5a350853E4e36b73EB0C24aaA4b8816C9A3579a'
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
/** Who signs for the published router, by recorded quotes. */
export const LIVE_SIGNER = '0x00677F201E2f4A30D1D5b4e0ebbF672CaF336727'
export const SOURCE = 'acme'
export const API_KEY = 'a-key-0123456789'

export const SETTINGS = { FEE_RECIPIENT }
export const BY_RFQ = { ...SETTINGS, TOKENS_BY: 'rfq' }

/** Chains whose contracts return this address, whatever is read. */
export const chainsNaming = (address: string): FakeChains => {
  const chains = createFakeChains()
  chains.script.call = async () => `0x${address.slice(2).padStart(64, '0')}`
  return chains
}

export type BebopBench = VenueBench & { readonly chains: FakeChains }

export const openBench = async (
  options: { readonly settings?: Record<string, string>; readonly apiKey?: string } = {},
): Promise<BebopBench> => {
  const chains = createFakeChains()
  const { evm } = networkOf('bebop')
  return {
    ...(await createVenueBench(bebop, createBebop, { chains, evm, settings: SETTINGS, apiKey: null, ...options })),
    chains,
  }
}

export const cannedBebop = (answering: Answering, options: CannedOptions = {}): Canned =>
  canned(bebop, answering, { settings: SETTINGS, ...options })

/** 1,000 USDC to WETH on Ethereum, paid out to another wallet. */
export const usdcToWeth = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({ from: [1, USDC], to: [1, WETH], amount: 1_000_000_000n, recipient: WALLETS.evmOther, ...wish })

/** Sold by the settlement of makers, where it is sold by RFQ. */
export const usdcToDai = (wish: Partial<OrderWish> = {}): VenueOrder => usdcToWeth({ to: [1, DAI], ...wish })

/** 1 ether to USDC on Ethereum. */
export const etherToUsdc = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({ from: [1, NATIVE], to: [1, USDC], amount: 10n ** 18n, recipient: WALLETS.evmOther, ...wish })

export type Body = Record<string, unknown>
