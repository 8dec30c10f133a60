import { base58 } from '@scure/base'
import { VersionedTransaction } from '@solana/web3.js'
import { encodeAbiParameters, getAddress, parseAbiParameters, toEventHash } from 'viem'
import type { SimLog, SimSolanaInstruction, SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import type { SimEvm, SimProgram, SimSolana } from '../../../engine/simnet/kit/world.ts'
import { WALLETS } from '../../support/anOrder.ts'

export type Payout = { readonly chainId: number; readonly token: string; readonly to: string; readonly amount: bigint }

/** EVM chains and a Solana that take everything, and only write down what the venue does there. */
export type FakeNetwork = {
  readonly evm: Partial<SimEvm>
  readonly solana: SimSolana
  readonly payouts: Payout[]
  /** What its program took on Solana. */
  readonly taken: { readonly token: string; readonly from: string; readonly amount: bigint }[]
  /** Makes the chains refuse what the venue sends from now on. */
  refusal: string | null
  /** Transactions that are on their chain no more. */
  readonly gone: Set<string>
  /** Runs the program on Solana and tells whoever listens, as the chain does; the transaction as it landed. */
  land(transaction: SimTransaction): Promise<SimTransaction>
}

/** The instructions of a transaction as the chain reads them. */
const instructionsOf = (data: string): readonly SimSolanaInstruction[] => {
  const { message } = VersionedTransaction.deserialize(Buffer.from(data, 'base64'))
  const key = (index: number): string => message.staticAccountKeys[index]?.toBase58() ?? ''
  return message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data: bytes }) => ({
    programId: key(programIdIndex),
    accounts: accountKeyIndexes.map(key),
    data: bytes,
  }))
}

export const createFakeNetwork = (): FakeNetwork => {
  const listeners: Parameters<SimSolana['onTransaction']>[0][] = []
  const programs = new Map<string, SimProgram>()
  const payouts: Payout[] = []
  const taken: FakeNetwork['taken'] = []
  const gone = new Set<string>()
  const pay = async (payout: Payout): Promise<number> => {
    if (network.refusal !== null) throw new Error(network.refusal)
    return payouts.push(payout)
  }
  const run = (instruction: SimSolanaInstruction, signers: readonly string[]): void => {
    const charge = programs.get(instruction.programId)?.(instruction, { signers }) ?? null
    if (!charge) return
    if ('fails' in charge) throw new Error(`${charge.because} (${charge.fails})`)
    if (network.refusal !== null) throw new Error(network.refusal)
    taken.push(charge)
  }
  const network: FakeNetwork = {
    ...{ payouts, taken, gone, refusal: null },
    evm: {
      transfer: async (payment) => `0x${String(await pay(payment)).padStart(64, '0')}`,
      receipt: async (_chainId, txHash) =>
        gone.has(txHash) ? null : { txHash, blockNumber: 1, timestamp: 0, status: 'success', logs: [] },
    },
    solana: {
      treasury: () => WALLETS.solana,
      transfer: async (payment) => base58.encode(new Uint8Array(64).fill((await pay({ chainId: -2, ...payment })) + 100)),
      balance: async () => 0n,
      blockhash: async () => WALLETS.solana,
      install: (programId, program) => {
        if (program) programs.set(programId, program)
      },
      onTransaction: (listener) => listeners.push(listener),
    },
    land: async (transaction) => {
      const instructions = instructionsOf(transaction.data)
      for (const instruction of instructions) run(instruction, [transaction.from])
      const solana = { signers: [transaction.from], instructions, memos: [], logs: [], payments: [] }
      const landed = { ...transaction, solana }
      for (const listener of listeners) await listener(landed)
      return landed
    },
  }
  return network
}

/** The event RelayDepository.sol leaves of a deposit of tokens. */
export const erc20DepositLog = (depository: string, deposit: readonly [string, string, bigint, string]): SimLog => ({
  address: getAddress(depository),
  topics: [toEventHash('event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)')],
  data: encodeAbiParameters(parseAbiParameters('address, address, uint256, bytes32'), deposit as never),
})

export const nativeDepositLog = (depository: string, deposit: readonly [string, bigint, string]): SimLog => ({
  address: getAddress(depository),
  topics: [toEventHash('event RelayNativeDeposit(address from, uint256 amount, bytes32 id)')],
  data: encodeAbiParameters(parseAbiParameters('address, uint256, bytes32'), deposit as never),
})
