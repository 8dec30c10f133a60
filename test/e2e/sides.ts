import { parseEther } from 'viem'
import { NATIVE, NATIVE_SOL, USDC, WETH_ETHEREUM } from '../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'

/** The sides of the routes of these tests. */

export type Side = { readonly chainId: QuoteRequest['inputChainId']; readonly token: string }
export type Paid = Side & { readonly amount: string }

const side = (chainId: Side['chainId'], token: string): Side => ({ chainId, token })

export const USDC_ON = {
  ethereum: side(1, USDC.ethereum),
  base: side(8453, USDC.base),
  arbitrum: side(42161, USDC.arbitrum),
  solana: side(-2, USDC.solana),
}
export const COINS_OF = {
  ethereum: side(1, NATIVE),
  base: side(8453, NATIVE),
  arbitrum: side(42161, NATIVE),
  avalanche: side(43114, NATIVE),
  solana: side(-2, NATIVE_SOL),
  bitcoin: side(-1, NATIVE),
}
export const WETH_ON = {
  ethereum: side(1, WETH_ETHEREUM),
  base: side(8453, '0x4200000000000000000000000000000000000006'),
  arbitrum: side(42161, '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'),
}
export const USDT_ON = {
  ethereum: side(1, '0xdAC17F958D2ee523a2206206994597C13D831ec7'),
  arbitrum: side(42161, '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'),
  solana: side(-2, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
}
export const ARB = side(42161, '0x912CE59144191C1204E64559FE8253a0e49E6548')
export const DAI = side(1, '0x6B175474E89094C44Da98b954EedeAC495271d0F')
export const USDG = side(4663, '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168')
export const USDC_AVALANCHE = '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'

/** An input in smallest units. */
export const units = (of: Side, amount: string): Paid => ({ ...of, amount })
/** An input of a token with six decimals. */
export const dollars = (of: Side, amount = 250): Paid => units(of, `${amount}000000`)
/** An input of a coin or token with eighteen decimals. */
export const whole = (of: Side, amount = '1'): Paid => units(of, parseEther(amount).toString())
