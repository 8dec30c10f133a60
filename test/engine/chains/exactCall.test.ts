import { parseAbi } from 'abitype'
import { describe, expect, it } from 'vitest'
import { encodeCall } from '../../../engine/chains/evm/evmCodec.ts'
import { readExactCall, readLeadingCall } from '../../../engine/chains/evm/exactCall.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import { WALLETS } from '../../support/anOrder.ts'

const TRANSFER = parseAbi(['function transfer(address to, uint256 value)'])
const CALL = await encodeCall(TRANSFER, 'transfer', [WALLETS.evm, 5n])

describe('a call', () => {
  it('is read to its last byte', async () => {
    expect(await readExactCall(TRANSFER, CALL)).toEqual([WALLETS.evm, 5n])
    expect(await readLeadingCall(TRANSFER, `${CALL}c0de`)).toEqual({
      args: [WALLETS.evm, 5n],
      rest: 'c0de',
    })
  })

  it.each<[string, Hex]>([
    ['with a byte after it', `${CALL}00`],
    ['cut short', CALL.slice(0, -2) as Hex],
    ['of another function', `0xdeadbeef${CALL.slice(10)}`],
    ['with dirt above the address', CALL.replace(/^(0x.{8})00/, '$101') as Hex],
    ['of nothing', '0x'],
  ])('%s is none', async (_what, data) => {
    expect(await readExactCall(TRANSFER, data)).toBeNull()
  })

  it('with a number that is more than its type holds is none, and nothing is thrown', async () => {
    const small = parseAbi(['function open(uint32 number)'])
    const call = await encodeCall(small, 'open', [7])
    expect(await readExactCall(small, call)).toEqual([7])
    expect(await readExactCall(small, call.replace(/^(0x.{8})00/, '$101') as Hex)).toBeNull()
  })
})
