import { EvmRevert } from '../../../engine/simnet/evm/evmRevert.ts'
import type { SimCall, SimEvm } from '../../../engine/simnet/kit/world.ts'
import { receiptOf } from '../../support/venueKit/network.ts'

export type FakeFills = {
  readonly evm: Partial<SimEvm>
  /** What was sent and taken, in order. */
  readonly sent: SimCall[]
  /** Set, contracts revert with it. */
  refusal: string | null
}

/** A chain that takes whatever a filler sends. The reactors themselves are on the offline chains: e2e/journeys. */
export const fakeFills = (): FakeFills => {
  const sent: SimCall[] = []
  const fake: FakeFills = {
    sent,
    refusal: null,
    evm: {
      rpc: async () => '0x10',
      fund: async () => undefined,
      call: async () => {
        if (fake.refusal !== null) throw new EvmRevert(fake.refusal, null)
        return '0x'
      },
      send: async (call) => {
        sent.push(call)
        return receiptOf(`0x${String(sent.length).padStart(64, '0')}`)
      },
    },
  }
  return fake
}
