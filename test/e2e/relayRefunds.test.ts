import { createWalletClient, defineChain, encodeFunctionData, type Hex, http, parseAbi, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectFailure } from '../support/expectFailure.ts'
import { startService, type TestService } from '../support/service.ts'
import { ACCOUNT, NATIVE, TRANSACTION_SWAP, USDC } from '../support/swaps.ts'
import { approveAll, broadcast } from '../support/wallets.ts'
import { receiptOf } from './evmReceipts.ts'
import { watch } from './holdings.ts'
import { DEPOSITORY, quoteRelay } from './relayQuote.ts'
import { reorganiseEvm } from './reorganise.ts'
import {
  EVM_HASH,
  executeAs,
  follow,
  fund,
  HOUR_MS,
  lastOf,
  MINUTE_MS,
  type QuoteRequest,
  statesOf,
  statusOf,
  staysIn,
} from './support.ts'

/** Relay's swaps from an EVM wallet that do not end well: where the money is then, to the unit. */

const REFUND_EVM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const DEPOSIT = parseAbi(['function depositErc20(address depositor, address token, uint256 amount, bytes32 id)'])
const AMOUNT = 250_000_000n
const STEP_MS = 2_000
const LONG_STEP_MS = 10 * MINUTE_MS

let service: TestService
beforeAll(async () => {
  service = await startService()
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

/** A swap whose deposit is on the chain. */
const sent = async (change: Partial<QuoteRequest> = {}) => {
  const { transaction: _sent, send, ...swap } = await open(change)
  return { ...swap, ref: await send() }
}

/** Puts a contract there that reverts whatever it is sent. */
const contractAt = async (chainId: number, address: string): Promise<void> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [address, '0x60006000fd'] })
  await fetch(service.control.rpcUrl(chainId), { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

const notices = async (): Promise<string> => {
  const described = (await (await fetch(service.control.url)).json()) as { notices: readonly { reason: string }[] }
  return described.notices.map(({ reason }) => reason).join('\n')
}

describe('a fill that fails is refunded on Base, whole, to the refund address:', () => {
  it('of the quote', async () => {
    await service.control.fault('relay', 'never-fills')
    const { changes, ...swap } = await sent()
    const seen = await follow(service, swap, { stepMs: LONG_STEP_MS })
    expect(statesOf(seen)).toEqual(['processing', 'refunded'])
    expect(lastOf(seen)).toEqual({
      status: 'refunded',
      venue: 'relay',
      venueStatus: 'refund',
      txHash: expect.stringMatching(EVM_HASH),
    })
    expect(await changes()).toEqual({ paid: -AMOUNT, refunded: AMOUNT, delivered: 0n })
    const { status, to } = await receiptOf(base(), lastOf(seen).txHash)
    expect([status, to]).toEqual(['success', USDC.base.toLowerCase()])
    await service.control.advance(48 * HOUR_MS)
    expect(await statusOf(service, swap)).toEqual(lastOf(seen))
    expect(await changes()).toEqual({ paid: -AMOUNT, refunded: AMOUNT, delivered: 0n })
  })

  it('of execute, which this route still binds', async () => {
    await service.control.fault('relay', 'never-fills')
    const { send, quoteToken, changes } = await open({ refundAddress: ACCOUNT.address }, { refundAddress: REFUND_EVM })
    const seen = await follow(service, { quoteToken, ref: await send() }, { stepMs: LONG_STEP_MS })
    expect(statesOf(seen)).toEqual(['processing', 'refunded'])
    expect(await changes()).toEqual({ paid: -AMOUNT, refunded: AMOUNT, delivered: 0n })
  })

  it('which is the sender when none was named, in ether too', async () => {
    await service.control.fault('relay', 'never-fills')
    const inputAmount = parseEther('1').toString()
    const offer = await quoteRelay(service, { ...TRANSACTION_SWAP, inputToken: NATIVE, outputToken: NATIVE, inputAmount })
    const { quoteToken } = offer
    const { transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
    const changes = await watch(service, { paid: { chainId: 8453, token: NATIVE, owner: ACCOUNT.address } })
    const ref = await broadcast(base(), transaction)
    const { gasUsed, effectiveGasPrice } = await receiptOf(base(), ref)
    expect(statesOf(await follow(service, { quoteToken, ref }, { stepMs: LONG_STEP_MS }))).toEqual(['processing', 'refunded'])
    expect(await changes()).toEqual({ paid: -gasUsed * effectiveGasPrice })
  })

  it('because the price fell below the guaranteed minimum before it was paid', async () => {
    const { send, quoteToken, changes } = await open({ outputToken: NATIVE })
    await service.control.setPrice('ETH', '4200')
    const ref = await send()
    await service.control.setPrice('ETH', '3950')
    expect(statesOf(await follow(service, { quoteToken, ref }, { stepMs: LONG_STEP_MS }))).toEqual(['processing', 'refunded'])
    expect(await changes()).toEqual({ paid: -AMOUNT, refunded: AMOUNT, delivered: 0n })
  })

  it('because the recipient takes no coins, of which the network makes a note', async () => {
    const destinationAddress = '0x00000000000000000000000000000000000C0DE1'
    await contractAt(42161, destinationAddress)
    const { changes, ...swap } = await sent({ outputToken: NATIVE, destinationAddress })
    expect(statesOf(await follow(service, swap, { stepMs: LONG_STEP_MS }))).toEqual(['processing', 'refunded'])
    expect(await changes()).toEqual({ paid: -AMOUNT, refunded: AMOUNT, delivered: 0n })
    expect(await notices()).toMatch(/revert/)
  })
})

describe('a transaction that the client altered', () => {
  const altered = async (change: { amount?: bigint; token?: string; id?: Hex }) => {
    const { transaction, quoteToken, changes, offer } = await open()
    const id = change.id ?? (`0x${transaction.data.slice(-64)}` as Hex)
    const args = [ACCOUNT.address, (change.token ?? USDC.base) as Hex, change.amount ?? AMOUNT, id] as const
    const data = encodeFunctionData({ abi: DEPOSIT, functionName: 'depositErc20', args })
    return { quoteToken, changes, offer, ref: await broadcast(base(), { ...transaction, data }) }
  }

  it('to pay less is refunded', async () => {
    const { changes, ...swap } = await altered({ amount: AMOUNT - 1n })
    expect(statesOf(await follow(service, swap, { stepMs: LONG_STEP_MS }))).toEqual(['processing', 'refunded'])
    expect(await changes()).toEqual({ paid: 1n - AMOUNT, refunded: AMOUNT - 1n, delivered: 0n })
  })

  it('to pay more delivers what was quoted, and the excess is refunded', async () => {
    const { changes, offer, ...swap } = await altered({ amount: AMOUNT + 7n })
    const end = lastOf(await follow(service, swap, { stepMs: STEP_MS }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    expect(await changes()).toEqual({ paid: -AMOUNT - 7n, refunded: 7n, delivered: BigInt(offer.output.amount) })
  })

  it('to pay for another order is never this swap', async () => {
    const { changes, ...swap } = await altered({ id: `0x${'11'.repeat(32)}` })
    expect((await statusOf(service, swap)).status).toBe('pending')
    await service.control.advance(2 * HOUR_MS)
    await staysIn(service, swap, 'expired')
    expect(await changes()).toEqual({ paid: -AMOUNT, refunded: 0n, delivered: 0n })
  })

  it('and sent twice is swapped once: the second comes back', async () => {
    const { send, quoteToken, changes, offer } = await open()
    const [ref, twin] = [await send(), await send()]
    expect(lastOf(await follow(service, { quoteToken, ref }, { stepMs: STEP_MS })).status).toBe('success')
    expect((await statusOf(service, { quoteToken, ref: twin })).status).toBe('not_found')
    await service.control.advance(HOUR_MS)
    expect(await changes()).toEqual({ paid: -2n * AMOUNT, refunded: AMOUNT, delivered: BigInt(offer.output.amount) })
  })

  it('so that it reverts has failed, and nothing has left the wallet', async () => {
    const { transaction, quoteToken, changes } = await open()
    const chain = defineChain({
      ...{ id: 8453, name: 'Base', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } },
      rpcUrls: { default: { http: [base()] } },
    })
    const wallet = createWalletClient({ account: ACCOUNT, chain, transport: http() })
    // Sent without a look at what it will do: the depository takes no coins along with tokens.
    const { to, data } = transaction as { to: Hex; data: Hex }
    const ref = await wallet.sendTransaction({ to, data, value: 1n, gas: 200_000n })
    expect((await receiptOf(base(), ref)).status).toBe('reverted')
    expect(await statusOf(service, { quoteToken, ref })).toEqual({ status: 'failed', venue: 'relay', venueStatus: 'waiting' })
    expect(await changes()).toEqual({ paid: 0n, refunded: 0n, delivered: 0n })
  })
})

describe('a deposit that a reorganisation took back', () => {
  it('has failed: the tokens are in the wallet again, and nothing is delivered', async () => {
    const { changes, ...swap } = await sent()
    expect((await statusOf(service, swap)).status).toBe('processing')
    expect(await reorganiseEvm(service, 8453, swap.ref)).toEqual([swap.ref])
    const seen = await follow(service, swap, { stepMs: STEP_MS })
    expect(statesOf(seen)).toEqual(['processing', 'failed'])
    expect(lastOf(seen)).toEqual({ status: 'failed', venue: 'relay', venueStatus: 'failure' })
    await service.control.advance(48 * HOUR_MS)
    expect(await changes()).toEqual({ paid: 0n, refunded: 0n, delivered: 0n })
  })
})

describe('a venue at fault', () => {
  it('that fails moves nothing', async () => {
    await service.control.fault('relay', 'fails')
    const { changes, ...swap } = await sent()
    expect(lastOf(await follow(service, swap, { stepMs: STEP_MS })).status).toBe('failed')
    await service.control.advance(48 * HOUR_MS)
    expect(await changes()).toEqual({ paid: -AMOUNT, refunded: 0n, delivered: 0n })
  })

  it.each([
    ['lying-success', 'success', 0n],
    ['short-fill', 'success', 9n],
    ['unknown-status', 'reviewing', 0n],
  ] as const)('stays processing with the fault %s, however long it is polled', async (fault, venueStatus, tenths) => {
    await service.control.fault('relay', fault)
    const { changes, offer, ...swap } = await sent()
    await service.control.clearFaults()
    await follow(service, swap, { stepMs: STEP_MS, until: 'processing' })
    expect(await staysIn(service, swap, 'processing')).toMatchObject({ venueStatus })
    const delivered = (BigInt(offer.slippage?.guaranteedMin ?? 0) * tenths) / 10n
    expect(await changes()).toEqual({ paid: -AMOUNT, refunded: 0n, delivered })
  })

  it.each(['wrong-recipient', 'wrong-minimum', 'wrong-amount', 'wrong-contract', 'bad-signature'] as const)(
    'with the fault %s gets nothing signed: its payload is not handed out, and an honest one is',
    async (fault) => {
      const { quoteToken } = await quoteRelay(service, TRANSACTION_SWAP)
      await service.control.fault('relay', fault)
      const answer = await service.send('POST', '/api/v1/execute', { body: { quoteToken } })
      expect(expectFailure(answer, 500, 'INTERNAL')).toMatchObject({ venue: 'relay' })
      expect(answer.text).not.toContain('0xe8017952')
      await service.control.clearFaults()
      expect((await service.send('POST', '/api/v1/execute', { body: { quoteToken } })).status).toBe(200)
    },
  )

  it('that went away after the quote: execute asks for a fresh one', async () => {
    const { quoteToken } = await quoteRelay(service, TRANSACTION_SWAP)
    await service.control.fault('relay', 'halt')
    const answer = await service.send('POST', '/api/v1/execute', { body: { quoteToken } })
    expect(expectFailure(answer, 410, 'QUOTE_EXPIRED')).toMatchObject({ venue: 'relay', reason: 'noLiquidity' })
  })

  it('that goes away while the swap is polled: the last known state is told, and the end once it is back', async () => {
    const { changes, offer, ...swap } = await sent()
    const last = await statusOf(service, swap)
    expect(last.status).toBe('processing')
    for (const fault of ['http-500', 'reset', 'malformed-body', 'wrong-shape'] as const) {
      await service.control.fault('relay', fault)
      expect(await statusOf(service, swap)).toEqual(last)
      await service.control.clearFaults()
    }
    expect(lastOf(await follow(service, swap, { stepMs: STEP_MS })).status).toBe('success')
    expect(await changes()).toMatchObject({ delivered: BigInt(offer.output.amount) })
  })
})
