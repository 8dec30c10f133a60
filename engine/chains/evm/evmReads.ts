import type { Address } from '../../core/address.ts'
import type { Asset } from '../../core/asset.ts'
import { type EvmChainId, isEvmChainId } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { ChainError, type Chains } from '../chains.ts'
import { CallReverted, type JsonRpc } from '../endpoints/jsonRpc.ts'
import { encodeParameters } from './evmCodec.ts'

/** Calls a contract at the latest block; null when the call reverts. */
export type EvmCall = (
  contract: Pick<Asset, 'chainId' | 'address'>,
  data: Hex,
  signal: AbortSignal,
  from?: Address,
) => Promise<Hex | null>

export type EvmRpc = (chainId: EvmChainId) => JsonRpc

const HEX = /^0x([0-9a-f]{2})*$/i
const QUANTITY = /^0x[0-9a-f]{1,64}$/i
const WORD = /^0x[0-9a-f]{64}$/i

const SELECTORS = { allowance: '0xdd62ed3e', approve: '0x095ea7b3', isValidSignature: '0x1626ba7e' } as const

/** https://eips.ethereum.org/EIPS/eip-1271: the selector itself, in the first four bytes of the word returned. */
const MAGIC_WORD = SELECTORS.isValidSignature.padEnd(66, '0')

const argument = (value: Address | bigint): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')

const calldata = (selector: Hex, ...values: readonly (Address | bigint)[]): Hex =>
  `${selector}${values.map(argument).join('')}` as Hex

const malformed = (chainId: EvmChainId, method: string): ChainError =>
  new ChainError('unreachable', chainId, `chain ${chainId}: ${method} was answered with something else`)

/** As EvmCall, at a block: a node that has not come so far refuses. */
export type EvmCallAt = (
  contract: Pick<Asset, 'chainId' | 'address'>,
  data: Hex,
  at: { readonly block: Hex | 'latest'; readonly signal: AbortSignal; readonly from?: Address | undefined },
) => Promise<Hex | null>

export const createEvmCallAt =
  (rpc: EvmRpc): EvmCallAt =>
  async ({ chainId, address }, data, { block, signal, from }) => {
    if (!isEvmChainId(chainId)) throw new ChainError('notAToken', chainId, `chain ${chainId} has no contracts`)
    try {
      const result = await rpc(chainId).call('eth_call', [{ to: address, data, ...(from ? { from } : {}) }, block], signal)
      if (typeof result !== 'string' || !HEX.test(result)) throw malformed(chainId, 'eth_call')
      return result as Hex
    } catch (error) {
      if (error instanceof CallReverted) return null
      throw error
    }
  }

export const createEvmCall = (rpc: EvmRpc): EvmCall => {
  const callAt = createEvmCallAt(rpc)
  return (contract, data, signal, from) => callAt(contract, data, { block: 'latest', signal, from })
}

export const readAllowance =
  (call: EvmCall): Chains['allowance'] =>
  async ({ asset, owner, spender }, signal) => {
    const data = await call(asset, calldata(SELECTORS.allowance, owner, spender), signal)
    if (data === null || !WORD.test(data)) throw new ChainError('notAToken', asset.chainId, `no allowances at ${asset.address}`)
    return BigInt(data)
  }

/** Old tokens return nothing when they approve; the others true. */
const isApproved = (data: Hex | null): boolean => data === '0x' || (data !== null && WORD.test(data) && BigInt(data) === 1n)

export const readRefusesReapproval =
  (call: EvmCall): Chains['refusesReapproval'] =>
  async ({ asset, owner, spender, amount }, signal) => {
    const approve = (value: bigint) => call(asset, calldata(SELECTORS.approve, spender, value), signal, owner)
    const [change, reset] = await Promise.all([approve(amount), approve(0n)])
    return !isApproved(change) && isApproved(reset)
  }

export const readIsValidContractSignature =
  (call: EvmCall): Chains['isValidContractSignature'] =>
  async ({ chainId, signer, digest, signature }, signal) => {
    const values = await encodeParameters([{ type: 'bytes32' }, { type: 'bytes' }], [digest, signature])
    const data = await call({ chainId, address: signer }, `${SELECTORS.isValidSignature}${values.slice(2)}`, signal)
    return data?.toLowerCase() === MAGIC_WORD
  }

export const readGasPrice = async (rpc: EvmRpc, chainId: EvmChainId, signal: AbortSignal): Promise<bigint> => {
  const price = await rpc(chainId).call('eth_gasPrice', [], signal).catch(refused(chainId, 'eth_gasPrice'))
  if (typeof price !== 'string' || !QUANTITY.test(price)) throw malformed(chainId, 'eth_gasPrice')
  return BigInt(price)
}

/** Only calls of contracts revert: elsewhere a revert is a node's error. */
const refused =
  (chainId: EvmChainId, method: string) =>
  (error: unknown): never => {
    throw error instanceof CallReverted ? malformed(chainId, method) : error
  }

export const readCode =
  (rpc: EvmRpc): Chains['code'] =>
  async ({ chainId, address }, signal) => {
    const method = 'eth_getCode'
    const code = await rpc(chainId).call(method, [address, 'latest'], signal).catch(refused(chainId, method))
    if (!isHexText(code)) throw malformed(chainId, method)
    return code
  }

const isHexText = (value: unknown): value is Hex => typeof value === 'string' && HEX.test(value)
