import { encodeEventTopics, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi, parseEventLogs } from 'viem'
import { expect } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import type { EvmChainId } from '../../../engine/core/chain.ts'
import { acrossContracts } from '../../../engine/simnet/contracts/acrossContracts.ts'
import { createArtifacts } from '../../../engine/simnet/contracts/createArtifacts.ts'
import { createEvmChains } from '../../../engine/simnet/evm/evmChains.ts'
import { createSimClock } from '../../../engine/simnet/kit/simRandom.ts'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { createTokens } from '../../../engine/simnet/kit/tokens.ts'
import type { SimCall } from '../../../engine/simnet/kit/world.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { seenEvm } from '../../support/seenEvm.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { type Swap, transactionOf } from '../../support/venueKit/calls.ts'
import { EVENTS, FILLS } from './abi.ts'
import { type Change, changed, fieldsOf, word } from './forging.ts'
import { ARB, NATIVE, SPOKE_POOL_ARBITRUM, SPOKE_POOL_BASE, USDC, usdcOrder, WETH } from './support.ts'

/** Two offline chains with Across contracts, which deposit and fill payloads of the adapter. */

const RELAYER = '0xd02Ac4801b4cC7CB4301d8cC3C9a02d7D6CD9907'
const EXCHANGE = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
export const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11'
const AGGREGATE = parseAbi([
  'struct Call3 { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function aggregate3Value(Call3[] calls) payable',
])

export const STRANGER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
export const ETHER = 10n ** 18n
/** Coins from Base to Arbitrum, and a token that is exchanged before it is bridged. */
export const ether = { from: [8453, NATIVE], to: [42161, NATIVE], amount: ETHER, recipient: WALLETS.evmOther } as const
export const exchanged = {
  from: [42161, ARB],
  to: [8453, USDC.base],
  amount: 1_000n * ETHER,
  recipient: WALLETS.evmOther,
} as const

/** What a delivery may be of, and the form in which it arrives. */
export const DELIVERED = [
  ['a token', usdcOrder(), 'tokens'],
  ['a token, and a fee of what arrives', usdcOrder({ feeBps: 15 }), 'tokens'],
  ['coins to a wallet', anOrder(ether), 'coins'],
  ['coins to a wallet, and a fee of what arrives', anOrder({ ...ether, feeBps: 30 }), 'coins'],
  ['wrapped coins', anOrder({ ...ether, from: [8453, WETH.base], to: [42161, WETH.arbitrum] }), 'tokens'],
  ['a swap before the bridge', anOrder(exchanged), 'tokens'],
] as const

/** A transaction as it is seen, and the logs it was seen by. */
export type Landed = { readonly seen: SeenTransaction; readonly logs: readonly SimLog[] }

type Deposited = { readonly [name: string]: unknown } & { readonly depositId: bigint; readonly outputAmount: bigint }

export const callOf = ({ order, execution }: Swap): SimCall => {
  const { chainId, to, data, value } = transactionOf(execution)
  return { chainId, from: order.sender, to, data, value }
}

export const openEventsNetwork = () => {
  const clock = createSimClock(() => START_OF_TIME)
  const chains = createEvmChains({
    clock,
    tokens: createTokens(),
    artifacts: createArtifacts(),
    contracts: [acrossContracts],
  })
  const give = (chainId: number, token: string, holder: string, amount: bigint) =>
    chains.faucet({ chainId, token, holder, amount })

  const land = async (call: SimCall): Promise<Landed> => {
    await chains.call(call)
    const { status, logs, timestamp } = await chains.land(call)
    expect(status).toBe('success')
    return { seen: seenEvm(call.chainId as EvmChainId, logs, { first: 7, at: timestamp * 1_000 }), logs }
  }

  const allow = (chainId: number, token: string, owner: string, spender: string) => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, maxUint256] })
    return land({ chainId, from: owner, to: token, data })
  }

  /** What a payload needs to be executed by this account. */
  const prepare = async (swap: Swap, payer: string = swap.order.sender): Promise<void> => {
    const { input, inputAmount } = swap.order
    await give(input.chainId, input.address, payer, inputAmount)
    const { to, data } = transactionOf(swap.execution)
    if (input.address !== NATIVE) await allow(input.chainId, input.address, payer, to)
    const exchanged = fieldsOf(data).fields['swap'] as
      | { depositData: { inputToken: string }; minExpectedInputTokenAmount: bigint }
      | undefined
    if (exchanged) await give(input.chainId, exchanged.depositData.inputToken, EXCHANGE, exchanged.minExpectedInputTokenAmount)
  }

  const depositsIn = ({ logs }: Landed): readonly Deposited[] =>
    parseEventLogs({ abi: EVENTS, eventName: 'FundsDeposited', logs: logs as never }).map(({ args }) => args as never)

  return {
    give,
    land,
    close: () => chains.close(),
    /** Sent by the wallet itself. */
    pay: async (swap: Swap): Promise<Landed> => {
      await prepare(swap)
      return land(callOf(swap))
    },
    /** Calls of one contract in one transaction, each by the contract. */
    bundle: async (swaps: readonly Swap[], others: readonly SimCall[] = []): Promise<Landed> => {
      for (const swap of swaps) await prepare(swap, MULTICALL)
      const calls = [...others, ...swaps.map(callOf)].map(({ to, data, value = 0n }) => ({
        target: to as Hex,
        allowFailure: false,
        value,
        callData: data as Hex,
      }))
      const value = calls.reduce((sum, call) => sum + call.value, 0n)
      const data = encodeFunctionData({ abi: AGGREGATE, functionName: 'aggregate3Value', args: [calls] })
      const from = swaps[0]?.order.sender ?? RELAYER
      if (value > 0n) await give(swaps[0]?.order.input.chainId ?? 8453, NATIVE, from, value)
      return land({ chainId: swaps[0]?.order.input.chainId ?? 8453, from, to: MULTICALL, data, value })
    },
    depositsIn,
    /** The deposits of a transaction, each filled on its destination in a transaction of its own. */
    fill: async (landed: Landed, change: object = {}): Promise<readonly Landed[]> => {
      const fills: Landed[] = []
      for (const deposit of depositsIn(landed)) {
        const chainId = Number(deposit['destinationChainId'])
        const pool = chainId === 8453 ? SPOKE_POOL_BASE : SPOKE_POOL_ARBITRUM
        const token = `0x${String(deposit['outputToken']).slice(26)}`
        await give(chainId, token, RELAYER, deposit.outputAmount)
        await allow(chainId, token, RELAYER, pool)
        const originChainId = BigInt(landed.seen.chainId)
        const args = [{ ...deposit, originChainId, ...change } as never, originChainId, word(RELAYER)] as const
        const data = encodeFunctionData({ abi: FILLS, functionName: 'fillRelay', args })
        fills.push(await land({ chainId, from: RELAYER, to: pool, data }))
      }
      return fills
    },
  }
}

export type EventsNetwork = ReturnType<typeof openEventsNetwork>

/** The same swap with other calldata, as another quote might have had it. */
export const altered = (swap: Swap, ...changes: readonly Change[]): Swap => {
  const transaction = transactionOf(swap.execution)
  const data = changes.reduce((built, change) => changed(built, change), transaction.data)
  const payload = { executionType: 'TRANSACTION', transaction: { ...transaction, data } } as const
  const executed = { ...swap, execution: { ...swap.execution, payload } }
  return { ...executed, executed }
}

export const again = (landed: Landed, logs: readonly SimLog[], change: Partial<SeenTransaction> = {}): SeenTransaction =>
  seenEvm(landed.seen.chainId, logs, { first: 7, at: landed.seen.at, ...change })

/** One log told otherwise, wherever it stands. */
export const withLog = (landed: Landed, at: number, change: (log: SimLog) => SimLog): SeenTransaction =>
  again(
    landed,
    landed.logs.map((log, i) => (i === at ? change(log) : log)),
  )

export const topicAt = ({ logs }: Landed, topic: string | undefined): number => {
  const at = logs.findIndex(({ topics }) => topics[0] === topic)
  if (at < 0) throw new Error('no such event')
  return at
}
export const [DEPOSITED] = encodeEventTopics({ abi: EVENTS, eventName: 'FundsDeposited' })
export const [SWAPPED] = encodeEventTopics({ abi: EVENTS, eventName: 'SwapBeforeBridge' })
export const [FILLED] = encodeEventTopics({ abi: FILLS, eventName: 'FilledRelay' })
