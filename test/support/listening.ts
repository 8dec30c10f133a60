import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Has a server listen at a free port of this machine. `close` ends its connections too. */
export const listening = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port, url: `http://127.0.0.1:${port}`, close }
}
