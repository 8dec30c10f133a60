import { setTimeout as sleep } from 'node:timers/promises'
import { connectService, type ServiceClient } from '../client/service.ts'
import type { Say } from './printer.ts'
import { tellBy } from './printer.ts'
import { isSignedBy, type Receiver } from './receiver.ts'
import { type Means, swap } from './swap.ts'
import { WISHES } from './wishes.ts'

/** Where the partner wants to be paid: nobody's key, for the offline network alone. */
const PAYOUT_ADDRESS = '0x00000000000000000000000000000000000F0072'
const FEE_BPS = 30
const LOOKS_MAX = 100
const LOOK_MS = 100
const STEP_MS = 60_000
/** Until nothing takes a payout away. */
const FINAL_MS = 20 * STEP_MS

type Balance = Awaited<ReturnType<typeof accountOf>>['balances'][number]

const accountOf = (service: ServiceClient) => service.call('readKey')

const withKey = (service: ServiceClient, apiKey: string): ServiceClient => ({
  send: service.send,
  call: (id, ask = {}) => service.call(id, { ...ask, headers: { ...ask.headers, 'x-api-key': apiKey } }),
})

/** A fee is booked once nothing takes the delivery away any more: time runs ahead until then. */
const earned = async (service: ServiceClient, { control }: Pick<Means, 'control'>): Promise<Balance> => {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const [balance] = (await accountOf(service)).balances
    if (balance) return balance
    await control.advance(STEP_MS)
    await sleep(LOOK_MS)
  }
  throw new Error('no fee was booked')
}

/** Runs one command of the operator's tool beside the service; rejects when it fails. */
export type Operator = (...args: readonly string[]) => Promise<string>

/** A partner from signing up to being paid. Rejects when any of it is not as promised. */
export const runPartner = async (
  means: Omit<Means, 'service' | 'say'> & {
    readonly serviceUrl: string
    readonly receiver: Receiver
    readonly operator: Operator
  },
  say: Say,
): Promise<void> => {
  const { serviceUrl, control, receiver, operator } = means
  const tell = tellBy(say)
  const anybody = connectService(serviceUrl)
  const contacts = { email: 'dev@wallet.example', projectName: 'A wallet', website: 'https://wallet.example' }
  const { apiKey, partnerId } = await anybody.call('createKey', {
    body: { ...contacts, telegram: '@wallet', twitter: '@wallet' },
  })
  const service = withKey(anybody, apiKey)
  tell('signed up', partnerId)
  await service.call('updateKey', { body: { feeBps: FEE_BPS, payoutAddresses: { evm: PAYOUT_ADDRESS } } })
  const { webhookSecret } = await service.call('updateKey', { body: { webhookUrl: receiver.url } })
  if (webhookSecret === undefined) throw new Error('the first registration told no secret')
  tell('settings', `${FEE_BPS} basis points, paid to ${PAYOUT_ADDRESS}, told at ${receiver.url}`)
  const [wish] = WISHES
  if (!wish) throw new Error('there is nothing to swap')
  // It takes fees for holders of certain accounts on Solana, and none for others: without a fee it would win.
  const route = { ...wish.route, excludeVenues: ['mayan'] }
  await swap({ ...wish, route }, { ...means, service, say })
  const received = await receiver.delivered()
  if (!isSignedBy(webhookSecret, received)) throw new Error('a webhook that is not signed with the secret')
  tell('webhook', received.body)
  const { events } = await service.call('keyEvents')
  tell('feed', events.map(({ event }) => event).join(', '))
  const { chainId, token, earned: amount, ecosystem } = await earned(service, means)
  tell('earned', `${amount} of ${token} on chain ${chainId}`)
  const { txHash } = await control.deposit({ chainId, token, address: PAYOUT_ADDRESS, amount })
  await control.advance(FINAL_MS)
  const where = ['--ecosystem', ecosystem, '--chain', String(chainId), '--token', token]
  await operator('payouts', 'record', partnerId, ...where, '--amount', amount, '--tx', txHash)
  const [balance] = (await accountOf(service)).balances
  if (balance?.paid !== amount) throw new Error('what was paid is not told')
  tell('paid', `${balance.paid} of ${balance.earned}, in ${txHash}`)
}
