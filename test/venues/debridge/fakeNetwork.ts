import { createFakeNetwork, type FakeNetwork, receiptOf } from '../../support/venueKit/network.ts'
import { createdBy, createdLog } from './abi.ts'

/** EVM chains on which DlnSource accepts every order. Journeys use the contracts themselves. */
export const createDebridgeNetwork = (): FakeNetwork =>
  createFakeNetwork({
    evm: { fund: async () => undefined, call: async () => '0x', send: async () => receiptOf(`0x${'de'.repeat(32)}`) },
    landOnEvm: (call) => ({ ...call, logs: [createdLog(createdBy(call))], status: 'success' }),
  })
