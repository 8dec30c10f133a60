import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../../engine/core/clock.ts'
import { type Simnet, startSimnet } from '../../../../engine/simnet/simnet.ts'
import { controlNetwork } from '../../../../scripts/client/network.ts'
import { fund, statusOf } from '../../../../scripts/client/swap.ts'
import { NATIVE } from '../../../../scripts/client/tokens.ts'
import { type LiveService, startLive } from '../../liveService.ts'
import { HOUR_MS, MINUTE_MS } from '../../support.ts'
import { type Liars, startLiars } from './liars.ts'
import { createPayers, newAddress } from './payers.ts'
import { callsOf, expectSuccess, openSwap, ROUTES, type Route, watchDelivery } from './routes.ts'

/** A venue that says `success` is believed only once the chain shows a delivery that is this swap's and nobody else's. */

const VENUES = ['relay', 'across', 'cow']

let simnet: Simnet
let liars: Liars
let live: LiveService
let dataDir: string
beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: '1', venues: VENUES })
  liars = await startLiars(simnet)
  dataDir = await mkdtemp(join(tmpdir(), 'swap-liars-'))
  // On the public network a service goes by the machine's clock, which does not run ahead with the offline chains.
  vi.spyOn(systemClock, 'now').mockImplementation(() => simnet.clock.now())
  live = await startLive(simnet, { DATA_DIR: dataDir, VENUES_ENABLED: VENUES.join(','), ...liars.env })
})
afterAll(async () => {
  await live.close()
  await liars.close()
  await simnet.close()
  vi.restoreAllMocks()
  await rm(dataDir, { recursive: true, force: true })
})
afterEach(async () => {
  liars.claim(null)
  await service().control.clearFaults()
})

const service = () => ({ ...live, control: controlNetwork(simnet.controlUrl) })

/** Whom a lie is about. */
type Victim = { readonly route: Route; readonly recipient: Hex; readonly amount: string; readonly ref: Hex }

/** The transaction that a liar names, and what it really gave the recipient. */
type Named = { readonly txHash: string; readonly gives: bigint }

const NOTHING_ELSE = '0x8888888888888888888888888888888888888888'
/** Eight thousand empty logs. */
const NOISE = { address: '0x9999999999999999999999999999999999999999', code: '0x611f405b60006000a0600190038060035700' } as const
/** Any call of it tells, as a token would, that its caller's money went where the call says. */
const FORGED_TOKEN = {
  address: '0x7777777777777777777777777777777777777777',
  // calldata: transfer(to, amount). mstore(0, amount); log3(0, 32, Transfer, caller, to); return true
  code: `0x60243560005260043533${`7f${'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'}`}60206000a3600160005260206000f3`,
} as const

const giving = async (
  { to }: Route,
  recipient: string,
  { token, amount, noisy = false }: { readonly token: string; readonly amount: string; readonly noisy?: boolean },
): Promise<Hex> => {
  const payers = createPayers(service(), to.chainId)
  const donor = await payers.newPayer('an account of ERC-4337')
  if (token !== FORGED_TOKEN.address) await fund(service(), to.chainId, donor.address, { [token]: amount })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient as Hex, BigInt(amount)] })
  const gift = token === NATIVE ? { to: recipient, value: amount, data: '0x' } : { to: token, value: '0', data }
  await payers.placeCode(NOISE.address, NOISE.code)
  await payers.placeCode(FORGED_TOKEN.address, FORGED_TOKEN.code)
  const noise = { to: NOISE.address, value: '0', data: '0x' }
  return (await donor.pay(noisy ? [noise, gift, noise] : [gift])).ref
}

const OTHER_TOKENS: { readonly [chainId: number]: string } = {
  1: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  8453: '0x4200000000000000000000000000000000000006',
  42161: '0x912CE59144191C1204E64559FE8253a0e49E6548',
}

const LIES: { readonly [lie: string]: (victim: Victim) => Promise<Named> } = {
  'the delivery of a stranger': async ({ route }) => {
    const payer = await createPayers(service(), route.from.chainId).newPayer('an account of a key')
    const swap = await openSwap(service(), route, { payer })
    await service().control.clearFaults()
    const { ref } = await payer.pay(callsOf(swap))
    const { txHash = '' } = await expectSuccess(service(), route, { ...swap, ref })
    return { txHash, gives: 0n }
  },
  'a gift of the whole sum by somebody': async ({ route, recipient, amount }) => ({
    txHash: await giving(route, recipient, { token: route.to.token, amount }),
    gives: BigInt(amount),
  }),
  dust: async ({ route, recipient }) => ({
    txHash: await giving(route, recipient, { token: route.to.token, amount: '1' }),
    gives: 1n,
  }),
  'dust among thousands of logs': async ({ route, recipient }) => ({
    txHash: await giving(route, recipient, { token: route.to.token, amount: '1', noisy: true }),
    gives: 1n,
  }),
  'the sum in another token': async ({ route, recipient, amount }) => ({
    txHash: await giving(route, recipient, { token: OTHER_TOKENS[route.to.chainId] ?? '', amount }),
    gives: 0n,
  }),
  'the sum in a token of its own': async ({ route, recipient, amount }) => ({
    txHash: await giving(route, recipient, { token: FORGED_TOKEN.address, amount }),
    gives: 0n,
  }),
  'a payment to somebody else': async ({ route, amount }) => ({
    txHash: await giving(route, NOTHING_ELSE, { token: route.to.token, amount }),
    gives: 0n,
  }),
  'the payment itself': async ({ ref }) => ({ txHash: ref, gives: 0n }),
  'a transaction that nobody made': async () => ({ txHash: `0x${'ab'.repeat(32)}`, gives: 0n }),
}

/** One of each way to deliver. */
const DELIVERED = ROUTES.filter(({ title }) => title !== 'ether by Relay' && !title.startsWith('ARB'))

describe.each(DELIVERED)('$title', (route) => {
  const newPayer = () => createPayers(service(), route.from.chainId).newPayer('an account of a key')

  /** Paid, and never filled. */
  const unfilled = async (recipient: Hex) => {
    const payer = await newPayer()
    const swap = await openSwap(service(), route, { payer, recipient })
    await service().control.fault(route.venue, 'never-fills')
    const { ref } = await payer.pay(callsOf(swap))
    await service().control.clearFaults()
    return { ...swap, ref, amount: swap.offer.output.amount }
  }

  /** However often it is asked, and however late: Across gives back after one hour and a half, which is no success either. */
  const staysOpen = async (swap: { quoteToken: string; ref: Hex }, laterMs = HOUR_MS) => {
    for (const advanceMs of [1, 6_000, laterMs]) {
      await service().control.advance(advanceMs)
      const { status, deliveredAmount } = await statusOf(service(), swap)
      expect([status, deliveredAmount]).toEqual(['processing', undefined])
    }
  }

  it.each(Object.entries(LIES))('is no success by a venue that names %s', async (_lie, tell) => {
    const recipient = newAddress()
    const swap = await unfilled(recipient)
    const changes = await watchDelivery(service(), route, recipient)
    const { txHash, gives } = await tell({ route, ...swap })
    liars.claim({ txHash, amount: swap.amount })
    await staysOpen(swap)
    expect(await changes()).toEqual({ delivered: gives })
  })

  it('is no success by a venue that names a payment of the sum from before the swap', async () => {
    const recipient = newAddress()
    const payer = await newPayer()
    const { offer } = await openSwap(service(), route, { payer })
    const { amount } = offer.output
    const txHash = await giving(route, recipient, { token: route.to.token, amount })
    await service().control.advance(HOUR_MS)
    const swap = await unfilled(recipient)
    liars.claim({ txHash, amount })
    await staysOpen(swap)
  })

  it.each([
    ['the unpaid one', true],
    ['the paid one', false],
  ])(
    'of two swaps of one recipient and amount is one success where the venue names one delivery for both, %s asked first',
    async (_first, isUnpaidFirst) => {
      const recipient = newAddress()
      const changes = await watchDelivery(service(), route, recipient)
      const [payer, there] = [await newPayer(), createPayers(service(), route.to.chainId)]
      const paid = await openSwap(service(), route, { payer, recipient })
      const since = await there.nextBlock()
      const { ref } = await payer.pay(callsOf(paid))
      await service().control.advance(MINUTE_MS)
      const [fill = '', ...others] = [...(await there.loggedSince(since))].filter((hash) => hash !== ref)
      expect(others).toEqual([])
      const unpaid = await unfilled(recipient)
      const isClaimedInVain = async () => {
        liars.claim({ txHash: fill, amount: unpaid.amount })
        await staysOpen(unpaid, 5 * MINUTE_MS)
        liars.claim(null)
      }
      if (isUnpaidFirst) await isClaimedInVain()
      // The same words, of the swap that the delivery is of.
      liars.claim({ txHash: fill, amount: paid.offer.output.amount })
      const { delivered, txHash } = await expectSuccess(service(), route, { ...paid, ref })
      expect(txHash).toBe(fill)
      await isClaimedInVain()
      expect(await changes()).toEqual({ delivered })
    },
  )
})
