import { parseEvmAddress } from '../../core/address.ts'
import type { SimDeposit, SimTransaction } from '../kit/simVenue.ts'
import type { SimTokens } from '../kit/tokens.ts'
import type { SimEvm, SimReceipt } from '../kit/world.ts'

/** A transaction that is in a block and did not revert, and who was paid by it. */
export type EvmLanded = { readonly transaction: SimTransaction; readonly payments: readonly SimDeposit[] }

type RawTransaction = { readonly from: string; readonly to: string | null; readonly input: string; readonly value: string }

/** https://openethereum.github.io/JSONRPC-trace-module */
type RawTrace = {
  readonly type: string
  readonly traceAddress: readonly number[]
  readonly error?: string
  readonly action: { readonly callType?: string; readonly to?: string; readonly value?: string }
  readonly result?: { readonly address?: string } | null
}

const RECEIPT_TRIES = 100
const RECEIPT_WAIT_MS = 10

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const checksum = (address: string): string => parseEvmAddress(address.toLowerCase()) ?? address

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

type Payment = { readonly token: string; readonly address: string; readonly amount: bigint }

/** Coins that changed hands: by the transaction itself or a call within it, unless that call or one around it failed. */
const coinPayments = (traces: readonly RawTrace[], native: string): readonly Payment[] => {
  const failed = traces.filter(({ error }) => error !== undefined).map(({ traceAddress }) => traceAddress)
  const isUndone = ({ traceAddress }: RawTrace) =>
    failed.some((around) => around.every((step, depth) => traceAddress[depth] === step))
  return traces.flatMap((trace) => {
    const { type, action, result } = trace
    const address = type === 'create' ? result?.address : action.callType === 'call' ? action.to : undefined
    const amount = BigInt(action.value ?? '0x0')
    if (!address || amount === 0n || isUndone(trace)) return []
    return [{ token: native, address: checksum(address), amount }]
  })
}

const tokenPayments = (chainId: number, { logs }: SimReceipt, tokens: SimTokens): readonly Payment[] =>
  logs.flatMap(({ address, topics: [topic, , recipient], data }) => {
    const token = tokens.find(chainId, address)
    if (topic !== TRANSFER || !recipient || !token) return []
    return [{ token: token.address, address: checksum(`0x${recipient.slice(26)}`), amount: BigInt(data) }]
  })

const receiptOf = async (evm: Pick<SimEvm, 'receipt'>, chainId: number, txHash: string): Promise<SimReceipt | null> => {
  // The node mines a moment after it takes a transaction.
  for (let tries = 0; tries < RECEIPT_TRIES; tries++) {
    const receipt = await evm.receipt(chainId, txHash)
    if (receipt) return receipt
    await wait(RECEIPT_WAIT_MS)
  }
  return null
}

/** Reads a transaction and its payments off its chain; null when there is none by that hash, or it reverted. */
export const readLanded = async (
  evm: Pick<SimEvm, 'rpc' | 'receipt'>,
  tokens: SimTokens,
  { chainId, txHash }: { readonly chainId: number; readonly txHash: string },
): Promise<EvmLanded | null> => {
  const found = (await evm.rpc(chainId, 'eth_getTransactionByHash', [txHash])) as RawTransaction | null
  const receipt = found && (await receiptOf(evm, chainId, txHash))
  if (!found || receipt?.status !== 'success') return null
  const traces = (await evm.rpc(chainId, 'trace_transaction', [txHash])) as readonly RawTrace[]
  const { from, to, input, value } = found
  const sides = { from: checksum(from), to: checksum(to ?? '') }
  const payments = [...coinPayments(traces, tokens.native(chainId).address), ...tokenPayments(chainId, receipt, tokens)]
  return {
    transaction: { chainId, ...sides, data: input, value: BigInt(value), txHash, logs: receipt.logs, status: receipt.status },
    payments: payments.map((payment) => ({ chainId, ...payment, txHash })),
  }
}
