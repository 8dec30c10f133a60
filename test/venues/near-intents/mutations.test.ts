import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Execution } from '../../../engine/core/execution.ts'
import type { Json } from '../../../engine/core/json.ts'
import { provePayload } from '../../../engine/execution/payloadProof.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { aBench, againstAnswers, aLiar, bitcoinToBase, executed, FEE_ACCOUNT, relayedFrom, VENUE_FEE_ACCOUNT } from './support.ts'

const OTHER_BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
let altered = 0
let refused = 0

const opened: VenueBench[] = []
afterEach(() => Promise.all(opened.splice(0).map((bench) => bench.close())))
afterAll(() => void process.stdout.write(`mutations near-intents: ${altered} altered, ${refused} refused\n`))

type Evidence = {
  v: number
  words: Record<string, string | number | boolean>
  signature: string
  appFees: { recipient: string; fee: number }[]
}
type Draft = {
  payload: { executionType: string; deposit: { chainId: number; address: string; amount: bigint } }
  evidence: Evidence
}

const build = async () => {
  const bench = await aBench({ settings: { FEE_ACCOUNT, REFERRAL: 'acme' } })
  opened.push(bench)
  const swap = await executed(bench.venue, bitcoinToBase({ feeBps: 30 }))
  const problemsOf = (execution: Execution, venue: Venue = bench.venue) =>
    provePayload(venue, execution, { sealed: swap, binding: swap.binding, now: bench.clock.now() })
  return { bench, swap, problemsOf }
}

const spoiled = (execution: Execution, change: (draft: Draft) => unknown): Execution => {
  const draft = structuredClone(execution) as unknown as Draft
  change(draft)
  return draft as unknown as Execution
}

const count = (problems: readonly string[]) => {
  altered += 1
  if (problems.length > 0) refused += 1
  return problems
}

test('what is built passes before anything is altered', async () => {
  const { swap, problemsOf } = await build()
  expect(await problemsOf(swap.execution)).toEqual([])
})

describe('an altered payload or evidence is refused:', () => {
  const other = (value: Json | undefined): string | number | boolean =>
    typeof value === 'boolean' ? !value : typeof value === 'number' ? value + 1 : `${String(value)}0`

  test('each signed word, altered, left out or made null', async () => {
    const { swap, problemsOf } = await build()
    const words = Object.keys((swap.execution.evidence as unknown as Evidence).words)
    expect(words).toHaveLength(28)
    for (const word of words) {
      const changes: ((draft: Draft) => unknown)[] = [
        ({ evidence }) => Reflect.set(evidence.words, word, other(evidence.words[word])),
        ({ evidence }) => Reflect.deleteProperty(evidence.words, word),
        ({ evidence }) => Reflect.set(evidence.words, word, null),
      ]
      for (const change of changes)
        expect(count(await problemsOf(spoiled(swap.execution, change))), word).toEqual([expect.stringMatching(/^undecodable/)])
    }
  })

  test.each<[string, (draft: Draft) => unknown]>([
    ['deposit.chainId', ({ payload }) => Reflect.set(payload.deposit, 'chainId', 1)],
    ['deposit.address', ({ payload }) => Reflect.set(payload.deposit, 'address', OTHER_BITCOIN)],
    ['deposit.address', ({ payload }) => Reflect.set(payload.deposit, 'address', WALLETS.bitcoin)],
    ['deposit.amount', ({ payload }) => Reflect.set(payload.deposit, 'amount', payload.deposit.amount + 1n)],
    ['deposit.amount', ({ payload }) => Reflect.set(payload.deposit, 'amount', payload.deposit.amount - 1n)],
    ['undecodable', ({ payload }) => Reflect.set(payload, 'executionType', 'TRANSACTION')],
    [
      'undecodable',
      ({ evidence }) =>
        Reflect.set(
          evidence,
          'signature',
          evidence.signature.replace(/.$/, (last) => (last === '2' ? '3' : '2')),
        ),
    ],
    ['undecodable', ({ evidence }) => Reflect.set(evidence, 'signature', '')],
    ['undecodable', ({ evidence }) => Reflect.set(evidence, 'v', 2)],
    ['undecodable', ({ evidence }) => Reflect.set(evidence.words, 'depositMemo', '77')],
    ['undecodable', ({ evidence }) => Reflect.set(evidence.words, 'customRecipientMsg', 'run this')],
    ['undecodable', ({ evidence }) => Reflect.set(evidence, 'order', { recipient: WALLETS.evm })],
    ['undecodable', (draft) => Reflect.set(draft, 'evidence', null)],
    ['undecodable', (draft) => Reflect.set(draft, 'evidence', 'signed')],
    ['fee', ({ evidence }) => Reflect.set(evidence, 'appFees', [])],
    ['fee', ({ evidence }) => evidence.appFees.shift()],
    ['fee', ({ evidence }) => Object.assign(evidence.appFees[0] ?? {}, { recipient: 'mallory.near' })],
    ['fee.amount', ({ evidence }) => Object.assign(evidence.appFees[0] ?? {}, { fee: 31 })],
    ['fee', ({ evidence }) => Object.assign(evidence.appFees[0] ?? {}, { fee: 0 })],
    ['unread: more than one integrator fee', ({ evidence }) => evidence.appFees.push({ recipient: 'mallory.near', fee: 1 })],
    ['undecodable', ({ evidence }) => evidence.appFees.push({ recipient: VENUE_FEE_ACCOUNT, fee: 501 })],
  ])('%s', async (name, change) => {
    const { swap, problemsOf } = await build()
    const problems = count(await problemsOf(spoiled(swap.execution, change)))
    expect(problems.map((problem) => problem.replace(/^undecodable:.*/, 'undecodable'))).toContain(name)
  })

  test('the evidence of another swap, whole and signed', async () => {
    const { bench, swap, problemsOf } = await build()
    for (const order of [
      bitcoinToBase({ feeBps: 30 }),
      bitcoinToBase({ feeBps: 30, amount: 1_000_001n }),
      bitcoinToBase({ feeBps: 30, recipient: WALLETS.evm }),
    ]) {
      const theirs = await executed(bench.venue, order)
      const problems = count(await problemsOf({ ...swap.execution, evidence: theirs.execution.evidence }))
      expect(problems).toContain('deposit.address')
    }
  })

  test('a dry quote, which opens no deposit', async () => {
    const { bench, swap, problemsOf } = await build()
    const asDry = (evidence: Evidence) => Reflect.set(evidence.words, 'dry', true)
    const { venue, spoil, close } = await resigning(bench, asDry)
    expect(count(await problemsOf(spoil(swap.execution), venue))).toContain('unread: a quote that opens no deposit')
    await close()
  })
})

/** An adapter that trusts a key with which the altered words have been signed again. */
const resigning = async (bench: VenueBench, change: (evidence: Evidence) => unknown) => {
  const liar = aLiar()
  const { venue, close } = await againstAnswers(
    relayedFrom(bench, (_, body) => body),
    { PUBLIC_KEY: liar.publicKey, FEE_ACCOUNT },
  )
  const spoil = (execution: Execution): Execution =>
    spoiled(execution, ({ evidence }) => {
      change(evidence)
      evidence.signature = liar.signWords(evidence.words)
    })
  return { venue, spoil, close }
}

describe('a venue that signs something else than was quoted is refused by name:', () => {
  test('its signature over the unaltered words is good', async () => {
    const { bench, swap, problemsOf } = await build()
    const { venue, spoil, close } = await resigning(bench, () => undefined)
    expect(await problemsOf(spoil(swap.execution), venue)).toEqual([])
    await close()
  })

  test.each<[string, Record<string, string | number>]>([
    ['recipient', { recipient: WALLETS.evm }],
    ['refundTo', { refundTo: OTHER_BITCOIN }],
    ['chain', { originAsset: 'nep141:eth.omft.near', depositAddress: WALLETS.evmOther, refundTo: WALLETS.evmOther }],
    ['output.token', { destinationAsset: 'nep141:base.omft.near' }],
    ['undecodable', { destinationAsset: 'nep141:unheard.of' }],
    ['input.amount', { amountIn: '1000001', amount: '1000001' }],
    ['unread: amount', { amountIn: '999999' }],
    ['output.minimum', { minAmountOut: '1' }],
    ['deposit.address', { depositAddress: OTHER_BITCOIN }],
    ['undecodable', { depositAddress: 'bc1qk6s0ynedvn2w7r4f8gq5x3u9c0zjhm2ptlae7d' }],
    ['undecodable', { recipient: WALLETS.bitcoin }],
    ['deadline', { deadline: '2026-11-19T23:59:59.000Z' }],
    ['deadline', { deadline: '2026-12-21T00:00:00.000Z' }],
    ['unread: deadline', { deadline: 'some day' }],
    ['unread: swapType', { swapType: 'EXACT_OUTPUT' }],
    ['unread: depositType', { depositType: 'INTENTS' }],
    ['unread: refundType', { refundType: 'INTENTS' }],
    ['unread: recipientType', { recipientType: 'INTENTS' }],
    ['unread: depositMemo', { depositMemo: '77' }],
    ['unread: customRecipientMsg', { customRecipientMsg: 'run this' }],
    ['unread: virtualChainRecipient', { virtualChainRecipient: WALLETS.evm }],
    ['unread: virtualChainRefundRecipient', { virtualChainRefundRecipient: WALLETS.evm }],
  ])('%s by %j', async (name, words) => {
    const { bench, swap, problemsOf } = await build()
    const { venue, spoil, close } = await resigning(bench, (evidence) => Object.assign(evidence.words, words))
    const problems = count(await problemsOf(spoil(swap.execution), venue))
    expect(problems.map((problem) => problem.replace(/^undecodable:.*/, 'undecodable'))).toContain(name)
    if (name === 'undecodable') expect(problems.join()).not.toContain('signature')
    await close()
  })
})

test('every alteration was refused', () => {
  expect(altered).toBeGreaterThanOrEqual(120)
  expect(refused).toBe(altered)
})
