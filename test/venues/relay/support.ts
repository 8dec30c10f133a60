import type { Execution } from '../../../engine/core/execution.ts'
import { createRelay } from '../../../engine/simnet/venues/relay/relay.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import {
  type Answer,
  type Asked,
  type Canned,
  type CannedOptions,
  canned,
  changing,
  toldBy,
} from '../../support/venueKit/canned.ts'
import { createFakeNetwork, type FakeNetwork } from '../../support/venueKit/network.ts'
import { SOMEONE } from '../../support/venueKit/payloads.ts'
import { ARB, FEE_RECIPIENT, RECIPIENT_BTC, ROUTER, STRANGER } from './orders.ts'

export const WITH_FEE = { FEE_RECIPIENT }
export const API_KEY = 'relay-key-1234'

/** What the tables of cases name in braces, beside `{now+60}`: seconds from the start of time. */
const NAMES: { readonly [name: string]: string } = {
  arb: ARB.toLowerCase(),
  recipient: WALLETS.evmOther.toLowerCase(),
  recipientBtc: RECIPIENT_BTC,
  router: ROUTER,
  someone: SOMEONE,
  stranger: STRANGER.toLowerCase(),
  usdcArbitrum: USDC.arbitrum.toLowerCase(),
  usdcBase: USDC.base.toLowerCase(),
  usdcSolana: USDC.solana,
  wallet: WALLETS.evm.toLowerCase(),
  walletBitcoin: WALLETS.bitcoin,
  walletSolana: WALLETS.solana,
}

/** A table of cases, its names resolved. */
export const casesOf = <T>(table: unknown): T => {
  const timed = JSON.stringify(table).replace(/"\{now([+-]\d+)\}"/g, (_, seconds) =>
    String(START_OF_TIME / 1_000 + Number(seconds)),
  )
  const named = timed.replace(/\{(\w+)\}/g, (_, name) => {
    if (NAMES[name] === undefined) throw new TypeError(`no such name: ${name}`)
    return NAMES[name]
  })
  return JSON.parse(named) as T
}

export type RelayBench = VenueBench & { readonly chains: FakeChains; readonly network: FakeNetwork }

export const openBench = async (
  options: { settings?: { readonly [name: string]: string }; apiKey?: string } = {},
): Promise<RelayBench> => {
  const chains = createFakeChains()
  const network = createFakeNetwork()
  const { evm, solana } = network
  return { ...(await createVenueBench(relay, createRelay, { chains, ...options, evm, solana })), chains, network }
}

type Telling = CannedOptions & {
  readonly changes?: Parameters<typeof changing>[1]
  /** What is answered in place of the simulator; null leaves it to it. */
  readonly instead?: (asked: Asked) => Answer | null
}

/** The adapter, told by the simulator, but for what is changed on its way or said instead. */
export const told = ({ sim }: Pick<VenueBench, 'sim'>, telling: Telling = {}): Canned => {
  const { changes = {}, instead = () => null, ...options } = telling
  const simulated = changing(toldBy(sim), changes)
  return canned(relay, (asked) => instead(asked) ?? simulated(asked), options)
}

export const requestIdOf = ({ carry }: Execution): string => (carry as { requestId: string }).requestId

/** A list of these chains by the names orders have for them, as short as the adapter reads it. */
export const listed = (chains: { readonly [name: string]: number }) => ({
  chains: Object.entries(chains).map(([name, id]) => ({ id, protocol: { v2: { chainId: name } } })),
})
