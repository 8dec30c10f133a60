import { decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi } from 'viem'
import type { Address } from '../../../engine/core/address.ts'
import type { Asset } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import { type Answers, benchOver, type Call, type Endpoint, idOf, never, says } from './evidenceBench.ts'

export const USDC = assetOf(1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')
export const DAI = assetOf(1, '0x6B175474E89094C44Da98b954EedeAC495271d0F')
export const payee: Address = WALLETS.evm

export const hex = (value: number | bigint): string => `0x${value.toString(16)}`
const digits = (value: bigint | string): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).toLowerCase().padStart(64, '0')
/** ABI words, one after the other. */
export const word = (...values: readonly (bigint | string)[]): string => `0x${values.map(digits).join('')}`
export const abiString = (text: Buffer | string): string => {
  const bytes = Buffer.from(text).toString('hex')
  return `${word(32n, BigInt(bytes.length / 2))}${bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')}`
}

/* Contracts. */

export const [NAME, SYMBOL, DECIMALS, ALLOWANCE] = ['0x06fdde03', '0x95d89b41', '0x313ce567', '0xdd62ed3e'] as const
/** The functions that a read of metadata calls. */
export const METADATA = [DECIMALS, SYMBOL, NAME]
export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'

type Read = { readonly to: string; readonly data: string; readonly from?: string }
/** What a contract returns; null when it reverts. */
export type Contracts = (read: Read) => string | null

export const readOf = ({ params }: Call): Read => params[0] as Read

/** The calls inside an `eth_call` of Multicall3, as viem reads them; null when it is another call. */
export const batchIn = (call: Call): readonly Read[] | null => {
  if (call.method !== 'eth_call' || !readOf(call).data.startsWith('0x82ad56cb')) return null
  const { args } = decodeFunctionData({ abi: multicall3Abi, data: readOf(call).data as Hex })
  return (args[0] as readonly { target: string; allowFailure: boolean; callData: Hex }[]).map((each) => {
    if (!each.allowFailure) throw new Error('one call that fails would take the others with it')
    return { to: each.target, data: each.callData }
  })
}

export const reverts = { error: { code: 3, message: 'execution reverted', data: '0x' } }

/** A node with these contracts. */
export const has =
  (contracts: Contracts): Endpoint =>
  (call, signal) => {
    const returned = (data: string | null) => ({ success: data !== null, returnData: (data ?? '0x') as Hex })
    const results = batchIn(call)?.map((read) => returned(contracts(read)))
    const result = results
      ? encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: results })
      : contracts(readOf(call))
    return says(result === null ? reverts : { result })(call, signal)
  }

/** A contract by its functions; any other function reverts. */
export const byFunction =
  (answers: { readonly [selector: string]: string | undefined }): Contracts =>
  ({ data }) =>
    answers[data.slice(0, 10)] ?? null

export const USD_COIN = { [NAME]: abiString('USD Coin'), [SYMBOL]: abiString('USDC'), [DECIMALS]: word(6n) }

/** How many calls each request carried; a call outside of a batch is 'one'. */
export const sizes = (calls: readonly Call[]) => calls.map((call) => batchIn(call)?.length ?? 'one')

/* A chain with one transaction, in its block 100. */

export const TX = `0x${'ab'.repeat(32)}`
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const HEIGHT = 100
export const BLOCK_SECONDS = 12
/** How much earlier than by our clock an EVM chain may date its blocks. */
export const APART_MS = 300_000

export const blockHash = (height: number, fork = 'a'): string => `0x${fork.repeat(8)}${height.toString(16).padStart(56, '0')}`
/** Epoch ms. */
export const timeOf = (height: number): number => 1_000_000_000_000 + height * BLOCK_SECONDS * 1_000

export const block = (height: number, rest: object = {}) => ({
  number: hex(height),
  hash: blockHash(height),
  timestamp: hex(timeOf(height) / 1_000),
  miner: `0x${'99'.repeat(20)}`,
  transactions: [],
  ...rest,
})

export const log = (index: number, rest: object) => ({ logIndex: hex(index), data: '0x', topics: [], ...rest })
export const transfer = (index: number, { address }: Asset, to: string, amount: bigint, from: string = WALLETS.evmOther) =>
  log(index, { address: address.toLowerCase(), topics: [TRANSFER, word(from), word(to)], data: word(amount) })

const PLACE = { blockHash: blockHash(HEIGHT) }
export const receipt = (rest: object = {}) => ({
  ...{
    transactionHash: TX,
    status: '0x1',
    ...PLACE,
    blockNumber: hex(HEIGHT),
    gasUsed: '0x5208',
    effectiveGasPrice: '0x2',
    logs: [],
  },
  ...rest,
})
export const transaction = (rest: object = {}) => ({
  ...{ hash: TX, ...PLACE, from: WALLETS.evmOther.toLowerCase(), to: USDC.address.toLowerCase(), input: '0x1234', value: '0x0' },
  ...rest,
})

/** An honest node as far as its head. */
export const node = ({
  head = 200,
  finalized = 150,
  ...rest
}: { head?: number; finalized?: number | null } & Answers = {}): Answers => ({
  eth_getTransactionReceipt: receipt(),
  eth_getTransactionByHash: transaction(),
  eth_getBlockByNumber: (where: string, isFull: boolean) => {
    if (where === 'latest') return block(head)
    if (where === 'finalized') return finalized === null ? null : block(finalized)
    const height = Number(where)
    if (height > head) return null
    return block(height, isFull && height === HEIGHT ? { transactions: [transaction()] } : {})
  },
  ...rest,
})

export const query = (chainId: ChainId = 1) => ({ chainId, hash: idOf(chainId, TX) })
/** The transaction as one such node shows it. */
export const seenBy = (answers: object = {}, chainId: ChainId = 1, options = {}) =>
  benchOver({ a: node({ ...answers }) }, options).evidence.transaction(query(chainId), never())
