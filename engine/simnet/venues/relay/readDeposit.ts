import type { SimLog, SimTransaction } from '../../kit/simVenue.ts'
import type { Network } from './networks.ts'

/** A deposit as the depository books it. `token` is null for the native coin, and where the bytes do not say. */
export type SeenDeposit = { readonly orderId: string; readonly amount: bigint; readonly token: string | null }

const address = (word: string): string => {
  if (!word.startsWith('0'.repeat(24))) throw new Error('execution reverted: not an address')
  return `0x${word.slice(24)}`
}

/** keccak256 of the events' signatures: RelayDepository.sol. */
const NATIVE_DEPOSIT = '0x8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e3477'
const ERC20_DEPOSIT = '0x49fed1d0b752ce30eee63c7a81133f3363b532fec5d4d7dd1ccfd005de4555e1'

const readEvent = ({ topics: [topic], data }: SimLog): SeenDeposit | null => {
  const words = data.slice(2).match(/.{64}/g) ?? []
  const [, second = '', third = '', fourth = ''] = words
  if (topic === NATIVE_DEPOSIT) return { orderId: `0x${third}`, amount: BigInt(`0x${second}`), token: null }
  if (topic === ERC20_DEPOSIT) return { orderId: `0x${fourth}`, amount: BigInt(`0x${third}`), token: address(second) }
  return null
}

const readCalldata = ({ data, value }: SimTransaction): SeenDeposit => {
  const call = data.toLowerCase()
  const words = call.slice(10).match(/.{64}/g) ?? []
  const [first = '', second = '', third = '', fourth = ''] = words
  switch (call.slice(0, 10)) {
    case '0x49290c1c':
      if (words.length < 2) throw new Error('execution reverted: calldata too short')
      address(first)
      return { orderId: `0x${second}`, amount: value, token: null }
    case '0xe8017952':
      if (words.length < 4 || value > 0n) throw new Error('execution reverted')
      address(first)
      return { orderId: `0x${fourth}`, amount: BigInt(`0x${third}`), token: address(second) }
    default:
      throw new Error('execution reverted')
  }
}

/**
 * The deposits a transaction makes: by the depository's events where there are any to read, whatever wallet or router was
 * called; else by its calldata, throwing what the contract would revert with.
 */
export const readEvmDeposits = (transaction: SimTransaction, { depository }: Network): readonly SeenDeposit[] => {
  const isDepository = (contract: string) => contract.toLowerCase() === depository
  if (transaction.logs) return transaction.logs.filter((log) => isDepository(log.address)).flatMap((log) => readEvent(log) ?? [])
  return isDepository(transaction.to) ? [readCalldata(transaction)] : []
}
