import { html, nothing } from 'lit-html'
import { amountText, durationText } from '../../../pages/browser/text.js'
import { callNetwork } from './net.js'
import { nowOf, onValue, trying, ui } from './ui.js'

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
  <p><span class="mono" id="now">${timeText(nowOf(state))}</span> UTC${state.clock.aheadMs > 1_000 ? html` <span class="faint">${durationText(Math.round(state.clock.aheadMs / 1_000))} ahead of real time</span>` : nothing}</p>
  <div class="row">${JUMPS.map(([text, advanceMs]) => html`<button type="button" @click=${() => trying(() => callNetwork('POST', '/clock', { advanceMs }))}>${text}</button>`)}</div></section>`

/** @param {State} state */
export const chainsView = (state) => html`<section aria-labelledby="chains-head"><h2 id="chains-head">Chains</h2>
  <div class="scrolled" tabindex="0" role="group" aria-label="Chains"><table><thead><tr><th scope="col">Chain</th><th scope="col">Height</th><th scope="col">Balance of the page’s wallet</th></tr></thead>
  <tbody>${state.chains.map(({ chainId, name, height, isRunning }) => {
    const held = ui.balances.filter((balance) => balance.chainId === chainId && balance.amount !== '0')
    return html`<tr><th scope="row">${name} <span class="faint">${chainId}</span></th><td class="mono">${isRunning && height !== null ? height : html`<span class="faint">not started</span>`}
      ${chainId === -1 ? html`<button type="button" class="small" @click=${() => trying(() => callNetwork('POST', '/mine', { blocks: 1 }))}>Mine a block</button>` : nothing}</td>
      <td class="mono">${held.map(({ amount, decimals, symbol }) => `${amountText(amount, decimals)} ${symbol}`).join(', ')}</td></tr>`
  })}</tbody></table></div>
  ${ui.wallet ? html`<p class="faint">The page’s wallet, for this offline network only: <code>${ui.wallet.evm}</code>, <code>${ui.wallet.solana}</code>, <code>${ui.wallet.bitcoin}</code></p>` : nothing}</section>`

/** @param {State} state */
export const pricesView = (
  state,
) => html`<section aria-labelledby="prices-head"><h2 id="prices-head">Prices</h2><p class="faint">In US dollars. Each price applies to all tokens of that currency.</p>
  <div class="grid small-fields">${Object.entries(state.prices).map(
    ([currency, usd]) => html`<label>${currency}
    <input inputmode="decimal" autocomplete="off" .value=${usd} @change=${onValue((usd) => trying(() => callNetwork('POST', '/prices', { currency, usd: usd.trim() })))}></label>`,
  )}</div></section>`

/** @param {string} target */
const kindOf = (target) => (target.startsWith('chain:') ? 'chain' : target === 'facilitator' ? 'facilitator' : 'venue')

/** @param {State} state @param {string} target */
const kindsFor = (state, target) => {
  const kind = kindOf(target)
  const isNode = kind === 'chain' && Number(target.slice('chain:'.length)) > 0
  return state.faultKinds.filter(({ on }) => on.includes(kind) || (isNode && on.includes('node')))
}

const COUNT = /** @type {const} */ ({
  name: 'count',
  type: 'number',
  means: 'number of calls',
  default: null,
})

/** @param {string} target @param {string} fault @param {string} name */
const fieldKey = (target, fault, name) => `${target} ${fault} ${name}`

/** The values of the fields of a fault; the network has defaults for empty ones. @param {State} state @param {string} target @param {string} fault */
const writtenFor = (state, target, fault) => {
  /** @type {[string, string | number][]} */
  const written = []
  const params = state.faultKinds.find(({ name }) => name === fault)?.params ?? []
  for (const { name, type } of [...params, COUNT]) {
    const text = ui.faultFields.get(fieldKey(target, fault, name))?.trim() ?? ''
    if (text === '') continue
    if (type === 'number' && !/^\d{1,9}$/.test(text)) throw new Error(`${fault}, ${name}: enter a whole number.`)
    written.push([name, type === 'number' ? Number(text) : text])
  }
  return Object.fromEntries(written)
}

/** @param {string} target @param {string} fault @param {boolean} isOn @param {State} state */
const turn = async (target, fault, isOn, state) => {
  if (isOn) return callNetwork('POST', '/faults', { venue: target, fault, ...writtenFor(state, target, fault) })
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

/** A switch returns to its position if the network rejects the change. @param {HTMLInputElement} input @param {() => Promise<unknown>} work */
const switchTo = async (input, work) => {
  const wished = input.checked
  try {
    await work()
  } catch (error) {
    input.checked = !wished
    throw error
  }
}

/** @param {State} state @param {string} kind */
const ofKind = (state, kind) => state.faultTargets.filter((target) => kindOf(target) === kind)

/** @param {State} state @param {string} target */
const nameOf = (state, target) => state.chains.find(({ chainId }) => target === `chain:${chainId}`)?.name

/** @param {string} target @param {import('../../kit/faults.ts').FaultKind} kind */
const fieldsView = (target, { name: fault, params }) =>
  html`<details class="fields"><summary class="faint">Options<span class="unseen"> ${fault} of ${target}</span></summary>${[
    ...params,
    COUNT,
  ].map(({ name, type, means, default: usual }) => {
    const key = fieldKey(target, fault, name)
    return html`<label>${name}: ${means} <input data-field=${name} autocomplete="off" inputmode=${type === 'number' ? 'numeric' : 'text'} placeholder=${usual ?? (name === 'count' ? 'until switched off' : 'any')}
      .value=${ui.faultFields.get(key) ?? ''} @input=${onValue((value) => ui.faultFields.set(key, value))}></label>`
  })}<p class="faint">Applied when the fault is switched on.</p></details>`

/** A fault that is on, with its remaining calls. @param {State['faults'][number]} fault */
const onText = ({ fault, remaining }) => (remaining === null ? fault : `${fault} (${remaining} calls left)`)

/** @param {State} state @param {readonly string[]} targets */
const targetsView = (state, targets) =>
  targets.map((target) => {
    const faults = state.faults.filter(({ venue }) => venue === target)
    const on = faults.map(({ fault }) => fault)
    const name = nameOf(state, target)
    return html`<details class="target" data-target=${target}><summary>${name ? html`${name} <span class="faint">${target}</span>` : target}${on.length > 0 ? html` <span class="on">${faults.map(onText).join(', ')}</span>` : nothing}</summary>
      <div class="switches">${kindsFor(state, target).map((kind) => {
        const { name: fault, does } = kind
        return html`<div><label class="switch"><input type="checkbox" role="switch" data-fault=${fault} .checked=${on.includes(fault)}
          @change=${(/** @type {any} */ event) => trying(() => switchTo(event.target, () => turn(target, fault, event.target.checked, state)))}><span><strong>${fault}</strong> ${does}</span></label>${fieldsView(target, kind)}</div>`
      })}</div></details>`
  })

/** @param {State} state */
export const faultsView = (state) => html`<section aria-labelledby="faults-head"><h2 id="faults-head">Faults</h2>
  <p class="faint">Switch on a fault, then get a quote. ${state.faults.length === 0 ? 'No fault is on.' : html`<button type="button" id="clear" @click=${() => trying(() => callNetwork('DELETE', '/faults'))}>Clear all faults</button>`}</p>
  ${targetsView(state, ofKind(state, 'venue'))}
  ${[
    ['Nodes of the chains', ofKind(state, 'chain')],
    ['Payments for requests (x402)', ofKind(state, 'facilitator')],
  ].map(([title, targets]) => {
    const on = state.faults.filter(({ venue }) => targets?.includes(venue))
    return html`<details class="group"><summary><strong>${title}</strong>${on.length > 0 ? html` <span class="on">${on.length} on</span>` : nothing}</summary>
      ${targetsView(state, /** @type {readonly string[]} */ (targets))}</details>`
  })}</section>`
