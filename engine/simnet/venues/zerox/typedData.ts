import { typedKind } from '../../../chains/evm/typedKind.ts'
import type { Hex } from '../../../core/execution.ts'
import type { Header } from './actions.ts'
import { PERMIT2 } from './networks.ts'

export type Eip712 = {
  readonly types: { readonly [type: string]: readonly { readonly name: string; readonly type: string }[] }
  readonly domain: { readonly [field: string]: string | number }
  readonly message: { readonly [field: string]: unknown }
  readonly primaryType: string
}

const DOMAIN = 'string name, uint256 chainId, address verifyingContract'
/** Uniswap/permit2, with the witness of src/SettlerAbstract.sol of 0xProject/0x-settler. */
const { domain: _fields, ...TRADE } = typedKind('PermitWitnessTransferFrom', DOMAIN, {
  PermitWitnessTransferFrom:
    'TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline, SlippageAndActions slippageAndActions',
  EIP712Domain: DOMAIN,
  TokenPermissions: 'address token, uint256 amount',
  SlippageAndActions: 'address recipient, address buyToken, uint256 minAmountOut, bytes[] actions',
})
const TOKEN_DOMAIN = 'string name, string version, uint256 chainId, address verifyingContract'
/** EIP-2612, in the domain of a token: https://eips.ethereum.org/EIPS/eip-2612 */
const { domain: _ofToken, ...PERMIT } = typedKind('Permit', TOKEN_DOMAIN, {
  EIP712Domain: TOKEN_DOMAIN,
  Permit: 'address owner, address spender, uint256 value, uint256 nonce, uint256 deadline',
})

type Permitted = Record<'amount' | 'nonce' | 'deadline', bigint> & Record<'token' | 'spender', string>
type Todo = { readonly header: Header; readonly actions: readonly Hex[] }

export const tradeTypedData = (chainId: number, permit: Permitted, { header, actions }: Todo): Eip712 => ({
  ...TRADE,
  domain: { name: 'Permit2', chainId, verifyingContract: PERMIT2 },
  message: {
    permitted: { token: permit.token, amount: permit.amount.toString() },
    spender: permit.spender,
    nonce: permit.nonce.toString(),
    deadline: permit.deadline.toString(),
    slippageAndActions: { ...header, minAmountOut: header.minAmountOut.toString(), actions },
  },
})

type Token = Readonly<Record<'address' | 'name' | 'version', string>> & { readonly chainId: number }
type Permit = { readonly owner: string; readonly value: bigint; readonly nonce: number; readonly deadline: bigint }

export const permitTypedData = (
  { name, version, chainId, address }: Token,
  { owner, value, nonce, deadline }: Permit,
): Eip712 => ({
  ...PERMIT,
  domain: { name, version, chainId, verifyingContract: address.toLowerCase() },
  message: { owner, spender: PERMIT2, value: value.toString(), nonce, deadline: deadline.toString() },
})
