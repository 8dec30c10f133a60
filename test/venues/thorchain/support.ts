import { addressOf } from '../../../engine/core/address.ts'
import { createThorchain } from '../../../engine/simnet/venues/thorchain/thorchain.ts'
import { thorchain } from '../../../engine/venues/thorchain/venue.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { usually, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { toldAs } from '../../support/venueKit/canned.ts'

export const ROUTER_6 = addressOf('evm', '0x00dc6100103BC402d490aEE3F9a5560cBd91f1d4')
export const ROUTER_4 = addressOf('evm', '0xD37BbE5744D730a1d98d8DC97c42F0Ca46aD7146')
export const VAULT = addressOf('evm', '0x4feea1caeea66b3351ddba68bd80c37c9ed6c3c8')
export const BITCOIN_VAULT = addressOf('bitcoin', 'bc1qct4mxayrdy96d4py20l4u02mu06r667f42p9fp')
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
export const USDC_BASE_POOL = 'BASE.USDC-0X833589FCD6EDB6E08F4C7C32D4F71B54BDA02913'
export const SETTINGS = { SECOND_URL: '/second', MEMOLESS_URL: '/memoless/api/v1' }
export const [INBOUND, POOLS, QUOTE] = ['/thorchain/inbound_addresses', '/thorchain/pools', '/thorchain/quote/swap']
export const ASGARD = '/thorchain/vaults/asgard'
export const SECOND = '/second'
export const REGISTER = '/memoless/api/v1/register'

const FOR_OTHER = { recipient: WALLETS.evmOther, slippageBps: 100 }
export const TN = { AFFILIATE: 'tn' }

export const orders = {
  /** 250 USDC on Base to ether on Ethereum, for someone else than the sender. */
  usdc: usually({ ...FOR_OTHER, from: [8453, USDC.base], to: [1, NATIVE], amount: 250_000_000n }),
  ether: usually({ ...FOR_OTHER, from: [1, NATIVE], to: [-1, NATIVE], amount: 10n ** 18n, recipient: WALLETS.bitcoin }),
  toUsdc: usually({ ...FOR_OTHER, from: [1, NATIVE], to: [8453, USDC.base], amount: 10n ** 18n }),
  bitcoin: usually({
    ...{ from: [-1, NATIVE], to: [8453, USDC.base], amount: 5_000_000n, slippageBps: 100 },
    ...{ recipient: WALLETS.evm, refundTo: WALLETS.bitcoin },
  }),
}

type Options = { readonly settings?: { readonly [name: string]: string }; readonly apiKey?: string; readonly chains?: FakeChains }

export const openBench = ({ chains = createFakeChains(), ...options }: Options = {}): Promise<VenueBench> =>
  createVenueBench(thorchain, createThorchain, { chains, ...options, evm: { fund: async () => undefined } })

/** The adapter, told by the simulator, but for what is changed on its way or said instead. */
export const told = toldAs(thorchain, { settings: SETTINGS })
