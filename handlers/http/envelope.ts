import { SERVICE_VERSION } from '../../engine/core/serviceVersion.ts'
import type { ErrorCode, ErrorDetails } from '../../engine/errors.ts'

const MESSAGE_LENGTH_MAX = 1024

const metaOf = (requestId: string) => ({ requestId, version: SERVICE_VERSION })

/** The body of a success, around `data` in JSON. Request ids need no escaping: they are checked or our own. */
export const successEnvelope = (requestId: string, data: string): string =>
  `{"data":${data},"meta":{"requestId":"${requestId}","version":"${SERVICE_VERSION}"}}`

/** The body of a failure. */
export const failureEnvelope = (
  requestId: string,
  { code, message, details }: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails | null },
): string =>
  JSON.stringify({
    error: { code, message: message.slice(0, MESSAGE_LENGTH_MAX), ...(details && { details }) },
    meta: metaOf(requestId),
  })
