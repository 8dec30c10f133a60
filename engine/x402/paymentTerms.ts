import type { FacilitatorClient, x402ResourceServer } from '@x402/core/server'
import type { PaymentRequirements, SchemeNetworkServer } from '@x402/core/types'
import { untilAborted, withDeadline } from '../net/deadline.ts'
import { createSingleFlight } from '../net/singleFlight.ts'
import type { PaymentOption, PaymentPorts } from './paymentPorts.ts'
import { paymentsUnavailable } from './paymentRefusal.ts'

/** What is accepted, and the official server that judges by it. */
export type PaymentTerms = { readonly server: x402ResourceServer; readonly requirements: readonly PaymentRequirements[] }

const SUPPORTED_MS = 10_000

/** The official scheme for a network, whose packages are some megabytes: read when the first payment is. */
const schemeFor = async (network: string): Promise<SchemeNetworkServer> => {
  if (network.startsWith('solana:')) return new (await import('@x402/svm/exact/server')).ExactSvmScheme()
  return new (await import('@x402/evm/exact/server')).ExactEvmScheme()
}

/** What its facilitator does not settle is not offered. */
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

/** Found out when it is first asked for, and again until that has worked: a facilitator that is down stops no start. */
export const createPaymentTerms = (ports: PaymentPorts): (() => Promise<PaymentTerms>) => {
  const once = createSingleFlight<PaymentTerms>()
  let found: PaymentTerms | null = null
  return async () => {
    found ??= await once('terms', () => build(ports)).catch((error: unknown) => {
      throw paymentsUnavailable(error)
    })
    return found
  }
}
