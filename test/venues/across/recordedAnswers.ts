import { readFileSync } from 'node:fs'
import { encodeAbiParameters, encodeFunctionData, type Hex, pad, parseAbi, parseAbiParameters, zeroAddress, zeroHash } from 'viem'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { provePayload } from '../../../engine/execution/payloadProof.ts'
import type { HttpClient } from '../../../engine/net/httpClient.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { across } from '../../../engine/venues/across/venue.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { anOrder } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import type { RecordedAnswer } from '../../support/recordedAnswers.ts'
import { unnoticed } from '../../support/unnoticed.ts'

const USDC = {
  ethereum: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  optimism: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
  polygon: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  arbitrum: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
} as const
const WETH = {
  optimism: '0x4200000000000000000000000000000000000006',
  arbitrum: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
} as const
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

const evm = (text: string): Address => addressOf('evm', text)

/** The wallet of most of Across's own examples. */
const DEPOSITOR = evm('0xA4d353BBc130cbeF1811f27ac70989F9d568CeAB')

const read = (file: string): Recorded => JSON.parse(readFileSync(new URL(`recorded/${file}.json`, import.meta.url), 'utf8'))

type Recorded = { readonly swapTx: { readonly data: string } }

/** The adapter at the time of a recording, with a venue that gives the recorded answer. */
const venueAt = (now: number, answer: unknown): Venue => {
  const http: HttpClient = {
    send: async () => ({ status: 200, headers: {}, text: JSON.stringify(answer) }),
    close: async () => undefined,
  }
  const config = { baseUrl: 'http://recorded', apiKey: null, settings: {} }
  return across.create(config, { http, chains: createFakeChains(), clock: { now: () => now }, notice: unnoticed })
}

type Played = { readonly order: VenueOrder; readonly now: number; readonly answer: unknown }

/** Quote, the engine's rules of an offer, execute, decode and proof. */
const play = async ({ order, now, answer }: Played): Promise<void> => {
  const venue = venueAt(now, answer)
  const signal = AbortSignal.timeout(5_000)
  const offer = checkOffer({ offer: await venue.quote(order, signal), order, asked: order, profile: venue.profile, now })
  const binding = { recipient: order.recipient, refundTo: order.refundTo }
  const execution = await venue.execute({ order, offer }, binding, signal)
  const mismatches = await provePayload(venue, execution, { sealed: { order, offer }, binding, now })
  if (mismatches.length > 0) throw new Error(mismatches.join(', '))
}

type Deposited = {
  readonly order: VenueOrder
  readonly now: number
  readonly chainId: ChainId
  readonly to: string
  readonly data: Hex
  /** What the calldata delivers. */
  readonly output: bigint
}

/** Decode and proof, where only the transaction was recorded. */
const proveAlone = async ({ order, now, chainId, to, data, output }: Deposited): Promise<void> => {
  const venue = venueAt(now, {})
  const transaction = { chainId, to: evm(to), data, value: toAmount(0n) }
  const outputAmount = toAmount(output)
  const slippage = { isFirm: true, guaranteedMin: outputAmount }
  const execution: Execution = {
    payload: { executionType: 'TRANSACTION', transaction },
    venueRef: null,
    evidence: null,
    outputAmount,
    slippage,
    carry: null,
  }
  const offer: Offer = {
    venue: 'across',
    executionType: 'TRANSACTION',
    outputAmount,
    fee: { bps: 0, amount: toAmount(0n) },
    slippage,
    gasUnits: null,
    spender: transaction.to,
    nativeFee: toAmount(0n),
    estimatedTimeSeconds: null,
    expiresAt: null,
    decimals: { input: null, output: null },
    carry: null,
  }
  const binding = { recipient: order.recipient, refundTo: order.refundTo }
  const mismatches = await provePayload(venue, execution, { sealed: { order, offer }, binding, now })
  if (mismatches.length > 0) throw new Error(mismatches.join(', '))
}

const ABI = parseAbi([
  'struct Fees { uint256 amount; address recipient; }',
  'struct DepositData { address inputToken; bytes32 outputToken; uint256 outputAmount; address depositor; bytes32 recipient; uint256 destinationChainId; bytes32 exclusiveRelayer; uint32 quoteTimestamp; uint32 fillDeadline; uint32 exclusivityParameter; bytes message; }',
  'struct SwapData { Fees submissionFees; DepositData depositData; address swapToken; address exchange; uint8 transferType; uint256 swapTokenAmount; uint256 minExpectedInputTokenAmount; bytes routerCalldata; bool enableProportionalAdjustment; address spokePool; uint256 nonce; }',
  'function swapAndBridge(SwapData data)',
  'function drainLeftoverTokens(address token, address destination)',
])
const INSTRUCTIONS = parseAbiParameters([
  'Instructions instructions',
  'struct Instructions { Call[] calls; address fallbackRecipient; }',
  'struct Call { address target; bytes callData; uint256 value; }',
])

const WITH_SWAP = {
  order: anOrder({
    from: [10, USDC.optimism],
    to: [42161, WETH.arbitrum],
    amount: 1_000_000n,
    sender: DEPOSITOR,
    slippageBps: 75,
  }),
  now: 1_770_675_636_494,
}

/** The transaction that the figures of the answer call for: api/swap/approval/_utils.ts of across-protocol/frontend. */
const swapThatFits = (): Hex => {
  const handler: Hex = '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E'
  const recipient = DEPOSITOR as Hex
  const callData = encodeFunctionData({ abi: ABI, functionName: 'drainLeftoverTokens', args: [WETH.arbitrum, recipient] })
  const calls = [callData, callData].map((drain) => ({ target: handler, callData: drain, value: 0n }) as const)
  const quoteTimestamp = 1_770_679_043 - 3_600
  const depositData = {
    inputToken: WETH.optimism,
    outputToken: pad(WETH.arbitrum),
    outputAmount: 464_434_354_522_974n,
    depositor: recipient,
    recipient: pad(handler),
    destinationChainId: 42_161n,
    exclusiveRelayer: zeroHash,
    quoteTimestamp,
    fillDeadline: quoteTimestamp + 7_200,
    exclusivityParameter: 0,
    message: encodeAbiParameters(INSTRUCTIONS, [{ calls, fallbackRecipient: zeroAddress }]),
  } as const
  const data = {
    submissionFees: { amount: 0n, recipient: zeroAddress },
    depositData,
    swapToken: USDC.optimism,
    exchange: handler,
    transferType: 0,
    swapTokenAmount: 1_000_000n,
    minExpectedInputTokenAmount: 468_764_504_022_050n,
    routerCalldata: '0x',
    enableProportionalAdjustment: true,
    spokePool: '0x6f26Bf09B1C792e3228e5467807a900A503c0281',
    nonce: 0n,
  } as const
  return `${encodeFunctionData({ abi: ABI, functionName: 'swapAndBridge', args: [data] })}73c0de`
}

const KALATORI = 'https://github.com/Kalapaja/Kalatori, daemon/src/clients/swaps/across.rs'

/** What the live API answered, as far as public repositories keep it. */
export const recordedAnswers: readonly RecordedAnswer[] = [
  {
    name: 'a deposit from OP Mainnet to Polygon, with an exclusive relayer',
    source: KALATORI,
    recordedAt: '2026-03-30',
    run: () =>
      proveAlone({
        order: anOrder({
          from: [10, USDC.optimism],
          to: [137, USDC.polygon],
          amount: 1_005_000n,
          sender: DEPOSITOR,
          recipient: evm('0x0E3Ca7fD040144900AdaA5f9B8917f3933A4F5e9'),
        }),
        now: 1_774_890_947_000,
        chainId: 10,
        to: '0x6f26Bf09B1C792e3228e5467807a900A503c0281',
        data: read('2026-02-09-any-to-bridgeable').swapTx.data as Hex,
        output: 1_002_777n,
      }),
  },
  {
    name: 'USDC on OP Mainnet exchanged for WETH and bridged to Arbitrum: the answer, with the transaction its figures call for',
    source: `${KALATORI}, from the vendor's reference`,
    recordedAt: '2026-02-09',
    run: () => {
      const answer = read('2026-02-09-any-to-bridgeable')
      return play({ ...WITH_SWAP, answer: { ...answer, swapTx: { ...answer.swapTx, data: swapThatFits() } } })
    },
  },
  {
    name: 'the same as it is published',
    source: `${KALATORI}, from the vendor's reference`,
    recordedAt: '2026-02-09',
    refusedBecause: 'its transaction is that of another order, of seven weeks later',
    refusedWith: /cannot be proved: .*another input amount, another output token/,
    run: () => play({ ...WITH_SWAP, answer: read('2026-02-09-any-to-bridgeable') }),
  },
  {
    name: 'a deposit from Arbitrum to Solana',
    source: 'https://github.com/gemwalletcom/core, crates/swapper, across provider',
    recordedAt: '2025-08-27',
    run: () =>
      proveAlone({
        order: anOrder({
          from: [42161, USDC.arbitrum],
          to: [-2, USDC.solana],
          amount: 7_000_000n,
          sender: evm('0x514bcb1f9aabb904e6106bd1052b66d2706dbbb7'),
          recipient: addressOf('solana', 'G7B17AigRCGvwnxFc5U8zY5T3NBGduLzT7KYApNU2VdR'),
        }),
        now: 1_756_299_239_000,
        chainId: 42161,
        to: '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A',
        data: '0xad5425c6000000000000000000000000514bcb1f9aabb904e6106bd1052b66d2706dbbb7e074190d46821cf0b318d4503f63178e25d76cc7d9d2498d54781fb95bb68868000000000000000000000000af88d065e77c8cc2239327c5edb3a432268e5831c6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d6100000000000000000000000000000000000000000000000000000000006acfc000000000000000000000000000000000000000000000000000000000006ac5a000000000000000000000000000000000000000000000000000001f2abb7bf89b00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000068aeffab0000000000000000000000000000000000000000000000000000000068af2e0b000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001800000000000000000000000000000000000000000000000000000000000000000',
        output: 6_997_408n,
      }),
  },
  {
    name: 'USDC on OP Mainnet to ether on Arbitrum, exchanged on arrival',
    source: 'https://github.com/openintentsframework/oif-aggregator, across adapter',
    recordedAt: '2025-08-04',
    refusedBecause:
      'what an exchange on the destination chain does is not in the calldata; the form of the answer is of 2025 too',
    refusedWith: /quoteExpiryTimestamp/,
    run: () =>
      play({
        order: anOrder({
          from: [10, USDC.optimism],
          to: [42161, NATIVE],
          amount: 1_000_000n,
          sender: DEPOSITOR,
          slippageBps: 150,
        }),
        now: 1_754_347_045_980,
        answer: read('2025-08-04-bridgeable-to-any'),
      }),
  },
  {
    name: 'USDC from Ethereum to Base, its transaction cut down to the selector',
    source: 'a Go client of a public repository, "captured 2026-05-15"',
    recordedAt: '2026-05-15',
    refusedBecause: 'the recording leaves out the tokens and the arguments of the transaction',
    refusedWith: /inputToken/,
    run: () =>
      play({
        order: anOrder({ from: [1, USDC.ethereum], to: [8453, USDC.base], amount: 1_000_000n }),
        now: 1_778_833_239_607,
        answer: {
          crossSwapType: 'bridgeableToBridgeable',
          amountType: 'exactInput',
          steps: { bridge: { inputAmount: '1000000', outputAmount: '996821', provider: 'across' } },
          inputAmount: '1000000',
          expectedOutputAmount: '996821',
          minOutputAmount: '996821',
          expectedFillTime: 2,
          swapTx: {
            ecosystem: 'evm',
            simulationSuccess: false,
            chainId: 1,
            to: '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5',
            data: '0xad5425c6',
            value: '0',
            gas: '0',
          },
          quoteExpiryTimestamp: 1_778_836_703,
          id: 'chqpg-1778833239607-ffaac4e43d73',
        },
      }),
  },
]
