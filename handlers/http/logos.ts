import { readdirSync, readFileSync } from 'node:fs'
import { createServedFile } from '../../engine/pages/pages.ts'
import type { ClientAddress } from './clientAddress.ts'
import { methodNotAllowed } from './edgeError.ts'
import type { RateCounter } from './rateCounter.ts'
import type { EdgeMiddleware } from './requestState.ts'
import { sendFile } from './sendFile.ts'
import { spend } from './spend.ts'

const FOLDER = new URL('../logos/', import.meta.url)
const ALLOW = 'GET, HEAD, OPTIONS'
const CACHE_FOR_A_DAY = 'public, max-age=86400'
const LIMIT = { policy: 'docs', perMinute: 240, what: 'logos' }

const LOGOS = new Map(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.svg'))
    .map((name) => [`/logos/${name}`, createServedFile(name, readFileSync(new URL(name, FOLDER)))]),
)

/** The path of a chain's logo; null if no logo under an open licence is in `handlers/logos/`. */
export const logoPath = (shortName: string): string | null => {
  const path = `/logos/${shortName}.svg`
  return LOGOS.has(path) ? path : null
}

/** Serves the logos to pages of every origin. Each address may load 240 per minute; the rate limit of calls is not used. */
export const logos =
  (clientAddress: ClientAddress, counter: RateCounter): EdgeMiddleware =>
  async (ctx, next) => {
    const logo = LOGOS.get(ctx.state.path)
    if (!logo) return next()
    const { method } = ctx.req
    if (method === 'OPTIONS') {
      ctx.res.setHeader('allow', ALLOW)
      ctx.status = 204
      return
    }
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(ALLOW)
    await spend(ctx.state, counter, `logos ${clientAddress(ctx.req)}`, LIMIT)
    // A browser that opens the file as a page runs nothing in it.
    ctx.res.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
    ctx.res.setHeader('cross-origin-resource-policy', 'cross-origin')
    await sendFile(ctx, logo, CACHE_FOR_A_DAY)
  }
