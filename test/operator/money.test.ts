import { createHmac } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { NewLedgerEntry } from '../../engine/store/ledger.ts'
import { makeCertificate } from '../../scripts/client/certificate.ts'
import { USDC } from '../../scripts/client/tokens.ts'
import { csvOf } from '../../scripts/operator/csvExport.ts'
import { startHookTarget } from '../support/hookTarget.ts'
import { SIGNUP } from '../support/keysStage.ts'
import { OTHER_EVM } from '../support/swaps.ts'
import { operator, operatorJson, operatorStage } from './operatorProcess.ts'

type Balances = { readonly balances: readonly { readonly owed: string; readonly payTo: string | null }[] }

type Page = { readonly balances: readonly { readonly partnerId: string }[]; readonly after: string | null }

const CERTIFICATE = makeCertificate('localhost')

const { dataDir, env, service, store } = await operatorStage('across')

/** Until nothing takes a transaction on Base away. */
const FINAL_MS = 20 * 60_000

/** A partner who earned so much USDC on Base. */
const earner = async (amount: bigint): Promise<string> => {
  const { partnerId } = await operatorJson<{ partnerId: string }>(env, 'keys', 'issue', '--per-minute', '60')
  const line = { ecosystem: 'evm', chainId: 8453, token: USDC.base, amount } as const
  const entry: NewLedgerEntry = {
    key: `earned by ${partnerId}`,
    kind: 'fee',
    swapId: null,
    document: {},
    lines: [
      { account: 'payer', side: 'debit', ...line },
      { account: `partner:${partnerId}`, side: 'credit', ...line },
    ],
  }
  await store.transaction(({ ledger }) => ledger.book(entry))
  return partnerId
}

const record = (partnerId: string, amount: string, tx: string, ...more: readonly string[]) =>
  operator(
    env,
    'payouts',
    'record',
    partnerId,
    ...['--ecosystem', 'evm', '--chain', '8453', '--token', USDC.base],
    '--amount',
    amount,
    '--tx',
    tx,
    ...more,
  )

describe('operator balances and payouts [operator-money]', { timeout: 60_000 }, () => {
  it('record a payout once, only after the chain shows it, and at most the amount owed', async () => {
    const partnerId = await earner(1_500_000n)
    const before = await operatorJson<Balances>(env, 'balances', '--owed', '--partner', partnerId)
    expect(before.balances).toMatchObject([{ owed: '1500000', payTo: null }])
    await store.partners.addPayoutAddress(partnerId, { ecosystem: 'evm', address: OTHER_EVM, countsFrom: 0 })
    const { txHash } = await service.control.deposit({ chainId: 8453, token: USDC.base, address: OTHER_EVM, amount: '1000000' })
    await service.control.advance(60_000)
    expect((await record(partnerId, '1000000', txHash)).stderr).toContain('may still vanish')
    await service.control.advance(FINAL_MS)
    const refusals = [
      await record(partnerId, '1000000', `0x${'ab'.repeat(32)}`),
      await record(partnerId, '1000001', txHash),
      await record(partnerId, '9000000', txHash),
    ]
    for (const { code, stdout, stderr } of refusals)
      expect([code, stdout, stderr.includes('Nothing was recorded')]).toEqual([1, '', true])
    const recorded = await record(partnerId, '1000000', txHash, '--json')
    expect(JSON.parse(recorded.stdout)).toMatchObject({
      sight: 'seen',
      owedBefore: '1500000',
      owedAfter: '500000',
      address: OTHER_EVM,
    })
    expect((await record(partnerId, '1000000', txHash)).stderr).toContain('already recorded for the partner')
    const { payouts } = await operatorJson<{ payouts: readonly object[] }>(env, 'payouts', 'list', '--partner', partnerId)
    expect(payouts).toMatchObject([{ partnerId, amount: '1000000', txHash, address: OTHER_EVM, sight: 'seen' }])
    const file = join(dataDir, 'owed.csv')
    await operatorJson(env, 'payouts', 'export', '--to', file)
    expect(await readFile(file, 'utf8')).toBe(
      `partner,ecosystem,chain,token,earned,paid,owed,pay_to\r\n${partnerId},evm,8453,${USDC.base},1500000,1000000,500000,${OTHER_EVM}\r\n`,
    )
    expect((await operator(env, 'payouts', 'export', '--what', 'paid')).stdout.split('\r\n')[1]).toContain(
      `${partnerId},evm,8453`,
    )
  })

  it('page through balances, and print the same CSV with and without --json', async () => {
    for (const amount of [5n, 6n]) await earner(amount)
    const seen: string[] = []
    for (let after: string | null = null; ; ) {
      const more: readonly string[] = after === null ? [] : ['--after', after]
      const page = await operatorJson<Page>(env, 'balances', '--owed', '--limit', '2', ...more)
      expect(page.balances.length).toBeLessThanOrEqual(2)
      seen.push(...page.balances.map(({ partnerId }) => partnerId))
      after = page.after
      if (after === null) break
    }
    expect(seen.length).toBeGreaterThanOrEqual(2)
    expect(seen).toEqual([...new Set(seen)].toSorted())
    const { csv, rows } = await operatorJson<{ csv: string; rows: number }>(env, 'payouts', 'export')
    expect([(await operator(env, 'payouts', 'export')).stdout, rows]).toEqual([csv, seen.length])
  })

  it('print CSV that spreadsheets do not execute, quoted by RFC 4180', async () => {
    const rows = [
      ['=1+1', '@x', '-5', '+49 1'],
      ['a,b', 'say "no"', 'two\r\nlines', null],
    ]
    let text = ''
    for await (const line of csvOf(['a', 'b', 'c', 'd'], rows)) text += line
    expect(text).toBe(`a,b,c,d\r\n'=1+1,'@x,-5,'+49 1\r\n"a,b","say ""no""","two\r\nlines",\r\n`)
  })
})

describe('operator webhooks', { timeout: 60_000 }, () => {
  it('failures lists failed deliveries with their reasons, and test reports the response of the target [operator-money]', async () => {
    const partner = await store.partners.add({ id: 'ptn_hooked', kind: 'selfServe', feeBps: null, requestsPerMinute: null }, null)
    const add = (event: string) =>
      store.partnerEvents.add({ partnerId: partner.id, swapId: null, event, document: {}, delivery: 'due' })
    for (const how of [{ failure: 'refused' }, { answered: 500 }, { answered: 204 }]) {
      await add('swap.settled')
      const due = await store.partnerEvents.nextDue(partner.id)
      await store.partnerEvents.start(due?.id ?? 0)
      await store.partnerEvents.finish(due?.id ?? 0, how)
    }
    const { deliveries } = await operatorJson<{ deliveries: readonly object[] }>(env, 'webhooks', 'failures')
    expect(deliveries).toMatchObject([{ answered: 500 }, { failure: 'refused' }])
    const none = await operator(env, 'webhooks', 'test', partner.id, '--yes')
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('No webhook is registered')])
  })

  it('test sends a signed request to the registered target, and prints no secret', async () => {
    const target = await startHookTarget({ certificate: CERTIFICATE })
    try {
      const { body: account } = await service.send('POST', '/api/v1/keys', { body: SIGNUP })
      const { apiKey, partnerId } = (account as { data: { apiKey: string; partnerId: string } }).data
      const webhookUrl = `https://localhost:${target.port}/hook`
      const patched = await service.send('PATCH', '/api/v1/keys', { body: { webhookUrl }, headers: { 'x-api-key': apiKey } })
      const { webhookSecret } = (patched.body as { data: { webhookSecret: string } }).data
      const trusted = { ...env, NODE_EXTRA_CA_CERTS: join(dataDir, 'ca.pem'), WEBHOOK_ALLOW_PRIVATE: 'true' }
      await writeFile(trusted.NODE_EXTRA_CA_CERTS, CERTIFICATE.cert)
      const { code, stdout, stderr } = await operator(trusted, 'webhooks', 'test', partnerId, '--yes')
      expect([code, stderr, stdout.includes('204'), stdout.includes(webhookSecret)]).toEqual([0, '', true, false])
      const [got] = target.received
      const signature = createHmac('sha256', webhookSecret)
        .update(got?.body ?? '')
        .digest('hex')
      expect(got?.headers['x-service-signature']).toBe(`sha256=${signature}`)
      const doubted = await operator({ ...env, WEBHOOK_ALLOW_PRIVATE: 'true' }, 'webhooks', 'test', partnerId, '--yes')
      expect([doubted.code, doubted.stderr]).toEqual([1, expect.stringContaining('certificateRefused')])
    } finally {
      await target.close()
    }
  })
})
