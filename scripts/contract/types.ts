import openapiTS, { astToString } from 'openapi-typescript'

/** The types of every operation and schema, as the text of a declaration file. */
export const generateTypes = async (documentText: string): Promise<string> => {
  const nodes = await openapiTS(documentText, {
    alphabetize: true,
    immutable: true,
  })
  return astToString(nodes)
}
