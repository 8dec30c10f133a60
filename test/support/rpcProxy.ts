import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What happens to calls of one method: lost on the way there, or the answer on the way back. */
export type Loss = 'request' | 'answer'

/** A JSON-RPC endpoint between the service and a chain, which notes what is called and can lose it. */
export type RpcProxy = {
  readonly url: string
  /** The methods called, in order, lost ones included. */
  readonly calls: readonly string[]
  count(method: string): number
  /** Loses every call of a method, `*` for all, until it is mended. */
  lose(method: string, loss: Loss): void
  mend(): void
  close(): Promise<void>
}

export const startRpcProxy = async (target: string): Promise<RpcProxy> => {
  const calls: string[] = []
  const losses = new Map<string, Loss>()
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { method } = JSON.parse(body) as { method: string }
    calls.push(method)
    const loss = losses.get(method) ?? losses.get('*')
    if (loss === 'request') return void request.socket.destroy()
    const answer = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const answered = await answer.text()
    if (loss === 'answer') return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answered)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    count: (method) => calls.filter((called) => called === method).length,
    lose: (method, loss) => void losses.set(method, loss),
    mend: () => losses.clear(),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
