import { expect } from 'vitest'
import type { ErrorCode } from '../../engine/errors.ts'
import type { Answer } from '../../scripts/client/service.ts'

type FailureBody = {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly details?: { readonly [name: string]: unknown } }
  readonly meta: { readonly requestId: string; readonly version: string }
}

/** Asserts the failure envelope with its code, and gives its details. */
export const expectFailure = (answer: Answer, status: number, code: ErrorCode): { readonly [name: string]: unknown } => {
  const body = answer.body as FailureBody
  expect({ status: answer.status, code: body?.error?.code, text: answer.text }).toMatchObject({ status, code })
  expect(body.error.message.length).toBeGreaterThan(0)
  expect(body.meta.requestId).toBe(answer.headers.get('x-request-id'))
  expect(body.meta.version).toBe(answer.headers.get('service-version'))
  return body.error.details ?? {}
}

/** The paths listed by INVALID_REQUEST. */
export const failingPaths = (details: { readonly [name: string]: unknown }): readonly string[] =>
  (details['fields'] as readonly { readonly path: string; readonly reason: string }[]).map(({ path, reason }) => {
    expect(reason.length).toBeGreaterThan(0)
    return path
  })
