import { html, nothing, svg } from 'lit-html'
import { amountText } from '../../../pages/browser/text.js'
import { timeText } from './network.js'
import { NO_RACE, onValue, optionsOf, tokenAt, ui, update, updateNow } from './ui.js'

/** @typedef {import('./ui.js').State} State @typedef {ReturnType<typeof shownRace>} Race @typedef {Race['runs'][number]} Run */

/** By the kind of `details.declines` or of a run; by the outcome of a run without a kind. @type {{ readonly [word: string]: string }} */
const WORDS = {
  offer: 'Offer',
  unsupportedPair: 'Pair not supported',
  amountTooSmall: 'Amount too small',
  amountTooLarge: 'Amount too large',
  noLiquidity: 'No liquidity',
  badRequest: 'Request refused',
  rateLimited: 'Rate limit reached',
  unavailable: 'Unavailable',
  timeout: 'No answer in time',
  badResponse: 'Invalid answer',
  rejected: 'Rejected by a check of the service',
  outlier: 'Dropped: contradicts the other offers',
  contradictsChain: 'Dropped: contradicts the chain',
  cut: 'Canceled: the race was decided',
  notAwaited: 'Canceled: the race was decided',
  skipped: 'Not called: failing, or at its limit',
  notSold: 'this service does not support it',
  boundTooWide: 'the guaranteed minimum is too low',
  senderCannotSign: 'the venue cannot verify signatures of this sender',
}

/** A race with its tokens, and null for what its event does not have. @param {State} state @param {State['races'][number]} race */
const shownRace = (state, race) => {
  const won = race.event === 'quote.served' ? race : null
  return {
    ...race,
    input: tokenAt(state, race.input),
    output: tokenAt(state, race.output),
    venue: won?.venue ?? null,
    refusal: race.event === 'quote.served' ? null : race.code,
    elapsedMs: won?.elapsedMs ?? Math.max(0, ...race.runs.map(({ elapsedMs }) => elapsedMs)),
    overheadMs: won?.overheadMs ?? null,
    leadBps: won?.leadBps ?? null,
    referenceBps: won?.referenceBps ?? null,
    runs: race.runs.map((run) => ({ ...run, rank: run.rank ?? null, amount: run.amount ?? null, minimum: run.minimum ?? null })),
  }
}

/** @typedef {{ kind: string, reason?: string, minimum?: string | null | undefined, maximum?: string | null | undefined }} Decline */

/** `Amount too small: at least 25 USDC`. @param {Decline} decline @param {{ symbol: string, decimals: number } | undefined} input */
export const declineText = ({ kind, reason = '', minimum, maximum }, input) => {
  const limit = minimum ?? maximum
  const bound = limit && `${minimum ? 'at least' : 'at most'} ${amountText(limit, input?.decimals ?? 0)} ${input?.symbol ?? ''}`
  return [WORDS[kind] ?? 'Declined', WORDS[reason], bound].filter(Boolean).join(': ')
}

/** @param {Race} race @param {Run} run */
const resultText = ({ input }, { outcome, kind, inputMinimum: minimum, inputMaximum: maximum, isPreview }) =>
  isPreview ? 'Preview' : declineText({ kind: kind ?? outcome, minimum, maximum }, input)

/** The picture needs more; below it the table takes its place. */
const wide = matchMedia('(min-width: 760px)')
wide.addEventListener('change', update)

const LANE = 30
const TOP = 44
const [NAME_X, TIME_X, TIME_W, GAIN_X, GAIN_W, TEXT_X, WIDTH] = [0, 150, 400, 590, 250, 860, 1160]

/** Characters beside the times of a race without offers. */
const MESSAGE_MAX = 80
/** @param {string} text @param {number} length */
const clipped = (text, length) => (text.length > length ? `${text.slice(0, Math.max(length - 1, 0))}…` : text)

/** @param {Race} race @param {string | null} amount */
const shown = ({ output }, amount) => (amount === null ? '' : amountText(amount, output.decimals))

/** Basis points of one above the other, two places. @param {string} amount @param {string} best */
const bpsFrom = (amount, best) =>
  BigInt(best) === 0n ? 0 : Number(((BigInt(amount) - BigInt(best)) * 1_000_000n) / BigInt(best)) / 100

/** How far above or below something, in words. @param {number} bps @param {string} than */
const besideText = (bps, than) => {
  if (bps === 0) return `within 0.01 % of ${than}`
  return `${percentText(Math.abs(bps)).replace('+', '')} ${bps < 0 ? 'less' : 'more'} than ${than}`
}

/** @param {number} bps */
export const percentText = (bps) => `${bps > 0 ? '+' : ''}${(bps / 100).toFixed(Math.abs(bps) < 10 ? 3 : 2)} %`

/** Steps of 1, 2 or 5 times a power of ten. @param {number} most */
const ticksUpTo = (most) => {
  const rough = most / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? power
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step)
}

/** @param {Run} run @param {number} x @param {number} y */
const mark = ({ outcome, rank }, x, y) => {
  if (rank === 1) return svg`<path class="won" d="M${x} ${y - 9}l2.6 5.6 6.1.7-4.5 4.2 1.2 6-5.4-3-5.4 3 1.2-6-4.5-4.2 6.1-.7z"/>`
  if (outcome === 'offer') return svg`<circle class="offer" cx=${x} cy=${y} r="6"/>`
  if (outcome === 'dropped') return svg`<path class="dropped" d="M${x - 6} ${y + 5}h12l-6-11z"/>`
  if (outcome === 'decline') return svg`<path class="decline" d="M${x - 6} ${y}h12"/>`
  if (outcome === 'cut') return svg`<path class="cut" d="M${x} ${y - 7}v14"/>`
  if (outcome === 'skipped') return svg`<circle class="skipped" cx=${TIME_X + 6} cy=${y} r="5"/>`
  return svg`<path class="failed" d="M${x - 5} ${y - 5}l10 10m0-10l-10 10"/>`
}

/** How much each offers, beside the best and what published prices make of the input. @param {Race} race */
const gainScale = (race) => {
  const best = race.runs.find(({ rank }) => rank === 1)?.amount ?? null
  if (best === null) return null
  const offers = race.runs.flatMap(({ outcome, amount }) =>
    outcome === 'offer' && amount !== null ? [bpsFrom(amount, best)] : [],
  )
  const reference = race.reference === null ? null : bpsFrom(race.reference, best)
  const all = [...offers, 0, ...(reference === null || Math.abs(reference) > 1_000 ? [] : [reference])]
  const [least, most] = [Math.min(...all), Math.max(...all)]
  const span = Math.max(most - least, 1)
  return { best, reference, at: (/** @type {number} */ bps) => GAIN_X + 10 + ((bps - least) / span) * (GAIN_W - 20) }
}

/** @param {Race} race @param {Run} run @param {number} i @param {(ms: number) => number} timeAt @param {ReturnType<typeof gainScale>} gains */
const lane = (race, run, i, timeAt, gains) => {
  const y = TOP + i * LANE + LANE / 2
  const bps = gains && run.amount !== null && run.outcome === 'offer' ? bpsFrom(run.amount, gains.best) : null
  const words = run.outcome === 'offer' ? shown(race, run.amount) : resultText(race, run)
  const isAsked = run.outcome !== 'skipped'
  return svg`<g class="lane ${run.rank === 1 ? 'winner' : run.outcome}">
    <title>${run.venue}: ${words}${run.reason ? `, ${run.reason}` : ''}, ${run.elapsedMs} ms</title>
    ${i % 2 === 0 ? svg`<rect class="stripe" x="0" y=${y - LANE / 2} width=${WIDTH} height=${LANE}/>` : nothing}
    <text class="venue" x=${NAME_X + 8} y=${y + 5}>${run.venue}</text>
    ${isAsked ? svg`<rect class="bar" x=${TIME_X} y=${y - 4} width=${Math.max(timeAt(run.elapsedMs) - TIME_X, 1)} height="8" rx="4"/>` : nothing}
    ${mark(run, timeAt(run.elapsedMs), y)}
    ${isAsked ? svg`<text class="ms" x=${timeAt(run.elapsedMs) + 13} y=${y + 4}>${run.elapsedMs} ms</text>` : nothing}
    ${gains && bps !== null ? mark(run, gains.at(bps), y) : nothing}
    <text class="words" x=${gains ? TEXT_X : GAIN_X} y=${y + 5}>${words}${gains || !run.reason ? nothing : svg`<tspan class="bps" dx="8">${clipped(run.reason, MESSAGE_MAX - words.length)}</tspan>`}${bps !== null && run.rank !== 1 ? svg`<tspan class="bps" dx="8">${percentText(bps)}</tspan>` : nothing}</text>
  </g>`
}

/** The race as a picture: on the left who answered when, on the right with how much. @param {Race} race */
const picture = (race) => {
  const height = TOP + race.runs.length * LANE + 12
  const slowest = Math.max(...race.runs.map(({ elapsedMs }) => elapsedMs), 10)
  const timeAt = (/** @type {number} */ ms) => TIME_X + (ms / slowest) * (TIME_W - 70)
  const gains = gainScale(race)
  const reference = gains?.reference ?? null
  return html`<div class="scrolled" tabindex="0" role="group" aria-label="The race as a picture"><svg
    class="race" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label=${`Race of ${race.runs.length} venues. Winner: ${race.venue ?? 'none'}. The table below has the same data.`}>
    <text class="head" x=${TIME_X} y="16">answered after</text>
    ${ticksUpTo(slowest).map(
      (ms) =>
        svg`<path class="tick" d="M${timeAt(ms)} ${TOP - 6}V${height - 12}"/><text class="axis" x=${timeAt(ms)} y=${TOP - 12}>${ms} ms</text>`,
    )}
    ${gains ? svg`<text class="head" x=${GAIN_X} y="16">less ← pays out → more</text><text class="head" x=${TEXT_X} y="16">${race.output.symbol}</text>` : nothing}
    ${race.runs.map((run, i) => lane(race, run, i, timeAt, gains))}
    ${
      gains && reference !== null && Math.abs(reference) <= 1_000
        ? svg`<path class="reference" d="M${gains.at(reference)} ${TOP - 6}V${height - 12}"/><text class="axis" x=${gains.at(reference)} y=${TOP - 12}>reference</text>`
        : nothing
    }
  </svg></div>`
}

/** Wraps each row on a narrow screen. @param {Race} race */
const table = (race) => html`<table class="runs">
  <thead><tr><th scope="col">Rank</th><th scope="col">Venue</th><th scope="col">Pays out, ${race.output.symbol}</th><th scope="col">Guarantees</th><th scope="col">After</th><th scope="col">Result</th><th scope="col">Message</th></tr></thead>
  <tbody>${race.runs.map(
    (
      run,
    ) => html`<tr><td>${run.rank ?? ''}</td><th scope="row">${run.venue}</th><td class="mono">${shown(race, run.amount)}</td><td class="mono">${shown(race, run.minimum)}</td>
      <td>${run.elapsedMs} ms</td><td class=${run.isPreview ? 'preview' : run.outcome}>${resultText(race, run)}</td><td>${run.reason ?? ''}</td></tr>`,
  )}</tbody></table>`

/** @param {Race} race */
const summary = (race) => {
  const { input, output, inputAmount, venue, leadBps, referenceBps, refusal, elapsedMs, overheadMs } = race
  const best = race.runs.find(({ rank }) => rank === 1)
  const paid = `${amountText(inputAmount, input.decimals)} ${input.symbol}`
  if (!venue || !best)
    return html`<p class="told"><strong>No venue made an offer</strong> for ${paid}: ${refusal}, after ${elapsedMs} ms.</p>`
  return html`<p class="told"><strong>${venue}</strong> pays <strong class="mono">${shown(race, best.amount)} ${output.symbol}</strong> for ${paid}${leadBps === null ? nothing : html`, ${besideText(leadBps, 'the second')}`}${referenceBps === null ? nothing : html`; ${besideText(referenceBps, 'the input is worth at published prices')}`}.
    Answered after ${elapsedMs} ms${overheadMs === null ? nothing : html`, of which the service itself took ${Math.round(overheadMs)} ms`}.</p>`
}

/** @param {Race} race */
const raceView = (
  race,
) => html`<div class="result" data-race=${race.id}>${summary(race)}${wide.matches ? picture(race) : table(race)}
  ${race.unwilling.length === 0 ? nothing : html`<p class="faint">Pair not supported: ${race.unwilling.join(', ')}.</p>`}
  ${wide.matches ? html`<details><summary>The same as a table</summary>${table(race)}</details>` : nothing}</div>`

/** @param {Race} race */
const titleOf = ({ input, inputAmount, output, venue, refusal, at }) =>
  `${timeText(at).slice(11)}  ${amountText(inputAmount, input.decimals)} ${input.symbol} on ${input.chain} → ${output.symbol} on ${output.chain}: ${venue ?? refusal}`

/** The newest race, or the one that the reader chose. @param {State} state */
export const racesView = (state) => {
  const races = state.races.map((race) => shownRace(state, race))
  const [newest] = races
  if (!newest) return html`<p class="faint">No race yet. The race of each quote appears here, whichever client requests it.</p>`
  const race = ui.raceId === NO_RACE ? null : (races.find(({ id }) => id === ui.raceId) ?? newest)
  const choose = onValue((id) => {
    ui.raceId = Number(id) === newest.id ? null : Number(id)
    updateNow()
  })
  return html`<label class="races">Race (times in UTC) <select id="race" @change=${choose}>${race ? nothing : html`<option .selected=${true}>Choose an earlier race</option>`}${optionsOf(
    races.map((one) => [one.id, titleOf(one)]),
    race?.id ?? NO_RACE,
  )}</select></label>${race ? raceView(race) : nothing}`
}
