import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Something the operator must mend; said in one line, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export type Place = { readonly host: string; readonly port: number }

/** Of connections that are not taken yet: those of a whole crowd that comes at once. Linux takes no more by itself. */
const BACKLOG = 4_096

/**
 * Listens, and gives the URL. `setting`: what names the port. `isAlone`: processes of a cluster do not share it. Throws StartError where it
 * cannot.
 */
export const listen = (server: Server, { host, port }: Place, setting: string, isAlone = false): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE' ? `is in use; set ${setting} to another one` : `cannot be listened on (${error.code})`
      reject(new StartError(`Port ${port} on ${host} ${reason}.`))
    })
    server.listen({ port, host, exclusive: isAlone, backlog: BACKLOG }, () => {
      const { address, family, port: bound } = server.address() as AddressInfo
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`)
    })
  })
