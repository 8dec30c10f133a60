import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { associatedTokenAddress } from '../../../chains/solana/solanaCodec.ts'
import type { SimSolanaInstruction } from '../../kit/simVenue.ts'
import type { SimCharge } from '../../kit/world.ts'
import type { Network } from './networks.ts'
import { eventAuthority, telling, u32, u64 } from './svmEvents.ts'

/**
 * How Across's program on Solana gives back: the names of dist/src/svm/assets/idl/svm_spoke.json of @across-protocol/contracts.
 * Its leaf stands in an account that was written before; here it follows the name of the call, and the venue pays in place of
 * the program's vault.
 */
export const EXECUTE_REFUND_LEAF = '1b889ff07f447ba4'
const EXECUTED_REFUND_ROOT = 'c6a7f8af220304f0'

const LEAF_ID = 0
const FIXED_BYTES = 8 + 8 + 8 + 4 + 8 + 4 + 32 + 4 + 32

type Refund = { readonly token: string; readonly to: string; readonly amount: bigint }

/** `RelayerRefundLeaf` of one refund. */
const leafOf = ({ token, to, amount }: Refund, { wireId }: Network): Uint8Array =>
  concatBytes(u64(0), u64(wireId), u32(1), u64(amount), u32(LEAF_ID), base58.decode(token), u32(1), base58.decode(to))

export const refundCall = (refund: Refund, payer: string, network: Network) => {
  const { spokePool: program } = network
  const readonly = (address: string) => ({ address })
  const writable = (address: string) => ({ address, isWritable: true })
  const { token, to } = refund
  return {
    programId: program,
    accounts: [
      { address: payer, isSigner: true, isWritable: true },
      ...[program, token, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', eventAuthority(program)].map(readonly),
      ...[associatedTokenAddress(payer, token), associatedTokenAddress(to, token)].map(writable),
    ],
    data: concatBytes(hexToBytes(EXECUTE_REFUND_LEAF), leafOf(refund, network)),
  }
}

/** What the program does with a leaf: it pays the refund, and tells of it. */
export const takeRefund = ({ data, accounts }: SimSolanaInstruction, { spokePool }: Network): SimCharge => {
  const [payer = ''] = accounts
  if (data.length !== FIXED_BYTES) return null
  const part = (at: number, bytes: number) => data.slice(at, at + bytes)
  const [amounts, mint, addresses] = [part(24, 12), part(40, 32), part(72, 36)]
  // The number of the root stands before that of the leaf; none was put off.
  const before = [part(8, 8), part(16, 8), amounts, u32(0), part(36, 4)]
  const fields = [...before, mint, addresses, Uint8Array.of(0), base58.decode(payer)]
  return {
    token: base58.encode(mint),
    from: payer,
    to: base58.encode(addresses.slice(4)),
    amount: new DataView(amounts.buffer, amounts.byteOffset).getBigUint64(4, true),
    tells: telling(spokePool, EXECUTED_REFUND_ROOT, fields),
  }
}
