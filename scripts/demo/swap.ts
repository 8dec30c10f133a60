import { balanceTable, checkBalances, watchBalances } from './balances.ts'
import { carryOut } from './carryOut.ts'
import type { Client, Quote, SwapStatus, Token } from './connect.ts'
import { inCoins, type Say, type Tell, tellBy } from './printer.ts'
import type { Wallet } from './wallet.ts'
import type { Wish } from './wishes.ts'

const fund = async (client: Client, { route, feeMoney }: Wish, address: string): Promise<void> => {
  const { inputChainId: chainId, inputToken: token, inputAmount: amount } = route
  for (const gift of [{ token, amount }, feeMoney]) await client.fund({ chainId, address, ...gift })
}

const tellQuote = (quote: Quote, client: Client, tell: Tell): void => {
  const { venue, routeType, input, output, slippage, gas, estimatedTimeSeconds } = quote
  const on = ({ chainId }: Token) => client.chain(chainId).name
  tell('venue', `${venue.name}, ${routeType}`)
  tell('pay', `${inCoins(input.amount, input.token)} on ${on(input.token)}`)
  tell('get', `${inCoins(output.amount, output.token)} on ${on(output.token)}, in about ${estimatedTimeSeconds} s`)
  if (slippage) tell('at least', inCoins(slippage.guaranteedMin, output.token))
  tell('gas', gas ? `about ${inCoins(gas.native, client.chain(input.token.chainId).nativeCurrency)}` : 'none')
}

const FIRST_LOOK_MS = 3_000
const LOOKS_MAX = 30

/** Polls until a swap is delivered. Instead of waiting it lets the network's time run ahead, more with every look. */
const follow = async (client: Client, { quoteToken }: Quote, ref: string, tell: Tell): Promise<SwapStatus> => {
  let waitMs = FIRST_LOOK_MS
  let last = ''
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const status = await client.status({ quoteToken, ref })
    const text = `${status.status}${status.venueStatus ? ` (${status.venueStatus})` : ''}`
    if (text !== last) tell('status', text)
    last = text
    if (status.status === 'success') return status
    if (status.status === 'refunded' || status.status === 'failed') throw new Error(`the swap ended as ${status.status}`)
    await client.advance(waitMs)
    waitMs = Math.round(waitMs * 1.5)
  }
  throw new Error(`the swap did not end: ${last}`)
}

/** One swap from quote to success. Rejects when it ends otherwise, or the chains show less than was promised. */
export const swap = async (
  wish: Wish,
  { client, sender, recipient, say }: { client: Client; sender: Wallet; recipient: Wallet; say: Say },
): Promise<void> => {
  const tell = tellBy(say)
  const quote = await client.quote({
    ...wish.route,
    userAddress: sender.address,
    destinationAddress: recipient.address,
    refundAddress: sender.address,
  })
  tellQuote(quote, client, tell)
  await fund(client, wish, sender.address)
  const balancesNow = await watchBalances(client, quote, { sender, recipient })
  const execution = await client.execute({ quoteToken: quote.quoteToken })
  const ref = await carryOut(execution, quote, { client, wallet: sender, tell })
  const { deliveredAmount, txHash } = await follow(client, quote, ref, tell)
  tell('delivered', `in ${txHash ?? 'a transaction that the venue does not name'}`)
  const balances = await balancesNow()
  for (const line of balanceTable(balances)) say(`   ${line}`)
  checkBalances(balances, quote, deliveredAmount)
}
