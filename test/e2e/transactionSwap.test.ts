import { base58 } from '@scure/base'
import { Keypair, VersionedTransaction } from '@solana/web3.js'
import {
  createPublicClient,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  pad,
  parseAbi,
  parseEther,
  parseEventLogs,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { allowanceOf, balanceOf, broadcast } from '../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { startService, type TestService } from '../support/service.ts'
import { ACCOUNT, OTHER_EVM, TRANSACTION_SWAP } from '../support/swaps.ts'
import { EVM_HASH, HOUR_MS, MINUTE_MS, staysIn } from './support.ts'

const BASE_SPOKE_POOL = '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'
const ARBITRUM_SPOKE_POOL = '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A'
const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const PERIPHERY = '0x97CCDBea4632140639aD5eA9b944aa034eb15fD4'
const NATIVE_SOL = 'So11111111111111111111111111111111111111112'
const USDT_ETHEREUM = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const USDT_ARBITRUM = '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'

/** contracts/interfaces/V3SpokePoolInterface.sol of across-protocol/contracts. */
const SPOKE_POOL = parseAbi([
  'function deposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message)',
])

/** Polled often enough to see every state a fill goes through. */
const STEP_MS = 3_000

let service: TestService
beforeAll(async () => {
  service = await startService()
  await fund(service, 8453, ACCOUNT.address, { [NATIVE]: parseEther('10').toString() })
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const rpcUrl = (chainId: number) => service.control.rpcUrl(chainId)
const quote = (request: QuoteRequest) => service.call('quote', { body: request })
const held = (chainId: number, token: string, owner: string = ACCOUNT.address) => balanceOf(rpcUrl(chainId), token, owner)
const word = (address: string): Hex => pad(address.toLowerCase() as Hex)

const receiptOf = (chainId: number, hash: string | undefined) =>
  createPublicClient({ transport: http(rpcUrl(chainId)) }).getTransactionReceipt({ hash: hash as Hex })

const callSolana = async (method: string, params: readonly unknown[]): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(rpcUrl(-2), { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result
}

const heldOnSolana = async (mint: string, owner: string): Promise<bigint> => {
  type Accounts = {
    readonly value: readonly { readonly account: { readonly data: { readonly parsed: { readonly info: TokenInfo } } } }[]
  }
  type TokenInfo = { readonly tokenAmount: { readonly amount: string } }
  const { value } = (await callSolana('getTokenAccountsByOwner', [owner, { mint }, { encoding: 'jsonParsed' }])) as Accounts
  return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n)
}

/** Makes a token refuse every transfer for a while: its code reverts. */
const freeze = async (chainId: number, token: string) => {
  const call = async (method: string, params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(rpcUrl(chainId), { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return ((await response.json()) as { result: unknown }).result
  }
  const code = await call('eth_getCode', [token, 'latest'])
  await call('anvil_setCode', [token, '0x60006000fd'])
  return { thaw: () => call('anvil_setCode', [token, code]) }
}

/** A swap whose deposit is on the chain, approval and all. */
const sent = async (change: Partial<QuoteRequest> = {}) => {
  const request = { ...TRANSACTION_SWAP, ...change }
  await fund(service, 8453, ACCOUNT.address, { [USDC.base]: request.inputAmount })
  const offer = await quote(request)
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken: offer.quoteToken })
  if (approval) await broadcast(rpcUrl(8453), approval.transaction)
  const ref = await broadcast(rpcUrl(8453), transaction)
  return { offer, transaction, quoteToken: offer.quoteToken, ref }
}

describe('USDC from Base to Arbitrum', () => {
  it('is quoted, approved, signed, broadcast and delivered, to the unit', async () => {
    await fund(service, 8453, ACCOUNT.address, { [USDC.base]: '250000000' })
    const offer = await quote(TRANSACTION_SWAP)
    const { quoteToken } = offer
    // 250 USDC less 0.001 % to the pool, 0.01 % to the relayer and 3 cents of gas.
    expect(offer).toMatchObject({
      output: { amount: '249942500' },
      // Relayers' costs may move by 0.1 % until execute, which asks again.
      slippage: { bps: 10, isFirm: true, guaranteedMin: (249_942_500 - 249_942).toString() },
      fee: { bps: 0, amount: '0' },
      approval: { token: USDC.base, spender: BASE_SPOKE_POOL, amount: '250000000' },
    })

    const before = await executeAs(service, 'TRANSACTION', { quoteToken })
    expect(before.approval).toEqual(offer.approval)
    if (!before.approval) throw new Error('no approval')
    await broadcast(rpcUrl(8453), before.approval.transaction)
    const allowance = { token: USDC.base, owner: ACCOUNT.address, spender: BASE_SPOKE_POOL }
    expect(await allowanceOf(rpcUrl(8453), allowance)).toBe(250_000_000n)

    const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
    expect(approval).toBeUndefined()
    expect(transaction).toEqual(before.transaction)
    expect(transaction).toMatchObject({ to: BASE_SPOKE_POOL, value: '0', chainId: 8453 })
    const { functionName, args } = decodeFunctionData({ abi: SPOKE_POOL, data: transaction.data as Hex })
    expect(functionName).toBe('deposit')
    expect(args.slice(0, 7)).toEqual([
      word(ACCOUNT.address),
      word(ACCOUNT.address),
      word(USDC.base),
      word(USDC.arbitrum),
      250_000_000n,
      249_942_500n,
      42_161n,
    ])
    expect(args[11]).toBe('0x')

    const [paidFrom, paidTo] = [await held(8453, USDC.base), await held(42161, USDC.arbitrum)]
    const ref = await broadcast(rpcUrl(8453), transaction)
    expect(await held(8453, USDC.base)).toBe(paidFrom - 250_000_000n)
    expect(await held(42161, USDC.arbitrum)).toBe(paidTo)
    const seen = await follow(service, { quoteToken, ref }, { stepMs: STEP_MS })
    expect(await held(42161, USDC.arbitrum)).toBe(paidTo + 249_942_500n)
    expect(statesOf(seen)).toEqual(['pending', 'processing', 'success'])
    expect(lastOf(seen)).toEqual({
      status: 'success',
      venue: 'across',
      venueStatus: 'filled',
      deliveredAmount: '249942500',
      txHash: expect.stringMatching(EVM_HASH),
    })
    const { to, logs } = await receiptOf(42161, lastOf(seen).txHash)
    expect(to).toBe(ARBITRUM_SPOKE_POOL.toLowerCase())
    expect(parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }).map(({ args }) => args)).toContainEqual(
      expect.objectContaining({ to: ACCOUNT.address, value: 249_942_500n }),
    )
  })

  it('takes the input from the wallet, and uses up the approval', async () => {
    const before = await held(8453, USDC.base)
    await sent()
    expect(await allowanceOf(rpcUrl(8453), { token: USDC.base, owner: ACCOUNT.address, spender: BASE_SPOKE_POOL })).toBe(0n)
    expect(await held(8453, USDC.base)).toBe(before)
  })

  it('is no swap when the wallet left the approval out', async () => {
    const poor = privateKeyToAccount(generatePrivateKey())
    await fund(service, 8453, poor.address, { [NATIVE]: parseEther('1').toString(), [USDC.base]: '250000000' })
    const { quoteToken } = await quote({ ...TRANSACTION_SWAP, userAddress: poor.address })
    const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
    expect(approval).toBeDefined()
    await expect(broadcast(rpcUrl(8453), transaction, poor)).rejects.toThrow('reverted')
    expect(await held(8453, USDC.base, poor.address)).toBe(250_000_000n)
  })

  it('is no swap an hour after it was built: the pool takes no older price', async () => {
    await fund(service, 8453, ACCOUNT.address, { [USDC.base]: '250000000' })
    const before = await held(8453, USDC.base)
    const { quoteToken } = await quote(TRANSACTION_SWAP)
    const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
    if (approval) await broadcast(rpcUrl(8453), approval.transaction)
    await service.control.advance(HOUR_MS)
    await expect(broadcast(rpcUrl(8453), transaction)).rejects.toThrow('reverted')
    expect(await held(8453, USDC.base)).toBe(before)
  })

  it('stays told as it ended, whatever the venue says or fails to say later', async () => {
    const swap = await sent()
    const end = lastOf(await follow(service, swap, { stepMs: STEP_MS }))
    await service.control.advance(72 * HOUR_MS)
    await service.control.fault('across', 'http-500')
    expect(await statusOf(service, swap)).toEqual(end)
    expect(await statusOf(service, { ...swap, ref: `0x${swap.ref.slice(2).toUpperCase()}` })).toEqual(end)
  })

  it('delivers to another recipient and is refunded to another address, when the quote names them', async () => {
    const { transaction, ...swap } = await sent({
      destinationAddress: OTHER_EVM,
      refundAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    })
    const { args } = decodeFunctionData({ abi: SPOKE_POOL, data: transaction.data as Hex })
    expect(args.slice(0, 2)).toEqual([word('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'), word(OTHER_EVM)])
    const before = await held(42161, USDC.arbitrum, OTHER_EVM)
    expect(lastOf(await follow(service, swap, { stepMs: STEP_MS })).status).toBe('success')
    expect(await held(42161, USDC.arbitrum, OTHER_EVM)).toBe(before + 249_942_500n)
  })

  it('is not found by the transaction of another swap', async () => {
    const [mine, other] = [await sent(), await sent({ inputAmount: '251000000' })]
    await service.control.advance(MINUTE_MS)
    expect(await statusOf(service, { ...mine, ref: other.ref })).toMatchObject({ status: 'not_found', venue: 'across' })
    expect(lastOf(await follow(service, mine, { stepMs: STEP_MS }))).toMatchObject({
      status: 'success',
      deliveredAmount: '249942500',
    })
  })
})

describe('other inputs', () => {
  it('sends native coins as the value of the transaction, without an approval', async () => {
    const request = { ...TRANSACTION_SWAP, inputToken: NATIVE, outputToken: NATIVE, inputAmount: parseEther('1').toString() }
    const offer = await quote(request)
    // 0.00001 ETH to the pool, 0.0001 to the relayer, and 3 cents of gas at 3950 dollars.
    expect(offer).toMatchObject({ output: { amount: '999882405063291140' }, gas: { nativeSymbol: 'ETH' } })
    expect(offer.approval).toBeUndefined()
    const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken: offer.quoteToken })
    expect(approval).toBeUndefined()
    expect(transaction).toMatchObject({ to: PERIPHERY, value: request.inputAmount, chainId: 8453 })
    const [paidFrom, paidTo] = [await held(8453, NATIVE), await held(42161, NATIVE)]
    const ref = await broadcast(rpcUrl(8453), transaction)
    const spent = paidFrom - (await held(8453, NATIVE))
    expect(spent).toBeGreaterThan(parseEther('1'))
    expect(spent).toBeLessThan(parseEther('1.01'))
    const end = lastOf(await follow(service, { quoteToken: offer.quoteToken, ref }, { stepMs: STEP_MS }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: '999882405063291140' })
    expect(await held(42161, NATIVE)).toBe(paidTo + 999_882_405_063_291_140n)
  })

  it('resets the allowance first, where the token insists on it', async () => {
    const request = { ...TRANSACTION_SWAP, inputChainId: 1, inputToken: USDT_ETHEREUM, outputToken: USDT_ARBITRUM } as const
    await fund(service, 1, ACCOUNT.address, { [NATIVE]: parseEther('1').toString(), [USDT_ETHEREUM]: '250000000' })
    const first = await quote(request)
    if (!first.approval) throw new Error('no approval')
    expect(first.approval.reset).toBeUndefined()
    const { spender } = first.approval
    const part = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, 1n] })
    await broadcast(rpcUrl(1), { chainId: 1, to: USDT_ETHEREUM, data: part, value: '0' })

    const { quoteToken, output } = await quote(request)
    const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
    if (!approval?.reset) throw new Error('no reset')
    await expect(broadcast(rpcUrl(1), approval.transaction)).rejects.toThrow('reverted')
    await broadcast(rpcUrl(1), approval.reset)
    await broadcast(rpcUrl(1), approval.transaction)
    expect(await allowanceOf(rpcUrl(1), { token: USDT_ETHEREUM, owner: ACCOUNT.address, spender })).toBe(250_000_000n)
    const ref = await broadcast(rpcUrl(1), transaction)
    const end = lastOf(await follow(service, { quoteToken, ref }, { stepMs: STEP_MS }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: output.amount })
  })

  it('exchanges first what the bridge does not carry, and delivers at least the promised minimum', async () => {
    const inputAmount = parseEther('1000').toString()
    await fund(service, 42161, ACCOUNT.address, { [NATIVE]: parseEther('1').toString(), [ARB]: inputAmount })
    const route = { inputChainId: 42161, inputToken: ARB, outputChainId: 8453, outputToken: USDC.base, inputAmount } as const
    const offer = await quote({ ...TRANSACTION_SWAP, ...route, slippageBps: 50 })
    const { quoteToken } = offer
    const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
    if (approval) await broadcast(rpcUrl(42161), approval.transaction)
    const [paidFrom, paidTo] = [await held(42161, ARB), await held(8453, USDC.base)]
    const ref = await broadcast(rpcUrl(42161), transaction)
    expect(await held(42161, ARB)).toBe(paidFrom - parseEther('1000'))
    const end = lastOf(await follow(service, { quoteToken, ref }, { stepMs: STEP_MS }))
    expect(end).toMatchObject({ status: 'success', venue: 'across' })
    expect(BigInt(end.deliveredAmount ?? 0)).toBeGreaterThanOrEqual(BigInt(offer.slippage?.guaranteedMin ?? 'none'))
    expect(await held(8453, USDC.base)).toBe(paidTo + BigInt(end.deliveredAmount ?? 0))
  })

  it('is exchanged after the bridge as well, for whoever asks the venue itself', async () => {
    const recipient = privateKeyToAccount(generatePrivateKey()).address
    await fund(service, 8453, ACCOUNT.address, { [USDC.base]: '250000000' })
    const question = new URLSearchParams({
      ...{ amount: '250000000', inputToken: USDC.base, originChainId: '8453', outputToken: ARB, destinationChainId: '42161' },
      ...{ depositor: ACCOUNT.address, recipient, refundOnOrigin: 'true' },
    })
    type Answer = { swapTx: { to: string; data: string }; approvalTxns?: { to: string; data: string }[]; minOutputAmount: string }
    const answer = await service.control.askVenue<Answer>('across', `/swap/approval?${question}`)
    for (const { to, data } of [...(answer.approvalTxns ?? []), answer.swapTx])
      await broadcast(rpcUrl(8453), { chainId: 8453, to, data, value: '0' })
    await service.control.advance(MINUTE_MS)
    expect(await held(42161, ARB, recipient)).toBe(BigInt(answer.minOutputAmount))
  })

  it('is a serialized transaction on Solana, signed by a Solana wallet', async () => {
    const wallet = Keypair.fromSeed(new Uint8Array(32).fill(7))
    const userAddress = wallet.publicKey.toBase58()
    await fund(service, -2, userAddress, { [NATIVE_SOL]: '1000000000', [USDC.solana]: TRANSACTION_SWAP.inputAmount })
    const offer = await quote({
      ...TRANSACTION_SWAP,
      inputChainId: -2,
      outputChainId: 8453,
      inputToken: USDC.solana,
      outputToken: USDC.base,
      userAddress,
      destinationAddress: ACCOUNT.address,
    })
    expect(offer).toMatchObject({ venue: { id: 'across' }, output: { amount: '249942500' }, executable: true })
    const { quoteToken } = offer
    const { transaction, approval } = await executeAs(service, 'TRANSACTION', { quoteToken })
    expect(approval).toBeUndefined()
    expect(transaction).toMatchObject({ chainId: -2, value: '0', data: transaction.serialized })
    const signed = VersionedTransaction.deserialize(Buffer.from(transaction.serialized ?? '', 'base64'))
    expect(signed.message.staticAccountKeys[0]?.toBase58()).toBe(userAddress)
    signed.sign([wallet])
    const ref = base58.encode(signed.signatures[0] ?? new Uint8Array())
    expect(await heldOnSolana(USDC.solana, userAddress)).toBe(250_000_000n)
    const before = await held(8453, USDC.base)
    const data = Buffer.from(signed.serialize()).toString('base64')
    expect(await callSolana('sendTransaction', [data, { encoding: 'base64' }])).toBe(ref)
    expect(await heldOnSolana(USDC.solana, userAddress)).toBe(0n)
    const seen = await follow(service, { quoteToken, ref }, { stepMs: STEP_MS })
    expect(await held(8453, USDC.base)).toBe(before + 249_942_500n)
    expect(statesOf(seen)).toEqual(['pending', 'processing', 'success'])
    expect(lastOf(seen)).toMatchObject({ deliveredAmount: '249942500', txHash: expect.stringMatching(EVM_HASH) })
  })

  it('delivers to a Solana wallet', async () => {
    const destinationAddress = Keypair.fromSeed(new Uint8Array(32).fill(8)).publicKey.toBase58()
    const swap = await sent({ outputChainId: -2, outputToken: USDC.solana, destinationAddress })
    expect(await heldOnSolana(USDC.solana, destinationAddress)).toBe(0n)
    const end = lastOf(await follow(service, swap, { stepMs: STEP_MS }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: '249942500' })
    expect(await heldOnSolana(USDC.solana, destinationAddress)).toBe(249_942_500n)
    const landed = await callSolana('getTransaction', [end.txHash, { encoding: 'json', maxSupportedTransactionVersion: 0 }])
    expect(landed).toMatchObject({ meta: { err: null } })
  })
})

describe('a deposit that goes wrong', () => {
  it('expires when nobody fills it, and ends as refunded an hour and a half later', async () => {
    await service.control.fault('across', 'never-fills')
    const swap = await sent()
    await service.control.clearFaults()
    const [paidFrom, paidTo] = [await held(8453, USDC.base), await held(42161, USDC.arbitrum)]
    const seen = await follow(service, swap, { stepMs: 10 * MINUTE_MS })
    expect(statesOf(seen)).toEqual(['pending', 'processing', 'expired', 'refunded'])
    expect(await held(8453, USDC.base)).toBe(paidFrom + 250_000_000n)
    expect(await held(42161, USDC.arbitrum)).toBe(paidTo)
    expect((await receiptOf(8453, lastOf(seen).txHash)).from).toBe(BASE_SPOKE_POOL.toLowerCase())
    for (const { deliveredAmount } of seen) expect(deliveredAmount).toBeUndefined()
    expect(lastOf(seen)).toMatchObject({ venueStatus: 'refunded', txHash: expect.stringMatching(EVM_HASH) })
    expect(await statusOf(service, swap)).toEqual(lastOf(seen))
  })

  it('is still polled on after it expired: the refund comes no sooner than the venue says', async () => {
    await service.control.fault('across', 'never-fills')
    const swap = await sent()
    await service.control.clearFaults()
    await follow(service, swap, { stepMs: 10 * MINUTE_MS, until: 'expired' })
    await service.control.advance(60 * MINUTE_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'expired', venueStatus: 'expired' })
    const before = await held(8453, USDC.base)
    await service.control.advance(40 * MINUTE_MS)
    // By now, whether anybody asks or not.
    expect(await held(8453, USDC.base)).toBe(before + 250_000_000n)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'refunded' })
  })

  it('ends as failed when the venue says so', async () => {
    await service.control.fault('across', 'fails')
    const swap = await sent()
    await service.control.clearFaults()
    expect(lastOf(await follow(service, swap, { stepMs: STEP_MS }))).toMatchObject({
      status: 'failed',
      venueStatus: 'deposit-failed',
    })
  })

  it.each([
    ['lying-success', 'filled', 0n],
    ['short-fill', 'filled', 224_948_250n],
    ['unknown-status', 'reorged', 0n],
  ] as const)('stays processing with the fault %s, however long it is polled', async (fault, venueStatus, delivered) => {
    await service.control.fault('across', fault)
    const before = await held(42161, USDC.arbitrum)
    const swap = await sent()
    await service.control.clearFaults()
    await follow(service, swap, { stepMs: STEP_MS, until: 'processing' })
    expect(await staysIn(service, swap, 'processing')).toMatchObject({ venueStatus })
    expect(await held(42161, USDC.arbitrum)).toBe(before + delivered)
  })

  it('is refunded when the chain refuses the fill, which the network notes', async () => {
    const frozen = await freeze(42161, USDC.arbitrum)
    const swap = await sent()
    await service.control.advance(MINUTE_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'processing', venueStatus: 'pending' })
    await frozen.thaw()
    const { notices } = (await (await fetch(service.control.url)).json()) as { notices: { reason: string }[] }
    expect(notices).toHaveLength(1)
    const before = await held(8453, USDC.base)
    expect(statesOf(await follow(service, swap, { stepMs: 10 * MINUTE_MS })).at(-1)).toBe('refunded')
    expect(await held(8453, USDC.base)).toBe(before + 250_000_000n)
  })
})

describe('a venue that goes away', () => {
  it('after the quote: execute asks for a fresh one', async () => {
    const { quoteToken } = await quote(TRANSACTION_SWAP)
    await service.control.fault('across', 'halt')
    const answer = await service.send('POST', '/api/v1/execute', { body: { quoteToken } })
    expect(expectFailure(answer, 410, 'QUOTE_EXPIRED')).toMatchObject({ venue: 'across', reason: 'noLiquidity' })
  })

  it('while the swap is polled: the last known state is told, and the end once it is back', async () => {
    const swap = await sent()
    await service.control.advance(6_000)
    const last = await statusOf(service, swap)
    expect(last.status).toBe('processing')
    for (const fault of ['http-500', 'reset', 'malformed-body', 'wrong-shape'] as const) {
      await service.control.fault('across', fault)
      expect(await statusOf(service, swap)).toEqual(last)
      await service.control.clearFaults()
    }
    expect(lastOf(await follow(service, swap, { stepMs: STEP_MS })).status).toBe('success')
  })
})
