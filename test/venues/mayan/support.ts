import { addressOf } from '../../../engine/core/address.ts'
import { createMayan } from '../../../engine/simnet/venues/mayan/mayan.ts'
import { mayan } from '../../../engine/venues/mayan/venue.ts'
import type { FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { createNetworkChains } from '../../support/venueKit/network.ts'
import { ordersIn } from '../../support/venueKit/runCase.ts'
import cases from './cases.json' with { type: 'json' }
import { createMayanNetwork } from './fakeNetwork.ts'

export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
export const STRANGER_ON_SOLANA = addressOf('solana', 'CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr')
export const USDC_POLYGON = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
export const WETH_BASE = '0x4200000000000000000000000000000000000006'
export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const REFERRER = addressOf('solana', 'BKNWCRvTFDg5vFzCMvDcFMZWTMYLPK8Y1DLUnXvSbKVZ')
export const WITH_FEE = { FEE_RECIPIENT, REFERRER }
export const QUOTE = '/quote'

export const orders = ordersIn(cases)

export type MayanBench = VenueBench & { readonly chains: FakeChains }

export const openBench = async (
  options: { settings?: { readonly [name: string]: string }; apiKey?: string } = {},
): Promise<MayanBench> => {
  const network = createMayanNetwork()
  const chains = createNetworkChains(network)
  const { evm, solana } = network
  return { ...(await createVenueBench(mayan, createMayan, { chains, ...options, evm, solana })), chains }
}
