import { hexToBytes } from '@noble/hashes/utils.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { WALLETS } from '../../support/anOrder.ts'
import { altered, prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations, flips } from '../../support/venueKit/mutations.ts'
import { type ChainflipBench, openBench, orders, VAULT, WITH_BROKER } from './support.ts'

const refuses = countMutations('chainflip')

/** The version, and the blocks in which a price is tried for: with bitcoin half an hour, else five minutes. */
const RETRY = { coins: '012c010000', token: '0132000000' } as const

const ORDERS = {
  coins: orders.ether({ feeBps: 20 }),
  token: orders.usdc({ feeBps: 20 }),
  bitcoin: orders.bitcoin(),
  sol: orders.sol(),
  usdt: orders.usdt(),
}
let bench: ChainflipBench
const swaps = new Map<keyof typeof ORDERS, Swap>()
beforeAll(async () => {
  bench = await openBench({ settings: WITH_BROKER })
  for (const [name, order] of Object.entries(ORDERS)) swaps.set(name as keyof typeof ORDERS, await swapOf(bench.venue, order))
  return () => bench.close()
})

const swapNamed = (name: keyof typeof ORDERS): Swap => {
  const swap = swaps.get(name)
  if (!swap) throw new Error('no such swap')
  return swap
}
const objectionsTo = (swap: Swap, path: string, value: unknown) => prove(bench.venue, swap, altered(swap.execution, path, value))

test('proof: accepts unaltered Chainflip payloads', async () => {
  for (const swap of swaps.values()) expect(await prove(bench.venue, swap)).toEqual([])
})

describe.each(['coins', 'token'] as const)('proof: a vault call with %s', (name) => {
  const startOf = (bytes: Uint8Array): number => Buffer.from(bytes).indexOf(Buffer.from(RETRY[name], 'hex'))
  const priceOf = (bytes: Uint8Array): bigint => {
    const at = startOf(bytes) + 25
    return BigInt(`0x${Buffer.from(bytes.slice(at, at + 32).toReversed()).toString('hex')}`)
  }
  /** How long it is tried for is nobody's loss, and neither is a price that still binds what was quoted. */
  const isHarmless = ({ order, offer, execution }: Swap, before: Uint8Array, after: Uint8Array): boolean => {
    const at = before.findIndex((byte, index) => byte !== after[index]) - startOf(before)
    const { ingress, egress } = execution.evidence as unknown as { ingress: string; egress: string }
    const least = (((order.inputAmount - BigInt(ingress)) * priceOf(after)) >> 128n) - BigInt(egress)
    return at === 1 || at === 2 || (at >= 25 && at < 57 && least >= (offer.slippage?.guaranteedMin ?? 0n))
  }

  test('is rejected with any altered calldata byte', async () => {
    const swap = swapNamed(name)
    const bytes = hexToBytes(transactionOf(swap.execution).data.slice(2))
    let harmless = 0
    for (const [at, flipped] of flips(bytes).entries()) {
      const data = `0x${Buffer.from(flipped).toString('hex')}`
      const objections = await objectionsTo(swap, 'payload.transaction.data', data)
      if (isHarmless(swap, bytes, flipped)) harmless += 1
      else refuses(`byte ${at}`, objections)
    }
    expect(harmless).toBeLessThan(50)
  })

  test('is rejected with another length, field or fee', async () => {
    const swap = swapNamed(name)
    const { data } = transactionOf(swap.execution)
    for (const [path, value] of [
      ['payload.transaction.data', `${data}00`],
      ['payload.transaction.data', data.slice(0, -2)],
      ['payload.transaction.data', data.replace(/^0xdd687345|^0x04fc7da0/, '0x07933dd2')],
      ['payload.transaction.to', WALLETS.evmOther],
      ['payload.transaction.to', name === 'coins' ? VAULT.arbitrum : VAULT.ethereum],
      ['payload.transaction.chainId', 56],
      ['payload.transaction.value', (transactionOf(swap.execution).value as bigint) + 1n],
      ['evidence.egress', '900000000000000'],
      ['evidence.ingress', '999000000'.padEnd(19, '0')],
      ['evidence.v', 2],
      ['evidence.egress', undefined],
      ['evidence.other', 1],
    ] as const)
      refuses(path, await objectionsTo(swap, path, value))
  })
})

describe.each(['bitcoin', 'sol', 'usdt'] as const)('proof: a deposit channel for %s', (name) => {
  test('is rejected with any altered field', async () => {
    const swap = swapNamed(name)
    const other = swapNamed(name === 'sol' ? 'usdt' : 'sol')
    const channel = (swap.execution.evidence as unknown as { channel: Record<string, unknown> }).channel
    for (const word of Object.keys(channel))
      for (const value of [undefined, null, 5, ''])
        refuses(`${word} ${value}`, await objectionsTo(swap, `evidence.channel.${word}`, value))
    for (const [path, value] of [
      ['payload.deposit.amount', swap.order.inputAmount + 1n],
      ['payload.deposit.amount', swap.order.inputAmount - 1n],
      ['payload.deposit.address', name === 'sol' ? WALLETS.solana : name === 'usdt' ? WALLETS.evmOther : WALLETS.bitcoin],
      ['payload.deposit.chainId', 56],
      ['evidence.channel.id', String(channel['id']).replace(/\d$/, (last) => String((Number(last) + 1) % 10))],
      ['evidence.channel.id', String(channel['id']).replace(/-[A-Za-z]+-/, '-Ethereum-')],
      ['evidence.channel.id', '1-Bsc-0'],
      ['evidence.channel.destAddress', name === 'usdt' ? 'SysvarC1ock11111111111111111111111111111111' : WALLETS.evm],
      ['evidence.channel.refundAddress', name === 'sol' ? 'SysvarC1ock11111111111111111111111111111111' : WALLETS.evmOther],
      ['evidence.channel.dest.asset', 'USDT'],
      ['evidence.channel.dest.chain', 'Bsc'],
      ['evidence.channel.dest', undefined],
      ['evidence.channel.src', name === 'bitcoin' ? 'ETH' : 'USDC'],
      ['evidence.channel.minPriceX128', '1'],
      ['evidence.channel.expiresAt', 1],
      ['evidence.channel.expiresAt', Date.UTC(2027, 1, 1)],
      ['evidence.channel', undefined],
      ['evidence.channel.more', 1],
      ['evidence.egress', '900000000000000000000'],
      ['evidence.ingress', swap.order.inputAmount.toString()],
      ['evidence.v', 2],
      ['evidence', other.execution.evidence],
      ['payload', other.execution.payload],
    ] as const)
      refuses(path, await objectionsTo(swap, path, value))
  })
})
