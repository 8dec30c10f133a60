import { encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { expect } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { addressOf } from '../../../engine/core/address.ts'
import type { EvmChainId } from '../../../engine/core/chain.ts'
import { createArtifacts } from '../../../engine/simnet/contracts/createArtifacts.ts'
import { relayContracts } from '../../../engine/simnet/contracts/relayContracts.ts'
import { createEvmChains } from '../../../engine/simnet/evm/evmChains.ts'
import { createSimClock } from '../../../engine/simnet/kit/simRandom.ts'
import { createTokens } from '../../../engine/simnet/kit/tokens.ts'
import type { SimCall, World } from '../../../engine/simnet/kit/world.ts'
import { payFor } from '../../../engine/simnet/venues/relay/payFor.ts'
import { NATIVE } from '../../../scripts/client/tokens.ts'
import { seenEvm } from '../../support/seenEvm.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { type Swap, transactionOf } from '../../support/venueKit/calls.ts'

/** Offline chains with Relay's depository and router, which deposit, fill and refund payloads of the adapter. */

/** Of no venue: it makes calls of its own, several in one transaction. */
export const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11'
const AGGREGATE = parseAbi([
  'struct Call3 { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call3[] calls) payable',
])

const FIRST = 7

const callOf = ({ order, execution }: Swap): SimCall => {
  const { chainId, to, data, value } = transactionOf(execution)
  return { chainId, from: order.sender, to, data, value }
}

export const openEventsNetwork = () => {
  const tokens = createTokens()
  const clock = createSimClock(() => START_OF_TIME)
  const chains = createEvmChains({ clock, tokens, artifacts: createArtifacts(), contracts: [relayContracts] })

  /** A transaction as the engine sees it. */
  const seen = async (chainId: number, txHash: string): Promise<SeenTransaction> => {
    const receipt = await chains.receipt(chainId, txHash)
    const { from, to, input, value } = (await chains.rpc(chainId, 'eth_getTransactionByHash', [txHash])) as Record<string, string>
    const call = {
      from: addressOf('evm', from ?? ''),
      to: addressOf('evm', to ?? ''),
      data: input as Hex,
      value: BigInt(value ?? 0),
    }
    const shown = seenEvm(chainId as EvmChainId, receipt?.logs ?? [], { first: FIRST, call })
    const token = addressOf('evm', NATIVE)
    const sent = call.value > 0n ? [{ place: 'value', token, from: call.from, to: call.to, amount: call.value }] : []
    return { ...shown, movements: [...sent, ...shown.movements] }
  }

  const land = async (call: SimCall): Promise<SeenTransaction> => {
    await chains.call(call)
    const { status, txHash } = await chains.land(call)
    expect(status).toBe('success')
    return seen(call.chainId, txHash)
  }

  const approval = ({ order: { input, inputAmount }, execution }: Swap, times = 1n): SimCall[] => {
    if (input.address === NATIVE) return []
    const args = [transactionOf(execution).to as Hex, inputAmount * times] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    return [{ chainId: input.chainId, from: MULTICALL, to: input.address, data }]
  }

  const fund = ({ order: { input, inputAmount: amount } }: Swap, holder: string) =>
    chains.faucet({ chainId: input.chainId, token: input.address, holder, amount })

  const world = { evm: { transfer: chains.pay } } as unknown as World

  return {
    close: () => chains.close(),
    /** Sent by the wallet itself. */
    pay: async (swap: Swap): Promise<SeenTransaction> => {
      await fund(swap, swap.order.sender)
      for (const call of approval(swap)) await land({ ...call, from: swap.order.sender })
      return land(callOf(swap))
    },
    /** Calls of one contract in one transaction. */
    bundle: async (swaps: readonly Swap[]): Promise<SeenTransaction> => {
      const [first] = swaps
      if (!first) throw new TypeError('a bundle of nothing')
      const { chainId, address } = first.order.input
      for (const swap of swaps) await fund(swap, address === NATIVE ? swap.order.sender : MULTICALL)
      const calls = [...approval(first, BigInt(swaps.length)), ...swaps.map(callOf)].map(({ to, data, value = 0n }) => ({
        target: to as Hex,
        allowFailure: false,
        value,
        callData: data as Hex,
      }))
      const value = calls.reduce((sum, call) => sum + call.value, 0n)
      const data = encodeFunctionData({ abi: AGGREGATE, functionName: 'aggregate3Value', args: [calls] })
      return land({ chainId, from: first.order.sender, to: MULTICALL, data, value })
    },
    /** As the simulated solver pays for an order. */
    payFor: async (orderId: string, chainId: number, token: string, to: string, amount: bigint): Promise<SeenTransaction> => {
      const known = tokens.find(chainId, token)
      if (!known) throw new TypeError(`no token ${token}`)
      return seen(chainId, await payFor(world, orderId, { token: known, to, amount }))
    },
  }
}
