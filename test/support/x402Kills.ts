import { type ChildProcess, spawn } from 'node:child_process'
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
  // By its parent, in the midst of that call: before the chain has it, and after.
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
  // At a moment that the seed says.
  'any time',
] as const
export type KillStep = (typeof KILL_STEPS)[number]

export type KillCounts = {
  kills: number
  /** Killed before anybody was charged, after it, and those whose answer had got through. */
  uncharged: number
  charged: number
  answered: number
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
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(wish)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'x402-kills-cache') },
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const ask = async (order: object) => {
    const told = once(child, 'message')
    child.send(order)
    await told
  }
  return { process: child, url: `http://127.0.0.1:${port}/api/v1/x402/quote`, ask }
}

/** The facilitator and the chain, which outlive every process that is killed. */
const startOutside = async () => {
  const chain = createToyChain()
  const facilitator = createToyFacilitator(chain)
  const killing = { at: '', kill: async (): Promise<void> => undefined }
  const signedIn = (payload: PaymentPayload) => payload.payload as never
  const answer = async (path: string, body: unknown): Promise<unknown> => {
    if (path === '/supported') return facilitator.getSupported()
    if (path === '/state') return chain.stateOf(signedIn(body as PaymentPayload))
    const { paymentPayload, paymentRequirements } = body as {
      paymentPayload: PaymentPayload
      paymentRequirements: PaymentRequirements
    }
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

const askOnce = async ({ url }: Child, payment: string): Promise<Answer | null> => {
  try {
    const headers = { 'content-type': 'application/json', 'payment-signature': payment }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(BODY) })
    return { status: response.status, data: JSON.stringify(((await response.json()) as { data?: unknown }).data ?? null) }
  } catch {
    return null
  }
}

/** What a client does that had no answer: it repeats the same call. */
const askUntilTold = async (child: Child, payment: string): Promise<Answer | null> => {
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

/** Kills a process at every step in turn, and lets its client ask the next one again. */
export const runKills = async ({ database, kills, seed, booked }: KillRun): Promise<KillCounts> => {
  const counts: KillCounts = {
    ...{ kills: 0, uncharged: 0, charged: 0, answered: 0, bookedByJob: 0, missed: 0 },
    ...{ chargedTwice: 0, chargedWithoutAnswer: 0, answeredTwice: 0, booksOff: 0 },
  }
  const outside = await startOutside()
  const random = createSimRandom(String(seed))
  let aheadMs = 0
  const next = (): Promise<Child> => {
    aheadMs += LEASES_OVER_MS
    return start({ database, outside: outside.url, payTo: PAY_TO, aheadMs })
  }
  let [child, warm] = [await next(), next()]
  const required = (await fetch(child.url, { method: 'POST' })).headers.get('payment-required') ?? ''

  const killOne = async (step: KillStep): Promise<void> => {
    const payer = createPayer(outside.chain, 10_000n)
    const payment = await payer.sign(required)
    const dying = child.process
    const died = once(dying, 'exit')
    outside.killing.at = step
    outside.killing.kill = async () => {
      dying.kill('SIGKILL')
      await died
    }
    await child.ask({ killAt: step })
    const chargedBefore = outside.chain.used.size
    const calling = askOnce(child, payment)
    if (step === 'any time') setTimeout(() => dying.kill('SIGKILL'), random.integer(CALL_MS))
    const first = await calling
    // One that got through before its time came is killed after it.
    if (step === 'any time' || first !== null) dying.kill('SIGKILL')
    await died
    outside.killing.at = ''
    if (first !== null && step !== 'after send' && step !== 'any time') counts.missed += 1
    counts.kills += 1
    const wasCharged = outside.chain.used.size > chargedBefore
    counts[wasCharged ? 'charged' : 'uncharged'] += 1
    if (first?.status === 200) counts.answered += 1
    child = await warm
    warm = next()
    const isBookedBefore = (await booked()).length
    if (random.integer(2) === 0) {
      await child.ask({ lookAfter: true })
      const transactions = await booked()
      if (transactions.length > isBookedBefore) counts.bookedByJob += 1
      if (transactions.length !== outside.chain.used.size) counts.booksOff += 1
    }
    const told = await askUntilTold(child, payment)
    const again = await askUntilTold(child, payment)
    const charges = outside.chain.used.size - chargedBefore
    if (charges > 1) counts.chargedTwice += 1
    if (charges > 0 && told?.status !== 200) counts.chargedWithoutAnswer += 1
    const answers = [first, told, again].filter((one) => one?.status === 200).map((one) => one?.data)
    if (new Set(answers).size > 1) counts.answeredTwice += 1
    if (told?.status !== 200 || charges !== 1) counts.booksOff += 1
    const transactions = await booked()
    if (transactions.length !== outside.chain.used.size || transactions.at(-1) !== [...outside.chain.used.values()].at(-1))
      counts.booksOff += 1
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
