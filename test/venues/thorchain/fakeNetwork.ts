import { decodeFunctionData, type Hex, parseAbi } from 'viem'
import type { SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import { eventLog } from '../../support/seenEvm.ts'
import { createFakeNetwork, type FakeNetwork, receiptOf } from '../../support/venueKit/network.ts'

export const ROUTER_ABI = parseAbi([
  'function depositWithExpiry(address vault, address asset, uint256 amount, string memo, uint256 expiration) payable',
  'event Deposit(address indexed to, address indexed asset, uint256 amount, string memo)',
  'event TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** The event of a call. The contract itself is on the offline chains: e2e/journeys. */
export const depositLog = ({ to, data }: Pick<SimTransaction, 'to' | 'data'>) => {
  const [vault, asset, amount, memo] = decodeFunctionData({ abi: ROUTER_ABI, data: data as Hex }).args
  return eventLog(ROUTER_ABI, 'Deposit', to, { to: vault, asset, amount, memo })
}

export const createThorchainNetwork = (): FakeNetwork =>
  createFakeNetwork({
    landOnEvm: (call) => ({ ...call, logs: [depositLog(call)], status: 'success' }),
    evm: { fund: async () => undefined, call: async () => '0x', send: async () => receiptOf(`0x${'7c'.repeat(32)}`) },
  })
