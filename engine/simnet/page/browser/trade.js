import { html, nothing } from 'lit-html'
import { amountText, durationText } from '../../../pages/browser/text.js'
import { connectWallet } from './extension.js'
import { callService, pause } from './net.js'
import { carryOut, chainOf, follow, fund, ownAddress, say } from './pay.js'
import { declineText, racesView } from './race.js'
import { chainOptions, NO_RACE, nowOf, onValue, optionsOf, tokenOptions, trying, ui, update, updateNow } from './ui.js'

/** @typedef {import('./ui.js').State} State @typedef {import('./ui.js').Wish} Wish @typedef {import('../../watch/watched.ts').FaucetToken} Token */

const EXECUTIONS = {
  TRANSACTION: 'Sign and send a transaction',
  SIGNATURE: 'Sign a message',
  DEPOSIT: 'Send a deposit',
}
/** Decimal text of whole units as smallest units, exact; null where it is none. @param {string} text @param {number} decimals */
export const parseAmount = (text, decimals) => {
  const [, whole, part = ''] = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text.trim()) ?? []
  if (whole === undefined || part.length > decimals) return null
  return BigInt(whole + part.padEnd(decimals, '0')).toString()
}

/** What an amount must be. @param {string} symbol @param {number} decimals */
export const amountHelp = (symbol, decimals) =>
  `Enter a number above 0, such as 12.5. ${symbol} has ${decimals === 0 ? 'no decimals' : `at most ${decimals} decimals`}.`

/** @param {State} state @param {number} chainId @param {string} address */
const tokenOf = (state, chainId, address) => chainOf(state, chainId)?.tokens.find((token) => token.address === address)
/** @param {State} state @param {number} chainId @param {string} symbol */
const addressOf = (state, chainId, symbol) =>
  chainOf(state, chainId)?.tokens.find((token) => token.symbol === symbol)?.address ?? ''

/** What is chosen first on a chain. @param {State} state @param {number} chainId */
export const firstToken = (state, chainId) =>
  addressOf(state, chainId, 'USDC') || (chainOf(state, chainId)?.tokens[0]?.address ?? '')

/** @param {State} state @returns {Wish} */
export const firstWish = (state) => ({
  inputChainId: 8453,
  inputToken: addressOf(state, 8453, 'USDC'),
  amount: '250',
  outputChainId: 42161,
  outputToken: addressOf(state, 42161, 'USDC'),
  slippageBps: '',
  rankingMode: 'best_output',
})

/** @param {State} state @param {Wish} wish */
const requestOf = (state, wish) => {
  const token = tokenOf(state, wish.inputChainId, wish.inputToken)
  const inputAmount = token && parseAmount(wish.amount, token.decimals)
  if (!inputAmount || inputAmount === '0') return null
  return {
    inputChainId: wish.inputChainId,
    inputToken: wish.inputToken,
    inputAmount,
    outputChainId: wish.outputChainId,
    outputToken: wish.outputToken,
    userAddress: ownAddress(wish.inputChainId),
    destinationAddress: ownAddress(wish.outputChainId),
    refundAddress: ownAddress(wish.inputChainId),
    rankingMode: wish.rankingMode,
    ...(wish.slippageBps !== '' && { slippageBps: Number(wish.slippageBps) }),
  }
}

export const askQuote = async () => {
  if (ui.isAsking || ui.isSwapping) return
  ui.amountTrouble = ''
  const { state, wish } = ui
  const request = state && wish && requestOf(state, wish)
  if (!state || !request) {
    const token = wish && state && tokenOf(state, wish.inputChainId, wish.inputToken)
    ui.amountTrouble = amountHelp(token?.symbol ?? 'This token', token?.decimals ?? 0)
    replaceBy(null)
    updateNow()
    return document.getElementById('amount')?.focus()
  }
  ui.isAsking = true
  ui.lines = []
  update()
  const { data, failure } = await callService(state.service.url, 'POST', '/api/v1/quote', request)
  const waitMs = Number(failure?.details?.retryAfterSec ?? 0) * 1_000
  ui.isAsking = false
  ui.raceId = null
  if (failure) replaceBy({ failure, again: Date.now() + waitMs, input: tokenOf(state, request.inputChainId, request.inputToken) })
  else ui.asked = { quote: data, again: 0 }
  update()
  if (waitMs > 0) countDown()
}

/** An error replaces the quote before it, with its race and its steps. @param {typeof ui.asked} asked */
const replaceBy = (asked) => {
  ui.asked = asked
  ui.lines = []
  ui.raceId = asked?.failure?.details?.declines ? null : NO_RACE
}

/** The button that was clicked goes away: the focus moves on. */
const renewQuote = async () => {
  await askQuote()
  updateNow()
  document.getElementById('swap')?.focus()
}

/** Redraws while the reader has to wait. */
const countDown = async () => {
  while (ui.asked && ui.asked.again > Date.now()) {
    update()
    await pause(250)
  }
  update()
}

/** Why the quote cannot be swapped; empty if it can. @param {State} state @param {NonNullable<typeof ui.asked>} asked */
const obstacleTo = (state, { quote, isUsed }) => {
  if (isUsed) return 'This quote was used.'
  if (quote.expiresAt <= nowOf(state)) return 'This quote has expired.'
  return quote.executable ? '' : 'This quote is a preview and cannot be executed.'
}

export const swapNow = async () => {
  const { state, wallet, asked } = ui
  const quote = asked?.quote
  if (!state || !wallet || !quote || ui.isSwapping || ui.isAsking || obstacleTo(state, asked) !== '') return
  ui.isSwapping = true
  ui.lines = []
  try {
    await fund(state, quote)
    const path = '/api/v1/execute'
    const { data, failure } = await callService(state.service.url, 'POST', path, { quoteToken: quote.quoteToken })
    if (failure) return replaceBy({ failure, again: 0 })
    say(`${EXECUTIONS[/** @type {keyof typeof EXECUTIONS} */ (data.executionType)]}.`)
    const ref = await carryOut(quote, data, wallet)
    asked.isUsed = true
    const { status, deliveredAmount } = await follow(quote.quoteToken, ref)
    const { token } = quote.output
    const delivered = deliveredAmount ? `, ${amountText(deliveredAmount, token.decimals)} ${token.symbol} delivered` : ''
    say(`The swap ended: ${status}${delivered}.`, status === 'failed')
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), true)
  } finally {
    ui.isSwapping = false
    update()
  }
}

/** The venues of `details.declines` by their text. @param {readonly any[]} declines @param {Token | undefined} input */
const declinesView = (declines, input) =>
  html`<ul>${[...Map.groupBy(declines, (decline) => declineText(decline, input))].map(
    ([text, ofText]) => html`<li>${text} <span class="faint">${ofText.map(({ venue }) => venue).join(', ')}</span></li>`,
  )}</ul>`

/** @param {NonNullable<typeof ui.asked>} asked @param {import('./net.js').Failure} failure */
const failureView = ({ again, input }, { code, message, details }) => {
  const waitSec = Math.ceil((again - Date.now()) / 1_000)
  // The page shows the details that other sentences refer to.
  const text = message
    .split(/(?<=\.) /)
    .filter((sentence) => !sentence.includes('details.'))
    .join(' ')
  return html`<div class="failure"><div role="alert"><p><strong>${code}</strong> ${text}</p>
    ${details?.declines ? declinesView(details.declines, input) : nothing}
    ${details?.fields ? html`<ul>${details.fields.map(({ path, reason }) => html`<li><code>${path}</code> ${reason}</li>`)}</ul>` : nothing}</div>
    ${details?.retryAfterSec === undefined ? nothing : html`<p>${waitSec > 0 ? `Try again in ${durationText(waitSec)}.` : 'You can try again now.'}</p>`}
    ${code === 'QUOTE_EXPIRED' ? html`<button type="button" @click=${askQuote}>Get a new quote</button>` : nothing}</div>`
}

/** @param {State} state @param {NonNullable<typeof ui.asked>} asked */
const quoteView = (state, asked) => {
  const { quote } = asked
  const obstacle = ui.isSwapping ? '' : obstacleTo(state, asked)
  const { guaranteedMin, bps } = quote.slippage ?? {}
  const { decimals, symbol } = quote.output.token
  return html`<div class="offer-card"><p class="big">${amountText(quote.output.amount, decimals)} ${symbol} <span class="faint">by ${quote.venue.name}, for ${amountText(quote.input.amount, quote.input.token.decimals)} ${quote.input.token.symbol}</span></p>
    <p class="faint">${guaranteedMin ? `At least ${amountText(guaranteedMin, decimals)} ${symbol} (${bps / 100} %). ` : ''}About ${durationText(quote.estimatedTimeSeconds)}.
      ${obstacle === '' && !ui.isSwapping ? `Valid for ${durationText(Math.ceil((quote.expiresAt - nowOf(state)) / 1_000))}.` : nothing}</p>
    <div class="row"><button type="button" class="primary" id="swap" ?disabled=${ui.isSwapping || ui.isAsking || obstacle !== ''} @click=${swapNow}>Swap with ${ui.chosen === '' ? 'the page’s wallet' : (ui.wallets.find(({ uuid }) => uuid === ui.chosen)?.name ?? 'the wallet')}</button>
    <span role="status">${obstacle}</span>${
      obstacle === ''
        ? html`<label><input type="checkbox" .checked=${ui.letTimeRun} @change=${(/** @type {any} */ event) => {
            ui.letTimeRun = event.target.checked
          }}> Advance the network’s clock while the swap runs</label>`
        : html`<button type="button" ?disabled=${ui.isAsking} @click=${renewQuote}>Get a new quote</button>`
    }</div></div>`
}

const SIDES = /** @type {const} */ ({
  input: { from: 'From', chainKey: 'inputChainId', tokenKey: 'inputToken' },
  output: { from: 'To', chainKey: 'outputChainId', tokenKey: 'outputToken' },
})

/** @param {State} state @param {Wish} wish @param {'input' | 'output'} side */
const sideView = (state, wish, side) => {
  const { from, chainKey, tokenKey } = SIDES[side]
  const setChain = onValue((value) => {
    wish[chainKey] = Number(value)
    wish[tokenKey] = firstToken(state, wish[chainKey])
    updateNow()
  })
  const setToken = onValue((value) => {
    wish[tokenKey] = value
  })
  return html`<label>${from} chain <select id=${`${side}-chain`} @change=${setChain}>${chainOptions(state, wish[chainKey])}</select></label>
    <label>${from} token <select id=${`${side}-token`} @change=${setToken}>${tokenOptions(state, wish[chainKey], wish[tokenKey])}</select></label>`
}

/** @param {State} state @param {string} uuid empty for the page's own wallet */
const chooseWallet = async (state, uuid) => {
  const announced = ui.wallets.find((one) => one.uuid === uuid)
  const connected =
    announced && (await connectWallet(announced, (chainId) => chainOf(state, chainId)?.name ?? `chain ${chainId}`))
  if (announced && !connected) throw new Error(`${announced.name} gave the page no account.`)
  ui.wallet = ui.own && connected ? { ...ui.own, ...connected } : ui.own
  ui.chosen = connected ? uuid : ''
  ui.asked = null
}

/** Nothing if the browser has no wallet. @param {State} state */
const walletView = (state) => {
  if (ui.wallets.length === 0) return nothing
  const choose = onValue((uuid) => void trying(() => chooseWallet(state, uuid)).then(updateNow))
  const own = /** @type {const} */ (['', 'the page’s wallet'])
  const options = optionsOf([own, ...ui.wallets.map(({ uuid, name }) => /** @type {const} */ ([uuid, name]))], ui.chosen)
  return html`<label>Wallet on EVM chains <select id="wallet" .value=${ui.chosen} ?disabled=${ui.isSwapping} @change=${choose}>${options}</select></label>`
}

/** @param {State} state */
export const tradeView = (state) => {
  ui.wish ??= firstWish(state)
  const { wish, asked } = ui
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault()
    void trying(askQuote)
  }
  const setAmount = onValue((value) => {
    wish.amount = value
    ui.amountTrouble = ''
    update()
  })
  const setSlippage = onValue((value) => {
    wish.slippageBps = value.replace(/\D/g, '')
  })
  const setRanking = onValue((value) => {
    wish.rankingMode = value
  })
  return html`<section id="quote" aria-labelledby="quote-head"><h2 id="quote-head">Quote and swap</h2>
    <form class="grid" @submit=${submit}>
      ${sideView(state, wish, 'input')}
      <label>Amount <input id="amount" inputmode="decimal" autocomplete="off" aria-invalid=${ui.amountTrouble !== ''} aria-describedby="amount-trouble" .value=${wish.amount} @input=${setAmount}></label>
      ${sideView(state, wish, 'output')}
      <label title="100 bps = 1 %">Slippage (bps) <input id="slippage" inputmode="numeric" autocomplete="off" placeholder="venue default" .value=${wish.slippageBps} @input=${setSlippage}></label>
      <label>Rank by <select id="ranking" @change=${setRanking}><option value="best_output">best output</option><option value="fastest">fastest</option></select></label>
      ${walletView(state)}
      <button class="primary" id="ask" ?disabled=${ui.isAsking || !ui.wallet}>${ui.isAsking ? 'Requesting …' : 'Get a quote'}</button>
    </form>
    <p id="amount-trouble" class="trouble" role="alert">${ui.amountTrouble}</p>
    <p class="unseen" role="status">${ui.isAsking ? 'Requesting quotes.' : asked?.quote ? `Quote received from ${asked.quote.venue.name}.` : ''}</p>
    ${asked?.failure ? failureView(asked, asked.failure) : nothing}
    ${asked?.quote ? quoteView(state, asked) : nothing}
    <ol class="lines" aria-live="polite">${ui.lines.map(({ text, isBad }) => html`<li class=${isBad ? 'bad' : ''}>${text}</li>`)}</ol>
    ${racesView(state)}</section>`
}
