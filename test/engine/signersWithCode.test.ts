import { hashTypedData } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../../engine/core/execution.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import type { SignatureCheck, VenueProfile } from '../../engine/venues/venue.ts'
import { DEV_ACCOUNT } from '../../scripts/client/evm.ts'
import { chainFails, createFakeChains } from '../support/fakeChains.ts'
import { createFakeVenue, offers, TOY_CONTRACT } from '../support/fakeVenue.ts'
import { executeToken, order, startEngine } from '../support/quoteBench.ts'
import { refusalOf, START_AT } from '../support/testEngine.ts'
import { venueWith } from '../venues/everyVenue.ts'

/** A contract that checks signatures for a venue. */
type Row = { readonly id: string; readonly check: SignatureCheck; readonly profile: VenueProfile }
const rowsOf = (profile: VenueProfile): readonly Row[] =>
  (profile.signatureChecks ?? []).map((check) => ({ id: profile.id, check, profile }))
const ROWS = VENUE_DEFINITIONS.map((one) => venueWith(one, {})).flatMap((one) => (one.submitter ? rowsOf(one.profile) : []))

/** A toy that takes signatures for one contract of the table, and one that takes none and gives less. */
const start = async ({ id, check, profile: { contracts, signatureChecks = [] } }: Row) => {
  const profile = { contracts: { 1: [TOY_CONTRACT, ...(contracts[1] ?? [])] }, signatureChecks }
  const signing = createFakeVenue(id, { kind: 'SIGNATURE', now: () => START_AT, quote: offers(2_000n), profile })
  signing.script.alter = ({ payload, ...execution }) => {
    if (payload.executionType !== 'SIGNATURE') throw new TypeError('expected a SIGNATURE')
    const domain = { ...payload.typedData.domain, verifyingContract: check.contract }
    return { ...execution, payload: { ...payload, typedData: { ...payload.typedData, domain } } }
  }
  const chains = createFakeChains()
  const engine = await startEngine([signing, createFakeVenue('sent', { quote: offers(1_990n) })], { chains })
  const winner = async (excludeVenues: string[] = []) =>
    (await engine.engine.quote(order({ excludeVenues }), engine.context)).venue.id
  const delegate = (probed: Hex | null = null): void => {
    Object.assign(chains.script, { code: async () => `0xef0100${'11'.repeat(20)}`, call: async () => probed })
  }
  return { engine, signing, chains, winner, delegate }
}

it('signers with code: every venue that takes signatures names a published contract that checks them', () => {
  const byId = Object.fromEntries(ROWS.map(({ id, check: { by, bytes } }) => [id, { by, bytes }]))
  const bySigner = { by: 'signerCode' }
  expect(byId).toEqual({ bebop: bySigner, cow: { by: 'scheme' }, uniswapx: { ...bySigner, bytes: 65 }, zerox: bySigner })
  for (const { check, profile } of ROWS) expect(profile.contracts[1]).toContain(check.contract)
})

describe('a signature by the key of an account with code [signature-delegated-account]', () => {
  it.each(ROWS)('for $id: is submitted once, where the code accepts it or does not count', async (row) => {
    const { engine, delegate, chains, signing } = await start(row)
    const { engine: calls, context } = engine
    // The account gets code after its key has signed.
    const { quoteToken } = await calls.quote(order(), context)
    const { payload } = await executeToken(engine, quoteToken)
    const { typedData } = payload as unknown as { typedData: Parameters<typeof hashTypedData>[0] }
    const signature = await DEV_ACCOUNT.signTypedData(typedData)
    const query = { chainId: 1, signer: order().sender, digest: hashTypedData(typedData), signature }
    const submit = () => calls.submitSignature({ quoteToken, signature, approvalSignature: null }, context)
    chains.script.code = chainFails('unreachable', 1)
    if (row.check.by === 'signerCode') {
      expect((await refusalOf(submit(), 'INTERNAL')).details).toEqual({ retryable: true })
      delegate()
      const { details } = await refusalOf(submit(), 'INVALID_REQUEST')
      expect(details).toEqual({ fields: [{ path: 'signature', reason: expect.stringContaining('isValidSignature') }] })
      const asked = chains.calls.filter(({ method }) => method === 'isValidContractSignature')
      expect([asked.map((call) => call.query), signing.calls.submit]).toEqual([[query], []])
      chains.script.isValidContractSignature = async (asked) => asked.signature === signature
    }
    const first = await submit()
    expect(signing.calls.submit).toMatchObject([{ signed: { scheme: 'ecdsa', signature } }])
    chains.script.code = chainFails('timeout', 1)
    expect(await submit()).toEqual(first)
    expect(signing.calls.submit).toHaveLength(1)
  })
})

describe('a quote of a sender with code [signature-delegated-account]', () => {
  it.each(ROWS)('of $id: wins where the code gives signatures that the venue accepts', async (row) => {
    const { winner, delegate, chains } = await start(row)
    const { by, bytes } = row.check
    chains.script.code = async () => '0x6001'
    expect(await winner()).toBe(bytes === undefined ? row.id : 'sent')
    // Reverts, returns nothing, and answers as EIP-1271 does.
    for (const probed of [null, '0x', `0x${'f'.repeat(8).padEnd(64, '0')}`] as const) {
      delegate(probed)
      expect(await winner()).toBe(by === 'scheme' || probed?.length === 66 ? row.id : 'sent')
    }
  })

  it('is the decline senderCannotSign, and stays an offer while the code is unreadable', async () => {
    const { winner, delegate, chains, engine } = await start(ROWS[0] as Row)
    delegate()
    const { details } = await refusalOf(winner(['sent']), 'NO_LIQUIDITY')
    const decline = { venue: 'bebop', kind: 'unsupportedPair', reason: 'senderCannotSign', retryable: false }
    expect(details).toEqual({ declines: [decline] })
    chains.script.code = chainFails('timeout', 1)
    expect(await winner(['sent'])).toBe('bebop')
    expect(engine.reported('chain.unread')).toMatchObject([{ chainId: 1, what: 'senderCode' }])
  })
})
