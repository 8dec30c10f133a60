import { html, nothing } from 'lit-html'
import { amountText } from '../../../pages/browser/text.js'
import { callNetwork } from './net.js'
import { nowOf, trying, ui } from './ui.js'

/** @typedef {import('./ui.js').State} State */

const JUMPS = /** @type {const} */ ([
  ['+1 min', 60_000],
  ['+20 min', 1_200_000],
  ['+1 day', 86_400_000],
])

/** @param {number} at */
export const timeText = (at) => new Date(at).toISOString().replace('T', ' ').slice(0, 19)

/** @param {State} state */
export const clockView = (state) => html`<section aria-labelledby="clock-head"><h2 id="clock-head">Clock</h2>
  <p><span class="mono" id="now">${timeText(nowOf(state))}</span> UTC${state.clock.aheadMs > 1_000 ? html` <span class="faint">${Math.round(state.clock.aheadMs / 60_000)} min ahead of real time</span>` : nothing}</p>
  <div class="row">${JUMPS.map(([text, advanceMs]) => html`<button type="button" @click=${() => trying(() => callNetwork('POST', '/clock', { advanceMs }))}>${text}</button>`)}</div></section>`

/** @param {State} state */
export const chainsView = (state) => html`<section aria-labelledby="chains-head"><h2 id="chains-head">Chains</h2>
  <div class="scrolled" tabindex="0" role="group" aria-label="Chains"><table><thead><tr><th scope="col">Chain</th><th scope="col">Height</th><th scope="col">The page’s wallet holds</th></tr></thead>
  <tbody>${state.chains.map(({ chainId, name, height, isRunning }) => {
    const held = ui.balances.filter((balance) => balance.chainId === chainId && balance.amount !== '0')
    return html`<tr><th scope="row">${name} <span class="faint">${chainId}</span></th><td class="mono">${isRunning && height !== null ? height : html`<span class="faint">asleep</span>`}
      ${chainId === -1 ? html`<button type="button" class="small" @click=${() => trying(() => callNetwork('POST', '/mine', { blocks: 1 }))}>mine one</button>` : nothing}</td>
      <td class="mono">${held.map(({ amount, decimals, symbol }) => `${amountText(amount, decimals)} ${symbol}`).join(', ')}</td></tr>`
  })}</tbody></table></div>
  ${ui.wallet ? html`<p class="faint">The page’s wallet, for this offline network only: <code>${ui.wallet.evm}</code>, <code>${ui.wallet.solana}</code>, <code>${ui.wallet.bitcoin}</code></p>` : nothing}</section>`

/** @param {State} state */
export const pricesView = (
  state,
) => html`<section aria-labelledby="prices-head"><h2 id="prices-head">Prices</h2><p class="faint">In dollars; every token that follows one moves with it.</p>
  <div class="grid small-fields">${Object.entries(state.prices).map(
    ([currency, usd]) => html`<label>${currency}
    <input inputmode="decimal" autocomplete="off" .value=${usd} @change=${(/** @type {any} */ event) => trying(() => callNetwork('POST', '/prices', { currency, usd: event.target.value.trim() }))}></label>`,
  )}</div></section>`

/** @param {string} target */
const kindOf = (target) => (target.startsWith('chain:') ? 'chain' : target === 'facilitator' ? 'facilitator' : 'venue')

/** @param {State} state @param {string} target */
const kindsFor = (state, target) => {
  const kind = kindOf(target)
  const isNode = kind === 'chain' && Number(target.slice('chain:'.length)) > 0
  return state.faultKinds.filter(({ on }) => on.includes(kind) || (isNode && on.includes('node')))
}

/** What stands in the fields beside a switch, and in those for all switches of its target; left empty, it is left out. @param {Element} box */
const wishedFor = (box) => {
  const inputs = [
    ...box.querySelectorAll('input[data-param]'),
    ...(box.closest('.target')?.querySelectorAll('.for-all input') ?? []),
  ]
  return Object.fromEntries(
    inputs.flatMap((input) => {
      if (!(input instanceof HTMLInputElement) || input.value.trim() === '') return []
      const text = input.value.trim()
      // What is no number is sent as it is: the network says what is wrong with it.
      return [[input.dataset['param'], input.inputMode === 'numeric' && /^[0-9]{1,15}$/.test(text) ? Number(text) : text]]
    }),
  )
}

/** What is refused stays as it was, and so does its switch. @param {HTMLInputElement} input @param {() => Promise<unknown>} work */
const switching = (input, work) =>
  trying(async () => {
    try {
      await work()
    } catch (error) {
      input.checked = !input.checked
      throw error
    }
  })

/** @param {string} target @param {string} fault @param {HTMLInputElement} input @param {State} state */
const turn = async (target, fault, input, state) => {
  const box = input.closest('.option')
  if (input.checked) return callNetwork('POST', '/faults', { venue: target, fault, ...(box && wishedFor(box)) })
  const others = state.faults.filter((one) => one.venue === target && one.fault !== fault)
  await callNetwork('DELETE', `/faults?venue=${encodeURIComponent(target)}`)
  for (const { fault: other, params, remaining } of others)
    await callNetwork('POST', '/faults', {
      venue: target,
      fault: other,
      ...params,
      ...(remaining !== null && { count: remaining }),
    })
}

/** @param {State} state @param {string} kind */
const ofKind = (state, kind) => state.faultTargets.filter((target) => kindOf(target) === kind)

/** @param {State} state @param {string} target */
const nameOf = (state, target) => state.chains.find(({ faultTarget }) => faultTarget === target)?.name

/** @typedef {State['faultKinds'][number]['params'][number]} Param */

/** @param {Param} param */
const paramField = ({ name, type, means, default: preset }) =>
  html`<label class="param">${name} <input data-param=${name} inputmode=${type === 'number' ? 'numeric' : 'text'} autocomplete="off" spellcheck="false" placeholder=${preset ?? ''} title=${means} aria-description=${means}></label>`

/** @type {readonly Param[]} */
const FOR_ALL = [
  { name: 'count', type: 'number', means: 'for so many calls; empty: until it is switched off', default: null },
  { name: 'path', type: 'text', means: 'only for calls whose path begins so, such as /v1/quote', default: null },
]

/** What is on, and for how long. @param {State['faults'][number]} fault */
const onText = ({ fault, remaining }) => (remaining === null ? fault : `${fault} (${remaining} more)`)

/** @param {State} state @param {readonly string[]} targets */
const targetsView = (state, targets) =>
  targets.map((target) => {
    const faults = state.faults.filter(({ venue }) => venue === target)
    const on = faults.map(({ fault }) => fault)
    const name = nameOf(state, target)
    return html`<details class="target" data-target=${target}><summary>${name ? html`${name} <span class="faint">${target}</span>` : target}${on.length > 0 ? html` <span class="on">${faults.map(onText).join(', ')}</span>` : nothing}</summary>
      <div class="for-all">${FOR_ALL.map(paramField)} <span class="faint">optional: of what is switched on next, how many calls, and how their path begins</span></div>
      <div class="switches">${kindsFor(state, target).map(
        ({
          name: fault,
          does,
          params,
        }) => html`<div class="option"><label class="switch"><input type="checkbox" role="switch" data-fault=${fault} .checked=${on.includes(fault)}
          @change=${(/** @type {any} */ event) => switching(event.target, () => turn(target, fault, event.target, state))}><span><strong>${fault}</strong> ${does}</span></label>
          ${params.filter(({ name: param }) => param !== 'path').map(paramField)}</div>`,
      )}</div></details>`
  })

/** @param {State} state */
export const faultsView = (state) => html`<section aria-labelledby="faults-head"><h2 id="faults-head">What goes wrong</h2>
  <p class="faint">Switch on a fault, and ask for a quote. ${state.faults.length === 0 ? 'All is well now.' : html`<button type="button" id="clear" @click=${() => trying(() => callNetwork('DELETE', '/faults'))}>All is well again</button>`}</p>
  ${targetsView(state, ofKind(state, 'venue'))}
  ${[
    ['The chains’ nodes', ofKind(state, 'chain')],
    ['Payments for calls', ofKind(state, 'facilitator')],
  ].map(([title, targets]) => {
    const on = state.faults.filter(({ venue }) => targets?.includes(venue))
    return html`<details class="group"><summary><strong>${title}</strong>${on.length > 0 ? html` <span class="on">${on.length} on</span>` : nothing}</summary>
      ${targetsView(state, /** @type {readonly string[]} */ (targets))}</details>`
  })}</section>`
