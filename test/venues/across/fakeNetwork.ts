import { base58 } from '@scure/base'
import { VersionedTransaction } from '@solana/web3.js'
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  type Hex,
  numberToHex,
  pad,
  parseAbi,
  zeroAddress,
} from 'viem'
import { SOLANA } from '../../../engine/core/chain.ts'
import type { SimLog, SimSolanaInstruction, SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import type { SimCall, SimEvm, SimProgram, SimSolana } from '../../../engine/simnet/kit/world.ts'

/** contracts/interfaces of across-protocol/contracts. */
const ABI = parseAbi([
  'struct Fees { uint256 amount; address recipient; }',
  'struct DepositData { address inputToken; bytes32 outputToken; uint256 outputAmount; address depositor; bytes32 recipient; uint256 destinationChainId; bytes32 exclusiveRelayer; uint32 quoteTimestamp; uint32 fillDeadline; uint32 exclusivityParameter; bytes message; }',
  'struct SwapData { Fees submissionFees; DepositData depositData; address swapToken; address exchange; uint8 transferType; uint256 swapTokenAmount; uint256 minExpectedInputTokenAmount; bytes routerCalldata; bool enableProportionalAdjustment; address spokePool; uint256 nonce; }',
  'function deposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message)',
  'function depositNative(address spokePool, address depositor, bytes32 recipient, address inputToken, uint256 inputAmount, bytes32 outputToken, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message)',
  'function swapAndBridge(SwapData data)',
  'event FundsDeposited(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, uint256 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 indexed depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes message)',
  'event SwapBeforeBridge(address exchange, bytes exchangeCalldata, address indexed swapToken, address indexed acrossInputToken, uint256 swapTokenAmount, uint256 acrossInputAmount, bytes32 indexed acrossOutputToken, uint256 acrossOutputAmount)',
])
const DATA_OF_DEPOSIT = 'bytes32, bytes32, uint256, uint256, uint32, uint32, uint32, bytes32, bytes32, bytes'
  .split(', ')
  .map((type) => ({ type }))
const DATA_OF_SWAP = 'address, bytes, uint256, uint256, uint256'.split(', ').map((type) => ({ type }))
const SPOKE_POOLS: { readonly [chainId: number]: Hex } = {
  137: '0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096',
  8453: '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64',
  42161: '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A',
}

type Call = { readonly chainId: number; readonly to: string; readonly data: string }

const word = (address: string): Hex => pad(address.toLowerCase() as Hex)

const depositLog = (chainId: number, depositId: bigint, args: readonly unknown[]): SimLog => {
  const [depositor, recipient, inputToken, outputToken, inputAmount, outputAmount, destinationChainId, ...rest] = args as never[]
  const [relayer, quoteTimestamp, fillDeadline, exclusivity, message] = rest
  const indexed = { destinationChainId, depositId, depositor }
  return {
    address: getAddress(SPOKE_POOLS[chainId] ?? zeroAddress),
    topics: encodeEventTopics({ abi: ABI, eventName: 'FundsDeposited', args: indexed }) as string[],
    data: encodeAbiParameters(DATA_OF_DEPOSIT, [
      ...[inputToken, outputToken, inputAmount, outputAmount, quoteTimestamp, fillDeadline, exclusivity],
      ...[recipient, relayer, message],
    ]),
  }
}

/** The events that the contracts leave of a deposit they take; the exchange before it gives the least it was asked for. */
const eventsOf = ({ chainId, to, data }: Call, depositId: bigint): readonly SimLog[] => {
  const { functionName, args } = decodeFunctionData({ abi: ABI, data: data as Hex })
  if (functionName === 'deposit') return [depositLog(chainId, depositId, args)]
  if (functionName === 'depositNative') {
    const [, depositor, recipient, inputToken, inputAmount, outputToken, ...rest] = args
    const sides = [word(depositor), recipient, word(inputToken), outputToken]
    return [depositLog(chainId, depositId, [...sides, inputAmount, ...rest])]
  }
  const [{ depositData: deposit, ...swap }] = args
  const { outputToken, outputAmount, exclusiveRelayer, quoteTimestamp, fillDeadline, message, destinationChainId } = deposit
  const inputAmount = swap.minExpectedInputTokenAmount
  const indexed = { swapToken: swap.swapToken, acrossInputToken: deposit.inputToken, acrossOutputToken: outputToken }
  return [
    {
      address: to,
      topics: encodeEventTopics({ abi: ABI, eventName: 'SwapBeforeBridge', args: indexed }) as string[],
      data: encodeAbiParameters(DATA_OF_SWAP, [
        swap.exchange,
        swap.routerCalldata,
        swap.swapTokenAmount,
        inputAmount,
        outputAmount,
      ]),
    },
    depositLog(chainId, depositId, [
      ...[word(deposit.depositor), deposit.recipient, word(deposit.inputToken), outputToken, inputAmount, outputAmount],
      ...[destinationChainId, exclusiveRelayer, quoteTimestamp, fillDeadline, 0, message],
    ]),
  ]
}

/** The instructions of a transaction as the chain reads them. */
const instructionsOf = (data: string) => {
  const { message } = VersionedTransaction.deserialize(Buffer.from(data, 'base64'))
  const key = (index: number): string => message.staticAccountKeys[index]?.toBase58() ?? ''
  return message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data: bytes }) => ({
    programId: key(programIdIndex),
    accounts: accountKeyIndexes.map(key),
    data: bytes,
  }))
}

type Payment = { readonly token: string; readonly to?: string; readonly from?: string; readonly amount: bigint }

/** Chains that take everything and only write down what the venue does there. */
export type FakeNetwork = {
  readonly evm: Partial<SimEvm>
  readonly solana: SimSolana
  /** What the venue sent on the EVM chains. */
  readonly sent: SimCall[]
  /** What it paid and took on Solana, where its program ran. */
  readonly paid: Payment[]
  /** Makes the chains refuse what the venue sends from now on; null: take it again. */
  refuse(reason: string | null): void
  /** Takes a transaction off its chain. */
  undo(txHash: string): void
  /** A transaction as it is told once it landed. */
  land(transaction: SimTransaction): Promise<SimTransaction>
}

const receiptOf = (txHash: string) => ({ txHash, blockNumber: 1, timestamp: 0, status: 'success' as const, logs: [] })

export const createFakeNetwork = (overrides: Partial<SimEvm> = {}): FakeNetwork => {
  const sent: SimCall[] = []
  const paid: Payment[] = []
  const undone = new Set<string>()
  const listeners: Parameters<SimSolana['onTransaction']>[0][] = []
  const programs = new Map<string, SimProgram>()
  let refusal: string | null = null
  let deposits = 5_120_000n
  const demandTaken = (): void => {
    if (refusal !== null) throw new Error(refusal)
  }
  const evm: Partial<SimEvm> = {
    call: async ({ from }) => {
      if (from) demandTaken()
      return numberToHex(0, { size: 32 })
    },
    fund: async () => undefined,
    receipt: async (_chainId, txHash) => (undone.has(txHash) ? null : receiptOf(txHash)),
    send: async (call) => receiptOf(numberToHex(sent.push(call), { size: 32 })),
    ...overrides,
  }
  const solana: SimSolana = {
    treasury: () => '11111111111111111111111111111111',
    transfer: async (payment) => {
      demandTaken()
      return base58.encode(new Uint8Array(64).fill(paid.push(payment) + 100))
    },
    balance: async () => 0n,
    blockhash: async () => base58.encode(new Uint8Array(32).fill(7)),
    install: (programId, program) => {
      if (program) programs.set(programId, program)
    },
    onTransaction: (listener) => listeners.push(listener),
  }
  const run = (instruction: SimSolanaInstruction, signers: readonly string[]): void => {
    const charge = programs.get(instruction.programId)?.(instruction, { signers }) ?? null
    if (!charge) return
    if ('fails' in charge) throw new Error(`${charge.because} (${charge.fails})`)
    demandTaken()
    const { token, from, amount } = charge
    paid.push({ token, from, amount })
  }
  const land = async (transaction: SimTransaction): Promise<SimTransaction> => {
    if (transaction.chainId !== SOLANA) return { ...transaction, logs: eventsOf(transaction, ++deposits), status: 'success' }
    const instructions = instructionsOf(transaction.data)
    for (const instruction of instructions) run(instruction, [transaction.from])
    const landed = {
      ...transaction,
      solana: { signers: [transaction.from], instructions, memos: [], logs: [], payments: [] },
    }
    for (const listener of listeners) await listener(landed)
    return landed
  }
  return { evm, solana, sent, paid, refuse: (reason) => (refusal = reason), undo: (txHash) => undone.add(txHash), land }
}
