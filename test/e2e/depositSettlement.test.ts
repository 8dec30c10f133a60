import { createPublicClient, type Hex, http, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bitcoinOf, type Holding, watch } from '../../scripts/client/balances.ts'
import { pay, reorganiseEvm } from '../../scripts/client/evm.ts'
import { executeAs, fund, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { startService, type TestService } from '../support/service.ts'
import { ACCOUNT, allBut, BITCOIN_WALLET, DEPOSIT_SWAP, OTHER_EVM, SOLANA_WALLET } from '../support/swaps.ts'
import { HOUR_MS, MINUTE_MS } from './support.ts'

/** What really moves when a deposit is swapped, or sent back: the balances on both sides, read off the chains. */

const NATIVE_SOL = 'So11111111111111111111111111111111111111112'
const REFUND_BITCOIN = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'
/** Satoshi: what the venue takes for sending bitcoin back. */
const BITCOIN_REFUND_FEE = 1_900n
/** Two cents, in USDC. */
const USDC_REFUND_FEE = 20_000n

const usdcOnBase = (owner: string): Holding => ({ chainId: 8453, token: USDC.base, owner })

let service: TestService
beforeAll(async () => {
  service = await startService()
  await fund(service, 8453, ACCOUNT.address, { [NATIVE]: parseEther('10').toString(), [USDC.base]: '1000000000' })
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const open = async (request: QuoteRequest, addresses: { destinationAddress?: string; refundAddress?: string } = {}) => {
  const offer = await service.call('quote', { body: { ...request, excludeVenues: allBut('near-intents') } })
  const { quoteToken } = offer
  const { deposit, statusRef: ref } = await executeAs(service, 'DEPOSIT', { quoteToken, ...addresses })
  return { offer, quoteToken, ref, deposit }
}

const openBitcoin = async () => {
  const swap = await open(DEPOSIT_SWAP, { refundAddress: REFUND_BITCOIN })
  const changes = await watch(service, {
    deposited: bitcoinOf(swap.ref),
    refunded: bitcoinOf(REFUND_BITCOIN),
    delivered: usdcOnBase(ACCOUNT.address),
  })
  const send = (amount: string) => service.control.deposit({ chainId: -1, token: NATIVE, address: swap.ref, amount })
  return { ...swap, changes, send, pay: () => send(swap.deposit.amount) }
}

type Hashes = readonly { readonly hash: string }[]
type VenueView = {
  readonly status: string
  readonly swapDetails: {
    readonly amountOut: string | null
    readonly refundedAmount: string
    readonly originChainTxHashes: Hashes
    readonly destinationChainTxHashes: Hashes
  }
}
const venueView = async (ref: string) => {
  const { status, swapDetails } = await service.control.askVenue<VenueView>('near-intents', `/v0/status?depositAddress=${ref}`)
  const { originChainTxHashes, destinationChainTxHashes, ...details } = swapDetails
  return {
    status,
    ...details,
    origin: originChainTxHashes.map(({ hash }) => hash),
    destination: destinationChainTxHashes.map(({ hash }) => hash),
  }
}

const onBase = () => createPublicClient({ transport: http(service.control.rpcUrl(8453)) })
const bitcoinAnswer = async (path: string): Promise<Response> => fetch(`${service.control.rpcUrl(-1)}${path}`)
type BitcoinOutputs = { readonly vout: readonly { readonly scriptpubkey_address?: string; readonly value: number }[] }
const paidOnBitcoin = async (txid: string, address: string): Promise<bigint> => {
  const { vout } = (await (await bitcoinAnswer(`/tx/${txid}`)).json()) as BitcoinOutputs
  return vout.reduce((sum, output) => (output.scriptpubkey_address === address ? sum + BigInt(output.value) : sum), 0n)
}

const controlCall = async <T>(path: string, body?: unknown): Promise<T> => {
  const init =
    body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return (await (await fetch(`${service.control.url}${path}`, init)).json()) as T
}

describe('a delivery is on its chain, to the unit:', () => {
  it('bitcoin for USDC on Base', async () => {
    const { offer, changes, pay: payNow, ...swap } = await openBitcoin()
    const { txHash: paid } = await payNow()
    expect(await changes()).toEqual({ deposited: 5_000_000n, refunded: 0n, delivered: 0n })
    await service.control.advance(HOUR_MS / 2)
    const amount = BigInt(offer.output.amount)
    const { status, deliveredAmount, txHash } = await statusOf(service, swap)
    expect([status, deliveredAmount]).toEqual(['success', offer.output.amount])
    expect(await changes()).toEqual({ deposited: 5_000_000n, refunded: 0n, delivered: amount })

    const receipt = await onBase().getTransactionReceipt({ hash: txHash as Hex })
    expect(receipt).toMatchObject({ status: 'success', to: USDC.base.toLowerCase() })
    expect(BigInt(receipt.logs[0]?.data ?? 0)).toBe(amount)
    expect(await venueView(swap.ref)).toMatchObject({ origin: [paid], destination: [txHash] })
    expect(await paidOnBitcoin(paid, swap.ref)).toBe(5_000_000n)
  })

  it('ether on Base for bitcoin', async () => {
    const { offer, deposit, ...swap } = await open({
      inputChainId: 8453,
      outputChainId: -1,
      inputToken: NATIVE,
      outputToken: 'BTC',
      inputAmount: parseEther('1').toString(),
      userAddress: ACCOUNT.address,
      destinationAddress: BITCOIN_WALLET,
    })
    const changes = await watch(service, { delivered: bitcoinOf(BITCOIN_WALLET) })
    await pay(service.control.rpcUrl(8453), { chainId: 8453, token: NATIVE, to: deposit.address, amount: deposit.amount })
    await service.control.advance(HOUR_MS / 2)
    const { status, deliveredAmount, txHash = '' } = await statusOf(service, swap)
    expect([status, deliveredAmount]).toEqual(['success', offer.output.amount])
    expect(await changes()).toEqual({ delivered: BigInt(offer.output.amount) })
    expect(await paidOnBitcoin(txHash, BITCOIN_WALLET)).toBe(BigInt(offer.output.amount))
  })

  it.each([
    ['SOL', NATIVE_SOL],
    ['USDC', USDC.solana],
  ])('USDC on Base for %s on Solana', async (_symbol, outputToken) => {
    const { offer, deposit, ...swap } = await open({
      inputChainId: 8453,
      outputChainId: -2,
      inputToken: USDC.base,
      outputToken,
      inputAmount: '100000000',
      userAddress: ACCOUNT.address,
      destinationAddress: SOLANA_WALLET,
    })
    const changes = await watch(service, {
      paid: usdcOnBase(ACCOUNT.address),
      delivered: { chainId: -2, token: outputToken, owner: SOLANA_WALLET },
    })
    await pay(service.control.rpcUrl(8453), { chainId: 8453, token: USDC.base, to: deposit.address, amount: deposit.amount })
    await service.control.advance(MINUTE_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    expect(await changes()).toEqual({ paid: -100_000_000n, delivered: BigInt(offer.output.amount) })
  })

  it('USDC on Solana for ether on Base', async () => {
    const { offer, deposit, ...swap } = await open(
      {
        inputChainId: -2,
        outputChainId: 8453,
        inputToken: USDC.solana,
        outputToken: NATIVE,
        inputAmount: '250000000',
        userAddress: SOLANA_WALLET,
      },
      { destinationAddress: OTHER_EVM },
    )
    const changes = await watch(service, {
      deposited: { chainId: -2, token: USDC.solana, owner: deposit.address },
      delivered: { chainId: 8453, token: NATIVE, owner: OTHER_EVM },
    })
    const { address, amount } = deposit
    await service.control.deposit({ chainId: -2, token: USDC.solana, address, amount })
    await service.control.advance(MINUTE_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    expect(await changes()).toEqual({ deposited: 250_000_000n, delivered: BigInt(offer.output.amount) })
  })
})

describe('a refund is on the chain it came from, less its fee:', () => {
  it('of a deposit that stays short, in bitcoin', async () => {
    const { changes, send, ...swap } = await openBitcoin()
    await send('3000000')
    await service.control.advance(2 * HOUR_MS)
    expect((await statusOf(service, swap)).status).toBe('refunded')
    const refunded = 3_000_000n - BITCOIN_REFUND_FEE
    expect(await changes()).toEqual({ deposited: 3_000_000n, refunded, delivered: 0n })
    const { origin, refundedAmount } = await venueView(swap.ref)
    expect(refundedAmount).toBe(refunded.toString())
    expect(await paidOnBitcoin(origin[1] ?? '', REFUND_BITCOIN)).toBe(refunded)
  })

  it('of a deposit that is over, besides the delivery', async () => {
    const { offer, changes, send, ...swap } = await openBitcoin()
    await send('7500000')
    await service.control.advance(HOUR_MS / 2)
    expect((await statusOf(service, swap)).status).toBe('success')
    expect(await changes()).toEqual({
      deposited: 7_500_000n,
      refunded: 2_500_000n - BITCOIN_REFUND_FEE,
      delivered: BigInt(offer.output.amount),
    })
  })

  const usdcToBitcoin = {
    inputChainId: 8453,
    outputChainId: -1,
    inputToken: USDC.base,
    outputToken: NATIVE,
    inputAmount: '250000000',
    userAddress: ACCOUNT.address,
    destinationAddress: BITCOIN_WALLET,
  } satisfies QuoteRequest

  it('of a deposit that stays short, in USDC on Base', async () => {
    const { deposit, ...swap } = await open(usdcToBitcoin)
    const changes = await watch(service, { paid: usdcOnBase(ACCOUNT.address), delivered: bitcoinOf(BITCOIN_WALLET) })
    await pay(service.control.rpcUrl(8453), { chainId: 8453, token: USDC.base, to: deposit.address, amount: '100000000' })
    expect(await changes()).toEqual({ paid: -100_000_000n, delivered: 0n })
    await service.control.advance(HOUR_MS)
    expect((await statusOf(service, swap)).status).toBe('refunded')
    expect(await changes()).toEqual({ paid: -USDC_REFUND_FEE, delivered: 0n })
  })

  it('of a swap nobody fills, on Solana', async () => {
    const { deposit, ...swap } = await open(
      {
        inputChainId: -2,
        outputChainId: 8453,
        inputToken: USDC.solana,
        outputToken: NATIVE,
        inputAmount: '250000000',
        userAddress: SOLANA_WALLET,
      },
      { destinationAddress: OTHER_EVM },
    )
    const changes = await watch(service, {
      refunded: { chainId: -2, token: USDC.solana, owner: SOLANA_WALLET },
      delivered: { chainId: 8453, token: NATIVE, owner: OTHER_EVM },
    })
    await service.control.fault('near-intents', 'never-fills')
    const { address, amount } = deposit
    await service.control.deposit({ chainId: -2, token: USDC.solana, address, amount })
    await service.control.advance(2 * HOUR_MS)
    expect((await statusOf(service, swap)).status).toBe('refunded')
    expect(await changes()).toEqual({ refunded: 250_000_000n - USDC_REFUND_FEE, delivered: 0n })
  })

  it('of a swap whose recipient cannot be paid, and the reason is noted', async () => {
    // A contract that takes no coins.
    const recipient = USDC.arbitrum
    const { deposit, ...swap } = await open({
      inputChainId: 8453,
      outputChainId: 42161,
      inputToken: USDC.base,
      outputToken: NATIVE,
      inputAmount: '50000000',
      userAddress: ACCOUNT.address,
      destinationAddress: recipient,
    })
    const changes = await watch(service, {
      paid: usdcOnBase(ACCOUNT.address),
      delivered: { chainId: 42161, token: NATIVE, owner: recipient },
    })
    await pay(service.control.rpcUrl(8453), { chainId: 8453, token: USDC.base, to: deposit.address, amount: deposit.amount })
    await service.control.advance(5 * MINUTE_MS)
    expect((await statusOf(service, swap)).status).toBe('refunded')
    expect(await changes()).toEqual({ paid: -USDC_REFUND_FEE, delivered: 0n })
    const { notices } = await controlCall<{ notices: readonly { reason: string }[] }>('/')
    expect(notices.map(({ reason }) => reason).join()).toMatch(/revert/)
  })
})

describe('a venue at fault', () => {
  it('that lies names a transaction of no chain: the recipient has nothing, the deposit went back', async () => {
    const { changes, pay: payNow, ...swap } = await openBitcoin()
    await service.control.fault('near-intents', 'lying-success')
    await payNow()
    await service.control.advance(HOUR_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'processing', venueStatus: 'SUCCESS' })
    expect(await changes()).toEqual({ deposited: 5_000_000n, refunded: 5_000_000n - BITCOIN_REFUND_FEE, delivered: 0n })
    const { destination } = await venueView(swap.ref)
    await expect(onBase().getTransaction({ hash: destination[0] as Hex })).rejects.toThrow('could not be found')
  })

  it('that delivers too little delivers what it says, and no success comes of it', async () => {
    const { offer, changes, pay: payNow, ...swap } = await openBitcoin()
    await service.control.fault('near-intents', 'short-fill')
    await payNow()
    await service.control.advance(HOUR_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'processing', venueStatus: 'SUCCESS' })
    const short = (BigInt(offer.slippage?.guaranteedMin ?? 0) * 9n) / 10n
    expect(await changes()).toEqual({ deposited: 5_000_000n, refunded: 0n, delivered: short })
    expect(await venueView(swap.ref)).toMatchObject({ amountOut: short.toString() })
  })

  it('that fails moves nothing', async () => {
    const { changes, pay: payNow, ...swap } = await openBitcoin()
    await service.control.fault('near-intents', 'fails')
    await payNow()
    await service.control.advance(24 * HOUR_MS)
    expect((await statusOf(service, swap)).status).toBe('failed')
    expect(await changes()).toEqual({ deposited: 5_000_000n, refunded: 0n, delivered: 0n })
  })
})

describe('a deposit that a reorganisation took back', () => {
  it('is pending again, nothing is delivered for it, and the same transaction sent anew is swapped', async () => {
    const { offer, changes, pay: payNow, ...swap } = await openBitcoin()
    const { txHash: txid } = await payNow()
    const hex = await (await bitcoinAnswer(`/tx/${txid}/hex`)).text()
    await service.control.advance(11 * MINUTE_MS)
    expect((await statusOf(service, swap)).status).toBe('processing')
    expect(await controlCall('/reorg', { chainId: -1, drop: txid })).toMatchObject({ dropped: [txid] })
    expect(await statusOf(service, swap)).toMatchObject({ status: 'pending', venueStatus: 'PENDING_DEPOSIT' })
    await service.control.advance(20 * MINUTE_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'pending', venueStatus: 'PENDING_DEPOSIT' })
    expect(await changes()).toEqual({ deposited: 0n, refunded: 0n, delivered: 0n })

    const sent = await fetch(`${service.control.rpcUrl(-1)}/tx`, { method: 'POST', body: hex })
    expect(await sent.text()).toBe(txid)
    await service.control.advance(25 * MINUTE_MS)
    expect((await statusOf(service, swap)).status).toBe('success')
    expect(await changes()).toEqual({ deposited: 5_000_000n, refunded: 0n, delivered: BigInt(offer.output.amount) })
  })

  it('is pending again on an EVM chain too, when the swap would have been filled', async () => {
    const { deposit, ...swap } = await open({
      inputChainId: 8453,
      outputChainId: -2,
      inputToken: USDC.base,
      outputToken: USDC.solana,
      inputAmount: '100000000',
      userAddress: ACCOUNT.address,
      destinationAddress: SOLANA_WALLET,
    })
    const changes = await watch(service, { delivered: { chainId: -2, token: USDC.solana, owner: SOLANA_WALLET } })
    const rpcUrl = service.control.rpcUrl(8453)
    const hash = await pay(rpcUrl, { chainId: 8453, token: USDC.base, to: deposit.address, amount: deposit.amount })
    expect((await statusOf(service, swap)).status).toBe('processing')
    expect(await reorganiseEvm(service, 8453, hash)).toEqual([hash])
    await service.control.advance(MINUTE_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'pending', venueStatus: 'PENDING_DEPOSIT' })
    expect(await changes()).toEqual({ delivered: 0n })
  })
})
