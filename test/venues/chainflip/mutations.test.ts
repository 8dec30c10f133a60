import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VenueBench } from '../../support/venueBench.ts'
import { attackDeposit } from '../../support/venueKit/attackDeposit.ts'
import { attackPayload, STRANGER } from '../../support/venueKit/attackPayload.ts'
import { altered, depositOf, prove, swapOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import { VAULT_ABI, wordsOf } from './fakeNetwork.ts'
import { openBench, orders, VAULT, WITH_BROKER } from './support.ts'

/** `VersionedCfParameters` of version 1, without options: the bytes of each field, and numbers with their lowest byte first. */
const PARAMETERS = {
  ...{ version: 1, retryBlocks: 4, refundTo: 20, minPrice: 32, refundCall: 1, oracleBound: 1, parts: 1, boostBps: 1 },
  ...{ broker: 32, brokerBps: 2, affiliates: 1 },
} as const
const isBytes = (name: string): boolean => name === 'refundTo' || name === 'broker'
const reversed = (bytes: string): string => Buffer.from(bytes, 'hex').reverse().toString('hex')

const readParameters = (text: Hex) => {
  const bytes = Buffer.from(text.slice(2), 'hex')
  const starts = Object.values(PARAMETERS).map((_, at, all) => all.slice(0, at).reduce((sum, count) => sum + count, 2) - 2)
  return Object.fromEntries(
    Object.entries(PARAMETERS).map(([name, count], at) => {
      const field = bytes.subarray(starts[at], (starts[at] ?? 0) + count).toString('hex')
      return [name, isBytes(name) ? `0x${field}` : BigInt(`0x${reversed(field)}`)]
    }),
  )
}
type Parameters = ReturnType<typeof readParameters>

const writeParameters = (parameters: Parameters): Hex => {
  const fields = Object.entries(PARAMETERS).map(([name, count]) => {
    const value = parameters[name] as string | bigint
    const bytes = typeof value === 'bigint' ? reversed(value.toString(16).padStart(count * 2, '0')) : value.slice(2)
    if (bytes.length !== count * 2) throw new RangeError(`${name} has ${count} bytes`)
    return bytes.toLowerCase()
  })
  return `0x${fields.join('')}`
}

const readCall = (data: string) => {
  const { functionName, words } = wordsOf(data as Hex)
  const { cfParameters, ...call } = words
  return { functionName, call, parameters: readParameters(cfParameters as Hex) }
}
type Call = ReturnType<typeof readCall>
const encoded = ({ functionName, call }: Pick<Call, 'functionName' | 'call'>, cfParameters: string): string =>
  encodeFunctionData({ abi: VAULT_ABI, functionName, args: [...Object.values(call), cfParameters] as never })
const writeCall = ({ parameters, ...call }: Call): string => encoded(call, writeParameters(parameters))

/** The last 40 bits of a price are a mark without value. */
const isAsHigh = ({ other, was }: { readonly other: unknown; readonly was: unknown }): boolean =>
  BigInt(other as string) >> 40n >= BigInt(was as string) >> 40n
const isAsLow = ({ other, was }: { readonly other: unknown; readonly was: unknown }): boolean =>
  BigInt(other as string) <= BigInt(was as string)

attackPayload({
  venue: 'chainflip',
  open: openBench,
  swaps: [
    { title: 'coins', order: orders.ether({ feeBps: 20 }), settings: WITH_BROKER },
    { title: 'tokens', order: orders.usdc({ feeBps: 20 }), settings: WITH_BROKER },
  ],
  codec: { read: readCall, write: writeCall },
  harmless: { 'parameters.minPrice': isAsHigh, 'parameters.retryBlocks': ({ other }) => (other as bigint) <= 14_400n },
  *also(own) {
    yield writeCall(own).replace(/^0xdd687345|^0x04fc7da0/, '0x07933dd2')
    // The older version, an option more, and two bytes more or less.
    const bytes = writeParameters(own.parameters)
    yield encoded(own, `0x00${bytes.slice(4, 116)}${bytes.slice(120)}`)
    yield encoded(own, `${bytes.slice(0, 118)}0100${bytes.slice(120)}`)
    yield encoded(own, `${bytes}0000`)
    yield encoded(own, bytes.slice(0, -4))
    yield { ...own, call: { ...own.call, dstChain: 1, dstToken: 3 } }
  },
})

const numberOf = (id: unknown): string => String(id).replace(/^\d+/, '')

attackDeposit({
  venue: 'chainflip',
  open: openBench,
  swaps: [
    { title: 'bitcoin', order: orders.bitcoin() },
    { title: 'SOL', order: orders.sol() },
    { title: 'tokens', order: orders.usdt() },
  ],
  harmless: {
    'evidence.egress': isAsLow,
    'evidence.ingress': isAsLow,
    'evidence.channel.minPriceX128': isAsHigh,
    // The State Chain's block, which derives nothing.
    'evidence.channel.id': ({ other, was }) => numberOf(other) === numberOf(was) && /^\d/.test(String(other)),
    // Another moment of the same two days.
    'evidence.channel.expiresAt': ({ other, was }) => Math.abs(Number(other) - Number(was)) <= 1,
  },
  *also({ execution }) {
    const { channel } = execution.evidence as { readonly channel: { readonly [name: string]: unknown } }
    for (const name of Object.keys(channel)) for (const none of [undefined, null, 5, '']) yield [`evidence.channel.${name}`, none]
    for (const none of [undefined, null, 5, '']) yield ['evidence.channel', none]
    yield ['evidence.channel.more', 1]
    for (const id of ['1-Bsc-0', '1-Ethereum-4313', `${channel['id']}1`]) yield ['evidence.channel.id', id]
    for (const dest of ['USDT', 'USDC', 'SOL', 'BTC'].filter((one) => one !== (channel['dest'] as { asset: string }).asset))
      yield ['evidence.channel.dest.asset', dest]
    yield ['evidence.channel.dest.chain', 'Bsc']
    yield ['evidence.channel.destAddress', STRANGER]
    yield ['evidence.channel.refundAddress', STRANGER]
    for (const at of [1, Date.UTC(2027, 1, 1)]) yield ['evidence.channel.expiresAt', at]
    yield ['payload.deposit.chainId', 56]
    yield ['evidence', { v: 1, ingress: '0', egress: '0' }]
  },
})

describe('proof: a Chainflip swap', () => {
  const count = countMutations('chainflip')
  let bench: VenueBench
  beforeAll(async () => {
    bench = await openBench({ settings: WITH_BROKER })
  })
  afterAll(() => bench.close())

  test.each(['bitcoin', 'sol', 'usdt'] as const)(
    'is rejected with the address or the channel of another swap: %s [venue-chainflip]',
    async (name) => {
      const [mine, other] = [await swapOf(bench.venue, orders[name]()), await swapOf(bench.venue, orders[name]())]
      expect(depositOf(mine.execution).address).not.toBe(depositOf(other.execution).address)
      for (const part of ['payload', 'evidence'] as const) {
        const objections = await prove(bench.venue, mine, { ...mine.execution, [part]: other.execution[part] })
        expect(count(part, objections)).toContain('deposit.address')
      }
    },
  )

  test.each(['ether', 'usdc'] as const)('is rejected at another vault, or with another evidence: %s', async (name) => {
    const swap = await swapOf(bench.venue, orders[name]())
    for (const [path, value] of [
      ['payload.transaction.to', name === 'ether' ? VAULT.arbitrum : VAULT.ethereum],
      ['payload.transaction.chainId', 56],
      ['evidence.egress', '900000000000000'],
      ['evidence.ingress', '999000000'.padEnd(19, '0')],
      ['evidence.v', 2],
      ['evidence.egress', undefined],
      ['evidence.other', 1],
      ['evidence', null],
    ] as const)
      count(path, await prove(bench.venue, swap, altered(swap.execution, path, value)))
  })
})
