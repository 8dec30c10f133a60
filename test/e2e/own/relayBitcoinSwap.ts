import { expect } from 'vitest'
import { bitcoinOf, watch } from '../../../scripts/client/balances.ts'
import { type BitcoinSent, fundedCoin, payBitcoin } from '../../../scripts/client/bitcoin.ts'
import { bitcoinWallet, type Coin, type WalletKind } from '../../../scripts/client/bitcoinWallet.ts'
import { executeAs, statesOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import type { Quote, QuoteRequest, SwapStatus } from '../../../scripts/client/wire.ts'
import type { TestService } from '../../support/service.ts'
import { ACCOUNT } from '../../support/swaps.ts'
import { quoteRelay } from './relayQuote.ts'

export const REFUND_BITCOIN = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'
/** Satoshi: what Relay takes here for sending bitcoin back. */
export const REFUND_FEE = 1_900n
/** Satoshi: what is swapped. */
export const AMOUNT = 5_000_000n
const COIN = 10_000_000n

export const bitcoinRequest = (userAddress: string, change: Partial<QuoteRequest> = {}): QuoteRequest => ({
  ...{ inputChainId: -1, inputToken: NATIVE, inputAmount: AMOUNT.toString(), userAddress, refundAddress: REFUND_BITCOIN },
  ...{ outputChainId: 8453, outputToken: USDC.base, destinationAddress: ACCOUNT.address },
  ...change,
})

/** An address of Relay that is ready to be paid. */
export type RelayBitcoinSwap = {
  readonly offer: Quote
  readonly quoteToken: string
  readonly ref: string
  /** Of the wallet that pays. */
  readonly coin: Coin
  /** By how much the balances that matter changed since it was opened. */
  changes(): Promise<{ readonly [holding in 'paid' | 'deposited' | 'refunded' | 'delivered']: bigint }>
  pay(amount?: bigint): Promise<BitcoinSent>
}

/** Opens swaps from native Bitcoin, each for a wallet nobody had before. */
export const relayBitcoin = (service: TestService) => {
  let wallets = 0
  const newCoin = (kind: WalletKind = 'p2wpkh'): Promise<Coin> => {
    wallets += 1
    return fundedCoin(service, bitcoinWallet(kind, `relay ${wallets}`), COIN)
  }
  const open = async ({
    kind,
    ...change
  }: Partial<QuoteRequest> & { readonly kind?: WalletKind } = {}): Promise<RelayBitcoinSwap> => {
    const coin = await newCoin(kind)
    const { address } = coin.wallet
    const offer = await quoteRelay(service, bitcoinRequest(address, change))
    const { quoteToken } = offer
    const { deposit, statusRef: ref } = await executeAs(service, 'DEPOSIT', { quoteToken })
    expect(deposit).toEqual({ chainId: -1, address: ref, amount: AMOUNT.toString(), token: offer.input.token })
    const changes = await watch(service, {
      paid: bitcoinOf(address),
      deposited: bitcoinOf(ref),
      refunded: bitcoinOf(REFUND_BITCOIN),
      delivered: { chainId: 8453, token: USDC.base, owner: ACCOUNT.address },
    })
    return { coin, offer, quoteToken, ref, changes, pay: (amount = AMOUNT) => payBitcoin(service, coin, { to: ref, amount }) }
  }
  return { newCoin, open }
}

/** Until the refund is in a block it is owed. */
export const expectRefund = (seen: readonly SwapStatus[]): void =>
  expect(statesOf(seen).filter((state) => state !== 'expired')).toEqual(['processing', 'refunded'])
