import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeCertificate } from '../client/certificate.ts'
import { connectService, type ServiceClient } from '../client/service.ts'
import { type FeeMoney, fact, type Means, type Route, swap } from './swap.ts'

const HOST = '127.0.0.1'
const WEBHOOK_MS = 15_000

type Received = { readonly signature: string; readonly body: string }

/** A partner's server: HTTPS, with a new certificate that this process trusts. */
type Receiver = {
  readonly url: string
  /** Resolves with the first delivery. Rejects after 15 s without one. */
  readonly delivered: () => Promise<Received>
  close(): Promise<void>
}

/** Over the raw bytes, in constant time. */
export const isSignedBy = (secret: string, { signature, body }: Received): boolean => {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const received = Buffer.from(signature)
  return received.length === expected.length && timingSafeEqual(received, expected)
}

const startReceiver = async (): Promise<Receiver> => {
  const certificate = makeCertificate(HOST)
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert])
  const first = Promise.withResolvers<Received>()
  const server = createServer(certificate, async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    first.resolve({ signature: String(request.headers['x-service-signature']), body })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  const late = async (): Promise<never> => {
    await sleep(WEBHOOK_MS, undefined, { ref: false })
    throw new Error('no webhook came')
  }
  return {
    url: `https://${HOST}:${(server.address() as AddressInfo).port}/swap-events`,
    delivered: () => Promise.race([first.promise, late()]),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The partner's payout address, which has no known key. */
const PAYOUT_ADDRESS = '0x00000000000000000000000000000000000F0072'
const FEE_BPS = 30
const POLLS_MAX = 100
const POLL_MS = 100
const STEP_MS = 60_000
/** A payout is final after this time. */
const FINAL_MS = 20 * STEP_MS

const withKey = (service: ServiceClient, apiKey: string): ServiceClient => ({
  send: service.send,
  call: (id, ask = {}) => service.call(id, { ...ask, headers: { ...ask.headers, 'x-api-key': apiKey } }),
})

/** The fee is credited when the delivery is final, so the network's time advances until then. */
const earned = async (service: ServiceClient, { control }: Pick<Means, 'control'>) => {
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const [balance] = (await service.call('readKey')).balances
    if (balance) return balance
    await control.advance(STEP_MS)
    await sleep(POLL_MS)
  }
  throw new Error('no fee was credited')
}

/** Runs a command of the operator's tool beside the service; rejects when it fails. */
export type Operator = (...args: readonly string[]) => Promise<string>

type PartnerMeans = Omit<Means, 'service'> & { readonly serviceUrl: string; readonly operator: Operator }

const earnAndBePaid = async (route: Route, feeMoney: FeeMoney, means: PartnerMeans, receiver: Receiver): Promise<void> => {
  const { serviceUrl, control, operator, say } = means
  const anybody = connectService(serviceUrl)
  const contacts = { email: 'dev@wallet.example', projectName: 'A wallet', website: 'https://wallet.example' }
  const body = { ...contacts, telegram: '@wallet', twitter: '@wallet' }
  const { apiKey, partnerId } = await anybody.call('createKey', { body })
  const service = withKey(anybody, apiKey)
  fact(say, 'signed up', partnerId)
  await service.call('updateKey', { body: { feeBps: FEE_BPS, payoutAddresses: { evm: PAYOUT_ADDRESS } } })
  const { webhookSecret } = await service.call('updateKey', { body: { webhookUrl: receiver.url } })
  if (webhookSecret === undefined) throw new Error('the first registration returned no secret')
  fact(say, 'settings', `${FEE_BPS} basis points, paid to ${PAYOUT_ADDRESS}, webhooks to ${receiver.url}`)
  // Mayan pays fees to certain accounts on Solana only, so it would win without a fee.
  await swap({ ...route, excludeVenues: ['mayan'] }, feeMoney, { ...means, service })
  const received = await receiver.delivered()
  if (!isSignedBy(webhookSecret, received)) throw new Error('a webhook that is not signed with the secret')
  fact(say, 'webhook', received.body)
  const { events } = await service.call('keyEvents')
  fact(say, 'feed', events.map(({ event }) => event).join(', '))
  const { chainId, token, earned: amount, ecosystem } = await earned(service, means)
  fact(say, 'earned', `${amount} of ${token} on chain ${chainId}`)
  const { txHash } = await control.deposit({ chainId, token, address: PAYOUT_ADDRESS, amount })
  await control.advance(FINAL_MS)
  const where = ['--ecosystem', ecosystem, '--chain', String(chainId), '--token', token]
  await operator('payouts', 'record', partnerId, ...where, '--amount', amount, '--tx', txHash)
  const [balance] = (await service.call('readKey')).balances
  if (balance?.paid !== amount) throw new Error('the service does not report the payout')
  fact(say, 'paid', `${balance.paid} of ${balance.earned}, in ${txHash}`)
}

/** A partner from signing up to the payout. Rejects when any step is not as promised. */
export const runPartner = async (route: Route, feeMoney: FeeMoney, means: PartnerMeans): Promise<void> => {
  const receiver = await startReceiver()
  try {
    await earnAndBePaid(route, feeMoney, means, receiver)
  } finally {
    await receiver.close()
  }
}
