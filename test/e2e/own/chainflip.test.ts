import { keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bitcoinOf, watch } from '../../../scripts/client/balances.ts'
import { fundedCoin, payBitcoin } from '../../../scripts/client/bitcoin.ts'
import { bitcoinWallet } from '../../../scripts/client/bitcoinWallet.ts'
import { executeAs, follow, lastOf, statesOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { allBut, BITCOIN_WALLET } from '../../support/swaps.ts'
import { expectHalted, HOUR_MS, MINUTE_MS, staysIn } from '../support.ts'

/** What is paid to a channel otherwise than was asked for, in bitcoin: whatever becomes of it is what the chains show. */

let service: TestService
beforeAll(async () => {
  service = await startService(only('chainflip'))
})
afterAll(() => service.close())

const NOTHING = { refunded: 0n, delivered: 0n }
/** Satoshi that the network takes for sending back. */
const COST = 915n
let names = 0

/** 0.05 BTC to USDC on Arbitrum, its channel ready to be paid. */
const quote = async () => {
  names += 1
  const refundAddress = bitcoinWallet('p2wpkh', `chainflip ${names}`).address
  const recipient = privateKeyToAccount(keccak256(toHex(`chainflip ${names}`))).address
  const offer = await service.call('quote', {
    body: {
      ...{ inputChainId: -1, outputChainId: 42161, inputToken: NATIVE, outputToken: USDC.arbitrum, inputAmount: '5000000' },
      ...{ userAddress: BITCOIN_WALLET, refundAddress, destinationAddress: recipient, excludeVenues: allBut('chainflip') },
    },
  })
  return { offer, refundAddress, recipient }
}

const open = async () => {
  const { offer, refundAddress, recipient } = await quote()
  const { quoteToken, slippage, output } = offer
  const { statusRef: ref } = await executeAs(service, 'DEPOSIT', { quoteToken })
  const send = (amount: string) => service.control.deposit({ chainId: -1, token: NATIVE, address: ref, amount })
  const changes = await watch(service, {
    refunded: bitcoinOf(refundAddress),
    delivered: { chainId: 42161, token: USDC.arbitrum, owner: recipient },
  })
  const [minimum, expected] = [BigInt(slippage?.guaranteedMin ?? 0), BigInt(output.amount)]
  return { swap: { quoteToken, ref }, send, changes, minimum, output: expected }
}

it.each(['/api/networkInfo', '/v2/quote', '/api/openSwapDepositChannel'])(
  'no channel is opened once %s says that the asset is off',
  async (path) => {
    const { quoteToken } = (await quote()).offer
    await expectHalted(service, 'chainflip', { quoteToken, path })
    expect((await service.send('POST', '/api/v1/execute', { body: { quoteToken } })).status).toBe(200)
  },
)

describe('a deposit to a channel', () => {
  it('of more is swapped whole, at the price that was bound', async () => {
    const { swap, send, changes, output } = await open()
    await send('10000000')
    const end = lastOf(await follow(service, swap, { stepMs: 10 * MINUTE_MS }))
    const delivered = BigInt(end.deliveredAmount ?? 0)
    expect([end.status, delivered > (output * 199n) / 100n]).toEqual(['success', true])
    expect(await changes()).toEqual({ refunded: 0n, delivered })
  })

  it('of more goes back whole, less the cost of sending it, when the price has gone', async () => {
    const { swap, send, changes } = await open()
    await service.control.setPrice('BTC', '90000')
    await send('10000000')
    const seen = await follow(service, swap, { stepMs: 10 * MINUTE_MS })
    await service.control.setPrice('BTC', '98400')
    expect(statesOf(seen).at(-1)).toBe('refunded')
    expect(await changes()).toEqual({ refunded: 10_000_000n - COST, delivered: 0n })
  })

  it('of less is swapped for what it is worth, which is no success of this quote', async () => {
    const { swap, send, changes, minimum, output } = await open()
    await send('2000000')
    await service.control.advance(HOUR_MS)
    const stayed = await staysIn(service, swap, 'processing')
    const { refunded, delivered } = await changes()
    expect([stayed.venueStatus, stayed.deliveredAmount, refunded]).toEqual(['COMPLETED', `${delivered}`, 0n])
    expect([delivered > (output * 39n) / 100n, delivered < minimum]).toEqual([true, true])
  })

  it('that is paid out below the price that was bound is no success, and told as it is', async () => {
    const { swap, send, changes, minimum } = await open()
    await service.control.fault('chainflip', 'short-fill')
    await send('5000000')
    await service.control.clearFaults()
    await service.control.advance(HOUR_MS)
    const stayed = await staysIn(service, swap, 'processing')
    const { refunded, delivered } = await changes()
    expect([stayed.deliveredAmount, refunded, delivered < minimum]).toEqual([`${delivered}`, 0n, true])
  })

  it('below the least is lost: something was paid, and nothing is seen to come of it', async () => {
    const { swap, send, changes } = await open()
    await send('2000')
    const seen = await follow(service, swap, { stepMs: 10 * MINUTE_MS, until: 'expired' })
    expect(statesOf(seen).at(-1)).toBe('expired')
    expect((await staysIn(service, swap, 'expired')).venueStatus).toBe('FAILED')
    expect(await changes()).toEqual(NOTHING)
  })

  it('that was taken out of the mempool and whose coin is spent elsewhere is none: the swap waits, and fails with its channel', async () => {
    const { swap, changes } = await open()
    const coin = await fundedCoin(service, bitcoinWallet('p2wpkh', 'chainflip spends twice'), 10_000_000n)
    const { txid } = await payBitcoin(service, coin, { to: swap.ref, amount: 5_000_000n })
    expect(await service.control.reorg({ chainId: -1, drop: 'unconfirmed' })).toEqual([txid])
    await payBitcoin(service, coin, { to: bitcoinWallet('p2wpkh', 'anybody').address, amount: 5_000_000n })
    await service.control.advance(HOUR_MS)
    expect((await statusOf(service, swap)).status).toBe('pending')
    await service.control.advance(48 * HOUR_MS)
    await staysIn(service, swap, 'failed')
    expect(await changes()).toEqual(NOTHING)
  })

  it('that comes too late is nobody’s, and one that never comes ends the swap', async () => {
    const [late, never] = [await open(), await open()]
    await service.control.advance(25 * HOUR_MS)
    await late.send('5000000')
    await service.control.advance(HOUR_MS)
    expect((await staysIn(service, late.swap, 'expired')).venueStatus).toBe('WAITING')
    expect((await statusOf(service, never.swap)).status).toBe('failed')
    expect([await late.changes(), await never.changes()]).toEqual([NOTHING, NOTHING])
  })
})
