import { BITCOIN, isEvmChainId } from '../../core/chain.ts'
import type { EvmReorg } from '../evm/evmChains.ts'
import type { Control } from './controls.ts'
import { badField, type Fields, readChainId, readFields, readInteger, readText } from './fields.ts'
import { reorgBitcoin } from './reorgBitcoin.ts'

const DEPTH_MAX = 10_000
const TX_HASH = /^0x[0-9a-fA-F]{64}$/

const readWish = (fields: Fields): EvmReorg => {
  if (fields.drop === undefined) return { depth: readInteger(fields, 'depth', { min: 1, max: DEPTH_MAX }) }
  const txHash = readText(fields, 'drop')
  if (!TX_HASH.test(txHash)) throw badField('drop', 'must be the hash of a transaction')
  if (fields.depth !== undefined) throw badField('depth', 'is told by drop')
  return { txHash }
}

/**
 * Takes blocks off an EVM chain, the last `depth` or those from the transaction `drop` on, and puts empty ones in their
 * place, which names the transactions that are gone; on Bitcoin the transaction is named. A venue that was told of one is
 * not told otherwise: it can ask the chain.
 */
export const reorg: Control = async (controls, body, query) => {
  const fields = readFields(body, ['chainId', 'depth', 'drop'])
  const chainId = readChainId(fields)
  if (chainId === BITCOIN) return reorgBitcoin(controls, body, query)
  if (!isEvmChainId(chainId)) throw badField('chainId', 'must be an EVM chain or Bitcoin')
  const wish = readWish(fields)
  try {
    return { chainId, ...(await controls.evm.reorg(chainId, wish)) }
  } catch (error) {
    if (error instanceof RangeError) throw badField('depth' in wish ? 'depth' : 'drop', error.message)
    throw error
  }
}
