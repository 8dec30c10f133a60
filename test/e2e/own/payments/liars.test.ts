import { Keypair } from '@solana/web3.js'
import { type Hex, keccak256, toBytes } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { statusOf } from '../../../../scripts/client/swap.ts'
import { SOLANA, USDC } from '../../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../../support.ts'
import { FORGED_TOKEN, give, OTHER_TOKENS } from './gifts.ts'
import { type Claim, type LyingStage, startLyingStage } from './liars.ts'
import { createPayers, newAddress } from './payers.ts'
import { callsOf, expectSuccess, openSwap, ROUTES, type Route, watchDelivery } from './routes.ts'

/** A venue that says `success` is believed only once the chain shows a delivery that is this swap's and nobody else's. */

let stage: LyingStage
beforeAll(async () => {
  stage = await startLyingStage()
})
afterAll(() => stage.close())
afterEach(async () => {
  stage.claim(null)
  await stage.service.control.clearFaults()
})

const deliveredBy = (txHash: string, amount: string): Claim => ({ what: 'delivered', txHash, amount })

/** Whom a lie is about. */
type Victim = { readonly route: Route; readonly recipient: string; readonly amount: string; readonly ref: Hex }

/** The transaction that a liar names, and what it really gave the recipient. */
type Named = { readonly txHash: string; readonly gives: bigint }

const STRANGER = '0x8888888888888888888888888888888888888888'

const newRecipient = ({ to }: Route): string =>
  to.chainId === SOLANA ? Keypair.fromSeed(toBytes(keccak256(newAddress()))).publicKey.toBase58() : newAddress()

const LIES = {
  'the delivery of a stranger': async ({ route }: Victim) => {
    const payer = await createPayers(stage.service, route.from.chainId).newPayer('an account of a key')
    const swap = await openSwap(stage.service, route, { payer, recipient: newRecipient(route) })
    await stage.service.control.clearFaults()
    const { ref } = await payer.pay(callsOf(swap))
    const { txHash = '' } = await expectSuccess(stage.service, route, { ...swap, ref })
    return { txHash, gives: 0n }
  },
  'a gift of the whole sum by somebody': async ({ route, recipient, amount }: Victim) => ({
    txHash: await give(stage.service, { ...route.to, owner: recipient, amount }),
    gives: BigInt(amount),
  }),
  dust: async ({ route, recipient }: Victim) => ({
    txHash: await give(stage.service, { ...route.to, owner: recipient, amount: '1' }),
    gives: 1n,
  }),
  'dust among thousands of logs': async ({ route, recipient }: Victim) => ({
    txHash: await give(stage.service, { ...route.to, owner: recipient, amount: '1' }, { noisy: true }),
    gives: 1n,
  }),
  'the sum in another token': async ({ route, recipient, amount }: Victim) => ({
    txHash: await give(stage.service, {
      chainId: route.to.chainId,
      token: OTHER_TOKENS[route.to.chainId] ?? '',
      owner: recipient,
      amount,
    }),
    gives: 0n,
  }),
  'the sum in a token of its own': async ({ route, recipient, amount }: Victim) => ({
    txHash: await give(stage.service, { chainId: route.to.chainId, token: FORGED_TOKEN.address, owner: recipient, amount }),
    gives: 0n,
  }),
  'a payment to somebody else': async ({ route, amount }: Victim) => ({
    txHash: await give(stage.service, { ...route.to, owner: STRANGER, amount }),
    gives: 0n,
  }),
  'the payment itself': async ({ ref }: Victim) => ({ txHash: ref, gives: 0n }),
  'a transaction that nobody made': async () => ({ txHash: `0x${'ab'.repeat(32)}`, gives: 0n }),
} satisfies { readonly [lie: string]: (victim: Victim) => Promise<Named> }

const newPayer = (route: Route) => createPayers(stage.service, route.from.chainId).newPayer('an account of a key')

/** Paid, and never filled. */
const unfilled = async (route: Route, recipient: string) => {
  const payer = await newPayer(route)
  const swap = await openSwap(stage.service, route, { payer, recipient })
  await stage.service.control.fault(route.venue, 'never-fills')
  const { ref } = await payer.pay(callsOf(swap))
  await stage.service.control.clearFaults()
  return { ...swap, ref, amount: swap.offer.output.amount }
}

/** However often it is asked, and however late: Across gives back after one hour and a half, which is no success either. */
const staysOpen = async (swap: { quoteToken: string; ref: Hex }, laterMs = MINUTE_MS / 2) => {
  for (const advanceMs of [1, 6_000, laterMs]) {
    await stage.service.control.advance(advanceMs)
    const { status, deliveredAmount } = await statusOf(stage.service, swap)
    expect([status, deliveredAmount]).toEqual(['processing', undefined])
  }
}

const isNoSuccess = async (route: Route, recipient: string, tell: (victim: Victim) => Promise<Named>) => {
  const swap = await unfilled(route, recipient)
  const changes = await watchDelivery(stage.service, route, recipient)
  const { txHash, gives } = await tell({ route, ...swap })
  stage.claim(deliveredBy(txHash, swap.amount))
  await staysOpen(swap)
  expect(await changes()).toEqual({ delivered: gives })
}

/** One of each way to deliver. */
const DELIVERED = ROUTES.filter(({ title, isAtOnce }) => !isAtOnce && title !== 'ether by Relay' && !title.startsWith('ARB'))

describe.each(DELIVERED)('$title', (route) => {
  /** How much noise a payment is found in is a matter of the chain's reader, and shown once. */
  const isTold = (lie: string): boolean =>
    lie === 'dust among thousands of logs'
      ? route === DELIVERED[0]
      : !route.isUnnamed || lie !== 'a gift of the whole sum by somebody'
  const lies = Object.entries(LIES).filter(([lie]) => isTold(lie))
  it.each(lies)('is no success by a venue that names %s', (_lie, tell) => isNoSuccess(route, newAddress(), tell))

  it('is no success by a venue that names a payment of the sum from before the swap', async () => {
    const recipient = newAddress()
    const payer = await newPayer(route)
    const { offer } = await openSwap(stage.service, route, { payer })
    const { amount } = offer.output
    const txHash = await give(stage.service, { ...route.to, owner: recipient, amount })
    await stage.service.control.advance(HOUR_MS)
    const swap = await unfilled(route, recipient)
    stage.claim(deliveredBy(txHash, amount))
    await staysOpen(swap, HOUR_MS)
  })

  const orders = [
    ['the unpaid one', true],
    ['the paid one', false],
  ] as const
  it.each(route.isUnnamed === true ? [] : orders)(
    'of two swaps of one recipient and amount is one success where the venue names one delivery for both, %s asked first',
    async (_first, isUnpaidFirst) => {
      const recipient = newAddress()
      const changes = await watchDelivery(stage.service, route, recipient)
      const [payer, there] = [await newPayer(route), createPayers(stage.service, route.to.chainId)]
      const paid = await openSwap(stage.service, route, { payer, recipient })
      const since = await there.nextBlock()
      const { ref } = await payer.pay(callsOf(paid))
      await stage.service.control.advance(MINUTE_MS)
      const [fill = '', ...others] = [...(await there.loggedSince(since))].filter((hash) => hash !== ref)
      expect(others).toEqual([])
      const unpaid = await unfilled(route, recipient)
      const isClaimedInVain = async () => {
        stage.claim(deliveredBy(fill, unpaid.amount))
        await staysOpen(unpaid, 5 * MINUTE_MS)
        stage.claim(null)
      }
      if (isUnpaidFirst) await isClaimedInVain()
      // The same words, of the swap that the delivery is of.
      stage.claim(deliveredBy(fill, paid.offer.output.amount))
      const { delivered, txHash } = await expectSuccess(stage.service, route, { ...paid, ref })
      expect(txHash).toBe(fill)
      await isClaimedInVain()
      expect(await changes()).toEqual({ delivered })
    },
  )
})

const TO_SOLANA: readonly Route[] = ROUTES.filter(({ title }) => title === 'USDC by Relay' || title === 'USDC by Across').map(
  (route) => ({ ...route, title: `${route.title} to Solana`, to: { chainId: SOLANA, token: USDC.solana } }),
)
const NOBODYS = '5'.repeat(87)

describe.each(TO_SOLANA)('$title', (route) => {
  it.each(['the delivery of a stranger', 'a gift of the whole sum by somebody', 'dust', 'the payment itself'] as const)(
    'is no success by a venue that names %s',
    (lie) => isNoSuccess(route, newRecipient(route), LIES[lie]),
  )

  it('is no success by a venue that names a transaction that nobody made', () =>
    isNoSuccess(route, newRecipient(route), async () => ({ txHash: NOBODYS, gives: 0n })))

  it('of two swaps of one recipient and amount is one success where the venue names one delivery for both', async () => {
    const recipient = newRecipient(route)
    const changes = await watchDelivery(stage.service, route, recipient)
    const payer = await newPayer(route)
    const paid = await openSwap(stage.service, route, { payer, recipient })
    const { ref } = await payer.pay(callsOf(paid))
    const { delivered, txHash = '' } = await expectSuccess(stage.service, route, { ...paid, ref })
    const unpaid = await unfilled(route, recipient)
    stage.claim(deliveredBy(txHash, unpaid.amount))
    await staysOpen(unpaid)
    expect(await changes()).toEqual({ delivered })
  })
})
