import { base58 } from '@scure/base'
import { VersionedTransaction } from '@solana/web3.js'
import { ChainError } from '../../../engine/chains/chains.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../engine/chains/solana/solanaCodec.ts'
import type { Address } from '../../../engine/core/address.ts'
import { type ChainId, SOLANA } from '../../../engine/core/chain.ts'
import type { SimSolanaInstruction, SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import { createTokens } from '../../../engine/simnet/kit/tokens.ts'
import type { SimEvm, SimHolding, SimProgram, SimReceipt, SimSolana } from '../../../engine/simnet/kit/world.ts'
import { assetOf, WALLETS } from '../anOrder.ts'
import { createFakeChains, type FakeChains } from '../fakeChains.ts'

type Payment = { readonly token: string; readonly amount: bigint }
export type Payout = Payment & { readonly chainId: number; readonly to: string; readonly txHash: string }

/** EVM chains and a Solana that take everything, and only write down what the venue does there. Bitcoin's ledger is real. */
export type FakeNetwork = {
  readonly evm: Partial<SimEvm>
  readonly solana: SimSolana
  /** What the venue paid out. */
  readonly payouts: Payout[]
  /** What its program took on Solana. */
  readonly taken: (Payment & { readonly from: string })[]
  /** Set, the chains refuse with it what the venue sends. */
  refusal: string | null
  /** Lookup tables of Solana, by their addresses. */
  readonly tables: Map<string, readonly string[]>
  /** What token accounts of Solana hold. */
  readonly holdings: Map<string, SimHolding>
  /** Transactions that are on their chain no more. */
  readonly gone: Set<string>
  /** Runs the programs of a transaction on Solana and tells whoever listens, as the chain does; the transaction as it landed. */
  land(transaction: SimTransaction): Promise<SimTransaction>
}

/** The instructions of a transaction as the chain reads them. */
const instructionsOf = (data: string, tables: FakeNetwork['tables']): readonly SimSolanaInstruction[] => {
  const { message } = VersionedTransaction.deserialize(Buffer.from(data, 'base64'))
  const looked = (which: 'writableIndexes' | 'readonlyIndexes') =>
    message.addressTableLookups.flatMap(({ accountKey, [which]: indexes }) =>
      indexes.map((index) => tables.get(accountKey.toBase58())?.[index] ?? ''),
    )
  const keys = [
    ...message.staticAccountKeys.map((each) => each.toBase58()),
    ...looked('writableIndexes'),
    ...looked('readonlyIndexes'),
  ]
  const key = (index: number): string => keys[index] ?? ''
  return message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data: bytes }) => ({
    programId: key(programIdIndex),
    accounts: accountKeyIndexes.map(key),
    data: bytes,
  }))
}

export const receiptOf = (txHash: string): SimReceipt => ({ txHash, blockNumber: 1, timestamp: 0, status: 'success', logs: [] })

const evmHash = (count: number): string => `0x${String(count).padStart(64, '0')}`
const solanaSignature = (count: number): string => base58.encode(new Uint8Array(64).fill(count + 100))

/**
 * @param evm - what the chains do otherwise
 * @param landOnEvm - a transaction of an EVM chain as it is told once it landed, with its events
 */
export const createFakeNetwork = ({
  evm = {},
  landOnEvm = (transaction) => transaction,
}: {
  readonly evm?: Partial<SimEvm>
  readonly landOnEvm?: (transaction: SimTransaction) => SimTransaction
} = {}): FakeNetwork => {
  const listeners: Parameters<SimSolana['onTransaction']>[0][] = []
  const programs = new Map<string, SimProgram>()
  const { payouts, taken, gone }: Pick<FakeNetwork, 'payouts' | 'taken' | 'gone'> = { payouts: [], taken: [], gone: new Set() }
  const { tables, holdings }: Pick<FakeNetwork, 'tables' | 'holdings'> = { tables: new Map(), holdings: new Map() }
  const holding = (account: string) => holdings.get(account) ?? null
  let calls = 0
  const demandTaken = (): void => {
    if (network.refusal !== null) throw new Error(network.refusal)
  }
  const pay = async (payment: Omit<Payout, 'txHash'>, hashOf: (count: number) => string): Promise<string> => {
    demandTaken()
    const txHash = hashOf(payouts.length + 1)
    payouts.push({ ...payment, txHash })
    return txHash
  }
  const run = (instruction: SimSolanaInstruction, signers: readonly string[], id: string): void => {
    const charge = programs.get(instruction.programId)?.(instruction, { signers, id, holding }) ?? null
    if (!charge) return
    if ('fails' in charge) throw new Error(`${charge.because} (${charge.fails})`)
    demandTaken()
    const { token, from, amount } = charge
    taken.push({ token, from, amount })
  }
  const network: FakeNetwork = {
    payouts,
    taken,
    tables,
    holdings,
    gone,
    refusal: null,
    evm: {
      transfer: ({ by: _, ...payment }) => pay(payment, evmHash),
      receipt: async (_chainId, txHash) => (gone.has(txHash) ? null : receiptOf(txHash)),
      call: async () => {
        demandTaken()
        return '0x'
      },
      send: async () => {
        demandTaken()
        return receiptOf(evmHash(++calls))
      },
      ...evm,
    },
    solana: {
      treasury: () => WALLETS.solana,
      transfer: ({ by: _by, memo: _memo, ...payment }) => pay({ chainId: SOLANA, ...payment }, solanaSignature),
      balance: async () => 0n,
      holding: async (account) => holding(account),
      blockhash: async () => WALLETS.solana,
      install: (programId, program) => {
        if (program) programs.set(programId, program)
      },
      placeTable: (table, addresses) => {
        tables.set(table, addresses)
      },
      onTransaction: (listener) => listeners.push(listener),
    },
    land: async (transaction) => {
      if (transaction.chainId !== SOLANA) return landOnEvm(transaction)
      const instructions = instructionsOf(transaction.data, tables)
      for (const [at, instruction] of instructions.entries()) run(instruction, [transaction.from], `${transaction.txHash}/${at}`)
      const solana = { signers: [transaction.from], instructions, memos: [], logs: [], payments: [] }
      const landed = { ...transaction, solana }
      for (const listener of listeners) await listener(landed)
      return landed
    },
  }
  return network
}

/** Chains with each token of the offline network, and with the lookup tables of this one. */
export const createNetworkChains = ({ tables }: Pick<FakeNetwork, 'tables'>): FakeChains => {
  const [chains, tokens] = [createFakeChains(), createTokens()]
  chains.script.lookupTable = async (table) => (tables.get(table) as readonly Address[] | undefined) ?? null
  chains.script.token = async ({ chainId, address }) => {
    const token = tokens.find(chainId, address)
    if (!token) throw new ChainError('notAToken', chainId, `no token at ${address}`)
    const { symbol, name, decimals, isNative } = token
    return { ...assetOf(chainId as ChainId, address), symbol, name, decimals, isNative }
  }
  chains.script.solanaAccount = async (mint) => {
    const token = tokens.find(SOLANA, mint)
    const owner = token?.program === 'token-2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
    return token && { owner, data: new Uint8Array(82) }
  }
  return chains
}
