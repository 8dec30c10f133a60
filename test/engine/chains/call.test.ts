import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Hex } from '../../../engine/core/execution.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { benchOver, fakeTimers, never, sizes } from './chainsBench.ts'
import { answersTooMuch, type Endpoint, resets, says } from './evmNode.ts'

const DATA: Hex = '0x12345678'

beforeEach(fakeTimers)
afterEach(() => {
  vi.useRealTimers()
})

const call = async (endpoint: Endpoint) => {
  const { chains, http } = benchOver({ a: endpoint })
  const reading = chains.call({ chainId: 1, address: WALLETS.evm }, DATA, never()).catch((error: Error) => error.name)
  await vi.advanceTimersByTimeAsync(3_000)
  return { answer: await reading, sent: http.sent }
}

it('a contract is asked what it returns now, by itself and by nobody', async () => {
  const { answer, sent } = await call(says({ result: '0xab' }))
  expect(answer).toBe('0xab')
  expect(sizes(sent)).toEqual(['one'])
  expect(sent[0]?.call).toMatchObject({ method: 'eth_call', params: [{ to: WALLETS.evm, data: DATA }, 'latest'] })
})

it.each([
  ['where there is no contract', says({ result: '0x' }), '0x'],
  ['that reverts', says({ error: { code: 3, message: 'execution reverted', data: '0x' } }), null],
  ['whose answer nobody would read', answersTooMuch, null],
  ['of a node that answers nonsense', says({ result: 'yes' }), 'ChainError'],
  ['of a node that answers null', says({ result: null }), 'ChainError'],
  ['of a node out of reach', resets, 'ChainError'],
])('a call %s', async (_what, endpoint, expected) => {
  expect((await call(endpoint)).answer).toBe(expected)
})
