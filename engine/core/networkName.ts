/** The offline network, or the public ones. Every record and quote token belongs to one of them. */
export const NETWORK_NAMES = ['simnet', 'mainnet'] as const

export type NetworkName = (typeof NETWORK_NAMES)[number]

/** The wallet with token accounts on the offline Solana, so that venues can pay fees to it. */
export const SIMNET_FEE_WALLET_SOLANA = 'BKNWCRvTFDg5vFzCMvDcFMZWTMYLPK8Y1DLUnXvSbKVZ'
