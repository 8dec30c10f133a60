import { decodeFunctionData, erc20Abi, type Hex, parseAbi, parseEther, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bitcoinOf, type Holding, watch } from '../../scripts/client/balances.ts'
import { allowanceOf, broadcast, gasPaid, receiptOf } from '../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { startService, type TestService } from '../support/service.ts'
import { ACCOUNT, BITCOIN_WALLET, OTHER_EVM, SOLANA_WALLET, TRANSACTION_SWAP } from '../support/swaps.ts'
import { DEPOSITORY, quoteRelay } from './relayQuote.ts'
import { EVM_HASH, HOUR_MS, MINUTE_MS, SOLANA_SIGNATURE } from './support.ts'

/** From an EVM wallet by Relay: signed and broadcast by viem, to every kind of chain, with what moved on both sides. */

/** packages/ethereum-vm/src/RelayDepository.sol of relayprotocol/relay-depository. */
const DEPOSITS = parseAbi([
  'function depositNative(address depositor, bytes32 id) payable',
  'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
  'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
  'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
])

/** Polled often enough to see every state a fill goes through. */
const STEP_MS = 2_000
const ONE_ETHER = parseEther('1').toString()

let service: TestService
beforeAll(async () => {
  service = await startService()
  await fund(service, 8453, ACCOUNT.address, { [NATIVE]: parseEther('50').toString(), [USDC.base]: '5000000000' })
})
afterAll(() => service.close())

const base = () => service.control.rpcUrl(8453)
const onBase = (owner: string, token: string = USDC.base): Holding => ({ chainId: 8453, token, owner })

/** Does what the wallet is told to, and gives what was executed and what it cost in gas. */
const send = async (quoteToken: string, addresses: { destinationAddress?: string; refundAddress?: string } = {}) => {
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken, ...addresses })
  const approved = approval ? [await broadcast(base(), approval.transaction)] : []
  const ref = await broadcast(base(), transaction)
  return { approval, transaction, ref, gas: await gasPaid(base(), [...approved, ref]) }
}

describe('USDC from Base to Arbitrum', () => {
  it('is quoted, approved, signed, broadcast and delivered, to the unit, gas included', async () => {
    const offer = await quoteRelay(service, TRANSACTION_SWAP)
    const { quoteToken } = offer
    expect(offer).toMatchObject({
      executable: true,
      routeType: 'EVM_CROSS_CHAIN',
      input: { amount: '250000000' },
      slippage: { isFirm: true },
      fee: { bps: 0, amount: '0' },
      gas: { nativeSymbol: 'ETH' },
      approval: { token: USDC.base, spender: DEPOSITORY, amount: '250000000' },
    })
    const changes = await watch(service, {
      paid: onBase(ACCOUNT.address),
      coins: onBase(ACCOUNT.address, NATIVE),
      deposited: onBase(DEPOSITORY),
      delivered: { chainId: 42161, token: USDC.arbitrum, owner: ACCOUNT.address },
    })
    const { approval, transaction, ref, gas } = await send(quoteToken)
    expect(approval).toEqual(offer.approval)
    expect(transaction).toMatchObject({ to: DEPOSITORY, value: '0', chainId: 8453 })
    expect(await allowanceOf(base(), { token: USDC.base, owner: ACCOUNT.address, spender: DEPOSITORY })).toBe(0n)

    const { functionName, args } = decodeFunctionData({ abi: DEPOSITS, data: transaction.data as Hex })
    expect([functionName, ...args.slice(0, 3)]).toEqual(['depositErc20', ACCOUNT.address, USDC.base, 250_000_000n])
    const { to, logs } = await receiptOf(base(), ref)
    expect(to).toBe(DEPOSITORY.toLowerCase())
    const [event, ...more] = parseEventLogs({ abi: DEPOSITS, eventName: 'RelayErc20Deposit', logs })
    expect(more).toEqual([])
    expect(event?.args).toEqual({ from: ACCOUNT.address, token: USDC.base, amount: 250_000_000n, id: args.at(-1) })
    expect(await changes()).toEqual({ paid: -250_000_000n, coins: -gas, deposited: 250_000_000n, delivered: 0n })

    const delivered = BigInt(offer.output.amount)
    const seen = await follow(service, { quoteToken, ref }, { stepMs: STEP_MS })
    expect(statesOf(seen)).toEqual(['processing', 'success'])
    for (const { venueStatus } of seen) expect(['depositing', 'pending', 'submitted', 'success']).toContain(venueStatus)
    expect(lastOf(seen)).toEqual({
      status: 'success',
      venue: 'relay',
      venueStatus: 'success',
      deliveredAmount: delivered.toString(),
      txHash: expect.stringMatching(EVM_HASH),
    })
    expect(await changes()).toEqual({ paid: -250_000_000n, coins: -gas, deposited: 250_000_000n, delivered })
    const fill = await receiptOf(service.control.rpcUrl(42161), lastOf(seen).txHash)
    expect(
      parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: fill.logs }).map(({ args: paid }) => paid),
    ).toContainEqual(expect.objectContaining({ to: ACCOUNT.address, value: delivered }))
  })

  it('is pending before it is broadcast, and is the same payload however often it is asked for', async () => {
    const { quoteToken } = await quoteRelay(service, TRANSACTION_SWAP)
    const first = await executeAs(service, 'TRANSACTION', { quoteToken })
    expect(await executeAs(service, 'TRANSACTION', { quoteToken })).toEqual(first)
    expect(await statusOf(service, { quoteToken, ref: `0x${'51'.repeat(32)}` })).toEqual({
      status: 'pending',
      venue: 'relay',
      venueStatus: 'waiting',
    })
  })

  it('goes to the recipient that execute binds, by an order of its own', async () => {
    const { quoteToken } = await quoteRelay(service, TRANSACTION_SWAP)
    const changes = await watch(service, {
      bound: { chainId: 42161, token: USDC.arbitrum, owner: OTHER_EVM },
      quoted: { chainId: 42161, token: USDC.arbitrum, owner: ACCOUNT.address },
    })
    const { ref } = await send(quoteToken, { destinationAddress: OTHER_EVM })
    const { status, deliveredAmount } = lastOf(await follow(service, { quoteToken, ref }, { stepMs: STEP_MS }))
    expect(status).toBe('success')
    expect(await changes()).toEqual({ bound: BigInt(deliveredAmount ?? 0), quoted: 0n })
  })

  it('sent long after the quote has gone is swapped all the same, while its price holds', async () => {
    const offer = await quoteRelay(service, TRANSACTION_SWAP)
    const { quoteToken } = offer
    const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
    if (approval) await broadcast(base(), approval.transaction)
    await service.control.advance(2 * HOUR_MS)
    expect((await statusOf(service, { quoteToken, ref: `0x${'51'.repeat(32)}` })).status).toBe('expired')
    const changes = await watch(service, { delivered: { chainId: 42161, token: USDC.arbitrum, owner: ACCOUNT.address } })
    const ref = await broadcast(base(), transaction)
    const seen = await follow(service, { quoteToken, ref }, { stepMs: STEP_MS })
    expect(statesOf(seen)).toEqual(['processing', 'success'])
    expect(await changes()).toEqual({ delivered: BigInt(offer.output.amount) })
  })

  it('is not found by the transaction of another swap', async () => {
    const [mine, other] = [await quoteRelay(service, TRANSACTION_SWAP), await quoteRelay(service, TRANSACTION_SWAP)]
    const [paid, stranger] = [await send(mine.quoteToken), await send(other.quoteToken)]
    await service.control.advance(MINUTE_MS)
    expect((await statusOf(service, { quoteToken: mine.quoteToken, ref: stranger.ref })).status).toBe('not_found')
    expect((await statusOf(service, { quoteToken: mine.quoteToken, ref: paid.ref })).status).toBe('success')
  })
})

describe('ether from Base', () => {
  it('is sent as the value of the transaction, and arrives as ether on Arbitrum, to the wei', async () => {
    const request = { ...TRANSACTION_SWAP, inputToken: NATIVE, outputToken: NATIVE, inputAmount: ONE_ETHER }
    const offer = await quoteRelay(service, request)
    expect(offer.approval).toBeUndefined()
    const changes = await watch(service, {
      paid: onBase(ACCOUNT.address, NATIVE),
      deposited: onBase(DEPOSITORY, NATIVE),
      delivered: { chainId: 42161, token: NATIVE, owner: OTHER_EVM },
    })
    const { quoteToken } = offer
    const { approval, transaction, ref, gas } = await send(quoteToken, { destinationAddress: OTHER_EVM })
    expect(approval).toBeUndefined()
    expect(transaction).toMatchObject({ to: DEPOSITORY, value: ONE_ETHER, chainId: 8453 })
    const { functionName, args } = decodeFunctionData({ abi: DEPOSITS, data: transaction.data as Hex })
    expect([functionName, args[0]]).toEqual(['depositNative', ACCOUNT.address])
    const { logs } = await receiptOf(base(), ref)
    expect(parseEventLogs({ abi: DEPOSITS, eventName: 'RelayNativeDeposit', logs }).map(({ args: event }) => event)).toEqual([
      { from: ACCOUNT.address, amount: parseEther('1'), id: args[1] },
    ])
    const end = lastOf(await follow(service, { quoteToken, ref }, { stepMs: STEP_MS }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    expect(await changes()).toEqual({
      paid: -parseEther('1') - gas,
      deposited: parseEther('1'),
      delivered: BigInt(offer.output.amount),
    })
  })

  it('arrives as bitcoin on the ledger, once it is in a block', async () => {
    const request = { outputChainId: -1, outputToken: 'BTC', destinationAddress: BITCOIN_WALLET } as const
    const offer = await quoteRelay(service, { ...TRANSACTION_SWAP, inputToken: NATIVE, inputAmount: ONE_ETHER, ...request })
    expect(offer).toMatchObject({ executable: true, routeType: 'NATIVE_BITCOIN' })
    const changes = await watch(service, { paid: onBase(ACCOUNT.address, NATIVE), delivered: bitcoinOf(BITCOIN_WALLET) })
    const { ref, gas } = await send(offer.quoteToken)
    const seen = await follow(service, { quoteToken: offer.quoteToken, ref }, { stepMs: MINUTE_MS })
    expect(statesOf(seen)).toEqual(['processing', 'success'])
    expect(lastOf(seen)).toMatchObject({
      deliveredAmount: offer.output.amount,
      txHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await changes()).toEqual({ paid: -parseEther('1') - gas, delivered: BigInt(offer.output.amount) })
    type Transaction = { vout: readonly { scriptpubkey_address?: string; value: number }[]; status: { confirmed: boolean } }
    const answer = await fetch(`${service.control.rpcUrl(-1)}/tx/${lastOf(seen).txHash}`)
    const { vout, status } = (await answer.json()) as Transaction
    expect(status.confirmed).toBe(true)
    expect(vout).toContainEqual(
      expect.objectContaining({ scriptpubkey_address: BITCOIN_WALLET, value: Number(offer.output.amount) }),
    )
  })
})

describe('from the chains whose depositories came last', () => {
  const USDG = '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168'
  it.each([
    ['USDG from Robinhood Chain', { inputChainId: 4663, inputToken: USDG, inputAmount: '250000000' }],
    ['MON from Monad', { inputChainId: 143, inputToken: NATIVE, inputAmount: parseEther('200').toString() }],
  ] as const)('%s is deposited there, and delivered as USDC on Arbitrum', async (_what, input) => {
    const { inputChainId: chainId, inputToken: token, inputAmount } = input
    await fund(service, chainId, ACCOUNT.address, { [NATIVE]: parseEther('201').toString() })
    if (token !== NATIVE) await fund(service, chainId, ACCOUNT.address, { [token]: inputAmount })
    const offer = await quoteRelay(service, { ...TRANSACTION_SWAP, ...input })
    const changes = await watch(service, {
      deposited: { chainId, token, owner: DEPOSITORY },
      delivered: { chainId: 42161, token: USDC.arbitrum, owner: ACCOUNT.address },
    })
    const { quoteToken } = offer
    const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
    const rpcUrl = service.control.rpcUrl(chainId)
    if (approval) await broadcast(rpcUrl, approval.transaction)
    const ref = await broadcast(rpcUrl, transaction)
    const end = lastOf(await follow(service, { quoteToken, ref }, { stepMs: STEP_MS }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    expect(await changes()).toEqual({ deposited: BigInt(inputAmount), delivered: BigInt(offer.output.amount) })
  })
})

describe('USDC from Base to Solana', () => {
  const toSolana = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    ...TRANSACTION_SWAP,
    ...{ outputChainId: -2, outputToken: USDC.solana, destinationAddress: SOLANA_WALLET },
    ...change,
  })

  it.each([
    ['tokens, in an account that is made for them', USDC.solana],
    ['SOL', NATIVE_SOL],
  ])('delivers %s', async (_what, outputToken) => {
    const offer = await quoteRelay(service, toSolana({ outputToken }))
    expect(offer).toMatchObject({ executable: true, routeType: 'CROSS_ECOSYSTEM' })
    const changes = await watch(service, {
      paid: onBase(ACCOUNT.address),
      coins: onBase(ACCOUNT.address, NATIVE),
      delivered: { chainId: -2, token: outputToken, owner: SOLANA_WALLET },
    })
    const { ref, gas } = await send(offer.quoteToken)
    const end = lastOf(await follow(service, { quoteToken: offer.quoteToken, ref }, { stepMs: STEP_MS }))
    expect(end).toMatchObject({
      status: 'success',
      deliveredAmount: offer.output.amount,
      txHash: expect.stringMatching(SOLANA_SIGNATURE),
    })
    expect(await changes()).toEqual({ paid: -250_000_000n, coins: -gas, delivered: BigInt(offer.output.amount) })
  })

  it('without a recipient is a preview, which execute refuses, a late recipient or none', async () => {
    const { destinationAddress: _none, ...unnamed } = toSolana()
    const offer = await quoteRelay(service, unnamed)
    expect(offer.executable).toBe(false)
    for (const late of [{}, { destinationAddress: SOLANA_WALLET }]) {
      const body = { quoteToken: offer.quoteToken, ...late }
      const details = expectFailure(await service.send('POST', '/api/v1/execute', { body }), 422, 'QUOTE_NOT_EXECUTABLE')
      expect(details['missing']).toEqual(['destinationAddress'])
    }
  })

  it('goes to the recipient of the quote: another given to execute is ignored', async () => {
    const { quoteToken } = await quoteRelay(service, toSolana())
    const late = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2'
    const changes = await watch(service, {
      quoted: { chainId: -2, token: USDC.solana, owner: SOLANA_WALLET },
      late: { chainId: -2, token: USDC.solana, owner: late },
    })
    const { ref } = await send(quoteToken, { destinationAddress: late })
    const { status, deliveredAmount } = lastOf(await follow(service, { quoteToken, ref }, { stepMs: STEP_MS }))
    expect(status).toBe('success')
    expect(await changes()).toEqual({ quoted: BigInt(deliveredAmount ?? 0), late: 0n })
  })
})
