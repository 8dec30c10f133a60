import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  encodeSolanaTransaction,
  type SolanaTransactionPlan,
  SYSTEM_PROGRAM,
} from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import { createJupiter } from '../../../engine/simnet/venues/jupiter/jupiter.ts'
import { jupiter } from '../../../engine/venues/jupiter/venue.ts'
import { NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { usually, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { altered, transactionOf } from '../../support/venueKit/calls.ts'
import { type Canned, type Telling, toldAs } from '../../support/venueKit/canned.ts'
import { createFakeNetwork, type FakeNetwork } from '../../support/venueKit/network.ts'
import { solanaPlanOf } from '../../support/venueKit/payloads.ts'

export const PROGRAM = addressOf('solana', 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4')
export const TOKEN_PROGRAM = addressOf('solana', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const TOKEN_2022 = addressOf('solana', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
export const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
export const PYUSD = '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'
export const OTHER = addressOf('solana', 'CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr')
export const FEE_WALLET = addressOf('solana', 'BKNWCRvTFDg5vFzCMvDcFMZWTMYLPK8Y1DLUnXvSbKVZ')
export const API_KEY = 'jupiter-key-1234'
const BUILD = '/swap/v2/build'

export const orders = {
  /** 250 USDC for another wallet, by one pool. */
  usdc: usually({ from: [-2, USDC.solana], to: [-2, USDT], amount: 250_000_000n, recipient: OTHER }),
  /** 2 SOL for the wallet itself. */
  sol: usually({ from: [-2, NATIVE_SOL], to: [-2, USDC.solana], amount: 2_000_000_000n }),
  toSol: usually({ from: [-2, USDC.solana], to: [-2, NATIVE_SOL], amount: 250_000_000n }),
  /** By two pools, into a token of the newer program. */
  pyusd: usually({ from: [-2, NATIVE_SOL], to: [-2, PYUSD], amount: 2_000_000_000n, recipient: OTHER }),
}

export const WITH_FEE = { FEE_WALLET, FEE_MINTS: `${USDC.solana},${NATIVE_SOL}` }

export type JupiterBench = VenueBench & { readonly chains: FakeChains; readonly network: FakeNetwork }

/** What mints are there, and the tables of a network. */
const chainsOf = ({ tables }: Pick<FakeNetwork, 'tables'>): FakeChains => {
  const chains = createFakeChains()
  chains.script.lookupTable = async (table) => (tables.get(table) as readonly Address[] | undefined) ?? null
  chains.script.solanaAccount = async (mint) => ({ owner: mint === PYUSD ? TOKEN_2022 : TOKEN_PROGRAM, data: new Uint8Array(82) })
  return chains
}

export const openBench = async (
  options: { settings?: { readonly [name: string]: string }; apiKey?: string | null } = {},
): Promise<JupiterBench> => {
  const network = createFakeNetwork()
  const chains = chainsOf(network)
  for (const mint of [USDC.solana, NATIVE_SOL])
    network.holdings.set(associatedTokenAddress(FEE_WALLET, mint), { mint, owner: FEE_WALLET, amount: 0n })
  const { evm, solana } = network
  return { ...(await createVenueBench(jupiter, createJupiter, { chains, ...options, evm, solana })), chains, network }
}

/** The adapter, told by the simulator, but for what `change` makes of its answer or what is said instead. */
export const told = (
  { sim, chains }: Pick<JupiterBench, 'sim' | 'chains'>,
  { change = (body) => body, ...telling }: Telling & { readonly change?: (body: never) => unknown } = {},
): Canned => toldAs(jupiter, { chains })({ sim }, { changes: { [BUILD]: change }, ...telling })

const metas = (...accounts: readonly string[]) =>
  accounts.map((pubkey, at) => ({ pubkey, isSigner: pubkey === WALLETS.solana && at !== 1, isWritable: at < 2 }))

/** An answer whose route opens an account of the wallet's for a token in between, and closes it after the swap. */
export const inBetween =
  (mint: string, program: string) =>
  (body: never): unknown => {
    const [wallet, account] = [WALLETS.solana, associatedTokenAddress(WALLETS.solana, mint, program)]
    const opened = {
      programId: ASSOCIATED_TOKEN_PROGRAM,
      data: 'AQ==',
      accounts: metas(wallet, account, wallet, mint, SYSTEM_PROGRAM, program),
    }
    const closed = { programId: program, data: 'CQ==', accounts: metas(account, wallet, wallet) }
    const setup = altered(body, 'setupInstructions', (own: readonly unknown[]) => [...own, opened])
    return altered(setup, 'otherInstructions', [closed])
  }

/** A transaction taken apart, its tables written out, to be changed and put together again. */
export const planOf = (execution: Execution, { tables }: Pick<FakeNetwork, 'tables'>): Promise<SolanaTransactionPlan> =>
  solanaPlanOf(transactionOf(execution).data, async (table) => (tables.get(table) ?? null) as readonly Address[] | null)

/** The same execution with another transaction in it. */
export const withPlan = async (execution: Execution, plan: SolanaTransactionPlan): Promise<Execution> => {
  const data = await encodeSolanaTransaction(plan)
  const transaction = { ...transactionOf(execution), data, serialized: data }
  return { ...execution, payload: { executionType: 'TRANSACTION', transaction } }
}
