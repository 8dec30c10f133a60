import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { createLifi } from '../../../engine/simnet/venues/lifi/lifi.ts'
import { lifi } from '../../../engine/venues/lifi/venue.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { toldAs } from '../../support/venueKit/canned.ts'
import { createLifiNetwork } from './fakeNetwork.ts'

export const DIAMOND = addressOf('evm', '0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE')
export const FORWARDER = '0xCE40449B773a3E6E5e769ADb4e567179d4828cbd'
export const TREASURY = '0xc06ebbefd94032b85424d51906e2a335efae264b'
export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
export const WITH_FEE = { INTEGRATOR: 'ourswap', FEE_RECIPIENT }
export const DAI_ETHEREUM = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
export const WETH = { base: '0x4200000000000000000000000000000000000006', arbitrum: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1' }
export const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
export const [QUOTE, STATUS] = ['/v1/quote', '/v1/status']
/** Only Circle's bridge, only Across, and only solvers. */
export const [BY_CCTP, BY_ACROSS] = [
  { DENY_BRIDGES: 'across,lifiIntents' },
  { DENY_BRIDGES: 'polymer,polymerStandard,lifiIntents' },
]
export const BY_INTENTS = { DENY_BRIDGES: 'across,polymer,polymerStandard' }

const orderOf =
  (usual: OrderWish) =>
  (wish: Partial<OrderWish> = {}): VenueOrder =>
    anOrder({ recipient: WALLETS.evmOther, ...usual, ...wish })

export const orders = {
  /** 1000 USDC to DAI on Ethereum, for someone else than the sender. */
  usdc: orderOf({ from: [1, USDC.ethereum], to: [1, DAI_ETHEREUM], amount: 1_000_000_000n }),
  ether: orderOf({ from: [1, NATIVE], to: [1, USDC.ethereum], amount: 10n ** 18n }),
  toEther: orderOf({ from: [1, USDC.ethereum], to: [1, NATIVE], amount: 1_000_000_000n }),
  /** 250 USDC from Base to Arbitrum. */
  bridged: orderOf({ from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n }),
  bridgedEther: orderOf({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n }),
  exchanged: orderOf({ from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n }),
  toSolana: orderOf({ from: [8453, USDC.base], to: [-2, USDC.solana], amount: 250_000_000n, recipient: WALLETS.solana }),
}

type Options = { readonly settings?: { readonly [name: string]: string }; readonly apiKey?: string }

export const openBench = async (
  options: Options = {},
): Promise<VenueBench & { readonly network: ReturnType<typeof createLifiNetwork> }> => {
  const network = createLifiNetwork()
  const { evm, solana } = network
  const bench = await createVenueBench(lifi, createLifi, { chains: createFakeChains(), ...options, evm, solana })
  return Object.assign(bench, { network })
}

/** The adapter, told by the simulator, but for what is changed on its way or said instead. */
export const told = toldAs(lifi, { apiKey: 'a-key-0123456789' })
