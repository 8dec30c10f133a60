import type { OpenApiDocument, Schema } from './document.ts'

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)

const close = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(close)
  if (!isObject(value)) return value
  const closed = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, close(child)]))
  const isShape = value['type'] === 'object' && isObject(value['properties'])
  return isShape ? { ...closed, additionalProperties: false } : closed
}

const open = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(open)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([key, child]) => key !== 'additionalProperties' || child !== false)
  return Object.fromEntries(kept.map(([key, child]) => [key, open(child)]))
}

const mapSchemas = (document: OpenApiDocument, change: (value: unknown) => unknown): OpenApiDocument => ({
  ...document,
  components: {
    ...document.components,
    schemas: Object.fromEntries(
      Object.entries(document.components.schemas).map(([name, schema]) => [name, change(schema) as Schema]),
    ),
  },
})

/** The document with no object closed: what an earlier contract promises, fields added since apart. */
export const openDocument = (document: OpenApiDocument): OpenApiDocument => mapSchemas(document, open)

/**
 * The document with every object closed that names its properties. The published document leaves responses open, so that a
 * field added later breaks no client. The service checks its own responses against this copy, which rejects undocumented fields.
 */
export const strictDocument = (document: OpenApiDocument): OpenApiDocument => mapSchemas(document, close)
