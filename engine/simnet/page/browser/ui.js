import { html } from 'lit-html'

/**
 * What the page knows and shows: what the network tells, and what the reader is doing.
 * @typedef {import('../../watch/watched.ts').NetworkState} State
 * @typedef {import('../../watch/watched.ts').Balance} Balance
 * @typedef {{ inputChainId: number, inputToken: string, amount: string, outputChainId: number, outputToken: string, slippageBps: string, rankingMode: string }} Wish
 * @typedef {{ text: string, isBad?: boolean }} Line
 * @typedef {Awaited<ReturnType<typeof import('./wallet.js').openWallet>>} OwnWallet
 * @typedef {Omit<OwnWallet, 'evm' | 'sendEvm'> & { evm: string, sendEvm(transaction: import('./extension.js').Transaction): Promise<string> }} Wallet
 */

/** In place of the id of a race: an error without a race of its own hides that of an earlier quote. */
export const NO_RACE = 0

export const ui = {
  /** @type {State | null} */
  state: null,
  isLive: false,
  /** Who signs now. @type {Wallet | null} */
  wallet: null,
  /** The page's own. @type {OwnWallet | null} */
  own: null,
  /** Those of the browser. @type {readonly import('./extension.js').Announced[]} */
  wallets: [],
  /** By its uuid; empty for the page's own. */
  chosen: '',
  /** @type {readonly Balance[]} */
  balances: [],
  /** @type {Wish | null} */
  wish: null,
  /** @type {{ chainId: number, token: string, address: string, amount: string, given: string } | null} */
  gift: null,
  /** The race that is shown; null for the newest. @type {number | null} */
  raceId: null,
  showsAllSwaps: false,
  isAsking: false,
  /** What is wrong with the amount that was asked for. */
  amountTrouble: '',
  /** A quote, or why there is none. `again`: when the reader may repeat the request. @type {{ quote?: any, isUsed?: boolean, failure?: import('./net.js').Failure, again: number, input?: import('../../watch/watched.ts').FaucetToken | undefined } | null} */
  asked: null,
  isSwapping: false,
  /** @type {Line[]} */
  lines: [],
  letTimeRun: true,
  /** What a fault takes when it is switched on, as it was written: by target, fault and name. @type {Map<string, string>} */
  faultFields: new Map(),
  /** What the last control call was refused for. */
  trouble: '',
}

let isDue = false
/** @type {() => void} */
let draw = () => undefined

/** @param {() => void} how */
export const drawnBy = (how) => {
  draw = how
}

/** Draws what has changed, with the next frame. */
export const update = () => {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    draw()
  })
}

/** Draws at once: what the reader does next must meet what he has chosen. */
export const updateNow = () => draw()

/** The network's time. @param {State} state */
export const nowOf = ({ clock }) => Date.now() + clock.aheadMs

/** Does what the reader asked for, and says what went wrong. @param {() => Promise<unknown>} work */
export const trying = async (work) => {
  ui.trouble = ''
  try {
    await work()
  } catch (error) {
    ui.trouble = error instanceof Error ? error.message : String(error)
  }
  update()
}

/** A token by its `<chain>:<address>`. @param {State} state @param {string} place */
export const tokenAt = ({ chains }, place) => {
  const colon = place.indexOf(':')
  const [chainId, address] = [Number(place.slice(0, colon)), place.slice(colon + 1)]
  const chain = chains.find((one) => one.chainId === chainId)
  const { symbol, decimals } = chain?.tokens.find((token) => token.address === address) ?? { symbol: address, decimals: 0 }
  return { chainId, chain: chain?.name ?? `${chainId}`, symbol, decimals }
}

/** A handler that receives the value of its field. @param {(value: string) => unknown} take */
export const onValue = (take) => (/** @type {any} */ event) => take(event.target.value)

/** The options of a select. @param {readonly (readonly [value: string | number, text: unknown])[]} entries @param {string | number} chosen */
export const optionsOf = (entries, chosen) =>
  entries.map(([value, text]) => html`<option value=${value} .selected=${value === chosen}>${text}</option>`)

/** Those of chains. @param {State} state @param {number} chosen */
export const chainOptions = ({ chains }, chosen) =>
  optionsOf(
    chains.map(({ chainId, name }) => [chainId, name]),
    chosen,
  )

/** Those of the tokens of a chain. @param {State} state @param {number} chainId @param {string} chosen */
export const tokenOptions = ({ chains }, chainId, chosen) =>
  optionsOf(
    chains.find((chain) => chain.chainId === chainId)?.tokens.map(({ address, symbol }) => [address, symbol]) ?? [],
    chosen,
  )
