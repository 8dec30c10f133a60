import { wordOf } from '../../kit/abiWords.ts'
import { callData, ERC20 } from '../../kit/callData.ts'
import { alteredTerms, misquotedBy, type Takes, takesFor } from '../../kit/lies.ts'
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import type { World } from '../../kit/world.ts'
import { buildDeposit, type DepositPlan } from './buildDeposit.ts'
import { buildSolana } from './buildSolana.ts'
import { stockExchange } from './exchange.ts'
import { bridgeFeesBody, bridgeToken, feesBody } from './fees.ts'
import { buildMessage, needsMessage } from './message.ts'
import { isSvm, type Network } from './networks.ts'
import { type Leg, type Price, priceSwap } from './pricing.ts'
import { ONE, readSwapQuery, type SwapQuery, wireToken } from './swapQuery.ts'

const DEPOSIT_GAS = 142_000n
const UNLIMITED = (1n << 256n) - 1n

type Wallet = { readonly allowance: bigint; readonly balance: bigint }

/** Reads the wallet as the vendor does. A chain that cannot be asked leaves what it says at zero. */
const readWallet = async ({ evm, solana }: World, query: SwapQuery, spender: string): Promise<Wallet> => {
  const { origin, input, depositor, amount, skipChecks } = query
  if (skipChecks) return { allowance: 0n, balance: 0n }
  const orZero = (read: Promise<bigint>): Promise<bigint> => read.catch(() => 0n)
  if (isSvm(origin)) return { allowance: amount, balance: await orZero(solana.balance(input.address, depositor)) }
  const { chainId } = origin
  const balance = await orZero(evm.balance(chainId, input.address, depositor))
  if (input.isNative) return { allowance: UNLIMITED, balance }
  const data = `0xdd62ed3e${wordOf(depositor)}${wordOf(spender)}`
  return { allowance: await orZero(evm.call({ chainId, to: input.address, data }).then(BigInt)), balance }
}

const isContract = async (evm: World['evm'], { destination, recipient }: SwapQuery): Promise<boolean> => {
  const code = await evm.rpc(destination.chainId, 'eth_getCode', [recipient, 'latest']).catch(() => '0x')
  return typeof code === 'string' && code.length > 2
}

/** USDT-like tokens must be set to zero before they take another allowance. */
const approvalTxns = async ({ origin, input, amount }: SwapQuery, { allowance }: Wallet, spender: string) => {
  if (isSvm(origin) || input.isNative || allowance >= amount) return {}
  const sums = input.symbol === 'USDT' && allowance > 0n ? [0n, UNLIMITED] : [UNLIMITED]
  const datas = await Promise.all(sums.map((sum) => callData(ERC20.approve, [spender, sum])))
  return { approvalTxns: datas.map((data) => ({ chainId: origin.wireId, to: input.address, data })) }
}

const legBody = (network: Network, leg: Leg | null) =>
  leg
    ? {
        tokenIn: wireToken(network, leg.from),
        tokenOut: wireToken(network, leg.to),
        inputAmount: leg.amountIn.toString(),
        outputAmount: leg.expected.toString(),
        minOutputAmount: leg.minimum.toString(),
        maxInputAmount: leg.amountIn.toString(),
        swapProvider: { name: 'uniswap-v3/swap-router-02', sources: ['uniswap_v3'] },
        slippage: Number((leg.slippage * 1_000_000n) / ONE) / 1_000_000,
      }
    : undefined

/** Makes a plan of what was asked, altered where a fault says so. */
const planDeposit = async ({ clock, evm }: World, takes: Takes, query: SwapQuery, price: Price): Promise<DepositPlan> => {
  const { origin, destination, input, recipient, amount, depositor, refundAddress, refundOnOrigin } = query
  const hasMessage = !isSvm(origin) && !isSvm(destination) && needsMessage(query, price, await isContract(evm, query))
  const isPeriphery = !isSvm(origin) && (input.isNative || price.originSwap !== null)
  const contract = isPeriphery ? origin.periphery : origin.spokePool
  const terms = alteredTerms(takes, { recipient, minimum: price.bridgeOutput, amount, contract }, query)
  // Rounded down, so that a chain whose clock is a little behind still takes it.
  const quoteTimestamp = Math.floor(clock.now() / 1_000) - 60
  return {
    to: terms.contract,
    // The program on Solana refunds the account that paid, whatever address is given.
    depositor: refundOnOrigin && !isSvm(origin) ? (refundAddress ?? depositor) : depositor,
    recipient: hasMessage ? destination.multicallHandler : terms.recipient,
    inputAmount: terms.amount,
    outputAmount: terms.minimum,
    message: hasMessage ? await buildMessage({ ...query, recipient: terms.recipient }, price) : '0x',
    quoteTimestamp,
    fillDeadline: quoteTimestamp + 7_200,
  }
}

const NO_QUOTES = ['SWAP_QUOTE_UNAVAILABLE', 'No swap quotes currently available'] as const

const buildTx = async ({ solana }: World, query: SwapQuery, price: Price, plan: DepositPlan) => {
  if (!isSvm(query.origin)) return buildDeposit(query, price, plan)
  if (price.originSwap) throw new Refusal(...NO_QUOTES)
  const data = await buildSolana(query, { ...plan, to: query.origin.spokePool }, await solana.blockhash())
  return { to: plan.to, data, value: 0n }
}

const expiryOf = ({ destination }: SwapQuery, price: Price, plan: DepositPlan, nowSeconds: number): number =>
  price.destinationSwap ? nowSeconds + (destination.chainId === 1 ? 60 : 30) : plan.quoteTimestamp + 3_600

const checksBody = ({ origin, input, amount }: SwapQuery, { allowance, balance }: Wallet, spender: string) => {
  const token = wireToken(origin, input).address
  const expected = amount.toString()
  return {
    allowance: { token, spender, actual: allowance.toString(), expected },
    balance: { token, actual: balance.toString(), expected },
  }
}

const stepsBody = (query: SwapQuery, price: Price) => {
  const { origin, destination } = query
  return {
    originSwap: legBody(origin, price.originSwap),
    bridge: {
      inputAmount: price.bridgeInput.toString(),
      outputAmount: price.bridgeOutput.toString(),
      tokenIn: bridgeToken(origin, price.bridgeIn),
      tokenOut: bridgeToken(destination, price.bridgeOut),
      fees: bridgeFeesBody(query, price),
      provider: 'across',
    },
    destinationSwap: legBody(destination, price.destinationSwap),
  }
}

/** A preview moves nothing; what a wallet may sign finds its exchanges stocked. */
const stockExchanges = async (world: World, { origin, destination, skipChecks }: SwapQuery, price: Price): Promise<void> => {
  if (skipChecks) return
  if (price.originSwap) await stockExchange(world, origin, price.originSwap)
  if (price.destinationSwap) await stockExchange(world, destination, price.destinationSwap)
}

/** GET /swap/approval: api/swap/approval/_service.ts of across-protocol/frontend. */
export const approvalBody = async (params: URLSearchParams, world: World) => {
  const query = readSwapQuery(params, world.tokens)
  const takes = takesFor(world.faults, 'across', '/swap/approval')
  refuseIf(takes('halt'), ...NO_QUOTES)
  const price = priceSwap(query, world, misquotedBy(takes))
  const { origin, destination, input, output, amount } = query
  const plan = await planDeposit(world, takes, query, price)
  const tx = await buildTx(world, query, price, plan)
  await stockExchanges(world, query, price)
  const wallet = await readWallet(world, query, tx.to)
  const isReady = !query.skipOriginTxEstimation && !isSvm(origin) && wallet.allowance >= amount && wallet.balance >= amount
  return {
    crossSwapType: price.type,
    amountType: 'exactInput',
    checks: checksBody(query, wallet, tx.to),
    ...(await approvalTxns(query, wallet, tx.to)),
    steps: stepsBody(query, price),
    inputToken: wireToken(origin, input),
    outputToken: wireToken(destination, output),
    refundToken: wireToken(origin, price.bridgeIn),
    fees: feesBody(world, query, price),
    inputAmount: amount.toString(),
    maxInputAmount: amount.toString(),
    expectedOutputAmount: price.expectedOutput.toString(),
    minOutputAmount: price.minOutput.toString(),
    expectedFillTime: price.fillSeconds,
    swapTx: {
      ecosystem: isSvm(origin) ? 'svm' : 'evm',
      simulationSuccess: isReady,
      chainId: origin.wireId,
      to: tx.to,
      data: tx.data,
      ...(tx.value > 0n ? { value: tx.value.toString() } : {}),
      ...(isReady ? { gas: DEPOSIT_GAS.toString() } : {}),
    },
    quoteExpiryTimestamp: expiryOf(query, price, plan, Math.floor(world.clock.now() / 1_000)),
    id: `sim1::${world.random.hex(12)}`,
  }
}
