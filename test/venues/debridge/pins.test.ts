import { encodeAbiParameters, type Hex, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { checkPins } from '../../../engine/venues/checkPins.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, outcomeOf } from '../../support/venueKit/calls.ts'
import { createdBy, DESTINATION, idOf } from './abi.ts'
import { CREATE_TX, openBench, orders, STRANGER, told } from './support.ts'

type CreateTx = { readonly tx: { readonly to: string; readonly data: string; readonly value: bigint } }

const open = closedAfterEach(openBench)

test('debridge pins: published values equal to the pinned ones give no difference, another one is reported and not sold', async () => {
  const bench = await open()
  const differences = async (destination: string, changes = {}) => {
    const chains = createFakeChains()
    const [fee, bps] = ['globalFixedNativeFee', 'globalTransferFeeBps'].map((name) => toFunctionSelector(`function ${name}()`))
    const number = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
    chains.script.call = async (_contract, data) => {
      if (data === fee) return number(10n ** 15n)
      return data === bps ? number(4n) : encodeAbiParameters([{ type: 'bytes' }], [destination as Hex])
    }
    const checks = await checkPins(told(bench, { chains, changes }).venue, never())
    const own = checks.filter(({ source }) => /^GET|chain 8453$/.test(source))
    expect(own.map(({ failure }) => failure)).toEqual([null, null])
    return own.flatMap((check) => check.differences.map(({ what, published }) => [what, published]))
  }
  expect(await differences(DESTINATION)).toEqual([])
  expect(await differences(STRANGER)).toEqual([['contract that pays on chain 1 by chain 8453', [STRANGER.toLowerCase()]]])
  const listed = { '/supported-chains-info': (body: object) => altered(body, 'chains.0.chainId', 666) }
  expect(await differences(DESTINATION, listed)).toEqual([['number of chain 1', ['666']]])
})

test('debridge: fees from settings limit the cost of an order, and prove its id beside the pinned ones', async () => {
  const change = (body: CreateTx) => {
    const made = createdBy({ ...body.tx, value: BigInt(body.tx.value), chainId: 8453, from: orders.usdc().sender })
    const given = made.order.giveAmount + made.percentFee
    return { ...body, orderId: idOf({ ...made.order, giveAmount: given - (given * 5n) / 10_000n }) }
  }
  const of = async (settings: { readonly [name: string]: string }) =>
    outcomeOf(told(await open(), { settings, changes: { [CREATE_TX]: change } }).venue, orders.usdc())
  expect([await of({ PROTOCOL_FEE_BPS: '5' }), await of({})]).toEqual(['signed', 'rejected'])
  const most = async (settings: { readonly [name: string]: string }) =>
    [orders.usdc(), orders.fromSolana(), orders.arb()].map(told(await open(), { settings }).venue.profile.nativeFeeMax)
  const usual = [2n * 10n ** 15n, 30_000_000n, 2n * 10n ** 15n]
  expect([await most({}), await most({ FIXED_FEES: '8453=7,-2=9' })]).toEqual([usual, [14n, 18n, usual[2]]])
})
