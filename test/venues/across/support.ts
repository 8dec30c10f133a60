import { addressOf } from '../../../engine/core/address.ts'
import { usually, WALLETS } from '../../support/anOrder.ts'

export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const WITH_FEE = { FEE_RECIPIENT, INTEGRATOR_ID: '0xbeef' }

export const USDC = {
  base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  arbitrum: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
} as const
export const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
export const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
export const WETH = {
  base: '0x4200000000000000000000000000000000000006',
  arbitrum: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
} as const

export const SPOKE_POOL_BASE = '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'
export const SPOKE_POOL_ARBITRUM = '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A'
export const PERIPHERY = '0x97CCDBea4632140639aD5eA9b944aa034eb15fD4'
export const HANDLER = '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E'
export const SVM_SPOKE = addressOf('solana', 'DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru')

const [onBase, onArbitrum] = [
  [8453, USDC.base],
  [42161, USDC.arbitrum],
] as const
export const orders = {
  /** 250 USDC from Base to Arbitrum, for someone else than the sender. */
  usdc: usually({ from: onBase, to: onArbitrum, amount: 250_000_000n, recipient: WALLETS.evmOther }),
  ether: usually({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n, recipient: WALLETS.evmOther }),
  wrapped: usually({ from: [8453, WETH.base], to: [42161, WETH.arbitrum], amount: 10n ** 18n, recipient: WALLETS.evmOther }),
  /** ARB, which is exchanged before the bridge. */
  exchanged: usually({ from: [42161, ARB], to: onBase, amount: 10n ** 21n, recipient: WALLETS.evmOther }),
  fromSolana: usually({ from: [-2, USDC.solana], to: onBase, amount: 250_000_000n, recipient: WALLETS.evmOther }),
  toSolana: usually({ from: onBase, to: [-2, USDC.solana], amount: 250_000_000n, recipient: WALLETS.solana }),
}

export const POOLS: { readonly [chainId: number]: { readonly pool: string; readonly wrapped: string } } = {
  8453: { pool: SPOKE_POOL_BASE, wrapped: WETH.base },
  42161: { pool: SPOKE_POOL_ARBITRUM, wrapped: WETH.arbitrum },
}
/** An address with code where the simulator reads it. */
export const CONTRACT = addressOf('evm', '0x00000000000000000000000000000000c0dec0de')
