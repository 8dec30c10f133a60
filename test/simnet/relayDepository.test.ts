import { encodeFunctionData, erc20Abi, type Hex, parseAbi, parseEventLogs, type RpcLog } from 'viem'
import { afterAll, describe, expect, it } from 'vitest'
import { createArtifacts } from '../../engine/simnet/contracts/createArtifacts.ts'
import { relayContracts } from '../../engine/simnet/contracts/relayContracts.ts'
import { createEvmChains } from '../../engine/simnet/evm/evmChains.ts'
import { createSimClock } from '../../engine/simnet/kit/simRandom.ts'
import { createTokens } from '../../engine/simnet/kit/tokens.ts'

/** packages/ethereum-vm/src/RelayDepository.sol of https://github.com/relayprotocol/relay-depository: nothing is indexed. */
const DEPOSITORY = parseAbi([
  'function depositNative(address depositor, bytes32 id) payable',
  'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
  'function depositErc20(address depositor, address token, bytes32 id)',
  'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
  'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
])
const ADDRESS = '0x4cD00E387622C35bDDB9b4c962C136462338BC31'
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const SENDER = '0x1111111111111111111111111111111111111111'
const OTHER = '0x2222222222222222222222222222222222222222'
const NOBODY = '0x0000000000000000000000000000000000000000'
const ID: Hex = `0x${'ab'.repeat(32)}`

const chains = createEvmChains({
  clock: createSimClock(() => Date.UTC(2026, 10, 20)),
  tokens: createTokens(),
  artifacts: createArtifacts(),
  contracts: [relayContracts],
})
afterAll(() => chains.close())

const give = (token: string, amount: bigint) => chains.faucet({ chainId: 8453, token, holder: SENDER, amount })
const send = async (to: string, data: Hex, value = 0n) => {
  const receipt = await chains.land({ chainId: 8453, from: SENDER, to, data, value })
  expect(receipt.status).toBe('success')
  const logs = receipt.logs.filter(({ address }) => address === ADDRESS)
  return parseEventLogs({ abi: DEPOSITORY, logs: logs as unknown as RpcLog[] }).map(({ eventName, args }) => ({
    eventName,
    args,
  }))
}
const allow = (amount: bigint) =>
  send(USDC, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [ADDRESS, amount] }))

describe("the stand-in for Relay's depository", () => {
  it.each([
    ['the depositor it is told', OTHER, OTHER],
    ['its caller where that is nobody', NOBODY, SENDER],
  ] as const)('tells of coins, from %s', async (_whose, depositor, from) => {
    await give(NATIVE, 10n)
    const data = encodeFunctionData({ abi: DEPOSITORY, functionName: 'depositNative', args: [depositor, ID] })
    expect(await send(ADDRESS, data, 7n)).toEqual([{ eventName: 'RelayNativeDeposit', args: { from, amount: 7n, id: ID } }])
  })

  it.each([
    ['the depositor it is told', OTHER, OTHER],
    ['its caller where that is nobody', NOBODY, SENDER],
  ] as const)('tells of tokens, from %s', async (_whose, depositor, from) => {
    await give(USDC, 100n)
    await allow(60n)
    const some = encodeFunctionData({ abi: DEPOSITORY, functionName: 'depositErc20', args: [depositor, USDC, 20n, ID] })
    const told = (amount: bigint) => [{ eventName: 'RelayErc20Deposit', args: { from, token: USDC, amount, id: ID } }]
    expect(await send(ADDRESS, some)).toEqual(told(20n))
    const all = encodeFunctionData({ abi: DEPOSITORY, functionName: 'depositErc20', args: [depositor, USDC, ID] })
    expect(await send(ADDRESS, all)).toEqual(told(40n))
  })
})
