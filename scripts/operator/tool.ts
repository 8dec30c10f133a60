import type { Command } from 'commander'
import type { Environment } from '../../engine/config/config.ts'
import type { Streamed, Told } from './printing.ts'
import type { Session } from './session.ts'

/** Runs the work of the commands and prints the results. */
export type Tool = {
  /** Runs work on the records of the service. */
  run(command: Command, work: (session: Session) => Promise<Told | Streamed>): Promise<void>
  /** Runs work on the environment only, which may be invalid. */
  runApart(command: Command, work: (env: Environment) => Promise<Told>): Promise<void>
}
