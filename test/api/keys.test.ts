import { afterEach, describe, expect, it } from 'vitest'
import type { Reply } from '../support/edgeServer.ts'
import { type KeysStage, SIGNUP, startKeys } from '../support/keysStage.ts'

const EVM = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const OTHER_EVM = '0x220866B1A2219f40e72f5c628B65D54268cA3A9D'
const SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const THOR = `thor1${'a1'.repeat(19)}`
const HOUR_MS = 3_600_000

const stages: KeysStage[] = []
const start = async (options: Parameters<typeof startKeys>[0] = {}): Promise<KeysStage> => {
  const stage = await startKeys(options)
  stages.push(stage)
  return stage
}

afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close()
})

const codeOf = ({ status, json }: Reply): readonly unknown[] => [status, json.error?.code]
const fieldsOf = ({ json }: Reply): readonly string[] =>
  (json.error.details['fields'] as readonly { path: string; reason: string }[]).map(({ path, reason }) => `${path} ${reason}`)

describe('POST /keys', () => {
  it('gives a key at once: 201 with the key, the partner and a fee of 0 [key-signup-instant]', async () => {
    const stage = await start()
    const reply = await stage.call('POST', SIGNUP)
    expect(reply.status).toBe(201)
    expect(reply.json.data).toEqual({
      apiKey: expect.stringMatching(/^swk_[0-9A-Za-z]{38}$/),
      partnerId: expect.stringMatching(/^ptn_[0-9A-Za-z]{16}$/),
      feeBps: 0,
    })
    const apiKey = String(reply.json.data['apiKey'])
    const known = await stage.call('GET', undefined, apiKey)
    expect(known.headers['ratelimit-policy']).toBe('"self-serve";q=120;w=60')
  })

  it('keeps who signed up for the operator, and of the key only a hash [key-signup-instant]', async () => {
    const stage = await start()
    const all = { ...SIGNUP, discord: 'd', blurb: 'b', category: 'c', chains: ['base'], apisPlanned: ['quote'], feeBps: 25 }
    const { json } = await stage.call('POST', all)
    const { apiKey, partnerId, feeBps } = json.data as { apiKey: string; partnerId: string; feeBps: number }
    expect(feeBps).toBe(25)
    const { feeBps: _, ...contacts } = all
    expect(await stage.engine.store.partners.contactsOf(partnerId)).toEqual(contacts)
    const kept = await stage.engine.store.apiKeys.ofPartner(partnerId)
    expect(kept).toMatchObject([{ hint: `swk_…${apiKey.slice(-4)}`, revokedAt: null }])
    expect(JSON.stringify(kept)).not.toContain(apiKey)
  })

  it('keeps apart a fee of 0 and none', async () => {
    const stage = await start()
    expect((await stage.account(await stage.signUp()))['feeBps']).toBeNull()
    expect((await stage.account(await stage.signUp({ feeBps: 0 })))['feeBps']).toBe(0)
  })

  it.each([
    ['email', undefined, 'email is required'],
    ['email', 'nobody', 'email must be an email address'],
    ['email', `${'a'.repeat(300)}@wallet.example`, 'email must have at most 254 characters'],
    ['projectName', '', 'projectName must not be empty'],
    ['projectName', 'a\u0000b', 'projectName must not contain control characters'],
    ['projectName', 'a\u001b[31mb', 'projectName must not contain control characters'],
    ['projectName', 'x'.repeat(60_000), 'projectName must have at most 200 characters'],
    ['website', 'wallet.example', 'website must be a URL with its scheme'],
    ['telegram', null, 'telegram must be a string'],
    ['twitter', 7, 'twitter must be a string'],
    ['chains', 'base', 'chains must be a list'],
    ['chains', ['base', 1], 'chains[1] must be a string'],
    ['apisPlanned', Array.from({ length: 65 }, () => 'quote'), 'apisPlanned must have at most 64 items'],
    ['feeBps', 101, 'feeBps must be at most 100'],
    ['feeBps', -1, 'feeBps must be at least 0'],
    ['feeBps', 1.5, 'feeBps must be a whole number'],
    ['feeBps', '5', 'feeBps must be a whole number'],
    ['apiKey', 'swk_mine', 'apiKey is not a known field'],
  ])('refuses %s %j, naming the field', async (field, value, problem) => {
    const stage = await start()
    const reply = await stage.call('POST', { ...SIGNUP, [field]: value })
    expect(codeOf(reply)).toEqual([400, 'INVALID_REQUEST'])
    expect(fieldsOf(reply)).toContain(problem)
    expect(await stage.engine.store.partners.list({ afterId: null, limit: 100 }, null)).toEqual([])
  })
})

describe('PATCH /keys', () => {
  it('sets a fee and payout addresses, and answers with what was sent', async () => {
    const stage = await start()
    const key = await stage.signUp()
    const sent = { feeBps: 30, payoutAddresses: { evm: EVM.toLowerCase(), solana: SOLANA, thorchain: THOR } }
    const reply = await stage.call('PATCH', sent, key)
    expect([reply.status, reply.json.data]).toEqual([200, sent])
    const now = stage.engine.clock.now()
    expect(await stage.account(key)).toMatchObject({
      feeBps: 30,
      payoutAddresses: [
        { ecosystem: 'evm', address: EVM, countsFrom: now, counts: true },
        { ecosystem: 'solana', address: SOLANA, countsFrom: now, counts: true },
        { ecosystem: 'thorchain', address: THOR, countsFrom: now, counts: true },
      ],
    })
  })

  it('leaves the addresses of other ecosystems, and tells them too', async () => {
    const stage = await start()
    const key = await stage.signUp()
    await stage.call('PATCH', { payoutAddresses: { evm: EVM } }, key)
    const reply = await stage.call('PATCH', { payoutAddresses: { solana: SOLANA } }, key)
    expect(reply.json.data).toEqual({ payoutAddresses: { evm: EVM, solana: SOLANA } })
  })

  it('registers a webhook alone, returns its secret once, and removes both on null [webhook-secret-once]', async () => {
    const stage = await start()
    const key = await stage.signUp()
    const first = await stage.call('PATCH', { webhookUrl: 'https://wallet.example/hook' }, key)
    expect(first.json.data).toEqual({
      webhookUrl: 'https://wallet.example/hook',
      webhookSecret: expect.stringMatching(/^whsec_.{43}$/),
    })
    const other = await stage.call('PATCH', { webhookUrl: 'https://wallet.example/other', feeBps: 1 }, key)
    expect(other.json.data).toEqual({ webhookUrl: 'https://wallet.example/other', feeBps: 1 })
    expect((await stage.account(key))['webhookUrl']).toBe('https://wallet.example/other')
    for (let i = 0; i < 2; i += 1) {
      const removal = await stage.call('PATCH', { webhookUrl: null }, key)
      expect([removal.status, removal.json.data]).toEqual([200, { webhookUrl: null }])
    }
    expect((await stage.account(key))['webhookUrl']).toBeNull()
    const removals = (await stage.events(key)).filter(({ event }) => event === 'webhook.removed')
    expect(removals).toMatchObject([{ before: 'https://wallet.example/other', delivery: 'none' }])
    const again = await stage.call('PATCH', { webhookUrl: 'https://wallet.example/hook' }, key)
    expect([undefined, first.json.data['webhookSecret']]).not.toContain(again.json.data['webhookSecret'])
  })

  it.each([
    [{}, 'body must have at least one known field'],
    [{ fee: 5 }, 'fee is not a known field'],
    [{ apiKey: 'swk_mine', feeBps: 5 }, 'apiKey is not a known field'],
    [{ feeBps: 101 }, 'feeBps must be at most 100'],
    [{ feeBps: null }, 'feeBps must be a whole number'],
    [{ payoutAddresses: {} }, 'payoutAddresses must have at least one known field'],
    [{ payoutAddresses: { bitcoin: 'bc1q' } }, 'payoutAddresses.bitcoin is not a known field'],
    [{ payoutAddresses: { evm: '0x1' } }, 'payoutAddresses.evm is not a valid EVM address'],
    [{ payoutAddresses: { evm: EVM.replace('d8dA', 'D8dA') } }, 'payoutAddresses.evm checksum does not match'],
    [{ payoutAddresses: { evm: `0x${'0'.repeat(40)}` } }, 'payoutAddresses.evm must not be the zero address'],
    [{ payoutAddresses: { solana: EVM } }, 'payoutAddresses.solana is not a valid Solana address'],
    [
      { payoutAddresses: { thorchain: `thor1${'A'.repeat(38)}` } },
      'payoutAddresses.thorchain must be thor1 followed by 38 lower-case letters and digits',
    ],
    [
      { payoutAddresses: { thorchain: `${THOR}\n` } },
      'payoutAddresses.thorchain must be thor1 followed by 38 lower-case letters and digits',
    ],
    [{ webhookUrl: 'http://wallet.example' }, 'webhookUrl must be an https URL without user name and password'],
    [{ webhookUrl: 'https://me:pass@wallet.example' }, 'webhookUrl must be an https URL without user name and password'],
    [{ webhookUrl: 'wallet.example' }, 'webhookUrl must be an https URL without user name and password'],
    [{ webhookUrl: 'https://10.0.0.8/hook' }, 'webhookUrl must not lead to a private address'],
    [{ webhookUrl: `https://wallet.example/${'x'.repeat(3_000)}` }, 'webhookUrl must have at most 2048 characters'],
  ])('refuses %j, naming the field, and changes nothing', async (body, problem) => {
    const stage = await start()
    const key = await stage.signUp()
    const reply = await stage.call('PATCH', body, key)
    expect(codeOf(reply)).toEqual([400, 'INVALID_REQUEST'])
    expect(fieldsOf(reply)).toContain(problem)
    expect(await stage.account(key)).toMatchObject({ feeBps: null, payoutAddresses: [], webhookUrl: null })
    expect(await stage.events(key)).toEqual([])
  })

  it('names every field that cannot be taken at once [key-patch-all-or-nothing]', async () => {
    const stage = await start()
    const key = await stage.signUp()
    const pathsOf = async (body: object) =>
      fieldsOf(await stage.call('PATCH', body, key))
        .map((problem) => problem.split(' ')[0])
        .sort()
    const rejectedBySchema = { payoutAddresses: { thorchain: 'z' }, webhookUrl: 'http://a.example' }
    expect(await pathsOf(rejectedBySchema)).toEqual(['payoutAddresses.thorchain', 'webhookUrl'])
    const wrongAddresses = { payoutAddresses: { evm: 'x', solana: 'y' }, webhookUrl: 'https://me:pass@a.example' }
    expect(await pathsOf(wrongAddresses)).toEqual(['payoutAddresses.evm', 'payoutAddresses.solana', 'webhookUrl'])
  })

  it('answers 401, then 400, then 404 [key-patch-all-or-nothing]', async () => {
    const stage = await start()
    expect(codeOf(await stage.call('PATCH', { feeBps: 'wrong' }))).toEqual([401, 'UNAUTHORIZED'])
    expect(codeOf(await stage.call('PATCH', { feeBps: 'wrong' }, 'swk_unknown'))).toEqual([401, 'UNAUTHORIZED'])
    const enterprise = await stage.issue('enterprise')
    expect(codeOf(await stage.call('PATCH', { feeBps: 'wrong' }, enterprise))).toEqual([400, 'INVALID_REQUEST'])
    const half = { feeBps: 5, payoutAddresses: { evm: '0x1' } }
    expect(codeOf(await stage.call('PATCH', half, enterprise))).toEqual([400, 'INVALID_REQUEST'])
    expect(codeOf(await stage.call('PATCH', { feeBps: 5 }, enterprise))).toEqual([404, 'NOT_FOUND'])
    expect(codeOf(await stage.call('PATCH', { webhookUrl: 'https://a.example' }, enterprise))).toEqual([404, 'NOT_FOUND'])
  })

  it('changes nothing of an enterprise key that asked for one thing too many, and its addresses alone otherwise', async () => {
    const stage = await start()
    const key = await stage.issue('enterprise', { feeBps: 12, requestsPerMinute: 3_000 })
    const both = { payoutAddresses: { evm: EVM }, feeBps: 5 }
    expect(codeOf(await stage.call('PATCH', both, key))).toEqual([404, 'NOT_FOUND'])
    expect(await stage.account(key)).toMatchObject({ feeBps: 12, payoutAddresses: [] })
    const addresses = await stage.call('PATCH', { payoutAddresses: { evm: EVM } }, key)
    expect([addresses.status, addresses.json.data]).toEqual([200, { payoutAddresses: { evm: EVM } }])
  })

  it('is all or nothing: what fails at its last step has changed nothing [key-patch-all-or-nothing]', async () => {
    const stage = await start()
    const key = await stage.signUp()
    stage.engine.store.fails = (call) => call === 'webhooks.set'
    const body = { feeBps: 5, payoutAddresses: { evm: EVM }, webhookUrl: 'https://a.example' }
    const reply = await stage.call('PATCH', body, key)
    expect(codeOf(reply)).toEqual([500, 'INTERNAL'])
    expect(reply.json.error.details).toEqual({ retryable: true })
    stage.engine.store.fails = () => false
    expect(await stage.account(key)).toMatchObject({ feeBps: null, payoutAddresses: [], webhookUrl: null })
    expect(await stage.events(key)).toEqual([])
  })
})

describe('a payout address', () => {
  it('counts at once when it is the first, and after the hold when it replaces one [key-payout-hold]', async () => {
    const stage = await start({ env: { PAYOUT_ADDRESS_HOLD_HOURS: '72' } })
    const { clock } = stage.engine
    const key = await stage.signUp()
    await stage.call('PATCH', { payoutAddresses: { evm: EVM } }, key)
    const firstAt = clock.now()
    clock.at += HOUR_MS
    await stage.call('PATCH', { payoutAddresses: { evm: OTHER_EVM } }, key)
    const from = clock.now() + 72 * HOUR_MS
    const both = [
      { ecosystem: 'evm', address: EVM, countsFrom: firstAt, counts: true },
      { ecosystem: 'evm', address: OTHER_EVM, countsFrom: from, counts: false },
    ]
    expect((await stage.account(key))['payoutAddresses']).toEqual(both)
    clock.at = from - 1
    expect((await stage.account(key))['payoutAddresses']).toEqual(both)
    clock.at = from
    expect((await stage.account(key))['payoutAddresses']).toEqual([
      { ecosystem: 'evm', address: OTHER_EVM, countsFrom: from, counts: true },
    ])
  })

  it('is taken back to without a hold, in whatever spelling; the same again restarts none [key-payout-hold]', async () => {
    const stage = await start()
    const { clock } = stage.engine
    const key = await stage.signUp()
    for (const evm of [EVM, OTHER_EVM]) await stage.call('PATCH', { payoutAddresses: { evm } }, key)
    const from = clock.now() + 72 * HOUR_MS
    clock.at += HOUR_MS
    await stage.call('PATCH', { payoutAddresses: { evm: OTHER_EVM.toLowerCase() } }, key)
    expect((await stage.account(key))['payoutAddresses']).toMatchObject([{ counts: true }, { countsFrom: from }])
    await stage.call('PATCH', { payoutAddresses: { evm: EVM.toLowerCase() } }, key)
    expect((await stage.account(key))['payoutAddresses']).toMatchObject([{ address: EVM, counts: true }])
    clock.at = from + HOUR_MS
    expect((await stage.account(key))['payoutAddresses']).toMatchObject([{ address: EVM, counts: true }])
  })
})

describe('changes at once', () => {
  it('are made one after the other: of two first addresses one counts, and one secret is told', async () => {
    const stage = await start()
    const key = await stage.signUp()
    const bodies = [EVM, OTHER_EVM, EVM, OTHER_EVM].map((evm, i) => ({
      payoutAddresses: { evm },
      webhookUrl: `https://a.example/${i}`,
      feeBps: i,
    }))
    const replies = await Promise.all(bodies.map((body) => stage.call('PATCH', body, key)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(replies.filter(({ json }) => 'webhookSecret' in json.data)).toHaveLength(1)
    const events = await stage.events(key)
    const chain = (event: string, field: string) =>
      events.filter((one) => one['event'] === event).map((one) => [one['before'], one[field]])
    for (const [event, field] of [
      ['fee.changed', 'feeBps'],
      ['webhook.changed', 'webhookUrl'],
      ['payout-address.changed', 'address'],
    ] as const) {
      const links = chain(event, field)
      expect(links.map(([before]) => before)).toEqual([null, ...links.slice(0, -1).map(([, after]) => after)])
    }
    const addresses = (await stage.account(key))['payoutAddresses'] as readonly { counts: boolean }[]
    expect(addresses.filter(({ counts }) => counts)).toHaveLength(1)
  })
})

describe('the history of payout addresses', () => {
  it('is kept whole, and what stands of it is few', async () => {
    const stage = await start()
    const key = await stage.signUp()
    for (let i = 0; i < 12; i += 1) await stage.call('PATCH', { payoutAddresses: { evm: i % 2 === 0 ? EVM : OTHER_EVM } }, key)
    const { partners } = stage.engine.store
    const partnerId = String((await stage.account(key))['partnerId'])
    expect((await partners.payoutAddressesOf(partnerId)).map(({ address }) => address)).toEqual(
      Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? EVM : OTHER_EVM)),
    )
    expect((await partners.standingAddressesOf(partnerId)).map(({ address }) => address)).toEqual([EVM, OTHER_EVM])
  })
})

describe('every change', () => {
  it('is an event that the partner sees, and no webhook; what changes nothing is none [key-changes-in-feed]', async () => {
    const stage = await start()
    const key = await stage.signUp()
    const countsFrom = stage.engine.clock.now()
    const body = { feeBps: 5, payoutAddresses: { evm: EVM }, webhookUrl: 'https://a.example/' }
    for (let i = 0; i < 2; i += 1) await stage.call('PATCH', body, key, { headers: { 'x-request-id': 'change' } })
    await stage.call('PATCH', { feeBps: 0 }, key, { headers: { 'x-request-id': 'later' } })
    const { partnerId } = await stage.account(key)
    const change = { partnerId, requestId: 'change', delivery: 'none' }
    expect(await stage.events(key)).toEqual([
      { ...change, event: 'fee.changed', feeBps: 5, before: null },
      { ...change, event: 'payout-address.changed', ecosystem: 'evm', address: EVM, before: null, countsFrom },
      { ...change, event: 'webhook.changed', webhookUrl: 'https://a.example/', before: null },
      { ...change, requestId: 'later', event: 'fee.changed', feeBps: 0, before: 5 },
    ])
  })
})

describe('how often settings change [key-changes-in-feed]', () => {
  const LIMIT = 50
  const DAY_MS = 24 * HOUR_MS

  /** Uses up so many changes, one an hour, and so that no tier's limit is met. */
  const change = async (stage: KeysStage, key: string, times: number, everyMs = 0) => {
    for (let number = 0; number < times; number += 1) {
      stage.engine.clock.at += everyMs
      expect((await stage.call('PATCH', { feeBps: number % 2 }, key)).status).toBe(200)
    }
  }

  it('is bounded: the 51st change in 24 hours is 429 with the time to wait, and nothing of it is written', async () => {
    const stage = await start()
    const key = await stage.signUp()
    await change(stage, key, LIMIT, 60_000)
    const reply = await stage.call('PATCH', { feeBps: 7, webhookUrl: 'https://a.example/' }, key)
    expect(codeOf(reply)).toEqual([429, 'RATE_LIMITED'])
    const waitSec = (DAY_MS - (LIMIT - 1) * 60_000) / 1_000
    expect(reply.json.error.details).toEqual({ retryAfterSec: waitSec })
    expect(reply.headers['retry-after']).toBe(String(waitSec))
    expect(await stage.account(key)).toMatchObject({ feeBps: 1, webhookUrl: null })
    expect(await stage.events(key)).toHaveLength(LIMIT)
    stage.engine.clock.at += waitSec * 1_000
    expect((await stage.call('PATCH', { feeBps: 7 }, key)).status).toBe(200)
    expect(codeOf(await stage.call('PATCH', { feeBps: 8 }, key))).toEqual([429, 'RATE_LIMITED'])
  })

  it('counts each setting of a call, and none of a call that is refused', async () => {
    const stage = await start()
    const key = await stage.signUp()
    await change(stage, key, LIMIT - 2)
    const three = { feeBps: 9, payoutAddresses: { evm: EVM, solana: SOLANA } }
    expect(codeOf(await stage.call('PATCH', three, key))).toEqual([429, 'RATE_LIMITED'])
    expect((await stage.call('PATCH', { payoutAddresses: { evm: EVM, solana: SOLANA } }, key)).status).toBe(200)
    expect(await stage.events(key)).toHaveLength(LIMIT)
  })

  it('leaves what is set already, other partners, and all that is no change', async () => {
    const stage = await start()
    const [key, other] = [await stage.signUp(), await stage.signUp()]
    await change(stage, key, LIMIT)
    expect((await stage.call('PATCH', { feeBps: 1 }, key)).status).toBe(200)
    expect((await stage.call('GET', undefined, key)).status).toBe(200)
    expect((await stage.call('PATCH', { feeBps: 3 }, other)).status).toBe(200)
  })

  it('never keeps an owner from taking back a payout address that does not count yet', async () => {
    const stage = await start()
    const key = await stage.signUp()
    await stage.call('PATCH', { payoutAddresses: { evm: EVM } }, key)
    await change(stage, key, LIMIT - 2)
    await stage.call('PATCH', { payoutAddresses: { evm: OTHER_EVM } }, key)
    expect(codeOf(await stage.call('PATCH', { payoutAddresses: { solana: SOLANA } }, key))).toEqual([429, 'RATE_LIMITED'])
    expect((await stage.call('PATCH', { payoutAddresses: { evm: EVM } }, key)).status).toBe(200)
    expect((await stage.account(key))['payoutAddresses']).toMatchObject([{ address: EVM, counts: true }])
    expect(codeOf(await stage.call('PATCH', { payoutAddresses: { evm: OTHER_EVM } }, key))).toEqual([429, 'RATE_LIMITED'])
    expect(await stage.events(key)).toHaveLength(LIMIT + 1)
  })
})

describe('GET /keys', () => {
  it('tells settings, limits and what was earned and paid by token, and no secret [key-signup-instant]', async () => {
    const stage = await start({ env: { RATE_LIMIT_KEYS_PER_ADDRESS: '500' } })
    const key = await stage.signUp({ feeBps: 7 })
    const { json } = await stage.call('PATCH', { webhookUrl: 'https://a.example/' }, key)
    const partnerId = String((await stage.account(key))['partnerId'])
    const line = { ecosystem: 'evm', chainId: 8453, token: 'token' } as const
    const owed = { ...line, account: `partner:${partnerId}` } as const
    const book = (entry: string, kind: 'fee' | 'payout', amount: bigint, side: 'credit' | 'debit') =>
      stage.engine.store.transaction(({ ledger }) =>
        ledger.book({
          key: entry,
          kind,
          swapId: null,
          document: {},
          lines: [
            { ...owed, side, amount },
            { ...line, account: 'payer', side: side === 'credit' ? 'debit' : 'credit', amount },
          ],
        }),
      )
    const large = 2n ** 80n
    await book('1', 'fee', large, 'credit')
    await book('2', 'payout', 3n, 'debit')
    const reply = await stage.call('GET', undefined, key)
    expect(reply.json.data).toEqual({
      partnerId,
      tier: 'self-serve',
      feeBps: 7,
      payoutAddresses: [],
      webhookUrl: 'https://a.example/',
      limits: { requestsPerMinute: 120, requestsPerAddressPerMinute: 500 },
      balances: [{ ...line, earned: large.toString(), paid: '3' }],
      createdAt: stage.engine.clock.now(),
    })
    for (const secret of [key, String(json.data['webhookSecret']), 'whsec_', 'swk_']) expect(reply.text).not.toContain(secret)
  })

  it('needs a key, which an empty one is not', async () => {
    const stage = await start()
    expect(codeOf(await stage.call('GET'))).toEqual([401, 'UNAUTHORIZED'])
    expect(codeOf(await stage.call('GET', undefined, ''))).toEqual([401, 'UNAUTHORIZED'])
  })

  it('tells an enterprise key its own limit and no shared one', async () => {
    const stage = await start()
    const key = await stage.issue('enterprise', { feeBps: 12, requestsPerMinute: 3_000 })
    const reply = await stage.call('GET', undefined, key)
    expect(reply.json.data).toMatchObject({
      tier: 'enterprise',
      feeBps: 12,
      limits: { requestsPerMinute: 3_000, requestsPerAddressPerMinute: null },
    })
    expect(reply.headers['ratelimit-policy']).toBe('"enterprise";q=3000;w=60')
  })
})
