import type { Environment } from '../../engine/config/config.ts'
import type { PartnerKind } from '../../engine/core/partner.ts'
import { addPartner } from '../../engine/keys/issueKey.ts'
import type { AppOptions } from '../../handlers/app.ts'
import { type EdgeServer, type Reply, type Request, startEdge } from './edgeServer.ts'
import { createTestEngine, type TestEngine, type TestEngineOptions } from './testEngine.ts'

export const KEYS = '/api/v1/keys'

/** The least that a signup must tell. */
export const SIGNUP = {
  email: 'dev@wallet.example',
  projectName: 'Example Wallet',
  website: 'https://wallet.example',
  telegram: '@examplewallet',
  twitter: '@examplewallet',
}

type Data = { readonly [field: string]: unknown }

/** The whole edge over the real engine, its records in memory. */
export type KeysStage = {
  readonly edge: EdgeServer
  readonly engine: TestEngine
  call(method: string, body?: object, apiKey?: string, request?: Request): Promise<Reply>
  /** A key by way of the API, from an address of its own. */
  signUp(change?: Data): Promise<string>
  /** A key as the operator gives it out. */
  issue(kind: PartnerKind, terms?: { readonly feeBps?: number; readonly requestsPerMinute?: number }): Promise<string>
  /** The answer of GET. */
  account(apiKey: string): Promise<Data>
  /** The events of the one partner there is. */
  events(apiKey: string): Promise<readonly Data[]>
  close(): Promise<void>
}

export const startKeys = async (
  options: Partial<TestEngineOptions> & { readonly env?: Environment; readonly app?: Partial<AppOptions> } = {},
): Promise<KeysStage> => {
  const engine = await createTestEngine({ venues: [], ...options })
  const edge = await startEdge({ engine: engine.engine, app: { trustedProxies: ['127.0.0.1'], ...options.app } })
  let visitors = 0
  const call: KeysStage['call'] = (method, body, apiKey, { headers = {} } = {}) =>
    edge.call(KEYS, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: { ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }), ...headers },
    })
  const account: KeysStage['account'] = async (apiKey) => (await call('GET', undefined, apiKey)).json.data
  return {
    edge,
    engine,
    call,
    account,
    signUp: async (change = {}) => {
      visitors += 1
      const headers = { 'x-forwarded-for': `198.18.0.${visitors}` }
      const { status, text, json } = await call('POST', { ...SIGNUP, ...change }, undefined, { headers })
      if (status !== 201) throw new Error(`signing up answered ${status}: ${text}`)
      return String(json.data['apiKey'])
    },
    issue: async (kind, { feeBps = null, requestsPerMinute = null } = {}) =>
      (await engine.store.transaction((parts) => addPartner(parts, { kind, feeBps, requestsPerMinute }, null))).apiKey,
    events: async (apiKey) => {
      const partnerId = String((await account(apiKey))['partnerId'])
      const page = await engine.store.partnerEvents.ofPartner(partnerId, { afterPlace: 0, limit: 1_000 })
      return page.map(({ event, document, delivery }) => ({ ...document, event, delivery }))
    },
    close: async () => {
      await edge.close()
      await engine.close()
    },
  }
}
