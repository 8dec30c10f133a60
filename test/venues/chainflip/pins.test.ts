import { expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { channelNumber, depositAddressOf } from '../../../engine/venues/chainflip/depositAddress.ts'
import { wireAssetNamed } from '../../../engine/venues/chainflip/published.ts'
import { checkPins } from '../../../engine/venues/checkPins.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, alteredBy, never, outcomeOf, prove, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import { openBench, orders, told, VAULT } from './support.ts'

const PROGRAM = addressOf('solana', 'src5qyZHqTqecJV4aY6Cb6zDZLMDzrDKKezs22MPHr4')
const open = closedAfterEach(openBench)
const THIEF = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
const bytes = [...Buffer.from(THIEF.slice(2), 'hex')]
const [IN_LIST, IN_CALL] = ['/rpc', '/api/encodeVaultSwapData']
const thief = {
  [IN_LIST]: (body: { result: object }) => ({ ...body, result: { ...body.result, ethereum: { Eth: bytes } } }),
  [IN_CALL]: (body: object) => ({ ...body, to: THIEF }),
}

test('chainflip pins: a vault that differs from the State Chain is reported, and still rejected', async () => {
  const bench = await open()
  expect(await checkPins(bench.venue, never())).toMatchObject([{ compared: 5, differences: [], failure: null }])
  const { venue } = told(bench, thief as never)
  const published = [THIEF.toLowerCase()]
  expect(await checkPins(venue, never())).toMatchObject([{ differences: [{ pinned: [VAULT.ethereum], published }] }])
  expect(await refusalOf(swapOf(venue, orders.ether()))).toMatchObject({ kind: 'rejected', check: 'vault' })
})

test('chainflip pins: VENUE_CHAINFLIP_VAULTS allows another vault beside the pinned one', async () => {
  const bench = await open()
  const { venue } = told(bench, thief as never, { VAULTS: `1=${THIEF}` })
  expect(await checkPins(venue, never())).toMatchObject([{ differences: [] }])
  const swap = await swapOf(venue, orders.ether())
  expect(await prove(venue, swap)).toEqual([])
  const old = alteredBy(swap.execution, [['payload.transaction.to', VAULT.ethereum]])
  expect(await prove(venue, swap, old)).toEqual([])
  const tokens = await venue.quote(orders.usdc(), never())
  expect(tokens.spender).toBe(VAULT.arbitrum)
})

test('quote: the spender is the vault that the payload calls, also when a setting names the next vault in advance', async () => {
  const bench = await open()
  const moved = {
    [IN_LIST]: (body: { result: object }) => ({ ...body, result: { ...body.result, arbitrum: { Arb: bytes } } }),
    [IN_CALL]: thief[IN_CALL],
  }
  const [before, after] = [{}, moved].map((changes) => told(bench, changes as never, { VAULTS: `42161=${THIEF}` }).venue)
  for (const [venue, spender] of [
    [before, VAULT.arbitrum],
    [after, THIEF],
  ] as const) {
    const swap = venue && (await swapOf(venue, orders.usdc()))
    expect([swap?.offer.spender, venue && swap && (await prove(venue, swap))]).toEqual([spender, []])
  }
})

test('execute: a Solana deposit address must derive from the pinned vault program or the one of the setting', async () => {
  const asset = wireAssetNamed('Solana', 'SOL')
  if (asset === null) throw new TypeError('no SOL')
  const at = (id: string) => depositAddressOf(asset, channelNumber(id), null, PROGRAM)
  const changes = {
    '/api/openSwapDepositChannel': (body: { id: string }) => ({ ...body, depositAddress: at(body.id) }),
    '/v2/swaps/': (body: { depositChannel: { id: string } }) =>
      altered(body, 'depositChannel.depositAddress', at(body.depositChannel.id)),
  }
  const outcome = async (settings = {}) => outcomeOf(told(await open(), changes as never, settings).venue, orders.sol())
  expect([await outcome({ SOLANA_VAULT_PROGRAMS: PROGRAM }), await outcome()]).toEqual(['signed', 'rejected'])
})
