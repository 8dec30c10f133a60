import { base58 } from '@scure/base'
import { encodeAbiParameters, getAddress, parseAbiParameters, toEventHash } from 'viem'
import type { SimLog, SimTransaction } from '../../../engine/simnet/simVenue.ts'
import type { SimEvm, SimSolana } from '../../../engine/simnet/world.ts'
import { WALLETS } from '../../support/anOrder.ts'

export type Payout = { readonly chainId: number; readonly token: string; readonly to: string; readonly amount: bigint }

/** EVM chains and a Solana that take everything, and only write down what the venue does there. */
export type FakeNetwork = {
  readonly evm: Partial<SimEvm>
  readonly solana: SimSolana
  readonly payouts: Payout[]
  /** What it took on Solana, where its program does nothing by itself. */
  readonly taken: { readonly token: string; readonly from: string; readonly amount: bigint }[]
  /** Makes the chains refuse what the venue sends from now on. */
  refusal: string | null
  /** Transactions that are on their chain no more. */
  readonly gone: Set<string>
  /** Tells whoever listens to Solana, as the chain does when a transaction lands. */
  land(transaction: SimTransaction): Promise<void>
}

export const createFakeNetwork = (): FakeNetwork => {
  const listeners: Parameters<SimSolana['onTransaction']>[0][] = []
  const payouts: Payout[] = []
  const taken: FakeNetwork['taken'] = []
  const gone = new Set<string>()
  const pay = async (payout: Payout): Promise<number> => {
    if (network.refusal !== null) throw new Error(network.refusal)
    return payouts.push(payout)
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
      take: async (payment) => {
        if (network.refusal !== null) throw new Error(network.refusal)
        taken.push(payment)
      },
      balance: async () => 0n,
      blockhash: async () => WALLETS.solana,
      install: () => undefined,
      onTransaction: (listener) => listeners.push(listener),
    },
    land: async (transaction) => {
      for (const listener of listeners) await listener(transaction)
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
