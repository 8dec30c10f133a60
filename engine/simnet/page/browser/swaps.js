import { html, nothing } from 'lit-html'
import { amountText, shortText } from '../../../pages/browser/text.js'
import { timeText } from './network.js'
import { ui, updateNow } from './ui.js'

/** @typedef {import('../../watch/told.ts').SwapTold} Swap @typedef {import('./ui.js').State} State */

const BY = { client: 'client', status: 'status request', settlement: 'settlement job' }
const WHAT = {
  executed: 'executed',
  submitted: 'submitted',
  seen: 'status',
  ended: 'ended',
  paid: 'paid',
  delivered: 'delivered',
  refunded: 'refunded',
}

/** Shows the beginning; a reader copies the whole. @param {string} text */
const longText = (text) => html`<code class="long" title=${text}>${text}</code>`

/** @param {import('../../watch/told.ts').ToldToken | null} token @param {string | null} amount */
const sum = (token, amount) =>
  token && amount !== null ? `${amountText(amount, token.decimals ?? 0)} ${token.symbol ?? shortText(token.address)}` : '?'

/** @param {State} state @param {Swap} swap */
const swapView = (state, swap) => {
  const nameOf = (/** @type {number} */ chainId) => state.chains.find((chain) => chain.chainId === chainId)?.name ?? chainId
  return html`<li class="swap" data-swap=${swap.swapId} data-state=${swap.state}><h3>${sum(swap.input, swap.inputAmount)} → ${sum(swap.output, swap.outputAmount)}
      <span class=${`state ${swap.state}`}>${swap.state}</span> <span class="faint">${swap.venue}, by ${swap.executionType.toLowerCase()}</span></h3>
    <div class="sides"><ol class="timeline">${swap.steps.map(
      (step) =>
        html`<li class=${step.state}><time class="mono">${timeText(step.at).slice(11)}</time> <strong>${WHAT[step.what]}</strong> ${step.state}${step.venueStatus ? html` <span class="faint">${swap.venue}: ${step.venueStatus}</span>` : nothing} <span class="faint">(${BY[step.by]})</span></li>`,
    )}</ol>
    <ul class="payments">${swap.transactions.map(
      ({
        kind,
        chainId,
        hash,
        token,
        amount,
        block,
        blockAt,
        from,
        to,
        isFinal,
      }) => html`<li><strong>${kind}</strong> ${nameOf(chainId)} ${sum(token, amount)}<br>${longText(hash)}
        <span class="faint">${block === null ? 'not in a block yet' : `block ${block}${blockAt === null ? '' : ` of ${timeText(blockAt).slice(11)}`}`}${isFinal ? ', final' : ''}</span>
        ${from && to ? html`<br><span class="faint">from ${longText(from)} to ${longText(to)}</span>` : nothing}</li>`,
    )}</ul></div></li>`
}

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
