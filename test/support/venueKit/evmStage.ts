import { encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem'
import { createArtifacts } from '../../../engine/simnet/contracts/createArtifacts.ts'
import { createEvmChains } from '../../../engine/simnet/evm/evmChains.ts'
import { createSimClock } from '../../../engine/simnet/kit/simRandom.ts'
import { createTokens } from '../../../engine/simnet/kit/tokens.ts'
import { START_OF_TIME } from '../venueBench.ts'

type Contracts = NonNullable<Parameters<typeof createEvmChains>[0]['contracts']>[number]
type Stock = { readonly chainId: number; readonly token: string; readonly holder: string; readonly amount: bigint }

/** Offline EVM chains with the contracts of one venue, whose clock stands still. */
export const createEvmStage = (contracts: Contracts) => {
  const clock = createSimClock(() => START_OF_TIME)
  const evm = createEvmChains({ clock, tokens: createTokens(), artifacts: createArtifacts(), contracts: [contracts] })
  const land = async (call: Parameters<typeof evm.land>[0]): Promise<void> => {
    const { status } = await evm.land(call)
    if (status !== 'success') throw new Error('the transaction reverted')
  }
  /** Gives a wallet tokens, and lets somebody take them. */
  const stock = async ({ chainId, token, holder, amount }: Stock, spender: string): Promise<void> => {
    await evm.faucet({ chainId, token, holder, amount })
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, maxUint256] })
    await land({ chainId, from: holder, to: token, data })
  }
  const { rpc, call, faucet: fund, balance } = evm
  return { ...evm, send: evm.land, land, stock, world: { rpc, call, send: evm.land, fund, balance } }
}
