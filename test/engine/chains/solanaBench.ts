import { base58 } from '@scure/base'
import { paymentsTo } from '../../../engine/chains/seen.ts'
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../engine/chains/solana/solanaCodec.ts'
import { addressOf } from '../../../engine/core/address.ts'
import type { Asset } from '../../../engine/core/asset.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import { type Answers, benchOver, idOf, never } from './evidenceBench.ts'

export const SIGNATURE = base58.encode(new Uint8Array(64).fill(7))
const key = (fill: number) => addressOf('solana', base58.encode(new Uint8Array(32).fill(fill)))
export const USDC = assetOf(-2, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
export const [PAYER, VENUE, OURS, THEIRS, OTHERS, PROGRAM] = [key(1), key(2), key(3), key(4), key(5), key(6)]
export const OWNER = WALLETS.solana

export const le = (value: bigint | number, bytes: number): Buffer => {
  const out = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 1) out[at] = Number((BigInt(value) >> BigInt(8 * at)) & 0xffn)
  return out
}

export type Step = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
  readonly inner?: readonly Step[]
}
export const send = (from: string, to: string, amount: number): Step => {
  return { program: SYSTEM_PROGRAM, accounts: [from, to], data: Buffer.concat([le(2, 4), le(amount, 8)]) }
}
export const token = (
  kind: number,
  accounts: readonly string[],
  amount: number,
  tail: readonly number[] = [],
  program: string = TOKEN_PROGRAM,
): Step => ({ program, accounts, data: Buffer.concat([Buffer.of(kind), le(amount, 8), Buffer.of(...tail)]) })
export const move = (from: string, to: string, amount: number) => token(3, [from, to, VENUE], amount)
export const checked = (from: string, to: string, amount: number, program?: string) =>
  token(12, [from, USDC.address, to, VENUE], amount, [6], program)
export const call = (inner: readonly Step[]): Step => ({ program: PROGRAM, accounts: [PAYER], data: Buffer.of(9), inner })

export type Held = readonly [account: string, owner: string, amount: number, mint?: string]
export type Picture = {
  readonly steps?: readonly Step[]
  readonly before?: readonly Held[]
  readonly after?: readonly Held[]
  /** Lamports that each address gains. */
  readonly lamports?: { readonly [address: string]: number }
  readonly loaded?: readonly string[]
  readonly meta?: object
  readonly rest?: object
}

/** A transaction as a node shows it; the payer's fee is 5,000 lamports. */
export const shown = ({ steps = [], before = [], after = [], lamports = {}, loaded = [], meta = {}, rest = {} }: Picture) => {
  const all = [...steps, ...steps.flatMap(({ inner = [] }) => inner)]
  const named = [
    PAYER,
    ...all.flatMap(({ program, accounts }) => [program, ...accounts]),
    ...[...before, ...after].map(([account]) => account),
    ...Object.keys(lamports),
  ]
  const keys = [...new Set(named)].filter((each) => !loaded.includes(each))
  const numbered = [...keys, ...loaded]
  const at = (address: string) => numbered.indexOf(address)
  const view = ({ program, accounts, data }: Step) => ({
    programIdIndex: at(program),
    accounts: accounts.map(at),
    data: base58.encode(new Uint8Array(data)),
    stackHeight: null,
  })
  const balances = (held: readonly Held[]) =>
    held.map(([account, owner, amount, mint = USDC.address]) => ({
      accountIndex: at(account),
      owner,
      mint,
      uiTokenAmount: { amount: String(amount) },
    }))
  return {
    slot: 500,
    blockTime: 100,
    transaction: { signatures: [SIGNATURE], message: { accountKeys: keys, instructions: steps.map(view) } },
    meta: {
      err: null,
      fee: 5_000,
      preBalances: numbered.map(() => 10_000),
      postBalances: numbered.map((each, index) => 10_000 + (lamports[each] ?? 0) - (index === 0 ? 5_000 : 0)),
      preTokenBalances: balances(before),
      postTokenBalances: balances(after),
      innerInstructions: steps.flatMap(({ inner }, index) => (inner ? [{ index, instructions: inner.map(view) }] : [])),
      loadedAddresses: { writable: loaded, readonly: [] },
      ...meta,
    },
    ...rest,
  }
}

/** A transaction as the chain evidence shows it; `slot`: the newest that is final. */
export const seenIn = (shown: unknown, answers: Answers = {}) =>
  benchOver({ a: { getTransaction: shown, getSlot: 400, ...answers } }).evidence.transaction(QUERY, never())
export const QUERY = { chainId: -2, hash: idOf(-2, SIGNATURE) } as const

/** The payments of an asset to an owner: the place, the amount and the payer of each. */
export const paid = async (picture: unknown, asset: Asset = USDC, recipient = OWNER) => {
  const seen = await seenIn(picture)
  return seen && paymentsTo(seen, { asset, recipient }).map(({ place, amount, from }) => [place, amount, from])
}
