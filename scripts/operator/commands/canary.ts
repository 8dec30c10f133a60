import { type Command, InvalidArgumentError } from 'commander'
import { type Environment, parseConfig } from '../../../engine/config/config.ts'
import type { Address } from '../../../engine/core/address.ts'
import { BITCOIN, type ChainId, SOLANA } from '../../../engine/core/chain.ts'
import type { RouteType } from '../../../engine/core/route.ts'
import { readWalletAddress } from '../../../engine/core/walletAddress.ts'
import { VENUE_DEFINITIONS } from '../../../engine/venues/registry.ts'
import { onSimnet } from '../../onSimnet.ts'
import { someOf } from '../arguments.ts'
import { ROUTE_PAIRS } from '../canary/pairs.ts'
import { writeRecordings } from '../canary/recordings.ts'
import { reportOf } from '../canary/report.ts'
import { runCanary } from '../canary/runCanary.ts'
import { configOfRecords } from '../configOfRecords.ts'
import { clockOf, findOfflineNetwork, LOST_NETWORK } from '../offlineNetwork.ts'
import { badUsage, failed } from '../operatorError.ts'
import type { Told } from '../printing.ts'
import type { Tool } from '../tool.ts'

export type CanaryFlags = {
  readonly [wallet in 'addressEvm' | 'addressSolana' | 'addressBitcoin']?: Address
} & {
  readonly venue?: readonly string[]
  readonly route?: readonly RouteType[]
  readonly openDeposits?: true
  readonly record?: string
}

/** Needs no records, and makes none. */
export const canary = async (env: Environment, flags: CanaryFlags): Promise<Told> => {
  const parsed = (await configOfRecords(env).catch(() => null)) ?? parseConfig(env)
  const offline = parsed.network === 'simnet' ? await findOfflineNetwork(parsed) : null
  if (parsed.network === 'simnet' && offline === null) throw failed(LOST_NETWORK)
  const config = offline === null ? parsed : onSimnet(parsed, offline)
  const clock = clockOf(offline)
  const { addressEvm: evm = null, addressSolana: solana = null, addressBitcoin: bitcoin = null } = flags
  const { venue: venues, route: routes, openDeposits = false, record } = flags
  const off = venues?.filter((id) => !config.venuesEnabled.includes(id)) ?? []
  if (off.length > 0)
    throw badUsage(`${off.join(', ')}: not enabled by VENUES_ENABLED, or without the API key that the venue needs.`)
  const run = await runCanary(config, clock, { wallets: { evm, solana, bitcoin }, openDeposits, venues, routes })
  if (run.venues.length === 0) throw badUsage('None of these venues serves any of these route classes.')
  const told = reportOf(run, config)
  if (record === undefined) return told
  const files = await writeRecordings(record, run.rows, offline === null ? 'live' : 'simnet', clock.now())
  return { ...told, lines: [...told.lines, `Recorded ${files} responses in ${record}.`] }
}

const walletOn =
  (chainId: ChainId) =>
  (text: string): Address => {
    const read = readWalletAddress(chainId, text)
    if ('problem' in read) throw new InvalidArgumentError(`It ${read.problem}.`)
    return read.address
  }

const VENUES = VENUE_DEFINITIONS.map(({ id }) => id)
const ROUTES = ROUTE_PAIRS.map(([route]) => route)

const AFTER = `
Each quote and each payload is a live call, and counts against the limit of its venue. The command signs, sends and stores nothing.
The exit code is 1 if a row failed, or if an enabled venue has no row that was tried up to the payload.
Example:
  operator canary --address-evm 0xf39F... --address-solana 7Np4... --address-bitcoin bc1q... --record canary`

export const addCanaryCommand = (program: Command, { runApart }: Tool): void => {
  program
    .command('canary')
    .description('request one small quote of each route class from every enabled venue, and prove its payload')
    .option('--address-evm <address>', 'a funded wallet on the EVM chains', walletOn(1))
    .option('--address-solana <address>', 'a funded wallet on Solana', walletOn(SOLANA))
    .option('--address-bitcoin <address>', 'a funded wallet on Bitcoin', walletOn(BITCOIN))
    .option('--venue <ids>', 'only these venues, separated by commas', someOf(VENUES))
    .option('--route <classes>', `only these of ${ROUTES.join(', ')}`, someOf(ROUTES))
    .option(
      '--open-deposits',
      'also open deposit addresses at the venues; the Bitcoin pair then sells Bitcoin instead of buying it',
    )
    .option('--record <folder>', 'write each response to a file in this folder, without API keys')
    .addHelpText('after', AFTER)
    .action((flags: CanaryFlags, command: Command) => runApart(command, (env) => canary(env, flags)))
}
