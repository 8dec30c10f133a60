import { COMPUTE_BUDGET_PROGRAM } from '../../chains/solana/solanaCodec.ts'
import { parseEvmAddress } from '../../core/address.ts'
import { BITCOIN, SOLANA } from '../../core/chain.ts'
import type { BitcoinChain } from '../bitcoin/bitcoinChain.ts'
import type { EvmChains } from '../evm/evmChains.ts'
import { BoundedMap } from '../kit/boundedMap.ts'
import type { SolanaChain } from '../solana/solanaChain.ts'
import type { SwapTransactionTold } from './told.ts'

/** What its chain says of a transaction. */
export type TransactionFacts = Pick<SwapTransactionTold, 'block' | 'blockAt' | 'from' | 'to'>

/** A transaction, and whether nothing takes it away any more. */
type Where = { readonly chainId: number; readonly txHash: string; readonly isFinal: boolean }

export interface TransactionFactsReader {
  /** As last read. */
  of(where: Where): TransactionFacts
  /** Reads those that may have changed since. Never rejects: what cannot be read stays as it was. */
  refresh(all: readonly Where[]): Promise<void>
}

export type FactsChains = {
  readonly evm: Pick<EvmChains, 'rpc' | 'receipt'>
  readonly solana: Pick<SolanaChain, 'call'>
  readonly bitcoin: Pick<BitcoinChain, 'answer'>
}

const NOTHING: TransactionFacts = { block: null, blockAt: null, from: null, to: null }
const KEPT = 500

const checksum = (address: string | null): string | null => (address === null ? null : parseEvmAddress(address.toLowerCase()))

const readEvm = async ({ evm }: FactsChains, { chainId, txHash }: Where): Promise<TransactionFacts> => {
  type Raw = { readonly from: string; readonly to: string | null }
  const found = (await evm.rpc(chainId, 'eth_getTransactionByHash', [txHash])) as Raw | null
  const receipt = found && (await evm.receipt(chainId, txHash))
  const place = receipt ? { block: receipt.blockNumber, blockAt: receipt.timestamp * 1_000 } : { block: null, blockAt: null }
  return { ...place, from: checksum(found?.from ?? null), to: checksum(found?.to ?? null) }
}

/** As far as it is read here. https://solana.com/docs/rpc/http/gettransaction */
type RawSolana = {
  readonly slot: number
  readonly blockTime: number | null
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly string[]
      readonly instructions: readonly { readonly programIdIndex: number }[]
    }
  }
}

const readSolana = async ({ solana }: FactsChains, { txHash }: Where): Promise<TransactionFacts> => {
  const how = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
  const found = (await solana.call('getTransaction', [txHash, how])) as RawSolana | null
  if (!found) return NOTHING
  const { accountKeys, instructions } = found.transaction.message
  // Programs are never in a lookup table.
  const programs = instructions.map(({ programIdIndex }) => accountKeys[programIdIndex] ?? null)
  return {
    block: found.slot,
    blockAt: found.blockTime === null ? null : found.blockTime * 1_000,
    from: accountKeys[0] ?? null,
    to: programs.find((program) => program !== COMPUTE_BUDGET_PROGRAM) ?? null,
  }
}

/** As far as it is read here. https://github.com/Blockstream/esplora/blob/master/API.md#transactions */
type RawBitcoin = {
  readonly vin: readonly { readonly prevout: { readonly scriptpubkey_address?: string } | null }[]
  readonly vout: readonly { readonly scriptpubkey_address?: string }[]
  readonly status: { readonly block_height?: number; readonly block_time?: number }
}

const readBitcoin = async ({ bitcoin }: FactsChains, { txHash }: Where): Promise<TransactionFacts> => {
  const { status, body } = await bitcoin.answer({ method: 'GET', path: `/tx/${txHash}`, body: '' })
  if (status !== 200) return NOTHING
  const found = body as RawBitcoin
  const { block_height: block = null, block_time: time = null } = found.status
  return {
    block,
    blockAt: time === null ? null : time * 1_000,
    from: found.vin[0]?.prevout?.scriptpubkey_address ?? null,
    to: found.vout[0]?.scriptpubkey_address ?? null,
  }
}

const read = (chains: FactsChains, where: Where): Promise<TransactionFacts> => {
  if (where.chainId === SOLANA) return readSolana(chains, where)
  return where.chainId === BITCOIN ? readBitcoin(chains, where) : readEvm(chains, where)
}

/** Read when somebody looks, and once more until they are final: until then a chain may put them elsewhere. */
export const createTransactionFacts = (chains: FactsChains): TransactionFactsReader => {
  const known = new BoundedMap<string, { readonly facts: TransactionFacts; readonly isFinal: boolean }>(KEPT)
  const keyOf = ({ chainId, txHash }: Where): string => `${chainId}:${txHash}`

  const refreshOne = async (where: Where): Promise<void> => {
    const { isFinal } = where
    if (known.get(keyOf(where))?.isFinal) return
    const facts = await read(chains, where).catch(() => null)
    if (facts) known.set(keyOf(where), { facts, isFinal: isFinal && facts.block !== null })
  }

  return {
    of: (where) => known.get(keyOf(where))?.facts ?? NOTHING,
    refresh: async (all) => {
      await Promise.all(all.map(refreshOne))
    },
  }
}
