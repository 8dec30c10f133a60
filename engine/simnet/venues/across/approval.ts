import { type Abi, parseAbi } from 'abitype'
import { encodeCall, encodeParameters } from '../../../chains/evm/evmCodec.ts'
import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import type { Hex } from '../../../core/execution.ts'
import {
  DEPOSIT,
  DEPOSIT_NATIVE,
  DRAIN_LEFTOVER_TOKENS,
  EMIT_DATA,
  INSTRUCTIONS,
  MAKE_CALL_WITH_BALANCE,
  SWAP_AND_BRIDGE,
  TRANSFER,
  WITHDRAW,
} from '../../../venues/across/protocol.ts'
import { allowanceOf, hasCode } from '../../kit/chainReads.ts'
import { formatUsd, unitsOf, usdMicrosOf } from '../../kit/dollars.ts'
import { alteredTerms, misquotedBy, type Takes, takesFor } from '../../kit/lies.ts'
import { refuseIf } from '../../kit/refusal.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { bridgedToken, contractOf, EXCHANGE, isSvm, type Network, wireToken, wordOn } from './networks.ts'
import { type Leg, ONE, type Price, priceSwap, type Query, readQuery } from './pricing.ts'
import { buildSolana, type SvmPlan } from './svm.ts'

/** A call of the one function of an ABI, its arguments by their names there. */
const encode = (abi: Abi, values: { readonly [argument: string]: unknown }): Promise<Hex> => {
  const [called] = abi.filter((item) => item.type === 'function')
  return encodeCall(
    abi,
    called?.name ?? '',
    (called?.inputs ?? []).map(({ name = '' }) => values[name]),
  )
}

/** contracts/interfaces/IV3SwapRouter.sol of Uniswap/swap-router-contracts. */
const EXACT_INPUT_SINGLE = parseAbi([
  'struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)',
])
const APPROVE = parseAbi(['function approve(address spender, uint256 value)'])
/** Stands for whoever calls the exchange. */
const CALLER = '0x0000000000000000000000000000000000000001'

/** An exchange that pays its caller. */
const exchangeCall = (network: Network, { from, to, amountIn, minimum }: Leg): Promise<Hex> => {
  const [tokenIn, tokenOut] = [from, to].map((token) => contractOf(network, token))
  const sums = { amountIn, amountOutMinimum: minimum, sqrtPriceLimitX96: 0n }
  return encode(EXACT_INPUT_SINGLE, { params: { tokenIn, tokenOut, fee: 500, recipient: CALLER, ...sums } })
}

/** Whether the tokens cannot go straight to the recipient: shouldBypassMultiCallHandler of api/_dexes/utils.ts. */
const needsMessage = async (world: World, query: Query, price: Price): Promise<boolean> => {
  const { origin, destination, output, recipient } = query
  if (isSvm(origin) || isSvm(destination)) return false
  if (price.originSwap || price.destinationSwap || price.appFee > 0n) return true
  if (!output.isNative && output.address !== destination.wrapped) return false
  // An account without code gets the native coin, a contract the wrapped one; anything else takes a message.
  return destination.chainId === 324 || output.isNative === (await hasCode(world, destination.chainId, recipient))
}

/** The message of a deposit: buildExactInputBridgeTokenMessage of api/_dexes/utils.ts. */
const buildMessage = async ({ destination, output, appFee }: Query, price: Price, recipient: string): Promise<Hex> => {
  const { multicallHandler: handler, eventEmitter } = destination
  const contract = contractOf(destination, output)
  const call = async (target: string, callData: Hex | Promise<Hex>, value = 0n) => ({ target, callData: await callData, value })
  const calls: ReturnType<typeof call>[] = []
  const { destinationSwap: leg, appFee: value } = price
  if (leg) {
    const approved = encode(APPROVE, { spender: EXCHANGE, value: leg.amountIn })
    calls.push(call(contractOf(destination, leg.from), approved), call(EXCHANGE, exchangeCall(destination, leg)))
  }
  if (output.isNative) {
    const withdraw = { target: contract, callData: await encode(WITHDRAW, { wad: 0n }), value: 0n }
    calls.push(call(handler, encode(MAKE_CALL_WITH_BALANCE, { ...withdraw, replacement: [{ token: contract, offset: 4n }] })))
  }
  if (appFee && value > 0n) {
    const { recipient: to } = appFee
    calls.push(output.isNative ? call(to, '0x', value) : call(contract, encode(TRANSFER, { to, value })))
  }
  for (const token of [output.isNative ? ZERO_EVM_ADDRESS : contract, contract])
    calls.push(call(handler, encode(DRAIN_LEFTOVER_TOKENS, { token, destination: recipient })))
  if (price.originSwap) calls.push(call(eventEmitter, encode(EMIT_DATA, { data: `0x01${'00'.repeat(31)}` })))
  return encodeParameters(INSTRUCTIONS, [{ calls: await Promise.all(calls), fallbackRecipient: ZERO_EVM_ADDRESS }])
}

/** The calldata of an EVM origin: api/swap/approval/_utils.ts, with the periphery of autumn 2026. */
const encodeDeposit = async ({ origin, input }: Query, { originSwap: leg, bridgeInput }: Price, plan: SvmPlan): Promise<Hex> => {
  const { inputAmount, depositor, inputToken } = plan
  const { spokePool } = origin
  if (!leg && input.isNative) return encode(DEPOSIT_NATIVE, { ...plan, spokePool })
  const words = { depositor: wordOn(origin, depositor), inputToken: wordOn(origin, inputToken) }
  if (!leg) return encode(DEPOSIT, { ...plan, ...words })
  const swap = {
    ...{ submissionFees: { amount: 0n, recipient: ZERO_EVM_ADDRESS }, depositData: plan, swapToken: contractOf(origin, input) },
    ...{ exchange: EXCHANGE, transferType: 0, swapTokenAmount: inputAmount, minExpectedInputTokenAmount: bridgeInput },
    routerCalldata: await exchangeCall(origin, { ...leg, amountIn: inputAmount }),
    ...{ enableProportionalAdjustment: true, spokePool, nonce: 0n },
  }
  return encode(SWAP_AND_BRIDGE, { swapAndDepositData: swap })
}

/** The transaction of a quote, altered where a fault says so. */
const buildTransaction = async (world: World, takes: Takes, query: Query, price: Price) => {
  const { origin, destination, input, output, depositor, refundAddress, integratorId } = query
  const hasMessage = await needsMessage(world, query, price)
  const isPeriphery = !isSvm(origin) && (input.isNative || price.originSwap !== null)
  const own = { recipient: query.recipient, minimum: price.bridgeOutput, amount: query.amount }
  const contract = isPeriphery ? origin.periphery : origin.spokePool
  const { recipient, minimum, amount, contract: to } = alteredTerms(takes, { ...own, contract }, query)
  // Rounded down, so that a chain whose clock is a little behind still takes it.
  const quoteTimestamp = Math.floor(world.clock.now() / 1_000) - 60
  const plan = {
    ...{ to, inputAmount: amount, outputAmount: minimum, quoteTimestamp, fillDeadline: quoteTimestamp + 7_200 },
    // The program on Solana refunds the account that paid, whatever address is given.
    depositor: isSvm(origin) ? depositor : refundAddress,
    recipient: wordOn(destination, hasMessage ? destination.multicallHandler : recipient),
    inputToken: contractOf(origin, price.bridgeIn),
    outputToken: wordOn(destination, contractOf(destination, price.destinationSwap ? price.bridgeOut : output)),
    destinationChainId: BigInt(destination.wireId),
    ...{ exclusiveRelayer: `0x${'0'.repeat(64)}`, exclusivityParameter: 0 },
    message: hasMessage ? await buildMessage(query, price, recipient) : '0x',
  }
  if (isSvm(origin)) return { to, data: await buildSolana(world, query, price, plan), value: 0n, quoteTimestamp }
  const data = await encodeDeposit(query, price, plan)
  // Calldata tags: api/_integrator-id.ts.
  const tags = `${integratorId === null ? '' : `1dc0de${integratorId.slice(2).toLowerCase()}`}73c0de`
  return { to, data: `${data}${tags}`, value: input.isNative ? amount : 0n, quoteTimestamp }
}

const checksOf = async (world: World, query: Query, spender: string) => {
  const { origin, input, amount, isChecked } = query
  const needsAllowance = !isSvm(origin) && !input.isNative
  const owned = { chainId: origin.chainId, token: input.address, owner: query.depositor }
  const allowance = (isChecked && needsAllowance ? await allowanceOf(world, owned, spender) : null) ?? 0n
  const { address: token } = wireToken(origin, input)
  const sums = { actual: allowance.toString(), expected: amount.toString() }
  const checks = { allowance: { token, spender, ...sums }, balance: { token, ...sums } }
  if (!needsAllowance || allowance >= amount) return { checks }
  const data = await encode(APPROVE, { spender, value: (1n << 256n) - 1n })
  return { checks, approvalTxns: [{ chainId: origin.wireId, to: input.address, data }] }
}

const bridgeStep = ({ origin, destination }: Query, { bridgeIn, bridgeOut, bridgeInput, bridgeOutput, fees }: Price) => {
  const [tokenIn, tokenOut] = [bridgedToken(origin, bridgeIn), bridgedToken(destination, bridgeOut)]
  const cost = { amount: fees.total.toString(), pct: ((fees.total * ONE) / bridgeInput).toString(), token: tokenIn }
  const sums = { inputAmount: bridgeInput.toString(), outputAmount: bridgeOutput.toString() }
  return { ...sums, tokenIn, tokenOut, fees: cost, provider: 'across' }
}

/** In dollars too, and as parts of the input. */
const feesBody = ({ market, tokens }: World, { origin, destination, input, output, amount: paid }: Query, price: Price) => {
  const worth = usdMicrosOf(market, input, paid)
  const part = (network: Network, token: SimToken, sum: bigint) => {
    const micros = usdMicrosOf(market, token, sum)
    const share = { amountUsd: formatUsd(micros), pct: ((micros * ONE) / worth).toString() }
    return { amount: sum.toString(), ...share, token: wireToken(network, token) }
  }
  const lost = unitsOf(market, input, worth - usdMicrosOf(market, output, price.expectedOutput))
  const app = part(destination, output, price.appFee)
  const total = { ...part(origin, input, lost), details: { type: 'total-breakdown', app } }
  return { total, originGas: part(origin, tokens.native(origin.chainId), 0n) }
}

/** GET /swap/approval: api/swap/approval/_service.ts of across-protocol/frontend. */
export const approvalBody = async (params: URLSearchParams, world: World) => {
  const query = readQuery(params, world.tokens)
  const takes = takesFor(world.faults, 'across', '/swap/approval')
  refuseIf(takes('halt'), 'SWAP_QUOTE_UNAVAILABLE', 'No swap quotes currently available')
  const price = priceSwap(query, world, misquotedBy(takes))
  const { origin, destination, input, output, amount } = query
  const { quoteTimestamp, ...tx } = await buildTransaction(world, takes, query, price)
  // A preview moves nothing. What a wallet may sign finds its exchanges stocked.
  for (const [network, leg] of [
    [origin, price.originSwap],
    [destination, price.destinationSwap],
  ] as const) {
    const { chainId } = network
    if (!query.isChecked || !leg) continue
    await world.evm.fund({ chainId, token: contractOf(network, leg.to), holder: EXCHANGE, amount: leg.minimum })
  }
  return {
    crossSwapType: price.type,
    amountType: 'exactInput',
    ...(await checksOf(world, query, tx.to)),
    steps: { bridge: bridgeStep(query, price) },
    inputToken: wireToken(origin, input),
    outputToken: wireToken(destination, output),
    refundToken: wireToken(origin, price.bridgeIn),
    fees: feesBody(world, query, price),
    inputAmount: amount.toString(),
    expectedOutputAmount: price.expectedOutput.toString(),
    minOutputAmount: price.minOutput.toString(),
    expectedFillTime: price.fillSeconds,
    swapTx: { simulationSuccess: false, chainId: origin.wireId, ...tx, value: tx.value > 0n ? tx.value.toString() : undefined },
    quoteExpiryTimestamp: price.destinationSwap ? Math.floor(world.clock.now() / 1_000) + 30 : quoteTimestamp + 3_600,
    id: `sim1::${world.random.hex(12)}`,
  }
}
