import { createServer } from 'node:http'
import { priceOf, QUOTE_BODY } from '../sample.ts'
import { answerParent, listenOnLoopback, settingsOf } from './parent.ts'

/** The hosts of the loopback venues, one port each. Answers are made beforehand, and the path has the latency. */
const answerOf = (index: number): string =>
  JSON.stringify({
    id: `0f8a4c1e-6b0d-4a57-9d52-${String(index).padStart(12, '0')}`,
    outputAmount: priceOf(index, BigInt(QUOTE_BODY.inputAmount)).toString(),
    expectedFillTime: 4 + index,
    fees: { total: { pct: '120000000000000', total: '3000' }, relayerGas: { pct: '80000000000000', total: '2000' } },
    limits: { minDeposit: '500000', maxDeposit: '2500000000000', maxDepositInstant: '150000000000' },
    steps: [{ kind: 'bridge', from: QUOTE_BODY.inputToken, to: QUOTE_BODY.outputToken, note: 'x'.repeat(200) }],
  })

const listen = (index: number): Promise<string> => {
  const answer = answerOf(index)
  const headers = { 'content-type': 'application/json', 'content-length': answer.length }
  const server = createServer((request, response) => {
    const latencyMs = Number(request.url?.split('/').at(-1))
    const reply = () => response.writeHead(200, headers).end(answer)
    request.resume().once('end', () => (latencyMs === 0 ? reply() : setTimeout(reply, latencyMs)))
  })
  return listenOnLoopback(server)
}

answerParent(await Promise.all(Array.from({ length: settingsOf<number>() }, (_, index) => listen(index))))
