import { base58 } from '@scure/base'
import type { SimLog, SimSolanaInstruction, SimTransaction } from '../../simVenue.ts'
import { type Network, SVM_DEPOSITORY } from './networks.ts'

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

/** A cursor over the bytes of a wire transaction. */
class Wire {
  readonly #bytes: Buffer
  #at = 0
  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }
  take(length: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + length)
    if (taken.length !== length) throw new Error('failed to deserialize the transaction')
    this.#at += length
    return taken
  }
  /** Compact-u16. */
  count(): number {
    let value = 0
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.take(1).readUInt8()
      value |= (byte & 0x7f) << shift
      if ((byte & 0x80) === 0) return value
    }
    throw new Error('failed to deserialize the transaction')
  }
  skipVersion(): void {
    if (((this.#bytes[this.#at] ?? 0) & 0x80) !== 0) this.#at += 1
  }
}

type Call = { readonly program: string; readonly accounts: readonly (string | undefined)[]; readonly data: Buffer }

/** Accounts from lookup tables are left undefined: nothing here needs them. */
const readCalls = (wire: Buffer): readonly Call[] => {
  const bytes = new Wire(wire)
  bytes.take(bytes.count() * 64)
  bytes.skipVersion()
  bytes.take(3)
  const keys = Array.from({ length: bytes.count() }, () => base58.encode(bytes.take(32)))
  bytes.take(32)
  return Array.from({ length: bytes.count() }, () => {
    const program = keys[bytes.take(1).readUInt8()] ?? ''
    const accounts = [...bytes.take(bytes.count())].map((index) => keys[index])
    return { program, accounts, data: bytes.take(bytes.count()) }
  })
}

const toCall = ({ programId, accounts, data }: SimSolanaInstruction): Call => ({
  program: programId,
  accounts,
  data: Buffer.from(data),
})

const DEPOSITS = new Set(['0d9e0ddf5fd51c06', '0b9c60da27a3b413'])

/** The deposit of a Solana transaction, told by its top-level instructions alone; null when it makes none. */
export const readSvmDeposit = ({ data, solana }: SimTransaction): SeenDeposit | null => {
  const calls = solana ? solana.instructions.map(toCall) : readCalls(Buffer.from(data, 'base64'))
  const call = calls.find(
    ({ program, data: bytes }) =>
      program === SVM_DEPOSITORY.program && bytes.length === 48 && DEPOSITS.has(bytes.subarray(0, 8).toString('hex')),
  )
  if (!call) return null
  const token = call.accounts.length === 10 ? (call.accounts[4] ?? null) : null
  return { orderId: `0x${call.data.subarray(16).toString('hex')}`, amount: call.data.readBigUInt64LE(8), token }
}
