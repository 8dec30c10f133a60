import { parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bitcoinOf, type Holding, watch } from '../../scripts/client/balances.ts'
import { broadcastBitcoin, fundedCoin, payBitcoin } from '../../scripts/client/bitcoin.ts'
import { type BitcoinWallet, bitcoinWallet } from '../../scripts/client/bitcoinWallet.ts'
import { gasPaid, pay } from '../../scripts/client/evm.ts'
import { type SolanaWallet, solanaWallet } from '../../scripts/client/solana.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { ACCOUNT, allBut, DEPOSIT_SWAP, OTHER_EVM, SOLANA_WALLET } from '../support/swaps.ts'
import { EVM_HASH, HOUR_MS, MINUTE_MS, staysIn } from './support.ts'

/** Deposits as real wallets make them: balances before and after on both sides, the fees of the networks included. */

const REFUND_BITCOIN = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'
const REFUND_EVM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** What the venue takes for sending back: satoshi, and two cents in USDC. */
const BITCOIN_REFUND_FEE = 1_900n
const USDC_REFUND_FEE = 20_000n

let service: TestService
let solana: SolanaWallet
beforeAll(async () => {
  service = await startService(only('near-intents'))
  solana = solanaWallet(service.control, 31)
  await fund(service, 8453, ACCOUNT.address, { [NATIVE]: parseEther('10').toString(), [USDC.base]: '1000000000' })
  await fund(service, -2, solana.address, { [NATIVE_SOL]: '50000000000', [USDC.solana]: '1000000000' })
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const onBase = (owner: string, token: string = USDC.base): Holding => ({ chainId: 8453, token, owner })
const onSolana = (owner: string, token: string): Holding => ({ chainId: -2, token, owner })

const open = async (request: QuoteRequest, addresses: { destinationAddress?: string; refundAddress?: string } = {}) => {
  const offer = await service.call('quote', { body: { ...request, excludeVenues: allBut('near-intents') } })
  const { quoteToken } = offer
  const { deposit, statusRef: ref } = await executeAs(service, 'DEPOSIT', { quoteToken, ...addresses })
  return { offer, quoteToken, ref, to: deposit.address, amount: BigInt(deposit.amount) }
}

describe('bitcoin from a wallet of bitcoinjs-lib', () => {
  let wallets = 0
  const openBitcoin = async (kind: BitcoinWallet['kind'] = 'p2wpkh') => {
    wallets += 1
    const wallet = bitcoinWallet(kind, `deposits ${wallets}`)
    const coin = await fundedCoin(service, wallet, 10_000_000n)
    const { offer, quoteToken, ref, to, amount } = await open(
      { ...DEPOSIT_SWAP, userAddress: wallet.address },
      { refundAddress: REFUND_BITCOIN },
    )
    const changes = await watch(service, {
      paid: bitcoinOf(wallet.address),
      deposited: bitcoinOf(to),
      refunded: bitcoinOf(REFUND_BITCOIN),
      delivered: onBase(ACCOUNT.address),
    })
    return {
      offer,
      coin,
      amount,
      changes,
      quoteToken,
      ref,
      send: (value = amount) => payBitcoin(service, coin, { to, amount: value }),
    }
  }

  it.each(['p2wpkh', 'p2tr', 'p2sh-p2wpkh', 'p2pkh'] as const)(
    'of kind %s is built, signed, sent and swapped, to the satoshi',
    async (kind) => {
      const { offer, amount, changes, send, ...swap } = await openBitcoin(kind)
      const { fee } = await send()
      expect(await changes()).toEqual({ paid: -amount - fee, deposited: amount, refunded: 0n, delivered: 0n })
      const seen = await follow(service, swap, { stepMs: MINUTE_MS })
      expect(statesOf(seen)).toEqual(['processing', 'success'])
      expect(lastOf(seen)).toMatchObject({
        deliveredAmount: offer.output.amount,
        txHash: expect.stringMatching(EVM_HASH),
      })
      const delivered = BigInt(offer.output.amount)
      expect(await changes()).toEqual({ paid: -amount - fee, deposited: amount, refunded: 0n, delivered })
    },
  )

  it('short of the amount goes back to the refund address that execute bound', async () => {
    const { amount, changes, send, ...swap } = await openBitcoin()
    const { fee } = await send(amount - 1n)
    await service.control.advance(2 * HOUR_MS)
    expect((await statusOf(service, swap)).status).toBe('refunded')
    expect(await changes()).toEqual({
      paid: 1n - amount - fee,
      deposited: amount - 1n,
      refunded: amount - 1n - BITCOIN_REFUND_FEE,
      delivered: 0n,
    })
  })

  it('that a reorganisation takes out of the mempool is none: pending again, and a swap once it is sent anew', async () => {
    const { offer, amount, changes, send, ...swap } = await openBitcoin()
    const { txid, hex, fee } = await send()
    expect((await statusOf(service, swap)).status).toBe('processing')
    expect(await service.control.reorg({ chainId: -1, drop: 'unconfirmed' })).toContain(txid)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'pending', venueStatus: 'PENDING_DEPOSIT' })
    await service.control.advance(15 * MINUTE_MS)
    expect((await statusOf(service, swap)).status).toBe('pending')
    expect(await changes()).toEqual({ paid: 0n, deposited: 0n, refunded: 0n, delivered: 0n })
    expect(await broadcastBitcoin(service, hex)).toBe(txid)
    await service.control.advance(25 * MINUTE_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    const delivered = BigInt(offer.output.amount)
    expect(await changes()).toEqual({ paid: -amount - fee, deposited: amount, refunded: 0n, delivered })
  })

  it('whose coin was then spent elsewhere never becomes a success, and has failed once the address is over', async () => {
    const { coin, changes, send, ...swap } = await openBitcoin()
    await send()
    await service.control.reorg({ chainId: -1, drop: 'unconfirmed' })
    await payBitcoin(service, coin, { to: REFUND_BITCOIN, amount: 1_000_000n })
    await service.control.advance(2 * HOUR_MS)
    await staysIn(service, swap, 'pending')
    // Until nobody can pay the address any more.
    await service.control.advance(48 * HOUR_MS)
    await staysIn(service, swap, 'failed')
    expect(await changes()).toMatchObject({ deposited: 0n, refunded: 1_000_000n, delivered: 0n })
  })
})

describe('from a wallet of @solana/web3.js', () => {
  const toBase = (inputToken: string, inputAmount: string): QuoteRequest => ({
    ...{ inputChainId: -2, inputToken, inputAmount, outputChainId: 8453, outputToken: NATIVE },
    ...{ userAddress: solana.address, destinationAddress: OTHER_EVM },
  })

  it('SOL is signed, sent and swapped, to the lamport', async () => {
    const { offer, to, amount, ...swap } = await open(toBase(NATIVE_SOL, '2000000000'))
    const changes = await watch(service, {
      paid: onSolana(solana.address, NATIVE_SOL),
      deposited: onSolana(to, NATIVE_SOL),
      delivered: onBase(OTHER_EVM, NATIVE),
    })
    const { fee } = await solana.payCoins({ to, lamports: amount })
    expect(await changes()).toEqual({ paid: -amount - fee, deposited: amount, delivered: 0n })
    const end = lastOf(await follow(service, swap, { stepMs: 5_000 }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    expect(await changes()).toEqual({ paid: -amount - fee, deposited: amount, delivered: BigInt(offer.output.amount) })
  })

  it('USDC is signed, sent and swapped, to the unit', async () => {
    const { offer, to, amount, ...swap } = await open(toBase(USDC.solana, '250000000'))
    const changes = await watch(service, {
      paid: onSolana(solana.address, USDC.solana),
      coins: onSolana(solana.address, NATIVE_SOL),
      deposited: onSolana(to, USDC.solana),
      delivered: onBase(OTHER_EVM, NATIVE),
    })
    const { fee, rent } = await solana.payToken({ mint: USDC.solana, to, amount, decimals: 6 })
    expect(rent).toBeGreaterThan(0n)
    const spent = { paid: -amount, coins: -fee - rent, deposited: amount }
    expect(await changes()).toEqual({ ...spent, delivered: 0n })
    const end = lastOf(await follow(service, swap, { stepMs: 5_000 }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    expect(await changes()).toEqual({ ...spent, delivered: BigInt(offer.output.amount) })
  })

  it('USDC that nobody fills goes back to the refund address that execute bound', async () => {
    const { to, amount, ...swap } = await open(toBase(USDC.solana, '250000000'), { refundAddress: SOLANA_WALLET })
    const changes = await watch(service, {
      paid: onSolana(solana.address, USDC.solana),
      refunded: onSolana(SOLANA_WALLET, USDC.solana),
      delivered: onBase(OTHER_EVM, NATIVE),
    })
    await service.control.fault('near-intents', 'never-fills')
    await solana.payToken({ mint: USDC.solana, to, amount, decimals: 6 })
    expect(lastOf(await follow(service, swap, { stepMs: 10 * MINUTE_MS })).status).toBe('refunded')
    expect(await changes()).toEqual({ paid: -amount, refunded: amount - USDC_REFUND_FEE, delivered: 0n })
  })
})

describe('from a wallet of viem', () => {
  const toSolana = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    ...{ inputChainId: 8453, inputToken: USDC.base, inputAmount: '100000000', outputChainId: -2, outputToken: USDC.solana },
    ...{ userAddress: ACCOUNT.address, destinationAddress: SOLANA_WALLET },
    ...change,
  })

  it.each([
    ['USDC', USDC.base, '100000000'],
    ['ether', NATIVE, parseEther('0.5').toString()],
  ])('%s is sent and swapped, to the unit, gas included', async (_what, inputToken, inputAmount) => {
    const { offer, to, amount, ...swap } = await open(toSolana({ inputToken, inputAmount }))
    expect(offer.approval).toBeUndefined()
    const changes = await watch(service, {
      paid: onBase(ACCOUNT.address, inputToken),
      coins: onBase(ACCOUNT.address, NATIVE),
      deposited: onBase(to, inputToken),
      delivered: onSolana(SOLANA_WALLET, USDC.solana),
    })
    const rpcUrl = service.control.rpcUrl(8453)
    const hash = await pay(rpcUrl, { chainId: 8453, token: inputToken, to, amount: inputAmount })
    const gas = await gasPaid(rpcUrl, [hash])
    const spent = inputToken === NATIVE ? { paid: -amount - gas, coins: -amount - gas } : { paid: -amount, coins: -gas }
    expect(await changes()).toEqual({ ...spent, deposited: amount, delivered: 0n })
    expect(lastOf(await follow(service, swap, { stepMs: 5_000 })).status).toBe('success')
    expect(await changes()).toEqual({ ...spent, deposited: amount, delivered: BigInt(offer.output.amount) })
  })

  it('USDC that stays short goes back to the refund address of the quote, and from execute to its own', async () => {
    for (const [quoted, late] of [
      [{ refundAddress: REFUND_EVM }, {}],
      [{}, { refundAddress: REFUND_EVM }],
    ]) {
      const { to, amount, ...swap } = await open(toSolana(quoted), late)
      const changes = await watch(service, { paid: onBase(ACCOUNT.address), refunded: onBase(REFUND_EVM) })
      const half = amount / 2n
      await pay(service.control.rpcUrl(8453), { chainId: 8453, token: USDC.base, to, amount: half.toString() })
      expect(statesOf(await follow(service, swap, { stepMs: 5 * MINUTE_MS })).at(-1)).toBe('refunded')
      expect(await changes()).toEqual({ paid: -half, refunded: half - USDC_REFUND_FEE })
    }
  })
})
