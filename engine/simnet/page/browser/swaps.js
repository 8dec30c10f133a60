import { html, nothing } from 'lit-html'
import { amountText, shortText } from '../../../pages/browser/text.js'
import { timeText } from './network.js'

/** @typedef {import('../../watch/told.ts').SwapTold} Swap @typedef {import('./ui.js').State} State */

const WHAT = {
  executed: 'executed',
  submitted: 'handed in',
  seen: 'told',
  ended: 'ended',
  paid: 'paid in',
  delivered: 'delivered',
  refunded: 'refunded',
}

/** @param {import('../../watch/told.ts').ToldToken | null} token @param {string | null} amount */
const sum = (token, amount) =>
  token && amount !== null ? `${amountText(amount, token.decimals ?? 0)} ${token.symbol ?? shortText(token.address)}` : '?'

/** @param {State} state @param {Swap} swap */
const swapView = (state, swap) => {
  const nameOf = (/** @type {number} */ chainId) => state.chains.find((chain) => chain.chainId === chainId)?.name ?? chainId
  return html`<li class="swap" data-swap=${swap.swapId} data-state=${swap.state}><h3>${sum(swap.input, swap.inputAmount)} → ${sum(swap.output, swap.outputAmount)}
      <span class=${`state ${swap.state}`}>${swap.state}</span> <span class="faint">${swap.venue}, ${swap.executionType}</span></h3>
    <div class="sides"><ol class="timeline">${swap.steps.map(
      (step) =>
        html`<li class=${step.state}><time class="mono">${timeText(step.at).slice(11)}</time> <strong>${WHAT[step.what]}</strong> ${step.state}${step.venueStatus ? html` <span class="faint">${step.venueStatus}</span>` : nothing} <span class="faint">by ${step.by}</span></li>`,
    )}</ol>
    <ul class="payments">${swap.transactions.map(
      ({
        kind,
        chainId,
        hash,
        token,
        amount,
        block,
        isFinal,
      }) => html`<li><strong>${kind}</strong> ${nameOf(chainId)} ${sum(token, amount)}<br><code title=${hash}>${shortText(hash)}</code>
        <span class="faint">${block === null ? 'in no block yet' : `block ${block}`}${isFinal ? ', final' : ''}</span></li>`,
    )}</ul></div></li>`
}

/** @param {State} state */
export const swapsView = (state) => html`<section aria-labelledby="swaps-head"><h2 id="swaps-head">Swaps</h2>
  ${state.swaps.length === 0 ? html`<p class="faint">None yet: those of any client are shown here.</p>` : html`<ul class="swaps">${state.swaps.map((swap) => swapView(state, swap))}</ul>`}</section>`
