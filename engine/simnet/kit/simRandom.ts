import { createHash } from 'node:crypto'
import type { SimClock, SimRandom } from './world.ts'

/** A stream of SHA-256 blocks over seed and counter: the same everywhere, for ever. */
export const createSimRandom = (seed: string): SimRandom => {
  let counter = 0
  const block = (): Buffer => createHash('sha256').update(`${seed}:${counter++}`).digest()
  const bytes = (length: number): Uint8Array => {
    let pool = Buffer.alloc(0)
    while (pool.length < length) pool = Buffer.concat([pool, block()])
    return new Uint8Array(pool.subarray(0, length))
  }
  return {
    bytes,
    integer: (below) => Number(block().readBigUInt64BE(0) % BigInt(below)),
    hex: (length) =>
      Buffer.from(bytes(Math.ceil(length / 2)))
        .toString('hex')
        .slice(0, length),
  }
}

/** Runs on `now`, plus every jump made. */
export const createSimClock = (now: () => number = Date.now): SimClock => {
  let offset = 0
  return {
    now: () => now() + offset,
    advance: (ms) => {
      offset += ms
    },
  }
}
