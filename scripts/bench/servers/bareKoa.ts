import { createServer } from 'node:http'
import Koa from 'koa'
import { type Answers, parseEnvelope } from './answers.ts'
import { readBody } from './body.ts'
import { serveParent, settingsOf } from './parent.ts'

/** Koa alone: it parses and serialises JSON, and checks nothing. */
const answers = settingsOf<Answers>()
const chains = parseEnvelope(answers.chains)
const quote = parseEnvelope(answers.quote)

const app = new Koa()
app.use(async (ctx) => {
  if (ctx.method === 'GET') {
    ctx.body = chains
    return
  }
  JSON.parse((await readBody(ctx.req)).toString())
  ctx.body = quote
})
serveParent(createServer(app.callback()))
