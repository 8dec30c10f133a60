import { describe, expect, it } from 'vitest'
import { ConfigError, type Environment, parseConfig } from '../../../engine/config/config.ts'

const EVM = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const SOLANA_NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const MAINNET = { NETWORK: 'mainnet' } as const
const FACILITATOR = { X402_FACILITATOR_URL: 'https://facilitator.example/v2' }

const problemsOf = (env: Environment): readonly string[] => {
  try {
    parseConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('what calls are paid with', () => {
  it('is nothing on mainnet, and USDC on Base on the offline network, when nothing is set', () => {
    expect(parseConfig(MAINNET).x402).toEqual({ payTo: { evm: null, solana: null }, networks: [], facilitator: null })
    const { x402 } = parseConfig({})
    expect([x402.networks, x402.payTo.evm, x402.facilitator]).toEqual([['eip155:8453'], expect.stringMatching(/^0x/), null])
  })

  it('is USDC on Base where an EVM address is to be paid, and on Solana where one of those is', () => {
    const { x402 } = parseConfig({ ...MAINNET, ...FACILITATOR, X402_PAY_TO_EVM: EVM.toLowerCase(), X402_PAY_TO_SOLANA: SOLANA })
    expect(x402.payTo).toEqual({ evm: EVM, solana: SOLANA })
    expect(x402.networks).toEqual(['eip155:8453', SOLANA_NETWORK])
    expect(x402.facilitator?.url).toBe(FACILITATOR.X402_FACILITATOR_URL)
  })

  it('has a token that does not show', () => {
    const config = parseConfig({ ...MAINNET, ...FACILITATOR, X402_PAY_TO_EVM: EVM, X402_FACILITATOR_TOKEN: 'hunter2' })
    expect(JSON.stringify(config)).not.toContain('hunter2')
    expect(config.x402.facilitator?.token?.reveal()).toBe('hunter2')
  })

  it.each<[string, Environment, RegExp]>([
    ['an address without a facilitator', { ...MAINNET, X402_PAY_TO_EVM: EVM }, /X402_FACILITATOR_URL/],
    ['a facilitator without an address', { ...MAINNET, ...FACILITATOR }, /X402_PAY_TO_EVM/],
    ['a token without a facilitator', { ...MAINNET, X402_FACILITATOR_TOKEN: 't' }, /X402_FACILITATOR_TOKEN/],
    ['a mistyped address', { X402_PAY_TO_EVM: '0x402f' }, /X402_PAY_TO_EVM/],
    ['a mistyped address on Solana', { X402_PAY_TO_SOLANA: EVM }, /X402_PAY_TO_SOLANA/],
    ['a network that is no CAIP-2 id', { X402_NETWORKS: 'base' }, /X402_NETWORKS/],
    ['a network given twice', { X402_NETWORKS: 'eip155:8453,eip155:8453' }, /X402_NETWORKS/],
    ['Solana without an address there', { X402_NETWORKS: SOLANA_NETWORK }, /X402_PAY_TO_SOLANA/],
    ['a network on which nothing can be paid', { X402_NETWORKS: 'eip155:10' }, /eip155:10/],
    ['a facilitator on the offline network, which has one', FACILITATOR, /X402_FACILITATOR_URL/],
    ['a misspelt setting', { X402_PAY_TO: EVM }, /X402_PAY_TO /],
  ])('%s stops the start', (_what, env, expected) => {
    expect(problemsOf(env).join('\n')).toMatch(expected)
  })
})
