import { base58 } from '@scure/base'
import { associatedTokenAddress } from '../../../chains/solana/solanaCodec.ts'
import { SOLANA } from '../../../core/chain.ts'
import type { Hex } from '../../../core/execution.ts'
import { callData } from '../../kit/callData.ts'
import { contractOf, EXCHANGE, INTENTS, type Network, NON_EVM, TREASURY, wireAddress, ZERO_ADDRESS } from './networks.ts'
import type { Price } from './pricing.ts'
import { type Question, REGISTERED } from './question.ts'

/** LibSwap.sol, ILiFi.sol and the facets of lifinance/contracts. */
const SWAP_DATA =
  'struct SwapData { address callTo; address approveTo; address sendingAssetId; address receivingAssetId; uint256 fromAmount; bytes callData; bool requiresDeposit; }'
const BRIDGE_DATA =
  'struct BridgeData { bytes32 transactionId; string bridge; string integrator; address referrer; address sendingAssetId; address receiver; uint256 minAmount; uint256 destinationChainId; bool hasSourceSwaps; bool hasDestinationCall; }'
const ACROSS =
  'struct AcrossV4Data { bytes32 receiverAddress; bytes32 refundAddress; bytes32 sendingAssetId; bytes32 receivingAssetId; uint256 outputAmount; uint128 outputAmountMultiplier; bytes32 exclusiveRelayer; uint32 quoteTimestamp; uint32 fillDeadline; uint32 exclusivityParameter; bytes message; }'
const CCTP =
  'struct PolymerCCTPData { uint256 polymerTokenFee; uint256 maxCCTPFee; bytes32 nonEVMReceiver; bytes32 solanaReceiverATA; uint32 minFinalityThreshold; address refundRecipient; bytes hookData; }'
const INTENT =
  'struct LiFiIntentEscrowDataV2 { bytes32 dstCallReceiver; bytes32 recipient; address depositAndRefundAddress; uint256 nonce; uint32 expires; uint32 fillDeadline; address inputOracle; bytes32 outputOracle; bytes32 outputSettler; bytes32 outputToken; uint128 outputAmountMultiplier; SwapData[] dstCallSwapData; bytes outputContext; }'
const RELAY = 'struct RelayData { bytes32 orderId; address depositorAddress; }'
const SHARE = 'struct FeeDistribution { address recipient; uint256 amount; }'

const swapFunction = (from: string, to: string) => [
  SWAP_DATA,
  `function swapTokensMultipleV3${from}To${to}(bytes32 _transactionId, string _integrator, string _referrer, address _receiver, uint256 _minAmountOut, SwapData[] _swapData) payable`,
]
const bridgeFunction = (name: string, struct: string, type: string) => [
  ...[BRIDGE_DATA, SWAP_DATA, struct],
  `function swapAndStartBridgeTokensVia${name}(BridgeData _bridgeData, SwapData[] _swapData, ${type} _data) payable`,
]

/** How long a deposit at Across may wait to be filled: what its pool allows, whose clock may be some seconds behind. */
const FILL_SECONDS = 6 * 3_600 - 60
const QUOTE_AGE_SECONDS = 60

/** What a call is to say, before it is put into bytes. Faults change it here. */
export type Plan = {
  readonly transactionId: string
  readonly recipient: string
  readonly amount: bigint
  /** Of what is due; null: as it was priced. */
  readonly minimum: bigint | null
  readonly nowSeconds: number
}

const wordOf = ({ chainId }: Network, address: string): Hex =>
  chainId === SOLANA
    ? `0x${Buffer.from(base58.decode(address)).toString('hex')}`
    : `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

const NO_WORD: Hex = `0x${'0'.repeat(64)}`

/** Fees are taken first, by the forwarder. */
const feeStep = async ({ origin, input }: Question, { service, integratorFee }: Price, { amount }: Plan) => {
  const token = wireAddress(input)
  const shares = [
    ...(integratorFee > 0n ? [{ recipient: REGISTERED.wallet, amount: integratorFee }] : []),
    { recipient: TREASURY, amount: service },
  ]
  const data = input.isNative
    ? await callData([SHARE, 'function forwardNativeFees(FeeDistribution[] _distributions) payable'], [shares])
    : await callData([SHARE, 'function forwardERC20Fees(address _token, FeeDistribution[] _distributions)'], [token, shares])
  const forwarder = origin.feeForwarder ?? ZERO_ADDRESS
  return {
    callTo: forwarder,
    approveTo: forwarder,
    sendingAssetId: token,
    receivingAssetId: token,
    fromAmount: amount,
    callData: data,
    requiresDeposit: true,
  }
}

const exchangeStep = async ({ input }: Question, { exchange }: Price, pays: bigint) => {
  if (exchange === null) return []
  const [from, to] = [wireAddress(input), wireAddress(exchange.to)]
  const signature = 'function swap(address from, address to, uint256 amountIn, uint256 amountOut) payable'
  const data = await callData(signature, [from, to, exchange.amountIn, pays])
  return [
    {
      callTo: EXCHANGE,
      approveTo: EXCHANGE,
      sendingAssetId: from,
      receivingAssetId: to,
      fromAmount: exchange.amountIn,
      callData: data,
      requiresDeposit: false,
    },
  ]
}

const acrossData = (question: Question, price: Price, { recipient, minimum, nowSeconds }: Plan) => {
  const { origin, destination, input, output, sender } = question
  const token = price.exchange?.to ?? input
  const multiplier = minimum === null ? price.multiplier : price.multiplier / 2n
  return {
    receiverAddress: wordOf(destination, recipient),
    refundAddress: wordOf(origin, sender),
    sendingAssetId: wordOf(origin, contractOf(origin, token)),
    receivingAssetId: wordOf(destination, contractOf(destination, output)),
    outputAmount: price.expected,
    outputAmountMultiplier: multiplier,
    exclusiveRelayer: NO_WORD,
    // Of a block that all chains have passed, as Across tells it: a chain refuses one that is to come.
    quoteTimestamp: nowSeconds - QUOTE_AGE_SECONDS,
    fillDeadline: nowSeconds + FILL_SECONDS,
    exclusivityParameter: 0,
    message: '0x',
  }
}

const cctpData = (
  { destination, output, sender }: Question,
  { tool, polymerFee, cctpFee, expected }: Price,
  { recipient, minimum }: Plan,
) => {
  const isSolana = destination.chainId === SOLANA
  return {
    polymerTokenFee: minimum === null ? polymerFee : polymerFee + expected / 2n,
    maxCCTPFee: cctpFee,
    nonEVMReceiver: isSolana ? wordOf(destination, recipient) : NO_WORD,
    solanaReceiverATA: isSolana ? wordOf(destination, associatedTokenAddress(recipient, output.address)) : NO_WORD,
    minFinalityThreshold: tool === 'polymer' ? 1_000 : 2_000,
    refundRecipient: sender,
    hookData: '0x',
  }
}

/** LI.FI gives 44 hours to fill and 48 until the input may be sent back, and at first names one solver. */
const [INTENT_FILL_SECONDS, INTENT_SECONDS, EXCLUSIVE_SECONDS] = [44 * 3_600, 48 * 3_600, 60]

const intentData = (
  { origin, destination, output, sender }: Question,
  price: Price,
  { transactionId, recipient, minimum, nowSeconds }: Plan,
) => {
  const oracle = wordOf(destination, INTENTS.oracle)
  const until = (nowSeconds + EXCLUSIVE_SECONDS).toString(16).padStart(8, '0')
  return {
    ...{ dstCallReceiver: NO_WORD, recipient: wordOf(destination, recipient), depositAndRefundAddress: sender },
    ...{ nonce: BigInt(transactionId), expires: nowSeconds + INTENT_SECONDS, fillDeadline: nowSeconds + INTENT_FILL_SECONDS },
    ...{ inputOracle: INTENTS.oracle, outputOracle: oracle, outputSettler: wordOf(destination, INTENTS.output) },
    outputToken: wordOf(destination, wireAddress(output)),
    outputAmountMultiplier: minimum === null ? price.multiplier : price.multiplier / 2n,
    dstCallSwapData: [],
    outputContext: `0xe0${wordOf(origin, INTENTS.solver).slice(2)}${until}`,
  }
}

const bridgeCall = async (question: Question, price: Price, plan: Plan, steps: readonly object[]): Promise<Hex> => {
  const { destination, input, integrator, sender } = question
  const tool = price.tool ?? ''
  const bridge = {
    ...{ transactionId: plan.transactionId, bridge: tool, integrator, referrer: ZERO_ADDRESS },
    sendingAssetId: wireAddress(price.exchange?.to ?? input),
    receiver: destination.chainId === SOLANA ? NON_EVM : plan.recipient,
    ...{ minAmount: price.bridged, destinationChainId: BigInt(destination.id), hasSourceSwaps: true, hasDestinationCall: false },
  }
  if (tool === 'across')
    return callData(bridgeFunction('AcrossV4', ACROSS, 'AcrossV4Data'), [bridge, steps, acrossData(question, price, plan)])
  if (tool === 'lifiIntents') {
    const data = intentData(question, price, plan)
    return callData(bridgeFunction('LiFiIntentEscrowV2', INTENT, 'LiFiIntentEscrowDataV2'), [bridge, steps, data])
  }
  if (tool === 'relaydepository') {
    const data = { orderId: plan.transactionId, depositorAddress: sender }
    return callData(bridgeFunction('RelayDepository', RELAY, 'RelayData'), [bridge, steps, data])
  }
  return callData(bridgeFunction('PolymerCCTP', CCTP, 'PolymerCCTPData'), [bridge, steps, cctpData(question, price, plan)])
}

/** The calldata of a quote. `pays`: what the exchange will give. */
export const callOf = async (question: Question, price: Price, plan: Plan, pays: bigint): Promise<Hex> => {
  const steps = [await feeStep(question, price, plan), ...(await exchangeStep(question, price, pays))]
  if (price.tool !== null) return bridgeCall(question, price, plan, steps)
  const { input, output, integrator } = question
  const kind = [input, output].map(({ isNative }) => (isNative ? 'Native' : 'ERC20'))
  const minimum = plan.minimum ?? price.minimum
  const args = [plan.transactionId, integrator, ZERO_ADDRESS, plan.recipient, minimum, steps]
  return callData(swapFunction(kind[0] ?? '', kind[1] ?? ''), args)
}
