import { describe, expect, it } from 'vitest'
import { hasModestFee, isHarmless } from '../../../engine/chains/solana/harmlessInstructions.ts'
import {
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  type SolanaInstruction,
  SYSTEM_PROGRAM,
} from '../../../engine/chains/solana/solanaCodec.ts'
import { WALLETS } from '../../support/anOrder.ts'

const budget = (bytes: readonly number[], accounts: SolanaInstruction['accounts'] = []): SolanaInstruction => ({
  programId: COMPUTE_BUDGET_PROGRAM,
  accounts,
  data: Uint8Array.from(bytes),
})
/** SetComputeUnitPrice, micro-lamports in little-endian order. */
const price = (microLamports: number): SolanaInstruction => {
  const data = new Uint8Array(9)
  data[0] = 3
  new DataView(data.buffer).setBigUint64(1, BigInt(microLamports), true)
  return { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data }
}
const memo = (accounts: SolanaInstruction['accounts']): SolanaInstruction => ({
  programId: MEMO_PROGRAM,
  accounts,
  data: Uint8Array.of(97),
})

describe('an instruction beside a payment', () => {
  it.each([
    ['a limit of compute units', budget([2, 1, 2, 3, 4])],
    ['the highest modest price', price(5_000_000)],
    ['a memo', memo([])],
    ['a memo of the payer', memo([WALLETS.solana])],
  ])('is harmless: %s', (_what, instruction) => {
    expect(isHarmless(instruction, WALLETS.solana)).toBe(true)
    expect(hasModestFee([instruction])).toBe(true)
  })

  it.each([
    ['a price above 0.01 SOL in all', price(5_000_001)],
    ['a price cut short', budget([3, 1])],
    ['a limit with bytes left over', budget([2, 1, 2, 3, 4, 5])],
    ['an unknown one of the program', budget([4, 0, 0, 0, 0])],
    ['nothing', budget([])],
    ['one with an account', budget([2, 1, 2, 3, 4], [WALLETS.solana])],
  ])('is not: %s', (_what, instruction) => {
    expect(isHarmless(instruction, WALLETS.solana)).toBe(false)
    expect(hasModestFee([memo([]), instruction])).toBe(false)
  })

  it('is not, of another program or signed by another, though it costs no fee', () => {
    const others = [memo([WALLETS.evm as never]), { ...memo([]), programId: SYSTEM_PROGRAM }]
    for (const instruction of others) expect(isHarmless(instruction, WALLETS.solana)).toBe(false)
    expect(hasModestFee(others)).toBe(true)
  })
})
