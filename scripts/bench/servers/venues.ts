import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

import { priceOf, QUOTE_BODY } from '../sample.ts'
import { answerParent, settingsOf } from './parent.ts'

/**
 * Far sides for the loopback venues, one port each. They speak just enough HTTP to be no bottleneck beside the server
 * that is measured: the whole answer is made beforehand, and the path says how long to wait with it.
 */
const count = settingsOf<number>()

const HEAD_END = '\r\n\r\n'

const answerOf = (index: number): Buffer => {
  const body = JSON.stringify({
    id: `0f8a4c1e-6b0d-4a57-9d52-${String(index).padStart(12, '0')}`,
    outputAmount: priceOf(index, BigInt(QUOTE_BODY.inputAmount)).toString(),
    expectedFillTime: 4 + index,
    fees: { total: { pct: '120000000000000', total: '3000' }, relayerGas: { pct: '80000000000000', total: '2000' } },
    limits: { minDeposit: '500000', maxDeposit: '2500000000000', maxDepositInstant: '150000000000' },
    steps: [{ kind: 'bridge', from: QUOTE_BODY.inputToken, to: QUOTE_BODY.outputToken, note: 'x'.repeat(200) }],
  })
  return Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}${HEAD_END}${body}`)
}

const serve = (socket: Socket, answer: Buffer): void => {
  let received = ''
  const onData = (chunk: string): void => {
    received += chunk
    const headEnd = received.indexOf(HEAD_END)
    if (headEnd < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0)
    if (received.length < headEnd + HEAD_END.length + length) return
    const latencyMs = Number(/^POST \/quote\/(\d+) /.exec(received)?.[1] ?? 0)
    received = ''
    if (latencyMs === 0) socket.write(answer)
    else setTimeout(() => socket.writable && socket.write(answer), latencyMs)
  }
  socket.setNoDelay(true)
  socket.setEncoding('latin1')
  socket.on('data', onData)
  // Whoever stops waiting at a deadline cuts the connection; that is what is being measured.
  socket.on('error', () => socket.destroy())
}

const listen = (index: number): Promise<string> =>
  new Promise((resolve) => {
    const answer = answerOf(index)
    const server = createServer((socket) => serve(socket, answer))
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })

answerParent(await Promise.all(Array.from({ length: count }, (_, index) => listen(index))))
