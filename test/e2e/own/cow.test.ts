import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  hashTypedData,
  http,
  keccak256,
  parseAbi,
  parseEther,
  parseEventLogs,
  type TypedDataDefinition,
  toHex,
  zeroAddress,
} from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { allowanceOf, balanceOf, broadcast, reorganiseEvm } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../../scripts/client/wire.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { ACCOUNT, OTHER_EVM, SIGNATURE_SWAP } from '../../support/swaps.ts'
import { EVM_HASH, MINUTE_MS } from '../support.ts'
import { deployContractWallet } from './contractWallet.ts'

const VAULT_RELAYER = '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110'
const ETH_FLOW = '0xbA3cB449bD2B4ADddBc894D8697F5170800EAdeC'
const SETTLEMENT = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'

const SOLVER = '0x7a8e05726f2a6E799cb3D39fB185669Ad75f4ba0'

const ORDER =
  '(address buyToken, address receiver, uint256 sellAmount, uint256 buyAmount, bytes32 appData, uint256 feeAmount, uint32 validTo, bool partiallyFillable, int64 quoteId) order'
/** https://docs.cow.fi/cow-protocol/reference/contracts/periphery/eth-flow */
const ETH_FLOW_ABI = parseAbi([`function createOrder(${ORDER}) payable returns (bytes32)`, `function invalidateOrder(${ORDER})`])

const ETH_FLOW_ERRORS = parseAbi([
  `function createOrder(${ORDER}) payable returns (bytes32)`,
  'error IncorrectEthAmount()',
  'error NotAllowedZeroSellAmount()',
  'error OrderIsAlreadyExpired()',
  'error ReceiverMustBeSet()',
  'error OrderIsAlreadyOwned(bytes32 orderHash)',
])

/** 1000 USDC less 80 cents to settle, at 3950 dollars, less 0.06 % of spread and 0.02 % to the protocol. */
const EXPECTED = (((((999_200_000n * 10n ** 18n) / 3_950_000_000n) * 99_940n) / 100_000n) * 99_980n) / 100_000n
const atMost = (amount: bigint, slippageBps: bigint): bigint => amount - (amount * slippageBps) / 10_000n

/** Polled often enough to see every phase of an auction. */
const STEP_MS = 1_500

let service: TestService
beforeAll(async () => {
  service = await startService(only('cow'))
  await fund(service, 1, ACCOUNT.address, { [NATIVE]: parseEther('100').toString() })
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const rpcUrl = () => service.control.rpcUrl(1)
const quote = (change: Partial<QuoteRequest> = {}) => service.call('quote', { body: { ...SIGNATURE_SWAP, ...change } })
const submit = (body: { quoteToken: string; signature: string }) => service.call('submitSignature', { body })

/** The order as the book has it. */
const orderAt = (statusRef: string) =>
  service.control.askVenue<Record<string, unknown>>('cow', `/mainnet/api/v1/orders/${statusRef.replace('mainnet:', '')}`)

const held = (token: string, holder: string) => balanceOf(rpcUrl(), token, holder)
const TRADE = parseAbi([
  'event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)',
])
/** What the settlement contract's own event says of a settlement. */
const settlementOf = async (txHash: string | undefined) => {
  const client = createPublicClient({ transport: http(rpcUrl()) })
  const { logs, from, status } = await client.getTransactionReceipt({ hash: txHash as Hex })
  const trades = parseEventLogs({ abi: TRADE, logs: logs.filter(({ address }) => getAddress(address) === SETTLEMENT) })
  return { from: getAddress(from), status, trades: trades.map(({ args }) => args) }
}

/** A swap whose order is in the book. */
const placed = async (change: Partial<QuoteRequest> = {}) => {
  await fund(service, 1, ACCOUNT.address, { [USDC.ethereum]: SIGNATURE_SWAP.inputAmount })
  const { quoteToken, ...offer } = await quote(change)
  const { approval, typedData } = await executeAs(service, 'SIGNATURE', { quoteToken })
  if (approval) await broadcast(rpcUrl(), approval.transaction)
  const signature = await ACCOUNT.signTypedData(typedData as unknown as TypedDataDefinition)
  const { statusRef: ref } = await submit({ quoteToken, signature })
  return { offer, typedData, quoteToken, ref }
}

describe('1000 USDC to WETH on Ethereum', () => {
  it('is quoted, approved, signed, submitted and delivered, to the unit', async () => {
    await fund(service, 1, ACCOUNT.address, { [USDC.ethereum]: '1000000000' })
    const offer = await quote()
    const { quoteToken } = offer
    expect(offer).toMatchObject({
      output: { amount: EXPECTED.toString(), token: { address: WETH_ETHEREUM } },
      slippage: { bps: 50, isFirm: true, guaranteedMin: atMost(EXPECTED, 50n).toString() },
      fee: { bps: 0, amount: '0' },
      gas: null,
      approval: { token: USDC.ethereum, spender: VAULT_RELAYER, amount: '1000000000' },
    })

    const before = await executeAs(service, 'SIGNATURE', { quoteToken })
    expect(before.approval).toEqual(offer.approval)
    if (!before.approval) throw new Error('no approval')
    await broadcast(rpcUrl(), before.approval.transaction)
    expect(await allowanceOf(rpcUrl(), { token: USDC.ethereum, owner: ACCOUNT.address, spender: VAULT_RELAYER })).toBe(
      1_000_000_000n,
    )

    const { approval, typedData, submit: target } = await executeAs(service, 'SIGNATURE', { quoteToken })
    expect(approval).toBeUndefined()
    expect(typedData).toEqual(before.typedData)
    expect(target).toEqual({ url: '/api/v1/submit-signature' })
    expect(typedData.domain).toEqual({ name: 'Gnosis Protocol', version: 'v2', chainId: 1, verifyingContract: SETTLEMENT })
    expect(typedData.message).toMatchObject({
      sellToken: USDC.ethereum,
      buyToken: WETH_ETHEREUM,
      receiver: ACCOUNT.address,
      sellAmount: '1000000000',
      buyAmount: atMost(EXPECTED, 50n).toString(),
      feeAmount: '0',
      kind: 'sell',
      partiallyFillable: false,
    })

    const definition = typedData as unknown as TypedDataDefinition
    const signature = await ACCOUNT.signTypedData(definition)
    const { statusRef, venue } = await submit({ quoteToken, signature })
    expect(venue).toBe('cow')
    const uid = statusRef.replace('mainnet:', '')
    expect(uid.slice(0, 66)).toBe(hashTypedData(definition))
    expect(uid.slice(66, 106)).toBe(ACCOUNT.address.slice(2).toLowerCase())
    expect(await orderAt(statusRef)).toMatchObject({
      owner: ACCOUNT.address.toLowerCase(),
      signingScheme: 'eip712',
      signature,
      buyAmount: atMost(EXPECTED, 50n).toString(),
    })

    const seen = await follow(service, { quoteToken, ref: statusRef }, { stepMs: STEP_MS })
    expect(statesOf(seen)).toEqual(['pending', 'processing', 'success'])
    expect(seen.map(({ venueStatus }) => venueStatus)).toEqual([
      'open',
      'scheduled',
      'active',
      'solved',
      'executing',
      // Once before its payment is confirmed, and once after.
      'fulfilled',
      'fulfilled',
    ])
    const txHash = expect.stringMatching(EVM_HASH)
    expect(seen.at(-2)).toEqual({ status: 'processing', venue: 'cow', venueStatus: 'fulfilled', txHash })
    expect(lastOf(seen)).toMatchObject({
      status: 'success',
      venue: 'cow',
      venueStatus: 'fulfilled',
      deliveredAmount: EXPECTED.toString(),
      txHash,
    })
  })

  it('is settled by the contract for what was signed, and both sides of it are on the chain', async () => {
    const [stock, weth] = await Promise.all([held(USDC.ethereum, SETTLEMENT), held(WETH_ETHEREUM, SETTLEMENT)])
    const swap = await placed()
    const { txHash, deliveredAmount } = lastOf(await follow(service, swap, { stepMs: STEP_MS }))
    expect(await settlementOf(txHash)).toEqual({
      from: SOLVER,
      status: 'success',
      trades: [
        {
          owner: ACCOUNT.address,
          sellToken: USDC.ethereum,
          buyToken: WETH_ETHEREUM,
          sellAmount: 1_000_000_000n,
          buyAmount: BigInt(deliveredAmount ?? 0),
          feeAmount: 0n,
          orderUid: swap.ref.replace('mainnet:', ''),
        },
      ],
    })
    // What was sold stays there, fees included; what was bought was brought for it.
    expect(await held(USDC.ethereum, SETTLEMENT)).toBe(stock + 1_000_000_000n)
    expect(await held(WETH_ETHEREUM, SETTLEMENT)).toBeLessThanOrEqual(weth)
  })
})

describe('a wallet that is a contract', () => {
  it('approves, signs by EIP-1271 and is delivered to', async () => {
    const wallet = await deployContractWallet(rpcUrl(), 1)
    await fund(service, 1, wallet.address, { [USDC.ethereum]: '1000000000' })
    const { quoteToken } = await quote({ userAddress: wallet.address })
    const { approval, typedData } = await executeAs(service, 'SIGNATURE', { quoteToken })
    if (!approval) throw new Error('no approval')
    await wallet.execute(approval.transaction)
    expect(typedData.message).toMatchObject({ receiver: expect.stringMatching(new RegExp(wallet.address, 'i')) })

    const signature = await wallet.signTypedData(typedData as unknown as TypedDataDefinition)
    const { statusRef } = await submit({ quoteToken, signature })
    expect(await orderAt(statusRef)).toMatchObject({ owner: wallet.address.toLowerCase(), signingScheme: 'eip1271', signature })
    const seen = await follow(service, { quoteToken, ref: statusRef }, { stepMs: STEP_MS })
    expect(lastOf(seen)).toMatchObject({ status: 'success', deliveredAmount: EXPECTED.toString() })
    expect(await held(WETH_ETHEREUM, wallet.address)).toBe(EXPECTED)
    expect(await held(USDC.ethereum, wallet.address)).toBe(0n)
    const { trades } = await settlementOf(lastOf(seen).txHash)
    expect(trades.map(({ owner }) => owner)).toEqual([getAddress(wallet.address)])
  })

  it("is not fooled by its owner's ordinary signature, nor by one over another order", async () => {
    const wallet = await deployContractWallet(rpcUrl(), 1)
    const { quoteToken } = await quote({ userAddress: wallet.address })
    const { typedData } = await executeAs(service, 'SIGNATURE', { quoteToken })
    const definition = typedData as unknown as TypedDataDefinition
    const other = { ...definition, message: { ...definition.message, buyAmount: '1' } } as TypedDataDefinition
    for (const signature of [await ACCOUNT.signTypedData(definition), await wallet.signTypedData(other)])
      await expect(submit({ quoteToken, signature })).rejects.toThrow('answered 400')
  })
})

describe('a signed order that goes wrong', () => {
  const allow = (amount: bigint) => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [VAULT_RELAYER, amount] })
    return broadcast(rpcUrl(), { chainId: 1, to: USDC.ethereum, data, value: '0' })
  }

  it('stays open when the approval was taken back, and fails when it does not return', async () => {
    const swap = await placed()
    await allow(0n)
    const seen = await follow(service, swap, { stepMs: MINUTE_MS })
    expect(statesOf(seen)).toEqual(['pending', 'failed'])
    expect(lastOf(seen)).toEqual({ status: 'failed', venue: 'cow', venueStatus: 'expired' })
    const { notices } = (await (await fetch(service.control.url)).json()) as { notices: readonly { reason: string }[] }
    const reasons = notices.map(({ reason }) => reason).filter((reason) => reason.includes(swap.ref.replace('mainnet:', '')))
    expect(reasons).toEqual([expect.stringContaining('was not settled')])
  })

  it('is filled after all when the approval returned in time', async () => {
    const swap = await placed()
    await allow(0n)
    await service.control.advance(MINUTE_MS)
    expect((await statusOf(service, swap)).status).toBe('pending')
    await allow(1_000_000_000n)
    const end = lastOf(await follow(service, swap, { stepMs: MINUTE_MS }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: EXPECTED.toString() })
  })

  it('stays open when the tokens were spent elsewhere, and fails', async () => {
    const swap = await placed()
    const all = await held(USDC.ethereum, ACCOUNT.address)
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [OTHER_EVM, all] })
    await broadcast(rpcUrl(), { chainId: 1, to: USDC.ethereum, data, value: '0' })
    expect(statesOf(await follow(service, swap, { stepMs: MINUTE_MS }))).toEqual(['pending', 'failed'])
    await allow(0n)
  })
})

describe('ETH to USDC on Ethereum', () => {
  const ONE_ETH = parseEther('1')
  const NATIVE_SWAP = { inputToken: NATIVE, outputToken: USDC.ethereum, inputAmount: ONE_ETH.toString() }
  /** 80 cents to settle in wei, rounded up. */
  const COST = (800_000n * 10n ** 18n + 3_949_999_999n) / 3_950_000_000n
  const USDC_EXPECTED = ((((((ONE_ETH - COST) * 3_950_000_000n) / 10n ** 18n) * 99_940n) / 100_000n) * 99_980n) / 100_000n

  const sent = async (change: Partial<QuoteRequest> = {}) => {
    const { quoteToken, ...offer } = await quote({ ...NATIVE_SWAP, ...change })
    const { transaction, approval } = await executeAs(service, 'TRANSACTION', { quoteToken })
    expect(approval).toBeUndefined()
    const { functionName, args } = decodeFunctionData({ abi: ETH_FLOW_ABI, data: transaction.data as Hex })
    expect(functionName).toBe('createOrder')
    const ref = await broadcast(rpcUrl(), transaction)
    return { offer, transaction, order: args[0], quoteToken, ref }
  }

  it('is a transaction to EthFlow, followed by its hash to the unit', async () => {
    const [usdc, waiting] = await Promise.all([held(USDC.ethereum, ACCOUNT.address), held(NATIVE, ETH_FLOW)])
    const { offer, transaction, order, ...swap } = await sent()
    expect(offer).toMatchObject({
      venue: { id: 'cow' },
      output: { amount: USDC_EXPECTED.toString() },
      slippage: { bps: 50, guaranteedMin: atMost(USDC_EXPECTED, 50n).toString() },
      gas: { nativeSymbol: 'ETH' },
    })
    expect(transaction).toMatchObject({ to: ETH_FLOW, value: ONE_ETH.toString(), chainId: 1 })
    expect(order).toMatchObject({
      buyToken: USDC.ethereum,
      receiver: ACCOUNT.address,
      sellAmount: ONE_ETH,
      feeAmount: 0n,
      partiallyFillable: false,
    })
    expect(order.buyAmount).toBeGreaterThanOrEqual(atMost(USDC_EXPECTED, 50n))
    expect(await held(NATIVE, ETH_FLOW)).toBe(waiting + ONE_ETH)
    const seen = await follow(service, swap, { stepMs: STEP_MS })
    expect(statesOf(seen)).toEqual(['processing', 'success'])
    expect(lastOf(seen)).toMatchObject({ deliveredAmount: USDC_EXPECTED.toString(), txHash: expect.stringMatching(EVM_HASH) })
    const { from, trades } = await settlementOf(lastOf(seen).txHash)
    expect(from).toBe(SOLVER)
    expect(trades).toMatchObject([{ owner: ETH_FLOW, sellToken: WETH_ETHEREUM, sellAmount: ONE_ETH, buyAmount: USDC_EXPECTED }])
    expect(await held(USDC.ethereum, ACCOUNT.address)).toBe(usdc + USDC_EXPECTED)
    expect(await held(NATIVE, ETH_FLOW)).toBe(0n)
  })

  it('is refused by the contract where an order of EthFlow would be', async () => {
    const { order } = await sent()
    const client = createPublicClient({ transport: http(rpcUrl()) })
    const refusalOf = async (change: Partial<typeof order>, value = ONE_ETH): Promise<string> => {
      const args = [{ ...order, ...change }] as const
      const call = { address: ETH_FLOW, abi: ETH_FLOW_ERRORS, functionName: 'createOrder', args, value } as const
      const error: unknown = await client.simulateContract({ ...call, account: ACCOUNT }).catch((thrown: unknown) => thrown)
      if (!(error instanceof BaseError)) throw new Error('the order was taken')
      const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError)
      return reverted instanceof ContractFunctionRevertedError ? (reverted.data?.errorName ?? '') : ''
    }
    expect(await refusalOf({})).toBe('OrderIsAlreadyOwned')
    expect(await refusalOf({ buyAmount: 1n }, ONE_ETH - 1n)).toBe('IncorrectEthAmount')
    expect(await refusalOf({ sellAmount: 0n }, 0n)).toBe('NotAllowedZeroSellAmount')
    expect(await refusalOf({ validTo: 1 })).toBe('OrderIsAlreadyExpired')
    expect(await refusalOf({ receiver: zeroAddress })).toBe('ReceiverMustBeSet')
    await service.control.advance(MINUTE_MS)
  })

  it('registers the document behind the hash it hands out', async () => {
    const { order, transaction: _sent, ...swap } = await sent()
    const { fullAppData } = await service.control.askVenue<{ fullAppData: string }>(
      'cow',
      `/mainnet/api/v1/app_data/${order.appData}`,
    )
    expect(keccak256(toHex(fullAppData))).toBe(order.appData)
    expect(lastOf(await follow(service, swap, { stepMs: STEP_MS })).status).toBe('success')
  })

  it('that a reorganisation took back may be placed again, and is filled then', async () => {
    const { order: _order, transaction, quoteToken, ref } = await sent({ inputAmount: (2n * ONE_ETH).toString() })
    expect((await statusOf(service, { quoteToken, ref })).status).toMatch(/^(pending|processing)$/)
    expect(await reorganiseEvm(service, 1, ref)).toContain(ref)
    expect((await statusOf(service, { quoteToken, ref })).status).toBe('pending')
    // The same nonce again, and so the same transaction.
    expect(await broadcast(rpcUrl(), transaction)).toBe(ref)
    const seen = await follow(service, { quoteToken, ref }, { stepMs: STEP_MS })
    expect(statesOf(seen)).toEqual(['processing', 'success'])
  })

  it('can be sent twice: two swaps of the same terms are two orders', async () => {
    const [first, second] = [await sent(), await sent()]
    expect(second.order).not.toEqual(first.order)
    for (const swap of [first, second]) expect(lastOf(await follow(service, swap, { stepMs: STEP_MS })).status).toBe('success')
  })

  it('expires when nobody fills it, and is refunded once the owner takes the coins back', async () => {
    await service.control.fault('cow', 'never-fills')
    const { order, ...swap } = await sent()
    await service.control.clearFaults()
    const seen = await follow(service, swap, { stepMs: MINUTE_MS, until: 'expired' })
    expect(statesOf(seen)).toEqual(['processing', 'expired'])
    const data = encodeFunctionData({ abi: ETH_FLOW_ABI, functionName: 'invalidateOrder', args: [order] })
    const txHash = await broadcast(rpcUrl(), { chainId: 1, to: ETH_FLOW, data, value: '0' })
    expect((await statusOf(service, swap)).status).toBe('expired')
    await service.control.advance(MINUTE_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'refunded', venueStatus: 'expired', txHash })
  })

  it('that was filled short has left EthFlow for half of the least, and is no success', async () => {
    await service.control.fault('cow', 'short-fill')
    const [usdc, waiting] = await Promise.all([held(USDC.ethereum, ACCOUNT.address), held(NATIVE, ETH_FLOW)])
    const { order, ...swap } = await sent()
    await service.control.clearFaults()
    await service.control.advance(MINUTE_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'processing', venueStatus: 'fulfilled' })
    expect(await held(NATIVE, ETH_FLOW)).toBe(0n)
    // The coins of others that waited there were wrapped with it, and are there still.
    expect(await held(WETH_ETHEREUM, ETH_FLOW)).toBeGreaterThanOrEqual(waiting)
    expect(await held(USDC.ethereum, ACCOUNT.address)).toBe(usdc + order.buyAmount / 2n)
  })

  it('is refunded when the owner takes the coins back before the end', async () => {
    await service.control.fault('cow', 'never-fills')
    const { order, ...swap } = await sent()
    await service.control.clearFaults()
    await service.control.advance(MINUTE_MS)
    const data = encodeFunctionData({ abi: ETH_FLOW_ABI, functionName: 'invalidateOrder', args: [order] })
    const txHash = await broadcast(rpcUrl(), { chainId: 1, to: ETH_FLOW, data, value: '0' })
    expect((await statusOf(service, swap)).status).toBe('expired')
    await service.control.advance(MINUTE_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'refunded', txHash })
  })
})
