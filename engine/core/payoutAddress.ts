import { SOLANA } from './chain.ts'
import type { PayoutEcosystem } from './partner.ts'
import { readWalletAddress } from './walletAddress.ts'

const THORCHAIN = /^thor1[a-z0-9]{38}$/

/** Reads a partner's payout address into its canonical spelling. A problem is worded for the caller. */
export const readPayoutAddress = (
  ecosystem: PayoutEcosystem,
  raw: string,
): { readonly address: string } | { readonly problem: string } => {
  switch (ecosystem) {
    case 'evm':
      return readWalletAddress(1, raw)
    case 'solana':
      return readWalletAddress(SOLANA, raw)
    case 'thorchain':
      return THORCHAIN.test(raw) ? { address: raw } : { problem: 'must be thor1 followed by 38 lower-case letters and digits' }
  }
}
