import { createFakeNetwork, type FakeNetwork, receiptOf } from '../../support/venueKit/network.ts'

/** Chains that take what the pool is given and what the relayer sends, and say nothing of wallets. */
export const createZeroxNetwork = (): FakeNetwork =>
  createFakeNetwork({
    evm: { fund: async () => undefined, call: async () => '0x', send: async () => receiptOf(`0x${'12'.repeat(32)}`) },
  })
