/** The 32 bytes that an address, a hash or a number takes in calldata, as hex without 0x. */
export const wordOf = (value: string | bigint): string =>
  (typeof value === 'bigint' ? BigInt.asUintN(256, value).toString(16) : value.replace(/^0x/, '').toLowerCase()).padStart(64, '0')

/** The word of that number in `data`, which begins with 0x. */
export const wordAt = (data: string, index: number): string => data.slice(2 + index * 64, 66 + index * 64)

export const uintAt = (data: string, index: number): bigint => BigInt(`0x${wordAt(data, index)}`)

export const addressAt = (data: string, index: number): string => `0x${wordAt(data, index).slice(24)}`

/** The bytes whose place is in the word at `index`, in hex without 0x. */
export const bytesAt = (data: string, index: number): string => {
  const at = Number(uintAt(data, index)) / 32
  const start = 66 + at * 64
  return data.slice(start, start + Number(uintAt(data, at)) * 2)
}
