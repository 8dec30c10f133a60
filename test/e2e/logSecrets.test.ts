import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { TypedDataDefinition } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rpcUrlsKey } from '../../engine/config/chains.ts'
import type { Environment } from '../../engine/config/config.ts'
import { venueKey } from '../../engine/config/venues.ts'
import { CHAIN_IDS } from '../../engine/core/chain.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { connectService, type ServiceClient } from '../../scripts/client/service.ts'
import { documentedOperations } from '../support/documentedOperations.ts'
import { listening } from '../support/listening.ts'
import { ACCOUNT, DEPOSIT_SWAP, SIGNATURE_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'
import { ownProcesses, ready, type ServiceProcess, spawnService } from './serviceProcess.ts'

/** What must stand in no line of the log, wherever it was given: all that is planted has this in it. */
const PLANTED = 'plantedplantedplanted'

const { dataDir, own } = ownProcesses()
let service: ServiceProcess
let echo: Awaited<ReturnType<typeof listening>>

beforeAll(async () => {
  // Stands in for every venue and chain: it fails, and echoes the request.
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const heard = `${request.url} ${JSON.stringify(request.headers)} ${Buffer.concat(parts)}`
      const body = JSON.stringify({ error: { code: -32_000, message: heard }, message: heard, reason: heard })
      response
        .writeHead([200, 400, 401, 500][heard.length % 4] ?? 500, heard.slice(0, 300).replaceAll(/[^ -~]/g, '.'), {
          'content-type': 'application/json',
        })
        .end(body)
    })
  })
  echo = await listening(server)
})
afterAll(() => echo.close())

const start = async (env: Environment): Promise<ServiceClient> => {
  const log = openSync(join(dataDir(), 'log'), 'a')
  const settings = { PORT: '0', METRICS_PORT: 'off', SIMNET_CONTROL_PORT: '0', SIMNET_SEED: '1', DATA_DIR: dataDir() }
  service = own(spawnService({ ...settings, LOG_LEVEL: 'debug', RATE_LIMIT_ANONYMOUS_PER_MINUTE: '100000', ...env }, [], log))
  closeSync(log)
  return connectService((await ready(service)).url)
}

/** The log and standard error of the service after its end. */
const said = async (): Promise<string> => {
  service.child.kill('SIGTERM')
  await service.ended
  return `${await readFile(join(dataDir(), 'log'), 'utf8')}\n${service.stderr()}`
}

/** Each secret with the lines that have it. */
const leaksOf = (text: string, secrets: readonly string[]): readonly (readonly [string, string])[] =>
  text
    .split('\n')
    .flatMap((line) => secrets.filter((secret) => line.includes(secret)).map((secret) => [secret, line.slice(0, 2_000)] as const))

const hex = (text: string): string => `0x${Buffer.from(text.padEnd(65, '.')).toString('hex')}`

const SIGNUP = {
  email: `${PLANTED}@example.com`,
  projectName: PLANTED,
  website: `https://${PLANTED}.example.com`,
  telegram: `@${PLANTED}`,
  twitter: `@${PLANTED}`,
}

it('the log has no key, token, endpoint address, contact, signature or webhook when every call fails and echoes its request [security-log-secrets]', async () => {
  const place = `127.0.0.1:${echo.port}`
  const client = await start({
    NETWORK: 'mainnet',
    QUOTE_TOKEN_KEYS: 'c0ffee'.padEnd(64, '1'),
    WEBHOOK_SECRET_KEYS: 'decade'.padEnd(64, '2'),
    ...Object.fromEntries(VENUE_DEFINITIONS.map(({ id }) => [venueKey(id, 'BASE_URL'), `http://${place}/${PLANTED}`])),
    ...Object.fromEntries(VENUE_DEFINITIONS.map(({ id }) => [venueKey(id, 'API_KEY'), `${PLANTED}-${id}`])),
    ...Object.fromEntries(CHAIN_IDS.map((id) => [rpcUrlsKey(id), `http://${place}/v2/${PLANTED}?key=${PLANTED}`])),
  })
  const headers = { 'x-api-key': `swk_${PLANTED}`, authorization: PLANTED, cookie: PLANTED, 'payment-signature': PLANTED }
  const bodies: readonly unknown[] = [
    TRANSACTION_SWAP,
    SIGNATURE_SWAP,
    { ...DEPOSIT_SWAP, excludeVenues: [] },
    { ...TRANSACTION_SWAP, excludeVenues: [] },
    { quoteToken: PLANTED, signature: hex(PLANTED), signedTransaction: btoa(PLANTED), [PLANTED]: PLANTED },
    { ...SIGNUP, webhookUrl: `https://example.com/${PLANTED}?token=${PLANTED}`, apiKey: `swk_${PLANTED}` },
    `{"apiKey": ${PLANTED}`,
  ]
  const query = { quoteToken: PLANTED, ref: `swk_${PLANTED}`, apiKey: PLANTED, chainId: '1', address: ACCOUNT.address }
  for (const { method, path } of documentedOperations.all) {
    if (method === 'GET') {
      await client.send(method, path, { query, headers })
      await client.send(method, `${path}/swk_${PLANTED}`, { query })
    } else
      for (const body of bodies) for (const more of [headers, {}]) await client.send(method, path, { body, query, headers: more })
  }
  const text = await said()
  expect(text.match(/"event":"quote.refused"/g)?.length).toBeGreaterThan(2)
  expect(text).toContain('"event":"chain.health","chainId":1,"endpoint":1,')
  expect(leaksOf(text, [PLANTED, 'c0ffee', 'decade', Buffer.from(PLANTED).toString('hex'), btoa(PLANTED)])).toEqual([])
}, 120_000)

it('the log has nothing secret that a caller sent or received when every call succeeds [security-log-secrets]', async () => {
  const client = await start({ VENUES_ENABLED: 'across,cow,near-intents' })
  const signup = await client.call('createKey', { body: SIGNUP })
  const headers = { 'x-api-key': signup.apiKey }
  const webhookUrl = `https://example.com/${PLANTED}?token=${PLANTED}`
  const { webhookSecret } = await client.call('updateKey', { headers, body: { webhookUrl } })
  await client.call('readKey', { headers })
  const secrets: string[] = [PLANTED, signup.apiKey, String(webhookSecret)]
  for (const swap of [TRANSACTION_SWAP, DEPOSIT_SWAP, SIGNATURE_SWAP]) {
    const { quoteToken } = await client.call('quote', { headers, body: swap })
    secrets.push(quoteToken)
    const execution = await client.call('execute', { headers, body: { quoteToken } })
    if (execution.executionType === 'SIGNATURE') {
      const signature = await ACCOUNT.signTypedData(execution.typedData as unknown as TypedDataDefinition)
      secrets.push(signature)
      await client.send('POST', '/api/v1/submit-signature', { headers, body: { quoteToken, signature } })
    }
    const ref = execution.executionType === 'DEPOSIT' ? execution.deposit.address : `0x${'ab'.repeat(32)}`
    for (const asked of [ref, signup.apiKey])
      await client.send('GET', '/api/v1/status', { headers, query: { quoteToken, ref: asked } })
  }
  const text = await said()
  for (const event of ['quote.served', 'swap.executed', 'swap.tracked', 'request']) expect(text).toContain(`"event":"${event}"`)
  expect(leaksOf(text, secrets)).toEqual([])
}, 60_000)
