import type { CallDescription } from '../core/paidCall.ts'

/** By name, as in the demand to a payer. */
export type Extensions = Record<string, unknown>

/** The description of a call by the official discovery extension. Cached, because it never changes. */
export const createDiscovery = (): ((call: CallDescription) => Promise<Extensions>) => {
  const known = new Map<string, Promise<Extensions>>()

  const describe = async ({ method, schema, example, answer }: CallDescription): Promise<Extensions> => {
    const { BAZAAR, bazaarResourceServerExtension, declareDiscoveryExtension } = await import('@x402/extensions/bazaar')
    const shared = { input: { ...example }, inputSchema: { ...schema }, output: { example: answer } }
    const declared = declareDiscoveryExtension(method === 'GET' ? shared : { ...shared, bodyType: 'json' })
    const enrich = bazaarResourceServerExtension.enrichDeclaration
    // Paths have no parameters, so only the request's method is needed.
    return { [BAZAAR.key]: enrich?.(declared[BAZAAR.key], { method, adapter: null }) }
  }

  return (call) => {
    const described = known.get(call.operation) ?? describe(call)
    known.set(call.operation, described)
    return described
  }
}
