import { BITCOIN, isEvmChainId } from '../../core/chain.ts'
import type { Control } from './controls.ts'
import { badField, readChainId, readFields, readInteger } from './fields.ts'
import { reorgBitcoin } from './reorgBitcoin.ts'

const DEPTH_MAX = 10_000

/**
 * Takes the last `depth` blocks off an EVM chain and puts empty ones in their place, which names the transactions that are
 * gone; on Bitcoin the transaction is named. A venue that was told of one is not told otherwise: it can ask the chain.
 */
export const reorg: Control = async (controls, body, query) => {
  const chainId = readChainId(readFields(body, ['chainId', 'depth', 'drop']))
  if (chainId === BITCOIN) return reorgBitcoin(controls, body, query)
  const fields = readFields(body, ['chainId', 'depth'])
  if (!isEvmChainId(chainId)) throw badField('chainId', 'must be an EVM chain or Bitcoin')
  const depth = readInteger(fields, 'depth', { min: 1, max: DEPTH_MAX })
  try {
    return { chainId, depth, dropped: await controls.evm.reorg(chainId, depth) }
  } catch (error) {
    if (error instanceof RangeError) throw badField('depth', error.message)
    throw error
  }
}
