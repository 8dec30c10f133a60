import { createServer, type ServerResponse } from 'node:http'
import type { Answers } from './answers.ts'
import { readBody } from './body.ts'
import { serveParent, settingsOf } from './parent.ts'

/** The limit: node:http, the product's bytes, and nothing done for them. */
const { chains, quote } = settingsOf<Answers>()
const chainsBytes = Buffer.from(chains)
const quoteBytes = Buffer.from(quote)

const send = (res: ServerResponse, bytes: Buffer): void => {
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
  res.end(bytes)
}

serveParent(
  createServer((req, res) => {
    if (req.method === 'GET') send(res, chainsBytes)
    else void readBody(req).then(() => send(res, quoteBytes))
  }),
)
