import { parseAmount } from '../../core/amount.ts'
import { BITCOIN, type ChainId, SOLANA } from '../../core/chain.ts'
import type { SimCall } from '../kit/world.ts'
import { ControlError } from './controlError.ts'
import type { Control, Controls } from './controls.ts'
import { badField, type Fields, readAddress, readChainId, readFields, readText } from './fields.ts'

const EVM_HASH = /^0x[0-9a-fA-F]{64}$/
const TXID = /^[0-9a-fA-F]{64}$/
const EVM_DATA = /^0x([0-9a-fA-F]{2})*$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const BASE58_SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

const readHash = (fields: Fields, chainId: ChainId): string => {
  const hash = readText(fields, 'txHash')
  if (!(chainId === SOLANA ? BASE58_SIGNATURE : chainId === BITCOIN ? TXID : EVM_HASH).test(hash))
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
  const delivery = await deliveries.mined(chainId, txHash)
  if (!delivery) throw badField('txHash', `no successful transaction of chain ${chainId} has it`)
  return delivery
}

/** Broadcasts a signed transaction, as its sender would over the chain's own RPC. */
const sentToSolana = async (controls: Controls, data: string) => {
  const txHash = String(await controls.solana.call('sendTransaction', [data, { encoding: 'base64' }]))
  return reallySent(controls, SOLANA, txHash)
}

/** Sends it to the chain in the name of its sender, whose coins and tokens it takes; only the gas is free. */
const sentToEvm = async (controls: Controls, chainId: ChainId, call: SimCall) => {
  // As a wallet would: what is going to revert is not sent.
  await controls.evm.call(call)
  const { txHash } = await controls.evm.land(call)
  return reallySent(controls, chainId, txHash)
}

const describedCall = (fields: Fields, chainId: ChainId): SimCall => ({
  chainId,
  from: readAddress(fields, 'from', chainId),
  to: readAddress(fields, 'to', chainId),
  data: readData(fields, chainId),
  value: readValue(fields),
})

const sent = (controls: Controls, fields: Fields, chainId: ChainId) => {
  if (fields.txHash !== undefined) return reallySent(controls, chainId, readHash(fields, chainId))
  if (chainId === SOLANA) return sentToSolana(controls, readData(fields, chainId))
  return sentToEvm(controls, chainId, describedCall(fields, chainId))
}

/** What each way of saying it takes, beside the chain. */
const namesOf = (chainId: ChainId, isNamed: boolean): readonly string[] => {
  if (isNamed) return ['txHash']
  if (chainId === BITCOIN) throw badField('chainId', 'a Bitcoin payment is a deposit, or sent to the chain itself')
  return chainId === SOLANA ? ['data'] : ['from', 'to', 'data', 'value']
}

/**
 * Someone broadcast a transaction: it is named by its hash where it was sent already, and else really sent, on Solana in
 * its signed form and on an EVM chain as it is described.
 */
export const transactions: Control = async (controls, body) => {
  const given = readFields(body, [], true)
  const chainId = readChainId(given)
  const fields = readFields(body, ['chainId', ...namesOf(chainId, given.txHash !== undefined)])
  try {
    return await sent(controls, fields, chainId)
  } catch (error) {
    if (error instanceof ControlError) throw error
    throw new ControlError(422, `reverted: ${error instanceof Error ? error.message : String(error)}`)
  }
}
