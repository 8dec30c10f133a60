import { BITCOIN, isEvmChainId, SOLANA } from '../../core/chain.ts'
import { BitcoinRefusal } from '../bitcoin/bitcoinLedger.ts'
import type { SimToken } from '../kit/tokens.ts'
import { ControlError } from './controlError.ts'
import type { Control, Controls } from './controls.ts'
import { badField, readAddress, readAmount, readChainId, readFields, readToken } from './fields.ts'

/** On Solana the treasury pays, by a transaction that is on the chain as any other. */
const paidOnSolana = async ({ solana, deliveries }: Controls, token: SimToken, address: string, amount: bigint) => {
  try {
    const txHash = await solana.transfer({ token: token.address, to: address, amount })
    return (await deliveries.mined(SOLANA, txHash)) ?? { txHash, venue: null }
  } catch (error) {
    if (error instanceof RangeError) throw badField('amount', error.message)
    throw new ControlError(422, `reverted: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** On an EVM chain likewise: the hash is that of a transaction which everybody can read. */
const paidOnEvm = async ({ evm, deliveries }: Controls, { chainId, address: token }: SimToken, to: string, amount: bigint) => {
  try {
    const txHash = await evm.pay({ chainId, token, to, amount })
    return (await deliveries.mined(chainId, txHash)) ?? { txHash, venue: null }
  } catch (error) {
    if (error instanceof RangeError) throw badField('amount', error.message)
    throw new ControlError(422, `reverted: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** On Bitcoin likewise: it is in the mempool, and confirmed with the next block. */
const paidOnBitcoin = async ({ bitcoin, deliveries }: Controls, to: string, amount: bigint) => {
  try {
    const txHash = await bitcoin.transfer({ to, amount })
    return (await deliveries.mined(BITCOIN, txHash)) ?? { txHash, venue: null }
  } catch (error) {
    if (error instanceof RangeError || error instanceof BitcoinRefusal) throw badField('amount', error.message)
    throw error
  }
}

/** Someone paid an address. Nobody's balance is asked for. */
export const deposits: Control = (controls, body) => {
  const fields = readFields(body, ['chainId', 'token', 'address', 'amount'])
  const chainId = readChainId(fields)
  const token = readToken(fields, chainId, controls.tokens)
  const address = readAddress(fields, 'address', chainId)
  const amount = readAmount(fields, 'amount')
  if (isEvmChainId(chainId)) return paidOnEvm(controls, token, address, amount)
  if (chainId === SOLANA) return paidOnSolana(controls, token, address, amount)
  return paidOnBitcoin(controls, address, amount)
}
