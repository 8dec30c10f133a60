import { describe, expect, it } from 'vitest'
import { ConfigError, type Environment, parseConfig } from '../../../engine/config/config.ts'

const problemsOf = (env: Environment): readonly string[] => {
  try {
    parseConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).problems
  }
  return []
}

describe('the bounds of overload', () => {
  it('are the measured ones where none are set', () => {
    expect(parseConfig({}).overload).toEqual({ quotes: 96, executes: 64, statuses: 128, waiting: 1_000, waitMs: 100 })
  })

  it('are read one by one', () => {
    const env = {
      OVERLOAD_QUOTES_MAX: '1',
      OVERLOAD_EXECUTES_MAX: '2',
      OVERLOAD_STATUSES_MAX: '3',
      OVERLOAD_WAITING_MAX: '0',
      OVERLOAD_WAIT_MS: '5',
    }
    expect(parseConfig(env).overload).toEqual({ quotes: 1, executes: 2, statuses: 3, waiting: 0, waitMs: 5 })
  })

  it.each([
    ['OVERLOAD_QUOTES_MAX', '0', 'OVERLOAD_QUOTES_MAX must be a whole number from 1 to 100000'],
    ['OVERLOAD_EXECUTES_MAX', '-1', 'OVERLOAD_EXECUTES_MAX must be a whole number from 1 to 100000'],
    ['OVERLOAD_STATUSES_MAX', '1.5', 'OVERLOAD_STATUSES_MAX must be a whole number from 1 to 100000'],
    ['OVERLOAD_WAITING_MAX', 'many', 'OVERLOAD_WAITING_MAX must be a whole number from 0 to 10000'],
    ['OVERLOAD_WAIT_MS', '10001', 'OVERLOAD_WAIT_MS must be a whole number from 1 to 10000'],
    ['OVERLOAD_QUOTE_MAX', '1', 'OVERLOAD_QUOTE_MAX is not a setting of this service (did you mean OVERLOAD_QUOTES_MAX?)'],
  ])('%s of %s stops the start, by its name', (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toEqual([problem])
  })
})
