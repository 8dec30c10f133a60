import openapiTS, { astToString } from 'openapi-typescript'

/** The types of every operation and schema, as the text of a declaration file. */
export const generateTypes = async (documentText: string): Promise<string> => {
  const nodes = await openapiTS(documentText, {
    alphabetize: true,
    immutable: true,
    // Otherwise a property with a default becomes required in requests, where the caller may leave it out.
    defaultNonNullable: false,
  })
  return astToString(nodes)
}
