import type { Hex } from '../../../engine/core/execution.ts'
import { bebopContracts } from '../../../engine/simnet/contracts/bebopContracts.ts'
import { createArtifacts } from '../../../engine/simnet/contracts/createArtifacts.ts'
import { createEvmChains } from '../../../engine/simnet/evm/evmChains.ts'
import { createTokens } from '../../../engine/simnet/kit/tokens.ts'
import type { SimCall, SimReceipt } from '../../../engine/simnet/kit/world.ts'
import { createBebop } from '../../../engine/simnet/venues/bebop/bebop.ts'
import { bebop } from '../../../engine/venues/bebop/venue.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { BY_RFQ, FEE_RECIPIENT } from './support.ts'

/** The simulated venue beside an offline Ethereum with the stand-ins of its contracts. */
export const chainBench = async () => {
  const held: { bench: VenueBench | null } = { bench: null }
  const clock = { now: () => held.bench?.clock.now() ?? START_OF_TIME, advance: () => undefined }
  const evm = createEvmChains({ clock, tokens: createTokens(), artifacts: createArtifacts(), contracts: [bebopContracts] })
  const receipts = new Map<string, SimReceipt>()
  const land = async (call: SimCall): Promise<SimReceipt> => {
    const receipt = await evm.land(call)
    receipts.set(receipt.txHash, receipt)
    return receipt
  }
  const chains = createFakeChains()
  chains.script.call = ({ chainId, address, from }, data) =>
    evm.call({ chainId, to: address, data, ...(from && { from }) }).then(
      (answer) => answer as Hex,
      () => null,
    )
  chains.script.code = async ({ chainId, address }) => (await evm.rpc(chainId, 'eth_getCode', [address, 'latest'])) as Hex
  const { rpc, call, balance, receipt, faucet } = evm
  const world = { rpc, call, balance, receipt, fund: faucet, send: land }
  const bench = await createVenueBench(bebop, createBebop, {
    chains,
    evm: world,
    settings: { ...BY_RFQ, FEE_RECIPIENT },
    apiKey: null,
  })
  held.bench = bench
  const close = async () => {
    await bench.close()
    await evm.close()
  }
  return { ...bench, chains, evm, land, receipts, close }
}

export type ChainBench = Awaited<ReturnType<typeof chainBench>>
