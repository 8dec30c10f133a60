import { createRequire } from 'node:module'

/** What is used of @solana/errors, which has the texts of the node by number. */
type SolanaErrors = {
  readonly SolanaError: new (code: number, context: object) => Error
  readonly [constant: string]: unknown
}

const requireFrom = createRequire(import.meta.url)

/** The text of an error; its name where the package has none, which is everywhere in an environment of production. */
const textOf = (kind: 'INSTRUCTION' | 'TRANSACTION', name: string, context: object): string => {
  const { SolanaError, ...constants } = requireFrom('@solana/errors') as SolanaErrors
  const code = constants[`SOLANA_ERROR__${kind}_ERROR__${name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()}`]
  if (typeof code !== 'number') return name
  const { message } = new SolanaError(code, context)
  return message.startsWith('Solana error #') ? name : message
}

export const transactionErrorText = (name: string, context: object = {}): string => textOf('TRANSACTION', name, context)

/** Without the place of the instruction, which the package adds at the end and the node says at the start. */
export const instructionErrorText = (name: string): string =>
  textOf('INSTRUCTION', name, { index: 0 }).replace(/ \(instruction #1\)$/, '')
