import type { Artifact } from '../artifacts.ts'

/** The venues' own contracts, and Multicall3: read from their npm packages, never kept in this tree. */
export const PUBLISHED = [
  'AcrossEventEmitter',
  'GPv2AllowListAuthentication',
  'GPv2Settlement',
  'GPv2VaultRelayer',
  'Multicall3',
  'MulticallHandler',
  'Permit2',
  'PriorityOrderReactor',
  'SpokePool',
  'SpokePoolPeriphery',
  'SwapProxy',
  'V2DutchOrderReactor',
  'V3DutchOrderReactor',
] as const

export type PublishedContract = (typeof PUBLISHED)[number]

export type PublishedContracts = { readonly [contract in PublishedContract]: Artifact }

export const isPublished = (contract: string): contract is PublishedContract =>
  (PUBLISHED as readonly string[]).includes(contract)
