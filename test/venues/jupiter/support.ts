import { associatedTokenAddress, type SolanaTransactionPlan } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import { createJupiter } from '../../../engine/simnet/venues/jupiter/jupiter.ts'
import { jupiter } from '../../../engine/venues/jupiter/venue.ts'
import { NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import type { FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { transactionOf } from '../../support/venueKit/calls.ts'
import { type Canned, type Telling, toldAs } from '../../support/venueKit/canned.ts'
import { createFakeNetwork, createNetworkChains, type FakeNetwork } from '../../support/venueKit/network.ts'
import { solanaPlanOf } from '../../support/venueKit/payloads.ts'
import { ordersIn } from '../../support/venueKit/runCase.ts'
import cases from './cases.json' with { type: 'json' }

export const PROGRAM = addressOf('solana', cases.constants.PROGRAM)
export const OTHER = addressOf('solana', cases.constants.OTHER)
export const { USDT, PYUSD } = cases.constants
export const FEE_WALLET = addressOf('solana', cases.constants.WITH_FEE.FEE_WALLET)
export const WITH_FEE = cases.constants.WITH_FEE
const BUILD = '/swap/v2/build'

export const orders = ordersIn(cases)

export type JupiterBench = VenueBench & { readonly chains: FakeChains; readonly network: FakeNetwork }

export const openBench = async (
  options: { settings?: { readonly [name: string]: string }; apiKey?: string | null } = {},
): Promise<JupiterBench> => {
  const network = createFakeNetwork()
  const chains = createNetworkChains(network)
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

/** A transaction taken apart, its tables written out, to be changed and put together again. */
export const planOf = (execution: Execution, { tables }: Pick<FakeNetwork, 'tables'>): Promise<SolanaTransactionPlan> =>
  solanaPlanOf(transactionOf(execution).data, async (table) => (tables.get(table) ?? null) as readonly Address[] | null)
