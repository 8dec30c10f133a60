import { encodeFunctionData, erc20Abi, type Hex, keccak256, parseEther, type TypedDataDefinition, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { watch } from '../../scripts/client/balances.ts'
import { allowanceOf, broadcast } from '../../scripts/client/evm.ts'
import { follow, fund, lastOf } from '../../scripts/client/swap.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../scripts/client/tokens.ts'
import type { Quote, QuoteRequest } from '../../scripts/client/wire.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { allBut, SOLANA_WALLET } from '../support/swaps.ts'

/**
 * The approval a swap asks for, as the wallet finds its allowance: none, too little, exact, too much, and of a token that
 * refuses to change one. Whatever is asked is signed and broadcast by viem, and the swap follows.
 */

/** Relay's. */
const DEPOSITORY = '0x4cD00E387622C35bDDB9b4c962C136462338BC31'
const USDT_ETHEREUM = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const USDT_ARBITRUM = '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'
const AMOUNT = 250_000_000n
const STEP_MS = 3_000

type Spending = { readonly spender: string; readonly route: Omit<QuoteRequest, 'userAddress'> }
type Case = { readonly venue: string; readonly plain: Spending; readonly stubborn: Spending }

const inputAmount = AMOUNT.toString()
const baseToArbitrum = {
  inputChainId: 8453,
  inputToken: USDC.base,
  outputChainId: 42161,
  outputToken: USDC.arbitrum,
  inputAmount,
} as const
const ethereumToArbitrum = {
  inputChainId: 1,
  inputToken: USDT_ETHEREUM,
  outputChainId: 42161,
  outputToken: USDT_ARBITRUM,
  inputAmount,
} as const
const toWeth = { inputChainId: 1, outputChainId: 1, outputToken: WETH_ETHEREUM, inputAmount } as const

/** The spenders are the venues' published contracts, on each chain. */
const CASES: readonly Case[] = [
  {
    venue: 'across',
    plain: { spender: '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64', route: baseToArbitrum },
    stubborn: { spender: '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5', route: ethereumToArbitrum },
  },
  {
    venue: 'relay',
    plain: { spender: DEPOSITORY, route: baseToArbitrum },
    stubborn: { spender: DEPOSITORY, route: ethereumToArbitrum },
  },
  {
    venue: 'cow',
    plain: { spender: '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110', route: { ...toWeth, inputToken: USDC.ethereum } },
    stubborn: { spender: '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110', route: { ...toWeth, inputToken: USDT_ETHEREUM } },
  },
  {
    venue: 'kyberswap',
    plain: { spender: '0x6131B5fae19EA4f9D964eAc0408E4408b66337b5', route: { ...toWeth, inputToken: USDC.ethereum } },
    stubborn: { spender: '0x6131B5fae19EA4f9D964eAc0408E4408b66337b5', route: { ...toWeth, inputToken: USDT_ETHEREUM } },
  },
]

let service: TestService
beforeAll(async () => {
  service = await startService(only('across', 'cow', 'kyberswap', 'near-intents', 'relay'))
})
afterAll(() => service.close())

let wallets = 0
/** A wallet nobody had before, with coins for gas and exactly what the swap takes. */
const newWallet = async ({ inputChainId, inputToken }: Spending['route']): Promise<PrivateKeyAccount> => {
  wallets += 1
  const account = privateKeyToAccount(keccak256(toHex(`approvals ${wallets}`)))
  await fund(service, inputChainId, account.address, { [NATIVE]: parseEther('1').toString(), [inputToken]: AMOUNT.toString() })
  return account
}

type Asked = { readonly offer: Quote; readonly account: PrivateKeyAccount; readonly spending: Spending }

const rpcOf = ({ inputChainId }: Spending['route']) => service.control.rpcUrl(inputChainId)

const allowance = ({ route, spender }: Spending, { address }: PrivateKeyAccount): Promise<bigint> =>
  allowanceOf(rpcOf(route), { token: route.inputToken, owner: address, spender })

/** An allowance the wallet gave at another time. */
const stand = ({ route, spender }: Spending, account: PrivateKeyAccount, allowed: bigint): Promise<Hex> => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, allowed] })
  return broadcast(rpcOf(route), { chainId: route.inputChainId, to: route.inputToken, data, value: '0' }, account)
}

/** A quote for a wallet with this standing allowance. */
const ask = async (venue: string, spending: Spending, standing: bigint): Promise<Asked> => {
  const account = await newWallet(spending.route)
  if (standing > 0n) await stand(spending, account, standing)
  const body = { ...spending.route, userAddress: account.address, excludeVenues: allBut(venue) }
  return { offer: await service.call('quote', { body }), account, spending }
}

const execute = async ({ offer: { quoteToken } }: Asked) => {
  const execution = await service.call('execute', { body: { quoteToken } })
  return { execution, approval: 'approval' in execution ? execution.approval : undefined }
}

/** What the quote and execute ask for: both the same. */
const approvalOf = async (asked: Asked) => {
  const { approval } = await execute(asked)
  expect(approval).toEqual(asked.offer.approval)
  return approval
}

const send = ({ account, spending }: Asked, transaction: Omit<Parameters<typeof broadcast>[1], 'value'> & { value: string }) =>
  broadcast(rpcOf(spending.route), transaction, account)

/** Signs, and sends or submits; then follows to the end, which is a success for what the wallet had. */
const swap = async (asked: Asked): Promise<void> => {
  const { offer, account, spending } = asked
  const { inputChainId, inputToken, outputChainId, outputToken } = spending.route
  const { execution, approval } = await execute(asked)
  expect(approval).toBeUndefined()
  const changes = await watch(service, {
    paid: { chainId: inputChainId, token: inputToken, owner: account.address },
    delivered: { chainId: outputChainId, token: outputToken, owner: account.address },
  })
  const { quoteToken } = offer
  const sent = async (): Promise<string> => {
    if (execution.executionType === 'TRANSACTION') return send(asked, execution.transaction)
    if (execution.executionType !== 'SIGNATURE') throw new Error(`executed as ${execution.executionType}`)
    const signature = await account.signTypedData(execution.typedData as unknown as TypedDataDefinition)
    return (await service.call('submitSignature', { body: { quoteToken, signature } })).statusRef
  }
  const end = lastOf(await follow(service, { quoteToken, ref: await sent() }, { stepMs: STEP_MS }))
  expect(end).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
  expect(await changes()).toEqual({ paid: -AMOUNT, delivered: BigInt(offer.output.amount) })
}

describe.each(CASES)('$venue', ({ venue, plain, stubborn }) => {
  it('asks for exactly the amount where nothing is allowed, and uses it up', async () => {
    const asked = await ask(venue, plain, 0n)
    const approval = await approvalOf(asked)
    const { route, spender } = plain
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, AMOUNT] })
    expect(approval).toEqual({
      ...{ token: route.inputToken, spender, amount: AMOUNT.toString() },
      transaction: { chainId: route.inputChainId, to: route.inputToken, data, value: '0' },
    })
    if (!approval) throw new Error('no approval')
    await send(asked, approval.transaction)
    expect(await allowance(plain, asked.account)).toBe(AMOUNT)
    await swap(asked)
    expect(await allowance(plain, asked.account)).toBe(0n)
  })

  it('asks for the whole amount where one unit is missing, and replaces the old allowance', async () => {
    const asked = await ask(venue, plain, AMOUNT - 1n)
    const approval = await approvalOf(asked)
    expect(approval).toMatchObject({ spender: plain.spender, amount: AMOUNT.toString() })
    expect(approval).not.toHaveProperty('reset')
    if (!approval) throw new Error('no approval')
    await send(asked, approval.transaction)
    expect(await allowance(plain, asked.account)).toBe(AMOUNT)
    await swap(asked)
  })

  it('asks for nothing where the allowance is exact', async () => {
    const asked = await ask(venue, plain, AMOUNT)
    expect(await approvalOf(asked)).toBeUndefined()
    await swap(asked)
    expect(await allowance(plain, asked.account)).toBe(0n)
  })

  it('asks for nothing where more is allowed, and leaves the rest', async () => {
    const asked = await ask(venue, plain, AMOUNT + 7n)
    expect(await approvalOf(asked)).toBeUndefined()
    await swap(asked)
    expect(await allowance(plain, asked.account)).toBe(7n)
  })

  it('resets an insufficient allowance first, of a token that refuses to change it', async () => {
    const asked = await ask(venue, stubborn, 1n)
    const approval = await approvalOf(asked)
    if (!approval?.reset) throw new Error('no reset')
    const { route, spender } = stubborn
    expect(approval).toMatchObject({ token: USDT_ETHEREUM, spender, amount: AMOUNT.toString() })
    expect(approval.reset).toEqual({
      ...{ chainId: route.inputChainId, to: USDT_ETHEREUM, value: '0' },
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, 0n] }),
    })
    await expect(send(asked, approval.transaction)).rejects.toThrow('reverted')
    await send(asked, approval.reset)
    expect(await allowance(stubborn, asked.account)).toBe(0n)
    const { reset: _done, ...rest } = approval
    expect((await execute(asked)).approval).toEqual(rest)
    await send(asked, approval.transaction)
    await swap(asked)
    expect(await allowance(stubborn, asked.account)).toBe(0n)
  })

  it('resets nothing of such a token where nothing or enough is allowed', async () => {
    const none = await ask(venue, stubborn, 0n)
    const approval = await approvalOf(none)
    expect(approval).toMatchObject({ amount: AMOUNT.toString() })
    expect(approval).not.toHaveProperty('reset')
    const exact = await ask(venue, stubborn, AMOUNT)
    expect(await approvalOf(exact)).toBeUndefined()
    await swap(exact)
  })
})

describe('near-intents', () => {
  it('asks for no approval: a deposit is a payment', async () => {
    const route = { ...baseToArbitrum, outputChainId: -2, outputToken: USDC.solana, destinationAddress: SOLANA_WALLET } as const
    const asked = await ask('near-intents', { spender: DEPOSITORY, route }, 0n)
    expect(await approvalOf(asked)).toBeUndefined()
  })
})
