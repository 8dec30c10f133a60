/** In SBF; each has two instructions. */
const TEXTS = {
  /** `mov64 r0, 0; exit`: success, whatever it is called with. */
  succeeds: 'b7000000000000009500000000000000',
  /** `ldxdw r0, [r1 + 16]; exit`: called without accounts, it ends in the status that its data is. */
  answers: '79101000000000009500000000000000',
} as const
const TEXT_BYTES = 16
const TEXT_AT = 120
const NAMES = Buffer.from('\0.text\0.shstrtab\0', 'latin1')
const NAMES_AT = TEXT_AT + TEXT_BYTES
const SECTIONS_AT = Math.ceil((NAMES_AT + NAMES.length) / 8) * 8

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

const section = (name: number, type: number, flags: number, [at, size, address]: readonly [number, number, number]): Buffer =>
  Buffer.concat([u32(name), u32(type), ...[flags, address, at, size].map(u64), u32(0), u32(0), u64(1), u64(0)])

/** The bytes of a Solana program that does nothing: an ELF of one section with two instructions. */
export const solanaStandIn = (behaviour: keyof typeof TEXTS): Buffer => {
  const identification = Buffer.from('7f454c46020101000000000000000000', 'hex')
  const sharedObject = 3
  const bpf = 247
  const header = Buffer.concat([
    identification,
    ...[sharedObject, bpf].map(u16),
    u32(1),
    ...[TEXT_AT, 64, SECTIONS_AT].map(u64),
    u32(0),
    ...[64, 56, 1, 64, 3, 2].map(u16),
  ])
  const readAndExecute = 5
  const segment = Buffer.concat([u32(1), u32(readAndExecute), ...[TEXT_AT, TEXT_AT, TEXT_AT, TEXT_BYTES, TEXT_BYTES, 8].map(u64)])
  const padding = Buffer.alloc(SECTIONS_AT - NAMES_AT - NAMES.length)
  const sections = [
    Buffer.alloc(64),
    section(1, 1, 6, [TEXT_AT, TEXT_BYTES, TEXT_AT]),
    section(7, 3, 0, [NAMES_AT, NAMES.length, 0]),
  ]
  return Buffer.concat([header, segment, Buffer.from(TEXTS[behaviour], 'hex'), NAMES, padding, ...sections])
}
