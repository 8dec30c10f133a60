import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashTypedData } from '../../../engine/chains/evm/evmCodec.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, signAsMessage, swapOf, typedDataOf } from '../../support/venueKit/calls.ts'
import {
  type CowBench,
  ETH_FLOW,
  etherToUsdc,
  openBench,
  SETTLEMENT,
  sentBy,
  submitted,
  takenBack,
  track,
  USDC,
  usdcToWeth,
  VAULT_RELAYER,
  WETH,
} from './support.ts'

const open = closedAfterEach(openBench)

/** What the simulated book does on the chain, told by what it sends there. */
const SOLVER = '0x7a8e05726f2a6E799cb3D39fB185669Ad75f4ba0'
const TX = `0x${'e'.repeat(64)}`
const MINUTE = 60_000
const HALF_HOUR = 30 * MINUTE

let bench: CowBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const posted = async (of = bench, wish = {}): Promise<{ swap: ExecutedSwap; ref: string }> => {
  const swap = await swapOf(of.venue, usdcToWeth(wish))
  return { swap, ref: await submitted(of.venue, swap) }
}
const sent = async (wish = {}): Promise<ExecutedSwap> => {
  const swap = await swapOf(bench.venue, etherToUsdc(wish))
  bench.sim.onTransaction(sentBy(swap))
  return swap
}
const stateAfter = async (ms: number, ref: string, swap: ExecutedSwap, of = bench) => {
  await of.schedule.advance(ms)
  return track(of.venue, ref, swap)
}
const lower = (texts: readonly string[]) => texts.map((text) => text.toLowerCase())

describe('a signed order', () => {
  test('is settled once by the solver, with the signature of its owner, and told by that transaction', async () => {
    const { swap, ref } = await posted()
    await bench.schedule.advance(13_999)
    expect(bench.fake.sent).toEqual([])
    const end = await stateAfter(1, ref, swap)
    expect(bench.fake.settled).toEqual([
      {
        from: SOLVER,
        owner: WALLETS.evm,
        orderUid: ref.slice('mainnet:'.length),
        receiver: WALLETS.evmOther,
        sold: 1_000_000_000n,
        bought: end.deliveredAmount,
        before: [],
      },
    ])
    expect(end).toMatchObject({ state: 'success', txHash: bench.fake.sent[0]?.txHash })
    for (const _look of [1, 2, 3]) await stateAfter(HALF_HOUR, ref, swap)
    expect(bench.fake.sent.length).toBe(1)
  })

  test('is settled when nobody looks, at the price of its own moment', async () => {
    const { swap, ref } = await posted()
    await bench.schedule.advance(HALF_HOUR)
    bench.market.setPrice('ETH', 4_400_000_000n)
    const end = await track(bench.venue, ref, swap)
    expect([end.state, end.txHash]).toEqual(['success', bench.fake.sent[0]?.txHash])
  })

  test('is paid out of what the settlement contract has, and the solver brings only what is missing', async () => {
    bench.fake.held = 10n ** 17n
    const first = await posted()
    const { deliveredAmount } = await stateAfter(14_000, first.ref, first.swap)
    expect(bench.fake.funded).toEqual([
      { token: WETH.toLowerCase(), holder: SETTLEMENT.toLowerCase(), amount: (deliveredAmount ?? 0n) - 10n ** 17n },
    ])
    bench.fake.held = 10n ** 18n
    const second = await posted()
    expect((await stateAfter(14_000, second.ref, second.swap)).state).toBe('success')
    expect(bench.fake.funded.length).toBe(1)
  })

  test('is settled also when it was signed as a message', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const typedData = typedDataOf(swap.execution)
    const { quoteId, appData } = swap.execution.evidence as { quoteId: number; appData: string }
    const signature = await signAsMessage(await hashTypedData(typedData))
    const { appData: appDataHash, ...terms } = typedData.message
    const order = { ...terms, appData, appDataHash, signature, signingScheme: 'ethsign', from: WALLETS.evm, quoteId }
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) }
    const response = await fetch(`${bench.baseUrl}/mainnet/api/v1/orders`, init)
    const uid = await response.json()
    await bench.schedule.advance(14_000)
    expect(bench.fake.settled).toMatchObject([{ owner: WALLETS.evm, orderUid: uid }])
  })

  test('of a contract is settled with the name of the contract before its signature', async () => {
    const word = (hex: string) => `0x${hex.padEnd(64, '0')}`
    const rpc = async (_chainId: number, _method: string, [call]: readonly unknown[]) => {
      const { data } = call as { data: string }
      return data.startsWith('0x1626ba7e') ? word('1626ba7e') : `0x${'f'.repeat(64)}`
    }
    const contracts = await open({ evm: { rpc } })
    const swap = await swapOf(contracts.venue, usdcToWeth())
    const signature = { signature: `0x${'ab'.repeat(70)}`, approvalSignature: null, scheme: 'eip1271' } as const
    const answer = await contracts.venue.submitter?.submit(swap, signature, never())
    await contracts.schedule.advance(14_000)
    expect(contracts.fake.settled).toMatchObject([
      { owner: WALLETS.evm.toLowerCase(), orderUid: answer?.statusRef.slice('mainnet:'.length) },
    ])
  })

  test('is filled once the market came back to its minimum', async () => {
    const { swap, ref } = await posted()
    bench.market.setPrice('ETH', 4_400_000_000n)
    expect((await stateAfter(5 * MINUTE, ref, swap)).state).toBe('pending')
    expect(bench.fake.sent).toEqual([])
    bench.market.setPrice('ETH', 3_950_000_000n)
    expect((await stateAfter(5 * MINUTE, ref, swap)).state).toBe('success')
  })

  test('stays open while the chain refuses it, and is filled once it does not', async () => {
    const refused = await openBench()
    refused.fake.refusal = 'transfer amount exceeds allowance'
    const { swap, ref } = await posted(refused)
    expect((await stateAfter(2 * MINUTE, ref, swap, refused)).state).toBe('pending')
    expect(refused.fake.sent).toEqual([])
    refused.fake.refusal = null
    expect((await stateAfter(MINUTE, ref, swap, refused)).state).toBe('success')
    await expect(refused.close()).rejects.toThrow('was not settled: transfer amount exceeds allowance')
  })

  test('expires when the chain refused it to the end, and is not tried after that', async () => {
    const refused = await openBench()
    refused.fake.refusal = 'transfer amount exceeds balance'
    const { swap, ref } = await posted(refused)
    expect(await stateAfter(HALF_HOUR + 1_000, ref, swap, refused)).toMatchObject({ state: 'failed', venueStatus: 'expired' })
    refused.fake.refusal = null
    expect((await stateAfter(HALF_HOUR, ref, swap, refused)).state).toBe('failed')
    expect(refused.fake.sent).toEqual([])
    await expect(refused.close()).rejects.toThrow('was not settled')
  })

  test('for coins is paid in coins of the settlement contract', async () => {
    const dai = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
    const order = usdcToWeth({ from: [1, dai], to: [1, NATIVE], amount: 10n ** 21n })
    const swap = await swapOf(bench.venue, order)
    const ref = await submitted(bench.venue, swap)
    expect((await stateAfter(14_000, ref, swap)).state).toBe('success')
    expect(lower(bench.fake.funded.map(({ token }) => token))).toEqual([NATIVE.toLowerCase()])
  })
})

describe('a fault', () => {
  test('of filling short takes the whole input and pays half the minimum, whose transaction it names', async () => {
    bench.faults.set('cow', 'short-fill', {}, 1)
    const { ref } = await posted()
    await bench.schedule.advance(14_000)
    const [take, give] = bench.fake.sent
    expect(bench.fake.sent.length).toBe(2)
    expect(lower([take?.from ?? '', take?.to ?? ''])).toEqual(lower([VAULT_RELAYER, USDC]))
    expect(take?.data).toContain(1_000_000_000n.toString(16).padStart(64, '0'))
    expect(lower([give?.from ?? '', give?.to ?? ''])).toEqual(lower([SETTLEMENT, WETH]))
    const response = await fetch(`${bench.baseUrl}/mainnet/api/v2/trades?orderUid=${ref.slice('mainnet:'.length)}`)
    const [trade] = (await response.json()) as { txHash: string; buyAmount: string }[]
    expect(trade?.txHash).toBe(give?.txHash)
    expect(
      give?.data.endsWith(
        BigInt(trade?.buyAmount ?? 0)
          .toString(16)
          .padStart(64, '0'),
      ),
    ).toBe(true)
  })

  test('of lying claims a fill in full by a transaction that nobody sent', async () => {
    bench.faults.set('cow', 'lying-success', {}, 1)
    const { swap, ref } = await posted()
    const end = await stateAfter(HALF_HOUR, ref, swap)
    // All the adapter has is the venue's word: to look for the transaction is the engine's part.
    expect(end).toMatchObject({ state: 'success', deliveredAmount: swap.offer.slippage?.guaranteedMin })
    expect(end.txHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect([bench.fake.sent, bench.fake.funded]).toEqual([[], []])
  })
})

describe('a native order', () => {
  test('is settled out of the coins EthFlow holds, which are wrapped first', async () => {
    const swap = await sent()
    const end = await stateAfter(17_000, TX, swap)
    expect(end).toMatchObject({ state: 'success', txHash: bench.fake.sent[0]?.txHash })
    expect(bench.fake.settled).toMatchObject([{ owner: ETH_FLOW.toLowerCase(), sold: 10n ** 18n, bought: end.deliveredAmount }])
    expect(lower(bench.fake.settled[0]?.before ?? [])).toEqual([ETH_FLOW.toLowerCase()])
  })

  test('that expired is refunded by a call of EthFlow, once, and told by that transaction', async () => {
    bench.faults.set('cow', 'never-fills', {}, 1)
    const swap = await sent({ slippageBps: 200 })
    expect((await stateAfter(HALF_HOUR + MINUTE, TX, swap)).state).toBe('expired')
    expect(bench.fake.sent).toEqual([])
    const end = await stateAfter(5 * MINUTE, TX, swap)
    const [refund] = bench.fake.sent
    expect(end).toMatchObject({ state: 'refunded', txHash: refund?.txHash })
    // The very order that was created.
    expect(refund?.data.slice(10)).toBe(sentBy(swap).data.slice(10))
    await stateAfter(HALF_HOUR, TX, swap)
    expect(bench.fake.sent.length).toBe(1)
  })

  test('whose coins were taken back is not refunded again', async () => {
    bench.faults.set('cow', 'never-fills', {}, 1)
    const swap = await sent({ slippageBps: 200 })
    await bench.schedule.advance(MINUTE)
    bench.sim.onTransaction(takenBack(swap))
    expect(await stateAfter(2 * HALF_HOUR, TX, swap)).toMatchObject({ state: 'refunded', txHash: takenBack(swap).txHash })
    expect(bench.fake.sent).toEqual([])
  })

  test('whose refund the chain refuses stays owed', async () => {
    const refused = await openBench()
    refused.faults.set('cow', 'never-fills', {}, 1)
    const swap = await swapOf(refused.venue, etherToUsdc({ slippageBps: 200 }))
    refused.sim.onTransaction(sentBy(swap))
    refused.fake.refusal = 'EthTransferFailed()'
    expect((await stateAfter(2 * HALF_HOUR, TX, swap, refused)).state).toBe('expired')
    await expect(refused.close()).rejects.toThrow('EthTransferFailed()')
  })
})
