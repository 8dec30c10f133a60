import { expect, test } from 'vitest'
import { associatedTokenAddress } from '../../../engine/chains/solana/solanaCodec.ts'
import type { Address } from '../../../engine/core/address.ts'
import { readRoute } from '../../../engine/venues/jupiter/route.ts'
import recordings from './recordings.json' with { type: 'json' }
import { PROGRAM } from './support.ts'

/** Mainnet transactions. Accounts of unrecorded lookup tables are listed by table and index. */
test.each(recordings.transactions)(
  'jupiter recording $name: with a fee, one account stands before the accounts of the first pool',
  (row) => {
    const { accounts, feeBps, firstPool, feeAccount, feeOwner = '' } = row
    const data = Buffer.from(row.data, 'base64')
    const [head, first] = data.toString('hex', 0, 8) === 'd19853937cfed8e9' ? [9, 12] : [8, 10]
    expect(data.readUInt16LE(head + 18)).toBe(feeBps)
    expect(accounts.indexOf(firstPool)).toBe(first + (feeBps > 0 ? 1 : 0))
    if (feeAccount === undefined) return
    const call = { programId: PROGRAM, accounts: accounts as readonly string[] as readonly Address[], data: new Uint8Array(data) }
    const route = readRoute(call, [PROGRAM])
    expect(route).toMatchObject({ feeBps, feeAccount, unread: [] })
    expect(feeAccount).toBe(associatedTokenAddress(feeOwner, route?.input.mint ?? ''))
  },
)
