import { Connection } from '@solana/web3.js'
import { erc20Abi, parseEventLogs } from 'viem'
import { expect } from 'vitest'
import { paidOnBitcoin } from '../../../scripts/client/bitcoin.ts'
import { receiptOf } from '../../../scripts/client/evm.ts'
import { NATIVE } from '../../../scripts/client/tokens.ts'
import type { SwapStatus } from '../../../scripts/client/wire.ts'
import type { TestService } from '../../support/service.ts'
import { kindOf } from './attempt.ts'

/** Transaction ids by kind of chain. */
export const HASHES = { evm: /^0x[0-9a-f]{64}$/, solana: /^[1-9A-HJ-NP-Za-km-z]{86,88}$/, bitcoin: /^[0-9a-f]{64}$/ }

type Payment = { readonly chainId: number; readonly token: string; readonly to: string; readonly amount: bigint }

/** The transaction is on its chain and pays the recipient to the unit, as far as the chain shows recipients. */
export const expectPaidBy = async (service: TestService, txHash = '', { chainId, token, to, amount }: Payment): Promise<void> => {
  const kind = kindOf(chainId)
  expect(txHash).toMatch(HASHES[kind])
  if (kind === 'bitcoin') {
    expect(await paidOnBitcoin(service, txHash, to)).toEqual({ paid: amount, isConfirmed: true })
  } else if (kind === 'solana') {
    const connection = new Connection(service.control.rpcUrl(chainId), 'confirmed')
    const landed = await connection.getTransaction(txHash, { maxSupportedTransactionVersion: 0 })
    expect(landed?.meta?.err).toBeNull()
  } else {
    const { status, logs } = await receiptOf(service.control.rpcUrl(chainId), txHash)
    expect(status).toBe('success')
    if (token === NATIVE) return
    const paid = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).map(({ args }) => args)
    expect(paid).toContainEqual(expect.objectContaining({ to, value: amount }))
  }
}

/** An EVM transaction moved this amount of a token, to any address. */
export const expectMovedBy = async (
  service: TestService,
  txHash = '',
  { chainId, token, amount }: Omit<Payment, 'to'>,
): Promise<void> => {
  const { logs } = await receiptOf(service.control.rpcUrl(chainId), txHash)
  const own = logs.filter(({ address }) => address.toLowerCase() === token.toLowerCase())
  const moved = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: own }).map(({ args }) => args.value)
  expect(moved).toContain(amount)
}

/** A status without the finality of its payments, which changes with time. */
export const withoutFinality = ({ payments = [], ...status }: SwapStatus) => ({
  ...status,
  payments: payments.map(({ final: _, ...payment }) => payment),
})
