import { allowanceOf, balanceOf, isAcceptedBy } from '../../kit/chainReads.ts'
import type { Book } from './book.ts'
import { VAULT_RELAYER_CONTRACT } from './networks.ts'

/** A book without a chain beside it (as in adapter tests) takes every order as covered. */
const isLess = (known: bigint | null, needed: bigint): boolean => known !== null && known < needed

export const lacksBalance = async ({ world, network }: Book, token: string, owner: string, needed: bigint): Promise<boolean> =>
  isLess(await balanceOf(world, { chainId: network.chainId, token, owner }), needed)

/** Of what the vault relayer may take. */
export const lacksAllowance = async ({ world, network }: Book, token: string, owner: string, needed: bigint): Promise<boolean> =>
  isLess(await allowanceOf(world, { chainId: network.chainId, token, owner }, VAULT_RELAYER_CONTRACT), needed)

export const isContractSignature = ({ world, network }: Book, owner: string, digest: string, signature: string) =>
  isAcceptedBy(world, network.chainId, owner, digest, signature)
