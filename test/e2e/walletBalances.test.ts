import { createPublicClient, type Hex, http, pad, parseAbi, parseEther, parseEventLogs, type TypedDataDefinition } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Holding, watch } from '../../scripts/client/balances.ts'
import { broadcast, gasPaid, receiptOf, reorganiseEvm } from '../../scripts/client/evm.ts'
import { type SolanaWallet, solanaWallet } from '../../scripts/client/solana.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE, NATIVE_SOL, USDC, WETH_ETHEREUM } from '../../scripts/client/tokens.ts'
import type { Quote, QuoteRequest } from '../../scripts/client/wire.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { ACCOUNT, OTHER_EVM, SIGNATURE_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'
import { HOUR_MS, MINUTE_MS, staysIn } from './support.ts'

/** What a wallet has before and after a swap by Across or CoW, on both sides and gas included, and after one that failed. */

const REFUND_EVM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const BASE_SPOKE_POOL = '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'
const ETH_FLOW = '0xbA3cB449bD2B4ADddBc894D8697F5170800EAdeC'
const WETH_BASE = '0x4200000000000000000000000000000000000006'
const ZERO_WORD: Hex = `0x${'00'.repeat(32)}`
const STEP_MS = 3_000

/** contracts/interfaces/V3SpokePoolInterface.sol of across-protocol/contracts. */
const SPOKE_POOL = parseAbi([
  'event FundsDeposited(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, uint256 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 indexed depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes message)',
])

let service: TestService
let solana: SolanaWallet
beforeAll(async () => {
  service = await startService(only('across', 'cow'))
  solana = solanaWallet(service.control, 41)
  await fund(service, 8453, ACCOUNT.address, { [NATIVE]: parseEther('10').toString(), [USDC.base]: '5000000000' })
  await fund(service, 1, ACCOUNT.address, { [NATIVE]: parseEther('10').toString(), [USDC.ethereum]: '5000000000' })
  await fund(service, -2, solana.address, { [NATIVE_SOL]: '1000000000', [USDC.solana]: '1000000000' })
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const rpcUrl = (chainId: number) => service.control.rpcUrl(chainId)
const word = (address: string): Hex => pad(address.toLowerCase() as Hex)
const on = (chainId: number, token: string, owner: string = ACCOUNT.address): Holding => ({ chainId, token, owner })

/** Quotes, approves, signs and broadcasts: what it was for, and what it cost in gas. */
const sent = async (request: QuoteRequest): Promise<{ offer: Quote; quoteToken: string; ref: string; gas: bigint }> => {
  const offer = await service.call('quote', { body: request })
  const { quoteToken } = offer
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  const url = rpcUrl(request.inputChainId)
  const approved = approval ? [await broadcast(url, approval.transaction)] : []
  const ref = await broadcast(url, transaction)
  return { offer, quoteToken, ref, gas: await gasPaid(url, [...approved, ref]) }
}

/** The one event of the pool in a transaction. */
const depositedIn = async (ref: string) => {
  const { logs, status } = await receiptOf(rpcUrl(8453), ref)
  expect(status).toBe('success')
  const ofPool = logs.filter(({ address }) => address === BASE_SPOKE_POOL.toLowerCase())
  const [event, ...more] = parseEventLogs({ abi: SPOKE_POOL, logs: ofPool })
  expect(more).toEqual([])
  return event?.args
}

describe('across', () => {
  it('USDC: the event of the pool says what was quoted, and both wallets have it, gas included', async () => {
    const changes = await watch(service, {
      paid: on(8453, USDC.base),
      coins: on(8453, NATIVE),
      pool: on(8453, USDC.base, BASE_SPOKE_POOL),
      delivered: on(42161, USDC.arbitrum, OTHER_EVM),
      coinsThere: on(42161, NATIVE, OTHER_EVM),
    })
    const refundAddress = REFUND_EVM
    const { offer, gas, ...swap } = await sent({ ...TRANSACTION_SWAP, destinationAddress: OTHER_EVM, refundAddress })
    const output = BigInt(offer.output.amount)
    const seconds = Math.floor(Number((await createPublicClient({ transport: http(rpcUrl(8453)) }).getBlock()).timestamp))
    const event = await depositedIn(swap.ref)
    expect(event).toMatchObject({
      inputToken: word(USDC.base),
      outputToken: word(USDC.arbitrum),
      inputAmount: 250_000_000n,
      outputAmount: output,
      destinationChainId: 42_161n,
      depositor: word(REFUND_EVM),
      recipient: word(OTHER_EVM),
      exclusiveRelayer: ZERO_WORD,
      message: '0x',
    })
    expect(event?.fillDeadline).toBeGreaterThan(seconds)
    expect(await changes()).toMatchObject({ paid: -250_000_000n, coins: -gas, pool: 250_000_000n, delivered: 0n })
    const end = lastOf(await follow(service, swap, { stepMs: STEP_MS }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    expect(await changes()).toEqual({ paid: -250_000_000n, coins: -gas, pool: 250_000_000n, delivered: output, coinsThere: 0n })
  })

  it('ether: the event says the wrapped coin, and both wallets have it to the wei', async () => {
    const changes = await watch(service, { paid: on(8453, NATIVE), delivered: on(42161, NATIVE, OTHER_EVM) })
    const native = { inputToken: NATIVE, outputToken: NATIVE, inputAmount: parseEther('1').toString() }
    const { offer, gas, ...swap } = await sent({ ...TRANSACTION_SWAP, ...native, destinationAddress: OTHER_EVM })
    expect(await depositedIn(swap.ref)).toMatchObject({
      inputToken: word(WETH_BASE),
      inputAmount: parseEther('1'),
      outputAmount: BigInt(offer.output.amount),
      destinationChainId: 42_161n,
      depositor: word(ACCOUNT.address),
      recipient: word(OTHER_EVM),
    })
    expect(lastOf(await follow(service, swap, { stepMs: STEP_MS })).status).toBe('success')
    expect(await changes()).toEqual({ paid: -parseEther('1') - gas, delivered: BigInt(offer.output.amount) })
  })

  it('USDC of a Solana wallet: the fees of the network are all it has less besides', async () => {
    const route = { inputChainId: -2, inputToken: USDC.solana, outputChainId: 8453, outputToken: USDC.base } as const
    const parties = { userAddress: solana.address, destinationAddress: OTHER_EVM }
    const offer = await service.call('quote', { body: { ...TRANSACTION_SWAP, ...route, ...parties } })
    const { quoteToken } = offer
    const { transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
    const changes = await watch(service, {
      paid: on(-2, USDC.solana, solana.address),
      coins: on(-2, NATIVE_SOL, solana.address),
      delivered: on(8453, USDC.base, OTHER_EVM),
    })
    const { signature: ref, fee, rent } = await solana.sendSerialized(transaction.serialized)
    expect(fee).toBeGreaterThanOrEqual(5_000n)
    const coins = -fee - rent
    expect(await changes()).toEqual({ paid: -250_000_000n, coins, delivered: 0n })
    expect(lastOf(await follow(service, { quoteToken, ref }, { stepMs: STEP_MS })).status).toBe('success')
    expect(await changes()).toEqual({ paid: -250_000_000n, coins, delivered: BigInt(offer.output.amount) })
  })

  it('that nobody fills expires, and is then refunded, whole, to the refund address', async () => {
    await service.control.fault('across', 'never-fills')
    const changes = await watch(service, { paid: on(8453, USDC.base), refunded: on(8453, USDC.base, REFUND_EVM) })
    const { ref, quoteToken } = await sent({ ...TRANSACTION_SWAP, refundAddress: REFUND_EVM })
    const seen = await follow(service, { ref, quoteToken }, { stepMs: 10 * MINUTE_MS })
    expect(statesOf(seen).slice(-2)).toEqual(['expired', 'refunded'])
    expect(await changes()).toEqual({ paid: -250_000_000n, refunded: 250_000_000n })
  })

  it('from Solana that nobody fills is refunded there, whole, to the wallet that paid', async () => {
    await service.control.fault('across', 'never-fills')
    const route = { inputChainId: -2, inputToken: USDC.solana, outputChainId: 8453, outputToken: USDC.base } as const
    const parties = { userAddress: solana.address, destinationAddress: OTHER_EVM }
    const { quoteToken } = await service.call('quote', { body: { ...TRANSACTION_SWAP, ...route, ...parties } })
    const { transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
    const changes = await watch(service, { paid: on(-2, USDC.solana, solana.address), delivered: on(8453, USDC.base, OTHER_EVM) })
    const { signature: ref } = await solana.sendSerialized(transaction.serialized)
    expect(await changes()).toEqual({ paid: -250_000_000n, delivered: 0n })
    const seen = await follow(service, { ref, quoteToken }, { stepMs: 10 * MINUTE_MS })
    expect(statesOf(seen).slice(-2)).toEqual(['expired', 'refunded'])
    expect(await changes()).toEqual({ paid: 0n, delivered: 0n })
  })

  it.each([
    ['before the venue saw it', 0],
    ['after the venue saw it', 7_000],
  ] as const)(
    'whose deposit a reorganisation took back %s is none: it fails once it can no longer come back, and the wallet has all',
    async (_when, waitMs) => {
      const changes = await watch(service, { paid: on(8453, USDC.base), delivered: on(42161, USDC.arbitrum) })
      const { ref, quoteToken } = await sent(TRANSACTION_SWAP)
      if (waitMs > 0) await service.control.advance(waitMs)
      expect((await statusOf(service, { ref, quoteToken })).status).toBe('processing')
      expect(await reorganiseEvm(service, 8453, ref)).toContain(ref)
      await service.control.advance(MINUTE_MS)
      expect((await statusOf(service, { ref, quoteToken })).status).toBe('pending')
      await service.control.advance(HOUR_MS)
      expect((await statusOf(service, { ref, quoteToken })).status).toBe('pending')
      await service.control.advance(12 * HOUR_MS)
      await staysIn(service, { ref, quoteToken }, 'failed')
      expect(await changes()).toEqual({ paid: 0n, delivered: 0n })
    },
  )
})

describe('cow', () => {
  it('a signed order: the approval is all the gas there is, and both tokens have moved', async () => {
    const coins = await watch(service, { coins: on(1, NATIVE), paid: on(1, USDC.ethereum), delivered: on(1, WETH_ETHEREUM) })
    const offer = await service.call('quote', { body: SIGNATURE_SWAP })
    const { quoteToken } = offer
    const { approval, typedData } = await executeAs(service, 'SIGNATURE', { quoteToken })
    if (!approval) throw new Error('no approval')
    const gas = await gasPaid(rpcUrl(1), [await broadcast(rpcUrl(1), approval.transaction)])
    const signature = await ACCOUNT.signTypedData(typedData as unknown as TypedDataDefinition)
    const { statusRef: ref } = await service.call('submitSignature', { body: { quoteToken, signature } })
    expect(await coins()).toEqual({ coins: -gas, paid: 0n, delivered: 0n })
    const end = lastOf(await follow(service, { quoteToken, ref }, { stepMs: 1_500 }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    expect(await coins()).toEqual({ coins: -gas, paid: -1_000_000_000n, delivered: BigInt(offer.output.amount) })
  })

  const ETHER_SWAP: QuoteRequest = {
    ...SIGNATURE_SWAP,
    ...{ inputToken: NATIVE, outputToken: USDC.ethereum, inputAmount: parseEther('1').toString() },
  }

  it('ether: value and gas leave the wallet, and the tokens arrive', async () => {
    const changes = await watch(service, { paid: on(1, NATIVE), delivered: on(1, USDC.ethereum) })
    const { offer, gas, ...swap } = await sent(ETHER_SWAP)
    expect(await changes()).toEqual({ paid: -parseEther('1') - gas, delivered: 0n })
    expect(lastOf(await follow(service, swap, { stepMs: 1_500 })).status).toBe('success')
    expect(await changes()).toEqual({ paid: -parseEther('1') - gas, delivered: BigInt(offer.output.amount) })
  })

  it('ether whose order a reorganisation took back has failed, and the wallet has everything', async () => {
    const changes = await watch(service, { paid: on(1, NATIVE), kept: on(1, NATIVE, ETH_FLOW), delivered: on(1, USDC.ethereum) })
    const { ref, quoteToken } = await sent(ETHER_SWAP)
    expect(await reorganiseEvm(service, 1, ref)).toContain(ref)
    await service.control.advance(MINUTE_MS)
    expect((await statusOf(service, { ref, quoteToken })).status).toBe('pending')
    await service.control.advance(HOUR_MS)
    // The book still tells of the order; the contract knows of none, and it is too late to place it.
    await staysIn(service, { ref, quoteToken }, 'failed')
    expect(await changes()).toEqual({ paid: 0n, kept: 0n, delivered: 0n })
  })
})
