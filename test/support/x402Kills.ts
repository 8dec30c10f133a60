import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { createSimRandom } from '../../engine/simnet/kit/simRandom.ts'
import { listening } from './listening.ts'
import { createPayer, createToyChain, createToyFacilitator, PAY_TO } from './x402Bench.ts'
import type { KillWish } from './x402KillChild.ts'
import { BODY } from './x402Stage.ts'

/** Where a process is ended, between the verification of a payment and the sending of the answer. */
export const KILL_STEPS = [
  'after facilitator.verify',
  'before paidCalls.add',
  'after paidCalls.add',
  'before work',
  'after work',
  'before paidCalls.setSettling',
  'after paidCalls.setSettling',
  'before facilitator.settle',
  // By its parent: before the chain has it, and after.
  'settle asked',
  'settle landed',
  'after facilitator.settle',
  'before chain.stateOf',
  'after chain.stateOf',
  'before paidCalls.setSettled',
  'after paidCalls.setSettled',
  'before ledger.book',
  'after ledger.book',
  'after commit',
  'before send',
  'after send',
  'any time',
] as const
export type KillStep = (typeof KILL_STEPS)[number]

export type KillCounts = {
  kills: number
  /** Killed before the client was charged, and after it. */
  uncharged: number
  charged: number
  /** Charges that were booked by who looks after calls left behind, before their clients asked again. */
  bookedByJob: number
  /** Calls that never came to their step. */
  missed: number
  /** Of which each is a defect. */
  chargedTwice: number
  chargedWithoutAnswer: number
  answeredTwice: number
  booksOff: number
}

type Child = { readonly process: ChildProcess; readonly url: string; ask(order: object): Promise<void> }
type Answer = { readonly status: number; readonly data: string }

const PROGRAM = new URL('./x402KillChild.ts', import.meta.url).pathname
const LEASES_OVER_MS = 60_000
/** How long a whole call takes, about: a kill at any time falls within it. */
const CALL_MS = 120

const start = async (wish: KillWish): Promise<Child> => {
  const child = fork(PROGRAM, [JSON.stringify(wish)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'x402-kills-cache') },
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const ask = async (order: object) => {
    child.send(order)
    await once(child, 'message')
  }
  return { process: child, url: `http://127.0.0.1:${port}/api/v1/x402/quote`, ask }
}

type Settlement = { readonly paymentPayload: PaymentPayload; readonly paymentRequirements: PaymentRequirements }

/** The facilitator and the chain, which outlive every process that is killed. */
const startOutside = async () => {
  const chain = createToyChain()
  const facilitator = createToyFacilitator(chain)
  const killing = { at: '', kill: async (): Promise<void> => undefined }
  const signedIn = (payload: PaymentPayload) => payload.payload as never
  const answer = async (path: string, body: unknown): Promise<unknown> => {
    if (path === '/supported') return facilitator.getSupported()
    if (path === '/state') return chain.stateOf(signedIn(body as PaymentPayload))
    const { paymentPayload, paymentRequirements } = body as Settlement
    if (path === '/verify') return facilitator.verify(paymentPayload, paymentRequirements)
    if (killing.at === 'settle asked') await killing.kill()
    const told = await facilitator.settle(paymentPayload, paymentRequirements)
    if (killing.at === 'settle landed') await killing.kill()
    return told
  }
  const server = http.createServer((request, response) => {
    const body = request.method === 'POST' ? json(request) : Promise.resolve(null)
    body
      .then((sent) => answer(request.url ?? '', sent))
      .then((told) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told)))
      .catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  return { chain, killing, ...(await listening(server)) }
}

type Outside = Awaited<ReturnType<typeof startOutside>>

const askOnce = async ({ url }: Child, payment: string): Promise<Answer | null> => {
  try {
    const headers = { 'content-type': 'application/json', 'payment-signature': payment }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(BODY) })
    return { status: response.status, data: JSON.stringify(((await response.json()) as { data?: unknown }).data ?? null) }
  } catch {
    return null
  }
}

/** A client without an answer repeats the same call. */
const askUntilAnswered = async (child: Child, payment: string): Promise<Answer | null> => {
  for (let tries = 0; tries < 10; tries += 1) {
    const told = await askOnce(child, payment)
    if (told && told.status !== 503) return told
  }
  return null
}

export type KillRun = {
  readonly database: KillWish['database']
  readonly kills: number
  readonly seed: number
  /** The transactions that were booked. */
  readonly booked: () => Promise<readonly unknown[]>
}

/** Sends a paid call to a process that is killed at this step, or after `ms`. Null when the call had no answer. */
const callDying = async (
  { killing }: Outside,
  { child, payment }: { readonly child: Child; readonly payment: string },
  step: KillStep,
  ms: number,
): Promise<Answer | null> => {
  const dying = child.process
  const died = once(dying, 'exit')
  killing.at = step
  killing.kill = async () => {
    dying.kill('SIGKILL')
    await died
  }
  await child.ask({ killAt: step })
  const calling = askOnce(child, payment)
  if (step === 'any time') setTimeout(() => dying.kill('SIGKILL'), ms)
  const answer = await calling
  // A process that answered before its time is killed afterwards.
  if (step === 'any time' || answer !== null) dying.kill('SIGKILL')
  await died
  killing.at = ''
  return answer
}

const noCounts = (): KillCounts => ({
  ...{ kills: 0, uncharged: 0, charged: 0, bookedByJob: 0, missed: 0 },
  ...{ chargedTwice: 0, chargedWithoutAnswer: 0, answeredTwice: 0, booksOff: 0 },
})

/** Kills a process at every step in turn, and repeats its call at the next one. */
export const runKills = async ({ database, kills, seed, booked }: KillRun): Promise<KillCounts> => {
  const counts = noCounts()
  const outside = await startOutside()
  const { used } = outside.chain
  const random = createSimRandom(String(seed))
  let aheadMs = 0
  const next = (): Promise<Child> => {
    aheadMs += LEASES_OVER_MS
    return start({ database, outside: outside.url, payTo: PAY_TO, aheadMs })
  }
  let [child, warm] = [await next(), next()]
  const required = (await fetch(child.url, { method: 'POST' })).headers.get('payment-required') ?? ''

  const runJob = async (): Promise<void> => {
    const before = (await booked()).length
    await child.ask({ lookAfter: true })
    const after = (await booked()).length
    if (after > before) counts.bookedByJob += 1
    if (after !== used.size) counts.booksOff += 1
  }
  const killOne = async (step: KillStep): Promise<void> => {
    const payment = await createPayer(outside.chain, 10_000n).sign(required)
    const chargedBefore = used.size
    const first = await callDying(outside, { child, payment }, step, random.integer(CALL_MS))
    if (first !== null && step !== 'after send' && step !== 'any time') counts.missed += 1
    counts.kills += 1
    counts[used.size > chargedBefore ? 'charged' : 'uncharged'] += 1
    child = await warm
    warm = next()
    if (random.integer(2) === 0) await runJob()
    const second = await askUntilAnswered(child, payment)
    const third = await askUntilAnswered(child, payment)
    const charges = used.size - chargedBefore
    if (charges > 1) counts.chargedTwice += 1
    if (charges > 0 && second?.status !== 200) counts.chargedWithoutAnswer += 1
    const answers = [first, second, third].filter((one) => one?.status === 200).map((one) => one?.data)
    if (new Set(answers).size > 1) counts.answeredTwice += 1
    if (second?.status !== 200 || charges !== 1) counts.booksOff += 1
    const transactions = await booked()
    if (transactions.length !== used.size || transactions.at(-1) !== [...used.values()].at(-1)) counts.booksOff += 1
  }

  try {
    for (let i = 0; i < kills; i += 1) await killOne(KILL_STEPS[(i + seed) % KILL_STEPS.length] as KillStep)
  } finally {
    child.process.kill('SIGKILL')
    await warm.then((one) => one.process.kill('SIGKILL'))
    await outside.close()
  }
  return counts
}
