import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'

/** The least that can start: Koa with one answer, on the same runtime, saying the same line once it listens. */
const app = new Koa()
app.use((ctx) => {
  ctx.body = { data: [] }
})
const server = createServer(app.callback())
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
