import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashTypedData } from '../../../engine/chains/evm/evmCodec.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import { provePayload } from '../../../engine/execution/payloadProof.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf, sign, swapOf, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import {
  cannedCow,
  ETH_FLOW,
  etherToUsdc,
  FEE_RECIPIENT,
  openBench,
  quoteAnswer,
  SETTLEMENT,
  STRANGER,
  sentBy,
  submitted,
  USDC,
  usdcToWeth,
  VAULT_RELAYER,
  WETH,
} from './support.ts'

const open = closedAfterEach(openBench)

let bench: VenueBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

type Body = Record<string, unknown>

describe('a signed order', () => {
  test('is built from the sealed offer alone: nothing is sent to the venue', async () => {
    const order = usdcToWeth()
    const offer = await bench.venue.quote(order, never())
    const before = bench.sent.length
    const execution = await bench.venue.execute({ order, offer }, order, never())
    expect(bench.sent.length).toBe(before)
    expect(execution.outputAmount).toBe(offer.outputAmount)
    expect(execution.slippage).toEqual(offer.slippage)
  })

  test('does what was asked, as read back from its bytes', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    expect(await bench.venue.decode(swap.execution)).toEqual({
      chainId: 1,
      pays: SETTLEMENT,
      spender: VAULT_RELAYER,
      nativeFee: 0n,
      input: { asset: assetOf(1, USDC), amount: 1_000_000_000n },
      output: { asset: assetOf(1, WETH), minimum: swap.offer.slippage?.guaranteedMin },
      recipient: WALLETS.evmOther,
      refundTo: null,
      fee: { recipient: FEE_RECIPIENT, bps: 30 },
      deadlineAt: START_OF_TIME + 30 * 60_000,
      unread: [],
    })
    const proof = { sealed: { order: swap.order, offer: swap.offer }, binding: swap.binding, now: START_OF_TIME }
    expect(await provePayload(bench.venue, swap.execution, proof)).toEqual([])
  })

  test('pays whoever is bound at execute time, not whom the quote was asked for', async () => {
    const order = usdcToWeth()
    const offer = await bench.venue.quote(order, never())
    const execution = await bench.venue.execute({ order, offer }, { recipient: STRANGER, refundTo: order.refundTo }, never())
    expect(typedDataOf(execution).message['receiver']).toBe(STRANGER)
    expect((await bench.venue.decode(execution)).recipient).toBe(STRANGER)
  })

  test('can pay out the native coin, and has no fee where none was quoted', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth({ to: [1, '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'], feeBps: 0 }))
    const claims = await bench.venue.decode(swap.execution)
    expect(claims.output.asset).toEqual(assetOf(1, '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'))
    expect(claims.fee).toBeNull()
  })

  test('lives half an hour from the moment it is built, not from the quote', async () => {
    const order = usdcToWeth()
    const offer = await bench.venue.quote(order, never())
    bench.clock.advance(45_000)
    const execution = await bench.venue.execute({ order, offer }, order, never())
    expect(typedDataOf(execution).message['validTo']).toBe((START_OF_TIME + 45_000) / 1_000 + 1_800)
  })

  test('survives the store: JSON and back, it is posted the same', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const { payload, evidence, venueRef, carry } = swap.execution
    const stored = JSON.parse(JSON.stringify({ payload, evidence, venueRef, carry })) as Pick<
      typeof swap.execution,
      'payload' | 'evidence' | 'venueRef' | 'carry'
    >
    const ref = await submitted(bench.venue, { ...swap, execution: { ...swap.execution, ...stored } })
    expect(ref).toBe(swap.execution.venueRef)
  })
})

describe('posting a signed order', () => {
  test('sends exactly what was signed, with the document in full', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const typedData = typedDataOf(swap.execution)
    const ref = await submitted(bench.venue, swap)
    const request = bench.sent.at(-1)
    expect(`${request?.method} ${request?.path}`).toBe('POST /mainnet/api/v1/orders')
    const { appData: appDataHash, ...message } = typedData.message
    expect(request?.body).toEqual({
      ...message,
      signingScheme: 'eip712',
      signature: await sign(typedData),
      from: WALLETS.evm,
      quoteId: 120_000_001,
      appData: (swap.execution.evidence as Body)['appData'],
      appDataHash,
    })
    expect(ref).toBe(swap.execution.venueRef)
    // Safe to carry in a query string as it is.
    expect(ref).toMatch(/^mainnet:0x[0-9a-f]{112}$/)
    expect(ref.slice(8, 74)).toBe(await hashTypedData(typedData))
  })

  test('again is the same success, and opens no second order', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const first = await submitted(bench.venue, swap)
    const second = await submitted(bench.venue, swap)
    expect(second).toBe(first)
    expect(bench.sent.map(({ method, path }) => `${method} ${path.replace(/0x[0-9a-f]+/, '…')}`).slice(-3)).toEqual([
      'POST /mainnet/api/v1/orders',
      'POST /mainnet/api/v1/orders',
      'GET /mainnet/api/v1/orders/…',
    ])
  })

  test('after an answer that was lost on the line is the same success', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    bench.faults.set('cow', 'reset', { when: 'after' }, 1)
    expect((await refusalOf(submitted(bench.venue, swap))).kind).toBe('unavailable')
    expect(await submitted(bench.venue, swap)).toBe(swap.execution.venueRef)
  })

  test('again is the same success when its first post would be refused by now', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    bench.faults.set('cow', 'reset', { when: 'after' }, 1)
    expect((await refusalOf(submitted(bench.venue, swap))).kind).toBe('unavailable')
    // The book takes no order that ends within a minute.
    const { validTo } = typedDataOf(swap.execution).message as { validTo: number }
    bench.clock.advance(validTo * 1_000 - START_OF_TIME - 30_000)
    expect(await submitted(bench.venue, swap)).toBe(swap.execution.venueRef)
  })

  test('that was refused, and never was in the book, stays refused', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const { validTo } = typedDataOf(swap.execution).message as { validTo: number }
    bench.clock.advance(validTo * 1_000 - START_OF_TIME - 30_000)
    expect((await refusalOf(submitted(bench.venue, swap))).isDecline).toBe(true)
  })

  test('a duplicate that is not in the book is not believed', async () => {
    const { venue } = cannedCow(({ method, path, body }) => {
      if (path.endsWith('/quote')) return { body: quoteAnswer(body as Body) }
      return method === 'POST'
        ? { status: 400, body: { errorType: 'DuplicatedOrder', description: 'order already exists' } }
        : { status: 404, body: { errorType: 'NotFound', description: 'Order was not found' } }
    })
    const swap = await swapOf(venue, usdcToWeth())
    expect((await refusalOf(submitted(venue, swap))).kind).toBe('badResponse')
  })

  test('of a contract wallet is posted as such, and the book asks the contract', async () => {
    const asked: unknown[] = []
    const rpc = (_chainId: number, _method: string, [call]: readonly unknown[]) => {
      const { data } = call as { data: string }
      asked.push(call)
      return Promise.resolve(data.startsWith('0x1626ba7e') ? `0x1626ba7e${'0'.repeat(56)}` : `0x${'f'.repeat(64)}`)
    }
    const contracts = await open({ evm: { rpc } })
    const swap = await swapOf(contracts.venue, usdcToWeth({ sender: STRANGER }))
    const signature = { signature: '0xc0ffee', approvalSignature: null, scheme: 'eip1271' } as const
    const answer = await contracts.venue.submitter?.submit(swap, signature, never())
    expect(answer?.statusRef).toBe(swap.execution.venueRef)
    expect(contracts.sent.at(-1)?.body).toMatchObject({ signingScheme: 'eip1271', signature: '0xc0ffee', from: STRANGER })
    const digest = (await hashTypedData(typedDataOf(swap.execution))).slice(2)
    const word = (value: number) => value.toString(16).padStart(64, '0')
    expect(asked[0]).toEqual({
      to: STRANGER.toLowerCase(),
      data: `0x1626ba7e${digest}${word(64)}${word(3)}${'c0ffee'.padEnd(64, '0')}`,
    })
  })
})

describe('a native order', () => {
  test('registers its document first, and is then a call of EthFlow worth exactly the input', async () => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    const { venueRef, evidence } = swap.execution
    const uid = venueRef?.slice('mainnet:'.length) ?? ''
    const [, put, get] = bench.sent
    expect(put?.path).toMatch(/^\/mainnet\/api\/v1\/app_data\/0x[0-9a-f]{64}$/)
    expect([put?.method, put?.body]).toEqual(['PUT', { fullAppData: (evidence as Body)['appData'] }])
    expect(`${get?.method} ${get?.path}`).toBe(`GET /mainnet/api/v1/orders/${uid}`)
    expect(bench.sent.length).toBe(3)
    const { to, value, data, chainId } = transactionOf(swap.execution)
    expect({ to, value, chainId }).toEqual({ to: ETH_FLOW, value: 10n ** 18n, chainId: 1 })
    expect(data.slice(0, 10)).toBe('0x322bba21')
    expect(uid.slice(-48)).toBe(`${ETH_FLOW.slice(2).toLowerCase()}ffffffff`)
  })

  test('does what was asked, as read back from its bytes', async () => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    const claims = await bench.venue.decode(swap.execution)
    expect(claims).toEqual({
      chainId: 1,
      pays: ETH_FLOW,
      spender: null,
      nativeFee: 0n,
      input: { asset: assetOf(1, '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'), amount: 10n ** 18n },
      output: { asset: assetOf(1, USDC), minimum: swap.execution.slippage?.guaranteedMin },
      recipient: WALLETS.evmOther,
      refundTo: null,
      fee: { recipient: FEE_RECIPIENT, bps: 30 },
      deadlineAt: START_OF_TIME + 30 * 60_000,
      unread: [],
    })
    const proof = { sealed: { order: swap.order, offer: swap.offer }, binding: swap.binding, now: START_OF_TIME }
    expect(await provePayload(bench.venue, swap.execution, proof)).toEqual([])
  })

  test('that would be the same as one in the book is told apart by a higher minimum, never a lower one', async () => {
    const order = etherToUsdc()
    const offer = await bench.venue.quote(order, never())
    const guaranteed = offer.slippage?.guaranteedMin ?? 0n
    const build = () => bench.venue.execute({ order, offer }, order, never())
    const minimums: bigint[] = []
    for (let i = 0; i < 8; i += 1) {
      const execution = await build()
      minimums.push(execution.slippage?.guaranteedMin ?? 0n)
      expect(bench.sim.onTransaction(sentBy({ order, offer, binding: order, execution }))).toBe(true)
      bench.clock.advance(3_000)
    }
    expect([...minimums].sort().map((minimum) => minimum - guaranteed)).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n])
    expect((await refusalOf(build())).kind).toBe('badRequest')
  })

  test('is never given a minimum above what is expected', async () => {
    const order = etherToUsdc()
    const quoted = await bench.venue.quote(order, never())
    const guaranteedMin = toAmount(quoted.outputAmount)
    const offer = { ...quoted, slippage: { isFirm: true, guaranteedMin } }
    const execution = await bench.venue.execute({ order, offer }, order, never())
    expect(execution.slippage?.guaranteedMin).toBe(guaranteedMin)
  })
})

describe('a sealed offer that is not what this venue seals', () => {
  test.each<[string, unknown]>([
    ['nothing', null],
    ['another version', { v: 2, quoteId: 1 }],
    ['more than it', { v: 1, quoteId: 1, receiver: STRANGER }],
    ['a quote id that is no number', { v: 1, quoteId: '1' }],
  ])('carrying %s is refused', async (_name, carry) => {
    const order = usdcToWeth()
    const offer = await bench.venue.quote(order, never())
    const error = await refusalOf(bench.venue.execute({ order, offer: { ...offer, carry: carry as null } }, order, never()))
    expect(error.kind).toBe('badResponse')
  })

  test('without a minimum, or for a native order without a quote id, is refused', async () => {
    const order = usdcToWeth()
    const offer = await bench.venue.quote(order, never())
    expect((await refusalOf(bench.venue.execute({ order, offer: { ...offer, slippage: null } }, order, never()))).kind).toBe(
      'badResponse',
    )
    const native = etherToUsdc()
    const unlinked = { ...(await bench.venue.quote(native, never())), carry: { v: 1, quoteId: null } }
    expect((await refusalOf(bench.venue.execute({ order: native, offer: unlinked }, native, never()))).kind).toBe('badResponse')
  })

  test('with a fee is not built once the fee recipient is gone', async () => {
    const order = usdcToWeth()
    const offer = await bench.venue.quote(order, never())
    const without = await open({ settings: {} })
    expect((await refusalOf(without.venue.execute({ order, offer }, order, never()))).kind).toBe('unavailable')
  })
})

test('a deposit is nothing this venue could have built', async () => {
  const swap = await swapOf(bench.venue, usdcToWeth())
  const deposit = { chainId: 1, address: STRANGER, amount: toAmount(1n) } as const
  const execution = { ...swap.execution, payload: { executionType: 'DEPOSIT', deposit } as const }
  expect((await refusalOf(bench.venue.decode(execution))).kind).toBe('badResponse')
})
