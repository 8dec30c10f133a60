import type { SolanaMessage } from './solanaWire.ts'

/** By version: what `@solana-program/memo` 0.15 calls its own, and those before it. */
export const MEMO_PROGRAM = {
  v4: 'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH',
  v3: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  v1: 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
} as const

const MEMO_PROGRAMS: readonly unknown[] = Object.values(MEMO_PROGRAM)

/** The texts written beside the top-level instructions of a message. */
export const memosOf = ({ instructions, keys }: SolanaMessage): readonly string[] =>
  instructions.flatMap(({ program, data }) => (MEMO_PROGRAMS.includes(keys[program]) ? [data.toString('utf8')] : []))
