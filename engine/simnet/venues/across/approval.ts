import { wordOf } from '../../kit/abiWords.ts'
import { callData, ERC20 } from '../../kit/callData.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { World } from '../../kit/world.ts'
import { buildDeposit, type DepositPlan, type SwapTx } from './buildDeposit.ts'
import { buildSolana } from './buildSolana.ts'
import { stockExchange } from './exchange.ts'
import { bridgeFeesBody, bridgeToken, feesBody } from './fees.ts'
import { buildMessage, needsMessage } from './message.ts'
import { isSvm, type Network } from './networks.ts'
import { type Leg, type Price, priceSwap } from './pricing.ts'
import { ONE, readSwapQuery, type SwapQuery, wireToken } from './swapQuery.ts'

const ID = 'across'
const PATH = '/swap/approval'
const DEPOSIT_GAS = 142_000n
const UNLIMITED = (1n << 256n) - 1n

type Checks = { readonly allowance: bigint; readonly balance: bigint }

/** What a chain says; one that cannot be asked leaves it at zero. */
const orZero = (read: Promise<bigint>): Promise<bigint> => read.catch(() => 0n)

/** Reads the wallet as the vendor does. */
const readWallet = async (
  { evm, solana }: World,
  { origin, input, depositor, amount }: SwapQuery,
  spender: string,
): Promise<Checks> => {
  if (isSvm(origin)) return { allowance: amount, balance: await orZero(solana.balance(input.address, depositor)) }
  const { chainId } = origin
  const balance = await orZero(evm.balance(chainId, input.address, depositor))
  if (input.isNative) return { allowance: UNLIMITED, balance }
  const data = `0xdd62ed3e${wordOf(depositor)}${wordOf(spender)}`
  return { allowance: await orZero(evm.call({ chainId, to: input.address, data }).then(BigInt)), balance }
}

const isContract = async (evm: World['evm'], { destination, recipient }: SwapQuery): Promise<boolean> => {
  if (isSvm(destination)) return false
  try {
    const code = await evm.rpc(destination.chainId, 'eth_getCode', [recipient, 'latest'])
    return typeof code === 'string' && code.length > 2
  } catch {
    return false
  }
}

/** USDT-like tokens must be set to zero before they take another allowance. */
const approvalTxns = async (query: SwapQuery, { allowance }: Checks, spender: string) => {
  const { origin, input, amount } = query
  if (isSvm(origin) || input.isNative || allowance >= amount) return {}
  const txn = async (sum: bigint) => ({
    chainId: origin.wireId,
    to: input.address,
    data: await callData(ERC20.approve, [spender, sum]),
  })
  const reset = input.symbol === 'USDT' && allowance > 0n ? [await txn(0n)] : []
  return { approvalTxns: [...reset, await txn(UNLIMITED)] }
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
const planDeposit = async ({ clock, faults, evm }: World, query: SwapQuery, price: Price): Promise<DepositPlan> => {
  const { origin, destination, input, recipient, depositor, refundAddress, refundOnOrigin } = query
  const takes = (fault: Parameters<typeof faults.take>[1]) => faults.take(ID, fault, PATH) !== null
  const isDirect = isSvm(origin) || isSvm(destination) || !needsMessage(query, price, await isContract(evm, query))
  const stranger = isSvm(destination)
    ? 'SysvarC1ock11111111111111111111111111111111'
    : '0x000000000000000000000000000000000000dEaD'
  const meant = takes('wrong-recipient') ? { ...query, recipient: stranger } : query
  const isPeriphery = !isSvm(origin) && (input.isNative || price.originSwap !== null)
  const contract = isPeriphery ? origin.periphery : origin.spokePool
  const foreign = isSvm(origin) ? '11111111111111111111111111111111' : '0x000000000000000000000000000000000000bEEF'
  // Rounded down, so that a chain whose clock is a little behind still takes it.
  const quoteTimestamp = Math.floor(clock.now() / 60_000) * 60 - 60
  return {
    to: takes('wrong-contract') ? foreign : contract,
    // The program on Solana refunds the account that paid, whatever address is given.
    depositor: refundOnOrigin && !isSvm(origin) ? (refundAddress ?? depositor) : depositor,
    recipient: isDirect ? meant.recipient : destination.multicallHandler,
    inputAmount: takes('wrong-amount') ? query.amount * 2n : query.amount,
    outputAmount: takes('wrong-minimum') ? price.bridgeOutput / 2n : price.bridgeOutput,
    message: isDirect ? '0x' : await buildMessage({ ...meant, recipient: meant === query ? recipient : stranger }, price),
    quoteTimestamp,
    fillDeadline: quoteTimestamp + 7_200,
  }
}

const buildTx = async (
  world: World,
  query: SwapQuery,
  price: Price,
  plan: DepositPlan,
): Promise<Omit<SwapTx, 'data'> & { data: string }> => {
  if (!isSvm(query.origin)) return buildDeposit(query, price, plan)
  if (price.originSwap) throw new Refusal('SWAP_QUOTE_UNAVAILABLE', 'No swap quotes currently available')
  const program = query.origin.spokePool
  const data = await buildSolana(query, { ...plan, to: program }, await world.solana.blockhash())
  return { to: plan.to, data, value: 0n }
}

const expiryOf = ({ destination }: SwapQuery, price: Price, plan: DepositPlan, nowSeconds: number): number =>
  price.destinationSwap ? nowSeconds + (destination.chainId === 1 ? 60 : 30) : plan.quoteTimestamp + 3_600

const distortion = ({ faults }: World) => {
  const factor = faults.take(ID, 'price-x100', PATH) ? 100n : faults.take(ID, 'wrong-decimals', PATH) ? 10n ** 12n : 1n
  return (output: bigint): bigint => output * factor
}

const checksBody = ({ origin, input, amount }: SwapQuery, { allowance, balance }: Checks, spender: string) => {
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
  if (world.faults.take(ID, 'halt', PATH)) throw new Refusal('SWAP_QUOTE_UNAVAILABLE', 'No swap quotes currently available')
  const price = priceSwap(query, { market: world.market, tokens: world.tokens, distort: distortion(world) })
  const { origin, destination, input, output, amount } = query
  const plan = await planDeposit(world, query, price)
  const tx = await buildTx(world, query, price, plan)
  await stockExchanges(world, query, price)
  const wallet = query.skipChecks ? { allowance: 0n, balance: 0n } : await readWallet(world, query, tx.to)
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
