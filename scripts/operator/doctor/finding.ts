/** The result of one check of the service. */
export type Finding = {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  /** One sentence. */
  readonly says: string
  /** The remedy for the operator. */
  readonly todo: string | null
}

export const ok = (check: string, says: string): Finding => ({ check, state: 'ok', says, todo: null })
export const warn = (check: string, says: string, todo: string): Finding => ({ check, state: 'warn', says, todo })
export const fail = (check: string, says: string, todo: string): Finding => ({ check, state: 'fail', says, todo })

type Check = () => Promise<readonly Finding[]> | readonly Finding[]

/** Runs a check. A check that throws is a finding, too. */
export const runCheck = async (check: string, todo: string, work: Check): Promise<readonly Finding[]> => {
  try {
    return await work()
  } catch (error) {
    return [fail(check, `The check itself failed: ${error instanceof Error ? error.message : String(error)}.`, todo)]
  }
}
