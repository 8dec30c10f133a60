import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { createZerox } from '../../../engine/simnet/venues/zerox/zerox.ts'
import { zerox } from '../../../engine/venues/zerox/venue.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
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
import { createZeroxNetwork } from './fakeNetwork.ts'

export const ALLOWANCE_HOLDER = addressOf('evm', '0x0000000000001fF3684f28c67538d4D072C22734')
export const PERMIT2 = addressOf('evm', '0x000000000022D473030F116dDEE9F6B43aC78BA3')
export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
export const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
export const API_KEY = 'a-key-of-0x-1234'

const orderOf =
  (usual: OrderWish) =>
  (wish: Partial<OrderWish> = {}): VenueOrder =>
    anOrder({ recipient: WALLETS.evmOther, feeBps: 30, ...usual, ...wish })

/** All on Ethereum, for somebody else than the sender, with 30 bps for the integrator. */
export const orders = {
  /** By a signed trade: USDC has permits. */
  usdc: orderOf({ from: [1, USDC.ethereum], to: [1, WETH_ETHEREUM], amount: 1_000_000_000n }),
  usdcToEther: orderOf({ from: [1, USDC.ethereum], to: [1, NATIVE], amount: 1_000_000_000n }),
  /** By transactions: DAI has none, and coins are nobody's to sign away. */
  dai: orderOf({ from: [1, DAI], to: [1, USDC.ethereum], amount: 1_000n * 10n ** 18n }),
  ether: orderOf({ from: [1, NATIVE], to: [1, USDC.ethereum], amount: 10n ** 18n }),
}

export type ZeroxBench = VenueBench & { readonly chains: FakeChains }

export const openBench = async (settings: { readonly [name: string]: string } = { FEE_RECIPIENT }): Promise<ZeroxBench> => {
  const chains = createFakeChains()
  const { evm } = createZeroxNetwork()
  return { ...(await createVenueBench(zerox, createZerox, { chains, settings, apiKey: API_KEY, evm })), chains }
}

type Telling = CannedOptions & {
  readonly changes?: Parameters<typeof changing>[1]
  /** What is answered in place of the simulator; null leaves it to it. */
  readonly instead?: (asked: Asked) => Answer | null
}

export const SETTINGS = { FEE_RECIPIENT }

export const cannedZerox = (answering: Parameters<typeof canned>[1], options: CannedOptions = {}): Canned =>
  canned(zerox, answering, { settings: SETTINGS, apiKey: API_KEY, ...options })

/** The adapter, told by the simulator, but for what is changed on its way or said instead. */
export const told = ({ sim, clock }: Pick<VenueBench, 'sim' | 'clock'>, telling: Telling = {}): Canned => {
  const { changes = {}, instead = () => null, ...options } = telling
  const simulated = changing(toldBy(sim), changes)
  return cannedZerox((asked) => instead(asked) ?? simulated(asked), { now: clock.now, ...options })
}

export const [PRICE, QUOTE] = ['/swap/allowance-holder/price', '/swap/allowance-holder/quote']
export const [GASLESS_PRICE, GASLESS] = ['/gasless/price', '/gasless/quote']

/** As 0x refuses. */
export const refusing = (
  name: string,
  { status = 400, ...data }: { status?: number; [field: string]: unknown } = {},
): Answer => ({
  status,
  body: { name, message: 'as documented', data: { zid: '0x111111111111111111111111', ...data } },
})

export type Body = Record<string, unknown>
