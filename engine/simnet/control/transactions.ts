import { parseAmount } from '../../core/amount.ts'
import { BITCOIN, type ChainId, SOLANA } from '../../core/chain.ts'
import { ControlError } from './controlError.ts'
import type { Control, Controls } from './controls.ts'
import { badField, type Fields, readAddress, readChainId, readFields, readText } from './fields.ts'

const EVM_HASH = /^0x[0-9a-fA-F]{64}$/
const EVM_DATA = /^0x([0-9a-fA-F]{2})*$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const BASE58_SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

const readHash = (fields: Fields, chainId: ChainId): string => {
  const hash = readText(fields, 'txHash')
  if (!(chainId === SOLANA ? BASE58_SIGNATURE : EVM_HASH).test(hash))
    throw badField('txHash', `must be a transaction hash of chain ${chainId}`)
  return hash
}

const readData = (fields: Fields, chainId: ChainId): string => {
  const data = fields.data
  if (typeof data === 'string' && (chainId === SOLANA ? BASE64 : EVM_DATA).test(data)) return data
  throw badField('data', chainId === SOLANA ? 'must be a transaction in base64' : 'must be calldata in hex')
}

const readValue = (fields: Fields): bigint => {
  const value = parseAmount(fields.value)
  if (value === null) throw badField('value', 'must be a decimal text of smallest units')
  return value
}

const reallySent = async ({ deliveries }: Controls, chainId: ChainId, txHash: string) => {
  if (chainId === SOLANA) throw badField('chainId', 'only EVM chains can be asked for a transaction by its hash alone')
  const delivery = await deliveries.mined(chainId, txHash)
  if (!delivery) throw badField('txHash', `no successful transaction of chain ${chainId} has it`)
  return delivery
}

/** Someone broadcast a transaction: described here, or really sent to the chain and named by its hash. */
export const transactions: Control = async (controls, body) => {
  const fields = readFields(body, ['chainId', 'from', 'to', 'data', 'value', 'txHash'])
  const chainId = readChainId(fields)
  if (chainId === BITCOIN) throw badField('chainId', 'a Bitcoin payment is a deposit')
  const txHash = fields.txHash === undefined ? null : readHash(fields, chainId)
  const isNamed = txHash !== null && Object.keys(fields).length === 2
  const transaction = isNamed
    ? null
    : {
        chainId,
        from: readAddress(fields, 'from', chainId),
        to: readAddress(fields, 'to', chainId),
        data: readData(fields, chainId),
        value: readValue(fields),
        txHash,
      }
  try {
    return isNamed ? await reallySent(controls, chainId, txHash) : transaction && controls.deliveries.transaction(transaction)
  } catch (error) {
    if (error instanceof ControlError) throw error
    throw new ControlError(422, `reverted: ${error instanceof Error ? error.message : String(error)}`)
  }
}
