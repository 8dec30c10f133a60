/** `selfServe` signed up by itself; `enterprise` got its key from the operator. */
export type PartnerKind = 'selfServe' | 'enterprise'

/** The owner of a quote's integrator fee: the partner by its own fee, or the operator by its schedule. */
export type FeeOwner = 'partner' | 'operator'

/** Where an earned balance is paid: THORChain for earnings in Bitcoin, or through THORChain. */
export const PAYOUT_ECOSYSTEMS = ['evm', 'solana', 'thorchain'] as const
export type PayoutEcosystem = (typeof PAYOUT_ECOSYSTEMS)[number]

/** The swap events of a partner. `expired` causes no event: a refund is owed, and the swap continues. */
export type SwapEventName = 'swap.settled' | 'swap.refunded' | 'swap.failed'
