import type { Address } from '../../core/address.ts'
import type { EvmChainId } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import type { Chains } from '../chains.ts'

/**
 * The code at the address of a signer. `none`: its key signs alone. `contract`: a wallet that is a contract. A key that delegates
 * to code (EIP-7702): `delegate` where the code answers `isValidSignature` of EIP-1271, `muteDelegate` where it does not.
 */
export type SignerCode = 'none' | 'contract' | 'delegate' | 'muteDelegate'

/** https://eips.ethereum.org/EIPS/eip-7702: an account whose owner had it run the code of another address. */
export const isDelegated = (code: Hex): boolean => /^0xef0100/i.test(code)

const DIGEST = '5e'.repeat(32)
/** Well-formed, by an unknown key: r is the x of the curve's generator, s is 1, v is 27. */
const SIGNATURE = `79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798${'1'.padStart(64, '0')}1b`
const word = (value: number): string => value.toString(16).padStart(64, '0')
/** `isValidSignature(bytes32,bytes)`, https://eips.ethereum.org/EIPS/eip-1271 */
const PROBE: Hex = `0x1626ba7e${DIGEST}${word(64)}${word(65)}${SIGNATURE.padEnd(192, '0')}`
const ANSWER = /^0x[0-9a-f]{64}$/i

/**
 * Reads what a signer runs now. Code that reverts for a signature that is not its own counts as mute: whether it accepts a key's
 * signature is unknown. Throws ChainError.
 */
export const readSignerCode = async (
  chains: Pick<Chains, 'code' | 'call'>,
  signer: { readonly chainId: EvmChainId; readonly address: Address },
  signal: AbortSignal,
): Promise<SignerCode> => {
  const code = await chains.code(signer, signal)
  if (code === '0x') return 'none'
  if (!isDelegated(code)) return 'contract'
  const answer = await chains.call(signer, PROBE, signal)
  return answer !== null && ANSWER.test(answer) ? 'delegate' : 'muteDelegate'
}
