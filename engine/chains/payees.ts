import { type Address, parseAddress, ZERO_EVM_ADDRESS } from '../core/address.ts'
import { type Asset, NATIVE } from '../core/asset.ts'
import { type ChainId, type Ecosystem, ecosystemOf } from '../core/chain.ts'
import { bitcoinPayees } from './bitcoin/bitcoinPayees.ts'
import { associatedTokenAddress, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './solana/solanaCodec.ts'

const TOKEN_PROGRAMS = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]

/** Addresses without an owner: payments to them are lost. */
const NOBODYS: { readonly [ecosystem in Ecosystem]: readonly Address[] } = {
  evm: [ZERO_EVM_ADDRESS, NATIVE],
  solana: [SYSTEM_PROGRAM],
  bitcoin: [],
}

/** All payees of a payment to an address: the address, the other spellings of its key, and its accounts of the mints. */
const payeesOf = (ecosystem: Ecosystem, raw: string, mints: readonly Address[]): readonly string[] => {
  if (ecosystem === 'bitcoin') return bitcoinPayees(raw)
  const address = parseAddress(ecosystem, raw)
  if (address === null || ecosystem === 'evm') return address === null ? [] : [address]
  return [address, ...mints.flatMap((mint) => TOKEN_PROGRAMS.map((program) => associatedTokenAddress(address, mint, program)))]
}

/** The addresses that are paid when an address of a chain receives one of the assets; each of them identifies the address. */
export const allPaidBy = (
  { chainId, address }: { readonly chainId: ChainId; readonly address: Address },
  assets: readonly Asset[],
): readonly string[] =>
  payeesOf(
    ecosystemOf(chainId),
    address,
    assets.filter((asset) => asset.chainId === chainId).map((asset) => asset.address),
  )

/**
 * Whether a payment to `address` reaches one of `parties`, in any spelling or form, a token of the swap, or an address without an
 * owner. Parties may be of other chains: addresses that this chain does not have are ignored.
 */
export const paysAny = (
  { chainId, address }: { readonly chainId: ChainId; readonly address: Address },
  parties: readonly string[],
  assets: readonly Asset[] = [],
): boolean => {
  const ecosystem = ecosystemOf(chainId)
  const tokens = assets.filter((asset) => ecosystemOf(asset.chainId) === ecosystem).map((asset) => asset.address)
  const taken = new Set([...NOBODYS[ecosystem], ...tokens, ...parties.flatMap((party) => payeesOf(ecosystem, party, tokens))])
  return payeesOf(ecosystem, address, []).some((payee) => taken.has(payee))
}
