import { parseAbi } from 'abitype'
import { namedArguments } from '../../chains/evm/abiFields.ts'
import { encodeCall } from '../../chains/evm/evmCodec.ts'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, isNative, NATIVE } from '../../core/asset.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'

/** `chain/ethereum/contracts/THORChain_Router.sol` of THORNode. Its other deposit functions are private, or lack a deadline. */
const DEPOSIT = parseAbi([
  'function depositWithExpiry(address vault, address asset, uint256 amount, string memo, uint256 expiration) payable',
])

/** The zero address represents coins. */
export const DEPOSITED = parseAbi(['event Deposit(address indexed to, address indexed asset, uint256 amount, string memo)'])
export const TRANSFERRED = parseAbi([
  'event TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo)',
])

export type DepositCall = {
  readonly vault: Address
  readonly asset: Address
  readonly amount: bigint
  readonly memo: string
  /** Unix seconds. */
  readonly expiration: bigint
}

export const toRouterAsset = (asset: Asset): Address => (isNative(asset) ? ZERO_EVM_ADDRESS : asset.address)

/** An asset in the router's notation. */
export const fromRouterAsset = (chainId: ChainId, asset: Address): Asset => ({
  chainId,
  address: asset === ZERO_EVM_ADDRESS ? NATIVE : asset,
})

export const depositCall = ({ vault, asset, amount, memo, expiration }: DepositCall): Promise<Hex> =>
  encodeCall(DEPOSIT, 'depositWithExpiry', [vault, asset, amount, memo, expiration])

/** Null for another call, or for one not in canonical form. */
export const readDepositCall = async (data: string): Promise<DepositCall | null> => {
  const args = await readExactCall(DEPOSIT, data.toLowerCase() as Hex)
  return args && namedArguments(DEPOSIT, args)
}
