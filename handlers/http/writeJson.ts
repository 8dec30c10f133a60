import type { EdgeContext } from './requestState.ts'

/** Answers with JSON text. The content type bears no charset: JSON has only one, and contract tests compare the string. */
export const writeJson = (ctx: EdgeContext, status: number, json: string): void => {
  ctx.res.setHeader('content-type', 'application/json')
  ctx.status = status
  ctx.body = json
}
