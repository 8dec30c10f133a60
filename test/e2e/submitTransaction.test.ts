import { expect, it } from 'vitest'
import { startSimnet } from '../../engine/simnet/simnet.ts'
import { heldBy } from '../../scripts/client/balances.ts'
import { controlNetwork } from '../../scripts/client/network.ts'
import { executeAs } from '../../scripts/client/swap.ts'
import { USDC } from '../../scripts/client/tokens.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { startRpcProxy } from '../support/rpcProxy.ts'
import { solanaSigner } from '../support/solanaSigner.ts'
import { aFolder } from '../support/storeStage.ts'
import { ACCOUNT, allBut } from '../support/swaps.ts'
import { startLive } from './liveService.ts'

const SOL = 'So11111111111111111111111111111111111111112'
const ONE_SOL = 1_000_000_000n
const FEE = 5_000n

it('submit-transaction: a post whose answer from Solana is lost is 502 with the hash, and 200 after a crash: it is sent and paid once [broadcast-uncertain-502]', async () => {
  const simnet = await startSimnet({ controlPort: 0, seed: '1', venues: ['relay'] })
  const control = controlNetwork(simnet.controlUrl)
  const dataDir = aFolder()
  // Counts what really went out.
  const proxy = await startRpcProxy(control.rpcUrl(-2))
  const start = () => startLive(simnet, { DATA_DIR: dataDir, RPC_URLS_SOLANA: proxy.url })
  const { address, sign } = solanaSigner(60)
  await control.faucet({ chainId: -2, token: SOL, address, amount: (3n * ONE_SOL).toString() })
  const spent = async () => 3n * ONE_SOL - (await heldBy({ control }, { chainId: -2, token: SOL, owner: address }))

  const first = await start()
  const { quoteToken } = await first.call('quote', {
    body: {
      ...{ inputChainId: -2, inputToken: SOL, inputAmount: ONE_SOL.toString(), outputChainId: 8453, outputToken: USDC.base },
      ...{ userAddress: address, destinationAddress: ACCOUNT.address, excludeVenues: allBut('relay') },
      broadcastViaService: true,
    },
  })
  const execution = await executeAs(first, 'TRANSACTION', { quoteToken })
  const { statusRef = '', transaction } = execution
  const body = { quoteToken: execution.quoteToken ?? '', signedTransaction: sign(transaction.serialized ?? '') }
  proxy.lose('sendTransaction', 'answer')
  const { txHash } = expectFailure(await first.send('POST', '/api/v1/submit-transaction', { body }), 502, 'BUILD_FAILED')
  expect(await spent()).toBe(ONE_SOL + FEE)
  await first.close()

  const second = await start()
  proxy.mend()
  for (const _ of [1, 2]) expect(await second.call('submitTransaction', { body })).toEqual({ txHash })
  expect(proxy.count('sendTransaction')).toBe(1)
  expect(await spent()).toBe(ONE_SOL + FEE)
  await control.advance(60_000)
  expect(await second.call('status', { query: { quoteToken, ref: statusRef } })).toMatchObject({ status: 'success' })
  await second.close()
  await proxy.close()
  await simnet.close()
})
