import { type Address, parseAddress, ZERO_EVM_ADDRESS } from '../core/address.ts'
import { type Asset, NATIVE } from '../core/asset.ts'
import { type ChainId, type Ecosystem, ecosystemOf } from '../core/chain.ts'
import { bitcoinPayees } from './bitcoin/bitcoinPayees.ts'
import { associatedTokenAddress, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './solana/solanaCodec.ts'

const TOKEN_PROGRAMS = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]

/** Addresses that belong to nobody: what is sent there is lost. */
const NOBODYS: { readonly [ecosystem in Ecosystem]: readonly Address[] } = {
  evm: [ZERO_EVM_ADDRESS, NATIVE],
  solana: [SYSTEM_PROGRAM],
  bitcoin: [],
}

/** All that is paid when an address is, one word each: the address, its key by other spellings, its accounts of the mints. */
const payeesOf = (ecosystem: Ecosystem, raw: string, mints: readonly Address[]): readonly string[] => {
  if (ecosystem === 'bitcoin') return bitcoinPayees(raw)
  const address = parseAddress(ecosystem, raw)
  if (address === null || ecosystem === 'evm') return address === null ? [] : [address]
  return [address, ...mints.flatMap((mint) => TOKEN_PROGRAMS.map((program) => associatedTokenAddress(address, mint, program)))]
}

/** All that is paid when an address of a chain is paid one of the assets, one word each; any of them tells whose it is. */
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
 * Whether what is paid to `address` reaches one of `parties`, in whatever spelling or form, or lands at a token of the swap
 * or at nobody's address. Parties may be of other chains: what is no address of this one is passed over.
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
