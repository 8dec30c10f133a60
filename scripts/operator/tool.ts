import type { Command } from 'commander'
import type { Environment } from '../../engine/config/config.ts'
import type { Streamed, Told } from './printing.ts'
import type { Session } from './session.ts'

/** How the commands reach the world: each is one piece of work over the records, which tells what came of it. */
export type Tool = {
  /** Over the records of the service. */
  run(command: Command, work: (session: Session) => Promise<Told | Streamed>): Promise<void>
  /** Over the environment alone, whatever is wrong with it. */
  runApart(command: Command, work: (env: Environment) => Promise<Told>): Promise<void>
}
