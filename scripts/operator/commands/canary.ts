import { type Command, InvalidArgumentError } from 'commander'
import type { Environment } from '../../../engine/config/config.ts'
import type { Address } from '../../../engine/core/address.ts'
import { BITCOIN, type ChainId, SOLANA } from '../../../engine/core/chain.ts'
import type { RouteType } from '../../../engine/core/route.ts'
import { readWalletAddress } from '../../../engine/core/walletAddress.ts'
import { VENUE_DEFINITIONS } from '../../../engine/venues/registry.ts'
import { ROUTE_PAIRS } from '../canary/pairs.ts'
import { writeRecordings } from '../canary/recordings.ts'
import { reportOf } from '../canary/report.ts'
import { runCanary } from '../canary/runCanary.ts'
import { type Add, someOf } from '../commandLine.ts'
import { configWithoutRecords } from '../configOfRecords.ts'
import { LOST_NETWORK, locate } from '../offlineNetwork.ts'
import { badUsage, failed } from '../operatorError.ts'
import type { Output } from '../printing.ts'

export type CanaryFlags = {
  readonly [wallet in 'addressEvm' | 'addressSolana' | 'addressBitcoin']?: Address
} & {
  readonly venue?: readonly string[]
  readonly route?: readonly RouteType[]
  readonly openDeposits?: true
  readonly record?: string
}

/** Needs no records, and creates none. */
export const canary = async (env: Environment, flags: CanaryFlags): Promise<Output> => {
  const { config, clock, isLost } = await locate(await configWithoutRecords(env))
  if (isLost) throw failed(LOST_NETWORK)
  const { addressEvm: evm = null, addressSolana: solana = null, addressBitcoin: bitcoin = null } = flags
  const { venue: venues, route: routes, openDeposits = false, record } = flags
  const off = venues?.filter((id) => !config.venuesEnabled.includes(id)) ?? []
  if (off.length > 0)
    throw badUsage(`${off.join(', ')}: not enabled by VENUES_ENABLED, or without the API key that the venue needs.`)
  const run = await runCanary(config, clock, { wallets: { evm, solana, bitcoin }, openDeposits, venues, routes })
  if (run.venues.length === 0) throw badUsage('None of these venues serves any of these route classes.')
  const output = reportOf(run, config)
  if (record === undefined) return output
  const files = await writeRecordings(record, run.rows, config.network === 'simnet' ? 'simnet' : 'live', clock.now())
  return { ...output, lines: [...output.lines, `Recorded ${files} responses in ${record}.`] }
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

export const addCanaryCommand = (program: Command, { apart }: Add): void => {
  const opened = 'also open deposit addresses at the venues; the Bitcoin pair then sells Bitcoin instead of buying it'
  apart(program, 'canary', 'request one small quote of each route class from every enabled venue, and prove its payload', canary)
    .option('--address-evm <address>', 'a funded wallet on the EVM chains', walletOn(1))
    .option('--address-solana <address>', 'a funded wallet on Solana', walletOn(SOLANA))
    .option('--address-bitcoin <address>', 'a funded wallet on Bitcoin', walletOn(BITCOIN))
    .option('--venue <ids>', 'only these venues, separated by commas', someOf(VENUES))
    .option('--route <classes>', `only these of ${ROUTES.join(', ')}`, someOf(ROUTES))
    .option('--open-deposits', opened)
    .option('--record <folder>', 'write each response to a file in this folder, without API keys')
    .addHelpText('after', AFTER)
}
