import { isDeepStrictEqual } from 'node:util'
import { runTool } from './lives.ts'
import { CLASSES, type Moment, type Point } from './points.ts'
import type { Partner } from './records.ts'
import type { JobPorts } from './swapJobs.ts'

type Account = {
  readonly partnerId: string
  readonly feeBps: number | null
  readonly webhookUrl: string | null
  readonly payoutAddresses: readonly { readonly ecosystem: string; readonly address: string }[]
  readonly balances: readonly {
    readonly ecosystem: string
    readonly chainId: number
    readonly token: string
    readonly earned: string
    readonly paid: string
  }[]
}

/** After that a payout is final on every chain it is made on. */
const FINAL_MS = 20 * 60_000
const TOOL_TRIES_MAX = 10

export const createPartnerJobs = ({ stage, ask, desk, tale, random }: JobPorts) => {
  const { control, receiver } = stage
  let count = 0

  const account = async ({ apiKey }: Pick<Partner, 'apiKey'>): Promise<Account> => {
    const { data, error } = await ask<Account>({ method: 'GET', path: '/api/v1/keys', key: apiKey })
    if (data === null) throw new Error(`an answered key is not known: ${JSON.stringify(error)}`)
    return data
  }

  /** Answered settings are there when they are read. */
  const expectSettings = async (partner: Partner): Promise<void> => {
    const { feeBps, webhookUrl, payoutAddresses } = await account(partner)
    const told = [feeBps, webhookUrl, payoutAddresses.map(({ address }) => address.toLowerCase())]
    const set = [partner.feeBps, partner.webhookUrl, [partner.payoutAddress]]
    if (!isDeepStrictEqual(told, set))
      tale.problems.push(`${partner.name}: settings are ${JSON.stringify(told)}, answered were ${JSON.stringify(set)}`)
  }

  const patch = async (partner: Partner, body: object): Promise<{ readonly webhookSecret?: string } | null> => {
    const send = () => ask<{ webhookSecret?: string }>({ method: 'PATCH', path: '/api/v1/keys', body, key: partner.apiKey })
    const { data, error, lost } = await desk.step('patch', send)
    tale.lost += lost
    if (data === null) tale.problems.push(`${partner.name}: PATCH ${JSON.stringify(error)}`)
    return data
  }

  const changeFee = async (partner: Partner, feeBps: number, body: object = {}): Promise<void> => {
    if ((await patch(partner, { feeBps, ...body })) === null) return
    if (partner.feeBps !== feeBps) partner.feesSet += 1
    partner.feeBps = feeBps
  }

  const signUp = async (): Promise<void> => {
    count += 1
    const name = `partner-${count}`
    const contacts = {
      email: `${name}@example.org`,
      projectName: name,
      website: 'https://wallet.example',
      telegram: '@w',
      twitter: '@w',
    }
    const send = () => ask<{ apiKey: string; partnerId: string }>({ method: 'POST', path: '/api/v1/keys', body: contacts })
    const { data, error, lost } = await desk.step('signup', send)
    tale.lost += lost
    if (data === null) return void tale.problems.push(`${name}: signup ${JSON.stringify(error)}`)
    const partner: Partner = {
      ...{ name, ...data, payoutAddress: `0x${random.hex(40)}`, webhookUrl: receiver.urlOf(name) },
      ...{ feeBps: -1, feesSet: 0, webhookSecret: null, isSetUp: false, payouts: [] },
    }
    tale.partners.push(partner)
    const settings = () => changeFee(partner, 10 + random.integer(60), { payoutAddresses: { evm: partner.payoutAddress } })
    const webhook = async () => {
      const { webhookSecret } = (await patch(partner, { webhookUrl: partner.webhookUrl })) ?? {}
      partner.webhookSecret = webhookSecret ?? null
    }
    // Whichever comes first is what is died of.
    for (const set of random.integer(2) === 0 ? [settings, webhook] : [webhook, settings]) await set()
    await expectSettings(partner)
    partner.isSetUp = true
  }

  const changeSettings = async (partner: Partner): Promise<void> => {
    await changeFee(partner, 10 + ((partner.feeBps + 1 + random.integer(50)) % 60))
    await expectSettings(partner)
  }

  const owedTo = async (partner: Partner) => {
    const { balances } = await account(partner)
    return balances.find(({ ecosystem, earned, paid }) => ecosystem === 'evm' && BigInt(earned) > BigInt(paid))
  }

  /** Pays a partner on chain and records it, by a tool that dies meanwhile. True once the tool was killed. */
  const payOut = async (partner: Partner, death: Point | Moment): Promise<boolean> => {
    const owed = await owedTo(partner)
    if (owed === undefined) return false
    const { chainId, token, ecosystem } = owed
    const amount = BigInt(owed.earned) - BigInt(owed.paid)
    const paid = await control.deposit({ chainId, token, address: partner.payoutAddress, amount: amount.toString() })
    await stage.advance(FINAL_MS)
    const where = ['--ecosystem', ecosystem, '--chain', String(chainId), '--token', token]
    const args = ['payouts', 'record', partner.partnerId, ...where, '--amount', amount.toString(), '--tx', paid.txHash, '--json']
    let kills = 0
    for (let tries = 0; tries < TOOL_TRIES_MAX; tries += 1) {
      const dying = kills > 0 ? null : death.on === 'time' ? { ms: 300 + (death.ms % CLASSES.payout.momentMs) } : death
      const { code, wasKilled, stderr } = await runTool(stage.env(), args, dying)
      if (wasKilled) {
        kills += 1
        continue
      }
      if (code === 0 || (kills > 0 && stderr.includes('already recorded'))) {
        partner.payouts.push({ chainId, token, amount, txHash: paid.txHash })
        return kills > 0
      }
      if (!stderr.includes('could not be read') && !stderr.includes('the store failed')) {
        tale.problems.push(`${partner.name}: payout ${stderr}`)
        return kills > 0
      }
    }
    tale.problems.push(`${partner.name}: a payout could not be recorded`)
    return kills > 0
  }

  return { signUp, changeSettings, payOut, account }
}

export type PartnerJobs = ReturnType<typeof createPartnerJobs>
