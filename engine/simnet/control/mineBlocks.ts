import type { Control } from './controls.ts'
import { readFields, readInteger } from './fields.ts'

/** As far as coinbases need to ripen, and then some. */
const BLOCKS_MAX = 1_000

/** Mines blocks of Bitcoin now, instead of ten minutes from the last. */
export const mineBlocks: Control = ({ bitcoin }, body) => {
  const fields = readFields(body, ['blocks'])
  return bitcoin.mine(readInteger(fields, 'blocks', { min: 1, max: BLOCKS_MAX }))
}
