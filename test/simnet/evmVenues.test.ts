import {
  type Abi,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  getAddress,
  type Hex,
  hashTypedData,
  keccak256,
  maxUint256,
  pad,
  parseAbi,
  parseAbiParameters,
  parseEventLogs,
  stringToHex,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acrossContracts } from '../../engine/simnet/contracts/acrossContracts.ts'
import { cowContracts } from '../../engine/simnet/contracts/cowContracts.ts'
import { createArtifacts } from '../../engine/simnet/contracts/createArtifacts.ts'
import { createEvmChains, type EvmChains } from '../../engine/simnet/evm/evmChains.ts'
import { EvmRevert } from '../../engine/simnet/evm/evmRevert.ts'
import { createSimClock } from '../../engine/simnet/kit/simRandom.ts'
import type { SimLog } from '../../engine/simnet/kit/simVenue.ts'
import { createTokens } from '../../engine/simnet/kit/tokens.ts'
import { COW_SOLVER } from '../../engine/simnet/venues/cow/networks.ts'

/** The venues' own contracts, at their published addresses, on the offline chains. */

const START_OF_TIME = Date.UTC(2026, 10, 20)
const USER = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const RELAYER = '0xd02Ac4801b4cC7CB4301d8cC3C9a02d7D6CD9907'
const RECIPIENT = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const USDC = {
  1: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  8453: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  42161: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
} as const
const WETH = { 1: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 42161: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1' } as const
const POOL = { 8453: '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64', 42161: '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A' } as const
const PERIPHERY = '0x97CCDBea4632140639aD5eA9b944aa034eb15fD4'
const HANDLER = '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E'
const SETTLEMENT = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'
const VAULT_RELAYER = '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110'
const ETH_FLOW = '0xbA3cB449bD2B4ADddBc894D8697F5170800EAdeC'

const SPOKE_POOL = parseAbi([
  'struct Relay { bytes32 depositor; bytes32 recipient; bytes32 exclusiveRelayer; bytes32 inputToken; bytes32 outputToken; uint256 inputAmount; uint256 outputAmount; uint256 originChainId; uint256 depositId; uint32 fillDeadline; uint32 exclusivityDeadline; bytes message; }',
  'function deposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message) payable',
  'function fillRelay(Relay relayData, uint256 repaymentChainId, bytes32 repaymentAddress)',
  'event FundsDeposited(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, uint256 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 indexed depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes message)',
  'error InvalidQuoteTimestamp()',
  'error RelayFilled()',
])
const DEPOSIT_NATIVE = parseAbi([
  'function depositNative(address spokePool, address depositor, bytes32 recipient, address inputToken, uint256 inputAmount, bytes32 outputToken, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message) payable',
])
const MULTICALL_HANDLER = parseAbi([
  'struct Replacement { address token; uint256 offset; }',
  'function makeCallWithBalance(address target, bytes callData, uint256 value, Replacement[] replacement)',
  'function drainLeftoverTokens(address token, address destination)',
])
const GPV2 = parseAbi([
  'struct Trade { uint256 sellTokenIndex; uint256 buyTokenIndex; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; uint256 flags; uint256 executedAmount; bytes signature; }',
  'struct Interaction { address target; uint256 value; bytes callData; }',
  'function settle(address[] tokens, uint256[] clearingPrices, Trade[] trades, Interaction[][3] interactions)',
  'function domainSeparator() view returns (bytes32)',
  'event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)',
])
const ETH_FLOW_ABI = parseAbi([
  'struct FlowOrder { address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; bytes32 appData; uint256 feeAmount; uint32 validTo; bool partiallyFillable; int64 quoteId; }',
  'struct Order { address sellToken; address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; bytes32 kind; bool partiallyFillable; bytes32 sellTokenBalance; bytes32 buyTokenBalance; }',
  'struct OnchainSignature { uint8 scheme; bytes data; }',
  'function createOrder(FlowOrder order) payable returns (bytes32)',
  'function invalidateOrder(FlowOrder order)',
  'function wrapAll()',
  'event OrderPlacement(address indexed sender, Order order, OnchainSignature signature, bytes data)',
  'event OrderRefund(bytes orderUid, address indexed refunder)',
  'error OrderIsAlreadyOwned(bytes32 orderHash)',
  'error NotAllowedToInvalidateOrder(bytes32 orderHash)',
])

const clock = createSimClock(() => START_OF_TIME)
let chains: EvmChains

beforeAll(() => {
  chains = createEvmChains({
    clock,
    tokens: createTokens(),
    artifacts: createArtifacts(),
    contracts: [acrossContracts, cowContracts],
  })
})
afterAll(() => chains.close())

const now = (): number => Math.floor(clock.now() / 1_000)
const advance = async (seconds: number): Promise<void> => {
  clock.advance(seconds * 1_000)
}
const word = (address: string): Hex => pad(address as Hex)
const selectorOf = (error: string): Hex => keccak256(stringToHex(error)).slice(0, 10) as Hex
const give = (chainId: number, token: string, holder: string, amount: bigint) => chains.faucet({ chainId, token, holder, amount })
const approve = (chainId: number, token: string, owner: string, spender: string) =>
  chains.land({
    chainId,
    from: owner,
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, maxUint256] }),
  })
const landed = async (call: Parameters<EvmChains['land']>[0]) => {
  await chains.call(call)
  const receipt = await chains.land(call)
  expect(receipt.status).toBe('success')
  return receipt
}
/** The error a call is refused with, by its selector. */
const refusal = async (call: Parameters<EvmChains['call']>[0]): Promise<string> => {
  const error: unknown = await chains.call(call).catch((thrown: unknown) => thrown)
  if (!(error instanceof EvmRevert)) throw new Error('the call was taken')
  return error.data?.slice(0, 10) ?? error.message
}
const eventOf = (logs: readonly SimLog[], address: string, abi: Abi, eventName: string) => {
  const [found] = parseEventLogs({ abi, eventName, logs: logs.filter((log) => log.address === address) as never })
  if (!found) throw new Error(`no ${eventName} of ${address}`)
  return (found as unknown as { args: { readonly [name: string]: never } }).args
}

describe('Across on the offline chains', () => {
  const usdcDeposit = (quoteTimestamp: number, message: Hex = '0x') =>
    [
      word(USER.address),
      word(RECIPIENT),
      word(USDC[8453]),
      word(USDC[42161]),
      250_000_000n,
      249_887_421n,
      42161n,
      pad('0x0'),
      quoteTimestamp,
      now() + 7_200,
      0,
      message,
    ] as const
  const depositCall = (quoteTimestamp: number) => ({
    chainId: 8453,
    from: USER.address,
    to: POOL[8453],
    data: encodeFunctionData({ abi: SPOKE_POOL, functionName: 'deposit', args: usdcDeposit(quoteTimestamp) }),
  })
  const fillOf = (event: { readonly [name: string]: never }, originChainId: number) => ({
    chainId: 42161,
    from: RELAYER,
    to: POOL[42161],
    data: encodeFunctionData({
      abi: SPOKE_POOL,
      functionName: 'fillRelay',
      args: [
        { ...(event as never as object), originChainId: BigInt(originChainId) } as never,
        BigInt(originChainId),
        word(RELAYER),
      ],
    }),
  })

  it('takes a deposit into the pool of one chain and a fill out of the pool of another, once', async () => {
    await give(8453, USDC[8453], USER.address, 250_000_000n)
    await approve(8453, USDC[8453], USER.address, POOL[8453])
    const { logs } = await landed(depositCall(now() - 60))
    expect(await chains.balance(8453, USDC[8453], USER.address)).toBe(0n)
    expect(await chains.balance(8453, USDC[8453], POOL[8453])).toBe(250_000_000n)
    const deposited = eventOf(logs, POOL[8453], SPOKE_POOL, 'FundsDeposited')
    expect(deposited).toMatchObject({
      destinationChainId: 42161n,
      outputAmount: 249_887_421n,
      recipient: word(RECIPIENT).toLowerCase(),
    })

    await give(42161, USDC[42161], RELAYER, 249_887_421n)
    await approve(42161, USDC[42161], RELAYER, POOL[42161])
    await landed(fillOf(deposited, 8453))
    expect(await chains.balance(42161, USDC[42161], RECIPIENT)).toBe(249_887_421n)
    expect(await chains.balance(42161, USDC[42161], RELAYER)).toBe(0n)
    expect(await refusal(fillOf(deposited, 8453))).toBe(selectorOf('RelayFilled()'))
  })

  it('holds quotes and fills to the time of the network', async () => {
    await give(8453, USDC[8453], USER.address, 500_000_000n)
    const quotedAt = now()
    await advance(3_600)
    await landed(depositCall(quotedAt))
    await advance(1)
    expect(await refusal(depositCall(quotedAt))).toBe(selectorOf('InvalidQuoteTimestamp()'))
    expect(await refusal(depositCall(now() + 1))).not.toBe('')
    const { status } = await chains.land(depositCall(quotedAt))
    expect(status).toBe('reverted')
  })

  it('wraps coins through the periphery and delivers them unwrapped through the handler of messages', async () => {
    const amount = 10n ** 18n
    const call = (target: string, callData: Hex) => ({ target: target as Hex, callData, value: 0n })
    const withdraw = encodeFunctionData({ abi: parseAbi(['function withdraw(uint256)']), functionName: 'withdraw', args: [0n] })
    const unwrap = encodeFunctionData({
      abi: MULTICALL_HANDLER,
      functionName: 'makeCallWithBalance',
      args: [WETH[42161], withdraw, 0n, [{ token: WETH[42161], offset: 4n }]],
    })
    const drain = encodeFunctionData({
      abi: MULTICALL_HANDLER,
      functionName: 'drainLeftoverTokens',
      args: [zeroAddress, RECIPIENT],
    })
    const message = encodeAbiParameters(
      parseAbiParameters([
        'Instructions instructions',
        'struct Instructions { Call[] calls; address fallbackRecipient; }',
        'struct Call { address target; bytes callData; uint256 value; }',
      ]),
      [{ calls: [call(HANDLER, unwrap), call(HANDLER, drain)], fallbackRecipient: USER.address }],
    )
    await give(1, NATIVE, USER.address, amount)
    const pool = '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5'
    const data = encodeFunctionData({
      abi: DEPOSIT_NATIVE,
      functionName: 'depositNative',
      args: [
        pool,
        USER.address,
        word(HANDLER),
        WETH[1],
        amount,
        word(WETH[42161]),
        amount - 7n,
        42161n,
        pad('0x0'),
        now() - 30,
        now() + 7_200,
        0,
        message,
      ],
    })
    const before = await chains.balance(1, NATIVE, USER.address)
    const { logs } = await landed({ chainId: 1, from: USER.address, to: PERIPHERY, data, value: amount })
    expect(await chains.balance(1, NATIVE, USER.address)).toBe(before - amount)
    expect(await chains.balance(1, WETH[1], pool)).toBe(amount)

    await give(42161, WETH[42161], RELAYER, amount)
    await approve(42161, WETH[42161], RELAYER, POOL[42161])
    const held = await chains.balance(42161, NATIVE, RECIPIENT)
    await landed(fillOf(eventOf(logs, pool, SPOKE_POOL, 'FundsDeposited'), 1))
    expect(await chains.balance(42161, NATIVE, RECIPIENT)).toBe(held + amount - 7n)
  })
})

describe('CoW Protocol on the offline chains', () => {
  const domain = { name: 'Gnosis Protocol', version: 'v2', chainId: 1, verifyingContract: SETTLEMENT } as const
  const types = {
    Order: [
      { name: 'sellToken', type: 'address' },
      { name: 'buyToken', type: 'address' },
      { name: 'receiver', type: 'address' },
      { name: 'sellAmount', type: 'uint256' },
      { name: 'buyAmount', type: 'uint256' },
      { name: 'validTo', type: 'uint32' },
      { name: 'appData', type: 'bytes32' },
      { name: 'feeAmount', type: 'uint256' },
      { name: 'kind', type: 'string' },
      { name: 'partiallyFillable', type: 'bool' },
      { name: 'sellTokenBalance', type: 'string' },
      { name: 'buyTokenBalance', type: 'string' },
    ],
  } as const
  const constants = {
    feeAmount: 0n,
    kind: 'sell',
    partiallyFillable: false,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
  } as const
  const appData = keccak256(stringToHex('{}'))
  const none: readonly never[] = []

  type Signed = {
    readonly order: {
      readonly sellToken: Hex
      readonly buyToken: Hex
      readonly receiver: Hex
      readonly sellAmount: bigint
      readonly buyAmount: bigint
      readonly validTo: number
    }
    readonly signature: Hex
    readonly flags: bigint
  }
  const settlement = (
    { order, signature, flags }: Signed,
    executedBuyAmount: bigint,
    pre: readonly { target: Hex; value: bigint; callData: Hex }[] = [],
  ) => ({
    chainId: 1,
    from: COW_SOLVER,
    to: SETTLEMENT,
    data: encodeFunctionData({
      abi: GPV2,
      functionName: 'settle',
      args: [
        [order.sellToken, order.buyToken],
        [executedBuyAmount, order.sellAmount],
        [{ ...order, sellTokenIndex: 0n, buyTokenIndex: 1n, appData, feeAmount: 0n, flags, executedAmount: 0n, signature }],
        [pre, none, none],
      ],
    }),
  })
  const signedOrder = async (sellAmount: bigint): Promise<Signed> => {
    const order = {
      sellToken: USDC[1],
      buyToken: WETH[1],
      receiver: RECIPIENT,
      sellAmount,
      buyAmount: 3n * 10n ** 17n,
      validTo: now() + 1_800,
    } as const
    return {
      order,
      signature: await USER.signTypedData({ domain, types, primaryType: 'Order', message: { ...order, ...constants, appData } }),
      flags: 0n,
    }
  }
  const filled = /GPv2: order filled/

  it.each([1, 8453, 42161])('has the domain of chain %s', async (chainId) => {
    const separator = await chains.call({
      chainId,
      to: SETTLEMENT,
      data: encodeFunctionData({ abi: GPV2, functionName: 'domainSeparator' }),
    })
    const fields = parseAbiParameters('bytes32, bytes32, bytes32, uint256, address')
    const type = keccak256(stringToHex('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'))
    const encoded = encodeAbiParameters(fields, [
      type,
      keccak256(stringToHex('Gnosis Protocol')),
      keccak256(stringToHex('v2')),
      BigInt(chainId),
      SETTLEMENT,
    ])
    expect(separator).toBe(keccak256(encoded))
  })

  it('settles an order that its owner signed, by its solver only, and once', async () => {
    await give(1, USDC[1], USER.address, 2_000_000_000n)
    await approve(1, USDC[1], USER.address, VAULT_RELAYER)
    await give(1, WETH[1], SETTLEMENT, 10n ** 18n)
    const signed = await signedOrder(1_000_000_000n)
    const settle = settlement(signed, 31n * 10n ** 16n)
    await expect(chains.call({ ...settle, from: RELAYER })).rejects.toThrow('GPv2: not a solver')
    await expect(chains.call(settlement(signed, 29n * 10n ** 16n))).rejects.toThrow('GPv2: limit price not respected')
    const held = await chains.balance(1, WETH[1], RECIPIENT)
    const { logs } = await landed(settle)
    expect(eventOf(logs, SETTLEMENT, GPV2, 'Trade')).toMatchObject({
      owner: USER.address,
      sellAmount: 1_000_000_000n,
      buyAmount: 31n * 10n ** 16n,
    })
    expect(await chains.balance(1, USDC[1], SETTLEMENT)).toBe(1_000_000_000n)
    expect(await chains.balance(1, WETH[1], RECIPIENT)).toBe(held + 31n * 10n ** 16n)
    await expect(chains.call(settle)).rejects.toThrow(filled)
  })

  it('does not settle what nobody signed, or for longer than it was signed', async () => {
    const signed = await signedOrder(500_000_000n)
    const altered = { ...signed, order: { ...signed.order, receiver: RELAYER as Hex } }
    await expect(chains.call(settlement(altered, 31n * 10n ** 16n))).rejects.toThrow(EvmRevert)
    await advance(1_801)
    await expect(chains.call(settlement(signed, 31n * 10n ** 16n))).rejects.toThrow('GPv2: order expired')
  })

  type FlowOrder = {
    readonly buyToken: Hex
    readonly receiver: Hex
    readonly sellAmount: bigint
    readonly buyAmount: bigint
    readonly appData: Hex
    readonly feeAmount: bigint
    readonly validTo: number
    readonly partiallyFillable: boolean
    readonly quoteId: bigint
  }
  const flowOrder = (quoteId: bigint): FlowOrder => ({
    buyToken: USDC[1],
    receiver: RECIPIENT,
    sellAmount: 10n ** 18n,
    buyAmount: 3_000_000_000n,
    appData,
    feeAmount: 0n,
    validTo: now() + 600,
    partiallyFillable: false,
    quoteId,
  })
  const flowCall = (functionName: 'createOrder' | 'invalidateOrder', order: FlowOrder, from: string = USER.address) => ({
    chainId: 1,
    from,
    to: ETH_FLOW,
    data: encodeFunctionData({ abi: ETH_FLOW_ABI, functionName, args: [order] }),
    value: functionName === 'createOrder' ? order.sellAmount : 0n,
  })
  const digestOf = ({ quoteId: _quoteId, ...order }: FlowOrder) =>
    hashTypedData({
      domain,
      types,
      primaryType: 'Order',
      message: { ...order, ...constants, sellToken: WETH[1], validTo: 0xffffffff },
    })

  it('places an order for coins by EthFlow, which the solver then fills from the coins', async () => {
    await give(1, NATIVE, USER.address, 10n ** 18n)
    const order = flowOrder(77n)
    const { logs } = await landed(flowCall('createOrder', order))
    expect(eventOf(logs, ETH_FLOW, ETH_FLOW_ABI, 'OrderPlacement')).toMatchObject({
      sender: USER.address,
      order: { sellToken: WETH[1], buyToken: getAddress(USDC[1]), validTo: 0xffffffff, kind: keccak256(stringToHex('sell')) },
      signature: { scheme: 0, data: ETH_FLOW.toLowerCase() },
      data: encodePacked(['int64', 'uint32'], [77n, order.validTo]),
    })
    expect(await refusal(flowCall('createOrder', order))).toBe(selectorOf('OrderIsAlreadyOwned(bytes32)'))

    const signed = { order: { ...order, sellToken: WETH[1], validTo: 0xffffffff }, signature: ETH_FLOW as Hex, flags: 2n << 5n }
    const wrap = {
      target: ETH_FLOW as Hex,
      value: 0n,
      callData: encodeFunctionData({ abi: ETH_FLOW_ABI, functionName: 'wrapAll' }),
    }
    await give(1, USDC[1], SETTLEMENT, 4_000_000_000n)
    const held = await chains.balance(1, USDC[1], RECIPIENT)
    const settled = await landed(settlement(signed, 3_100_000_000n, [wrap]))
    expect(eventOf(settled.logs, SETTLEMENT, GPV2, 'Trade')).toMatchObject({
      owner: ETH_FLOW,
      orderUid: concatHex([digestOf(order), ETH_FLOW.toLowerCase() as Hex, '0xffffffff']),
    })
    expect(await chains.balance(1, USDC[1], RECIPIENT)).toBe(held + 3_100_000_000n)
    expect(await chains.balance(1, NATIVE, ETH_FLOW)).toBe(0n)
  })

  it('gives the coins of an EthFlow order back, to its owner at any time, by anyone once it expired, and once', async () => {
    await give(1, NATIVE, USER.address, 2n * 10n ** 18n)
    const [first, second] = [
      { ...flowOrder(78n), buyAmount: 1n },
      { ...flowOrder(79n), buyAmount: 2n },
    ]
    await landed(flowCall('createOrder', first))
    await landed(flowCall('createOrder', second))
    const held = await chains.balance(1, NATIVE, USER.address)
    expect(await refusal(flowCall('invalidateOrder', first, RELAYER))).toBe(selectorOf('NotAllowedToInvalidateOrder(bytes32)'))
    await landed(flowCall('invalidateOrder', first))
    expect(await chains.balance(1, NATIVE, USER.address)).toBe(held + 10n ** 18n)
    await advance(601)
    const { logs } = await landed(flowCall('invalidateOrder', second, RELAYER))
    expect(eventOf(logs, ETH_FLOW, ETH_FLOW_ABI, 'OrderRefund')).toMatchObject({ refunder: RELAYER })
    expect(await chains.balance(1, NATIVE, USER.address)).toBe(held + 2n * 10n ** 18n)
    expect(await refusal(flowCall('invalidateOrder', second))).toBe(selectorOf('NotAllowedToInvalidateOrder(bytes32)'))
  })
})
