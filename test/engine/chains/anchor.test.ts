import idl from '@across-protocol/contracts/dist/src/svm/assets/idl/svm_spoke.json' with { type: 'json' }
import { base58 } from '@scure/base'
import { PublicKey } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import type { SeenInstruction } from '../../../engine/chains/seen.ts'
import { anchorEventsBy, isAnchorCall, isMovedFor, readAnchorCall } from '../../../engine/chains/solana/anchor.ts'
import { readBorsh } from '../../../engine/chains/solana/borsh.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { flips } from '../../support/venueKit/mutations.ts'

const PROGRAM = addressOf('solana', 'DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru')
const SOMEONE = WALLETS.solana
const KEY = base58.decode(SOMEONE)

describe('a struct in Borsh', () => {
  const LAYOUT = {
    byte: 'u8',
    short: 'u16',
    int: 'u32',
    long: 'u64',
    huge: 'u128',
    flag: 'bool',
    inner: { key: 'key', word: 'word' },
    amount: 'bigWord',
    message: 'bytes',
    sums: ['u16'],
    pairs: [{ a: 'u8', b: 'u8' }],
    none: ['key'],
  } as const
  const bytes = Uint8Array.from([
    ...[1, 2, 1, 3, 0, 0, 1, 4, 0, 0, 0, 0, 0, 0, 1],
    ...[5, ...Array.from({ length: 14 }, () => 0), 1],
    ...[1, ...KEY, ...KEY],
    ...[...Array.from({ length: 30 }, () => 0), 1, 6],
    ...[2, 0, 0, 0, 0xab, 0xcd],
    ...[2, 0, 0, 0, 5, 0, 6, 1],
    ...[1, 0, 0, 0, 7, 8],
    ...[0, 0, 0, 0],
  ])

  test('is read field by field', () => {
    expect(readBorsh(LAYOUT, bytes)).toEqual({
      byte: 1,
      short: 0x01_02,
      int: 0x01_00_00_03,
      long: 0x01_00_00_00_00_00_00_04n,
      huge: (1n << 120n) + 5n,
      flag: true,
      inner: { key: SOMEONE, word: `0x${Buffer.from(KEY).toString('hex')}` },
      amount: 0x01_06n,
      message: '0xabcd',
      sums: [5, 0x01_06],
      pairs: [{ a: 7, b: 8 }],
      none: [],
    })
  })

  test('is none with a byte more or any number of them less', () => {
    expect(readBorsh(LAYOUT, Uint8Array.from([...bytes, 0]))).toBeNull()
    for (const length of bytes.keys()) expect(readBorsh(LAYOUT, bytes.slice(0, length))).toBeNull()
  })

  test('is none with a flag that is neither yes nor no', () => {
    expect(readBorsh(LAYOUT, bytes.with(31, 2))).toBeNull()
    expect(readBorsh(LAYOUT, bytes.with(31, 0))).toMatchObject({ flag: false })
  })
})

describe('a call of an Anchor program', () => {
  const call = (name: string) => idl.instructions.find((each) => each.name === name)?.discriminator ?? []

  test('is known by its name, as the interface that a program publishes has it', () => {
    expect(idl.instructions.length).toBeGreaterThan(10)
    for (const { name, discriminator } of idl.instructions)
      expect(isAnchorCall(Uint8Array.from(discriminator), name), name).toBe(true)
    for (const data of flips(Uint8Array.from(call('deposit')))) expect(isAnchorCall(data, 'deposit')).toBe(false)
  })

  test('is read to its last byte', () => {
    const data = Uint8Array.from([...call('deposit'), 7])
    expect(readAnchorCall(data, 'deposit', { count: 'u8' })).toEqual({ count: 7 })
    expect(readAnchorCall(Uint8Array.from([...data, 0]), 'deposit', { count: 'u8' })).toBeNull()
    expect(readAnchorCall(data, 'fill_relay', { count: 'u8' })).toBeNull()
  })
})

describe('an event of an Anchor program', () => {
  const [authority] = PublicKey.findProgramAddressSync([Buffer.from('__event_authority')], new PublicKey(PROGRAM))
  const accounts = [addressOf('solana', authority.toBase58())]
  const tag = [...Buffer.from('e445a52e51cb9a1d', 'hex')]
  const discriminator = idl.events.find(({ name }) => name === 'FilledRelay')?.discriminator ?? []
  const KIND = { name: 'FilledRelay', layout: { count: 'u8' } } as const
  const called = { program: PROGRAM, accounts: [], data: Uint8Array.of(1) }
  const other = { program: SOMEONE, accounts: [], data: new Uint8Array() }
  const event = (count: number) => ({ program: PROGRAM, accounts, data: Uint8Array.from([...tag, ...discriminator, count]) })
  const eventsIn = (...all: readonly Omit<SeenInstruction, 'index'>[]) =>
    anchorEventsBy(
      PROGRAM,
      KIND,
      all.map((each, index) => ({ ...each, index })),
    )

  test('is told of the last call of the program before it', () => {
    expect(eventsIn(event(1), other, called, other, event(2), event(3), called, event(4))).toEqual([
      { called: -1, index: 0, place: 'instruction:0', event: { count: 1 } },
      { called: 2, index: 4, place: 'instruction:4', event: { count: 2 } },
      { called: 2, index: 5, place: 'instruction:5', event: { count: 3 } },
      { called: 6, index: 7, place: 'instruction:7', event: { count: 4 } },
    ])
  })

  test('is none of another program, authority, kind or length', () => {
    const own = event(1)
    expect(eventsIn({ ...own, program: SOMEONE })).toEqual([])
    expect(eventsIn({ ...own, accounts: [SOMEONE] })).toEqual([])
    expect(eventsIn({ ...own, accounts: [] })).toEqual([])
    expect(eventsIn({ ...own, accounts: [...accounts, SOMEONE] })).toEqual([])
    for (const data of flips(own.data.slice(0, 16))) expect(eventsIn({ ...own, data: Uint8Array.from([...data, 1]) })).toEqual([])
    expect(eventsIn({ ...own, data: own.data.slice(0, -1) })).toEqual([])
    expect(eventsIn({ ...own, data: Uint8Array.from([...own.data, 0]) })).toEqual([])
  })

  test('is of the money that moved between the call and it', () => {
    const moved = (place: string) => ({ place, token: SOMEONE, from: null, to: SOMEONE, amount: 1n })
    const at = ['instruction:1', 'instruction:2', 'instruction:3', 'instruction:4', 'balance:a:b', 'log:3']
    expect(at.filter((place) => isMovedFor(moved(place), { called: 2, index: 4 }))).toEqual(['instruction:3'])
  })
})
