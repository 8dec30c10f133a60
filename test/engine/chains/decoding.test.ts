import idl from '@across-protocol/contracts/dist/src/svm/assets/idl/svm_spoke.json' with { type: 'json' }
import { base58 } from '@scure/base'
import { PublicKey } from '@solana/web3.js'
import { parseAbi } from 'abitype'
import { describe, expect, it } from 'vitest'
import { eventsBy, readEvent } from '../../../engine/chains/evm/eventLogs.ts'
import { encodeCall } from '../../../engine/chains/evm/evmCodec.ts'
import { readExactCall, readLeadingCall } from '../../../engine/chains/evm/exactCall.ts'
import type { SeenInstruction, SeenLog } from '../../../engine/chains/seen.ts'
import { anchorEventsBy, isAnchorCall, isMovedFor, readAnchorCall } from '../../../engine/chains/solana/anchor.ts'
import { readBorsh } from '../../../engine/chains/solana/borsh.ts'
import { anything, tells } from '../../../engine/chains/tells.ts'
import { addressOf } from '../../../engine/core/address.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { eventLog, seenEvm } from '../../support/seenEvm.ts'
import { flips } from '../../support/venueKit/mutations.ts'

describe('EVM call', async () => {
  const TRANSFER = parseAbi(['function transfer(address to, uint256 value)'])
  const SET = parseAbi(['function set(uint8 value)'])
  const call = await encodeCall(TRANSFER, 'transfer', [WALLETS.evm, 5n])
  const set = await encodeCall(SET, 'set', [5])
  const dirty = (data: Hex) => data.replace(/^(0x.{8})00/, '$101') as Hex

  it('is read to its last byte', async () => {
    expect(await readExactCall(TRANSFER, call)).toEqual([WALLETS.evm, 5n])
    expect(await readLeadingCall(TRANSFER, `${call}c0de`)).toEqual({ args: [WALLETS.evm, 5n], rest: 'c0de' })
    expect(await readExactCall(SET, set)).toEqual([5])
  })

  it.each([
    ['with a byte after it', TRANSFER, `${call}00`],
    ['cut', TRANSFER, call.slice(0, -2)],
    ['of another function', TRANSFER, `0xdeadbeef${call.slice(10)}`],
    ['with bits above the address', TRANSFER, dirty(call)],
    ['with a number beyond its type', SET, dirty(set)],
    ['of nothing', TRANSFER, '0x'],
  ])('%s is null', async (_what, abi, data) => {
    expect(await readExactCall(abi, data as Hex)).toBeNull()
  })
})

describe('EVM events of a contract', () => {
  const PAID = parseAbi(['struct Sum { uint256 amount; bytes note; }', 'event Paid(address indexed by, uint32 number, Sum sum)'])
  const OTHER = parseAbi(['event Other(uint256 value)'])
  const [contract, stranger] = [WALLETS.evmOther, '0x90F79bf6EB2c4f870365E785982E1f101E93b906']
  const fields = (number: number) => ({ by: WALLETS.evm, number, sum: { amount: 5n, note: '0xab' } })
  const paid = (number: number, by: string = contract) => eventLog(PAID, 'Paid', by, fields(number))
  const other = eventLog(OTHER, 'Other', contract, { value: 1n })

  it('are read by their fields and places, among the logs before and after', async () => {
    const { logs } = seenEvm(8453, [other, paid(1), other, paid(9, stranger), paid(2), other], { first: 3 })
    const indexes = (some: readonly SeenLog[]) => some.map(({ index }) => index)
    const told = (await eventsBy(contract, PAID, logs)).map(({ log, before, after, ...rest }) => {
      return { ...rest, at: [log.index, indexes(before), indexes(after)] }
    })
    expect(told).toEqual([
      { place: 'log:4', event: fields(1), at: [4, [3], [5, 6]] },
      { place: 'log:7', event: fields(2), at: [7, [5, 6], [8]] },
    ])
  })

  it('are null for another kind, without topics, or cut', async () => {
    const [log] = seenEvm(8453, [paid(1)]).logs as [SeenLog]
    expect([await readEvent(PAID, log), await readEvent(OTHER, log)]).toEqual([fields(1), null])
    const cuts = [
      { topics: [] },
      { topics: log.topics.slice(0, 1) },
      { data: log.data.slice(0, -64) as Hex },
      { data: '0x' as Hex },
    ]
    for (const cut of cuts) expect(await readEvent(PAID, { ...log, ...cut })).toBeNull()
  })

  const event = { id: 7n, to: '0x12', sums: { paid: 5n, fee: 1 }, parts: [1n, 2n] }
  const due = { id: 7n, to: '0x12', sums: { paid: 5n, fee: anything }, parts: [1n, 2n] }
  const { id: _id, ...withoutId } = due
  it.each<[string, boolean, unknown]>([
    ['equal values, or any', true, due],
    ['a check that returns true', true, { ...due, id: (id: bigint) => id > 6n }],
    ['a check that returns false', false, { ...due, id: (id: bigint) => id > 7n }],
    ['a check that returns 1', false, { ...due, id: () => 1 }],
    ['another value', false, { ...due, id: 8n }],
    ['a value of another type', false, { ...due, id: 7 }],
    ['another value inside', false, { ...due, sums: { paid: 6n, fee: anything } }],
    ['no requirement for a field', false, withoutId],
    ['no requirement for a field inside', false, { ...due, sums: { paid: 5n } }],
    ['a field that the event lacks', false, { ...due, more: anything }],
    ['a struct in place of a value', false, { ...due, to: { 0: '0x12' } }],
    ['a value in place of a struct', false, { ...due, sums: 5n }],
    ['a shorter list', false, { ...due, parts: [1n] }],
    ['null', false, null],
  ])('match %s: %j', (_what, expected, required) => {
    expect(tells<unknown>(event, required as never)).toBe(expected)
  })
})

const SOMEONE = WALLETS.solana
const KEY = base58.decode(SOMEONE)

describe('Borsh struct', () => {
  const LAYOUT = {
    ...({ byte: 'u8', short: 'u16', int: 'u32', long: 'u64', huge: 'u128', flag: 'bool' } as const),
    inner: { key: 'key', word: 'word' },
    ...({ amount: 'bigWord', message: 'bytes', sums: ['u16'], pairs: [{ a: 'u8', b: 'u8' }], none: ['key'] } as const),
    ...({ given: ['maybe', 'u8'], missing: ['maybe', 'u8'] } as const),
  } as const
  const zeros = (length: number) => Array<number>(length).fill(0)
  const bytes = Uint8Array.from([
    ...[1, 2, 1, 3, 0, 0, 1, 4, ...zeros(6), 1, 5, ...zeros(14), 1],
    ...[1, ...KEY, ...KEY],
    ...[...zeros(30), 1, 6, 2, 0, 0, 0, 0xab, 0xcd],
    ...[2, 0, 0, 0, 5, 0, 6, 1, 1, 0, 0, 0, 7, 8, 0, 0, 0, 0],
    ...[1, 9, 0],
  ])

  it('is read field by field', () => {
    expect(readBorsh(LAYOUT, bytes)).toEqual({
      ...{ byte: 1, short: 0x01_02, int: 0x01_00_00_03, long: 0x01_00_00_00_00_00_00_04n, huge: (1n << 120n) + 5n, flag: true },
      inner: { key: SOMEONE, word: `0x${Buffer.from(KEY).toString('hex')}` },
      ...{ amount: 0x01_06n, message: '0xabcd', sums: [5, 0x01_06], pairs: [{ a: 7, b: 8 }], none: [], given: 9, missing: null },
    })
    expect(readBorsh(LAYOUT, bytes.with(31, 0))).toMatchObject({ flag: false })
  })

  it('is null with a byte more, with any number of bytes less, and with a flag of 2', () => {
    expect(readBorsh(LAYOUT, Uint8Array.from([...bytes, 0]))).toBeNull()
    for (const length of bytes.keys()) expect(readBorsh(LAYOUT, bytes.slice(0, length))).toBeNull()
    expect(readBorsh(LAYOUT, bytes.with(31, 2))).toBeNull()
  })
})

describe('Anchor program', () => {
  const discriminatorOf = (list: readonly { name: string; discriminator: number[] }[], name: string) =>
    list.find((each) => each.name === name)?.discriminator ?? []
  const deposit = discriminatorOf(idl.instructions, 'deposit')

  it('calls are recognized by the discriminators of its published interface, to the bit', () => {
    expect(idl.instructions.length).toBeGreaterThan(10)
    for (const { name, discriminator } of idl.instructions)
      expect(isAnchorCall(Uint8Array.from(discriminator), name), name).toBe(true)
    for (const data of flips(Uint8Array.from(deposit))) expect(isAnchorCall(data, 'deposit')).toBe(false)
  })

  it('calls are read to the last byte', () => {
    const read = (bytes: readonly number[], name = 'deposit') =>
      readAnchorCall(Uint8Array.from([...deposit, ...bytes]), name, { count: 'u8' })
    expect([read([7]), read([7, 0]), read([7], 'fill_relay')]).toEqual([{ count: 7 }, null, null])
  })

  const PROGRAM = addressOf('solana', 'DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru')
  const [authority] = PublicKey.findProgramAddressSync([Buffer.from('__event_authority')], new PublicKey(PROGRAM))
  const accounts = [addressOf('solana', authority.toBase58())]
  const head = [...Buffer.from('e445a52e51cb9a1d', 'hex'), ...discriminatorOf(idl.events, 'FilledRelay')]
  const called = { program: PROGRAM, accounts: [], data: Uint8Array.of(1) }
  const event = (count: number) => ({ program: PROGRAM, accounts, data: Uint8Array.from([...head, count]) })
  const eventsIn = (...all: readonly Omit<SeenInstruction, 'index'>[]) => {
    const kind = { name: 'FilledRelay', layout: { count: 'u8' } } as const
    return anchorEventsBy(
      PROGRAM,
      kind,
      all.map((each, index) => ({ ...each, index })),
    )
  }

  it('events belong to the last call of the program before them', () => {
    const other = { program: SOMEONE, accounts: [], data: new Uint8Array() }
    const found = eventsIn(event(1), other, called, other, event(2), event(3), called, event(4))
    const at = (index: number, call: number, count: number) => ({
      called: call,
      index,
      place: `instruction:${index}`,
      event: { count },
    })
    expect(found).toEqual([at(0, -1, 1), at(4, 2, 2), at(5, 2, 3), at(7, 6, 4)])
  })

  const own = event(1)
  it.each<[string, Partial<typeof own>[]]>([
    ['program', [{ program: SOMEONE }]],
    ['authority', [{ accounts: [SOMEONE] }, { accounts: [] }, { accounts: [...accounts, SOMEONE] }]],
    ['kind', flips(Uint8Array.from(head)).map((data) => ({ data: Uint8Array.from([...data, 1]) }))],
    ['length', [{ data: own.data.slice(0, -1) }, { data: Uint8Array.from([...own.data, 0]) }]],
  ])('events of another %s do not count', (_what, changes) => {
    for (const change of changes) expect(eventsIn({ ...own, ...change })).toEqual([])
  })

  it('events cover the money that moved after their call and before them', () => {
    const moved = (place: string) => ({ place, token: SOMEONE, from: null, to: SOMEONE, amount: 1n })
    const at = [...[1, 2, 3, 4].map((index) => `instruction:${index}`), 'balance:a:b', 'log:3']
    expect(at.filter((place) => isMovedFor(moved(place), { called: 2, index: 4 }))).toEqual(['instruction:3'])
  })
})
