/** What the call of a vault asks of the State Chain. */
export type CfParameters = {
  readonly retryBlocks: number
  /** Hex with 0x. */
  readonly refundTo: string
  readonly minPriceX128: bigint
  readonly brokerBps: number
}

const cursor = (bytes: Uint8Array) => {
  let at = 0
  const take = (count: number): Uint8Array => {
    at += count
    if (at > bytes.length) throw new RangeError('too short')
    return bytes.slice(at - count, at)
  }
  const number = (count: number): bigint => BigInt(`0x${Buffer.from(take(count).toReversed()).toString('hex') || '0'}`)
  return { take, number, isAtEnd: () => at === bytes.length }
}

/**
 * Reads SCALE parameters of both versions to the last byte; null where the State Chain could not. VersionedCfParameters of
 * state-chain/chains/src/cf_parameters.rs, chainflip-backend.
 */
export const readCfParameters = (hex: string): CfParameters | null => {
  const { take, number, isAtEnd } = cursor(Buffer.from(hex, 'hex'))
  const option = (read: () => void): void => {
    const has = number(1)
    if (has > 1n) throw new RangeError('neither there nor not')
    if (has === 1n) read()
  }
  try {
    const version = number(1)
    if (version > 1n) return null
    const retryBlocks = Number(number(4))
    const refundTo = `0x${Buffer.from(take(20)).toString('hex')}`
    const minPriceX128 = number(32)
    if (version === 1n) {
      // A call on refund is for contracts, which nobody here has.
      if (number(1) !== 0n) return null
      option(() => take(2))
    }
    option(() => take(8))
    take(1 + 32)
    const brokerBps = Number(number(2))
    const affiliates = number(1)
    take((Number(affiliates) / 4) * 2)
    return affiliates % 4n === 0n && isAtEnd() ? { retryBlocks, refundTo, minPriceX128, brokerBps } : null
  } catch {
    return null
  }
}

const little = (value: bigint, count: number): string =>
  Buffer.from(Array.from({ length: count }, (_, at) => Number((value >> BigInt(8 * at)) & 255n))).toString('hex')

/** Version 1, as nodes write it, without options. */
export const writeCfParameters = (parameters: CfParameters, broker: string): string =>
  [
    ...['01', little(BigInt(parameters.retryBlocks), 4), parameters.refundTo.slice(2).toLowerCase()],
    ...[little(parameters.minPriceX128, 32), '00', '00', '00', '00', broker, little(BigInt(parameters.brokerBps), 2), '00'],
  ].join('')
