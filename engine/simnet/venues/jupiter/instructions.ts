import { utf8ToBytes } from '@noble/hashes/utils.js'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  COMPUTE_BUDGET_PROGRAM,
  type SolanaInstructionPlan,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../../chains/solana/solanaProgramAddress.ts'
import { addressOf } from '../../../core/address.ts'
import { littleEndian as little } from '../../kit/anchor.ts'
import type { PayloadTerms } from '../../kit/lies.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { BuildQuery } from './buildQuery.ts'
import type { Deal } from './pricing.ts'
import { AUTHORITY, AUTHORITY_ID, CALLS, EVENT_AUTHORITY, PROGRAM } from './published.ts'

/** Micro-lamports for a unit of work. */
const UNIT_PRICE = 20_000

export const programOf = ({ program }: SimToken): string => (program === 'token-2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM)
export const holdingOf = (owner: string, token: SimToken): string =>
  associatedTokenAddress(owner, token.address, programOf(token))
export const authority = (): string =>
  solanaProgramAddress(addressOf('solana', PROGRAM), [utf8ToBytes(AUTHORITY), Uint8Array.of(AUTHORITY_ID)])

const readonly = (address: string) => ({ address })
const writable = (address: string) => ({ address, isWritable: true })
const payer = (address: string) => ({ address, isSigner: true, isWritable: true })

const open = (owner: string, token: SimToken): SolanaInstructionPlan => ({
  programId: ASSOCIATED_TOKEN_PROGRAM,
  accounts: [
    payer(owner),
    writable(holdingOf(owner, token)),
    ...[owner, token.address, SYSTEM_PROGRAM, programOf(token)].map(readonly),
  ],
  data: Uint8Array.of(1),
})

const wrap = ({ taker, input, amount }: BuildQuery): readonly SolanaInstructionPlan[] => {
  const wrapped = holdingOf(taker, input)
  const data = Buffer.concat([Buffer.from('02000000', 'hex'), little(8, amount)])
  return [
    { programId: SYSTEM_PROGRAM, accounts: [payer(taker), writable(wrapped)], data },
    { programId: TOKEN_PROGRAM, accounts: [writable(wrapped)], data: Uint8Array.of(17) },
  ]
}

const unwrap = (taker: string, token: SimToken): SolanaInstructionPlan => ({
  programId: TOKEN_PROGRAM,
  accounts: [writable(holdingOf(taker, token)), writable(taker), { address: taker, isSigner: true }],
  data: Uint8Array.of(9),
})

/** The swap of one pool or two, out of the stock and into it, as the terms have it. */
const swapCall = (
  query: BuildQuery,
  { hops }: Deal,
  { terms: { recipient, minimum: quoted, amount, contract }, stock }: { readonly terms: PayloadTerms; readonly stock: string },
): SolanaInstructionPlan => {
  const { taker, input, output, slippageBps, fee, destination } = query
  const isShared = hops.length > 1
  const steps = hops.map((_, at) => Buffer.concat([Buffer.of(17), little(2, 10_000), Buffer.of(at, at + 1)]))
  const words = [
    little(8, amount),
    little(8, quoted),
    little(2, slippageBps),
    little(2, fee.bps),
    little(2, 0),
    little(4, hops.length),
  ]
  const head = Buffer.from(isShared ? CALLS.shared.discriminator : CALLS.route.discriminator, 'hex')
  const own = holdingOf(taker, output)
  const isElsewhere = destination !== null || recipient !== own
  const [mints, programs] = [[input.address, output.address], [input, output].map(programOf)].map((all) => all.map(readonly))
  const mine = [holdingOf(authority(), input), holdingOf(authority(), output)].map(writable)
  const before = isShared
    ? [readonly(authority()), payer(taker), writable(holdingOf(taker, input)), ...mine, writable(recipient)]
    : [payer(taker), writable(holdingOf(taker, input)), writable(own)]
  const after = isShared ? [] : [isElsewhere ? writable(recipient) : readonly(PROGRAM)]
  return {
    programId: contract,
    accounts: [
      ...before,
      ...(mints ?? []),
      ...(programs ?? []),
      ...after,
      ...[EVENT_AUTHORITY, PROGRAM].map(readonly),
      ...(fee.account === null ? [] : [writable(fee.account)]),
      ...[input, output].map((token) => writable(holdingOf(stock, token))),
    ],
    data: Buffer.concat([head, ...(isShared ? [Buffer.of(AUTHORITY_ID)] : []), ...words, ...steps]),
  }
}

/** All that a wallet needs to sign, in the parts that the API gives it in. */
export const instructionsOf = (query: BuildQuery, deal: Deal, how: { readonly terms: PayloadTerms; readonly stock: string }) => {
  const { taker, input, output, destination } = query
  const coin = [input, output].find(({ isNative }) => isNative)
  return {
    budget: [{ programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Buffer.concat([Buffer.of(3), little(8, UNIT_PRICE)]) }],
    setup: [
      ...(input.isNative ? [open(taker, input), ...wrap(query)] : []),
      ...(destination === null ? [open(taker, output)] : []),
    ],
    swap: swapCall(query, deal, how),
    cleanup: coin ? unwrap(taker, coin) : null,
  }
}
