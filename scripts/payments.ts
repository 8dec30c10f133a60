import type { ChainEvidence } from '../engine/chains/chainEvidence.ts'
import type { EndpointHealth } from '../engine/chains/endpoints/endpointHealth.ts'
import { createEvmAuthorizations } from '../engine/chains/evm/evmAuthorizations.ts'
import type { SearchCalls } from '../engine/chains/evm/searchCalls.ts'
import { createSolanaMessages } from '../engine/chains/solana/solanaMessages.ts'
import type { Config } from '../engine/config/config.ts'
import type { Clock } from '../engine/core/clock.ts'
import type { HttpClient } from '../engine/net/httpClient.ts'
import type { Observe } from '../engine/observe/observe.ts'
import { createAuthorizationReader } from '../engine/x402/createAuthorizationReader.ts'
import { createPaymentOptions, OFFLINE_PAYMENT_LIFETIME_SEC, PAYMENT_LIFETIME_SEC } from '../engine/x402/paymentOptions.ts'
import type { PaymentPorts } from '../engine/x402/paymentPorts.ts'
import { createRemoteFacilitator } from '../engine/x402/remoteFacilitator.ts'
import { watchFacilitator } from '../engine/x402/watchedFacilitator.ts'

export type PaymentParts = {
  readonly http: HttpClient
  readonly health: EndpointHealth
  readonly evidence: ChainEvidence
  /** The same object that `evidence` uses. */
  readonly searchCalls: SearchCalls
  readonly clock: Clock
  readonly observe: Observe
}

/** Creates the payment of calls from the configuration; null if calls are not paid. */
export const createPayments = (
  config: Config,
  { http, health, evidence, searchCalls, clock, observe }: PaymentParts,
): PaymentPorts | null => {
  const { payTo, networks, facilitator } = config.x402
  if (facilitator === null || networks.length === 0) return null
  const { rpcUrls } = config
  const lifetimeSec = config.network === 'simnet' ? OFFLINE_PAYMENT_LIFETIME_SEC : PAYMENT_LIFETIME_SEC
  return {
    facilitator: watchFacilitator(createRemoteFacilitator({ http, ...facilitator, clock }), { observe }),
    authorizations: createAuthorizationReader({
      evidence,
      authorizations: createEvmAuthorizations({ rpcUrls, http, health, searchCalls }),
      messages: createSolanaMessages({ rpcUrls, http, health }),
    }),
    options: createPaymentOptions({ payTo, networks, lifetimeSec }),
  }
}
