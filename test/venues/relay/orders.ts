import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'

/** What is swapped, by whom and for whom. */

export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
export const RECIPIENT_BTC = addressOf('bitcoin', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3')

export const ROUTER = '0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f'
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
