import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { wordOf } from '../../kit/abiWords.ts'
import type { SimLog, SimTransaction } from '../../kit/simVenue.ts'
import type { Network } from './networks.ts'

/** A deposit as the depository books it. `token` is null for the native coin, and where the bytes do not say. */
export type SeenDeposit = { readonly orderId: string; readonly amount: bigint; readonly token: string | null }

/** Selectors of RelayDepository.sol: depositNative(address,bytes32), depositErc20(address,address,uint256,bytes32). */
export const CALLS = { native: '0x49290c1c', erc20: '0xe8017952' } as const

const NATIVE_DEPOSIT = keccakText('RelayNativeDeposit(address,uint256,bytes32)')
const ERC20_DEPOSIT = keccakText('RelayErc20Deposit(address,address,uint256,bytes32)')

const wordsOf = (hex: string): readonly string[] => hex.match(/.{64}/g) ?? []

const address = (word = ''): string => {
  if (!word.startsWith('0'.repeat(24))) throw new Error('execution reverted: not an address')
  return `0x${word.slice(24)}`
}

const native = ([from, amount, id]: readonly string[]): SeenDeposit => {
  address(from)
  return { orderId: `0x${id}`, amount: BigInt(`0x${amount}`), token: null }
}

const erc20 = ([from, token, ...rest]: readonly string[]): SeenDeposit => ({
  ...native([from ?? '', ...rest]),
  token: address(token),
})

const readEvent = ({ topics: [topic], data }: SimLog): readonly SeenDeposit[] => {
  const words = wordsOf(data.slice(2))
  return topic === NATIVE_DEPOSIT ? [native(words)] : topic === ERC20_DEPOSIT ? [erc20(words)] : []
}

const readCalldata = ({ data, value }: SimTransaction): SeenDeposit => {
  const words = wordsOf(data.slice(10).toLowerCase())
  const [depositor = '', id = ''] = words
  switch (data.slice(0, 10).toLowerCase()) {
    case CALLS.native:
      if (words.length >= 2) return native([depositor, wordOf(value), id])
      break
    case CALLS.erc20:
      if (words.length >= 4 && value === 0n) return erc20(words)
  }
  throw new Error('execution reverted')
}

/**
 * The deposits a transaction makes: by the depository's events where there are any to read, whatever wallet or router was
 * called; else by its calldata, throwing what the contract would revert with.
 */
export const readEvmDeposits = (transaction: SimTransaction, { depository }: Network): readonly SeenDeposit[] => {
  const isDepository = (contract: string) => contract.toLowerCase() === depository
  if (transaction.logs) return transaction.logs.filter((log) => isDepository(log.address)).flatMap(readEvent)
  return isDepository(transaction.to) ? [readCalldata(transaction)] : []
}
