import type { Handler } from '../handler.ts'

export const health: Handler<'health'> = async (_call, engine) => {
  const { isDegraded, venues } = await engine.health()
  return {
    status: isDegraded ? 'degraded' : 'ok',
    venues: venues.map(({ id, name, trouble, failing, off, rejecting }) => ({
      id,
      name,
      healthy: trouble === null && off === null,
      ...(trouble === null ? {} : { reason: trouble }),
      ...(failing && { failing: [...failing] }),
      ...(off === null ? {} : { off }),
      ...(rejecting.length > 0 && {
        rejecting: rejecting.map(({ call, check, chainId }) => ({ call, check, ...(chainId !== null && { chainId }) })),
      }),
    })),
  }
}
