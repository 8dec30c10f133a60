import type { Address } from '../../core/address.ts'
import type { Execution } from '../../core/execution.ts'
import { addressIn, addressSetting } from '../kit/settings.ts'
import type { VenueConfig } from '../venue.ts'
import { type CowNetwork, ETH_FLOW, SETTLEMENT, VAULT_RELAYER } from './published.ts'

/** Contracts that are deployed for each other. Orders are signed for the settlement; EthFlow places those for native coins. */
export type CowFamily = { readonly settlement: Address; readonly relayer: Address; readonly ethFlow: Address }

/** An order book with the contracts of its orders. */
export type CowBook = CowNetwork & CowFamily

/** New orders are of the first. Orders of the others are read as long as they are here. */
export type CowFamilies = readonly [inUse: CowFamily, ...others: CowFamily[]]

const PINNED: CowFamily = { settlement: SETTLEMENT, relayer: VAULT_RELAYER, ethFlow: ETH_FLOW }

const OWN = {
  settlement: addressSetting('SETTLEMENT', 'the settlement of new orders, with VAULT_RELAYER and ETH_FLOW of it'),
  relayer: addressSetting('VAULT_RELAYER', 'the relayer of SETTLEMENT'),
  ethFlow: addressSetting('ETH_FLOW', 'the EthFlow of new orders'),
}

export const FAMILY_SETTINGS = Object.values(OWN)

/**
 * Throws TypeError for contracts that cannot belong together: a settlement makes its relayer, and EthFlow keeps its settlement. A
 * settlement may have another EthFlow.
 */
export const readFamilies = (config: VenueConfig): CowFamilies => {
  const settlement = addressIn(config, OWN.settlement) ?? SETTLEMENT
  const relayer = addressIn(config, OWN.relayer) ?? VAULT_RELAYER
  const ethFlow = addressIn(config, OWN.ethFlow) ?? ETH_FLOW
  const isOther = settlement !== SETTLEMENT
  if (isOther !== (relayer !== VAULT_RELAYER) || (isOther && ethFlow === ETH_FLOW))
    throw new TypeError('VENUE_COW_SETTLEMENT and VENUE_COW_VAULT_RELAYER are set together, and with VENUE_COW_ETH_FLOW')
  return ethFlow === ETH_FLOW ? [PINNED] : [{ settlement, relayer, ethFlow }, PINNED]
}

/** The family that a payload is for, by its own bytes. Null: a stranger's, or one that no setting names any more. */
export const familyOf = (families: CowFamilies, payload: Execution['payload']): CowFamily | null => {
  const isFor = ({ settlement, ethFlow }: CowFamily): boolean =>
    payload.executionType === 'SIGNATURE'
      ? payload.typedData.domain.verifyingContract === settlement
      : payload.executionType === 'TRANSACTION' && payload.transaction.to === ethFlow
  return families.find(isFor) ?? null
}
