import { createFakeNetwork, type FakeNetwork, receiptOf } from '../../support/venueKit/network.ts'

/** Chains that accept every transaction and have no wallet balances. */
export const createZeroxNetwork = (): FakeNetwork =>
  createFakeNetwork({
    evm: { fund: async () => undefined, call: async () => '0x', send: async () => receiptOf(`0x${'12'.repeat(32)}`) },
  })
