import { PAYMENT_ASSETS, type PaymentAsset } from './paymentAssets.ts'
import type { PaymentOption } from './paymentPorts.ts'

/** The price of a call: a tenth of a cent. A dollar is ten to the power of `decimals` units. */
export const CALL_PRICE = { units: 1_000n, decimals: 6 } as const

export type PriceInDollars = { readonly units: bigint; readonly decimals: number }

/** The validity that a wallet is asked to sign, in seconds. An unsettled payment may still settle until then. */
export const PAYMENT_LIFETIME_SEC = 300

/** Wallets sign by their own time, and the chains of the offline network may be ahead of it. One jump is at most ten years. */
export const OFFLINE_PAYMENT_LIFETIME_SEC = 10 * 365 * 86_400

/** A mistake in the accepted payments, worded for the operator. */
export class PaymentOptionsError extends Error {
  override readonly name = 'PaymentOptionsError'
}

/** A price in smallest units of a dollar coin. Throws for zero, and for a price that is no whole number of units. */
export const priceIn = ({ network, asset, decimals }: PaymentAsset, price: PriceInDollars = CALL_PRICE): string => {
  const scaled = price.units * 10n ** BigInt(decimals)
  const unit = 10n ** BigInt(price.decimals)
  if (scaled <= 0n || scaled % unit !== 0n)
    throw new PaymentOptionsError(`the price of a call is no whole number of smallest units of ${asset} on ${network}`)
  return (scaled / unit).toString()
}

export type PaymentOptionsWish = {
  readonly payTo: { readonly evm: string | null; readonly solana: string | null }
  /** CAIP-2, in the order of preference for clients. */
  readonly networks: readonly string[]
  readonly lifetimeSec: number
}

/** The accepted payments, network by network. Throws PaymentOptionsError for a network without a supported asset. */
export const createPaymentOptions = ({ payTo, networks, lifetimeSec }: PaymentOptionsWish): readonly PaymentOption[] =>
  networks.map((network) => {
    const found = PAYMENT_ASSETS.find((each) => each.network === network)
    if (!found) {
      const known = PAYMENT_ASSETS.map((each) => each.network).join(', ')
      throw new PaymentOptionsError(`nothing is accepted on ${network}, only on ${known}`)
    }
    const recipient = found.domain ? payTo.evm : payTo.solana
    if (recipient === null) throw new PaymentOptionsError(`nobody is to be paid on ${network}`)
    const { asset, domain } = found
    return {
      scheme: 'exact',
      network: found.network,
      payTo: recipient,
      maxTimeoutSeconds: lifetimeSec,
      price: { asset, amount: priceIn(found), extra: { ...domain } },
    }
  })
