import type { ServiceClient } from '../client/service.ts'
import { type CarriedOut, carryOut, follow, fund, lastOf, type Open } from '../client/swap.ts'
import type { Wallet } from '../client/wallet.ts'
import type { Execution, Quote, SwapStatus, Token } from '../client/wire.ts'
import { balanceTable, checkBalances, type Watching, watchBalances } from './balances.ts'
import { inCoins, type Say, type Tell, tellBy } from './printer.ts'
import type { Wish } from './wishes.ts'

/** What a swap is made with. */
export type Means = Watching & {
  readonly service: ServiceClient
  readonly sender: Wallet
  readonly recipient: Wallet
  readonly say: Say
}

const tellQuote = (quote: Quote, { chainOf }: Watching, tell: Tell): void => {
  const { venue, routeType, input, output, fee, slippage, gas, estimatedTimeSeconds } = quote
  const on = ({ chainId }: Token) => chainOf(chainId).name
  tell('venue', `${venue.name}, ${routeType}`)
  tell('pay', `${inCoins(input.amount, input.token)} on ${on(input.token)}`)
  tell('get', `${inCoins(output.amount, output.token)} on ${on(output.token)}, in about ${estimatedTimeSeconds} s`)
  if (fee.bps > 0) tell('fee', `${fee.bps} basis points, ${inCoins(fee.amount, fee.token)}`)
  if (slippage) tell('at least', inCoins(slippage.guaranteedMin, output.token))
  tell('gas', gas ? `about ${inCoins(gas.native, chainOf(input.token.chainId).nativeCurrency)}` : 'none')
}

const tellCarriedOut = (execution: Execution, { token }: Quote['input'], done: CarriedOut, tell: Tell): void => {
  const sent = done.approvals.map(({ id }) => id)
  if ('approval' in execution && execution.approval) {
    const { amount, spender, reset } = execution.approval
    if (reset) tell('wallet', `allowance reset in ${sent.at(0)}`)
    tell('wallet', `${inCoins(amount, token)} approved for ${spender} in ${sent.at(-1)}`)
  }
  if (execution.executionType === 'DEPOSIT') {
    const { amount, address } = execution.deposit
    tell('wallet', `DEPOSIT of ${inCoins(amount, token)} to ${address} in ${done.payment?.id}`)
  } else if (execution.executionType === 'SIGNATURE') tell('wallet', `SIGNATURE given for the order ${done.ref}`)
  else tell('wallet', `TRANSACTION signed and sent in ${done.ref}`)
}

const FIRST_LOOK_MS = 3_000

/** Polls until a swap is delivered. Instead of waiting it lets the network's time run ahead, more with every look. */
const delivered = async ({ service, control }: Means, swap: Open, tell: Tell): Promise<SwapStatus> => {
  const onStatus = ({ status, venueStatus }: SwapStatus) => tell('status', venueStatus ? `${status} (${venueStatus})` : status)
  const end = lastOf(
    await follow({ call: service.call, control }, swap, { stepMs: (look) => Math.round(FIRST_LOOK_MS * 1.5 ** look), onStatus }),
  )
  if (end.status !== 'success') throw new Error(`the swap ended as ${end.status}`)
  return end
}

/** One swap from quote to success. Rejects when it ends otherwise, or the chains show less than was promised. */
export const swap = async ({ route, feeMoney }: Wish, means: Means): Promise<void> => {
  const { service, sender, recipient, say } = means
  const tell = tellBy(say)
  const addresses = { userAddress: sender.address, destinationAddress: recipient.address, refundAddress: sender.address }
  const quote = await service.call('quote', { body: { ...route, ...addresses } })
  tellQuote(quote, means, tell)
  for (const gift of [{ [route.inputToken]: route.inputAmount }, { [feeMoney.token]: feeMoney.amount }])
    await fund(means, route.inputChainId, sender.address, gift)
  const parties = { sender: sender.address, recipient: recipient.address }
  const balancesNow = await watchBalances(means, quote, parties)
  const { quoteToken } = quote
  const execution = await service.call('execute', { body: { quoteToken } })
  const done = await carryOut(execution, quote, { service, wallet: sender })
  tellCarriedOut(execution, quote.input, done, tell)
  const { deliveredAmount, txHash } = await delivered(means, { quoteToken, ref: done.ref }, tell)
  tell('delivered', `in ${txHash ?? 'a transaction that the venue does not name'}`)
  const balances = await balancesNow()
  for (const line of balanceTable(balances)) say(`   ${line}`)
  checkBalances(balances, quote, deliveredAmount)
}
