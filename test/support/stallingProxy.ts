import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be held up: what is under way then gets no further, and nobody is told. */
export type StallingProxy = {
  readonly port: number
  stall(): void
  resume(): void
  close(): Promise<void>
}

export const startStallingProxy = async (targetPort: number): Promise<StallingProxy> => {
  const sockets = new Set<Socket>()
  let isStalled = false
  const server = createServer((socket) => {
    const target = connect(targetPort, '127.0.0.1')
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
      if (isStalled) one.unpipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    stall: () => {
      isStalled = true
      for (const socket of sockets) socket.unpipe()
    },
    // What was held up is lost, as after a long time on any network.
    resume: () => {
      isStalled = false
      destroyAll()
    },
    close: async () => {
      destroyAll()
      server.close()
      await once(server, 'close')
    },
  }
}
