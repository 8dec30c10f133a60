import { isDeepStrictEqual } from 'node:util'
import type { KeyAccount } from '../client/wire.ts'
import type { Partner, Run } from './journal.ts'
import type { Death } from './points.ts'
import { startOperator } from './processes.ts'

/** Every chain finalises a payout within this time. */
const FINAL_MS = 20 * 60_000
/** The tool starts within this time. */
const TOOL_START_MS = 300
const TOOL_TRIES_MAX = 10
const PATH = '/api/v1/keys'

const problem = ({ journal }: Run, { name }: { readonly name: string }, text: string): void =>
  void journal.problems.push(`${name}: ${text}`)

/** What `GET /keys` answers. */
export const accountOf = async ({ client }: Pick<Run, 'client'>, { apiKey }: Partner): Promise<KeyAccount> => {
  const { data, error } = await client.send<KeyAccount>({ method: 'GET', path: PATH, key: apiKey })
  if (data === null) throw new Error(`an answered key is not known: ${JSON.stringify(error)}`)
  return data
}

/** Compares the settings with those that were answered. */
const expectSettings = async (run: Run, partner: Partner): Promise<void> => {
  const { feeBps, webhookUrl, payoutAddresses } = await accountOf(run, partner)
  const found = [feeBps, webhookUrl, payoutAddresses.map(({ address }) => address.toLowerCase())]
  const answered = [partner.feeBps, partner.webhookUrl, [partner.payoutAddress]]
  if (!isDeepStrictEqual(found, answered))
    problem(run, partner, `settings are ${JSON.stringify(found)}, answered were ${JSON.stringify(answered)}`)
}

const patch = async (run: Run, partner: Partner, body: object): Promise<{ readonly webhookSecret?: string } | null> => {
  const request = { method: 'PATCH', path: PATH, body, key: partner.apiKey } as const
  const { data, error } = await run.client.send<{ webhookSecret?: string }>(request)
  if (data === null) problem(run, partner, `PATCH ${JSON.stringify(error)}`)
  return data
}

const changeFee = async (run: Run, partner: Partner, feeBps: number, body: object = {}): Promise<void> => {
  if ((await patch(run, partner, { feeBps, ...body })) === null) return
  if (partner.feeBps !== feeBps) partner.feesSet += 1
  partner.feeBps = feeBps
}

export const signUp = async (run: Run): Promise<void> => {
  const { stage, client, journal, random } = run
  const name = `partner-${random.hex(8)}`
  const links = { website: 'https://wallet.example', telegram: '@w', twitter: '@w' }
  const body = { email: `${name}@example.org`, projectName: name, ...links }
  const { data, error } = await client.send<{ apiKey: string; partnerId: string }>({ method: 'POST', path: PATH, body })
  if (data === null) return problem(run, { name }, `signup ${JSON.stringify(error)}`)
  const partner: Partner = {
    ...{ name, ...data, payoutAddress: `0x${random.hex(40)}`, webhookUrl: stage.receiver.urlOf(name) },
    ...{ feeBps: -1, feesSet: 0, webhookSecret: null, isSetUp: false, payouts: [] },
  }
  journal.partners.push(partner)
  await changeFee(run, partner, 10 + random.integer(60), { payoutAddresses: { evm: partner.payoutAddress } })
  const { webhookSecret } = (await patch(run, partner, { webhookUrl: partner.webhookUrl })) ?? {}
  partner.webhookSecret = webhookSecret ?? null
  await expectSettings(run, partner)
  partner.isSetUp = true
}

export const changeSettings = async (run: Run, partner: Partner): Promise<void> => {
  await changeFee(run, partner, 10 + ((partner.feeBps + 1 + run.random.integer(50)) % 60))
  await expectSettings(run, partner)
}

/** Runs the operator's tool until it has recorded a payout. The first run is killed. True when that happened. */
const recordPayout = async ({ stage }: Run, args: readonly string[], death: Death): Promise<boolean> => {
  let wasKilled = false
  for (let tries = 0; tries < TOOL_TRIES_MAX; tries += 1) {
    const tool = startOperator(stage.env(), args, wasKilled || death.on === 'time' ? null : death)
    const timer = setTimeout(
      () => wasKilled || tool.child.kill('SIGKILL'),
      death.on === 'time' ? TOOL_START_MS + death.ms : 60_000,
    )
    const { code, signal } = await tool.ended
    clearTimeout(timer)
    if (code === 0 || (wasKilled && tool.stderr().includes('already recorded'))) return wasKilled
    if (signal === 'SIGKILL') wasKilled = true
    else if (!/could not be read|the store failed/.test(tool.stderr())) throw new Error(`payout: ${tool.stderr()}`)
  }
  throw new Error('a payout could not be recorded')
}

/** Pays a partner on chain what it is owed, and records it. True when the tool was killed meanwhile; null when nothing is owed. */
export const payOut = async (run: Run, partner: Partner, death: Death): Promise<boolean | null> => {
  const { control, advance } = run.stage
  const { balances } = await accountOf(run, partner)
  const owed = balances.find(({ ecosystem, earned, paid }) => ecosystem === 'evm' && BigInt(earned) > BigInt(paid))
  if (owed === undefined) return null
  const { chainId, token, ecosystem } = owed
  const amount = BigInt(owed.earned) - BigInt(owed.paid)
  const { txHash } = await control.deposit({ chainId, token, address: partner.payoutAddress, amount: amount.toString() })
  await advance(FINAL_MS)
  const where = ['--ecosystem', ecosystem, '--chain', String(chainId), '--token', token]
  const args = ['payouts', 'record', partner.partnerId, ...where, '--amount', amount.toString(), '--tx', txHash, '--json']
  const wasKilled = await recordPayout(run, args, death)
  partner.payouts.push({ chainId, token, amount, txHash })
  return wasKilled
}
