import type { Hex } from '../../../core/execution.ts'
import type { Header } from './actions.ts'
import { PERMIT2 } from './networks.ts'

type Field = { readonly name: string; readonly type: string }
type Fields = readonly (readonly [name: string, type: string])[]
export type Eip712 = {
  readonly types: { readonly [type: string]: readonly Field[] }
  readonly domain: { readonly [field: string]: string | number }
  readonly message: { readonly [field: string]: unknown }
  readonly primaryType: string
}

const typed = (fields: Fields): readonly Field[] => fields.map(([name, type]) => ({ name, type }))
const DOMAIN = { name: ['name', 'string'], version: ['version', 'string'], chainId: ['chainId', 'uint256'] } as const
const CONTRACT = ['verifyingContract', 'address'] as const

/** Uniswap/permit2, with the witness of src/SettlerAbstract.sol of 0xProject/0x-settler. */
export const tradeTypedData = (
  chainId: number,
  permit: {
    readonly token: string
    readonly amount: bigint
    readonly spender: string
    readonly nonce: bigint
    readonly deadline: bigint
  },
  { header, actions }: { readonly header: Header; readonly actions: readonly Hex[] },
): Eip712 => ({
  types: {
    PermitWitnessTransferFrom: typed([
      ['permitted', 'TokenPermissions'],
      ['spender', 'address'],
      ['nonce', 'uint256'],
      ['deadline', 'uint256'],
      ['slippageAndActions', 'SlippageAndActions'],
    ]),
    EIP712Domain: typed([DOMAIN.name, DOMAIN.chainId, CONTRACT]),
    TokenPermissions: typed([
      ['token', 'address'],
      ['amount', 'uint256'],
    ]),
    SlippageAndActions: typed([
      ['recipient', 'address'],
      ['buyToken', 'address'],
      ['minAmountOut', 'uint256'],
      ['actions', 'bytes[]'],
    ]),
  },
  domain: { name: 'Permit2', chainId, verifyingContract: PERMIT2 },
  message: {
    permitted: { token: permit.token, amount: permit.amount.toString() },
    spender: permit.spender,
    nonce: permit.nonce.toString(),
    deadline: permit.deadline.toString(),
    slippageAndActions: { ...header, minAmountOut: header.minAmountOut.toString(), actions },
  },
  primaryType: 'PermitWitnessTransferFrom',
})

/** EIP-2612, in the domain of a token: https://eips.ethereum.org/EIPS/eip-2612 */
export const permitTypedData = (
  token: { readonly chainId: number; readonly address: string; readonly name: string; readonly version: string },
  permit: { readonly owner: string; readonly value: bigint; readonly nonce: number; readonly deadline: bigint },
): Eip712 => ({
  types: {
    EIP712Domain: typed([DOMAIN.name, DOMAIN.version, DOMAIN.chainId, CONTRACT]),
    Permit: typed([
      ['owner', 'address'],
      ['spender', 'address'],
      ['value', 'uint256'],
      ['nonce', 'uint256'],
      ['deadline', 'uint256'],
    ]),
  },
  domain: { name: token.name, version: token.version, chainId: token.chainId, verifyingContract: token.address.toLowerCase() },
  message: {
    owner: permit.owner,
    spender: PERMIT2,
    value: permit.value.toString(),
    nonce: permit.nonce,
    deadline: permit.deadline.toString(),
  },
  primaryType: 'Permit',
})
