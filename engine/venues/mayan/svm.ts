import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { isAnchorCall, readAnchorCall } from '../../chains/solana/anchor.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  type SolanaAccountMeta,
  type SolanaInstruction,
  type SolanaInstructionPlan,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../chains/solana/solanaProgramAddress.ts'
import type { Address } from '../../core/address.ts'
import { NATIVE_SOL } from '../../core/asset.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import {
  addressOfWord,
  bigEndian,
  bytesOf,
  INIT_ORDER,
  INIT_ORDER_HEAD,
  orderHash,
  orderOfInit,
  pinned,
  type SwiftOrder,
  tokenWord,
} from './protocol.ts'

const SYSVAR_RENT = 'SysvarRent111111111111111111111111111111111'

/** An order of Swift placed on Solana. `mint`: of wrapped SOL for one paid in SOL. */
export type SolanaOrder = {
  readonly order: SwiftOrder
  /** A part of the order's id: on Solana the transaction states it. */
  readonly protocolBps: number
  readonly mint: Address
  readonly amount: bigint
  /** The signer and payer. */
  readonly payer: Address
  /** The program of Swift, and the one that calls it. */
  readonly swift: Address
  readonly proxy: Address
  readonly feeManager: Address
}

const little = (value: bigint | number, bytes: number): Uint8Array => bigEndian(value, bytes).reverse()

const isOfCoins = ({ mint }: Pick<SolanaOrder, 'mint'>): boolean => mint === NATIVE_SOL

const initOrderData = (placed: SolanaOrder): Uint8Array => {
  const { order, protocolBps, amount } = placed
  return concatBytes(
    hexToBytes(INIT_ORDER_HEAD),
    little(amount, 8),
    little(isOfCoins(placed) ? 1 : 0, 1),
    little(0, 8),
    bytesOf(order.destAddr),
    little(order.destChainId, 2),
    bytesOf(order.tokenOut),
    ...[order.minAmountOut, order.gasDrop, order.cancelFee, order.refundFee, order.deadline].map((sum) => little(sum, 8)),
    bytesOf(order.referrerAddr),
    ...[order.referrerBps, protocolBps, order.auctionMode].map((byte) => little(byte, 1)),
    bytesOf(order.random),
  )
}

export const solanaOrderHash = ({ order, mint, protocolBps }: SolanaOrder): Hex => {
  const tokenIn = tokenWord({ chainId: SOLANA, address: mint })
  return orderHash(order, { sourceId: pinned(SOLANA)?.wormholeId ?? 0, tokenIn }, protocolBps)
}

/** The program's account of the order: the order's id is among its seeds, so the account belongs to this order only. */
const stateOf = (placed: SolanaOrder): Address =>
  solanaProgramAddress(placed.swift, [
    utf8ToBytes('STATE_SOURCE'),
    bytesOf(solanaOrderHash(placed)),
    little(placed.order.destChainId, 2),
  ])

const read = (address: string): SolanaAccountMeta => ({ address })
const written = (address: string): SolanaAccountMeta => ({ address, isWritable: true })

const SYSTEM_TRANSFER = 2
const TOKEN_TRANSFER = 3
const SYNC_NATIVE = 17

/** The calls that place an order: an account for the payment, the payment (of SOL in two calls), and the order itself. */
export const placingCalls = (placed: SolanaOrder): readonly SolanaInstructionPlan[] => {
  const { order, mint, amount, payer, swift, feeManager } = placed
  // All calls go through Mayan's proxy. Its first account is the program to call.
  const proxied = (program: Address, accounts: readonly SolanaAccountMeta[], data: Uint8Array): SolanaInstructionPlan => {
    return { programId: placed.proxy, accounts: [read(program), ...accounts], data }
  }
  const trader = addressOfWord(SOLANA, order.trader) ?? payer
  const state = stateOf(placed)
  const [held, own] = [state, payer].map((owner) => associatedTokenAddress(owner, mint)) as [Address, Address]
  const signer = { address: payer, isSigner: true }
  const paying = { ...signer, isWritable: true }
  const opening = [paying, written(held), ...[state, mint, SYSTEM_PROGRAM, TOKEN_PROGRAM, SYSVAR_RENT].map(read)]
  const placing = [read(trader), paying, ...[state, held, own].map(written)]
  return [
    proxied(ASSOCIATED_TOKEN_PROGRAM, opening, Uint8Array.of(1)),
    ...(isOfCoins(placed)
      ? [
          proxied(SYSTEM_PROGRAM, [paying, written(held)], concatBytes(little(SYSTEM_TRANSFER, 4), little(amount, 8))),
          proxied(TOKEN_PROGRAM, [written(held)], Uint8Array.of(SYNC_NATIVE)),
        ]
      : [
          proxied(
            TOKEN_PROGRAM,
            [written(own), written(held), signer],
            concatBytes(little(TOKEN_TRANSFER, 1), little(amount, 8)),
          ),
        ]),
    proxied(swift, [...placing, ...[swift, mint, feeManager, TOKEN_PROGRAM, SYSTEM_PROGRAM].map(read)], initOrderData(placed)),
  ]
}

/** Trader, payer, Swift, mint and fee manager among the accounts of the order's call, the proxied program before them. */
const AT = [1, 2, 6, 7, 8] as const

export const isPlacing = ({ data }: Pick<SolanaInstruction, 'data'>): boolean => isAnchorCall(data, 'init_order')

/** Null for another call. It skips fields; the rebuilt calls prove them: see `isSameCall`. */
export const readPlacing = ({ programId: proxy, accounts, data }: SolanaInstruction): SolanaOrder | null => {
  const said = readAnchorCall(data, 'init_order', INIT_ORDER)
  const [trader, payer, swift, mint, feeManager] = AT.map((at) => accounts[at] ?? null)
  if (said === null || !trader || !payer || !swift || !mint || !feeManager) return null
  const { feeRateMayan: protocolBps, amountInMin: amount } = said
  return { order: orderOfInit(said, trader), protocolBps, mint, amount, payer, swift, proxy, feeManager }
}

export const isSameCall = (
  own: SolanaInstructionPlan,
  call: Pick<SolanaInstruction, 'programId' | 'accounts' | 'data'>,
): boolean =>
  own.programId === call.programId &&
  bytesToHex(own.data) === bytesToHex(call.data) &&
  own.accounts.length === call.accounts.length &&
  own.accounts.every(({ address }, at) => address === call.accounts[at])
