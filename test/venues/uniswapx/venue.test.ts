import { describe, expect, test } from 'vitest'
import { NATIVE } from '../../../engine/core/asset.ts'
import { CHAIN_IDS, type ChainId, isEvmChainId } from '../../../engine/core/chain.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import { assetOf } from '../../support/anOrder.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, alteredBy, never, refusalOf, swapOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { changing, toldBy } from '../../support/venueKit/canned.ts'
import { type Body, byV2, cannedUniswapX, FEE_RECIPIENT, openBench, STRANGER } from './support.ts'

const open = closedAfterEach(openBench)
const same = (body: Body): unknown => body

/** A venue that receives another request, and whose answer is changed. */
const venueThat = async (receives: (body: Body) => Body, answers = same) => {
  const answering = changing(toldBy((await open()).sim), { '/quote': answers as never })
  return cannedUniswapX((asked) => answering({ ...asked, body: receives(asked.body as Body) })).venue
}

describe('quote: an order of UniswapX [venue-uniswapx]', () => {
  test('by a reactor that is neither published nor configured is not read', async () => {
    const { venue } = await open()
    const moved = alteredBy((await swapOf(venue, byV2())).execution, [
      ['payload.typedData.message.spender', STRANGER],
      ['payload.typedData.message.witness.info.reactor', STRANGER],
    ])
    expect((await venue.decode(moved)).unread).toContain('reactor')
    const settings = { FEE_RECIPIENT, REACTORS: `1=${STRANGER}` }
    const { decode, profile } = cannedUniswapX(() => ({}), { settings }).venue
    expect((await decode(moved)).unread).not.toContain('reactor')
    expect(profile.contracts[1]).toContain(STRANGER)
  })

  test.each<[what: string, received: Body, check: string]>([
    ['with a higher fee than requested', { integratorFees: [{ bips: 90, recipient: FEE_RECIPIENT }] }, 'moreFeeThanWasAskedFor'],
    ['of another wallet', { swapper: STRANGER }, 'anotherSwapper'],
  ])('%s is rejected', async (_what, received, check) => {
    const venue = await venueThat((body) => ({ ...body, ...received }))
    expect(await refusalOf(venue.quote(byV2(), never()))).toMatchObject({ kind: 'rejected', check })
  })

  test.each<[path: string, value: unknown, kind: string, check: string | null]>([
    ['routing', 'DUTCH_V2', 'unsupportedPair', null],
    ['routing', 'SOMETHING_NEW', 'rejected', 'routing'],
    ['permitData.values.witness.info.reactor', STRANGER, 'rejected', 'reactor'],
    ['permitData.values.permitted.token', STRANGER, 'rejected', 'permittedToken'],
    ['permitData.domain.verifyingContract', STRANGER, 'rejected', 'theDomainIsOfAnotherContract'],
  ])('that pays the swapper alone is not sold, and is still checked: %s = %s', async (path, value, kind, check) => {
    const venue = await venueThat(
      ({ recipient: _, ...body }) => body,
      (body) => altered(body, path, value),
    )
    const refusal = { kind, check, reason: check ? null : 'notSold' }
    expect(await refusalOf(venue.quote(byV2({ feeBps: 0 }), never()))).toMatchObject(refusal)
  })
})

test('quote: the id of an order may have the name `orderHash`', async () => {
  const venue = await venueThat(same as never, ({ quote, ...body }) => {
    const { orderId, ...rest } = quote as Body
    return { ...body, quote: { ...rest, orderHash: orderId } }
  })
  expect((await venue.quote(byV2(), never())).carry).toEqual({ v: 1, routing: 'DUTCH_V2' })
})

test('status: a swap is unfilled while its Permit2 nonce is unspent, and unknown to a chain that is down', async () => {
  const bench = await open()
  const swap = await swapOf(bench.venue, byV2())
  const read = () => bench.venue.unfilled?.isUnfilled(swap, never())
  const nonce = BigInt(String(typedDataOf(swap.execution).message['nonce']))
  const word = (bit: bigint) => `0x${(1n << (bit & 255n)).toString(16).padStart(64, '0')}`
  const { script } = bench.chains
  for (const [answer, isUnfilled] of [
    [word(nonce), false],
    [word(nonce + 1n), true],
    [`0x${'0'.repeat(64)}`, true],
    ...(['0x', '0x00', null, `0x${'0'.repeat(63)}`] as const).map((text) => [text, false] as const),
  ]) {
    script.call = async () => answer as Hex | null
    expect(await read(), String(answer)).toBe(isUnfilled)
  }
  script.call = chainFails('unreachable', 1)
  await expect(read()).rejects.toThrow('scripted unreachable')
})

test('quote: UniswapX sells tokens for coins on five chains', () => {
  const { serves } = cannedUniswapX(() => ({})).venue.profile
  const sold = (chainId: ChainId) => serves({ input: assetOf(chainId, STRANGER), output: assetOf(chainId, NATIVE) })
  expect(CHAIN_IDS.filter((id) => isEvmChainId(id) && sold(id)).toSorted((a, b) => a - b)).toEqual([1, 130, 4663, 8453, 42161])
})
