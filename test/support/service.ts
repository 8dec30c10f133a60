import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../engine/config/config.ts'
import type { Simnet } from '../../engine/simnet/simnet.ts'
import type { operations } from '../../generated/api.d.ts'
import { serve } from '../../scripts/serve.ts'
import { documentedOperations } from './documentedOperations.ts'
import { controlNetwork, type NetworkControl } from './networkControl.ts'
import { type PrismFront, startPrismFront } from './prismFront.ts'

type OperationId = keyof operations
type JsonOf<T> = T extends { readonly content: { readonly 'application/json': infer Body } } ? Body : never
type BodyOf<Id extends OperationId> = operations[Id] extends { readonly requestBody: infer Request } ? JsonOf<Request> : undefined
type DataOf<Id extends OperationId> = JsonOf<operations[Id]['responses'][200]>['data']

export type Ask = {
  readonly query?: { readonly [name: string]: string | number }
  /** Sent as JSON; a string or bytes are sent as they are. */
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string; readonly body: unknown }

/** A whole running service on an offline network of its own. */
export type TestService = {
  /** Where clients call: the service, or what validates its answers when the suites run through Prism. */
  readonly publicUrl: string
  /** The service itself, whatever stands in front of it. */
  readonly url: string
  readonly control: NetworkControl
  readonly simnet: Simnet
  /** Any request, right or wrong. */
  send(method: string, path: string, ask?: Ask): Promise<Answer>
  /** Calls an operation as documented and gives the data of its answer. Throws when it is not 200. */
  call<Id extends OperationId>(id: Id, ask?: Omit<Ask, 'body'> & { readonly body?: BodyOf<Id> }): Promise<DataOf<Id>>
  /** Ends everything. Rejects when an answer on the way broke the contract. */
  close(): Promise<void>
}

const toInit = (method: string, { body, headers = {} }: Ask): RequestInit => {
  if (body === undefined) return { method, headers }
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  return {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: isRaw ? body : JSON.stringify(body),
  } as RequestInit
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sendTo =
  (origin: string): TestService['send'] =>
  async (method, path, ask = {}) => {
    const query = new URLSearchParams(
      Object.entries(ask.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const response = await fetch(`${origin}${path}${query.size > 0 ? `?${query}` : ''}`, toInit(method, ask))
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parseJson(text) }
  }

const callBy =
  (send: TestService['send']): TestService['call'] =>
  async <Id extends OperationId>(id: Id, ask: Ask = {}) => {
    const { method, path } = documentedOperations.byId(id)
    const { status, text, body } = await send(method, path, ask)
    if (status !== 200) throw new Error(`${id} answered ${status}: ${text}`)
    return (body as { data: DataOf<Id> }).data
  }

/** A client of any running service, such as one that the caller started otherwise. */
export const clientOf = (origin: string): Pick<TestService, 'send' | 'call'> => {
  const send = sendTo(origin)
  return { send, call: callBy(send) }
}

/** So that only tests about the limits meet them. */
const UNLIMITED_PER_MINUTE = '1000000'

/**
 * Starts the real service, real adapters included, against a fresh offline network: free ports, data in a temporary
 * folder, nothing logged. `env` overrides any setting.
 */
export const startService = async (env: Environment = {}): Promise<TestService> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'swap-service-'))
  const removeData = () => rm(dataDir, { recursive: true, force: true })
  const service = await serve({
    PORT: '0',
    SIMNET_CONTROL_PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: UNLIMITED_PER_MINUTE,
    VENUE_RELAY_REQUESTS_PER_MINUTE: UNLIMITED_PER_MINUTE,
    ...env,
  }).catch(async (error: unknown) => {
    await removeData()
    throw error
  })
  if (!service.simnet) throw new Error('tests run on the offline network only')
  const gateway = process.env['SWAP_TEST_VIA_PRISM']
  const front: PrismFront | null = gateway ? await startPrismFront(service.url, gateway) : null
  const publicUrl = front?.url ?? service.url
  const send = sendTo(publicUrl)
  return {
    publicUrl,
    url: service.url,
    control: controlNetwork(service.simnet.controlUrl),
    simnet: service.simnet,
    send,
    call: callBy(send),
    close: async () => {
      await front?.close()
      await service.close()
      await removeData()
      if (front && front.violations.length > 0)
        throw new Error(`Prism found answers that break the contract:\n${front.violations.join('\n')}`)
    },
  }
}
