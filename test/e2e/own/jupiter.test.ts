import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Connection, Keypair } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { associatedTokenAddress, decodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import { ConfigError } from '../../../engine/config/config.ts'
import { type Simnet, startSimnet } from '../../../engine/simnet/simnet.ts'
import { watch } from '../../../scripts/client/balances.ts'
import { controlNetwork, type NetworkControl } from '../../../scripts/client/network.ts'
import { solanaWallet } from '../../../scripts/client/solana.ts'
import { executeAs, follow, fund, lastOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE_SOL, SOLANA, USDC } from '../../../scripts/client/tokens.ts'
import { solanaSigner } from '../../support/solanaSigner.ts'
import { allBut } from '../../support/swaps.ts'
import { type LiveService, startLive } from '../liveService.ts'

const QUARTER = '250000000'

let simnet: Simnet
let control: NetworkControl
let dataDir: string
let service: LiveService
let seed = 90

const live = (env: { readonly [name: string]: string } = {}): Promise<LiveService> =>
  startLive(simnet, { VENUES_ENABLED: 'jupiter', VENUE_JUPITER_REQUESTS_PER_MINUTE: '1000000', DATA_DIR: dataDir, ...env })

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: '1', venues: ['jupiter'] })
  control = controlNetwork(simnet.controlUrl)
  dataDir = await mkdtemp(join(tmpdir(), 'swap-jupiter-'))
  service = await live()
})
afterAll(async () => {
  await service.close()
  await simnet.close()
  await rm(dataDir, { recursive: true, force: true })
})
afterEach(() => control.setPrice('SOL', '171.2'))

const network = () => ({ control, simnet })

/** A funded wallet with a swap for itself, quoted and executed. */
const open = async ({ input, output }: { readonly input: string; readonly output: string }) => {
  seed += 1
  const signer = solanaSigner(seed)
  const { address } = signer
  await fund(network(), SOLANA, address, { [input]: QUARTER, [NATIVE_SOL]: '1250000000' })
  const sides = { inputChainId: SOLANA, outputChainId: SOLANA, inputToken: input, outputToken: output } as const
  const offer = await service.call('quote', {
    body: { ...sides, inputAmount: QUARTER, userAddress: address, excludeVenues: allBut('jupiter') },
  })
  const execution = await executeAs(service, 'TRANSACTION', { quoteToken: offer.quoteToken })
  const changes = await watch(network(), {
    input: { chainId: SOLANA, token: input, owner: address },
    output: { chainId: SOLANA, token: output, owner: address },
    coins: { chainId: SOLANA, token: NATIVE_SOL, owner: address },
  })
  return { offer, execution, changes, signer, wallet: solanaWallet(control, seed), quoteToken: offer.quoteToken }
}

describe('SOL that is bought', () => {
  it('reaches the wallet as SOL, to the unit, and nothing stays wrapped', async () => {
    const { offer, execution, changes, wallet, quoteToken } = await open({ input: USDC.solana, output: NATIVE_SOL })
    const { id: ref, cost } = await wallet.send(execution.transaction)
    const output = BigInt(offer.output.amount)
    expect(await changes()).toEqual({ input: -BigInt(QUARTER), output: output - cost, coins: output - cost })
    expect(BigInt(offer.gas?.native ?? 0)).toBeGreaterThanOrEqual(cost)
    const end = lastOf(await follow({ ...service, control }, { quoteToken, ref }, { stepMs: 1_000 }))
    expect(end).toMatchObject({ status: 'success', txHash: ref, deliveredAmount: offer.output.amount })
  })
})

describe('a price that has gone by the time it is paid', () => {
  it('is not swapped at: the wallet loses the fee of the network alone, and the swap has failed', async () => {
    const { execution, changes, signer, wallet, quoteToken } = await open({ input: NATIVE_SOL, output: USDC.solana })
    await control.setPrice('SOL', '160')
    await expect(wallet.send(execution.transaction)).rejects.toThrow(/6001|0x1771/)
    expect(await changes()).toEqual({ input: 0n, output: 0n, coins: 0n })
    const connection = new Connection(control.rpcUrl(SOLANA), 'confirmed')
    const signed = Buffer.from(signer.sign(execution.transaction.serialized ?? ''), 'base64')
    const ref = await connection.sendRawTransaction(signed, { skipPreflight: true })
    const [limit] = (await decodeSolanaTransaction(execution.transaction.serialized ?? ''))?.instructions ?? []
    const units = Buffer.from(limit?.data ?? []).readUInt32LE(1)
    // By the simulation at execute; at 20,000 micro-lamports a unit.
    expect(units).toBeLessThan(100_000)
    const fee = 5_000n + BigInt(Math.ceil(units / 50))
    expect(await changes()).toEqual({ input: -fee, output: 0n, coins: -fee })
    expect(await statusOf(service, { quoteToken, ref })).toMatchObject({ status: 'failed' })
  })
})

describe('the integrator fee', () => {
  const wallet = Keypair.fromSeed(new Uint8Array(32).fill(7)).publicKey.toBase58()
  const account = associatedTokenAddress(wallet, USDC.solana)

  it('to an account that is not there stops the start, which names it', async () => {
    const start = live({ VENUE_JUPITER_FEE_WALLET: wallet, VENUE_JUPITER_FEE_MINTS: USDC.solana })
    await expect(start).rejects.toThrow(ConfigError)
    await expect(start).rejects.toThrow(account)
  })
})
