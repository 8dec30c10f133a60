import { callData } from '../../kit/callData.ts'
import { type Payout, payOut } from '../../kit/payOut.ts'
import type { World } from '../../kit/world.ts'
import { vaultOn } from './networks.ts'

/** IVault.sol of chainflip-eth-contracts. */
const TRANSFER = [
  'struct SigData { uint256 sig; uint256 nonce; address kTimesGAddress; }',
  'struct TransferParams { address token; address recipient; uint256 amount; }',
  'function transfer(SigData sigData, TransferParams transferParams) payable',
] as const

/** Pays out of the vault: on an EVM chain by its contract, whose stock is filled up first; its signature nobody checks here. */
export const payFrom = async (world: World, payout: Payout): Promise<string> => {
  const { token, to, amount } = payout
  const { chainId, address, isNative } = token
  const vault = vaultOn(chainId)
  if (vault === null) return payOut(world, payout)
  if (!isNative) await world.evm.fund({ chainId, token: address, holder: vault, amount })
  const data = await callData(TRANSFER, [
    { sig: 0n, nonce: 0n, kTimesGAddress: vault },
    { token: address, recipient: to, amount },
  ])
  return world.evm.transfer({ chainId, token: address, to, amount, by: { to: vault, data } })
}
