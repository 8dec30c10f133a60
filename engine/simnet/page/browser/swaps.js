import { html, nothing } from 'lit-html'
import { amountText, shortText } from '../../../pages/browser/text.js'
import { timeText } from './network.js'
import { tokenAt, ui, updateNow } from './ui.js'

/** @typedef {import('../../watch/watched.ts').Swap} Swap @typedef {import('./ui.js').State} State */

const BY = { client: 'client', status: 'status request', settlement: 'settlement job' }

/** Shows the beginning; a reader copies the whole. @param {string} text */
const longText = (text) => html`<code class="long" title=${text}>${text}</code>`

/** @param {State} state @param {string | undefined} place @param {string | null | undefined} amount */
const sum = (state, place, amount) => {
  if (place === undefined || !amount) return '?'
  const { decimals, symbol } = tokenAt(state, place)
  return `${amountText(amount, decimals)} ${shortText(symbol)}`
}

/** @param {State} state @param {Swap} swap */
const swapView = (state, { swapId, state: now, venue, executionType, quoted, steps, payments }) =>
  html`<li class="swap" data-swap=${swapId} data-state=${now}><h3>${sum(state, quoted?.input, quoted?.inputAmount)} → ${sum(state, quoted?.output, quoted?.outputAmount)}
      <span class=${`state ${now}`}>${now}</span> <span class="faint">${venue}, by ${executionType.toLowerCase()}</span></h3>
    <div class="sides"><ol class="timeline">${steps.map(
      (step) =>
        html`<li class=${step.state}><time class="mono">${timeText(step.at).slice(11)}</time> <strong>${step.what === 'seen' ? 'status' : step.what}</strong> ${step.state}${step.venueStatus ? html` <span class="faint">${venue}: ${step.venueStatus}</span>` : nothing} <span class="faint">(${BY[step.by]})</span></li>`,
    )}</ol>
    <ul class="payments">${payments.map((payment) => {
      const { kind, chainId, txHash, token, amount, block, blockAt, from, to, isFinal } = payment
      const place = `${chainId}:${token}`
      return html`<li><strong>${kind}</strong> ${tokenAt(state, place).chain} ${sum(state, place, amount)}<br>${longText(txHash)}
        <span class="faint">${block === null ? 'not in a block yet' : `block ${block}${blockAt === null ? '' : ` of ${timeText(blockAt).slice(11)}`}`}${isFinal ? ', final' : ''}</span>
        ${from && to ? html`<br><span class="faint">from ${longText(from)} to ${longText(to)}</span>` : nothing}</li>`
    })}</ul></div></li>`

/** Swaps on the page before the reader asks for all. */
const SHOWN = 4

/** @param {State} state */
export const swapsView = (state) => {
  const { swaps } = state
  if (swaps.length === 0)
    return html`<section aria-labelledby="swaps-head"><h2 id="swaps-head">Swaps</h2><p class="faint">No swaps yet. Swaps of all clients appear here.</p></section>`
  const turn = () => {
    ui.showsAllSwaps = !ui.showsAllSwaps
    updateNow()
  }
  return html`<section aria-labelledby="swaps-head"><h2 id="swaps-head">Swaps</h2><p class="faint">Times are those of the network, in UTC.</p>
  <ul class="swaps">${swaps.slice(0, ui.showsAllSwaps ? swaps.length : SHOWN).map((swap) => swapView(state, swap))}</ul>
  ${swaps.length <= SHOWN ? nothing : html`<button type="button" id="all-swaps" aria-expanded=${ui.showsAllSwaps} @click=${turn}>${ui.showsAllSwaps ? 'Show the newest only' : `Show all ${swaps.length}`}</button>`}</section>`
}
