import { addressOf } from '../../../engine/core/address.ts'
import { createRelay } from '../../../engine/simnet/venues/relay/relay.ts'
import { chainNamesIn } from '../../../engine/venues/relay/map.ts'
import { orderIdsOf } from '../../../engine/venues/relay/order.ts'

import { PINNED } from '../../../engine/venues/relay/protocol.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { usually, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { toldAs } from '../../support/venueKit/canned.ts'
import { createRelayNetwork } from './fakeNetwork.ts'

export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const { depository: DEPOSITORY, routers: ROUTERS } = PINNED[8453]
export const LINEA_DEPOSITORY = PINNED[59144].depository
export const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
export const WITH_FEE = { FEE_RECIPIENT }
export const API_KEY = 'relay-key-1234'

const forOther = { recipient: WALLETS.evmOther }
export const orders = {
  /** 250 USDC from Base to Arbitrum, for someone else than the sender. */
  usdc: usually({ ...forOther, from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n }),
  ether: usually({ ...forOther, from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n }),
  sol: usually({ ...forOther, from: [-2, NATIVE_SOL], to: [8453, USDC.base], amount: 10n ** 10n }),
  solanaUsdc: usually({ ...forOther, from: [-2, USDC.solana], to: [8453, USDC.base], amount: 250_000_000n }),
  bitcoin: usually({ ...forOther, from: [-1, NATIVE], to: [8453, USDC.base], amount: 1_000_000n }),
}

type Options = { readonly settings?: { readonly [name: string]: string } }

export const openBench = async (options: Options = {}): Promise<VenueBench & { readonly chains: FakeChains }> => {
  const chains = createFakeChains()
  const { evm, solana } = createRelayNetwork()
  return { ...(await createVenueBench(relay, createRelay, { chains, ...options, evm, solana })), chains }
}

/** The adapter with the simulator's answers, but for what is changed on its way or said instead. */
export const told = toldAs(relay)

/** A list of these chains by the names orders have for them, as short as the adapter reads it. */
export const listed = (chains: { readonly [name: string]: number }) => ({
  chains: Object.entries(chains).map(([name, id]) => ({ id, protocol: { v2: { chainId: name } } })),
})

const NAMES = chainNamesIn({ settings: { CHAIN_NAMES: '42161=arb,8453=base2' } })

/** The id of an order: its first hash. */
export const idOf = async (order: unknown): Promise<string> => (await orderIdsOf(order as never, NAMES))[0] ?? ''
