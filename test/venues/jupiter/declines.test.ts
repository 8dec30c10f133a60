import { expect, test } from 'vitest'
import { associatedTokenAddress, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../engine/chains/solana/solanaCodec.ts'
import { NATIVE_SOL } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, alteredBy, never, refusalOf } from '../../support/venueKit/calls.ts'
import type { Answer } from '../../support/venueKit/canned.ts'
import { OTHER, openBench, orders, told } from './support.ts'

const open = closedAfterEach(openBench)
const refusedWith = async (answer: Answer) =>
  refusalOf(told(await open(), { instead: () => answer }).venue.quote(orders.usdc(), never()))

const UNEXPLAINED = { kind: 'badResponse', nature: 'unexplained' }
const error = (text: string, errorCode?: string) => ({ error: text, ...(errorCode && { errorCode }) })

test.each<[string, Answer, object]>([
  ['no route', { status: 400, body: error('No routes found') }, { kind: 'noLiquidity' }],
  ['a token that is not traded', { status: 400, body: error('The token X is not tradable') }, { kind: 'unsupportedPair' }],
  ['a text nobody knows', { status: 400, body: error('"taker" is "payer" now') }, UNEXPLAINED],
  ['too much', { status: 400, body: error('…', 'ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT') }, { kind: 'amountTooLarge' }],
  ['too little', { status: 400, body: error('…', 'CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD') }, { kind: 'amountTooSmall' }],
  ['a code of the token', { status: 400, body: error('…', 'TOKEN_NOT_TRADABLE') }, { kind: 'unsupportedPair' }],
  [
    'a code of its own trouble',
    { status: 400, body: error('…', 'FAILED_TO_GET_SWAP_AND_ACCOUNT_METAS') },
    { kind: 'unavailable' },
  ],
  ['a code nobody knows', { status: 400, body: error('No routes found', 'NEW') }, { kind: 'noLiquidity' }],
  ['no route, beside 200', { status: 200, body: error('Could not find any route') }, { kind: 'noLiquidity' }],
  ['a text nobody knows, beside 200', { status: 200, body: error('Invalid query') }, UNEXPLAINED],
  ['a code and a text nobody knows', { status: 400, body: error('…', 'NEW') }, UNEXPLAINED],
  ['a key it does not take', { status: 401, body: error('Unauthorized') }, { kind: 'unavailable', nature: 'keyRefused' }],
  ['a key it forbids', { status: 403, body: error('No routes found') }, { kind: 'unavailable', nature: 'keyRefused' }],
  ['too many requests', { status: 429, body: error('No routes found') }, { kind: 'rateLimited' }],
  [
    'the gateway, which names the seconds to wait',
    { status: 429, headers: { 'retry-after': '40' }, raw: '[API Gateway] Too many requests' },
    { kind: 'rateLimited', retryAfterMs: 40_000 },
  ],
  ['its trouble, whatever it says', { status: 500, body: error('No routes found') }, { kind: 'unavailable' }],
  ['a path that is gone', { status: 404, body: {} }, { kind: 'badResponse' }],
])('%s', async (_name, answer, expected) => {
  expect(await refusedWith(answer)).toMatchObject(expected)
})

test('what it does not sell: more than there is, nothing for next to nothing, and SOL for another wallet', async () => {
  const { venue, sent } = await open()
  expect((await refusalOf(venue.quote(orders.usdc({ amount: 10n ** 13n }), never()))).kind).toBe('noLiquidity')
  expect((await refusalOf(venue.quote(orders.sol({ amount: 1n }), never()))).kind).toBe('noLiquidity')
  const before = sent.length
  const refusal = await refusalOf(venue.quote(orders.toSol({ recipient: OTHER }), never()))
  expect(refusal).toMatchObject({ kind: 'badRequest', party: 'recipient' })
  const offer = await venue.quote(orders.toSol(), never())
  const bound = { recipient: OTHER, refundTo: orders.toSol().refundTo }
  expect((await refusalOf(venue.execute({ order: orders.toSol(), offer }, bound, never()))).party).toBe('recipient')
  expect(sent).toHaveLength(before + 1)
})

test.each([
  ['a mint that is none', () => Promise.resolve(null), 'unsupportedPair'],
  ['a chain out of reach', chainFails('unreachable', -2), 'unavailable'],
  ['a chain that is slow', chainFails('timeout', -2), 'timeout'],
] as const)('the account of another wallet cannot be told: %s', async (_what, read, kind) => {
  const bench = await open()
  bench.chains.script.solanaAccount = read
  expect((await refusalOf(bench.venue.quote(orders.usdc(), never()))).kind).toBe(kind)
})

/** The wallet's own account of a token that the route goes through. */
const opened = (mint: string, program: string = TOKEN_PROGRAM) => {
  const keys = [
    WALLETS.solana,
    associatedTokenAddress(WALLETS.solana, mint, program),
    WALLETS.solana,
    mint,
    SYSTEM_PROGRAM,
    program,
  ]
  const accounts = keys.map((pubkey) => ({ pubkey, isSigner: pubkey === WALLETS.solana, isWritable: true }))
  return [{ programId: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', accounts, data: 'AQ==' }]
}
/** The program is quoted an output of so many units. */
const quoting = (units: number) => (data: string) => {
  const bytes = Buffer.from(data, 'base64')
  bytes.writeBigUInt64LE(BigInt(units), 16)
  return bytes.toString('base64')
}

const ORDER = orders.usdc()
const changes: readonly [string, (body: never) => unknown, string][] = [
  ['another input', (body) => altered(body, 'inAmount', '1'), 'rejected'],
  ['another mint', (body) => altered(body, 'outputMint', OTHER), 'rejected'],
  ['another slippage', (body) => altered(body, 'slippageBps', 51), 'rejected'],
  ['another bound', (body) => altered(body, 'otherAmountThreshold', '1'), 'rejected'],
  ['nothing', (body) => altered(altered(body, 'outAmount', '0'), 'otherAmountThreshold', '0'), 'rejected'],
  ['another program', (body) => altered(body, 'swapInstruction.programId', OTHER), 'rejected'],
  ['another taker', (body) => altered(body, 'swapInstruction.accounts.0.pubkey', OTHER), 'rejected'],
  [
    'a second signer',
    (body) => altered(body, 'swapInstruction.accounts.11', { pubkey: OTHER, isSigner: true, isWritable: false }),
    'rejected',
  ],
  [
    'an instruction of a stranger, as some honest routes have',
    (body) => altered(body, 'otherInstructions', [{ programId: OTHER, accounts: [], data: '' }]),
    'rejected',
  ],
  ['an account of another token', (body) => altered(body, 'setupInstructions', opened(NATIVE_SOL)), 'unsupportedPair'],
  ['one by an unknown program', (body) => altered(body, 'setupInstructions', opened(NATIVE_SOL, OTHER)), 'rejected'],
  ['one of the input by it', (body) => altered(body, 'setupInstructions', opened(ORDER.input.address, OTHER)), 'rejected'],
  [
    'one unit, of which the slippage leaves none',
    (body) =>
      alteredBy(body, [
        ['outAmount', '1'],
        ['otherAmountThreshold', '0'],
        ['swapInstruction.data', quoting(1)],
      ]),
    'amountTooSmall',
  ],
]
test.each(changes)('an answer of %s is %s', async (_what, change, kind: string) => {
  expect((await refusalOf(told(await open(), { change }).venue.quote(ORDER, never()))).kind).toBe(kind)
})
