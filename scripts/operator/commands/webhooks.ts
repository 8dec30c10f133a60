import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { createTargetPost } from '../../../engine/net/targetPost.ts'
import { createWebhookSecrets } from '../../../engine/webhooks/webhookSecrets.ts'
import { createWebhooks } from '../../../engine/webhooks/webhooks.ts'
import { type Add, type BeforeOptions, pagedByRow } from '../commandLine.ts'
import { failed } from '../operatorError.ts'
import { fieldsOf, type Output, pageOf, readPage } from '../printing.ts'
import { webhookKeysOf } from '../secretKeys.ts'
import { partnerById, type Session } from '../session.ts'

type FailureOptions = BeforeOptions & { readonly partner?: string }

const failures = async ({ store }: Session, { partner, limit, before }: FailureOptions): Promise<Output> => {
  if (partner !== undefined) await partnerById(store, partner)
  const page = await readPage(limit, (most) =>
    store.operator.failedDeliveries({ beforeId: before ?? null, limit: most }, partner ?? null),
  )
  const columns = ['id', 'attemptedAt', 'partnerId', 'event', 'swapId', 'delivery', 'answered', 'failure'] as const
  return pageOf('deliveries', page.rows, { before: page.last?.id ?? null }, columns)
}

const test = async ({ store, config, clock, confirm }: Session, id: string): Promise<Output> => {
  await partnerById(store, id)
  await confirm(`Send a signed webhook.test to the target of ${id}?`)
  const webhooks = createWebhooks({
    store,
    secrets: createWebhookSecrets(webhookKeysOf(config)),
    post: createTargetPost(config.partners.webhooks),
    userAgent: config.userAgent,
    clock,
    observe: () => undefined,
  })
  const data = await webhooks.test(id, `operator-${randomUUID()}`)
  if (data.answered === null) throw failed(`The target of ${id} was not reached: ${data.failure}.`)
  if (data.answered < 200 || data.answered > 299) throw failed(`The target of ${id} answered ${data.answered}.`)
  return { data, lines: fieldsOf({ partner: id, ...data }) }
}

export const addWebhookCommands = (program: Command, { onRecords }: Add): void => {
  const webhooks = program.command('webhooks').description('list failed webhooks, and send a test')
  const listed = onRecords(webhooks, 'failures', 'list failed deliveries, newest first; each was tried once', failures)
  pagedByRow(listed).option('--partner <id>', 'only this partner')
  onRecords(webhooks, 'test <partner>', 'send a signed webhook.test to the URL of the partner; asks for confirmation', test)
}
