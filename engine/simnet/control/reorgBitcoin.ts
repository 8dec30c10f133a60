import type { Control } from './controls.ts'
import { badField, readFields, readText } from './fields.ts'

const TXID = /^[0-9a-fA-F]{64}$/

const readDrop = (drop: string): 'unconfirmed' | { readonly txid: string } => {
  if (drop === 'unconfirmed') return drop
  if (TXID.test(drop)) return { txid: drop.toLowerCase() }
  throw badField('drop', 'must be unconfirmed or the id of a transaction')
}

/**
 * Makes a transaction of Bitcoin vanish, or all unconfirmed ones, with whatever spends from them: the ids of what is
 * gone. A confirmed one takes its block along, and others come in place of that and all after it.
 */
export const reorgBitcoin: Control = async ({ bitcoin }, body) => {
  const drop = readDrop(readText(readFields(body, ['chainId', 'drop']), 'drop'))
  try {
    const dropped = await bitcoin.reorg(drop)
    if (!dropped) throw badField('drop', 'there is no such transaction')
    return { dropped }
  } catch (error) {
    if (error instanceof RangeError) throw badField('drop', error.message)
    throw error
  }
}
