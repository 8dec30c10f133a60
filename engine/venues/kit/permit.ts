import { hashTypedAs, typedKind } from '../../chains/evm/typedKind.ts'
import { type ChainId, isChainId } from '../../core/chain.ts'
import type { Hex, PayloadClaims, TypedData } from '../../core/execution.ts'
import { rejected } from '../venueError.ts'
import { addressIn, isSameAddress } from './addresses.ts'
import { amount, closed, count, evmAddress, type Static, shape, typed } from './shapes.ts'

/* Allowances by signature: https://eips.ethereum.org/EIPS/eip-2612 */

const FIELDS = 'address owner, address spender, uint256 value, uint256 nonce, uint256 deadline'
const DOMAINS = {
  versioned: 'string name, string version, uint256 chainId, address verifyingContract',
  // Some tokens have no version.
  plain: 'string name, uint256 chainId, address verifyingContract',
}
const kindOf = (domain: string) => typedKind('Permit', domain, { EIP712Domain: domain, Permit: FIELDS })
const KINDS = { versioned: kindOf(DOMAINS.versioned), plain: kindOf(DOMAINS.plain) }

const fields = { owner: evmAddress, spender: evmAddress, value: amount, deadline: amount }
const message = shape('permit', closed({ ...fields, nonce: amount }))

/** In the format of venues: the nonce is a number. */
export const wirePermit = typed(closed({ ...fields, nonce: count() }))
export type WirePermit = Static<typeof wirePermit>

/** In the form that wallets accept: the chain ignores the case of addresses, and numbers are decimal digits. */
export const permitToSign = ({ message: { nonce, ...rest }, domain, ...typedData }: WirePermit, token: string): TypedData => ({
  ...typedData,
  domain: { ...domain, verifyingContract: token },
  message: { ...rest, nonce: nonce.toString() },
})

export const permitToSubmit = ({ message: { nonce, ...rest }, ...typedData }: TypedData): object => ({
  ...typedData,
  message: { ...rest, nonce: Number(nonce) },
})

/** The hash that a wallet signs for a permit in the domain of a token; null for typed data of another type. */
export const hashOfPermit = (permit: TypedData): Promise<Hex | null> =>
  hashTypedAs(permit, permit.domain.version === undefined ? KINDS.plain : KINDS.versioned)

/** The allowance of a token's permit, and its token. Rejects the answer. */
export type ReadPermit = {
  readonly chainId: ChainId
  readonly deadline: bigint
  readonly approval: NonNullable<PayloadClaims['approval']>
  readonly isOf: (token: string) => boolean
}

export const readPermit = (permit: TypedData): ReadPermit => {
  const { chainId, verifyingContract = '' } = permit.domain
  if (chainId === undefined || !isChainId(chainId)) throw rejected('approval', 'the domain of the approval names no chain')
  const { owner, spender, value, deadline } = message.read(permit.message)
  const address = (text: string) => addressIn(chainId, text.toLowerCase(), 'an address of the permit')
  return {
    chainId,
    deadline: BigInt(deadline),
    approval: { owner: address(owner), spender: address(spender), amount: BigInt(value) },
    isOf: (token) => isSameAddress(verifyingContract, token),
  }
}
