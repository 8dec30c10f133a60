import { ChainError } from '../../../engine/chains/chains.ts'
import { addressOf } from '../../../engine/core/address.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { createTokens } from '../../../engine/simnet/kit/tokens.ts'
import { createMayan } from '../../../engine/simnet/venues/mayan/mayan.ts'
import { mayan } from '../../../engine/venues/mayan/venue.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { anOrder, assetOf, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
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
import { createMayanNetwork } from './fakeNetwork.ts'

export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
export const STRANGER_ON_SOLANA = addressOf('solana', 'CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr')
export const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
export const USDC_POLYGON = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
export const WETH_BASE = '0x4200000000000000000000000000000000000006'
export const USDT_BSC = '0x55d398326f99059fF775485246999027B3197955'
export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const REFERRER = addressOf('solana', 'BKNWCRvTFDg5vFzCMvDcFMZWTMYLPK8Y1DLUnXvSbKVZ')
export const WITH_FEE = { FEE_RECIPIENT, REFERRER }
export const QUOTE = '/quote'

const orderOf =
  (usual: OrderWish) =>
  (wish: Partial<OrderWish> = {}): VenueOrder =>
    anOrder({ ...usual, ...wish })

export const orders = {
  /** 250 USDC from Base to Arbitrum, for another wallet. */
  usdc: orderOf({ from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n, recipient: WALLETS.evmOther }),
  toSol: orderOf({ from: [8453, USDC.base], to: [-2, NATIVE_SOL], amount: 250_000_000n, recipient: WALLETS.solana }),
  fromSolana: orderOf({ from: [-2, USDC.solana], to: [8453, NATIVE], amount: 250_000_000n, recipient: WALLETS.evm }),
  /** SOL, which the order is paid in. */
  sol: orderOf({ from: [-2, NATIVE_SOL], to: [8453, USDC.base], amount: 2_000_000_000n, recipient: WALLETS.evm }),
  /** Coins by an exchange, into what the order is paid in. */
  pol: orderOf({ from: [137, NATIVE], to: [42161, USDC.arbitrum], amount: 10n ** 21n, recipient: WALLETS.evmOther }),
  /** Wrapped, and no more than that. */
  ether: orderOf({ from: [8453, NATIVE], to: [42161, USDC.arbitrum], amount: 10n ** 18n, recipient: WALLETS.evmOther }),
  arb: orderOf({ from: [42161, ARB], to: [56, USDT_BSC], amount: 10n ** 21n, recipient: WALLETS.evmOther }),
}

export type MayanBench = VenueBench & { readonly chains: FakeChains; readonly network: FakeNetwork }

/** Every token of the offline network, as its chain describes it. */
export const createChains = (): FakeChains => {
  const [chains, tokens] = [createFakeChains(), createTokens()]
  chains.script.token = async ({ chainId, address }) => {
    const token = tokens.find(chainId, address)
    if (!token) throw new ChainError('notAToken', chainId, `no token at ${address}`)
    const { symbol, name, decimals, isNative } = token
    return { ...assetOf(chainId as ChainId, address), symbol, name, decimals, isNative }
  }
  return chains
}

export const openBench = async (
  options: { settings?: { readonly [name: string]: string }; apiKey?: string } = {},
): Promise<MayanBench> => {
  const network = createMayanNetwork()
  const chains = createChains()
  const { evm, solana } = network
  return { ...(await createVenueBench(mayan, createMayan, { chains, ...options, evm, solana })), chains, network }
}

type Telling = CannedOptions & {
  readonly changes?: { readonly [path: string]: (body: never, asked: Asked) => unknown }
  /** What is answered in place of the simulator; null leaves it to it. */
  readonly instead?: (asked: Asked) => Answer | null
  /** Left out, quotes that were changed are not held to their signature: there is none. */
  readonly isSigned?: boolean
}

const unsigned = (answer: Answer): Answer => {
  const { quotes } = (answer.body ?? {}) as { quotes?: readonly object[] }
  if (!quotes) return answer
  return { ...answer, body: { ...(answer.body as object), quotes: quotes.map((quote) => ({ ...quote, signature: null })) } }
}

/** The adapter, told by the simulator, but for what is changed on its way or said instead. */
export const told = ({ sim, chains }: Pick<MayanBench, 'sim' | 'chains'>, telling: Telling = {}): Canned => {
  const { changes = {}, instead = () => null, isSigned = false, settings = {}, ...options } = telling
  const simulated = changing(toldBy(sim), changes)
  const answering = async (asked: Asked) => instead(asked) ?? (isSigned ? simulated(asked) : unsigned(await simulated(asked)))
  return canned(mayan, answering, { chains, settings: { ...sim.settings, ...settings }, ...options })
}
