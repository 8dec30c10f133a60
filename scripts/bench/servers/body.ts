import type { IncomingMessage } from 'node:http'

/** The body of a request, unbounded: the load is ours. */
export const readBody = (req: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.once('error', reject)
    req.once('end', () => resolve(Buffer.concat(chunks)))
  })
