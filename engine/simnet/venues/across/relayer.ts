import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { addressAt, wordOf } from '../../kit/abiWords.ts'
import { callData, ERC20, encodedArguments } from '../../kit/callData.ts'
import { land } from '../../kit/payOut.ts'
import type { SimCall, World } from '../../kit/world.ts'
import { addressOf, type Deposit } from './book.ts'
import { isSvm, type Network } from './networks.ts'
import { fillCall as callOnSolana } from './svmEvents.ts'
import { refundCall } from './svmRefunds.ts'

/** The account that fills: any may. */
const RELAYER = '0x07aE8551Be970cB1cCa11Dd7a11F47Ae82e70E67'

const ALL = (1n << 256n) - 1n

/** contracts/interfaces/V3SpokePoolInterface.sol of across-protocol/contracts. */
const FILL_RELAY = [
  'struct RelayData { bytes32 depositor; bytes32 recipient; bytes32 exclusiveRelayer; bytes32 inputToken; bytes32 outputToken; uint256 inputAmount; uint256 outputAmount; uint256 originChainId; uint256 depositId; uint32 fillDeadline; uint32 exclusivityDeadline; bytes message; }',
  'function fillRelay(RelayData relayData, uint256 repaymentChainId, bytes32 repaymentAddress)',
]

/** contracts/spoke-pools/SpokePool.sol, and contracts/interfaces/SpokePoolInterface.sol */
const LEAF =
  'struct RelayerRefundLeaf { uint256 amountToReturn; uint256 chainId; uint256[] refundAmounts; uint32 leafId; address l2TokenAddress; address[] refundAddresses; }'
const RELAY_ROOT = 'function relayRootBundle(bytes32 relayerRefundRoot, bytes32 slowRelayRoot)'
const EXECUTE_LEAF = [
  LEAF,
  'function executeRelayerRefundLeaf(uint32 rootBundleId, RelayerRefundLeaf relayerRefundLeaf, bytes32[] proof)',
]
const ROOT_RELAYED = keccakText('RelayedRootBundle(uint32,bytes32,bytes32)')
const OWNER = keccakText('owner()').slice(0, 10)

/** contracts/handlers/MulticallHandler.sol: the calls failed, and the tokens went to the fallback recipient. */
const CALLS_FAILED = keccakText('CallsFailed((address,bytes,uint256)[],address)')

const fillCall = async (deposit: Deposit, outputAmount: bigint): Promise<SimCall> => {
  const originChainId = BigInt(deposit.origin.wireId)
  const { chainId, spokePool: to } = deposit.destination
  const args = [{ ...deposit, outputAmount, originChainId }, originChainId, `0x${wordOf(RELAYER)}`]
  return { chainId, from: RELAYER, to, data: await callData(FILL_RELAY, args) }
}

/** `actionsSucceeded`: whether the calls of the message were done; null without a message. */
type Fill = { readonly txHash: string; readonly actionsSucceeded: boolean | null }

type Refund = { readonly token: string; readonly to: string; readonly amount: bigint }

/** What Across does on the chains: its relayers fill deposits, and its pools give back those that nobody filled. */
export const createRelayer = ({ evm, solana }: Pick<World, 'evm' | 'solana'>) => {
  const letPoolTake = async (chainId: number, token: string, pool: string, amount: bigint): Promise<void> => {
    const asked = `0xdd62ed3e${wordOf(RELAYER)}${wordOf(pool)}`
    if (BigInt(await evm.call({ chainId, to: token, data: asked })) >= amount) return
    await land(evm, { chainId, from: RELAYER, to: token, data: await callData(ERC20.approve, [pool, ALL]) })
  }

  const fillOnEvm = async (deposit: Deposit, amount: bigint): Promise<Fill> => {
    const { destination, outputToken, message } = deposit
    const { chainId, spokePool, multicallHandler } = destination
    const token = addressOf(destination, outputToken)
    await evm.fund({ chainId, token, holder: RELAYER, amount })
    await letPoolTake(chainId, token, spokePool, amount)
    const { txHash, logs } = await land(evm, await fillCall(deposit, amount))
    const failed = logs.some(({ address, topics }) => address === multicallHandler && topics[0] === CALLS_FAILED)
    return { txHash, actionsSucceeded: message === '0x' ? null : !failed }
  }

  /** By a root of this refund alone. On mainnet the pool is told of roots by Ethereum, some hours after they were proposed. */
  const refundOnEvm = async ({ chainId, spokePool }: Network, { token, to, amount }: Refund): Promise<string> => {
    const leaf = {
      ...{ amountToReturn: 0n, chainId: BigInt(chainId), leafId: 0, l2TokenAddress: token },
      ...{ refundAmounts: [amount], refundAddresses: [to] },
    }
    const words = await encodedArguments([LEAF, 'function leaf(RelayerRefundLeaf leaf)'], [leaf])
    const root = `0x${bytesToHex(keccak_256(hexToBytes(words.slice(2))))}`
    const from = addressAt(await evm.call({ chainId, to: spokePool, data: OWNER }), 0)
    const { logs } = await land(evm, { chainId, from, to: spokePool, data: await callData(RELAY_ROOT, [root, root]) })
    const told = logs.find(({ address, topics }) => address === spokePool && topics[0] === ROOT_RELAYED)
    const args = [Number(told?.topics[1]), leaf, []]
    const { txHash } = await land(evm, { chainId, from: RELAYER, to: spokePool, data: await callData(EXECUTE_LEAF, args) })
    return txHash
  }

  const fillOnSolana = async (deposit: Deposit, amount: bigint): Promise<Fill> => {
    const { destination, outputToken, recipient } = deposit
    const [token, to] = [addressOf(destination, outputToken), addressOf(destination, recipient)]
    const by = callOnSolana({ ...deposit, amount }, solana.treasury(), { token, to })
    return { txHash: await solana.transfer({ token, to, amount, by }), actionsSucceeded: null }
  }

  return {
    /** Delivers `amount` of the output. Rejects where the chain does not take it. */
    fill: (deposit: Deposit, amount: bigint) =>
      isSvm(deposit.destination) ? fillOnSolana(deposit, amount) : fillOnEvm(deposit, amount),
    /** Gives the input back to the depositor, and the hash of that transaction. Rejects likewise. */
    refund: async ({ origin, inputToken, depositor }: Deposit, amount: bigint): Promise<string> => {
      const [token, to] = [addressOf(origin, inputToken), addressOf(origin, depositor)]
      if (!isSvm(origin)) return refundOnEvm(origin, { token, to, amount })
      const by = refundCall({ token, to, amount }, solana.treasury(), origin)
      return solana.transfer({ token, to, amount, by })
    },
  }
}
