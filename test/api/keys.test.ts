import { describe, expect, it } from 'vitest'
import { closing } from '../support/closing.ts'
import type { Reply } from '../support/edgeServer.ts'
import { createFakeVenue } from '../support/fakeVenue.ts'
import { type KeysStage, SIGNUP, startKeys } from '../support/keysStage.ts'
import { anEntry } from '../support/storedSwap.ts'
import { USDC_SWAP } from '../support/swaps.ts'
import { START_AT } from '../support/testEngine.ts'

const EVM = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const OTHER_EVM = '0x220866B1A2219f40e72f5c628B65D54268cA3A9D'
const SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const THOR = `thor1${'a1'.repeat(19)}`
const HOUR_MS = 3_600_000
const NOTHING_SET = { feeBps: null, payoutAddresses: [], webhookUrl: null }

const own = closing()
const start = async (options: Parameters<typeof startKeys>[0] = {}) => own(await startKeys(options))

/** A stage with a partner that has a self-serve key. */
const startPartner = async (options: Parameters<typeof startKeys>[0] = {}, feeBps?: number) => {
  const stage = await start(options)
  const key = await stage.signUp(feeBps === undefined ? {} : { feeBps })
  return {
    stage,
    key,
    clock: stage.engine.clock,
    patch: (body: object, request = {}) => stage.call('PATCH', body, key, request),
    account: () => stage.account(key),
    addresses: async () => (await stage.account(key))['payoutAddresses'],
    events: () => stage.events(key),
  }
}

const codeOf = ({ status, json }: Reply): readonly unknown[] => [status, json.error?.code]
const problemsOf = (reply: Reply): readonly string[] => {
  expect(codeOf(reply)).toEqual([400, 'INVALID_REQUEST'])
  return (reply.json.error.details['fields'] as { path: string; reason: string }[]).map(({ path, reason }) => `${path} ${reason}`)
}

describe('POST /keys', () => {
  it('returns 201 with a key of 120 requests a minute, the partner and a fee of 0 [key-signup-instant]', async () => {
    const stage = await start()
    const reply = await stage.call('POST', SIGNUP)
    expect(reply.status).toBe(201)
    expect(reply.json.data).toEqual({
      apiKey: expect.stringMatching(/^swk_[0-9A-Za-z]{38}$/),
      partnerId: expect.stringMatching(/^ptn_[0-9A-Za-z]{16}$/),
      feeBps: 0,
    })
    const known = await stage.call('GET', undefined, String(reply.json.data['apiKey']))
    expect(known.headers['ratelimit-policy']).toBe('"self-serve";q=120;w=60')
  })

  it('stores the contacts for the operator, and a hash of the key [key-signup-instant]', async () => {
    const stage = await start()
    const contacts = { ...SIGNUP, discord: 'd', blurb: 'b', category: 'c', chains: ['base'], apisPlanned: ['quote'] }
    const { json } = await stage.call('POST', { ...contacts, feeBps: 25 })
    const { apiKey, partnerId, feeBps } = json.data as { apiKey: string; partnerId: string; feeBps: number }
    expect(feeBps).toBe(25)
    expect(await stage.engine.store.partners.contactsOf(partnerId)).toEqual(contacts)
    const kept = await stage.engine.store.apiKeys.ofPartner(partnerId)
    expect(kept).toMatchObject([{ hint: `swk_…${apiKey.slice(-4)}`, revokedAt: null }])
    expect(JSON.stringify(kept)).not.toContain(apiKey)
  })

  it.each([
    ['email', undefined, 'email is required'],
    ['email', 'nobody', 'email must be an email address'],
    ['projectName', '', 'projectName must not be empty'],
    ['projectName', 'a\u001b[31mb', 'projectName must not contain control characters'],
    ['website', 'wallet.example', 'website must be a URL with its scheme'],
    ['chains', ['base', 1], 'chains[1] must be a string'],
    ['feeBps', 101, 'feeBps must be at most 100'],
    ['feeBps', -1, 'feeBps must be at least 0'],
    ['apiKey', 'swk_mine', 'apiKey is not a known field'],
  ])('with %s %j receives 400 with the field, and creates no partner', async (field, value, problem) => {
    const stage = await start()
    expect(problemsOf(await stage.call('POST', { ...SIGNUP, [field]: value }))).toContain(problem)
    expect(await stage.engine.store.partners.list({ afterId: null, limit: 100 }, null)).toEqual([])
  })
})

describe('PATCH /keys', () => {
  it('returns the fee and the payout addresses as sent, and the account has them at once', async () => {
    const { patch, account, clock } = await startPartner()
    const sent = { feeBps: 30, payoutAddresses: { evm: EVM.toLowerCase(), thorchain: THOR } }
    const reply = await patch(sent)
    expect([reply.status, reply.json.data]).toEqual([200, sent])
    const more = await patch({ payoutAddresses: { solana: SOLANA } })
    expect(more.json.data).toEqual({ payoutAddresses: { evm: EVM, solana: SOLANA, thorchain: THOR } })
    const counting = { countsFrom: clock.now(), counts: true }
    expect(await account()).toMatchObject({
      feeBps: 30,
      payoutAddresses: [
        { ecosystem: 'evm', address: EVM, ...counting },
        { ecosystem: 'solana', address: SOLANA, ...counting },
        { ecosystem: 'thorchain', address: THOR, ...counting },
      ],
    })
  })

  it('returns the webhook secret with the first URL alone, and null removes both [webhook-secret-once]', async () => {
    const { patch, account, events } = await startPartner()
    const [hook, otherHook] = ['https://wallet.example/hook', 'https://wallet.example/other']
    const first = await patch({ webhookUrl: hook })
    expect(first.json.data).toEqual({ webhookUrl: hook, webhookSecret: expect.stringMatching(/^whsec_.{43}$/) })
    const other = await patch({ webhookUrl: otherHook, feeBps: 1 })
    expect(other.json.data).toEqual({ webhookUrl: otherHook, feeBps: 1 })
    expect((await account())['webhookUrl']).toBe(otherHook)
    for (let i = 0; i < 2; i += 1) {
      const removal = await patch({ webhookUrl: null })
      expect([removal.status, removal.json.data]).toEqual([200, { webhookUrl: null }])
    }
    expect((await account())['webhookUrl']).toBeNull()
    const removals = (await events()).filter(({ event }) => event === 'webhook.removed')
    expect(removals).toMatchObject([{ before: otherHook, delivery: 'none' }])
    const again = await patch({ webhookUrl: hook })
    expect([undefined, first.json.data['webhookSecret']]).not.toContain(again.json.data['webhookSecret'])
  })

  it.each([
    [{}, 'body must have at least one known field'],
    [{ apiKey: 'swk_mine', feeBps: 5 }, 'apiKey is not a known field'],
    [{ feeBps: 101 }, 'feeBps must be at most 100'],
    [{ feeBps: null }, 'feeBps must be a whole number'],
    [{ payoutAddresses: { bitcoin: 'bc1q' } }, 'payoutAddresses.bitcoin is not a known field'],
    [{ payoutAddresses: { evm: EVM.replace('d8dA', 'D8dA') } }, 'payoutAddresses.evm checksum does not match'],
    [{ payoutAddresses: { evm: `0x${'0'.repeat(40)}` } }, 'payoutAddresses.evm must not be the zero address'],
    [{ payoutAddresses: { solana: EVM } }, 'payoutAddresses.solana is not a valid Solana address'],
    [
      { payoutAddresses: { thorchain: `thor1${'A'.repeat(38)}` } },
      'payoutAddresses.thorchain must be thor1 followed by 38 lower-case letters and digits',
    ],
    [{ webhookUrl: 'https://10.0.0.8/hook' }, 'webhookUrl must not lead to a private address'],
  ])('with %j receives 400 with the field, and changes nothing', async (body, problem) => {
    const { patch, account, events } = await startPartner()
    expect(problemsOf(await patch(body))).toContain(problem)
    expect(await account()).toMatchObject(NOTHING_SET)
    expect(await events()).toEqual([])
  })

  it('with several wrong fields receives 400 with each of them [key-patch-all-or-nothing]', async () => {
    const { patch } = await startPartner()
    const problems = problemsOf(
      await patch({ payoutAddresses: { evm: 'x', solana: 'y' }, webhookUrl: 'https://me:pass@a.example' }),
    )
    const paths = ['payoutAddresses.evm', 'payoutAddresses.solana', 'webhookUrl']
    expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual(paths)
  })

  it('receives 401 first, then 400, then 404 for an enterprise key, which sets its addresses alone [key-patch-all-or-nothing]', async () => {
    const stage = await start()
    const key = await stage.issue('enterprise', { feeBps: 12, requestsPerMinute: 3_000 })
    const payoutAddresses = { evm: EVM }
    for (const [body, by, expected] of [
      [{ feeBps: 'wrong' }, undefined, [401, 'UNAUTHORIZED']],
      [{ feeBps: 'wrong' }, key, [400, 'INVALID_REQUEST']],
      [{ feeBps: 5, payoutAddresses: { evm: '0x1' } }, key, [400, 'INVALID_REQUEST']],
      [{ feeBps: 5 }, key, [404, 'NOT_FOUND']],
      [{ webhookUrl: 'https://a.example' }, key, [404, 'NOT_FOUND']],
      [{ feeBps: 5, payoutAddresses }, key, [404, 'NOT_FOUND']],
    ] as const)
      expect([body, codeOf(await stage.call('PATCH', body, by))]).toEqual([body, expected])
    const limits = { requestsPerMinute: 3_000, requestsPerAddressPerMinute: null }
    expect(await stage.account(key)).toMatchObject({ tier: 'enterprise', feeBps: 12, payoutAddresses: [], limits })
    const addresses = await stage.call('PATCH', { payoutAddresses }, key)
    expect([addresses.status, addresses.json.data]).toEqual([200, { payoutAddresses }])
  })

  it('changes nothing when its last step fails [key-patch-all-or-nothing]', async () => {
    const { stage, patch, account, events } = await startPartner()
    stage.engine.store.fails = (call) => call === 'webhooks.set'
    const reply = await patch({ feeBps: 5, payoutAddresses: { evm: EVM }, webhookUrl: 'https://a.example' })
    expect([...codeOf(reply), reply.json.error.details]).toEqual([500, 'INTERNAL', { retryable: true }])
    stage.engine.store.fails = () => false
    expect(await account()).toMatchObject(NOTHING_SET)
    expect(await events()).toEqual([])
  })

  it('several times at once makes one change after the other: one first address counts, one secret is returned', async () => {
    const { patch, addresses, events } = await startPartner()
    const bodies = [EVM, OTHER_EVM, EVM, OTHER_EVM].map((evm, i) => ({
      payoutAddresses: { evm },
      webhookUrl: `https://a.example/${i}`,
      feeBps: i,
    }))
    const replies = await Promise.all(bodies.map((body) => patch(body)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(replies.filter(({ json }) => 'webhookSecret' in json.data)).toHaveLength(1)
    const made = await events()
    for (const [event, field] of [
      ['fee.changed', 'feeBps'],
      ['webhook.changed', 'webhookUrl'],
      ['payout-address.changed', 'address'],
    ] as const) {
      const links = made.filter((one) => one['event'] === event)
      expect(links.map(({ before }) => before)).toEqual([null, ...links.slice(0, -1).map((one) => one[field])])
    }
    expect(((await addresses()) as { counts: boolean }[]).filter(({ counts }) => counts)).toHaveLength(1)
  })
})

describe('a payout address [key-payout-hold]', () => {
  it('takes effect at once when it is the first, and after the hold when it replaces one', async () => {
    const { patch, addresses, clock } = await startPartner({ env: { PAYOUT_ADDRESS_HOLD_HOURS: '72' } })
    await patch({ payoutAddresses: { evm: EVM } })
    const first = { ecosystem: 'evm', address: EVM, countsFrom: clock.now(), counts: true }
    clock.at += HOUR_MS
    await patch({ payoutAddresses: { evm: OTHER_EVM } })
    const second = { ecosystem: 'evm', address: OTHER_EVM, countsFrom: clock.now() + 72 * HOUR_MS, counts: false }
    expect(await addresses()).toEqual([first, second])
    clock.at = second.countsFrom - 1
    expect(await addresses()).toEqual([first, second])
    clock.at += 1
    expect(await addresses()).toEqual([{ ...second, counts: true }])
  })

  it('is restored without a hold, in any spelling; repeating the new one restarts no hold', async () => {
    const { patch, addresses, clock } = await startPartner()
    for (const evm of [EVM, OTHER_EVM]) await patch({ payoutAddresses: { evm } })
    const from = clock.now() + 72 * HOUR_MS
    clock.at += HOUR_MS
    await patch({ payoutAddresses: { evm: OTHER_EVM.toLowerCase() } })
    expect(await addresses()).toMatchObject([{ counts: true }, { countsFrom: from }])
    await patch({ payoutAddresses: { evm: EVM.toLowerCase() } })
    expect(await addresses()).toMatchObject([{ address: EVM, counts: true }])
    clock.at = from + HOUR_MS
    expect(await addresses()).toMatchObject([{ address: EVM, counts: true }])
  })

  it('stays in the history, of which two stand after twelve changes', async () => {
    const { stage, patch, account } = await startPartner()
    const changes = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? EVM : OTHER_EVM))
    for (const evm of changes) await patch({ payoutAddresses: { evm } })
    const { partners } = stage.engine.store
    const partnerId = String((await account())['partnerId'])
    expect((await partners.payoutAddressesOf(partnerId)).map(({ address }) => address)).toEqual(changes)
    expect((await partners.standingAddressesOf(partnerId)).map(({ address }) => address)).toEqual([EVM, OTHER_EVM])
  })
})

describe('changes of settings [key-changes-in-feed]', () => {
  const LIMIT = 50
  const DAY_MS = 24 * HOUR_MS
  const LIMITED = [429, 'RATE_LIMITED']

  /** A partner that has made so many changes. */
  const startChanged = async (times: number, everyMs = 0) => {
    const partner = await startPartner()
    const change = async (count: number) => {
      for (let number = 0; number < count; number += 1) {
        partner.clock.at += everyMs
        expect((await partner.patch({ feeBps: number % 2 })).status).toBe(200)
      }
    }
    await change(times)
    return { ...partner, change }
  }

  it('are at most 50 in 24 hours: the 51st receives 429 with the time to wait, and changes nothing', async () => {
    const { patch, account, events, clock } = await startChanged(LIMIT, 60_000)
    const reply = await patch({ feeBps: 7, webhookUrl: 'https://a.example/' })
    const waitSec = (DAY_MS - (LIMIT - 1) * 60_000) / 1_000
    expect([codeOf(reply), reply.json.error.details]).toEqual([LIMITED, { retryAfterSec: waitSec }])
    expect(reply.headers['retry-after']).toBe(String(waitSec))
    expect(await account()).toMatchObject({ feeBps: 1, webhookUrl: null })
    expect(await events()).toHaveLength(LIMIT)
    clock.at += waitSec * 1_000
    expect((await patch({ feeBps: 7 })).status).toBe(200)
    expect(codeOf(await patch({ feeBps: 8 }))).toEqual(LIMITED)
  })

  it('count each setting of a call, and none of a refused call', async () => {
    const { patch, events } = await startChanged(LIMIT - 2)
    const payoutAddresses = { evm: EVM, solana: SOLANA }
    expect(codeOf(await patch({ feeBps: 9, payoutAddresses }))).toEqual(LIMITED)
    expect((await patch({ payoutAddresses })).status).toBe(200)
    expect(await events()).toHaveLength(LIMIT)
  })

  it('do not include repeated values, reads, and changes of other partners', async () => {
    const { stage, key, patch } = await startChanged(LIMIT)
    expect((await patch({ feeBps: 1 })).status).toBe(200)
    expect((await stage.call('GET', undefined, key)).status).toBe(200)
    expect((await stage.call('PATCH', { feeBps: 3 }, await stage.signUp())).status).toBe(200)
  })

  it('never prevent the return from a payout address that is held', async () => {
    const { patch, addresses, events, change } = await startChanged(0)
    await patch({ payoutAddresses: { evm: EVM } })
    await change(LIMIT - 2)
    await patch({ payoutAddresses: { evm: OTHER_EVM } })
    expect(codeOf(await patch({ payoutAddresses: { solana: SOLANA } }))).toEqual(LIMITED)
    expect((await patch({ payoutAddresses: { evm: EVM } })).status).toBe(200)
    expect(await addresses()).toMatchObject([{ address: EVM, counts: true }])
    expect(codeOf(await patch({ payoutAddresses: { evm: OTHER_EVM } }))).toEqual(LIMITED)
    expect(await events()).toHaveLength(LIMIT + 1)
  })
})

describe('GET /keys', () => {
  it('returns settings, limits and balances by token, and no secret [key-signup-instant]', async () => {
    const { stage, key, patch, account, clock } = await startPartner({ env: { RATE_LIMIT_KEYS_PER_ADDRESS: '500' } }, 7)
    const { json } = await patch({ webhookUrl: 'https://a.example/' })
    const partnerId = String((await account())['partnerId'])
    const line = { ecosystem: 'evm', chainId: 8453, token: 'token' } as const
    const large = 2n ** 80n
    const entries = [
      anEntry('1', partnerId, { ...line, amount: large }),
      anEntry('2', partnerId, { ...line, kind: 'payout', side: 'debit', amount: 3n }),
    ]
    for (const entry of entries) await stage.engine.store.transaction(({ ledger }) => ledger.book(entry))
    const reply = await stage.call('GET', undefined, key)
    expect(reply.json.data).toEqual({
      partnerId,
      tier: 'self-serve',
      feeBps: 7,
      payoutAddresses: [],
      webhookUrl: 'https://a.example/',
      limits: { requestsPerMinute: 120, requestsPerAddressPerMinute: 500 },
      balances: [{ ...line, earned: large.toString(), paid: '3' }],
      createdAt: clock.now(),
    })
    for (const secret of [key, String(json.data['webhookSecret']), 'whsec_', 'swk_']) expect(reply.text).not.toContain(secret)
  })
})

describe('a swap with a key [key-swap-attribution]', () => {
  const startVenue = (env = {}) => start({ venues: [createFakeVenue('toy', { now: () => START_AT })], env })

  const post = async ({ edge }: KeysStage, path: string, body: object, apiKey: string | null) => {
    const headers = { 'x-request-id': path, ...(apiKey !== null && { 'x-api-key': apiKey }) }
    const reply = await edge.call(`/api/v1/${path}`, { method: 'POST', body, headers })
    if (reply.status !== 200) throw new Error(reply.text)
    return reply.json.data
  }
  const quote = async (stage: KeysStage, apiKey: string | null) =>
    (await post(stage, 'quote', USDC_SWAP, apiKey)) as { quoteToken: string; fee: { bps: number; amount: string } }

  it('is quoted with the fee of the key, at once after a change, also of an enterprise key', async () => {
    const stage = await startVenue()
    const key = await stage.signUp({ feeBps: 25 })
    expect((await quote(stage, key)).fee).toMatchObject({ bps: 25, amount: '2500' })
    await stage.call('PATCH', { feeBps: 100 }, key)
    expect((await quote(stage, key)).fee).toMatchObject({ bps: 100, amount: '10000' })
    expect((await quote(stage, null)).fee).toMatchObject({ bps: 0, amount: '0' })
    expect((await quote(stage, await stage.issue('enterprise', { feeBps: 12 }))).fee.bps).toBe(12)
  })

  it('is quoted with the schedule of the operator, who earns it, for a key that set no fee, and with 0 for a key that set 0', async () => {
    const stage = await startVenue({ FEE_SCHEDULE: 'route' })
    const [never, zero, own] = [await stage.signUp(), await stage.signUp({ feeBps: 0 }), await stage.signUp({ feeBps: 7 })]
    const bps: number[] = []
    for (const key of [null, never, zero, own]) bps.push((await quote(stage, key)).fee.bps)
    expect([bps, (await stage.account(zero))['feeBps']]).toEqual([[15, 15, 0, 7], 0])
    for (const key of [never, own]) await post(stage, 'execute', { quoteToken: (await quote(stage, key)).quoteToken }, key)
    expect(await stage.engine.store.kept()).toMatchObject([{ feeOf: 'operator' }, { feeOf: 'partner' }])
  })

  it.each([
    ['A quotes and A executes', 'a', 'a', 'a', 'a'],
    ['A quotes and B executes', 'a', 'b', 'a', 'b'],
    ['A quotes and a caller without key executes', 'a', null, 'a', 'a'],
    ['a caller without key quotes and B executes', null, 'b', null, 'b'],
    ['no key is sent', null, null, null, null],
  ] as const)(
    'when %s: the key of the quote earns the fee, the key of the execution, else of the quote, receives the events',
    async (_what, quoting, executing, feeTo, toldTo) => {
      const stage = await startVenue()
      const keys = { a: await stage.signUp({ feeBps: 20 }), b: await stage.signUp({ feeBps: 50 }) }
      const { quoteToken, fee } = await quote(stage, quoting && keys[quoting])
      expect(fee.bps).toBe(quoting === null ? 0 : 20)
      await post(stage, 'execute', { quoteToken }, executing && keys[executing])
      const [swap] = await stage.engine.store.kept()
      const idOf = async (name: 'a' | 'b' | null) => name && (await stage.account(keys[name]))['partnerId']
      const [partnerId, executedBy] = [await idOf(feeTo), await idOf(toldTo)]
      expect(swap).toMatchObject({ partnerId, executedBy, requestId: 'execute', swap: { order: { feeBps: fee.bps } } })
    },
  )
})
