import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { createTargetPost } from '../../../engine/net/targetPost.ts'
import { createWebhookSecrets } from '../../../engine/webhooks/webhookSecrets.ts'
import { createWebhooks } from '../../../engine/webhooks/webhooks.ts'
import { ID_MAX, PAGE_MAX, wholeNumber } from '../arguments.ts'
import { failed } from '../operatorError.ts'
import { partnerById } from '../partnerById.ts'
import { fieldsOf, listOf, type Told, tableOf, timeOf } from '../printing.ts'
import { webhookKeysOf } from '../secretKeys.ts'
import type { Session } from '../session.ts'
import type { Tool } from '../tool.ts'

type FailureOptions = { readonly partner?: string; readonly limit: number; readonly before?: number }

const failures = async ({ store }: Session, { partner, limit, before }: FailureOptions): Promise<Told> => {
  if (partner !== undefined) await partnerById(store, partner)
  const found = await store.operator.failedDeliveries({ beforeId: before ?? null, limit: limit + 1 }, partner ?? null)
  const deliveries = found.slice(0, limit)
  const next = found.length > limit ? (deliveries.at(-1)?.id ?? null) : null
  const reasonOf = (one: (typeof deliveries)[number]): string =>
    one.delivery === 'started' ? 'its end is not known' : (one.failure ?? `answered ${one.answered}`)
  const rows = deliveries.map((one) => [one.id, timeOf(one.attemptedAt), one.partnerId, one.event, one.swapId, reasonOf(one)])
  return {
    data: { deliveries, before: next },
    lines: [
      ...listOf(tableOf(['DELIVERY', 'TRIED', 'PARTNER', 'EVENT', 'SWAP', 'WHY'], rows), 'No delivery failed.'),
      ...(next === null ? [] : [`More: --before ${next}`]),
    ],
  }
}

const test = async ({ store, config, clock, confirm }: Session, id: string): Promise<Told> => {
  await partnerById(store, id)
  const { webhooks: settings } = config.partners
  await confirm(`Send a signed webhook.test to the target of ${id}?`)
  const webhooks = createWebhooks({
    store,
    secrets: createWebhookSecrets(webhookKeysOf(config)),
    post: createTargetPost(settings),
    userAgent: config.userAgent,
    clock,
    observe: () => undefined,
  })
  const told = await webhooks.test(id, `operator-${randomUUID()}`)
  if (told.answered === null) throw failed(`The target of ${id} was not reached: ${told.failure}.`)
  const isTaken = told.answered >= 200 && told.answered <= 299
  if (!isTaken) throw failed(`The target of ${id} answered ${told.answered}, which is no yes.`)
  return {
    data: told,
    lines: fieldsOf([
      ['partner', id],
      ['sent', timeOf(told.attemptedAt)],
      ['answered', told.answered],
    ]),
  }
}

export const addWebhookCommands = (program: Command, { run }: Tool): void => {
  const webhooks = program.command('webhooks').description('list failed webhooks, and send a test')
  webhooks
    .command('failures')
    .description('list failed deliveries, newest first; each was tried once')
    .option('--partner <id>', 'only this partner')
    .option('--limit <n>', 'rows a page', wholeNumber(1, PAGE_MAX), 50)
    .option('--before <delivery>', 'continue below this one', wholeNumber(1, ID_MAX))
    .action((options: FailureOptions, command: Command) => run(command, (session) => failures(session, options)))
  webhooks
    .command('test <partner>')
    .description('send a signed webhook.test to the URL of the partner; asks for confirmation')
    .action((id: string, _options: object, command: Command) => run(command, (session) => test(session, id)))
}
