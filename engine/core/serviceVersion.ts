/** The label of `meta.version` and of the header service-version. It follows the contract, not the package. */
export const SERVICE_VERSION = '2026-11'

/** The service's user agent for calls to others, unless the operator sets another. */
export const USER_AGENT = `swap-service/${SERVICE_VERSION}`
