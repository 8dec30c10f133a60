import { addressOf } from '../../../engine/core/address.ts'
import { createKyberswap } from '../../../engine/simnet/venues/kyberswap/kyberswap.ts'
import { kyberswap } from '../../../engine/venues/kyberswap/venue.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { usually, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { toldAs } from '../../support/venueKit/canned.ts'

export const ROUTER = addressOf('evm', '0x6131B5fae19EA4f9D964eAc0408E4408b66337b5')
export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
export const WITH_FEE = { FEE_RECIPIENT }
export const [ROUTES, BUILD] = ['/ethereum/api/v1/routes', '/ethereum/api/v1/route/build']

export const orders = {
  /** 1000 USDC to WETH on Ethereum, for someone else than the sender. */
  usdc: usually({ recipient: WALLETS.evmOther, from: [1, USDC.ethereum], to: [1, WETH_ETHEREUM], amount: 1_000_000_000n }),
  ether: usually({ recipient: WALLETS.evmOther, from: [1, NATIVE], to: [1, USDC.ethereum], amount: 10n ** 18n }),
  toEther: usually({ recipient: WALLETS.evmOther, from: [1, USDC.ethereum], to: [1, NATIVE], amount: 1_000_000_000n }),
}

type Options = { readonly settings?: { readonly [name: string]: string }; readonly apiKey?: string }

export const openBench = (options: Options = {}): Promise<VenueBench> =>
  createVenueBench(kyberswap, createKyberswap, {
    chains: createFakeChains(),
    ...options,
    evm: { fund: async () => undefined },
  })

export const told = toldAs(kyberswap)
