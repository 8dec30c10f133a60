import { createWalletClient, defineChain, type Hex, http, keccak256, parseEther, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { zerox } from '../../../engine/venues/zerox/venue.ts'
import { watch } from '../../../scripts/client/balances.ts'
import { allowanceOf, broadcast, gasPaid, receiptOf } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../../scripts/client/wire.ts'
import { anOrder } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { takenThrough, transactionOf } from '../../support/venueKit/calls.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'

/** What 0x's contracts hold a swap to, what a signature costs, and what is told of either. */

const FEE_RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const AMOUNTS: { readonly [token: string]: string } = {
  [DAI]: parseEther('1000').toString(),
  [USDC.ethereum]: '1000000000',
  [USDT]: '1000000000',
}

let service: TestService
beforeAll(async () => {
  service = await startService(only('zerox'))
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const rpcUrl = () => service.control.rpcUrl(1)

let wallets = 0
const newKey = (): PrivateKeyAccount => {
  wallets += 1
  return privateKeyToAccount(keccak256(toHex(`zerox ${wallets}`)))
}

/** A wallet with what it is to sell, and a quote for it. */
const quoted = async (inputToken: string, outputToken: string) => {
  const account = newKey()
  const inputAmount = AMOUNTS[inputToken] ?? ''
  await fund(service, 1, account.address, { [NATIVE]: parseEther('1').toString(), [inputToken]: inputAmount })
  const recipient = newKey().address
  const body: QuoteRequest = {
    ...{ inputChainId: 1, inputToken, inputAmount, outputChainId: 1, outputToken },
    ...{ userAddress: account.address, destinationAddress: recipient },
  }
  const offer = await service.call('quote', { body })
  const changes = () =>
    watch(service, {
      paid: { chainId: 1, token: inputToken, owner: account.address },
      coins: { chainId: 1, token: NATIVE, owner: account.address },
      delivered: { chainId: 1, token: outputToken, owner: recipient },
    })
  return { account, recipient, offer, quoteToken: offer.quoteToken, changes }
}

/** A wallet that has allowed AllowanceHolder what a swap takes, and the call that it is to make. */
const open = async (outputToken: string) => {
  const swap = await quoted(DAI, outputToken)
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken: swap.quoteToken })
  if (approval) await broadcast(rpcUrl(), approval.transaction, swap.account)
  return { ...swap, transaction, changes: await swap.changes() }
}
type Opened = Awaited<ReturnType<typeof open>>

/** Sends it though it must fail: with gas of its own, so that nobody estimates it before. */
const sendBlindly = async ({ account, transaction: { to, data, value } }: Opened): Promise<Hex> => {
  const nativeCurrency = { name: 'coin', symbol: 'COIN', decimals: 18 }
  const chain = defineChain({ id: 1, name: 'chain', nativeCurrency, rpcUrls: { default: { http: [rpcUrl()] } } })
  const wallet = createWalletClient({ account, chain, transport: http() })
  return wallet.sendTransaction({ to: to as Hex, data: data as Hex, value: BigInt(value), gas: 2_000_000n })
}

/** It reverts with this error of the Settler's, fails for good, and costs its gas alone. */
const expectReverted = async (swap: Opened, error: RegExp): Promise<void> => {
  await expect(broadcast(rpcUrl(), swap.transaction, swap.account)).rejects.toThrow(error)
  const ref = await sendBlindly(swap)
  expect((await receiptOf(rpcUrl(), ref)).status).toBe('reverted')
  await service.control.advance(MINUTE_MS)
  expect((await statusOf(service, { quoteToken: swap.quoteToken, ref })).status).toBe('failed')
  expect(await swap.changes()).toEqual({ paid: 0n, coins: -(await gasPaid(rpcUrl(), [ref])), delivered: 0n })
}

describe.each([
  ['tokens', WETH_ETHEREUM],
  ['coins', NATIVE],
])('a transaction for %s', (_kind, outputToken) => {
  it('pays the quoted fee to its recipient, to the unit, and the rest to the swap’s', async () => {
    const { account, recipient } = await open(outputToken)
    const client = createHttpClient()
    const config = {
      baseUrl: service.simnet.venues['zerox']?.baseUrl ?? '',
      apiKey: new Secret('a-key-of-0x-1234'),
      settings: { FEE_RECIPIENT },
    }
    const { clock } = service.simnet
    const venue = zerox.create(config, {
      http: client,
      clock,
      chains: createFakeChains(),
      wellVenues: () => [],
      notice: () => undefined,
    })
    const order = anOrder({
      ...{ from: [1, DAI], to: [1, outputToken], amount: BigInt(AMOUNTS[DAI] ?? 0), feeBps: 15 },
      ...{ sender: addressOf('evm', account.address), recipient: addressOf('evm', recipient) },
    })
    const { offer, execution } = await takenThrough(venue, order, clock.now())
    const token = { chainId: 1, token: outputToken }
    const changes = await watch(service, { fee: { ...token, owner: FEE_RECIPIENT }, delivered: { ...token, owner: recipient } })
    const { value, ...call } = transactionOf(execution)
    await broadcast(rpcUrl(), { ...call, value: value.toString() }, account)
    expect(offer.fee.amount).toBeGreaterThan(0n)
    expect(await changes()).toEqual({ fee: offer.fee.amount, delivered: offer.outputAmount })
    await client.close()
  })

  it('for which less would come than the least reverts, and nothing is lost but gas', async () => {
    await service.control.fault('zerox', 'short-fill')
    // TooMuchSlippage(address,uint256,uint256)
    await expectReverted(await open(outputToken), /97a6f3b9/)
  })

  it('that is sent too late reverts, and nothing is lost but gas', async () => {
    const swap = await open(outputToken)
    await service.control.advance(6 * MINUTE_MS)
    // SignatureExpired(uint256)
    await expectReverted(swap, /cd21db4f/)
  })

  it('that nobody asks about for a week is a success all the same, of a node that has no state of then', async () => {
    const swap = await open(outputToken)
    const ref = await broadcast(rpcUrl(), swap.transaction, swap.account)
    await service.control.fault('chain:1', 'prunes-state')
    await service.control.advance(7 * 24 * HOUR_MS)
    expect(await statusOf(service, { quoteToken: swap.quoteToken, ref })).toMatchObject({
      status: 'success',
      deliveredAmount: swap.offer.output.amount,
    })
  })

  it('is pending until it is sent, and no other transaction makes it one', async () => {
    const [swap, other] = [await open(outputToken), await open(outputToken)]
    const none = `0x${'ab'.repeat(32)}`
    expect((await statusOf(service, { quoteToken: swap.quoteToken, ref: none })).status).toBe('pending')
    const stranger = await broadcast(rpcUrl(), other.transaction, other.account)
    expect((await statusOf(service, { quoteToken: swap.quoteToken, ref: stranger })).status).toBe('not_found')
  })
})

it('resets the allowance of a token that refuses to change one, allows exactly the input, and leaves none', async () => {
  const { account, quoteToken } = await quoted(USDT, WETH_ETHEREUM)
  const holder = '0x0000000000001fF3684f28c67538d4D072C22734'
  const approve = `0x095ea7b3${holder.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}`
  await broadcast(rpcUrl(), { chainId: 1, to: USDT, data: approve, value: '0' }, account)
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  expect(approval).toMatchObject({ spender: holder, amount: AMOUNTS[USDT], reset: { to: USDT } })
  if (!approval?.reset) throw new Error('no reset')
  for (const step of [approval.reset, approval.transaction]) await broadcast(rpcUrl(), step, account)
  const ref = await broadcast(rpcUrl(), transaction, account)
  expect(lastOf(await follow(service, { quoteToken, ref }, { stepMs: 1_000 })).status).toBe('success')
  expect(await allowanceOf(rpcUrl(), { token: USDT, owner: account.address, spender: holder })).toBe(0n)
})

describe('a signed trade', () => {
  const sign = async ({ account }: Pick<Opened, 'account'>, typedData: unknown) => account.signTypedData(typedData as never)

  it('asks for no approval where a permit goes with it, costs no gas, and leaves no allowance', async () => {
    const swap = await quoted(USDC.ethereum, WETH_ETHEREUM)
    const execution = await executeAs(service, 'SIGNATURE', { quoteToken: swap.quoteToken })
    expect([swap.offer.approval, execution.approval]).toEqual([undefined, undefined])
    expect(execution.approvalData).toMatchObject({
      domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: USDC.ethereum },
      primaryType: 'Permit',
      message: { spender: PERMIT2.toLowerCase(), value: AMOUNTS[USDC.ethereum] },
    })
    const changes = await swap.changes()
    const body = {
      quoteToken: swap.quoteToken,
      signature: await sign(swap, execution.typedData),
      approvalSignature: await sign(swap, execution.approvalData),
    }
    const { statusRef } = await service.call('submitSignature', { body })
    expect((await service.call('submitSignature', { body })).statusRef).toBe(statusRef)
    const end = lastOf(await follow(service, { quoteToken: swap.quoteToken, ref: statusRef }, { stepMs: 2_000 }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: swap.offer.output.amount })
    expect(await changes()).toEqual({ paid: -1_000_000_000n, coins: 0n, delivered: BigInt(swap.offer.output.amount) })
    expect(await allowanceOf(rpcUrl(), { token: USDC.ethereum, owner: swap.account.address, spender: PERMIT2 })).toBe(0n)
  })

  it('needs no permit where Permit2 may take the input already', async () => {
    const { account, ...first } = await quoted(USDC.ethereum, WETH_ETHEREUM)
    const approve = `0x095ea7b3${PERMIT2.slice(2).toLowerCase().padStart(64, '0')}${(2n ** 200n).toString(16).padStart(64, '0')}`
    await broadcast(rpcUrl(), { chainId: 1, to: USDC.ethereum, data: approve, value: '0' }, account)
    const execution = await executeAs(service, 'SIGNATURE', { quoteToken: first.quoteToken })
    expect([execution.approval, execution.approvalData]).toEqual([undefined, undefined])
  })

  it('is refused by the service where the permit beside it is not signed', async () => {
    const swap = await quoted(USDC.ethereum, WETH_ETHEREUM)
    const { typedData } = await executeAs(service, 'SIGNATURE', { quoteToken: swap.quoteToken })
    const body = { quoteToken: swap.quoteToken, signature: await sign(swap, typedData) }
    expect((await service.send('POST', '/api/v1/submit-signature', { body })).status).toBe(400)
  })
})

// One of each; the fifth in a row would rest the venue.
it.each([
  ['wrong-recipient', DAI],
  ['wrong-minimum', DAI],
  ['wrong-contract', USDC.ethereum],
  ['bad-signature', USDC.ethereum],
] as const)('with the fault %s nothing is handed out for %s', async (fault, inputToken) => {
  const { quoteToken } = await quoted(inputToken, WETH_ETHEREUM)
  await service.control.fault('zerox', fault)
  const answer = await service.send('POST', '/api/v1/execute', { body: { quoteToken } })
  expect([answer.status, /2213bc0b|PermitWitness/.test(JSON.stringify(answer.body))]).toEqual([500, false])
})
