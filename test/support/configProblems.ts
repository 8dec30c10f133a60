import { ConfigError, type Environment, parseConfig } from '../../engine/config/config.ts'

/** What is wrong with the settings of an environment. */
export const problemsOf = (env: Environment): readonly string[] => {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}
