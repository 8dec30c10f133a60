import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { operations } from '../../generated/api.d.ts'
import { dereference, type LocatedOperation } from '../../scripts/contract/document.ts'
import { contract, documentedOperations, queryOf } from '../support/documentedOperations.ts'
import { createJudge } from './dreddJudge.ts'
import { type Scenario, scenarios } from './dreddScenarios.ts'
import { openStage, type Stage } from './dreddStage.ts'

type ErrorBody = { readonly error: { readonly code: string; readonly message: string; readonly details?: unknown } }

type Documented = {
  readonly located: LocatedOperation
  readonly id: keyof operations
  readonly status: string
  readonly code: string
  /** Shown in the document for this code; all of them. */
  readonly examples: readonly ErrorBody[]
}

/** Every error code the examples of a response show, in the order of the document. */
const documented: readonly Documented[] = documentedOperations.all.flatMap((located) =>
  Object.entries(located.operation.responses).flatMap(([status, response]) => {
    if (Number(status) < 400) return []
    const media = dereference(contract, response).content?.['application/json']
    const examples = Object.values(media?.examples ?? {}).map(({ value }) => value as ErrorBody)
    return [...new Set(examples.map(({ error }) => error.code))].map((code) => ({
      located,
      id: located.operation.operationId as keyof operations,
      status,
      code,
      examples: examples.filter(({ error }) => error.code === code),
    }))
  }),
)

const scenariosOf = (id: keyof operations, status: string): { readonly [code: string]: Scenario } =>
  (scenarios[id] as { readonly [status: string]: { readonly [code: string]: Scenario } })[status] ?? {}

type Field = { readonly path: string; readonly reason: string }

/** What is said in words, and the fields that are named. Numbers and quoted names are of the one request. */
const wordingOf = ({ error }: ErrorBody): unknown => {
  const { fields = [] } = (error.details ?? {}) as { readonly fields?: readonly Field[] }
  return { message: error.message.replaceAll(/-?\d+/g, '#'), fields: fields.map(({ path }) => path) }
}

/** Names of the fields below `details`. */
const detailNames = ({ error }: ErrorBody): readonly string[] => Object.keys(error.details ?? {})

/** A sentence that begins with what the caller does next. */
const NEXT_STEP =
  /(?:^|[.:;] )(?:Repeat|Request|Use|Set|Send|Post|Wait|Choose|Correct|Leave|Fund|Call|Follow|Sign|Pay|Report|Ask|See)\b/i

/** The message says what to do next, or names each field that `details.fields` lists. */
const isActionable = ({ error: { message, details } }: ErrorBody): boolean => {
  const { fields = [] } = (details ?? {}) as { readonly fields?: readonly Field[] }
  const isNamed = fields.length > 0 && fields.slice(0, 5).every(({ path }) => message.includes(path))
  return isNamed || NEXT_STEP.test(message)
}

const judge = createJudge()
let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterAll(() => stage.close())

test('every documented error code has exactly one scenario [error-codes-closed]', () => {
  const shown = documented.map(({ id, status, code }) => `${id} ${status} ${code}`)
  const played = Object.entries(scenarios).flatMap(([id, statuses]) =>
    Object.entries(statuses).flatMap(([status, codes]) =>
      Number(status) < 400 ? [] : Object.keys(codes).map((code) => `${id} ${status} ${code}`),
    ),
  )
  expect(played.sort()).toEqual(shown.sort())
})

describe('the service returns the documented error [error-codes-closed]', () => {
  test.each(documented.map((each) => [`${each.id} ${each.status} ${each.code}`, each] as const))('%s', async (_name, each) => {
    const { located, id, status, code, examples } = each
    const scenario = scenariosOf(id, status)[code]
    const ask = (await scenario?.(stage)) ?? {}
    const media = dereference(contract, located.operation.requestBody ?? {}).content?.['application/json']
    const [example] = Object.values(media?.examples ?? {})
    const parameters = queryOf(located.operation).map(({ name, example }) => [name, String(example)])
    const answer = await stage.service.send(located.method, located.path, {
      body: example?.value,
      query: Object.fromEntries(parameters),
      ...ask,
      headers: { ...stage.visitor(), ...ask.headers },
    })
    await stage.reset()
    expect(answer.status, answer.text).toBe(Number(status))
    expect(judge(located, { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body: answer.text })).toEqual(
      [],
    )
    const body = answer.body as ErrorBody
    expect(body.error.code).toBe(code)
    expect(isActionable(body), body.error.message).toBe(true)
    // What goes wrong on our side is worded by what it was.
    if (code !== 'INTERNAL') expect(examples.map(wordingOf)).toContainEqual(wordingOf(body))
    expect(
      examples.map(detailNames).filter((names) => names.every((name) => detailNames(body).includes(name))),
      `none of the examples has the details of ${answer.text}`,
    ).not.toEqual([])
  })
})
