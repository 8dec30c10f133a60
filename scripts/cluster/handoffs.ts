import type { Worker } from 'node:cluster'

/** What the primary of Node's cluster and a worker send each other (lib/internal/cluster). `ack`: the `seq` that it answers. */
type Message = { readonly act?: string; readonly key?: string; readonly seq?: number; readonly ack?: number }
type Connection = { close(): void }
type Send = (message: Message, connection?: Connection, ...rest: readonly unknown[]) => boolean

/**
 * Passes a connection that a dead worker did not accept to another worker that listens at the same place. Without another worker it
 * closes the connection. Node keeps such a connection open and never serves it.
 */
export const createHandoffs = (): ((worker: Worker) => void) => {
  const listeners = new Map<Worker, { readonly keys: Set<string>; readonly send: Send }>()
  return (worker) => {
    const untaken = new Map<number | undefined, readonly [message: Message, connection: Connection]>()
    const keys = new Set<string>()
    const node = worker.process as unknown as { send: Send }
    const sendByNode = node.send.bind(worker.process)
    node.send = (message, connection, ...rest) => {
      const { act, key, seq, ack } = message
      if (act === 'newconn' && connection) untaken.set(seq, [message, connection])
      // The answer to a worker that asked to listen.
      else if (key !== undefined && ack !== undefined) keys.add(key)
      return sendByNode(message, connection, ...rest)
    }
    listeners.set(worker, { keys, send: node.send })
    worker.process.on('internalMessage', ({ ack }: Message) => untaken.delete(ack))
    worker.process.once('exit', () => listeners.delete(worker))
    // After all that the worker sent. With an untaken connection Node emits no `disconnect`, and counts on the worker for ever.
    worker.process.once('close', () => {
      if (untaken.size > 0) worker.process.emit('disconnect')
      for (const [message, connection] of untaken.values()) {
        const other = [...listeners.values()].find((listener) => listener.keys.has(message.key ?? ''))
        // Node finds what to do with the connection by `seq`, whichever worker answers.
        if (other) other.send(message, connection)
        else connection.close()
      }
    })
  }
}
