import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type LoopbackServer, startLoopbackServer } from '../../../engine/simnet/loopbackServer.ts'
import { type Simnet, startSimnet } from '../../../engine/simnet/simnet.ts'
import { controlNetwork } from '../../../scripts/client/network.ts'
import { fund } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { type LiveService, startLive } from '../../e2e/liveService.ts'
import { ACCOUNT, OTHER_EVM, SOLANA_WALLET } from '../../support/swaps.ts'

type Row = { readonly assetId: string; readonly blockchain: string; readonly [field: string]: unknown }

const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const ARB_ID = 'nep141:arb-0x912ce59144191c1204e64559fe8253a0e49e6548.omft.near'
const DAI_ID = 'nep141:eth-0x6b175474e89094c44da98b954eedeac495271d0f.omft.near'
const USDC_SOLANA_ID = 'nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near'
const USDT_SOLANA = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
const BNB_ID = 'nep245:v2_1.omni.hot.tg:56_11111111111111111111'
const USDC_BSC = '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d'

/** What the list says of the first asset is what is true of the second, whose own row is gone. */
const relabel =
  (id: string, as: Partial<Row>, unlisted: (row: Row) => boolean = () => false) =>
  (rows: readonly Row[]): readonly Row[] =>
    rows.filter((row) => row.assetId === id || !unlisted(row)).map((row) => (row.assetId === id ? { ...row, ...as } : row))

const ARB_AS_DAI = relabel(
  ARB_ID,
  { blockchain: 'eth', symbol: 'DAI', contractAddress: DAI.toLowerCase(), decimals: 18 },
  ({ assetId }) => assetId === DAI_ID,
)
const USDC_AS_USDT_ON_SOLANA = relabel(
  USDC_SOLANA_ID,
  { symbol: 'USDT', contractAddress: USDT_SOLANA },
  ({ contractAddress }) => contractAddress === USDT_SOLANA,
)
const BNB_AS_USDC = relabel(
  BNB_ID,
  { symbol: 'USDC', contractAddress: USDC_BSC.toLowerCase() },
  ({ contractAddress }) => contractAddress === USDC_BSC.toLowerCase(),
)
/** The native coin of another chain, by its blockchain and symbol alone. */
const BASE_ETHER_AS_MAINNET_ETHER = relabel(
  'nep141:base.omft.near',
  { blockchain: 'eth' },
  ({ assetId }) => assetId === 'nep141:eth.omft.near',
)

let simnet: Simnet
let proxy: LoopbackServer
let lie: (rows: readonly Row[]) => readonly Row[] = (rows) => rows
let dataDir: string
let service: LiveService

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: '1' })
  const venue = simnet.venues['near-intents']?.baseUrl ?? ''
  proxy = await startLoopbackServer(async ({ method, url, rawBody }, response) => {
    const init = { method, headers: { 'content-type': 'application/json' } }
    const answer = await fetch(`${venue}${url.pathname}${url.search}`, method === 'GET' ? init : { ...init, body: rawBody })
    const body: unknown = await answer.json()
    const told = url.pathname === '/v0/tokens' ? lie(body as readonly Row[]) : body
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(told))
  })
  const coins = { [NATIVE]: parseEther('10').toString() }
  const control = controlNetwork(simnet.controlUrl)
  await fund({ control }, 1, ACCOUNT.address, { ...coins, [DAI]: parseEther('5000').toString() })
  await fund({ control }, 56, ACCOUNT.address, { ...coins, [USDC_BSC]: parseEther('5000').toString() })
  await fund({ control }, 8453, ACCOUNT.address, { ...coins, [USDC.base]: '5000000000' })
})
afterAll(async () => {
  await proxy.close()
  await simnet.close()
})
afterEach(async () => {
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** The service with this venue alone, behind the liar. */
const startWith = async (told: typeof lie) => {
  lie = told
  dataDir = await mkdtemp(join(tmpdir(), 'swap-liar-'))
  service = await startLive(simnet, {
    DATA_DIR: dataDir,
    VENUES_ENABLED: 'near-intents',
    VENUE_NEAR_INTENTS_BASE_URL: proxy.origin,
  })
}

const EVM_PAIR = { userAddress: ACCOUNT.address, destinationAddress: OTHER_EVM }
const SWAPS = {
  toDai: {
    ...EVM_PAIR,
    ...{ inputChainId: 8453, inputToken: USDC.base, inputAmount: '1000000000', outputChainId: 1, outputToken: DAI },
  },
  fromDai: {
    ...EVM_PAIR,
    ...{ inputChainId: 1, inputToken: DAI, inputAmount: '1000000000000000000000', outputChainId: 8453, outputToken: USDC.base },
  },
  toUsdtOnSolana: {
    userAddress: ACCOUNT.address,
    destinationAddress: SOLANA_WALLET,
    ...{ inputChainId: 8453, inputToken: USDC.base, inputAmount: '1000000000', outputChainId: -2, outputToken: USDT_SOLANA },
  },
  fromUsdtOnSolana: {
    userAddress: SOLANA_WALLET,
    destinationAddress: OTHER_EVM,
    ...{ inputChainId: -2, inputToken: USDT_SOLANA, inputAmount: '1000000000', outputChainId: 8453, outputToken: USDC.base },
  },
  toUsdcOnBsc: {
    ...EVM_PAIR,
    ...{ inputChainId: 8453, inputToken: USDC.base, inputAmount: '1000000000', outputChainId: 56, outputToken: USDC_BSC },
  },
  fromUsdcOnBsc: {
    ...EVM_PAIR,
    ...{
      inputChainId: 56,
      inputToken: USDC_BSC,
      inputAmount: '1000000000000000000000',
      outputChainId: 8453,
      outputToken: USDC.base,
    },
  },
  toEther: {
    ...EVM_PAIR,
    ...{ inputChainId: 8453, inputToken: USDC.base, inputAmount: '1000000000', outputChainId: 1, outputToken: NATIVE },
  },
  fromEther: {
    ...EVM_PAIR,
    ...{ inputChainId: 1, inputToken: NATIVE, inputAmount: '1000000000000000000', outputChainId: 8453, outputToken: USDC.base },
  },
} as const

const sold = async (swap: object): Promise<string> => {
  const quoted = await service.send('POST', '/api/v1/quote', { body: swap })
  if (quoted.status !== 200) return `not quoted: ${(quoted.body as { error: { code: string } }).error.code}`
  const { quoteToken } = (quoted.body as { data: { quoteToken: string } }).data
  const executed = await service.send('POST', '/api/v1/execute', { body: { quoteToken } })
  return executed.status === 200 ? 'sold' : `not executed: ${(executed.body as { error: { code: string } }).error.code}`
}

describe('what the venue signed is what it names, whatever its token list calls it:', () => {
  test('an honest list sells all of them', async () => {
    await startWith((rows) => rows)
    const outcomes = await Promise.all(Object.values(SWAPS).map(sold))
    expect(outcomes).toEqual(outcomes.map(() => 'sold'))
  })

  test.each([
    ['ARB sold as DAI', ARB_AS_DAI, ['toDai', 'fromDai']],
    ['one mint sold as another', USDC_AS_USDT_ON_SOLANA, ['toUsdtOnSolana', 'fromUsdtOnSolana']],
    ['BNB sold as USDC', BNB_AS_USDC, ['toUsdcOnBsc', 'fromUsdcOnBsc']],
    ['ether of Base sold as ether of Ethereum', BASE_ETHER_AS_MAINNET_ETHER, ['toEther', 'fromEther']],
  ] as const)('%s, on either side, is not', async (_name, told, swaps) => {
    await startWith(told)
    for (const name of swaps) expect(await sold(SWAPS[name]), name).toBe('not quoted: NO_LIQUIDITY')
  })
})
