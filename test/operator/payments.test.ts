import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Environment, parseConfig } from '../../engine/config/config.ts'
import { systemClock } from '../../engine/core/clock.ts'
import type { NewLedgerEntry } from '../../engine/store/ledger.ts'
import { openStore } from '../../engine/store/openStore.ts'
import { executeAs } from '../../scripts/client/swap.ts'
import { USDC } from '../../scripts/client/tokens.ts'
import { type Comparison, judgePaidCalls } from '../../scripts/operator/doctor/paidCalls.ts'
import { BASE, CALL_PRICE, type PayingClient, payingClient } from '../support/payingClient.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'
import { operator, operatorJson, operatorStage } from './operatorProcess.ts'

type Listed = {
  readonly payments: readonly { readonly id: number; readonly operation: string; readonly transaction: string }[]
  readonly before: number | null
}
type Told = { readonly findings: readonly { readonly check: string; readonly state: string; readonly says: string }[] }

const NETWORK = `eip155:${BASE}`
const PAY_TO = '0x402F0000000000000000000000000000000000A1'

const { dataDir, service, ...stage } = await operatorStage('near-intents')
const env = { ...stage.env, VENUES_ENABLED: 'near-intents' }
let client: PayingClient

/** Four calls that were paid: two quotes, an execution and a look at the status. */
beforeAll(async () => {
  client = await payingClient(service, 4n * CALL_PRICE)
  await client.call('quote', { body: DEPOSIT_SWAP })
  const { quoteToken } = await client.call('quote', { body: DEPOSIT_SWAP })
  const { statusRef } = await executeAs(client, 'DEPOSIT', { quoteToken })
  await client.call('status', { query: { quoteToken, ref: statusRef } })
}, 60_000)

const found = async (over: Environment = {}) => {
  const { stdout } = await operator({ ...env, ...over }, 'doctor', '--json')
  return (JSON.parse(stdout) as Told).findings.find(({ check }) => check.startsWith('paid calls'))
}

describe('operator payments [operator-payments]', { timeout: 60_000 }, () => {
  it('list newest first by page, call, network and age, and match the payments on chain', async () => {
    const { payments, before } = await operatorJson<Listed>(env, 'payments', 'list', '--limit', '3')
    expect(payments.map(({ operation }) => operation)).toEqual(['status', 'execute', 'quote'])
    const rest = await operatorJson<Listed>(env, 'payments', 'list', '--before', String(before))
    expect([rest.payments.map(({ operation }) => operation), rest.before]).toEqual([['quote'], null])
    const all = [...payments, ...rest.payments].map(({ transaction }) => transaction).toReversed()
    expect(all).toEqual(client.receipts.map(({ transaction }) => transaction))
    expect(payments[0]).toMatchObject({
      network: NETWORK,
      asset: USDC.base,
      amount: '1000',
      payTo: PAY_TO,
      payer: client.payer,
      requestId: expect.any(String),
    })
    const count = async (...args: readonly string[]) =>
      (await operatorJson<Listed>(env, 'payments', 'list', ...args)).payments.length
    expect(await count('--operation', 'quote', '--network', NETWORK)).toBe(2)
    expect(await count('--network', 'eip155:1')).toBe(0)
    expect(await count('--older-than', '1d')).toBe(0)
    expect(await count('--younger-than', '1d')).toBe(4)
  })

  it('export all matching rows as CSV', async () => {
    const file = join(dataDir, 'payments.csv')
    expect(await operatorJson(env, 'payments', 'export', '--operation', 'execute', '--to', file)).toEqual({ rows: 1, file })
    const [head, row = '', end] = (await readFile(file, 'utf8')).split('\r\n')
    expect(head).toBe('payment,booked,call,network,asset,amount,transaction,pay_to,payer,request_id')
    expect(row).toContain(`,execute,${NETWORK},${USDC.base},1000,${client.receipts[2]?.transaction},${PAY_TO},${client.payer},`)
    expect(end).toBe('')
    expect((await operator(env, 'payments', 'export')).stdout.trimEnd().split('\r\n')).toHaveLength(5)
  })

  it('match the chain; an unrecorded payment or an unreadable chain is a warning, a missing payment a failure', async () => {
    expect(await found()).toMatchObject({
      check: `paid calls ${NETWORK}`,
      state: 'ok',
      says: expect.stringContaining(`4 are booked with 4000 of ${USDC.base}; of 4 that were read with 4000 the chain shows 4000`),
    })
    await service.control.deposit({ chainId: BASE, token: USDC.base, address: PAY_TO, amount: '7' })
    expect(await found()).toMatchObject({ state: 'warn', says: expect.stringContaining('1 transactions paid it beside') })

    await service.control.fault(`chain:${BASE}`, 'http-500')
    expect(await found()).toMatchObject({ state: 'warn', says: expect.stringContaining('4 transactions could not be read') })
    await service.control.clearFaults()

    const store = await openStore(parseConfig(env), systemClock)
    const line = { ecosystem: 'evm', chainId: BASE, token: USDC.base, amount: 1_000n } as const
    const document = { network: NETWORK, asset: USDC.base, amount: '1000', payTo: PAY_TO, payer: client.payer, requestId: 'r' }
    const unpaid: NewLedgerEntry = {
      key: 'access:of nothing',
      kind: 'access',
      swapId: null,
      document: { ...document, operation: 'x402Quote', transaction: `0x${'ab'.repeat(32)}` },
      lines: [
        { account: `payTo:${PAY_TO}`, side: 'debit', ...line },
        { account: 'access', side: 'credit', ...line },
      ],
    }
    await store.transaction(({ ledger }) => ledger.book(unpaid))
    await store.close()
    expect(await found()).toMatchObject({
      state: 'fail',
      says: expect.stringContaining(`1 show less than they are booked with: 0x${'ab'.repeat(32)}`),
    })
  })

  const AGREEING: Comparison = {
    network: NETWORK,
    asset: USDC.base,
    payTo: PAY_TO,
    calls: 3,
    booked: 3_000n,
    read: { calls: 3, booked: 3_000n, shown: 3_000n },
    unreadable: 0,
    short: [],
    strangers: 0,
  }

  it.each([
    ['the recorded amount', {}, 'ok'],
    ['the recorded amount for the newest payments read', { calls: 9, booked: 9_000n }, 'ok'],
    ['more', { read: { calls: 3, booked: 3_000n, shown: 3_001n } }, 'warn'],
    ['payments that are not recorded', { strangers: 1 }, 'warn'],
    ['nothing, since every read fails', { unreadable: 3 }, 'warn'],
    ['less in one, more in another', { short: ['0x1'], read: { calls: 3, booked: 3_000n, shown: 4_000n } }, 'fail'],
    ['less, and some reads fail', { short: ['0x1'], unreadable: 1 }, 'fail'],
  ] as const)('are graded when the chain shows %s', (_what, change, state) => {
    expect(judgePaidCalls({ ...AGREEING, ...change }).state).toBe(state)
  })
})
