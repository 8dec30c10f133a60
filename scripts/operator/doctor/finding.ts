/** What one look at the service showed. */
export type Finding = {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  /** One sentence. */
  readonly says: string
  /** What the operator can do about it. */
  readonly todo: string | null
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says, todo: null })
export const warn = (check: string, says: string, todo: string): Finding => ({ check, state: 'warn', says, todo })
export const fail = (check: string, says: string, todo: string): Finding => ({ check, state: 'fail', says, todo })

/** A look that breaks off has found something, too. */
export const look = async (
  check: string,
  todo: string,
  work: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> => {
  try {
    return await work()
  } catch (error) {
    return [fail(check, `The check itself failed: ${error instanceof Error ? error.message : String(error)}.`, todo)]
  }
}
