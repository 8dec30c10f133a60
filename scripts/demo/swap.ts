import { formatUnits } from 'viem'
import { type Holding, heldBy } from '../client/balances.ts'
import type { NetworkControl } from '../client/network.ts'
import type { ServiceClient } from '../client/service.ts'
import { type CarriedOut, carryOut, follow, fund, lastOf, type Open } from '../client/swap.ts'
import { NATIVE, NATIVE_SOL, SOLANA } from '../client/tokens.ts'
import type { Wallet } from '../client/wallet.ts'
import type { Chain, Execution, Quote, QuoteRequest, SwapStatus, Token } from '../client/wire.ts'

/** Prints a line; an empty one without a text. */
export type Say = (line?: string) => void

/** Prints a named fact about the swap under way. */
export const fact = (say: Say, name: string, value: string): void => say(`   ${name.padEnd(10)} ${value}`)

export type Route = Pick<
  QuoteRequest,
  'inputChainId' | 'inputToken' | 'inputAmount' | 'outputChainId' | 'outputToken' | 'excludeVenues'
>

/** What the sender has besides, by token, for the fees of the origin chain. */
export type FeeMoney = { readonly [token: string]: string }

export type Means = {
  readonly service: ServiceClient
  readonly control: NetworkControl
  readonly chainOf: (chainId: number) => Chain
  readonly sender: Wallet
  readonly recipient: Wallet
  readonly say: Say
}

type Coin = Pick<Token, 'chainId' | 'address' | 'symbol' | 'decimals' | 'isNative'>
type Account = { readonly who: 'sender' | 'recipient'; readonly owner: string; readonly coin: Coin }
type Balance = Account & { readonly before: bigint; readonly after: bigint; readonly change: bigint }

const inCoins = (amount: string | bigint, { decimals, symbol }: Pick<Coin, 'decimals' | 'symbol'>): string =>
  `${formatUnits(BigInt(amount), decimals)} ${symbol}`

const sayQuote = (quote: Quote, { chainOf, say }: Means): void => {
  const { venue, routeType, input, output, fee, slippage, gas, estimatedTimeSeconds } = quote
  const on = ({ chainId }: Token) => chainOf(chainId).name
  fact(say, 'venue', `${venue.name}, ${routeType}`)
  fact(say, 'pay', `${inCoins(input.amount, input.token)} on ${on(input.token)}`)
  fact(say, 'get', `${inCoins(output.amount, output.token)} on ${on(output.token)}, in about ${estimatedTimeSeconds} s`)
  if (fee.bps > 0) fact(say, 'fee', `${fee.bps} basis points, ${inCoins(fee.amount, fee.token)}`)
  if (slippage) fact(say, 'at least', inCoins(slippage.guaranteedMin, output.token))
  fact(say, 'gas', gas ? `about ${inCoins(gas.native, chainOf(input.token.chainId).nativeCurrency)}` : 'none')
}

const sayCarriedOut = (execution: Execution, { token }: Quote['input'], done: CarriedOut, say: Say): void => {
  const sent = done.approvals.map(({ id }) => id)
  if ('approval' in execution && execution.approval) {
    const { amount, spender, reset } = execution.approval
    if (reset) fact(say, 'wallet', `allowance reset in ${sent.at(0)}`)
    fact(say, 'wallet', `${inCoins(amount, token)} approved for ${spender} in ${sent.at(-1)}`)
  }
  if (execution.executionType === 'DEPOSIT') {
    const { amount, address } = execution.deposit
    fact(say, 'wallet', `DEPOSIT of ${inCoins(amount, token)} to ${address} in ${done.payment?.id}`)
  } else if (execution.executionType === 'SIGNATURE') fact(say, 'wallet', `SIGNATURE given for the order ${done.ref}`)
  else fact(say, 'wallet', `TRANSACTION signed and sent in ${done.ref}`)
}

const FIRST_STEP_MS = 3_000

/** Polls until a swap is delivered. Instead of waiting, it advances the network's time, by more with every poll. */
const delivered = async ({ service: { call }, control, say }: Means, swap: Open): Promise<SwapStatus> => {
  const onStatus = ({ status, venueStatus }: SwapStatus) =>
    fact(say, 'status', venueStatus ? `${status} (${venueStatus})` : status)
  const stepMs = (poll: number) => Math.round(FIRST_STEP_MS * 1.5 ** poll)
  const end = lastOf(await follow({ call, control }, swap, { stepMs, onStatus }))
  if (end.status !== 'success') throw new Error(`the swap ended as ${end.status}`)
  return end
}

const holdingOf = ({ owner, coin: { chainId, address, isNative } }: Account): Holding => {
  const native = chainId === SOLANA ? NATIVE_SOL : NATIVE
  return { chainId, owner, token: isNative ? native : address }
}

/** Reads what a swap moves: the sender's input and gas money, and the recipient's output. */
const watchBalances = async (means: Means, { input, output }: Quote): Promise<() => Promise<readonly Balance[]>> => {
  const { control, chainOf, sender, recipient } = means
  const { chainId, isNative } = input.token
  const gas: Coin = { ...chainOf(chainId).nativeCurrency, chainId, address: '', isNative: true }
  const accounts: readonly Account[] = [
    ...(isNative ? [input.token] : [input.token, gas]).map((coin) => ({ who: 'sender', owner: sender.address, coin }) as const),
    { who: 'recipient', owner: recipient.address, coin: output.token },
  ]
  const read = () => Promise.all(accounts.map((account) => heldBy({ control }, holdingOf(account))))
  const earlier = await read()
  return async () => {
    const later = await read()
    return accounts.map((account, i) => {
      const [before, after] = [earlier[i] ?? 0n, later[i] ?? 0n]
      return { ...account, before, after, change: after - before }
    })
  }
}

/** Throws when the chains contradict the service. */
const checkBalances = (balances: readonly Balance[], { input, output, slippage }: Quote, reported: string | undefined): void => {
  const [paid, received] = [balances.at(0), balances.at(-1)]
  if (paid?.who !== 'sender' || received?.who !== 'recipient') throw new Error('no balances were read')
  const promised = BigInt(slippage?.guaranteedMin ?? output.amount)
  if (received.change < promised)
    throw new Error(
      `the recipient got ${inCoins(received.change, received.coin)} of at least ${inCoins(promised, received.coin)}`,
    )
  if (reported !== undefined && BigInt(reported) !== received.change)
    throw new Error(`${reported} units were reported as delivered, ${received.change} arrived`)
  if (-paid.change < BigInt(input.amount))
    throw new Error(`the sender paid ${inCoins(-paid.change, paid.coin)} of ${inCoins(input.amount, paid.coin)}`)
}

const sayBalances = (balances: readonly Balance[], { chainOf, say }: Means): void => {
  const rows = balances.map(({ who, coin, before, after, change }) => {
    const [first, second, third] = [before, after, change].map((amount) => formatUnits(amount, coin.decimals))
    return [who, chainOf(coin.chainId).name, coin.symbol, first ?? '', second ?? '', `${change < 0n ? '' : '+'}${third}`]
  })
  const table = [['balances', 'chain', 'token', 'before', 'after', 'change'], ...rows]
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  for (const row of table)
    say(`   ${row.map((cell, i) => (i < 3 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}`)
}

/** One swap from quote to success. Rejects when the swap ends otherwise, or the chains show less than was promised. */
export const swap = async (route: Route, feeMoney: FeeMoney, means: Means): Promise<void> => {
  const { service, sender, recipient, say } = means
  const addresses = { userAddress: sender.address, destinationAddress: recipient.address, refundAddress: sender.address }
  const quote = await service.call('quote', { body: { ...route, ...addresses } })
  sayQuote(quote, means)
  for (const amounts of [{ [route.inputToken]: route.inputAmount }, feeMoney])
    await fund(means, route.inputChainId, sender.address, amounts)
  const balancesNow = await watchBalances(means, quote)
  const { quoteToken } = quote
  const execution = await service.call('execute', { body: { quoteToken } })
  const done = await carryOut(execution, quote, { service, wallet: sender })
  sayCarriedOut(execution, quote.input, done, say)
  const { deliveredAmount, txHash } = await delivered(means, { quoteToken, ref: done.ref })
  fact(say, 'delivered', `in ${txHash ?? 'a transaction that the venue does not name'}`)
  const balances = await balancesNow()
  sayBalances(balances, means)
  checkBalances(balances, quote, deliveredAmount)
}
