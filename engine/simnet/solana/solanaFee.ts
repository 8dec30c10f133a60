import type { SolanaMessage } from './solanaWire.ts'

/** https://solana.com/docs/core/fees */
const LAMPORTS_PER_SIGNATURE = 5_000n
const UNITS_MAX = 1_400_000n
const UNITS_PER_INSTRUCTION = 200_000n
const UNITS_PER_BUILTIN = 3_000n
const MICRO = 1_000_000n

const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'
/** Programs that verify signatures of their own; the first byte of the data counts them, and each costs as one. */
const PRECOMPILES: readonly unknown[] = [
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]
/** https://github.com/solana-foundation/solana-improvement-documents/blob/main/proposals/0170-builtin-instruction-cost-and-budget.md */
const BUILTINS: readonly unknown[] = [
  '11111111111111111111111111111111',
  COMPUTE_BUDGET_PROGRAM,
  'Vote111111111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  ...PRECOMPILES,
]

type Call = { readonly program: string | undefined; readonly data: Buffer }

/** The compute units a message may use, and whether it says so itself; the price of each in millionths of a lamport. */
export type ComputeBudget = { readonly units: bigint; readonly isStated: boolean; readonly price: bigint }

const callsOf = ({ keys, instructions }: SolanaMessage): readonly Call[] =>
  instructions.map(({ program, data }) => ({ program: keys[program], data }))

export const computeBudget = (message: SolanaMessage): ComputeBudget => {
  const calls = callsOf(message)
  let limit: bigint | null = null
  let price = 0n
  for (const { program, data } of calls) {
    if (program !== COMPUTE_BUDGET_PROGRAM) continue
    if (data[0] === 2 && data.length >= 5) limit = BigInt(data.readUInt32LE(1))
    if (data[0] === 3 && data.length >= 9) price = data.readBigUInt64LE(1)
  }
  const usual = calls.reduce(
    (sum, { program }) => sum + (BUILTINS.includes(program) ? UNITS_PER_BUILTIN : UNITS_PER_INSTRUCTION),
    0n,
  )
  const units = limit ?? usual
  return { units: units > UNITS_MAX ? UNITS_MAX : units, isStated: limit !== null, price }
}

/** What a message costs its fee payer, in lamports. */
export const solanaFee = (message: SolanaMessage): bigint => {
  const { units, price } = computeBudget(message)
  const verified = callsOf(message).reduce(
    (sum, { program, data }) => sum + (PRECOMPILES.includes(program) ? (data[0] ?? 0) : 0),
    0,
  )
  return BigInt(message.header.signatures + verified) * LAMPORTS_PER_SIGNATURE + (price * units + MICRO - 1n) / MICRO
}
