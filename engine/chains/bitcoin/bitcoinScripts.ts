import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import { parseBitcoinAddress } from '../../core/address.ts'

/** The names Esplora gives to output scripts. https://github.com/Blockstream/esplora/blob/master/API.md#transaction-format */
export type BitcoinScriptType = 'p2pkh' | 'p2sh' | 'v0_p2wpkh' | 'v0_p2wsh' | 'v1_p2tr' | 'op_return' | 'empty' | 'unknown'

const OP = {
  PUSHDATA1: 0x4c,
  PUSHDATA2: 0x4d,
  PUSHDATA4: 0x4e,
  NEGATE1: 0x4f,
  PUSHNUM_1: 0x51,
  PUSHNUM_16: 0x60,
  RETURN: 0x6a,
  DUP: 0x76,
  EQUAL: 0x87,
  EQUALVERIFY: 0x88,
  HASH160: 0xa9,
  CHECKSIG: 0xac,
} as const

const base58check = createBase58check(sha256)
const P2PKH_VERSION = 0x00
const P2SH_VERSION = 0x05

const isProgram = (script: Uint8Array, version: number, length: number): boolean =>
  script.length === length + 2 && script[0] === version && script[1] === length

export const scriptTypeOf = (script: Uint8Array): BitcoinScriptType => {
  const at = (index: number) => script[script.length + index]
  if (script.length === 0) return 'empty'
  if (script[0] === OP.RETURN) return 'op_return'
  if (isProgram(script, 0, 20)) return 'v0_p2wpkh'
  if (isProgram(script, 0, 32)) return 'v0_p2wsh'
  if (isProgram(script, OP.PUSHNUM_1, 32)) return 'v1_p2tr'
  const isHash = (start: number) => script[start] === OP.HASH160 && script[start + 1] === 20
  if (script.length === 23 && isHash(0) && at(-1) === OP.EQUAL) return 'p2sh'
  const isKeyHash = script.length === 25 && script[0] === OP.DUP && isHash(1)
  return isKeyHash && at(-2) === OP.EQUALVERIFY && at(-1) === OP.CHECKSIG ? 'p2pkh' : 'unknown'
}

/** The hash or key an output script pays to; null where the script names neither. */
export const programOf = (script: Uint8Array): Uint8Array | null => {
  switch (scriptTypeOf(script)) {
    case 'p2pkh':
      return script.slice(3, 23)
    case 'p2sh':
      return script.slice(2, 22)
    case 'v0_p2wpkh':
    case 'v0_p2wsh':
    case 'v1_p2tr':
      return script.slice(2)
    default:
      return null
  }
}

export const keyHashScript = (hash: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(OP.DUP, OP.HASH160, 20), hash, Uint8Array.of(OP.EQUALVERIFY, OP.CHECKSIG))

export const witnessKeyHashScript = (hash: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(0, 20), hash)

/** The mainnet address of an output script; null for scripts without an address. */
export const addressOfScript = (script: Uint8Array): string | null => {
  const program = programOf(script)
  if (!program) return null
  switch (scriptTypeOf(script)) {
    case 'p2pkh':
      return base58check.encode(concatBytes(Uint8Array.of(P2PKH_VERSION), program))
    case 'p2sh':
      return base58check.encode(concatBytes(Uint8Array.of(P2SH_VERSION), program))
    case 'v1_p2tr':
      return bech32m.encode('bc', [1, ...bech32m.toWords(program)])
    default:
      return bech32.encode('bc', [0, ...bech32.toWords(program)])
  }
}

/** The output script that pays a mainnet address; null for an invalid address. */
export const scriptOfAddress = (raw: string): Uint8Array | null => {
  const address = parseBitcoinAddress(raw)
  if (!address) return null
  if (!address.startsWith('bc1')) {
    const payload = base58.decode(address).slice(0, 21)
    const hash = payload.slice(1)
    return payload[0] === P2PKH_VERSION
      ? keyHashScript(hash)
      : concatBytes(Uint8Array.of(OP.HASH160, 20), hash, Uint8Array.of(OP.EQUAL))
  }
  // The two encodings differ in their checksum alone, which has been verified.
  const isTaproot = address.startsWith('bc1p')
  const { words } = (isTaproot ? bech32m : bech32).decode(address as `${string}1${string}`, 90)
  const program = bech32.fromWords(words.slice(1))
  return concatBytes(Uint8Array.of(isTaproot ? OP.PUSHNUM_1 : 0, program.length), program)
}

/** One step of a script: an opcode, with its data when it pushes some. */
type Step = { readonly opcode: number; readonly data: Uint8Array | null }

const pushLength = (script: Uint8Array, at: number): { readonly header: number; readonly length: number } | null => {
  const opcode = script[at] ?? 0
  if (opcode < OP.PUSHDATA1) return { header: 1, length: opcode }
  const width = { [OP.PUSHDATA1]: 1, [OP.PUSHDATA2]: 2, [OP.PUSHDATA4]: 4 }[opcode]
  if (width === undefined || at + 1 + width > script.length) return null
  const length = [...script.slice(at + 1, at + 1 + width)].reduce((total, byte, index) => total + byte * 256 ** index, 0)
  return { header: 1 + width, length }
}

/** Null when the script ends in the middle of a push. */
const readSteps = (script: Uint8Array): readonly Step[] | null => {
  const steps: Step[] = []
  for (let at = 0; at < script.length; ) {
    const opcode = script[at] ?? 0
    if (opcode === 0 || opcode > OP.PUSHDATA4) {
      steps.push({ opcode, data: null })
      at += 1
      continue
    }
    const push = pushLength(script, at)
    if (!push || at + push.header + push.length > script.length) return null
    const start = at + push.header
    steps.push({ opcode, data: script.slice(start, start + push.length) })
    at = start + push.length
  }
  return steps
}

const pushedBy = ({ opcode, data }: Step): Uint8Array => {
  if (data) return data
  if (opcode === 0) return new Uint8Array()
  return Uint8Array.of(opcode === OP.NEGATE1 ? 0x81 : opcode - OP.PUSHNUM_1 + 1)
}

const isPush = ({ opcode }: Step): boolean => opcode <= OP.NEGATE1 || (opcode >= OP.PUSHNUM_1 && opcode <= OP.PUSHNUM_16)

/** The stack after a script that only pushes; null for any other script. */
export const pushesOf = (script: Uint8Array): readonly Uint8Array[] | null => {
  const steps = readSteps(script)
  return steps?.every(isPush) ? steps.map(pushedBy) : null
}

/** A script that pushes these in the shortest way; up to 255 bytes each, none of them a single byte. */
export const pushScript = (...items: readonly Uint8Array[]): Uint8Array =>
  concatBytes(
    ...items.flatMap((item) => [
      item.length < OP.PUSHDATA1 ? Uint8Array.of(item.length) : Uint8Array.of(OP.PUSHDATA1, item.length),
      item,
    ]),
  )

/** An output that carries data and no money. At most 255 bytes. */
export const dataScript = (data: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(OP.RETURN), pushScript(data))

/** The data of a data output; null for every other script, and for one that does more than push. */
export const dataOf = (script: Uint8Array): Uint8Array | null => {
  const pushes = scriptTypeOf(script) === 'op_return' ? pushesOf(script.slice(1)) : null
  return pushes && concatBytes(...pushes)
}
