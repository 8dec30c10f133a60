/** The offline network, or the public ones. Records and quote tokens are of one of them. */
export const NETWORK_NAMES = ['simnet', 'mainnet'] as const

export type NetworkName = (typeof NETWORK_NAMES)[number]
