import type { FacilitatorClient, ResourceConfig } from '@x402/core/server'
import type { AssetAmount } from '@x402/core/types'
import type { AuthorizationReader } from './authorizationReader.ts'

/** One way to pay. The amount is in smallest units: a price in dollars would be truncated. */
export type PaymentOption = ResourceConfig & { readonly price: AssetAmount }

export type PaymentPorts = {
  readonly facilitator: FacilitatorClient
  readonly authorizations: AuthorizationReader
  readonly options: readonly PaymentOption[]
}
