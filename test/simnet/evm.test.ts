import { createPublicClient, createWalletClient, encodeFunctionData, erc20Abi, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CHAIN_IDS, isEvmChainId } from '../../engine/core/chain.ts'
import { createArtifacts } from '../../engine/simnet/contracts/createArtifacts.ts'
import { startAnvil } from '../../engine/simnet/evm/anvilNode.ts'
import { createEvmChains } from '../../engine/simnet/evm/evmChains.ts'
import { genesisOf } from '../../engine/simnet/evm/evmGenesis.ts'
import { EvmRevert } from '../../engine/simnet/evm/evmRevert.ts'
import { createSimClock } from '../../engine/simnet/kit/simRandom.ts'
import type { SimDeposit, SimTransaction, SimVenue } from '../../engine/simnet/kit/simVenue.ts'
import { createTokens } from '../../engine/simnet/kit/tokens.ts'
import type { World } from '../../engine/simnet/kit/world.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { SIM_VENUES } from '../../engine/simnet/simVenues.ts'

const START_OF_TIME = Date.UTC(2026, 10, 20)
/** anvil's first development account. */
const ACCOUNT = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const STRANGER = '0x1111111111111111111111111111111111111111'
const PAYEE = '0x2222222222222222222222222222222222222222'
const ROUTER = '0x3333333333333333333333333333333333333333'
/** Passes its coins and the rest of the calldata on to the address the calldata begins with, and never fails. */
const ROUTER_CODE = '0x60143603806014600037600060008260003460003560601c5af100'
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

type Heard = { deposits: SimDeposit[]; transactions: SimTransaction[] }

const worlds: { [id: string]: World } = {}
const heard: { [id: string]: Heard } = {}

/** A venue that takes note of all it is told, and refuses calls of its contract that end in `dead`. */
const listener = (id: string) => ({
  id,
  create: (world: World): SimVenue => {
    worlds[id] = world
    const own: Heard = { deposits: [], transactions: [] }
    heard[id] = own
    return {
      id,
      settings: {},
      pricePaths: [],
      handle: () => ({ status: 200, body: { at: world.clock.now(), done } }),
      onDeposit: (deposit) => own.deposits.push(deposit) > 0 && deposit.address === PAYEE,
      onTransaction: (transaction) => {
        own.transactions.push(transaction)
        if (transaction.data.endsWith('dead')) throw new Error(`${id} refuses`)
        return false
      },
    }
  },
})

/** What the scheduled work of a test left behind. */
const done: string[] = []
const clock = createSimClock(() => START_OF_TIME)
let simnet: Simnet

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: 'test', clock, venues: [listener('first'), listener('second')] })
  await world().evm.rpc(1, 'anvil_setCode', [ROUTER, ROUTER_CODE])
})
afterAll(() => simnet.close())
beforeEach(() => {
  done.length = 0
  for (const { deposits, transactions } of Object.values(heard)) {
    deposits.length = 0
    transactions.length = 0
  }
})

const world = (): World => {
  const found = worlds.first
  if (!found) throw new Error('not started')
  return found
}
const post = async (path: string, body: unknown) => {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await fetch(`${simnet.controlUrl}${path}`, init)
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared whole
  return { status: response.status, body: (await response.json()) as any }
}
const client = () => createPublicClient({ transport: http(simnet.rpcUrls['1'] ?? '') })
const wallet = () => createWalletClient({ account: ACCOUNT, transport: http(simnet.rpcUrls['1'] ?? '') })
const transferOf = (to: string, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Hex, amount] })
const give = (token: string, holder: string, amount: bigint) => world().evm.fund({ chainId: 1, token, holder, amount })
const second = (): number => Math.floor(clock.now() / 1_000)

describe('an EVM chain of the offline network', () => {
  it('is ready after two calls, with everything on it from its first block on', async () => {
    const calls: string[] = []
    const startNode: typeof startAnvil = async (options) => {
      const node = await startAnvil(options)
      return {
        ...node,
        rpc: (method, params) => {
          calls.push(method)
          return node.rpc(method, params)
        },
      }
    }
    const tokens = createTokens()
    const contracts = SIM_VENUES.flatMap((venue) => venue.contracts ?? [])
    const artifacts = createArtifacts()
    const chains = createEvmChains({ clock, tokens, artifacts, contracts, startNode })
    expect(await chains.rpc(8453, 'eth_blockNumber', [])).toBe('0x0')
    expect(calls).toEqual(['anvil_setLoggingEnabled', 'anvil_setBlockTimestampInterval', 'eth_blockNumber'])
    const accounts = await genesisOf(8453, { tokens: tokens.all, contracts, artifacts })
    expect(accounts.length).toBeGreaterThan(10)
    for (const { address, code } of accounts) expect(await chains.rpc(8453, 'eth_getCode', [address, 'latest'])).toBe(code)
    await chains.close()
  })

  it('has no two contracts at one address, and every venue contract where that venue is', async () => {
    const parts = { tokens: createTokens().all, artifacts: createArtifacts() }
    const contracts = SIM_VENUES.flatMap((venue) => venue.contracts ?? [])
    for (const chainId of CHAIN_IDS.filter(isEvmChainId)) {
      const accounts = await genesisOf(chainId, { ...parts, contracts })
      expect(accounts.every(({ code }) => code.length > 100)).toBe(true)
    }
    await expect(genesisOf(1, { ...parts, contracts: [...contracts, ...contracts] })).rejects.toThrow('two contracts')
  })

  it('has a block of the present second for every transaction, however time moved', async () => {
    const { evm } = world()
    const sendOne = () => evm.send({ chainId: 1, from: STRANGER, to: PAYEE, data: '0x' })
    expect((await sendOne()).timestamp).toBe(second())
    expect((await sendOne()).timestamp).toBe(second())
    clock.advance(7_500)
    expect((await sendOne()).timestamp).toBe(second())
    await post('/clock', { advanceMs: 48 * 3_600_000 })
    expect((await sendOne()).timestamp).toBe(second())
    expect((await client().getBlock()).baseFeePerGas).toBe(10n ** 9n)
  })

  it('loses its last blocks when told to, and the venues can see it', async () => {
    const { evm } = world()
    await give(USDT, STRANGER, 50n)
    const { txHash, status } = await evm.send({ chainId: 1, from: STRANGER, to: USDT, data: transferOf(PAYEE, 50n) })
    expect(status).toBe('success')
    const held = await evm.balance(1, USDT, PAYEE)
    const { body } = await post('/reorg', { chainId: 1, depth: 1 })
    expect(body).toEqual({ chainId: 1, depth: 1, dropped: [txHash] })
    expect(await evm.receipt(1, txHash)).toBeNull()
    expect(await evm.balance(1, USDT, PAYEE)).toBe(held - 50n)
    const { timestamp } = await evm.send({ chainId: 1, from: STRANGER, to: PAYEE, data: '0x' })
    expect(timestamp).toBe(second())
    expect((await post('/reorg', { chainId: 1, depth: 10_000 })).body.error).toMatch(/^depth: /)
    expect((await post('/reorg', { chainId: -2, depth: 1 })).body.error).toMatch(/^chainId: /)
  })
})

describe('what venues do on a chain', () => {
  it.each([NATIVE, USDC, USDT])(
    'pays %s out of a treasury that is never short, by a transaction anyone can read',
    async (token) => {
      const { evm } = world()
      const held = await evm.balance(1, token, STRANGER)
      const txHash = await evm.transfer({ chainId: 1, token, to: STRANGER.toUpperCase().replace('0X', '0x'), amount: 12_345n })
      expect(await evm.balance(1, token, STRANGER)).toBe(held + 12_345n)
      expect((await client().getTransactionReceipt({ hash: txHash as Hex })).status).toBe('success')
      expect(heard.second?.deposits).toEqual([{ chainId: 1, token, address: STRANGER, amount: 12_345n, txHash }])
      expect(heard.second?.transactions.map((transaction) => transaction.txHash)).toEqual([txHash])
    },
  )

  it('acts as any account or contract, free of gas, and takes nothing but the value', async () => {
    const { evm } = world()
    await give(NATIVE, ROUTER, 1_000n)
    const held = await evm.balance(1, NATIVE, ROUTER)
    const receipt = await evm.send({ chainId: 1, from: ROUTER, to: PAYEE, data: '0x', value: 400n })
    expect(receipt).toMatchObject({ status: 'success', logs: [] })
    expect(await evm.balance(1, NATIVE, ROUTER)).toBe(held - 400n)
    expect(await evm.receipt(1, receipt.txHash)).toEqual(receipt)
    await expect(evm.send({ chainId: 1, from: PAYEE.replace('0x2', '0x9'), to: PAYEE, data: '0x', value: 1n })).rejects.toThrow(
      EvmRevert,
    )
  })

  it('says why a call would revert, and lands it as reverted when it is sent all the same', async () => {
    const { evm } = world()
    const call = { chainId: 1, from: PAYEE, to: USDC, data: transferOf(STRANGER, 10n ** 30n) }
    await expect(evm.call(call)).rejects.toThrow('transfer amount exceeds balance')
    const held = await evm.balance(1, NATIVE, PAYEE)
    const { txHash, status } = await evm.send(call)
    expect(status).toBe('reverted')
    expect(await evm.balance(1, NATIVE, PAYEE)).toBe(held)
    expect((await evm.receipt(1, txHash))?.status).toBe('reverted')
    expect(heard.second).toEqual({ deposits: [], transactions: [] })
    await expect(evm.transfer({ chainId: 1, token: USDC, to: `0x${'0'.repeat(40)}`, amount: 1n })).rejects.toThrow('zero address')
  })
})

describe('what lands on a chain', () => {
  const everyone = () => Object.values(heard)

  it('reaches every venue once with its events, whatever contract made the call', async () => {
    await give(USDC, ROUTER, 700n)
    const data = `0x${USDC.slice(2)}${transferOf(PAYEE, 700n).slice(2)}` as Hex
    const hash = await wallet().sendTransaction({ chain: null, to: ROUTER, data, gas: 200_000n })
    await post('/transactions', { chainId: 1, txHash: hash })
    const log = {
      address: USDC,
      topics: [TRANSFER, `0x${ROUTER.slice(2).padStart(64, '0')}`, `0x${PAYEE.slice(2).padStart(64, '0')}`],
    }
    for (const { transactions, deposits } of everyone()) {
      expect(transactions).toMatchObject([{ to: ROUTER, txHash: hash, status: 'success', logs: [log] }])
      expect(deposits).toEqual([{ chainId: 1, token: USDC, address: PAYEE, amount: 700n, txHash: hash }])
    }
  })

  it('tells of coins paid by a contract within, and not of those that a failed call gave back', async () => {
    const paid = await wallet().sendTransaction({ chain: null, to: ROUTER, data: PAYEE, value: 9n })
    const payment = (address: string) => ({ chainId: 1, token: NATIVE, address, amount: 9n, txHash: paid })
    for (const { deposits } of everyone()) expect(deposits).toEqual([payment(ROUTER), payment(PAYEE)])
    // A token takes no coins: the inner call fails, the router does not.
    const refused = await wallet().sendTransaction({ chain: null, to: ROUTER, data: USDC, value: 9n })
    expect((await client().waitForTransactionReceipt({ hash: refused })).status).toBe('success')
    for (const { deposits } of everyone()) expect(deposits.slice(2)).toEqual([{ ...payment(ROUTER), txHash: refused }])
  })

  it('reaches the others when one of them refuses it, and nobody twice', async () => {
    const wish = { chainId: 1, from: STRANGER, to: PAYEE, data: '0x0000dead', value: '0' }
    expect(await post('/transactions', wish)).toMatchObject({ status: 422, body: { error: 'reverted: first refuses' } })
    const [told] = heard.second?.transactions ?? []
    expect((await post('/transactions', { chainId: 1, txHash: told?.txHash })).status).toBe(422)
    for (const { transactions } of everyone()) expect(transactions).toHaveLength(1)
  })

  it('is real when someone is said to have paid or sent something', async () => {
    const { evm } = world()
    const held = await evm.balance(1, USDC, PAYEE)
    const paid = await post('/deposits', { chainId: 1, token: USDC, address: PAYEE, amount: '800' })
    expect(paid.body).toEqual({ txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/), venue: 'first' })
    expect(await evm.balance(1, USDC, PAYEE)).toBe(held + 800n)
    await give(USDC, STRANGER, 5n)
    const sent = await post('/transactions', { chainId: 1, from: STRANGER, to: USDC, data: transferOf(PAYEE, 5n), value: '0' })
    expect(sent.body.venue).toBe('first')
    expect(await evm.balance(1, USDC, PAYEE)).toBe(held + 805n)
    expect((await client().getTransaction({ hash: sent.body.txHash })).from).toBe(STRANGER)
    for (const { deposits } of everyone()) expect(deposits.map(({ amount }) => amount)).toEqual([800n, 5n])
  })

  it('is a 422 with the reason, and not there, when its contract would revert', async () => {
    const wish = { chainId: 1, from: STRANGER, to: USDC, data: transferOf(PAYEE, 10n ** 30n), value: '0' }
    const { status, body } = await post('/transactions', wish)
    expect(status).toBe(422)
    expect(body.error).toMatch(/^reverted: .*transfer amount exceeds balance/)
    expect(await post('/transactions', { ...wish, to: PAYEE, data: '0x', value: (10n ** 30n).toString() })).toMatchObject({
      status: 422,
    })
    for (const told of everyone()) expect(told).toEqual({ deposits: [], transactions: [] })
  })

  it('counts as paid what arrives, where a token keeps a part of every transfer', async () => {
    const { address } = simnet.tokens.all.find(({ takesTransferFee }) => takesTransferFee) ?? { address: '' }
    const { body } = await post('/deposits', { chainId: 1, token: address, address: PAYEE, amount: '10000' })
    expect(await world().evm.balance(1, address, PAYEE)).toBe(9_900n)
    expect(heard.first?.deposits).toMatchObject([
      { token: address, address: PAYEE, amount: 9_900n, txHash: body.txHash },
      { address: `0x${'0'.repeat(40)}`, amount: 100n },
    ])
  })
})

describe('what venues have to do later', () => {
  const noted = (name: string) => async () => {
    const { timestamp } = await world().evm.send({ chainId: 1, from: STRANGER, to: PAYEE, data: '0x' })
    done.push(`${name} ${clock.now() - startedAt} ${timestamp * 1_000 - startedAt}`)
  }
  let startedAt = 0
  beforeEach(async () => {
    clock.advance(1_000 - (clock.now() % 1_000))
    startedAt = clock.now()
  })

  it('is done in its order, each at its own time on clock and chain, however far the clock jumps', async () => {
    const { schedule } = world()
    schedule.at(startedAt + 90_000, noted('last'))
    schedule.at(startedAt + 12_000, async () => {
      await noted('first')()
      schedule.at(startedAt + 60_000, noted('second'))
    })
    schedule.at(startedAt + 90_000, noted('with it'))
    schedule.at(startedAt + 90_001, noted('not yet'))
    expect((await post('/clock', { advanceMs: 90_000 })).body).toEqual({ now: startedAt + 90_000 })
    expect(done).toEqual(['first 12000 12000', 'second 60000 60000', 'last 90000 90000', 'with it 90000 90000'])
    await post('/clock', { advanceMs: 1 })
    expect(done).toHaveLength(5)
  })

  it('is done before a venue answers, when the clock was moved by others', async () => {
    world().schedule.at(startedAt + 5_000, noted('due'))
    const ask = async () => (await fetch(`${simnet.venues.second?.baseUrl}/`)).json()
    expect(await ask()).toEqual({ at: startedAt, done: [] })
    clock.advance(8_000)
    expect(await ask()).toEqual({ at: startedAt + 8_000, done: ['due 8000 8000'] })
  })

  it('is noted when it fails, and stops nothing else', async () => {
    world().schedule.at(startedAt + 1, () => {
      throw new Error('no liquidity')
    })
    world().schedule.at(startedAt + 2, noted('next'))
    expect((await post('/clock', { advanceMs: 2 })).status).toBe(200)
    expect(done).toHaveLength(1)
    const { notices } = (await (await fetch(simnet.controlUrl)).json()) as { notices: unknown[] }
    expect(notices.at(-1)).toEqual({ chainId: null, txHash: null, reason: 'no liquidity' })
  })

  it('is done by itself as real time goes by', async () => {
    const ran: string[] = []
    const own: SimVenue = {
      id: 'own',
      settings: {},
      pricePaths: [],
      handle: () => ({ status: 200, body: {} }),
      onDeposit: () => false,
      onTransaction: () => false,
    }
    const create = ({ schedule, clock: real }: World): SimVenue => {
      schedule.at(real.now() + 20, () => void ran.push('by itself'))
      return own
    }
    const network = await startSimnet({ controlPort: 0, seed: '1', venues: [{ id: 'own', create }] })
    await expect.poll(() => ran, { interval: 5 }).toEqual(['by itself'])
    await network.close()
  })
})
