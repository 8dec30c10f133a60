/** The offline network, or the public ones. Records and quote tokens are of one of them. */
export const NETWORK_NAMES = ['simnet', 'mainnet'] as const

export type NetworkName = (typeof NETWORK_NAMES)[number]

/** The wallet that the offline Solana opens token accounts for, so that venues can pay fees to it. */
export const SIMNET_FEE_WALLET_SOLANA = 'BKNWCRvTFDg5vFzCMvDcFMZWTMYLPK8Y1DLUnXvSbKVZ'
