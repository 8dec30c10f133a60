import { html, nothing, render } from 'lit-html'
import { findWallets } from './extension.js'
import { faucetView } from './faucet.js'
import { callNetwork } from './net.js'
import { chainsView, clockView, faultsView, pricesView } from './network.js'
import { swapsView } from './swaps.js'
import { tradeView } from './trade.js'
import { drawnBy, ui, update } from './ui.js'

/** @typedef {import('./ui.js').State} State */

const KEPT_MAX = 50
const BALANCES_MS = 400
const TICK_MS = 1_000
const AGAIN_MS = 2_000

const root = /** @type {HTMLElement} */ (document.getElementById('page'))
let isFirst = true

drawnBy(() => {
  const { state } = ui
  if (!state) return
  if (isFirst) root.textContent = ''
  isFirst = false
  render(
    html`<header><h1>Offline network</h1><p class="faint">${state.service.url ? html`The service: <a href=${`${state.service.url}/docs`}>${state.service.url}</a>` : 'The service is not listening.'}
      <span class=${ui.isLive ? 'live' : 'live off'} role="status">${ui.isLive ? 'live' : 'disconnected: the data may be old'}</span></p></header>
    <main><p class="faint">The real service runs on simulated venues and local chains, without real money. Get a quote, then swap with the page’s wallet, or switch on a fault below and get another quote.</p>
    ${ui.trouble === '' ? nothing : html`<p class="failure told" role="alert">${ui.trouble}</p>`}
    ${tradeView(state)}${swapsView(state)}<div class="columns"><div>${clockView(state)}${faucetView(state)}${pricesView(state)}</div><div>${faultsView(state)}${chainsView(state)}</div></div></main>`,
    root,
  )
})

/** Replaces the entry of the same id; a new entry comes first. @template T @param {readonly T[]} known @param {T} one @param {(one: T) => unknown} idOf @returns {readonly T[]} */
const placed = (known, one, idOf) => {
  const at = known.findIndex((other) => idOf(other) === idOf(one))
  return at < 0 ? [one, ...known].slice(0, KEPT_MAX) : known.with(at, one)
}

let isReading = false
const readBalances = async () => {
  const { wallet, state } = ui
  if (!wallet || !state || isReading) return
  isReading = true
  try {
    const query = new URLSearchParams([wallet.evm, wallet.solana, wallet.bitcoin].map((address) => ['address', address]))
    ui.balances = (await callNetwork('GET', `/balances?${query}`)).balances
  } catch {
    // The next change reads them again.
  }
  isReading = false
  update()
}
let due = 0
const readSoon = () => {
  clearTimeout(due)
  due = setTimeout(readBalances, BALANCES_MS)
}

/** The lists of the state, each with the id of its entries. @type {{ readonly [name: string]: (one: any) => number }} */
const LISTS = { races: ({ id }) => id, swaps: ({ swapId }) => swapId, chains: ({ chainId }) => chainId }

/** @param {State} state @param {Partial<State>} change @returns {State} */
const changedBy = (state, change) => {
  const lists = Object.entries(LISTS).flatMap(([name, idOf]) => {
    const list = /** @type {'races'} */ (name)
    return change[list] ? [[list, change[list].reduce((known, one) => placed(known, one, idOf), state[list])]] : []
  })
  return { ...state, ...change, ...Object.fromEntries(lists) }
}

/** @type {EventSource | null} */
let events = null

const listen = () => {
  events ??= new EventSource('/events')
  events.onopen = () => {
    ui.isLive = true
    update()
  }
  events.onerror = () => {
    ui.isLive = false
    // Rejected, because too many pages are connected: a browser reconnects by itself only after a broken connection.
    if (events?.readyState === EventSource.CLOSED) {
      events = null
      setTimeout(listenWhileSeen, AGAIN_MS)
      if (isFirst) root.textContent = 'Waiting: too many pages are connected, or the network does not answer.'
    }
    update()
  }
  events.addEventListener('state', ({ data }) => {
    ui.state = JSON.parse(data)
    readSoon()
    update()
  })
  events.addEventListener('change', ({ data }) => {
    if (!ui.state) return
    const change = JSON.parse(data)
    ui.state = changedBy(ui.state, change)
    if (change.chains) readSoon()
    update()
  })
}

/** A browser has six connections to one host, for all its tabs: hidden tabs release theirs. */
const listenWhileSeen = () => {
  if (!document.hidden) return listen()
  events?.close()
  events = null
  ui.isLive = false
}
document.addEventListener('visibilitychange', listenWhileSeen)
listenWhileSeen()

setInterval(update, TICK_MS)

const { openWallet } = await import('./wallet.js')
ui.own = openWallet()
ui.wallet = ui.own
findWallets((wallets) => {
  ui.wallets = wallets
  update()
})
readSoon()
update()
