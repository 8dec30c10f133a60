import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { bytesAt, uintAt, wordAt } from '../../kit/abiWords.ts'
import type { SimLog } from '../../kit/simVenue.ts'
import type { Network } from './networks.ts'

/** A deposit that is on its chain. Words are 32 bytes of lower-case hex. Named as in V3RelayData, which a fill repeats. */
export type SeenDeposit = {
  readonly depositId: bigint
  readonly depositor: string
  readonly recipient: string
  readonly inputToken: string
  readonly outputToken: string
  readonly inputAmount: bigint
  readonly outputAmount: bigint
  readonly destinationWireId: bigint
  readonly exclusiveRelayer: string
  readonly exclusivityDeadline: number
  readonly quoteTimestamp: number
  readonly fillDeadline: number
  readonly message: string
  /** What was exchanged for the input first. */
  readonly swap: { readonly token: string; readonly amount: bigint } | null
}

/** contracts/interfaces/V3SpokePoolInterface.sol and SpokePoolPeripheryInterface.sol of across-protocol/contracts. */
const FUNDS_DEPOSITED = keccakText(
  'FundsDeposited(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,uint32,bytes32,bytes32,bytes32,bytes)',
)
const SWAP_BEFORE_BRIDGE = keccakText('SwapBeforeBridge(address,bytes,address,address,uint256,uint256,bytes32,uint256)')

const readEvent = ({ topics, data }: SimLog, swap: SeenDeposit['swap']): SeenDeposit => {
  const [, destination = '', depositId = '', depositor = ''] = topics
  const word = (index: number): string => `0x${wordAt(data, index)}`
  return {
    depositId: BigInt(depositId),
    depositor,
    recipient: word(7),
    inputToken: word(0),
    outputToken: word(1),
    inputAmount: uintAt(data, 2),
    outputAmount: uintAt(data, 3),
    destinationWireId: BigInt(destination),
    quoteTimestamp: Number(uintAt(data, 4)),
    fillDeadline: Number(uintAt(data, 5)),
    exclusivityDeadline: Number(uintAt(data, 6)),
    exclusiveRelayer: word(8),
    message: `0x${bytesAt(data, 9)}`,
    swap,
  }
}

const isAt = ({ address }: SimLog, contract: string): boolean => address.toLowerCase() === contract.toLowerCase()

/** The deposits whose events a transaction left at the SpokePool of a chain; a swap is told by the periphery just before its own. */
export const readDeposits = (logs: readonly SimLog[], { spokePool, periphery }: Network): readonly SeenDeposit[] => {
  const deposits: SeenDeposit[] = []
  let swap: SeenDeposit['swap'] = null
  for (const log of logs) {
    const [topic, swapToken = ''] = log.topics
    if (topic === SWAP_BEFORE_BRIDGE && isAt(log, periphery)) swap = { token: swapToken, amount: uintAt(log.data, 2) }
    if (topic !== FUNDS_DEPOSITED || !isAt(log, spokePool)) continue
    deposits.push(readEvent(log, swap))
    swap = null
  }
  return deposits
}
