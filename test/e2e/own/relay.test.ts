import {
  createWalletClient,
  decodeFunctionData,
  defineChain,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  parseEther,
  parseEventLogs,
} from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Holding } from '../../../scripts/client/balances.ts'
import { watch } from '../../../scripts/client/balances.ts'
import { approveAll, broadcast, receiptOf } from '../../../scripts/client/evm.ts'
import { type SolanaWallet, solanaWallet } from '../../../scripts/client/solana.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../../scripts/client/wire.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { ACCOUNT, TRANSACTION_SWAP } from '../../support/swaps.ts'
import { HOUR_MS, MINUTE_MS, staysIn } from '../support.ts'
import { DEPOSITORY, quoteRelay } from './relayQuote.ts'

/** What a client can do to a payment by Relay, and where the money is then, to the unit. */

const REFUND_EVM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const DEPOSIT = parseAbi(['function depositErc20(address depositor, address token, uint256 amount, bytes32 id)'])
const AMOUNT = 250_000_000n
/** What Relay takes of a refund for sending it, at the prices here: USDC, lamports. */
const REFUND_COST = { usdc: 1_000n, sol: 5_842n } as const
const STEP_MS = 2_000

let service: TestService
beforeAll(async () => {
  service = await startService(only('relay'))
  await fund(service, 8453, ACCOUNT.address, { [NATIVE]: parseEther('50').toString(), [USDC.base]: '50000000000' })
  await approveAll(base(), { chainId: 8453, token: USDC.base, spender: DEPOSITORY })
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const base = () => service.control.rpcUrl(8453)

const watchAll = () =>
  watch(service, {
    paid: { chainId: 8453, token: USDC.base, owner: ACCOUNT.address },
    refunded: { chainId: 8453, token: USDC.base, owner: REFUND_EVM },
    delivered: { chainId: 42161, token: USDC.arbitrum, owner: ACCOUNT.address },
  })

/** A swap that is ready to be sent, with the refund going to another address than the sender's. */
const open = async (change: Partial<QuoteRequest> = {}, late: { refundAddress?: string } = {}) => {
  const offer = await quoteRelay(service, { ...TRANSACTION_SWAP, refundAddress: REFUND_EVM, ...change })
  const { quoteToken } = offer
  const { transaction } = await executeAs(service, 'TRANSACTION', { quoteToken, ...late })
  const changes = await watchAll()
  return { offer, quoteToken, transaction, changes, send: () => broadcast(base(), transaction) }
}

/** packages/ethereum-vm/src/RelayDepository.sol of relayprotocol/relay-depository. */
const DEPOSITS = parseAbi([
  'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
  'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
])

describe('a deposit', () => {
  it('is a call of the depository for the order, which its event repeats', async () => {
    const { transaction, send } = await open()
    const { functionName, args } = decodeFunctionData({ abi: DEPOSITS, data: transaction.data as Hex })
    expect([functionName, ...args.slice(0, 3)]).toEqual(['depositErc20', ACCOUNT.address, USDC.base, AMOUNT])
    const { to, logs } = await receiptOf(base(), await send())
    expect(to).toBe(DEPOSITORY.toLowerCase())
    const events = parseEventLogs({ abi: DEPOSITS, eventName: 'RelayErc20Deposit', logs }).map(({ args: told }) => told)
    expect(events).toEqual([{ from: ACCOUNT.address, token: USDC.base, amount: AMOUNT, id: args[3] }])
  })

  it('sent long after the quote has gone is swapped all the same, while its price holds', async () => {
    const offer = await quoteRelay(service, TRANSACTION_SWAP)
    const { quoteToken } = offer
    const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
    if (approval) await broadcast(base(), approval.transaction)
    await service.control.advance(2 * HOUR_MS)
    expect((await statusOf(service, { quoteToken, ref: `0x${'51'.repeat(32)}` })).status).toBe('pending')
    const changes = await watch(service, { delivered: { chainId: 42161, token: USDC.arbitrum, owner: ACCOUNT.address } })
    const ref = await broadcast(base(), transaction)
    const seen = await follow(service, { quoteToken, ref }, { stepMs: STEP_MS })
    expect(statesOf(seen)).toEqual(['processing', 'success'])
    expect(await changes()).toEqual({ delivered: BigInt(offer.output.amount) })
  })
})

describe('a transaction that the client altered', () => {
  const altered = async (change: { amount?: bigint; token?: string; id?: Hex }) => {
    const { transaction, quoteToken, changes, offer, send } = await open()
    const id = change.id ?? (`0x${transaction.data.slice(-64)}` as Hex)
    const args = [ACCOUNT.address, (change.token ?? USDC.base) as Hex, change.amount ?? AMOUNT, id] as const
    const data = encodeFunctionData({ abi: DEPOSIT, functionName: 'depositErc20', args })
    return { quoteToken, changes, offer, send, ref: await broadcast(base(), { ...transaction, data }) }
  }

  it('to pay less is no payment of this swap, which can still be made; it is refunded', async () => {
    const { changes, send, ...swap } = await altered({ amount: AMOUNT - 1n })
    await staysIn(service, swap, 'not_found')
    expect(await changes()).toEqual({ paid: 1n - AMOUNT, refunded: AMOUNT - 1n - REFUND_COST.usdc, delivered: 0n })
    // Relay's books name another transaction for the order: what it does with this one is not told.
    const ref = await send()
    await service.control.advance(HOUR_MS)
    expect((await statusOf(service, { ...swap, ref })).status).toBe('processing')
  })

  it('to pay more is no payment of this swap; what was quoted is delivered all the same, and the excess refunded', async () => {
    const { changes, offer, send, ...swap } = await altered({ amount: AMOUNT + 7_000n })
    await staysIn(service, swap, 'not_found')
    const [refunded, delivered] = [7_000n - REFUND_COST.usdc, BigInt(offer.output.amount)]
    expect(await changes()).toEqual({ paid: -AMOUNT - 7_000n, refunded, delivered })
    // Relay's books name another transaction for the order: what it does with this one is not told.
    const ref = await send()
    await service.control.advance(HOUR_MS)
    expect((await statusOf(service, { ...swap, ref })).status).toBe('processing')
  })

  it('to pay for another order is never this swap', async () => {
    const { changes, send: _send, ...swap } = await altered({ id: `0x${'11'.repeat(32)}` })
    expect((await statusOf(service, swap)).status).toBe('not_found')
    await service.control.advance(2 * HOUR_MS)
    await staysIn(service, swap, 'not_found')
    expect(await changes()).toEqual({ paid: -AMOUNT, refunded: 0n, delivered: 0n })
  })

  it('and sent twice is swapped once: the second comes back', async () => {
    const { send, quoteToken, changes, offer } = await open()
    const [ref, twin] = [await send(), await send()]
    expect(lastOf(await follow(service, { quoteToken, ref }, { stepMs: STEP_MS })).status).toBe('success')
    expect((await statusOf(service, { quoteToken, ref: twin })).status).toBe('processing')
    await service.control.advance(HOUR_MS)
    expect((await statusOf(service, { quoteToken, ref })).status).toBe('success')
    const { payments } = await staysIn(service, { quoteToken, ref: twin }, 'processing')
    const [input, output, extra] = [
      { kind: 'input', chainId: 8453, token: USDC.base, amount: AMOUNT.toString(), txHash: ref, final: true },
      { kind: 'output', chainId: 42161, token: USDC.arbitrum, amount: offer.output.amount, final: true },
      { kind: 'extra', chainId: 8453, token: USDC.base, amount: AMOUNT.toString(), txHash: twin, final: true },
    ]
    expect(payments).toMatchObject([input, output, extra])
    expect((await statusOf(service, { quoteToken, ref })).status).toBe('success')
    expect(await changes()).toEqual({
      paid: -2n * AMOUNT,
      refunded: AMOUNT - REFUND_COST.usdc,
      delivered: BigInt(offer.output.amount),
    })
  })

  /** Sends a call without a look at what it will do. */
  const sendBlindly = async ({ to, data, value, gas }: { to: string; data: string; value: bigint; gas: bigint }) => {
    const chain = defineChain({
      ...{ id: 8453, name: 'Base', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } },
      rpcUrls: { default: { http: [base()] } },
    })
    const wallet = createWalletClient({ account: ACCOUNT, chain, transport: http() })
    const hash = await wallet.sendTransaction({ to: to as Hex, data: data as Hex, value, gas })
    expect((await receiptOf(base(), hash)).status).toBe('reverted')
    return hash
  }

  it('so that it reverts is none of this swap, and nothing has left the wallet', async () => {
    const { transaction, quoteToken, changes } = await open()
    // The depository takes no coins along with tokens.
    const ref = await sendBlindly({ ...transaction, value: 1n, gas: 200_000n })
    expect(await statusOf(service, { quoteToken, ref })).toEqual({ status: 'not_found', venue: 'relay' })
    expect(await changes()).toEqual({ paid: 0n, refunded: 0n, delivered: 0n })
  })

  it('in its gas alone, so that it reverts, has failed, and the swap can still be paid', async () => {
    const { offer, transaction, quoteToken, changes, send } = await open()
    const ref = await sendBlindly({ ...transaction, value: 0n, gas: 40_000n })
    await service.control.advance(10_000)
    expect(await statusOf(service, { quoteToken, ref })).toEqual({ status: 'failed', venue: 'relay' })
    expect(await changes()).toEqual({ paid: 0n, refunded: 0n, delivered: 0n })
    const end = lastOf(await follow(service, { quoteToken, ref: await send() }, { stepMs: STEP_MS }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    expect((await statusOf(service, { quoteToken, ref })).status).toBe('failed')
  })
})

const SOL = { inputToken: NATIVE_SOL, inputAmount: '2000000000' } as const
const TOKENS = { inputToken: USDC.solana, inputAmount: '250000000' } as const
const INPUTS = [
  ['SOL', SOL, REFUND_COST.sol],
  ['USDC', TOKENS, REFUND_COST.usdc],
] as const

describe('from Solana', () => {
  let wallet: SolanaWallet
  let refunds: SolanaWallet
  beforeAll(async () => {
    wallet = solanaWallet(service.control, 21)
    refunds = solanaWallet(service.control, 22)
    await fund(service, -2, wallet.address, { [NATIVE_SOL]: '100000000000', [USDC.solana]: '10000000000' })
    await fund(service, -2, refunds.address, { [NATIVE_SOL]: '1000000000' })
  })

  const request = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    ...{ inputChainId: -2, ...SOL, outputChainId: 8453, outputToken: USDC.base },
    ...{ userAddress: wallet.address, destinationAddress: ACCOUNT.address, refundAddress: refunds.address },
    ...change,
  })

  const onSolana = (owner: string, token: string): Holding => ({ chainId: -2, token, owner })
  const usdcOnBase = (owner: string = ACCOUNT.address): Holding => ({ chainId: 8453, token: USDC.base, owner })

  /** A swap that is ready to be signed, and the balances that matter. */
  const openSolana = async (change: Partial<QuoteRequest> = {}) => {
    const asked = request(change)
    const offer = await quoteRelay(service, asked)
    const { quoteToken } = offer
    const { transaction, approval } = await executeAs(service, 'TRANSACTION', { quoteToken })
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

  it.each(INPUTS)(
    '%s altered is no payment of this swap: to pay less is refunded, and to pay more filled for the quote with the excess refunded',
    async (_symbol, input, cost) => {
      const altering = (by: bigint) => (data: Buffer) => {
        if (data.length !== 48) return data
        const copy = Buffer.from(data)
        copy.writeBigUInt64LE(data.readBigUInt64LE(8) + by, 8)
        return copy
      }
      const short = await openSolana(input)
      const less = await wallet.sendAltered(short.transaction.serialized, altering(-7n))
      await staysIn(service, { quoteToken: short.quoteToken, ref: less.signature }, 'not_found')
      const { amount } = short
      const paid = spent(input.inputToken, amount - 7n, less.fee)
      expect(await short.changes()).toEqual({ ...paid, refunded: amount - 7n - cost, delivered: 0n })

      const over = await openSolana(input)
      const more = await wallet.sendAltered(over.transaction.serialized, altering(70_000n))
      await staysIn(service, { quoteToken: over.quoteToken, ref: more.signature }, 'not_found')
      const delivered = BigInt(over.offer.output.amount)
      const overpaid = spent(input.inputToken, amount + 70_000n, more.fee)
      expect(await over.changes()).toEqual({ ...overpaid, refunded: 70_000n - cost, delivered })
    },
  )

  it('paid for another order is never this swap', async () => {
    const { quoteToken, transaction, changes, amount } = await openSolana()
    const forged = (data: Buffer) => (data.length === 48 ? Buffer.concat([data.subarray(0, 16), Buffer.alloc(32, 1)]) : data)
    const { signature: ref, fee } = await wallet.sendAltered(transaction.serialized, forged)
    expect((await statusOf(service, { quoteToken, ref })).status).toBe('not_found')
    await service.control.advance(2 * HOUR_MS)
    await staysIn(service, { quoteToken, ref }, 'not_found')
    expect(await changes()).toEqual({ ...spent(NATIVE_SOL, amount, fee), refunded: 0n, delivered: 0n })
  })

  it('cannot be sent with a blockhash that is too old, and moves nothing', async () => {
    const { transaction, changes } = await openSolana()
    await service.control.advance(5 * MINUTE_MS)
    await expect(wallet.sendSerialized(transaction.serialized)).rejects.toThrow(/[Bb]lockhash not found/)
    expect(await changes()).toEqual({ coins: 0n, tokens: 0n, refunded: 0n, delivered: 0n })
  })
})
