import { BITCOIN, NATIVE, NATIVE_SOL, SOLANA, USDC, WETH_ETHEREUM } from '../client/tokens.ts'
import type { QuoteRequest } from '../client/wire.ts'

export type WalletName = 'evm' | 'solana' | 'bitcoin'

/** A swap somebody wants, between two of their wallets. */
export type Wish = {
  readonly title: string
  readonly from: WalletName
  readonly to: WalletName
  readonly route: Pick<
    QuoteRequest,
    'inputChainId' | 'inputToken' | 'inputAmount' | 'outputChainId' | 'outputToken' | 'excludeVenues'
  >
  /** What the sender has besides, to pay the origin chain's fees. */
  readonly feeMoney: { readonly token: string; readonly amount: string }
}

const [ETHEREUM, BASE, ARBITRUM] = [1, 8453, 42161] as const

const ONE_ETHER = { token: NATIVE, amount: '1000000000000000000' }
const ONE_SOL = { token: NATIVE_SOL, amount: '1000000000' }

export const WISHES: readonly Wish[] = [
  {
    title: 'EVM to EVM: 250 USDC on Base to USDC on Arbitrum',
    from: 'evm',
    to: 'evm',
    route: {
      inputChainId: BASE,
      inputToken: USDC.base,
      inputAmount: '250000000',
      outputChainId: ARBITRUM,
      outputToken: USDC.arbitrum,
    },
    feeMoney: ONE_ETHER,
  },
  {
    title: 'EVM to Solana: 250 USDC on Arbitrum to SOL',
    from: 'evm',
    to: 'solana',
    route: {
      inputChainId: ARBITRUM,
      inputToken: USDC.arbitrum,
      inputAmount: '250000000',
      outputChainId: SOLANA,
      outputToken: NATIVE_SOL,
    },
    feeMoney: ONE_ETHER,
  },
  {
    title: 'Solana to EVM: 250 USDC on Solana to USDC on Base',
    from: 'solana',
    to: 'evm',
    route: {
      inputChainId: SOLANA,
      inputToken: USDC.solana,
      inputAmount: '250000000',
      outputChainId: BASE,
      outputToken: USDC.base,
    },
    feeMoney: ONE_SOL,
  },
  {
    title: 'Bitcoin to EVM: 0.05 BTC to USDC on Base',
    from: 'bitcoin',
    to: 'evm',
    route: {
      inputChainId: BITCOIN,
      inputToken: NATIVE,
      inputAmount: '5000000',
      outputChainId: BASE,
      outputToken: USDC.base,
    },
    feeMoney: { token: NATIVE, amount: '100000' },
  },
  {
    title: 'EVM to Bitcoin: 1 ETH on Base to BTC',
    from: 'evm',
    to: 'bitcoin',
    route: {
      inputChainId: BASE,
      inputToken: NATIVE,
      inputAmount: ONE_ETHER.amount,
      outputChainId: BITCOIN,
      outputToken: NATIVE,
    },
    feeMoney: ONE_ETHER,
  },
  {
    title: 'On one chain: 1000 USDC on Ethereum to WETH',
    from: 'evm',
    to: 'evm',
    route: {
      inputChainId: ETHEREUM,
      inputToken: USDC.ethereum,
      inputAmount: '1000000000',
      outputChainId: ETHEREUM,
      outputToken: WETH_ETHEREUM,
    },
    feeMoney: ONE_ETHER,
  },
]
