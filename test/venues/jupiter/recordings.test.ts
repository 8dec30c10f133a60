import { expect, test } from 'vitest'
import { associatedTokenAddress, type SolanaInstruction } from '../../../engine/chains/solana/solanaCodec.ts'
import type { Address } from '../../../engine/core/address.ts'
import { readRoute } from '../../../engine/venues/jupiter/route.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { swapOf } from '../../support/venueKit/calls.ts'
import recordings from './recordings.json' with { type: 'json' }
import { FEE_WALLET, openBench, orders, PROGRAM, planOf } from './support.ts'

const open = closedAfterEach(openBench)
const bytes = (data: string): Uint8Array => new Uint8Array(Buffer.from(data, 'base64'))

test('words of another length, another call, and one with an account that no table names, are no route', async () => {
  const bench = await open()
  const { instructions } = await planOf((await swapOf(bench.venue, orders.sol())).execution, bench.network)
  const accounts =
    instructions.find(({ programId }) => programId === PROGRAM)?.accounts.map(({ address }) => address as Address) ?? []
  const data = bytes(recordings.words[0]?.data ?? '')
  const call: SolanaInstruction = { programId: PROGRAM, accounts, data }
  expect(readRoute(call)).not.toBeNull()
  expect(readRoute({ ...call, data: data.slice(0, 33) })).toBeNull()
  for (const head of ['e517cb977ae3ad2a', 'c1209b3341d69c81', '9d8ab85215f4f324', '3560e5cad8bbfa18'])
    expect(readRoute({ ...call, data: new Uint8Array([...Buffer.from(head, 'hex'), ...data.slice(8)]) }), head).toBeNull()
  expect(readRoute({ ...call, accounts: accounts.with(11, null as never) })).toBeNull()
  expect(readRoute({ ...call, programId: FEE_WALLET })).toBeNull()
})

/** Transactions of mainnet. Accounts of lookup tables whose contents are not recorded stand there by table and index. */
test.each(recordings.transactions)(
  '$name: with a fee, one account stands between those of the call and the first pool',
  (row) => {
    const { accounts, feeBps, firstPool, feeAccount, feeOwner = '' } = row
    const data = Buffer.from(bytes(row.data))
    const [head, first] = data.toString('hex', 0, 8) === 'd19853937cfed8e9' ? [9, 12] : [8, 10]
    expect(data.readUInt16LE(head + 18)).toBe(feeBps)
    expect(accounts.indexOf(firstPool)).toBe(first + (feeBps > 0 ? 1 : 0))
    if (feeAccount === undefined) return
    const route = readRoute({
      programId: PROGRAM,
      accounts: accounts as readonly string[] as readonly Address[],
      data: new Uint8Array(data),
    })
    expect(route).toMatchObject({ feeBps, feeAccount, unread: [] })
    expect(feeAccount).toBe(associatedTokenAddress(feeOwner, route?.input.mint ?? ''))
  },
)
