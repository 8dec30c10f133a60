import type { Address } from '../../../engine/core/address.ts'
import type { Asset } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import { type Answers, idOf } from './evidenceBench.ts'

export const USDC = assetOf(1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')
export const DAI = assetOf(1, '0x6B175474E89094C44Da98b954EedeAC495271d0F')
export const TX = `0x${'ab'.repeat(32)}`
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const HEIGHT = 100
export const BLOCK_SECONDS = 12

export const hex = (value: number | bigint): string => `0x${value.toString(16)}`
export const word = (value: bigint | string): string =>
  `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2)).toLowerCase().padStart(64, '0')}`
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
export const transfer = (index: number, { address }: Asset, to: string, amount: bigint, from = WALLETS.evmOther as string) =>
  log(index, { address: address.toLowerCase(), topics: [TRANSFER, word(from), word(to)], data: word(amount) })

export const receipt = (rest: object = {}) => ({
  transactionHash: TX,
  status: '0x1',
  blockHash: blockHash(HEIGHT),
  blockNumber: hex(HEIGHT),
  gasUsed: '0x5208',
  effectiveGasPrice: '0x2',
  logs: [],
  ...rest,
})

export const transaction = (rest: object = {}) => ({
  hash: TX,
  blockHash: blockHash(HEIGHT),
  from: WALLETS.evmOther.toLowerCase(),
  to: USDC.address.toLowerCase(),
  input: '0x1234',
  value: '0x0',
  ...rest,
})

/** An honest node of a chain with one transaction in its block 100, as far as its head. */
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
export const payee: Address = WALLETS.evm
