import fastify from 'fastify'
import { readContract } from '../../../handlers/http/contract.ts'
import { CHAINS_PATH, QUOTE_PATH } from '../product/sample.ts'
import { type Answers, parseEnvelope } from './answers.ts'
import { serveParent, settingsOf } from './parent.ts'

/** Fastify with its own validation and serialisation by the schemas of the contract, and no work beside it. */
const answers = settingsOf<Answers>()
const chains = parseEnvelope(answers.chains)
const quote = parseEnvelope(answers.quote)

type Schemas = { readonly [name: string]: object }

const schemas = (readContract().document.components?.schemas ?? {}) as Schemas

/** The schema with what it refers to in place. The contract's schemas do not refer to themselves. */
const inPlace = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inPlace)
  if (typeof value !== 'object' || value === null) return value
  if ('$ref' in value) return inPlace(schemas[String(value.$ref).replace('#/components/schemas/', '')])
  // OpenAPI's own keywords say nothing to Fastify's validator, which takes no keyword it does not know.
  const entries = Object.entries(value).filter(([name]) => name !== 'example' && name !== 'discriminator')
  return Object.fromEntries(entries.map(([name, inner]) => [name, inPlace(inner)]))
}

const app = fastify()
app.get(CHAINS_PATH, { schema: { response: { 200: inPlace(schemas['ChainsResponse']) } } }, async () => chains)
app.post(
  QUOTE_PATH,
  { schema: { body: inPlace(schemas['QuoteRequest']), response: { 200: inPlace(schemas['QuoteResponse']) } } },
  async () => quote,
)
await app.ready()
serveParent(app.server)
