import { decodeFunctionData, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi } from 'viem'
import { expect } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { cowContracts } from '../../../engine/simnet/contracts/cowContracts.ts'
import { createArtifacts } from '../../../engine/simnet/contracts/createArtifacts.ts'
import { createEvmChains } from '../../../engine/simnet/evm/evmChains.ts'
import { createSimClock } from '../../../engine/simnet/kit/simRandom.ts'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { createTokens } from '../../../engine/simnet/kit/tokens.ts'
import type { SimCall } from '../../../engine/simnet/kit/world.ts'
import { COW_SOLVER } from '../../../engine/simnet/venues/cow/networks.ts'
import type { OrderWish } from '../../support/anOrder.ts'
import { seenEvm } from '../../support/seenEvm.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { type Swap, sign, swapOf, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { type CowBench, ETH_FLOW, SETTLEMENT, USDC, usdcToWeth, VAULT_RELAYER, WETH } from './support.ts'

/** An offline Ethereum with CoW Protocol contracts, which place and settle payloads of the adapter. */

const SETTLE = parseAbi([
  'struct TradeData { uint256 sellTokenIndex; uint256 buyTokenIndex; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; uint256 flags; uint256 executedAmount; bytes signature; }',
  'struct Interaction { address target; uint256 value; bytes callData; }',
  'function settle(address[] tokens, uint256[] clearingPrices, TradeData[] trades, Interaction[][3] interactions)',
])
const FLOW_ORDER =
  '(address buyToken, address receiver, uint256 sellAmount, uint256 buyAmount, bytes32 appData, uint256 feeAmount, uint32 validTo, bool partiallyFillable, int64 quoteId) order'
const CREATE = parseAbi([`function createOrder(${FLOW_ORDER})`])
const WRAP_ALL = encodeFunctionData({ abi: parseAbi(['function wrapAll()']), functionName: 'wrapAll' })

export type Landed = { readonly seen: SeenTransaction; readonly logs: readonly SimLog[] }

type Trade = { readonly terms: Record<string, unknown>; readonly signature: Hex; readonly flags: bigint }

export const decodeCreate = (data: Hex) => decodeFunctionData({ abi: CREATE, data }).args as unknown as [Record<string, unknown>]

export const signedTrade = async ({ execution }: Swap): Promise<Trade> => {
  const typedData = typedDataOf(execution)
  return { terms: typedData.message as Record<string, unknown>, signature: await sign(typedData), flags: 0n }
}

export const placedTrade = ({ execution }: Swap): Trade => {
  const { data } = transactionOf(execution)
  const [flow] = decodeCreate(data as Hex)
  return { terms: { ...flow, sellToken: WETH, validTo: 0xffffffff }, signature: ETH_FLOW, flags: 2n << 5n }
}

export const openEventsNetwork = (benchOf: () => CowBench) => {
  const clock = createSimClock(() => START_OF_TIME)
  const chains = createEvmChains({ clock, tokens: createTokens(), artifacts: createArtifacts(), contracts: [cowContracts] })

  const give = (token: string, holder: string, amount: bigint) => chains.faucet({ chainId: 1, token, holder, amount })

  const land = async (call: Omit<SimCall, 'chainId'>): Promise<Landed> => {
    await chains.call({ chainId: 1, ...call })
    const { logs, status, timestamp } = await chains.land({ chainId: 1, ...call })
    expect(status).toBe('success')
    return { seen: seenEvm(1, logs, { first: 3, at: timestamp * 1_000 }), logs }
  }

  const place = async (swap: Swap, change: Partial<SimCall> = {}): Promise<Landed> => {
    const { to, data, value } = transactionOf(swap.execution)
    const from = change.from ?? swap.order.sender
    await give('0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', from, value)
    return land({ from, to, data, value, ...change })
  }

  /** One settlement of these trades, each paid `bought`. */
  const settle = async (trades: readonly Trade[], bought: bigint): Promise<Landed> => {
    const [first] = trades
    if (!first) throw new Error('nothing is settled')
    const [sellToken, buyToken] = [String(first.terms['sellToken']), String(first.terms['buyToken'])] as [Hex, Hex]
    await give(buyToken, SETTLEMENT, bought * BigInt(trades.length))
    const data = encodeFunctionData({
      abi: SETTLE,
      functionName: 'settle',
      args: [
        [sellToken, buyToken],
        [bought, BigInt(String(first.terms['sellAmount']))],
        trades.map(({ terms, signature, flags }) => ({
          ...(terms as never as { receiver: Hex; appData: Hex; validTo: number }),
          sellTokenIndex: 0n,
          buyTokenIndex: 1n,
          sellAmount: BigInt(String(terms['sellAmount'])),
          buyAmount: BigInt(String(terms['buyAmount'])),
          feeAmount: 0n,
          flags,
          executedAmount: 0n,
          signature,
        })),
        [first.flags === 0n ? [] : [{ target: ETH_FLOW, value: 0n, callData: WRAP_ALL }], [], []],
      ],
    })
    return land({ from: COW_SOLVER, to: SETTLEMENT, data })
  }

  const funded = async (wish: Partial<OrderWish> = {}): Promise<Swap> => {
    const swap = await swapOf(benchOf().venue, usdcToWeth(wish))
    await give(USDC, swap.order.sender, swap.order.inputAmount)
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [VAULT_RELAYER, maxUint256] })
    await land({ from: swap.order.sender, to: USDC, data })
    return swap
  }

  return {
    ...{ clock, give, land, place, settle, funded },
    call: chains.call,
    balance: (token: string, owner: string) => chains.balance(1, token, owner),
    close: () => chains.close(),
  }
}
