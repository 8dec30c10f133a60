import type { SolanaMessage } from './solanaWire.ts'

const MEMO_PROGRAMS: readonly unknown[] = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
]

/** The texts written beside the top-level instructions of a message. */
export const memosOf = ({ instructions, keys }: SolanaMessage): readonly string[] =>
  instructions.flatMap(({ program, data }) => (MEMO_PROGRAMS.includes(keys[program]) ? [data.toString('utf8')] : []))
