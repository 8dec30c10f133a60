import { html } from 'lit-html'
import { callNetwork } from './net.js'
import { ownAddress } from './pay.js'
import { amountHelp, firstToken, parseAmount } from './trade.js'
import { chainOptions, onValue, tokenOptions, trying, ui, updateNow } from './ui.js'

/** @typedef {import('./ui.js').State} State */

const FIRST = { chainId: 8453, token: '', address: '', amount: '1', given: '' }

/** @param {State} state */
const give = async (state) => {
  const { chainId, token: address, ...gift } = ui.gift ?? FIRST
  const token = state.chains.find((chain) => chain.chainId === chainId)?.tokens.find((one) => one.address === address)
  const amount = token && parseAmount(gift.amount, token.decimals)
  const holder = gift.address.trim() || ownAddress(chainId)
  if (!token) throw new Error('This chain does not have that token.')
  if (!amount || amount === '0') throw new Error(amountHelp(token.symbol, token.decimals))
  await callNetwork('POST', '/faucet', { chainId, token: address, address: holder, amount })
  ui.gift = { ...gift, chainId, token: address, given: `Sent ${gift.amount.trim()} ${token.symbol}.` }
}

/** @param {State} state */
export const faucetView = (state) => {
  ui.gift ??= { ...FIRST, token: firstToken(state, FIRST.chainId) }
  const { gift } = ui
  /** @param {Partial<typeof gift>} changed */
  const set = (changed) => {
    ui.gift = { ...gift, given: '', ...changed }
    updateNow()
  }
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault()
    void trying(() => give(state))
  }
  const setChain = onValue((value) => set({ chainId: Number(value), token: firstToken(state, Number(value)) }))
  return html`<section aria-labelledby="faucet-head"><h2 id="faucet-head">Faucet</h2>
  <form class="grid" id="faucet" @submit=${submit}>
    <label>Chain <select id="gift-chain" @change=${setChain}>${chainOptions(state, gift.chainId)}</select></label>
    <label>Token <select id="gift-token" @change=${onValue((token) => set({ token }))}>${tokenOptions(state, gift.chainId, gift.token)}</select></label>
    <label>Amount <input id="gift-amount" inputmode="decimal" autocomplete="off" .value=${gift.amount} @input=${onValue((amount) => set({ amount }))}></label>
    <label class="wide">Recipient <input id="gift-address" autocomplete="off" spellcheck="false" placeholder="the page’s wallet, or any address" .value=${gift.address} @input=${onValue((address) => set({ address }))}></label>
    <button id="give" ?disabled=${!ui.wallet}>Send</button>
  </form><p role="status">${gift.given}</p></section>`
}
