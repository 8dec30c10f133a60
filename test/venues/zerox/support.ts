import { addressOf } from '../../../engine/core/address.ts'
import { createZerox } from '../../../engine/simnet/venues/zerox/zerox.ts'
import { zerox } from '../../../engine/venues/zerox/venue.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { usually, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { type Answer, type Canned, type CannedOptions, canned, toldAs } from '../../support/venueKit/canned.ts'
import { createZeroxNetwork } from './fakeNetwork.ts'

export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
export const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
export const [PRICE, QUOTE] = ['/swap/allowance-holder/price', '/swap/allowance-holder/quote']
export const [GASLESS_PRICE, GASLESS] = ['/gasless/price', '/gasless/quote']

const parties = { recipient: WALLETS.evmOther, feeBps: 30 }
/** All on Ethereum, for somebody else than the sender, with 30 bps for the integrator. */
export const orders = {
  /** By a signed trade: USDC has permits. */
  usdc: usually({ ...parties, from: [1, USDC.ethereum], to: [1, WETH_ETHEREUM], amount: 1_000_000_000n }),
  usdcToEther: usually({ ...parties, from: [1, USDC.ethereum], to: [1, NATIVE], amount: 1_000_000_000n }),
  /** By transactions: DAI has none, and coins are nobody's to sign away. */
  dai: usually({ ...parties, from: [1, DAI], to: [1, USDC.ethereum], amount: 1_000n * 10n ** 18n }),
  ether: usually({ ...parties, from: [1, NATIVE], to: [1, USDC.ethereum], amount: 10n ** 18n }),
}

const USUAL = { settings: { FEE_RECIPIENT }, apiKey: 'a-key-of-0x-1234' }

export const openBench = async (): Promise<VenueBench & { readonly chains: FakeChains }> => {
  const chains = createFakeChains()
  return { ...(await createVenueBench(zerox, createZerox, { ...USUAL, chains, evm: createZeroxNetwork().evm })), chains }
}

export const cannedZerox = (answering: Parameters<typeof canned>[1], options: CannedOptions = {}): Canned =>
  canned(zerox, answering, { ...USUAL, ...options })

export const told = toldAs(zerox, USUAL)

/** As 0x refuses. */
export const refusing = (name: string): Answer => ({
  status: 400,
  body: { name, message: 'as documented', data: { zid: '0x111111111111111111111111' } },
})
