import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A problem that the operator must fix. Printed in one line, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export type Place = { readonly host: string; readonly port: number }

/** The number of connections that may wait to be accepted in a burst. The default limit of Linux (`somaxconn`). */
const BACKLOG = 4_096

/**
 * Listens and returns the URL. `setting`: the name of the port's setting. `isAlone`: processes of a cluster do not share the
 * port. Throws StartError.
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
