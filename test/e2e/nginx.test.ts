import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { projectRoot } from '../../scripts/contract/document.ts'
import { freePort } from '../support/freePort.ts'
import { lacks } from '../support/needs.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from './support.ts'

const PER_MINUTE = 20

const replaceOnce = (text: string, from: string, to: string): string => {
  expect(text.split(from), from).toHaveLength(2)
  return text.replace(from, to)
}

/** What stands in the file for another machine. */
const configFor = (folder: string, port: number, servicePort: string): string => {
  const certificate = join(folder, 'certificate.pem')
  const key = join(folder, 'key.pem')
  const options = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=swap.example -days 2'
  execFileSync('openssl', [...options.split(' '), '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  let site = readFileSync(join(projectRoot, 'operations/nginx.conf'), 'utf8')
  site = replaceOnce(site, 'server 127.0.0.1:3000;', `server 127.0.0.1:${servicePort};`)
  site = replaceOnce(site, 'listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`)
  site = replaceOnce(site, '/etc/ssl/swap/fullchain.pem', certificate)
  site = replaceOnce(site, '/etc/ssl/swap/privkey.pem', key)
  site = replaceOnce(site, '/var/log/nginx/swap.log', join(folder, 'access.log'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`)
  // Its workers would be another user, who may not write here.
  const user = process.getuid?.() === 0 ? 'user root; ' : ''
  return `${user}daemon off; pid ${folder}/pid; error_log stderr; worker_processes 1; worker_rlimit_nofile 16384;
events { worker_connections 8192; }
http { ${temporary.join(' ')}
${site} }`
}

type Answer = { readonly status: number; readonly body: string; readonly headers: { readonly [name: string]: unknown } }

const folder = temporaryFolder()
let service: TestService
let nginx: ChildProcess
let port: number
let said = ''

describe.skipIf(lacks('nginx'))('behind nginx [ops-nginx]', { timeout: 60_000 }, () => {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, rejectUnauthorized: false })

  const ask = (path: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }))
      })
      asked.once('error', reject)
      asked.end(body)
    })

  beforeAll(async () => {
    const trusted = { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_ANONYMOUS_PER_MINUTE: String(PER_MINUTE) }
    const paid = { X402_PAY_TO_SOLANA: 'So11111111111111111111111111111111111111112' }
    service = await startService({ ...only('across'), ...trusted, ...paid })
    port = await freePort()
    writeFileSync(join(folder, 'nginx.conf'), configFor(folder, port, new URL(service.url).port))
    nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
    nginx.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await vi
      .waitFor(() => ask('/api/v1/health'), { timeout: 10_000 })
      .catch((error: unknown) => {
        throw new Error(`nginx did not start: ${said}`, { cause: error })
      })
  })
  afterAll(async () => {
    agent.destroy()
    const ended = once(nginx, 'close')
    nginx.kill('SIGTERM')
    await ended
    await service.close()
  })

  it('1,024 requests at once receive 200', async () => {
    const answers = await Promise.all(Array.from({ length: 1_024 }, () => ask('/api/v1/health')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('payment terms above 4 KB, a token of 4 KB and the refusals of the service pass', async () => {
    const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const unpaid = await ask('/api/v1/x402/quote', { ...json, body: '{}' })
    const headerBytes = Object.entries(unpaid.headers).reduce((sum, [name, value]) => sum + `${name}: ${value}\r\n`.length, 0)
    expect([unpaid.status, headerBytes > 4_096]).toEqual([402, true])
    const token = 'A'.repeat(4_096)
    const status = await ask(`/api/v1/status?quoteToken=${token}&ref=sesame`)
    expect(status.status).toBeLessThan(500)
    expect(JSON.parse(status.body)).toMatchObject({ error: { code: expect.any(String) } })
    const large = await ask('/api/v1/quote', { ...json, body: ' '.repeat(100_000) })
    expect([large.status, JSON.parse(large.body)]).toMatchObject([413, { error: { code: 'INVALID_REQUEST' } }])
  })

  it('its log contains no query', async () => {
    await expect.poll(() => readFileSync(join(folder, 'access.log'), 'utf8')).toContain('"GET /api/v1/status HTTP/1.1"')
    expect(readFileSync(join(folder, 'access.log'), 'utf8')).not.toMatch(/sesame|AAAA/)
  })

  it('callers are limited by the address that nginx sees, whatever they claim', async () => {
    const claim = (_: unknown, i: number) => ask('/api/v1/chains', { headers: { 'x-forwarded-for': `192.0.2.${i}` } })
    const statuses = (await Promise.all(Array.from({ length: PER_MINUTE + 5 }, claim))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })
})
