/** How a command ends: what a shell sees of it. */
export const EXIT_CODES = { ok: 0, failed: 1, usage: 2, notFound: 3 } as const

/** Why a command did not do what was asked, in words for the operator. */
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
