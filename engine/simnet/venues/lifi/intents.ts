import { type AbiFunction, parseAbi } from 'abitype'
import { decodeParameters, encodeCall, keccakText } from '../../../chains/evm/evmCodec.ts'
import type { Hex } from '../../../core/execution.ts'
import { land, letTake } from '../../kit/payOut.ts'
import type { World } from '../../kit/world.ts'
import { INTENTS } from './networks.ts'
import type { Transfer } from './views.ts'

const ABI = parseAbi([
  'struct MandateOutput { bytes32 oracle; bytes32 settler; uint256 chainId; bytes32 token; uint256 amount; bytes32 recipient; bytes callbackData; bytes context; }',
  'struct StandardOrder { address user; uint256 nonce; uint256 originChainId; uint32 expires; uint32 fillDeadline; address inputOracle; uint256[2][] inputs; MandateOutput[] outputs; }',
  'function refund(StandardOrder order)',
  'function fill(bytes32 orderId, MandateOutput output, uint48 fillDeadline, bytes32 solver) payable',
])
export const OPENED = keccakText(
  'Open(bytes32,(address,uint256,uint256,uint32,uint32,address,uint256[2][],(bytes32,bytes32,uint256,bytes32,uint256,bytes32,bytes,bytes)[]))',
)

type Order = { readonly outputs: readonly [{ readonly amount: bigint }] }

/** The order that the escrow reported: its event holds what its function takes. */
const orderIn = async (data: string): Promise<Order> => {
  const [order] = (await decodeParameters((ABI[0] as AbiFunction).inputs as never, data as Hex)) ?? []
  return order as Order
}

/** What a solver does with an order that was opened, and what anybody may do once it has expired. */
export const createSolver = ({ evm }: Pick<World, 'evm'>) => ({
  fill: async ({ question: { destination, output }, opened }: Transfer): Promise<string> => {
    const { chainId } = destination
    const { outputs } = await orderIn(opened?.data ?? '0x')
    const { amount } = outputs[0]
    await evm.fund({ chainId, token: output.address, holder: INTENTS.solver, amount })
    const pays = { chainId, token: output.address, owner: INTENTS.solver, spender: INTENTS.output }
    if (!output.isNative) await letTake(evm, pays)
    const solver = `0x${INTENTS.solver.slice(2).padStart(64, '0')}`
    const data = await encodeCall(ABI as never, 'fill', [opened?.orderId, outputs[0], opened?.fillDeadline, solver])
    const call = { chainId, from: INTENTS.solver, to: INTENTS.output, data, value: output.isNative ? amount : 0n }
    return (await land(evm, call)).txHash
  },
  refund: async ({ question: { origin }, opened }: Transfer): Promise<string> => {
    const data = await encodeCall(ABI as never, 'refund', [await orderIn(opened?.data ?? '0x')])
    const { txHash } = await land(evm, { chainId: origin.chainId, from: INTENTS.solver, to: INTENTS.escrow, data })
    return txHash
  },
})
