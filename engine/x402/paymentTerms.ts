import type { FacilitatorClient, x402ResourceServer } from '@x402/core/server'
import type { PaymentRequirements, SchemeNetworkServer } from '@x402/core/types'
import type { Clock } from '../core/clock.ts'
import { untilAborted, withDeadline } from '../net/deadline.ts'
import { createSingleFlight } from '../net/singleFlight.ts'
import type { PaymentOption, PaymentPorts } from './paymentPorts.ts'
import { paymentsUnavailable } from './paymentRefusal.ts'

/** The accepted payments, and the official server that verifies them. */
export type PaymentTerms = { readonly server: x402ResourceServer; readonly requirements: readonly PaymentRequirements[] }

const SUPPORTED_MS = 10_000

/** The official scheme for a network. Its packages have some megabytes, and load at the first payment. */
const schemeFor = async (network: string): Promise<SchemeNetworkServer> => {
  if (network.startsWith('solana:')) return new (await import('@x402/svm/exact/server')).ExactSvmScheme()
  return new (await import('@x402/evm/exact/server')).ExactEvmScheme()
}

/** Offers only what its facilitator settles. */
const requirementsOf = async (server: x402ResourceServer, options: readonly PaymentOption[]): Promise<PaymentRequirements[]> => {
  const offered = options.filter(({ network, scheme }) => server.getSupportedKind(2, network, scheme) !== undefined)
  return (await Promise.all(offered.map((option) => server.buildPaymentRequirements(option)))).flat()
}

const build = async ({ facilitator, options }: PaymentPorts): Promise<PaymentTerms> => {
  const [{ x402ResourceServer }, { bazaarResourceServerExtension }] = await Promise.all([
    import('@x402/core/server'),
    import('@x402/extensions/bazaar'),
  ])
  const supported = await withDeadline(SUPPORTED_MS, (signal) => untilAborted(facilitator.getSupported(), signal))
  const client: FacilitatorClient = {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    getSupported: async () => supported,
  }
  const server = new x402ResourceServer(client)
  server.registerExtension(bazaarResourceServerExtension)
  for (const network of new Set(options.map((option) => option.network))) server.register(network, await schemeFor(network))
  await server.initialize()
  const requirements = await requirementsOf(server, options)
  if (requirements.length === 0) throw new Error('the facilitator settles nothing of what is accepted')
  return { server, requirements }
}

/** How long a facilitator's supported kinds are cached: on Solana its fee account may change. */
const TERMS_MS = 10 * 60_000

/**
 * Loaded at the first request, and again until that succeeds: a failing facilitator does not prevent the start. A later call
 * renews the terms, and keeps the old ones if that fails.
 */
export const createPaymentTerms = (ports: PaymentPorts, clock: Clock): (() => Promise<PaymentTerms>) => {
  const once = createSingleFlight<PaymentTerms>()
  let kept: { readonly terms: PaymentTerms; readonly since: number } | null = null

  const renew = async (): Promise<PaymentTerms> => {
    const since = clock.now()
    const terms = await build(ports).catch((error: unknown) => {
      if (kept === null) throw paymentsUnavailable(error)
      return kept.terms
    })
    kept = { terms, since }
    return terms
  }
  return async () => {
    const isFresh = kept !== null && Math.abs(clock.now() - kept.since) < TERMS_MS
    return kept !== null && isFresh ? kept.terms : once('terms', renew)
  }
}
