/** The exit codes of a command. */
export const EXIT_CODES = { ok: 0, failed: 1, usage: 2, notFound: 3 } as const

/** The reason why a command failed, as a sentence for the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  readonly kind: Exclude<keyof typeof EXIT_CODES, 'ok'>
  constructor(kind: OperatorError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

export const notFound = (what: string): OperatorError => new OperatorError('notFound', what)
export const badUsage = (what: string): OperatorError => new OperatorError('usage', what)
export const failed = (what: string): OperatorError => new OperatorError('failed', what)
