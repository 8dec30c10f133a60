import { type ChainId, ecosystemOf } from '../../core/chain.ts'
import type { FaultName, Faults } from './faults.ts'

/** Whether a fault is on for this call, using up one of its count. */
export type Takes = (fault: FaultName) => boolean

export const takesFor =
  (faults: Faults, venue: string, path: string): Takes =>
  (fault) =>
    faults.take(venue, fault, path) !== null

/** What a venue that misquotes on purpose multiplies its outputs by. */
export const misquotedBy = (takes: Takes): bigint => (takes('price-x100') ? 100n : takes('wrong-decimals') ? 10n ** 12n : 1n)

/** Nobody of a swap, and nobody's contract. */
const STRANGERS = {
  evm: '0x000000000000000000000000000000000000dEaD',
  solana: 'SysvarC1ock11111111111111111111111111111111',
  bitcoin: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
}

/** What a payload is to say. Amounts in smallest units, the minimum of the output. */
export type PayloadTerms = {
  readonly recipient: string
  readonly minimum: bigint
  readonly amount: bigint
  readonly contract: string
}

/** Honest terms as the faults of payloads that are on leave them. */
export const alteredTerms = (
  takes: Takes,
  { recipient, minimum, amount, contract }: PayloadTerms,
  { origin, destination }: { readonly origin: { readonly chainId: number }; readonly destination: { readonly chainId: number } },
): PayloadTerms => {
  const strangerOn = ({ chainId }: { readonly chainId: number }) => STRANGERS[ecosystemOf(chainId as ChainId)]
  return {
    recipient: takes('wrong-recipient') ? strangerOn(destination) : recipient,
    minimum: takes('wrong-minimum') ? minimum / 2n : minimum,
    amount: takes('wrong-amount') ? amount * 2n : amount,
    contract: takes('wrong-contract') ? strangerOn(origin) : contract,
  }
}
