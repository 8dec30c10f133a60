import { expect } from 'vitest'
import { type Open, statusOf } from '../../scripts/client/swap.ts'
import type { SwapStatus } from '../../scripts/client/wire.ts'
import type { TestService } from '../support/service.ts'

export const EVM_HASH = /^0x[0-9a-f]{64}$/
export const SOLANA_SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{86,88}$/
export const BITCOIN_TXID = /^[0-9a-f]{64}$/

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

/** Asserts that a swap stays in one state, however far time runs ahead, and never becomes a success. */
export const staysIn = async (
  service: Pick<TestService, 'call' | 'control'>,
  swap: Open,
  state: SwapStatus['status'],
): Promise<SwapStatus> => {
  for (const advanceMs of [MINUTE_MS, HOUR_MS, 48 * HOUR_MS]) {
    await service.control.advance(advanceMs)
    expect((await statusOf(service, swap)).status).toBe(state)
  }
  return statusOf(service, swap)
}
