import { addressOf } from '../../../engine/core/address.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { createRelay } from '../../../engine/simnet/venues/relay/relay.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
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
import type { FakeNetwork } from '../../support/venueKit/network.ts'
import { SOMEONE } from '../../support/venueKit/payloads.ts'
import { createRelayNetwork } from './fakeNetwork.ts'

export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
export const RECIPIENT_BTC = addressOf('bitcoin', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3')

/** Router 3.2, and router 3, which stays live. */
export const ROUTER = '0x0729e2a4716d9f7dd17858d5d504426d228697f7'
export const ROUTER_V3 = '0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f'
export const DEPOSITORY = addressOf('evm', '0x4cd00e387622c35bddb9b4c962c136462338bc31')
export const LINEA_DEPOSITORY = addressOf('evm', '0x59916da825d2d2ec1bf878d71c88826f6633ecca')
export const SOLANA_PROGRAM = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'

export const USDC_LINEA = '0x176211869ca2b568f2a7d4ee941e073a821ee1ff'
export const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'

const orderOf =
  (usual: OrderWish) =>
  (wish: Partial<OrderWish> = {}): VenueOrder =>
    anOrder({ recipient: WALLETS.evmOther, ...usual, ...wish })

export const orders = {
  /** 250 USDC from Base to Arbitrum, for someone else than the sender. */
  usdc: orderOf({ from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n }),
  ether: orderOf({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n }),
  sol: orderOf({ from: [-2, NATIVE_SOL], to: [8453, USDC.base], amount: 10n ** 10n }),
  solanaUsdc: orderOf({ from: [-2, USDC.solana], to: [8453, USDC.base], amount: 250_000_000n }),
  bitcoin: orderOf({ from: [-1, NATIVE], to: [8453, USDC.base], amount: 1_000_000n }),
}

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
  const network = createRelayNetwork()
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
