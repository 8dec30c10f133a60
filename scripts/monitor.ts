import type { MonitorConfig } from '../engine/config/monitor.ts'
import { createMonitorServer, type MonitorPorts } from '../handlers/monitor/monitorServer.ts'
import type { OperatorPort } from '../handlers/monitor/operatorPage.ts'
import { listen } from './listen.ts'

export type Monitor = { readonly url: string; close(): Promise<void> }

/** Starts the monitoring port; null if METRICS_PORT is off. Throws StartError. */
export const startMonitor = async (
  { host, port, page }: MonitorConfig,
  { explain, samples, ...ports }: Omit<MonitorPorts, 'operator'> & Omit<OperatorPort, 'host'>,
): Promise<Monitor | null> => {
  if (port === null) return null
  const server = createMonitorServer({ ...ports, operator: page ? { host, explain, samples } : null })
  // A worker and its replacement share a port for a while, unless each picks its own (port 0).
  const url = await listen(server, { host, port }, 'METRICS_PORT', port === 0)
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url, close }
}
