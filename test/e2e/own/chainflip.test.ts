import { expect, it } from 'vitest'
import { bitcoinOf, watch } from '../../../scripts/client/balances.ts'
import { fundedCoin, payBitcoin } from '../../../scripts/client/bitcoin.ts'
import { bitcoinWallet } from '../../../scripts/client/bitcoinWallet.ts'
import { executeAs, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { only, startService } from '../../support/service.ts'
import { ACCOUNT, BITCOIN_WALLET } from '../../support/swaps.ts'
import { HOUR_MS, staysIn } from '../support.ts'

it('a bitcoin deposit that leaves the mempool, its coin spent elsewhere, stays pending and fails with its channel', async () => {
  const service = await startService(only('chainflip'))
  const refundAddress = bitcoinWallet('p2wpkh', 'chainflip').address
  const { quoteToken } = await service.call('quote', {
    body: {
      ...{ inputChainId: -1, outputChainId: 42161, inputToken: NATIVE, outputToken: USDC.arbitrum, inputAmount: '5000000' },
      ...{ userAddress: BITCOIN_WALLET, refundAddress, destinationAddress: ACCOUNT.address },
    },
  })
  const { statusRef: ref } = await executeAs(service, 'DEPOSIT', { quoteToken })
  const changes = await watch(service, {
    refunded: bitcoinOf(refundAddress),
    delivered: { chainId: 42161, token: USDC.arbitrum, owner: ACCOUNT.address },
  })
  const coin = await fundedCoin(service, bitcoinWallet('p2wpkh', 'chainflip spends twice'), 10_000_000n)
  const { txid } = await payBitcoin(service, coin, { to: ref, amount: 5_000_000n })
  expect(await service.control.reorg({ chainId: -1, drop: 'unconfirmed' })).toEqual([txid])
  await payBitcoin(service, coin, { to: bitcoinWallet('p2wpkh', 'anybody').address, amount: 5_000_000n })
  await service.control.advance(HOUR_MS)
  expect((await statusOf(service, { quoteToken, ref })).status).toBe('pending')
  await service.control.advance(48 * HOUR_MS)
  await staysIn(service, { quoteToken, ref }, 'failed')
  expect(await changes()).toEqual({ refunded: 0n, delivered: 0n })
  await service.close()
})
