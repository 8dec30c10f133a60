import { createRequire } from 'node:module'
import {
  type Abi,
  type AbiFunction,
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  getAbiItem,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import type { Hex } from '../../../engine/core/execution.ts'
import { altered } from '../../support/venueKit/calls.ts'

const readPackage = createRequire(import.meta.url)
const published = ['AcrossEventEmitter', 'Ethereum_SpokePool', 'MulticallHandler', 'SpokePoolPeriphery'].flatMap((name) => {
  const { abi } = readPackage(`@across-protocol/contracts/dist/evm/artifacts/${name}.sol/${name}.json`) as { readonly abi: Abi }
  return abi
})

/** What payloads call and what contracts log, as `@across-protocol/contracts` publishes it, and the calls and events of tokens. */
export const ABI: Abi = [
  ...published,
  ...parseAbi([
    'function transfer(address to, uint256 value)',
    'function approve(address spender, uint256 value)',
    'function withdraw(uint256 wad)',
    'event Transfer(address indexed from, address indexed to, uint256 value)',
    'event Deposit(address indexed to, uint256 value)',
    'event Withdrawal(address indexed from, uint256 value)',
  ]),
]

/** `depositNative` of the periphery of early 2026: the caller is the depositor. */
const native = getAbiItem({ abi: ABI, name: 'depositNative' }) as AbiFunction
export const OLD_NATIVE: Abi = [{ ...native, inputs: native.inputs.filter(({ name }) => name !== 'depositor') }]

/** MulticallHandler.sol: the message of a deposit to it. */
const INSTRUCTIONS = parseAbiParameters([
  'Instructions instructions',
  'struct Instructions { Call[] calls; address fallbackRecipient; }',
  'struct Call { address target; bytes callData; uint256 value; }',
])

export type Call = { readonly target: Hex; readonly callData: Hex; readonly value: bigint }
export type Message = { readonly calls: readonly Call[]; readonly fallbackRecipient: Hex }
/** Calldata by the names of its arguments, its message taken apart, and what follows the arguments. */
export type Words = { readonly functionName: string; readonly tail: string; readonly [argument: string]: unknown }

export const encoded = (functionName: string, args: readonly unknown[], abi = ABI): Hex =>
  encodeFunctionData({ abi, functionName, args } as never)

/** Where the fields of the deposit stand. */
export const depositPath = ({ functionName }: Words): string =>
  functionName === 'swapAndBridge' ? 'swapAndDepositData.depositData.' : ''
const withMessage = (words: Words, change: (message: never) => unknown): Words =>
  altered(words, `${depositPath(words)}message`, change)
const namesOf = (functionName: string): readonly string[] =>
  (getAbiItem({ abi: ABI, name: functionName }) as AbiFunction).inputs.map(({ name = '' }) => name)

export const readCall = (data: string): Words => {
  const { functionName, args = [] } = decodeFunctionData({ abi: ABI, data: data as Hex })
  const fields = Object.fromEntries(namesOf(functionName).map((name, i) => [name, args[i]]))
  const words = { functionName, ...fields, tail: data.slice(encoded(functionName, args).length) }
  return withMessage(words, (message: Hex) => (message === '0x' ? message : decodeAbiParameters(INSTRUCTIONS, message)[0]))
}

export const writeMessage = (message: Hex | Message): Hex =>
  typeof message === 'string' ? message : encodeAbiParameters(INSTRUCTIONS, [message])

export const writeCall = (words: Words): string => {
  const fields = withMessage(words, writeMessage)
  const args = namesOf(words.functionName).map((name) => fields[name])
  return `${encoded(words.functionName, args)}${words.tail}`
}
