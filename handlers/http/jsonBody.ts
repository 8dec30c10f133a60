import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { createJsonScan } from '../../engine/core/jsonScan.ts'
import { invalidRequest } from '../../engine/errors.ts'
import { EdgeError } from './edgeError.ts'
import { bodyPath } from './fieldProblems.ts'
import { repeatedKeys } from './repeatedKeys.ts'
import type { EdgeContext, EdgeMiddleware } from './requestState.ts'

const BODY_BYTES_MAX = 64 * 1024
/** How much of an oversized body is read and dropped, so that its sender reads our answer instead of a reset. */
const DISCARDED_BYTES_MAX = 1024 * 1024
const DEPTH_MAX = 16

const tooLarge = (headers: { readonly [name: string]: string }): EdgeError =>
  new EdgeError(413, 'INVALID_REQUEST', 'The body is larger than 64 KB. Send the documented fields alone.', { headers })

const notJson = (message: string): EdgeError => new EdgeError(415, 'INVALID_REQUEST', message)

const badBody = (reason: string, cause?: unknown): Error => invalidRequest([{ path: 'body', reason }], cause)

/** The problem of headers that do not announce uncompressed JSON in UTF-8, or null. */
const mediaProblem = ({ headers }: IncomingMessage): string | null => {
  const contentType = headers['content-type']
  if (contentType !== 'application/json') {
    const [type = '', ...parameters] = (contentType ?? '')
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
    if (type !== 'application/json') return 'The body has another content type. Send application/json.'
    const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length)
    if (charset !== undefined && charset.replaceAll('"', '') !== 'utf-8') return 'The charset must be utf-8.'
  }
  const encoding = headers['content-encoding']
  return encoding !== undefined && encoding.toLowerCase() !== 'identity'
    ? 'The body is compressed. Send it without content-encoding.'
    : null
}

const checkMediaType = (req: IncomingMessage): void => {
  const problem = mediaProblem(req)
  if (problem !== null) throw notJson(problem)
}

const announcedBytes = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0)

/** Throws 413 when the body is not worth reading: not sent yet, or far too large. */
const checkAnnouncedSize = (req: IncomingMessage): void => {
  const isHeldBack = req.headers.expect !== undefined
  if (announcedBytes(req) > (isHeldBack ? BODY_BYTES_MAX : DISCARDED_BYTES_MAX)) throw tooLarge({ connection: 'close' })
}

/** Collects the body. Rejects with 413 over the limit, and with the stream's error when the client disconnects. */
const readBytes = (req: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let received = 0
    const onData = (chunk: Buffer): void => {
      received += chunk.length
      if (received <= BODY_BYTES_MAX) chunks.push(chunk)
      else chunks.length = 0
      if (received <= DISCARDED_BYTES_MAX) return
      req.off('data', onData)
      reject(tooLarge({ connection: 'close' }))
    }
    req.on('data', onData)
    req.once('error', reject)
    req.once('end', () => {
      if (received > BODY_BYTES_MAX) return reject(tooLarge({}))
      const [first] = chunks
      resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks))
    })
  })

const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw badBody('is not valid JSON', cause)
  }
}

const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) throw badBody('is required')
  if (!isUtf8(bytes)) throw badBody('is not valid UTF-8')
  const scan = createJsonScan({ depthMax: DEPTH_MAX, valuesMax: Number.POSITIVE_INFINITY })
  if (scan(bytes) !== null) throw badBody(`nests deeper than ${DEPTH_MAX} levels`)
  const text = bytes.toString()
  const body = parseText(text)
  const repeated = repeatedKeys(text)
  if (repeated.length > 0)
    throw invalidRequest(repeated.map((segments) => ({ path: bodyPath(segments), reason: 'is given more than once' })))
  return body
}

/**
 * Nearly every body arrives together with its headers. Some clients send it in a separate packet, or slowly. This reads a pending
 * body, unless it must be requested, before any other work for its sender.
 */
export const hearOut = async ({ req, state }: EdgeContext): Promise<void> => {
  const isOnItsWay = state.operation?.takesBody === true && !req.complete && req.headers.expect === undefined
  if (!isOnItsWay || mediaProblem(req) !== null || announcedBytes(req) > DISCARDED_BYTES_MAX) return
  const arrival = readBytes(req)
  state.arrival = arrival
  // A later step reports its errors.
  await arrival.catch(() => undefined)
}

/** Reads the JSON body of operations with one. Every other body stays unread. */
export const jsonBody = (): EdgeMiddleware => async (ctx, next) => {
  const { req, res, state } = ctx
  if (state.operation?.takesBody) {
    checkMediaType(req)
    checkAnnouncedSize(req)
    if (req.headers.expect !== undefined) res.writeContinue()
    const { stay, arrival } = state
    const isThere = arrival !== null || req.complete || stay === null
    // A client that waits for `100 Continue` holds no slot meanwhile.
    state.body = parseJson(isThere ? await (arrival ?? readBytes(req)) : await stay.outside(() => readBytes(req)))
  } else if (req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0) {
    // An unexpected body is not worth reading to its end for the next request on the connection.
    state.headers.push('connection', 'close')
  }
  return next()
}
