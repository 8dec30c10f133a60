import { expect, test } from 'vitest'
import { ChainError } from '../../../engine/chains/chains.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { benchOver, never } from './chainsBench.ts'
import { type RpcCall, says } from './evmNode.ts'

const address = WALLETS.evmOther

const answering = (result: unknown) => {
  const asked: RpcCall[] = []
  const bench = benchOver({
    node: (call, signal) => {
      asked.push(call)
      return says({ jsonrpc: '2.0', id: call.id, result })(call, signal)
    },
  })
  return { asked, code: () => bench.chains.code({ chainId: 1, address }, never()) }
}

test.each(['0x', '0x6001', `0xef0100${'11'.repeat(20)}`])(
  'the code at an address is %s, asked for anew every time',
  async (code) => {
    const { asked, code: read } = answering(code)
    expect([await read(), await read()]).toEqual([code, code])
    const call = { method: 'eth_getCode', params: [address, 'latest'] }
    expect(asked).toMatchObject([call, call])
  },
)

test.each([null, '', '0x1', 'code', 7, { code: '0x' }])('%j is no code: the chain counts as out of reach', async (result) => {
  await expect(answering(result).code()).rejects.toMatchObject({ name: ChainError.name, failure: 'unreachable' })
})
