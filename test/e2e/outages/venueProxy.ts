import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listening } from '../../support/listening.ts'

/** A way to a venue on which our key can be taken from us. */
export type VenueProxy = { readonly url: string; refuseKey(isRefused: boolean): void; close(): Promise<void> }

export const startVenueProxy = async (target: string): Promise<VenueProxy> => {
  let isRefused = false
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request
    const body = method === 'GET' ? null : await text(request)
    if (isRefused) return void response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"no such key"}')
    const told = Object.entries(headers).filter(([name]) => /^(content-type|accept|0x-|x-)/.test(name))
    const answer = await fetch(`${target}${url}`, { method, body, headers: told.map(([name, value]) => [name, String(value)]) })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  const { url, close } = await listening(server)
  return {
    url,
    close,
    refuseKey: (is) => {
      isRefused = is
    },
  }
}
