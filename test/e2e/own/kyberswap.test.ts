import { createWalletClient, defineChain, type Hex, http, keccak256, parseEther, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { kyberswap } from '../../../engine/venues/kyberswap/venue.ts'
import { watch } from '../../../scripts/client/balances.ts'
import { broadcast, gasPaid, receiptOf } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, statesOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../../scripts/client/wire.ts'
import { anOrder } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { takenThrough, transactionOf } from '../../support/venueKit/calls.ts'
import { placeContract } from '../journeys/attempt.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'

/** A swap that one transaction makes, or does not make: what the router holds it to, and what is told of it. */

const FEE_RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const AMOUNT = '1000000000'
const [TO_WETH, TO_ETHER] = [WETH_ETHEREUM, NATIVE]

let service: TestService
beforeAll(async () => {
  service = await startService(only('kyberswap'))
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const rpcUrl = () => service.control.rpcUrl(1)

let wallets = 0
const newKey = (): PrivateKeyAccount => {
  wallets += 1
  return privateKeyToAccount(keccak256(toHex(`kyberswap ${wallets}`)))
}

/** A wallet that has allowed the router what a swap takes, and the call that it is to make. */
const open = async (outputToken: string, change: Partial<QuoteRequest> = {}) => {
  const account = newKey()
  await fund(service, 1, account.address, { [NATIVE]: parseEther('1').toString(), [USDC.ethereum]: AMOUNT })
  const recipient = newKey().address
  const body: QuoteRequest = {
    ...{ inputChainId: 1, inputToken: USDC.ethereum, inputAmount: AMOUNT, outputChainId: 1, outputToken },
    ...{ userAddress: account.address, destinationAddress: recipient, ...change },
  }
  const offer = await service.call('quote', { body })
  const { quoteToken } = offer
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  if (approval) await broadcast(rpcUrl(), approval.transaction, account)
  const held = { paid: { chainId: 1, token: USDC.ethereum, owner: account.address } }
  const coins = { coins: { chainId: 1, token: NATIVE, owner: account.address } }
  const delivered = { delivered: { chainId: 1, token: outputToken, owner: recipient } }
  const changes = await watch(service, { ...held, ...coins, ...delivered })
  return { account, recipient, offer, quoteToken, transaction, changes }
}
type Opened = Awaited<ReturnType<typeof open>>

/** Sends it though it must fail: with gas of its own, so that nobody estimates it before. */
const sendBlindly = async ({ account, transaction: { to, data, value } }: Opened): Promise<Hex> => {
  const nativeCurrency = { name: 'coin', symbol: 'COIN', decimals: 18 }
  const chain = defineChain({ id: 1, name: 'chain', nativeCurrency, rpcUrls: { default: { http: [rpcUrl()] } } })
  const wallet = createWalletClient({ account, chain, transport: http() })
  return wallet.sendTransaction({ to: to as Hex, data: data as Hex, value: BigInt(value), gas: 2_000_000n })
}

/** It reverts with these words, fails for good, and costs its gas alone. */
const expectReverted = async (swap: Opened, words: RegExp): Promise<void> => {
  await expect(broadcast(rpcUrl(), swap.transaction, swap.account)).rejects.toThrow(words)
  const ref = await sendBlindly(swap)
  expect((await receiptOf(rpcUrl(), ref)).status).toBe('reverted')
  await service.control.advance(MINUTE_MS)
  expect((await statusOf(service, { quoteToken: swap.quoteToken, ref })).status).toBe('failed')
  expect(await swap.changes()).toEqual({ paid: 0n, coins: -(await gasPaid(rpcUrl(), [ref])), delivered: 0n })
}

describe.each([
  ['tokens', TO_WETH],
  ['coins', TO_ETHER],
])('a swap for %s', (_kind, outputToken) => {
  it('pays the quoted fee to its recipient, to the unit, and the rest to the swap’s', async () => {
    const { account, recipient } = await open(outputToken)
    const http = createHttpClient()
    const config = {
      baseUrl: service.simnet.venues['kyberswap']?.baseUrl ?? '',
      apiKey: null,
      settings: { FEE_RECIPIENT },
    }
    const { clock } = service.simnet
    const venue = kyberswap.create(config, {
      http,
      clock,
      chains: createFakeChains(),
      wellVenues: () => [],
      notice: () => undefined,
    })
    const order = anOrder({
      ...{ from: [1, USDC.ethereum], to: [1, outputToken], amount: BigInt(AMOUNT), feeBps: 15 },
      ...{ sender: addressOf('evm', account.address), recipient: addressOf('evm', recipient) },
    })
    const { offer, execution } = await takenThrough(venue, order, clock.now())
    const token = { chainId: 1, token: outputToken }
    const changes = await watch(service, { fee: { ...token, owner: FEE_RECIPIENT }, delivered: { ...token, owner: recipient } })
    const { value, ...call } = transactionOf(execution)
    await broadcast(rpcUrl(), { ...call, value: value.toString() }, account)
    expect(offer.fee.amount).toBeGreaterThan(0n)
    expect(await changes()).toEqual({ fee: offer.fee.amount, delivered: offer.outputAmount })
    await http.close()
  })

  it('for which less would come than the least reverts, and nothing is lost but gas', async () => {
    await service.control.fault('kyberswap', 'short-fill')
    await expectReverted(await open(outputToken), /Return amount is not enough/)
  })

  it('that is sent too late reverts, and nothing is lost but gas', async () => {
    const swap = await open(outputToken)
    await service.control.advance(6 * MINUTE_MS)
    await expectReverted(swap, /EXPIRED/)
  })

  it('that nobody asks about for a week is a success all the same, of a node that has no state of then', async () => {
    const swap = await open(outputToken)
    const ref = await broadcast(rpcUrl(), swap.transaction, swap.account)
    await service.control.fault('chain:1', 'prunes-state')
    await service.control.advance(7 * 24 * HOUR_MS)
    expect(await statusOf(service, { quoteToken: swap.quoteToken, ref })).toMatchObject({
      status: 'success',
      deliveredAmount: swap.offer.output.amount,
      payments: [
        { kind: 'input', amount: AMOUNT, txHash: ref },
        { kind: 'output', amount: swap.offer.output.amount, txHash: ref },
      ],
    })
  })

  it('is pending until it is sent, and no other transaction makes it one', async () => {
    const [swap, other] = [await open(outputToken), await open(outputToken)]
    const none = `0x${'ab'.repeat(32)}`
    expect((await statusOf(service, { quoteToken: swap.quoteToken, ref: none })).status).toBe('pending')
    const stranger = await broadcast(rpcUrl(), other.transaction, other.account)
    expect((await statusOf(service, { quoteToken: swap.quoteToken, ref: stranger })).status).toBe('not_found')
    const ref = await broadcast(rpcUrl(), swap.transaction, swap.account)
    expect(statesOf(await follow(service, { quoteToken: swap.quoteToken, ref }, { stepMs: 1_000 })).at(-1)).toBe('success')
  })
})

it('for a recipient that takes no coins reverts, and nothing is lost but gas', async () => {
  const swap = await open(TO_ETHER)
  await placeContract(service, 1, swap.recipient, 'refuses')
  await expectReverted(swap, /ETH_TRANSFER_FAILED/)
})

it.each(['wrong-recipient', 'wrong-minimum', 'wrong-amount', 'wrong-contract'] as const)(
  'with the fault %s nothing is handed out',
  async (fault) => {
    const { address } = newKey()
    const body: QuoteRequest = {
      ...{ inputChainId: 1, inputToken: USDC.ethereum, inputAmount: AMOUNT, outputChainId: 1, outputToken: TO_WETH },
      userAddress: address,
    }
    const { quoteToken } = await service.call('quote', { body })
    await service.control.fault('kyberswap', fault)
    const answer = await service.send('POST', '/api/v1/execute', { body: { quoteToken } })
    expect([answer.status, JSON.stringify(answer.body).includes('0xe21fd0e9')]).toEqual([500, false])
  },
)
