import { VersionedTransaction } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bitcoinOf, type Holding, watch } from '../../scripts/client/balances.ts'
import { type SolanaWallet, solanaWallet } from '../../scripts/client/solana.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { startService, type TestService } from '../support/service.ts'
import { ACCOUNT, BITCOIN_WALLET, OTHER_EVM } from '../support/swaps.ts'
import { quoteRelay } from './relayQuote.ts'
import { EVM_HASH, HOUR_MS, MINUTE_MS, SOLANA_SIGNATURE, staysIn } from './support.ts'

/** From a Solana wallet by Relay: signed and sent by @solana/web3.js, with what moved on both sides, the network's fee included. */

const DEPOSITORY_PROGRAM = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'
const STEP_MS = 2_000
const LONG_STEP_MS = 10 * MINUTE_MS

const SOL = { inputToken: NATIVE_SOL, inputAmount: '2000000000' } as const
const TOKENS = { inputToken: USDC.solana, inputAmount: '250000000' } as const
const INPUTS = [
  ['SOL', SOL],
  ['USDC', TOKENS],
] as const

let service: TestService
let wallet: SolanaWallet
let refunds: SolanaWallet
beforeAll(async () => {
  service = await startService()
  wallet = solanaWallet(service.control, 21)
  refunds = solanaWallet(service.control, 22)
  await fund(service, -2, wallet.address, { [NATIVE_SOL]: '100000000000', [USDC.solana]: '10000000000' })
  await fund(service, -2, refunds.address, { [NATIVE_SOL]: '1000000000' })
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const request = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
  ...{ inputChainId: -2, ...SOL, outputChainId: 8453, outputToken: USDC.base },
  ...{ userAddress: wallet.address, destinationAddress: ACCOUNT.address, refundAddress: refunds.address },
  ...change,
})

const onSolana = (owner: string, token: string): Holding => ({ chainId: -2, token, owner })
const usdcOnBase = (owner: string = ACCOUNT.address): Holding => ({ chainId: 8453, token: USDC.base, owner })

/** A swap that is ready to be signed, and the balances that matter. */
const open = async (change: Partial<QuoteRequest> = {}, late: { refundAddress?: string; destinationAddress?: string } = {}) => {
  const asked = request(change)
  const offer = await quoteRelay(service, asked)
  const { quoteToken } = offer
  const { transaction, approval } = await executeAs(service, 'TRANSACTION', { quoteToken, ...late })
  expect(approval).toBeUndefined()
  const changes = await watch(service, {
    coins: onSolana(wallet.address, NATIVE_SOL),
    tokens: onSolana(wallet.address, USDC.solana),
    refunded: onSolana(refunds.address, asked.inputToken),
    delivered: usdcOnBase(),
  })
  return { offer, quoteToken, transaction, changes, amount: BigInt(asked.inputAmount) }
}

/** What the wallet has less: the amount of what it swaps, and the fee in SOL. */
const spent = (inputToken: string, amount: bigint, fee: bigint) =>
  inputToken === NATIVE_SOL ? { coins: -amount - fee, tokens: 0n } : { coins: -fee, tokens: -amount }

describe.each(INPUTS)('%s from Solana to USDC on Base', (_symbol, input) => {
  it('is quoted, signed, sent and delivered, to the unit, the network’s fee included', async () => {
    const { offer, quoteToken, transaction, changes, amount } = await open(input)
    expect(offer).toMatchObject({
      executable: true,
      routeType: 'CROSS_ECOSYSTEM',
      slippage: { isFirm: true },
      fee: { bps: 0, amount: '0' },
    })
    expect(offer.approval).toBeUndefined()
    expect(transaction).toMatchObject({ chainId: -2, to: DEPOSITORY_PROGRAM, value: '0', data: transaction.serialized })
    const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(transaction.serialized ?? '', 'base64'))
    expect([message.version, message.header.numRequiredSignatures, signatures.length]).toEqual([0, 1, 1])

    const { signature: ref, fee } = await wallet.sendSerialized(transaction.serialized)
    expect(ref).toMatch(SOLANA_SIGNATURE)
    expect(fee).toBeGreaterThanOrEqual(5_000n)
    const paid = spent(input.inputToken, amount, fee)
    expect(await changes()).toEqual({ ...paid, refunded: 0n, delivered: 0n })
    const seen = await follow(service, { quoteToken, ref }, { stepMs: STEP_MS })
    expect(statesOf(seen)).toEqual(['processing', 'success'])
    expect(lastOf(seen)).toEqual({
      status: 'success',
      venue: 'relay',
      venueStatus: 'success',
      deliveredAmount: offer.output.amount,
      txHash: expect.stringMatching(EVM_HASH),
    })
    expect(await changes()).toEqual({ ...paid, refunded: 0n, delivered: BigInt(offer.output.amount) })
  })

  it('is refunded on Solana, whole, to the refund address of the quote, when nobody fills it', async () => {
    const { quoteToken, transaction, changes, amount } = await open(input)
    await service.control.fault('relay', 'never-fills')
    const { signature: ref, fee } = await wallet.sendSerialized(transaction.serialized)
    const seen = await follow(service, { quoteToken, ref }, { stepMs: LONG_STEP_MS })
    expect(statesOf(seen)).toEqual(['processing', 'refunded'])
    expect(lastOf(seen)).toEqual({
      status: 'refunded',
      venue: 'relay',
      venueStatus: 'refund',
      txHash: expect.stringMatching(SOLANA_SIGNATURE),
    })
    expect(await changes()).toEqual({ ...spent(input.inputToken, amount, fee), refunded: amount, delivered: 0n })
  })

  it('to the refund address that execute binds', async () => {
    const { quoteToken, transaction, changes, amount } = await open(
      { ...input, refundAddress: wallet.address },
      { refundAddress: refunds.address },
    )
    await service.control.fault('relay', 'never-fills')
    const { signature: ref, fee } = await wallet.sendSerialized(transaction.serialized)
    await follow(service, { quoteToken, ref }, { stepMs: LONG_STEP_MS, until: 'refunded' })
    expect(await changes()).toEqual({ ...spent(input.inputToken, amount, fee), refunded: amount, delivered: 0n })
  })

  it('altered to pay less is refunded, and to pay more is filled for the quote with the excess refunded', async () => {
    const altering = (by: bigint) => (data: Buffer) => {
      if (data.length !== 48) return data
      const copy = Buffer.from(data)
      copy.writeBigUInt64LE(data.readBigUInt64LE(8) + by, 8)
      return copy
    }
    const short = await open(input)
    const less = await wallet.sendAltered(short.transaction.serialized, altering(-7n))
    const ref = { quoteToken: short.quoteToken, ref: less.signature }
    expect(statesOf(await follow(service, ref, { stepMs: LONG_STEP_MS }))).toEqual(['processing', 'refunded'])
    const { amount } = short
    const paid = spent(input.inputToken, amount - 7n, less.fee)
    expect(await short.changes()).toEqual({ ...paid, refunded: amount - 7n, delivered: 0n })

    const over = await open(input)
    const more = await wallet.sendAltered(over.transaction.serialized, altering(7n))
    const end = lastOf(await follow(service, { quoteToken: over.quoteToken, ref: more.signature }, { stepMs: STEP_MS }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: over.offer.output.amount })
    const delivered = BigInt(over.offer.output.amount)
    expect(await over.changes()).toEqual({ ...spent(input.inputToken, amount + 7n, more.fee), refunded: 7n, delivered })
  })
})

describe('SOL from Solana', () => {
  it('arrives as ether on Base', async () => {
    const { offer, quoteToken, transaction } = await open({ outputToken: NATIVE, destinationAddress: OTHER_EVM })
    const changes = await watch(service, { delivered: { chainId: 8453, token: NATIVE, owner: OTHER_EVM } })
    const { signature: ref } = await wallet.sendSerialized(transaction.serialized)
    expect(lastOf(await follow(service, { quoteToken, ref }, { stepMs: STEP_MS })).status).toBe('success')
    expect(await changes()).toEqual({ delivered: BigInt(offer.output.amount) })
  })

  it('arrives as bitcoin on the ledger', async () => {
    const route = { outputChainId: -1, outputToken: 'BTC', destinationAddress: BITCOIN_WALLET } as const
    const { offer, quoteToken, transaction } = await open(route)
    const changes = await watch(service, { delivered: bitcoinOf(BITCOIN_WALLET) })
    const { signature: ref } = await wallet.sendSerialized(transaction.serialized)
    const end = lastOf(await follow(service, { quoteToken, ref }, { stepMs: MINUTE_MS }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    expect(await changes()).toEqual({ delivered: BigInt(offer.output.amount) })
  })

  it('paid for another order is never this swap', async () => {
    const { quoteToken, transaction, changes, amount } = await open()
    const forged = (data: Buffer) => (data.length === 48 ? Buffer.concat([data.subarray(0, 16), Buffer.alloc(32, 1)]) : data)
    const { signature: ref, fee } = await wallet.sendAltered(transaction.serialized, forged)
    expect((await statusOf(service, { quoteToken, ref })).status).toBe('pending')
    await service.control.advance(2 * HOUR_MS)
    await staysIn(service, { quoteToken, ref }, 'expired')
    expect(await changes()).toEqual({ ...spent(NATIVE_SOL, amount, fee), refunded: 0n, delivered: 0n })
  })

  it('cannot be sent with a blockhash that is too old, and moves nothing', async () => {
    const { transaction, changes } = await open()
    await service.control.advance(5 * MINUTE_MS)
    await expect(wallet.sendSerialized(transaction.serialized)).rejects.toThrow(/[Bb]lockhash not found/)
    expect(await changes()).toEqual({ coins: 0n, tokens: 0n, refunded: 0n, delivered: 0n })
  })
})

describe('the recipient', () => {
  it('is fixed with the quote: without one the quote is a preview, which execute refuses, a late recipient or none', async () => {
    const { destinationAddress: _none, ...unnamed } = request()
    const offer = await quoteRelay(service, unnamed)
    expect(offer.executable).toBe(false)
    for (const late of [{}, { destinationAddress: ACCOUNT.address }]) {
      const body = { quoteToken: offer.quoteToken, ...late }
      const details = expectFailure(await service.send('POST', '/api/v1/execute', { body }), 422, 'QUOTE_NOT_EXECUTABLE')
      expect(details['missing']).toEqual(['destinationAddress'])
    }
  })

  it('of the quote is paid: another given to execute is ignored', async () => {
    const { quoteToken, transaction, changes } = await open({}, { destinationAddress: OTHER_EVM })
    const late = await watch(service, { delivered: usdcOnBase(OTHER_EVM) })
    const { signature: ref } = await wallet.sendSerialized(transaction.serialized)
    const { deliveredAmount } = lastOf(await follow(service, { quoteToken, ref }, { stepMs: STEP_MS }))
    expect(await changes()).toMatchObject({ delivered: BigInt(deliveredAmount ?? 0) })
    expect(await late()).toEqual({ delivered: 0n })
  })
})
