import { describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { encodePlacedOrder, readPlacedOrder } from '../../../engine/venues/mayan/forwarder.ts'
import { orderHash, orderHashes, wordOf } from '../../../engine/venues/mayan/protocol.ts'
import { placingCalls, readPlacing, solanaOrderHash } from '../../../engine/venues/mayan/svm.ts'
import { readCall, writeCall } from './abi.ts'
import { keyOf } from './fakeNetwork.ts'
import vectors from './vectors.json' with { type: 'json' }

/** The vectors were built by the official SDK. */

const named = (name: string) => {
  const found = vectors.vectors.find((each) => each.name === name)
  if (!found) throw new TypeError(`no vector ${name}`)
  return found as unknown as { readonly data: string; readonly orderHash: string; readonly value: string }
}

describe.each([
  ['swift_forwardERC20', 42161],
  ['swift_swapAndForwardEth', 8453],
] as const)('mayan vector %s', (name, chainId) => {
  const { data, orderHash: hash } = named(name)

  test('decodes completely, and encodes to the same bytes', async () => {
    const placed = await readPlacedOrder(data)
    expect(placed).not.toBeNull()
    if (placed) expect(await encodePlacedOrder(placed)).toBe(data)
    expect(writeCall(readCall(data))).toBe(data)
  })

  test('has the order hash of the SDK', async () => {
    const placed = await readPlacedOrder(data)
    if (!placed) throw new TypeError('unread')
    const at = { sourceId: chainId === 42161 ? 23 : 30, tokenIn: wordOf(chainId, placed.tokenIn) }
    expect(orderHash(placed.order, at, 3)).toBe(hash)
    expect(orderHashes(placed.order, at).has(hash)).toBe(true)
    expect(orderHashes(placed.order, at).size).toBe(256)
    expect(keyOf(readCall(data).inner, chainId)).toBe(hash)
  })
})

test('mayan: reads the paid amount of a Forwarder call, which overrides the inner one', async () => {
  const call = readCall(named('swift_swapAndForwardEth').data)
  const other = writeCall({ ...call, inner: { ...call.inner, amountIn: call.inner.amountIn - 1n } })
  expect(await readPlacedOrder(other)).toBeNull()
})

test('mayan: rejects calldata that contains no Swift order', async () => {
  for (const name of ['fast_mctp_bridge', 'mono_chain_erc20_to_native'])
    expect(await readPlacedOrder(named(name).data)).toBeNull()
})

describe('mayan vector solana_usdc_to_base_eth', () => {
  const vector = vectors.vectors.find(({ name }) => name === 'solana_usdc_to_base_eth') as unknown as {
    readonly swapper: string
    readonly orderHash: string
    readonly instructions: readonly { readonly programId: string; readonly keys: readonly string[]; readonly data: string }[]
  }
  const calls = vector.instructions.map(({ programId, keys, data }) => ({
    programId: addressOf('solana', programId),
    accounts: keys.map((key) => addressOf('solana', key.split(' ')[0] ?? '')),
    data: new Uint8Array(Buffer.from(data, 'hex')),
  }))
  const placed = () => {
    const read = calls.map(readPlacing).find((each) => each !== null)
    if (!read) throw new TypeError('unread')
    return read
  }

  test('decodes, and encodes its three instructions with every byte, account and flag', () => {
    const flags = ({ isSigner, isWritable }: { isSigner?: boolean; isWritable?: boolean }) =>
      `${isWritable ? ' w' : ''}${isSigner ? ' s' : ''}`
    const made = placingCalls(placed()).map(({ programId, accounts, data }) => ({
      programId,
      keys: accounts.map((account) => `${account.address}${flags(account)}`),
      data: Buffer.from(data).toString('hex'),
    }))
    expect(made).toEqual(vector.instructions)
  })

  test('has the order hash of the SDK, which derives its state account', () => {
    expect(solanaOrderHash(placed())).toBe(vector.orderHash)
  })
})
