import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  decodeAbiParameters,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  parseAbiParameters,
  parseEther,
  size,
  type TypedDataDefinition,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChains } from '../../engine/chains/createChains.ts'
import { parseConfig } from '../../engine/config/config.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { createEngine } from '../../engine/engine.ts'
import type { KeyStore } from '../../engine/keys/keyStore.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'
import { openStore } from '../../engine/store/openStore.ts'
import { createApp } from '../../handlers/app.ts'
import { createServer } from '../../handlers/http/server.ts'
import { bitcoinOf, watch } from '../../scripts/client/balances.ts'
import { balanceOf, broadcast } from '../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf } from '../../scripts/client/swap.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { liveEnvironment } from '../../scripts/liveEnvironment.ts'
import { createFakeSolana } from '../support/fakeSolana.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { ACCOUNT, allBut, DEPOSIT_SWAP, OTHER_EVM, SIGNATURE_SWAP, SOLANA_WALLET, TRANSACTION_SWAP } from '../support/swaps.ts'
import { wideRooms } from '../support/wideRooms.ts'
import { startLive } from './liveService.ts'
import { HOUR_MS } from './support.ts'

const FEE_EVM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const COW_SETTLEMENT = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'
const FEE_ACCOUNT = 'swap-service.near'
const RECIPIENTS = {
  VENUE_ACROSS_FEE_RECIPIENT: FEE_EVM,
  VENUE_COW_FEE_RECIPIENT: FEE_EVM,
  VENUE_NEAR_INTENTS_FEE_ACCOUNT: FEE_ACCOUNT,
  VENUE_RELAY_FEE_RECIPIENT: FEE_EVM,
}

const SPOKE_POOL = parseAbi([
  'function deposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message)',
  'function depositNative(address spokePool, address depositor, bytes32 recipient, address inputToken, uint256 inputAmount, bytes32 outputToken, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message)',
])
/** contracts/handlers/MulticallHandler.sol of across-protocol/contracts. */
const INSTRUCTIONS = parseAbiParameters([
  'Instructions instructions',
  'struct Instructions { Call[] calls; address fallbackRecipient; }',
  'struct Call { address target; bytes callData; uint256 value; }',
])
const HANDLER = '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E'
const DRAIN = parseAbi(['function drainLeftoverTokens(address token, address destination)'])

/** 250 USDC from Base to Arbitrum. */
const BY_RELAY = { ...TRANSACTION_SWAP, excludeVenues: allBut('relay') }

let free: TestService
let charged: TestService
beforeAll(async () => {
  free = await startService(only('across', 'cow', 'near-intents', 'relay'))
  charged = await startService({ ...only('across', 'cow', 'near-intents', 'relay'), FEE_SCHEDULE: 'route', ...RECIPIENTS })
  await fund(charged, 8453, ACCOUNT.address, { [NATIVE]: parseEther('10').toString(), [USDC.base]: '250000000' })
})
afterAll(async () => {
  await charged.close()
  await free.close()
})

const quoteBoth = (body: QuoteRequest) => Promise.all([free.call('quote', { body }), charged.call('quote', { body })])

describe('without a recipient', () => {
  it('nothing is charged and the quote says so, although the schedule is on', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'swap-unpaid-'))
    const service = await startLive(free.simnet, { DATA_DIR: dataDir, FEE_SCHEDULE: 'route' })
    for (const body of [TRANSACTION_SWAP, DEPOSIT_SWAP, BY_RELAY]) {
      const [plain, scheduled] = await Promise.all([free.call('quote', { body }), service.call('quote', { body })])
      expect(scheduled.fee).toMatchObject({ bps: 0, amount: '0' })
      expect(scheduled.output).toEqual(plain.output)
    }
    await service.close()
    await rm(dataDir, { recursive: true, force: true })
  })
})

describe('across, 15 bps between EVM chains', () => {
  it('quotes the fee to the unit, pays it in the message of the deposit, and delivers the rest', async () => {
    const [plain, offer] = await quoteBoth(TRANSACTION_SWAP)
    expect(plain).toMatchObject({ fee: { bps: 0, amount: '0' }, output: { amount: '249942500' } })
    // 15 bps of what the bridge brings over, rounded down.
    expect(offer).toMatchObject({
      fee: { bps: 15, amount: '374913', token: { chainId: 42161, address: USDC.arbitrum } },
      output: { amount: (249_942_500 - 374_913).toString() },
      slippage: { guaranteedMin: (249_567_587 - 249_567).toString() },
    })

    const { quoteToken } = offer
    const { approval, transaction } = await executeAs(charged, 'TRANSACTION', { quoteToken })
    const { args } = decodeFunctionData({ abi: SPOKE_POOL, data: transaction.data as Hex })
    expect([args[1], args[5]]).toEqual([`0x${HANDLER.slice(2).toLowerCase().padStart(64, '0')}`, 249_942_500n])
    const [{ calls, fallbackRecipient }] = decodeAbiParameters(INSTRUCTIONS, args[11] as Hex)
    expect(fallbackRecipient).toBe(zeroAddress)
    expect(calls).toEqual([
      {
        target: USDC.arbitrum,
        callData: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [FEE_EVM, 374_913n] }),
        value: 0n,
      },
      ...[0, 1].map(() => ({
        target: HANDLER,
        callData: encodeFunctionData({ abi: DRAIN, functionName: 'drainLeftoverTokens', args: [USDC.arbitrum, ACCOUNT.address] }),
        value: 0n,
      })),
    ])

    if (approval) await broadcast(charged.control.rpcUrl(8453), approval.transaction)
    const held = (owner: string) => balanceOf(charged.control.rpcUrl(42161), USDC.arbitrum, owner)
    const [swapper, collector] = [await held(ACCOUNT.address), await held(FEE_EVM)]
    const ref = await broadcast(charged.control.rpcUrl(8453), transaction)
    const end = lastOf(await follow(charged, { quoteToken, ref }, { stepMs: 3_000 }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    expect(await held(ACCOUNT.address)).toBe(swapper + BigInt(offer.output.amount))
    expect(await held(FEE_EVM)).toBe(collector + 374_913n)
    expect(await held(HANDLER)).toBe(0n)
  })

  it('pays the fee on a native output in native coins', async () => {
    const request = { ...TRANSACTION_SWAP, inputToken: NATIVE, outputToken: NATIVE, inputAmount: parseEther('1').toString() }
    const [plain, offer] = await quoteBoth(request)
    const fee = (BigInt(plain.output.amount) * 15n) / 10_000n
    expect(offer).toMatchObject({
      fee: { bps: 15, amount: fee.toString() },
      output: { amount: (BigInt(plain.output.amount) - fee).toString() },
    })
    const { transaction } = await executeAs(charged, 'TRANSACTION', { quoteToken: offer.quoteToken })
    const { args } = decodeFunctionData({ abi: SPOKE_POOL, data: transaction.data as Hex })
    const [{ calls }] = decodeAbiParameters(INSTRUCTIONS, args[12] as Hex)
    const paid = calls.filter(({ callData }) => size(callData) === 0)
    expect(paid).toEqual([{ target: FEE_EVM, callData: '0x', value: fee }])

    const held = (owner: string) => balanceOf(charged.control.rpcUrl(42161), NATIVE, owner)
    const [swapper, collector] = [await held(ACCOUNT.address), await held(FEE_EVM)]
    const ref = await broadcast(charged.control.rpcUrl(8453), transaction)
    const end = lastOf(await follow(charged, { quoteToken: offer.quoteToken, ref }, { stepMs: 3_000 }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    expect(await held(ACCOUNT.address)).toBe(swapper + BigInt(offer.output.amount))
    expect(await held(FEE_EVM)).toBe(collector + fee)
  })

  it('charges none where the venue takes none: to Solana', async () => {
    const toSolana = {
      ...TRANSACTION_SWAP,
      outputChainId: -2,
      outputToken: USDC.solana,
      destinationAddress: SOLANA_WALLET,
    } as const
    const [plain, offer] = await quoteBoth(toSolana)
    expect(offer).toMatchObject({ venue: { id: 'across' }, fee: { bps: 0, amount: '0' }, output: plain.output })
  })
})

describe('relay, 15 bps between EVM chains', () => {
  it('quotes the fee to the unit, has the venue take it off the input, and delivers the rest', async () => {
    const [plain, offer] = await quoteBoth(BY_RELAY)
    // 250 USDC less 2.4 cents, 1 bps and 2 millionths; the fee is 15 bps of the input, told in net output.
    expect(plain).toMatchObject({ fee: { bps: 0, amount: '0' }, output: { amount: '249950500' } })
    const output = 249_950_500n - 375_000n
    expect(offer).toMatchObject({
      fee: { bps: 15, amount: ((output * 15n) / 9_985n).toString(), token: { chainId: 42161, address: USDC.arbitrum } },
      output: { amount: output.toString() },
      slippage: { guaranteedMin: ((output * 9_800n) / 10_000n).toString() },
    })

    const { quoteToken } = offer
    await fund(charged, 8453, ACCOUNT.address, { [USDC.base]: BY_RELAY.inputAmount })
    const { approval, transaction } = await executeAs(charged, 'TRANSACTION', { quoteToken })
    if (approval) await broadcast(charged.control.rpcUrl(8453), approval.transaction)
    const held = (owner: string) => balanceOf(charged.control.rpcUrl(42161), USDC.arbitrum, owner)
    const [swapper, collector] = [await held(ACCOUNT.address), await held(FEE_EVM)]
    const ref = await broadcast(charged.control.rpcUrl(8453), transaction)
    const end = lastOf(await follow(charged, { quoteToken, ref }, { stepMs: 3_000 }))
    expect(end).toMatchObject({ status: 'success', venue: 'relay', deliveredAmount: offer.output.amount })
    // The fee stays with the venue, which keeps it for the account in its books.
    expect([await held(ACCOUNT.address), await held(FEE_EVM)]).toEqual([swapper + output, collector])
  })
})

describe('near-intents, 30 bps from native Bitcoin', () => {
  const signedFees = (service: TestService, ref: string) =>
    service.control
      .askVenue<{ quoteResponse: { quoteRequest: { appFees: readonly { recipient: string; fee: number }[] } } }>(
        'near-intents',
        `/v0/status?depositAddress=${ref}`,
      )
      .then(({ quoteResponse }) => quoteResponse.quoteRequest.appFees)

  /** 0.05 BTC at 98400 dollars, less what is taken in millionths, the spread, and 3 cents to withdraw. */
  const outputAfter = (feePpm: bigint): bigint =>
    (((((5_000_000n * (1_000_000n - feePpm)) / 1_000_000n) * 98_400_000_000n) / 10n ** 8n) * (1_000_000n - 654n)) / 1_000_000n -
    30_000n

  const runsToTheEnd = async (service: TestService, offer: { quoteToken: string; output: { amount: string } }) => {
    const { quoteToken } = offer
    const { deposit, statusRef } = await executeAs(service, 'DEPOSIT', { quoteToken })
    const { address, amount } = deposit
    const changes = await watch(service, {
      deposited: bitcoinOf(address),
      delivered: { chainId: 8453, token: USDC.base, owner: ACCOUNT.address },
    })
    await service.control.deposit({ chainId: -1, token: NATIVE, address, amount })
    await service.control.advance(HOUR_MS / 2)
    const end = await service.call('status', { query: { quoteToken, ref: statusRef } })
    expect(end).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    // The fee stays with the venue, in the account inside it; the rest is what the recipient has more.
    expect(await changes()).toEqual({ deposited: BigInt(amount), delivered: BigInt(offer.output.amount) })
    return statusRef
  }

  it('quotes the fee to the unit, has it signed by the venue, and delivers the rest', async () => {
    const [plain, offer] = await quoteBoth(DEPOSIT_SWAP)
    // The venue takes 20 bps of its own and a millionth; the fee is told in output, net of which the output is.
    const output = outputAfter(5_001n)
    expect(plain.output.amount).toBe(outputAfter(2_001n).toString())
    expect(offer).toMatchObject({
      fee: { bps: 30, amount: ((output * 30n) / (10_000n - 50n)).toString() },
      output: { amount: output.toString() },
      slippage: { guaranteedMin: ((output * 9_900n) / 10_000n).toString() },
    })
    // What the recipient gets less is the fee, but for its share of the withdrawal.
    const gap = BigInt(plain.output.amount) - output - BigInt(offer.fee.amount)
    expect(gap).toBeGreaterThanOrEqual(0n)
    expect(gap).toBeLessThan(120n)
    const ref = await runsToTheEnd(charged, offer)
    const [ours, ...venues] = await signedFees(charged, ref)
    expect(ours).toEqual({ recipient: FEE_ACCOUNT, fee: 30 })
    expect(venues.map(({ fee }) => fee)).toEqual([20])
  })

  it('tells what the venue leaves of the fee when it keeps half for itself', async () => {
    const keyed = await startService({
      ...only('across', 'cow', 'near-intents', 'relay'),
      FEE_SCHEDULE: 'route',
      ...RECIPIENTS,
      VENUE_NEAR_INTENTS_API_KEY: 'an-api-key-of-ours',
    })
    const offer = await keyed.call('quote', { body: DEPOSIT_SWAP })
    const output = outputAfter(3_501n)
    expect(offer).toMatchObject({
      fee: { bps: 15, amount: ((output * 15n) / (10_000n - 35n)).toString() },
      output: { amount: output.toString() },
    })
    const ref = await runsToTheEnd(keyed, offer)
    expect((await signedFees(keyed, ref))[0]).toEqual({ recipient: FEE_ACCOUNT, fee: 15 })
    await keyed.close()
  })

  it('is 25 bps between ecosystems and 15 between EVM chains', async () => {
    const evm = { ...TRANSACTION_SWAP, excludeVenues: allBut('near-intents') }
    const toSolana = { ...evm, outputChainId: -2, outputToken: USDC.solana, destinationAddress: SOLANA_WALLET } as const
    expect((await charged.call('quote', { body: evm })).fee.bps).toBe(15)
    expect((await charged.call('quote', { body: toSolana })).fee.bps).toBe(25)
  })
})

describe('cow', () => {
  /** The service of one partner, who charges 50 bps on every route. */
  const startForPartner = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'swap-partner-'))
    const { simnet } = charged
    const config = parseConfig({
      ...liveEnvironment(simnet),
      ...RECIPIENTS,
      QUOTE_TOKEN_KEYS: 'ab'.repeat(32),
      WEBHOOK_SECRET_KEYS: 'ab'.repeat(32),
    })
    const keys: KeyStore = {
      find: async (apiKey) =>
        apiKey === 'a-key' ? { tier: 'selfServe', partnerId: 'p1', feeBps: 50, requestsPerMinute: 1_000 } : null,
      forget: () => undefined,
    }
    const http = createHttpClient()
    const chains = createChains({ rpcUrls: config.rpcUrls, clock: simnet.clock })
    const store = await openStore({ ...config, dataDir }, systemClock)
    const engine = await createEngine(config, {
      http,
      chains,
      solana: createFakeSolana(),
      store,
      evidence: 'trustVenues',
      clock: simnet.clock,
      observe: () => undefined,
      keys,
    })
    const server = createServer(
      createApp(engine, {
        trustedProxies: [],
        keysPerAddressPerMinute: 0,
        validateResponses: true,
        rooms: wideRooms(),
        observe: () => undefined,
      }),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
    const call = async <T>(path: string, body: unknown): Promise<T> => {
      const headers = { 'content-type': 'application/json', 'x-api-key': 'a-key' }
      const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      return ((await response.json()) as { data: T }).data
    }
    const close = async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await store.close()
      await chains.close()
      await http.close()
      await rm(dataDir, { recursive: true, force: true })
    }
    return { call, close }
  }

  it('charges nothing on the same chain by the schedule, and then says nothing of a fee in the order', async () => {
    const [plain, offer] = await quoteBoth(SIGNATURE_SWAP)
    expect(offer).toMatchObject({ venue: { id: 'cow' }, fee: { bps: 0, amount: '0' }, output: plain.output })
  })

  it("quotes a partner's own fee to the unit, and carries it to the recipient in the order that is signed", async () => {
    await fund(charged, 1, ACCOUNT.address, { [NATIVE]: parseEther('1').toString(), [USDC.ethereum]: '1000000000' })
    const [plain, partner] = await Promise.all([free.call('quote', { body: SIGNATURE_SWAP }), startForPartner()])
    type Offer = typeof plain
    const offer = await partner.call<Offer>('/quote', SIGNATURE_SWAP)
    // Taken from the output as it was before 80 cents of network cost and 2 bps of protocol fee.
    const net = BigInt(plain.output.amount)
    const fee = ((net + (net * 800_000n) / 999_200_000n + (net * 2n) / 9_998n) * 50n) / 10_000n
    expect(offer).toMatchObject({
      fee: { bps: 50, amount: fee.toString() },
      output: { amount: (net - fee).toString() },
      slippage: { guaranteedMin: (net - fee - ((net - fee) * 50n) / 10_000n).toString() },
    })

    const { quoteToken } = offer
    type Signable = { typedData: TypedDataDefinition; approval: { transaction: Parameters<typeof broadcast>[1] } }
    const { typedData, approval } = await partner.call<Signable>('/execute', { quoteToken, destinationAddress: OTHER_EVM })
    await broadcast(charged.control.rpcUrl(1), approval.transaction)
    const signature = await ACCOUNT.signTypedData(typedData)
    const { statusRef } = await partner.call<{ statusRef: string }>('/submit-signature', { quoteToken, signature })
    type Posted = { fullAppData: string; appData: string; receiver: string }
    const posted = await charged.control.askVenue<Posted>('cow', `/mainnet/api/v1/orders/${statusRef.replace('mainnet:', '')}`)
    expect(posted).toMatchObject({ appData: typedData.message.appData, receiver: OTHER_EVM.toLowerCase() })
    expect(JSON.parse(posted.fullAppData)).toMatchObject({ metadata: { partnerFee: { recipient: FEE_EVM, volumeBps: 50 } } })

    const rpcUrl = charged.control.rpcUrl(1)
    const recipients = [OTHER_EVM, FEE_EVM]
    const held = () => Promise.all(recipients.map((holder) => balanceOf(rpcUrl, WETH_ETHEREUM, holder)))
    const [received = 0n, charge = 0n] = await held()
    const kept = await balanceOf(rpcUrl, USDC.ethereum, COW_SETTLEMENT)
    await charged.control.advance(15_000)
    // The venue takes its share of what the whole input is worth after the spread. It stays with the venue, which pays its
    // partners week by week; the quote's own reckoning of it is the same to a millionth.
    const worth = (((1_000_000_000n * 10n ** 18n) / 3_950_000_000n) * 99_940n) / 100_000n
    const delivered = net - (worth * 50n) / 10_000n
    expect(await held()).toEqual([received + delivered, charge])
    expect(net - fee - delivered).toBeLessThan((net - fee) / 1_000_000n)
    expect(delivered).toBeGreaterThanOrEqual(BigInt(offer.slippage?.guaranteedMin ?? 0))
    expect(await balanceOf(rpcUrl, USDC.ethereum, COW_SETTLEMENT)).toBe(kept + 1_000_000_000n)
    await partner.close()
  })
})
