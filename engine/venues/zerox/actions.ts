import { parseAbi } from 'abitype'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import { evmAddressText } from '../../core/address.ts'
import { NATIVE } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import { BASIC, NATIVE_CHECK } from './protocol.ts'

/* A Settler's work, action by action: `src/ISettlerActions.sol` and `src/core/Basic.sol` of 0x-settler. */

/** After all actions the Settler pays the recipient its whole balance of the bought token, or reverts below the minimum. */
export type Header = { readonly recipient: string; readonly buyToken: string; readonly minAmountOut: bigint }

/**
 * These begin with a permit: taker, token, amount, nonce and deadline, each in one word. By takers themselves, and by signers.
 */
const BY_PERMIT = {
  TRANSFER_FROM: ['0xc1fb425e', '0x0dfeb419'],
  RFQ_VIP: ['0x604ba49a', '0x9714f25e'],
  UNISWAPV3_VIP: ['0x3036d6a6', '0x45d8bb1f'],
  UNISWAPV4_VIP: ['0x931997d3', '0xd9d94e41'],
  BALANCERV3_VIP: ['0x4150c86c', '0x449b52ab'],
  PANCAKE_INFINITY_VIP: ['0xd272fc20', '0xef4df77a'],
  EKUBOV3_VIP: ['0x10cd6343', '0xf67d89e5'],
  CURVE_TRICRYPTO_VIP: ['0x0bcce50f', '0xa04626b4'],
} as const
const CHECK_SLIPPAGE = '0x131ad428'
const POSITIVE_SLIPPAGE = '0x34ee90ca'

const TRANSFER = parseAbi(['function transfer(address to, uint256 amount)'])
/** The offset of the amount in a call of `transfer`. */
const AMOUNT_OFFSET = 36n

const wordOf = (action: Hex, at: number): string => action.slice(10 + 64 * at, 10 + 64 * (at + 1)).toLowerCase()
const isPadded = (word: string): boolean => /^0{24}[0-9a-f]{40}$/.test(word)

/** The input of an action with a permit. */
export type Taken = { readonly token: string; readonly amount: bigint; readonly nonce: bigint; readonly deadline: bigint }

const readPermit =
  (by: 0 | 1) =>
  (action: Hex): Taken | null => {
    const words = [0, 1, 2, 3, 4].map((at) => wordOf(action, at))
    const [recipient = '', token = '', ...numbers] = words
    const isKnown = Object.values(BY_PERMIT).some((selectors) => selectors[by] === action.slice(0, 10).toLowerCase())
    const isWhole = (action.length - 10) % 64 === 0 && words.every((word) => word.length === 64)
    if (!isKnown || !isWhole || !isPadded(recipient) || !isPadded(token)) return null
    const [amount = 0n, nonce = 0n, deadline = 0n] = numbers.map((word) => BigInt(`0x${word}`))
    return { token: `0x${token.slice(24)}`, amount, nonce, deadline }
  }

/** The payment of a user who sends the swap: tokens by AllowanceHolder in place of a permit, coins by the value of the call. */
export const readTaken = readPermit(0)
export const readSignedTaken = readPermit(1)

export const readNativeCheck = async (action: Hex): Promise<{ readonly deadline: bigint; readonly amount: bigint } | null> => {
  const args = (await readExactCall(NATIVE_CHECK, action)) as readonly [bigint, bigint] | null
  return args && { deadline: args[0], amount: args[1] }
}

/** A share of the Settler's balance of a token, and its recipient. */
export type Share = { readonly token: string; readonly recipient: string; readonly bps: bigint }

/** The payment of an action; null for any other action. */
export const readShare = async (action: Hex): Promise<Share | null> => {
  const args = await readExactCall(BASIC, action)
  if (args === null) return null
  const [token, bps, pool, offset, data] = args as readonly [string, bigint, string, bigint, Hex]
  if (token === NATIVE) return offset === 0n && data === '0x' ? { token, recipient: pool, bps } : null
  if (token !== pool || offset !== AMOUNT_OFFSET) return null
  const [recipient, amount] = (await readExactCall(TRANSFER, data)) ?? []
  return typeof recipient === 'string' && evmAddressText.test(recipient) && amount === 0n ? { token, recipient, bps } : null
}

/** Pays or checks the output of the swap, without adding to it. */
export const isAfterSwap = async (action: Hex): Promise<boolean> =>
  [CHECK_SLIPPAGE, POSITIVE_SLIPPAGE].some((selector) => isOf(selector)(action)) || (await readShare(action)) !== null

const isOf = (selector: string) => (action: Hex) => action.slice(0, 10).toLowerCase() === selector

/** Pays exactly the minimum, and keeps the rest: a swap of an exact output. */
export const keepsTheRest = (actions: readonly Hex[]): boolean =>
  actions.filter(isOf(CHECK_SLIPPAGE)).some((action) => !/^0+$/.test(action.slice(10)))

/** Whether actions take the surplus over the expected output, in this token. */
export const takesSurplus = (actions: readonly Hex[], token: string): boolean =>
  actions.filter(isOf(POSITIVE_SLIPPAGE)).some((action) => wordOf(action, 1).endsWith(token.slice(2).toLowerCase()))
