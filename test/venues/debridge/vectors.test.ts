import { encodeFunctionData, type Hex, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { said, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { createdBy, FORWARDER_ABI, idOf, SOURCE, SOURCE_ABI } from './abi.ts'
import { recordedOnSolana } from './recordedAnswers.ts'
import recordings from './recordings.json' with { type: 'json' }
import { openBench, orders, PROGRAM, RECIPIENT_SOLANA, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)

const FEE = 10n ** 15n

const executionOf = (chainId: ChainId, data: string, value: bigint, orderId: string): Execution => ({
  payload: { executionType: 'TRANSACTION', transaction: { chainId, to: addressOf('evm', SOURCE), data, value: toAmount(value) } },
  ...{
    venueRef: orderId,
    evidence: { v: 1, orderId, fixFee: String(FEE) },
    outputAmount: toAmount(1n),
    slippage: null,
    carry: null,
  },
})

describe.each(recordings.orders)('debridge recording $name', (vector) => {
  const isOfCoins = BigInt(vector.giveTokenAddress) === 0n
  const value = FEE + (isOfCoins ? BigInt(vector.giveAmount) : 0n)

  test('decodes, with the recorded order id', async () => {
    const { venue } = await open()
    const claims = await venue.decode(executionOf(Number(vector.giveChainId) as ChainId, vector.calldata, value, vector.orderId))
    expect(claims).toMatchObject({
      chainId: Number(vector.giveChainId),
      pays: SOURCE,
      nativeFee: FEE,
      unread: [],
      deadlineAt: null,
    })
    expect([claims.input.amount, claims.output.minimum]).toEqual([BigInt(vector.giveAmount), BigInt(vector.takeAmount)])
    const affiliate = vector.affiliateFee === '0x' ? null : addressOf('evm', vector.affiliateFee.slice(0, 42))
    expect((said(claims.fee) as { recipient: string } | null)?.recipient ?? null).toBe(affiliate)
  })

  test('encodes to the same bytes', () => {
    const { salt, affiliateFee, referralCode, metadata, giveAmount, takeAmount, takeChainId, ...words } = vector
    const creation = {
      ...words,
      giveAmount: BigInt(giveAmount),
      takeAmount: BigInt(takeAmount),
      takeChainId: BigInt(takeChainId),
    }
    const args = [creation, BigInt(salt), affiliateFee, referralCode, '0x', metadata] as const
    expect(encodeFunctionData({ abi: SOURCE_ABI, functionName: 'createSaltedOrder', args: args as never }).toLowerCase()).toBe(
      vector.calldata,
    )
    const call = { chainId: Number(vector.giveChainId), from: vector.maker, to: SOURCE, data: vector.calldata, value }
    const { order, orderId } = createdBy(call)
    expect([orderId, order.giveAmount]).toEqual([vector.orderId, BigInt(vector.giveAmountNet)])
  })
})

test.each([
  [PROGRAM, {}],
  [RECIPIENT_SOLANA, { SOLANA_SOURCES: RECIPIENT_SOLANA }],
])('debridge: the recorded Solana order is decoded from its call to %s by %o, with the same id', async (program, settings) => {
  const { venue } = await open({ settings: { ...WITH_FEE, ...settings } })
  const { orderId, give, take, recipient, fee } = recordings.solana
  const serialized = await recordedOnSolana(program)
  const transaction = {
    chainId: -2 as const,
    to: addressOf('solana', program),
    data: serialized,
    serialized,
    value: toAmount(0n),
  }
  const evidence = { v: 1, orderId, fixFee: '15000000' }
  const execution = {
    ...executionOf(1, '0x', 0n, orderId),
    evidence,
    payload: { executionType: 'TRANSACTION', transaction } as const,
  }
  const claims = await venue.decode(execution)
  expect(claims).toMatchObject({
    ...{ recipient: addressOf('evm', recipient), nativeFee: 15_000_000n, refundTo: 'unproved' },
    ...{ fee: { recipient: fee.beneficiary, bps: 40 }, unread: ['no refund address'] },
  })
  expect([claims.input.amount, claims.output.minimum]).toEqual([BigInt(give), BigInt(take)])
})

test('debridge: viem decodes orders of the simulator by the published interface, with the answered id', async () => {
  const bench = await open({ settings: WITH_FEE })
  for (const order of [orders.usdc({ feeBps: 15 }), orders.ether(), orders.arb()]) {
    const { execution } = await swapOf(bench.venue, order)
    const { order: made, orderId } = createdBy({ ...transactionOf(execution), from: order.sender })
    expect([orderId, idOf(made)]).toEqual([execution.venueRef, execution.venueRef])
    expect(made.receiverDst).toBe(order.recipient.toLowerCase() as Hex)
  }
})

test('debridge: function selectors equal the published ones', () => {
  expect(toFunctionSelector(SOURCE_ABI[0])).toBe('0xb9303701')
  expect(toFunctionSelector(FORWARDER_ABI[0])).toBe('0x4d8160ba')
})
