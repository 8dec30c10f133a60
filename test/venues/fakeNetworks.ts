import { createFakeNetwork, type FakeNetwork, receiptOf } from '../support/venueKit/network.ts'
import { createAcrossNetwork } from './across/fakeNetwork.ts'
import { createChainflipNetwork } from './chainflip/fakeNetwork.ts'
import { ethFlowLogs } from './cow/fakeEvm.ts'
import { createDebridgeNetwork } from './debridge/support.ts'
import { createLifiNetwork } from './lifi/fakeNetwork.ts'
import { createMayanNetwork } from './mayan/fakeNetwork.ts'
import { createRelayNetwork } from './relay/fakeNetwork.ts'
import { createThorchainNetwork } from './thorchain/fakeNetwork.ts'
import { createZeroxNetwork } from './zerox/fakeNetwork.ts'

/** Of the venues that read the events of their contracts, by id. */
const OF_THEIR_OWN: { readonly [venue: string]: () => FakeNetwork } = {
  across: createAcrossNetwork,
  bebop: () =>
    createFakeNetwork({
      evm: { fund: async () => undefined, call: async () => '0x', send: async () => receiptOf(`0x${'be'.repeat(32)}`) },
    }),
  chainflip: createChainflipNetwork,
  cow: () => createFakeNetwork({ landOnEvm: (call) => ({ ...call, logs: ethFlowLogs(call), status: 'success' }) }),
  debridge: createDebridgeNetwork,
  // Its executor is given what it will pay.
  kyberswap: () => createFakeNetwork({ evm: { fund: async () => undefined } }),
  lifi: createLifiNetwork,
  mayan: createMayanNetwork,
  relay: createRelayNetwork,
  thorchain: createThorchainNetwork,
  zerox: createZeroxNetwork,
  // The reactors themselves are on the offline chains: e2e/journeys.
  uniswapx: () => createFakeNetwork({ evm: { rpc: async () => '0x10', fund: async () => undefined } }),
}

export const networkOf = (venue: string): FakeNetwork => (OF_THEIR_OWN[venue] ?? createFakeNetwork)()
