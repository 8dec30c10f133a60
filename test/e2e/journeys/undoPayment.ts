import { expect } from 'vitest'
import { bitcoinHex, broadcastBitcoin } from '../../../scripts/client/bitcoin.ts'
import { evmBytes, reorganiseEvm, resendEvm } from '../../../scripts/client/evm.ts'
import { BITCOIN } from '../../../scripts/client/tokens.ts'
import type { TestService } from '../../support/service.ts'

/** Removes the block of a payment, or removes it from the mempool. The returned function sends the same transaction again. */
export const undoPayment = async (service: TestService, chainId: number, txHash: string): Promise<() => Promise<void>> => {
  const rpcUrl = service.control.rpcUrl(chainId)
  if (chainId === BITCOIN) {
    const hex = await bitcoinHex(service, txHash)
    expect(await service.control.reorg({ chainId, drop: 'unconfirmed' })).toContain(txHash)
    return async () => expect(await broadcastBitcoin(service, hex)).toBe(txHash)
  }
  const bytes = await evmBytes(rpcUrl, txHash)
  expect(await reorganiseEvm(service, chainId, txHash)).toContain(txHash)
  return async () => expect(await resendEvm(rpcUrl, bytes)).toBe(txHash)
}
