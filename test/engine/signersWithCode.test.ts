import { hashTypedData } from 'viem'
import { afterEach, expect, it } from 'vitest'
import type { Hex } from '../../engine/core/execution.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import type { SignatureCheck, VenueProfile } from '../../engine/venues/venue.ts'
import { DEV_ACCOUNT } from '../../scripts/client/evm.ts'
import { anOrder } from '../support/anOrder.ts'
import { chainFails, createFakeChains, pair, TOKENS } from '../support/fakeChains.ts'
import { createFakeVenue, delayed, offers, TOY_CONTRACT } from '../support/fakeVenue.ts'
import { advance, fakeTime, realTime, startQuote } from '../support/raceTime.ts'
import { createTestEngine, refusalOf, START_AT, type TestEngine } from '../support/testEngine.ts'
import { venueWith } from '../venues/everyVenue.ts'

const ORDER = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })

/** The table of all venues that take signatures. */
type Row = { readonly id: string; readonly check: SignatureCheck; readonly profile: VenueProfile }
const SIGNING = VENUE_DEFINITIONS.map((one) => venueWith(one, {})).filter(({ submitter }) => submitter !== null)
const ROWS: readonly Row[] = SIGNING.flatMap(({ profile }) =>
  (profile.signatureChecks ?? []).map((check) => ({ id: profile.id, check, profile })),
)
const BY_CODE = ROWS.filter(({ check }) => check.by === 'signerCode')

const open: TestEngine[] = []
afterEach(async () => {
  realTime()
  for (const engine of open.splice(0)) await engine.close()
})

/** A toy that takes signatures for one contract of the table, and one that takes none and gives less. */
const bench = async ({ id, check, profile: { contracts, signatureChecks = [] } }: Row) => {
  const profile = { contracts: { 1: [TOY_CONTRACT, ...(contracts[1] ?? [])] }, signatureChecks }
  const signing = createFakeVenue(id, { kind: 'SIGNATURE', now: () => START_AT, quote: offers(2_000n), profile })
  signing.script.alter = ({ payload, ...execution }) => {
    if (payload.executionType !== 'SIGNATURE') throw new TypeError('expected a SIGNATURE')
    const domain = { ...payload.typedData.domain, verifyingContract: check.contract }
    return { ...execution, payload: { ...payload, typedData: { ...payload.typedData, domain } } }
  }
  const [sent, chains] = [createFakeVenue('sent', { quote: offers(1_990n) }), createFakeChains()]
  const engine = await createTestEngine({ venues: [signing, sent], chains })
  open.push(engine)
  const { engine: calls, context } = engine
  /** Quoted, executed and signed by the key, before the account has code. */
  const signed = async () => {
    const { quoteToken } = await calls.quote(ORDER, context)
    const { payload } = await calls.execute({ quoteToken, destinationAddress: null, refundAddress: null }, context)
    const typedData = (payload as unknown as { typedData: Parameters<typeof hashTypedData>[0] }).typedData
    const signature = await DEV_ACCOUNT.signTypedData(typedData)
    const submit = () => calls.submitSignature({ quoteToken, signature, approvalSignature: null }, context)
    return { query: { chainId: 1, signer: ORDER.sender, digest: hashTypedData(typedData), signature }, submit }
  }
  const winner = async (excludeVenues: string[] = []) => (await calls.quote({ ...ORDER, excludeVenues }, context)).venue.id
  const delegate = (probed: Hex | null = null): void => {
    Object.assign(chains.script, { code: async () => `0xef0100${'11'.repeat(20)}`, call: async () => probed })
  }
  return { engine, signing, sent, chains, signed, winner, delegate }
}

it('every venue that takes signatures names the contract that checks them, with the source', () => {
  const table = ROWS.map(({ id, check: { by, bytes } }) => [id, by, bytes])
  expect(table).toEqual([
    ['bebop', 'signerCode', undefined],
    ['cow', 'scheme', undefined],
    ['uniswapx', 'signerCode', 65],
    ['zerox', 'signerCode', undefined],
  ])
  for (const { check, profile } of ROWS) expect(profile.contracts[1]).toContain(check.contract)
})

it.each(BY_CODE)(
  'submit-signature: $id refuses the key of an account whose code refuses the signature [signature-delegated-account]',
  async (row) => {
    const { signed, delegate, chains, signing } = await bench(row)
    const { submit, query } = await signed()
    delegate()
    const { details } = await refusalOf(submit(), 'INVALID_REQUEST')
    expect(details).toEqual({ fields: [{ path: 'signature', reason: expect.stringContaining('isValidSignature') }] })
    expect(chains.calls.filter(({ method }) => method === 'isValidContractSignature').map((call) => call.query)).toEqual([query])
    expect(signing.calls.submit).toEqual([])
    chains.script.isValidContractSignature = async ({ signature }) => signature === query.signature
    await submit()
    expect(signing.calls.submit).toMatchObject([{ signed: { scheme: 'ecdsa', signature: query.signature } }])
  },
)

it.each(ROWS)('submit-signature: $id gets nothing while the chain that it depends on cannot be read', async (row) => {
  const { signed, chains, signing } = await bench(row)
  const { submit } = await signed()
  chains.script.code = chainFails('unreachable', 1)
  if (row.check.by === 'signerCode') {
    expect((await refusalOf(submit(), 'INTERNAL')).details).toEqual({ retryable: true })
    expect(signing.calls.submit).toEqual([])
    chains.script.code = async () => '0x'
  }
  const first = await submit()
  chains.script.code = chainFails('timeout', 1)
  expect(await submit()).toEqual(first)
  expect(signing.calls.submit).toHaveLength(1)
})

it.each(ROWS)(
  'quote: $id wins where it takes what the code of the sender gives, and another venue does where not',
  async (row) => {
    const { winner, delegate, chains } = await bench(row)
    const { by, bytes } = row.check
    chains.script.code = async () => '0x6001'
    expect(await winner()).toBe(bytes === undefined ? row.id : 'sent')
    // Reverts, returns nothing, and answers as EIP-1271 does.
    for (const probed of [null, '0x', `0x${'f'.repeat(8).padEnd(64, '0')}`] as const) {
      delegate(probed)
      expect(await winner()).toBe(by === 'scheme' || probed?.length === 66 ? row.id : 'sent')
    }
  },
)

it('quote: the decline of an order that the sender cannot sign has its reason, and does not end the race [signature-delegated-account]', async () => {
  const { winner, delegate, chains, engine, sent } = await bench(BY_CODE[0] as Row)
  delegate()
  const { details } = await refusalOf(winner(['sent']), 'NO_LIQUIDITY')
  const decline = { venue: 'bebop', kind: 'unsupportedPair', reason: 'senderCannotSign', retryable: false }
  expect(details).toEqual({ declines: [decline] })
  fakeTime()
  sent.script.quote = delayed(2_000, offers(1_000n))
  const race = startQuote(engine, ORDER)
  await advance(2_000)
  expect((await race.quote).venue.id).toBe('sent')
  realTime()
  chains.script.code = chainFails('timeout', 1)
  expect(await winner(['sent'])).toBe('bebop')
  expect(engine.reported('chain.unread')).toMatchObject([{ chainId: 1, what: 'senderCode' }])
})
