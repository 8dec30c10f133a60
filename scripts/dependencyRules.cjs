/**
 * Who may import whom, for dependency-cruiser: `npm run check` holds every module against it, and test/architecture.test.ts
 * plants one violation per rule to prove that each can fail. `$1` is what the first group of `from.path` matched.
 */

const ours = '^(engine|handlers|scripts|test|generated)/'

/** Packages, wherever npm or a link put them. */
const packages = (...names) => `(^|/)node_modules/(${names.join('|')})(/|$)`

/** What npm start and the operator run, outside the product's folders. */
const STARTED =
  '^scripts/((start|serve|serviceProcess|dataFolder|cluster|clusterWorker|listen|explainer|log|drain|onSimnet|operator)\\.ts$|operator/|cluster/)'

/** Packages that package.json does not list under dependencies. */
const NOT_DEPENDED_ON = ['npm-dev', 'npm-peer', 'npm-optional', 'npm-no-pkg', 'npm-unknown']

const ban = (name, from, to) => ({ name, severity: 'error', from, to })

const forbidden = [
  // Two modules that need each other are one module, or lack a third.
  ban('no-cycles', {}, { circular: true }),
  // What cannot be resolved cannot be checked. Dredd gives its hook files a package of its own.
  ban('resolvable', { pathNot: '^test/contract/dreddHooks\\.cjs$' }, { couldNotResolve: true }),
  // The engine knows nothing of HTTP, of the contract or of how it is started.
  ban('engine-is-inner', { path: '^engine/' }, { path: '^(handlers|scripts|test|generated)/' }),
  // The edge talks to the engine through its facade, its core types, its errors and its events.
  ban(
    'handlers-see-the-facade',
    { path: '^handlers/' },
    { path: ours, pathNot: '^(handlers/|generated/|engine/core/|engine/pages/|engine/(engine|errors|observe/observe)\\.ts$)' },
  ),
  // Generated code depends on libraries only.
  ban('generated-is-a-leaf', { path: '^generated/' }, { path: ours, pathNot: '^generated/' }),
  // They are served to whoever has something to show.
  ban('pages-know-nothing', { path: '^engine/pages/' }, { path: ours, pathNot: '^engine/(pages|core)/' }),
  // What a page loads runs in a browser: of ours it has the other files of pages alone.
  ban('browsers-have-no-server', { path: '/browser/[^/]+\\.js$' }, { path: ours, pathNot: '/browser/[^/]+\\.js$' }),
  // Types and pure functions: everything may import them, so they import nothing of ours.
  ban('core-is-pure', { path: '^engine/core/' }, { path: ours, pathNot: '^engine/core/' }),
  // Types and pure functions.
  ban(
    'core-does-no-io',
    { path: '^engine/core/' },
    { dependencyTypes: ['core'], path: '^(node:)?(fs|net|tls|dgram|dns|https?|http2|child_process|worker_threads|timers)' },
  ),
  // Where a swap stands is decided from what was gathered, and from nothing else.
  ban(
    'the-judge-only-judges',
    { path: '^engine/execution/track/judge\\.ts$' },
    { path: '^engine/', pathNot: '^engine/(core/|chains/payments\\.ts$)' },
  ),
  // What two venues share belongs to the kit or to the engine; the kit knows no venue.
  ban(
    'venues-are-strangers',
    { path: '^engine/venues/([^/]+)/' },
    { path: '^engine/venues/[^/]+/', pathNot: '^engine/venues/($1|kit)/' },
  ),
  // An adapter maps; deadlines, retries, ranking, fees and storage are not its business.
  ban(
    'venues-only-adapt',
    { path: '^engine/venues/([^/]+)/' },
    { path: '^engine/', pathNot: '^engine/(core|chains|net)/|^engine/venues/(venue|venueError)\\.ts$|^engine/venues/[^/]+/' },
  ),
  // The registry takes venue.ts of each folder; the rest is private to the venue, its tests, and who holds its tables against
  // the published ones.
  ban(
    'venue-insides-are-private',
    { pathNot: '^(engine/venues/[^/]+|engine/simnet/venues|scripts/published|test)/' },
    { path: '^engine/venues/[^/]+/', pathNot: '^engine/venues/(kit/|[^/]+/venue\\.ts$)' },
  ),
  // Naming one venue outside the registry would be the start of special cases.
  ban(
    'venues-come-from-the-registry',
    { pathNot: '^(engine/venues|engine/simnet/venues|scripts/published|test)/' },
    { path: '^engine/venues/[^/]+/', pathNot: '^engine/venues/kit/' },
  ),
  // What the engine must be sure of is a check of its own.
  ban('kit-is-for-venues', { path: '^(engine|handlers)/', pathNot: '^engine/venues/[^/]+/' }, { path: '^engine/venues/kit/' }),
  // A simulator that shares an adapter's code or types can only agree with it. It may share `protocol.ts`, which the vendor's
  // vectors or SDK verify.
  ban(
    'simnet-is-independent',
    { path: '^engine/simnet/' },
    { path: '^engine/', pathNot: '^engine/((core|chains|pages|simnet)/|venues/[^/]+/protocol\\.ts$)' },
  ),
  // What two simulated venues share belongs to their kit, which knows no venue.
  ban(
    'simulators-are-strangers',
    { path: '^engine/simnet/(kit|venues/[^/]+)/' },
    { path: '^engine/simnet/venues/', pathNot: '^engine/simnet/$1/' },
  ),
  // A simulated venue sees the network through the world it is given; all else it may use is in the kit, and in itself.
  ban(
    'simulators-use-the-kit',
    { path: '^engine/simnet/(?:kit|venues/([^/]+))/' },
    { path: '^engine/', pathNot: '^engine/(core|chains)/|^engine/simnet/(kit|venues)/|^engine/venues/$1/protocol\\.ts$' },
  ),
  // Addresses, ABIs, layouts and hashes, without judgement: a simulator may share them.
  ban(
    'protocols-are-facts',
    { path: '^engine/venues/[^/]+/protocol\\.ts$' },
    { path: '^engine/', pathNot: '^engine/(core|chains)/' },
  ),
  // The product must not be able to fall back on simulated prices.
  ban('simnet-stays-outside', { pathNot: '^(engine/simnet|scripts|test)/' }, { path: '^engine/simnet/' }),
  // The engine is served by the edge and knows none.
  ban(
    'no-http-framework-in-engine',
    { path: '^engine/' },
    { path: packages('koa', '@koa/[^/]+', 'openapi-backend', 'rate-limiter-flexible') },
  ),
  // They are slow to load and wide; one folder knows them and loads them when first needed.
  ban(
    'chain-sdks-behind-chains',
    { path: '^(engine|handlers)/', pathNot: '^engine/(chains|simnet/bitcoin|simnet/page)/' },
    { path: packages('viem', '@solana/[^/]+', 'bitcoinjs-lib') },
  ),
  // SQL lives in one folder. Everybody else has the port, tests as well: those of the store excepted, what stands in for
  // another process, the records in memory, and what has a process die in the middle of a statement.
  ban(
    'database-behind-store',
    {
      path: '^(engine|handlers|scripts|test)/',
      pathNot:
        '^(engine/store/|test/engine/store/|test/support/((storeFile|memoryStore)\\.ts$|postgres/)|scripts/kills/preload\\.ts$)',
    },
    {
      path: `${packages('better-sqlite3', 'kysely', 'pg')}|^engine/store/(database|postgresDatabase|postgresDriver|schema|patientDialect|migrations/)`,
    },
  ),
  // Loaded with the first scrape. Everybody else tells events.
  ban(
    'metrics-library-behind-metrics',
    { path: '^(engine|handlers|scripts)/', pathNot: '^engine/observe/metrics/promRegistry\\.ts$' },
    { path: packages('prom-client') },
  ),
  // Deadlines, size caps and the private-address guard hold only for calls that pass through net. The offline network is no
  // outside.
  ban(
    'outbound-http-behind-net',
    { path: '^(engine|handlers)/', pathNot: '^engine/(net|simnet)/' },
    { path: packages('undici', 'axios', 'node-fetch', 'got') },
  ),
  // npm ci --omit=dev must leave a service that starts. The offline network is for development, and says so where it cannot.
  ban(
    'no-dev-dependencies-in-product',
    { path: `^(engine|handlers|generated)/|${STARTED}`, pathNot: '^engine/simnet/' },
    { dependencyTypes: NOT_DEPENDED_ON, dependencyTypesNot: ['type-only'] },
  ),
  // What the offline network needs beyond the dependencies, requirePackages.ts looks for at its start.
  ban(
    'simnet-needs-what-it-names',
    { path: '^engine/simnet/' },
    { dependencyTypes: NOT_DEPENDED_ON, dependencyTypesNot: ['type-only'], pathNot: packages('litesvm', 'rolldown', 'lit-html') },
  ),
  // A service on mainnet has neither its code nor its packages.
  ban(
    'product-loads-simnet-late',
    { path: STARTED },
    { path: '^engine/simnet/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
  ),
  // Tests come and go. The kills are a test that takes long: they start the same databases.
  ban(
    'nothing-depends-on-tests',
    { path: '^(engine|handlers|generated|scripts)/', pathNot: '^scripts/kills/' },
    { path: '^test/' },
  ),
]

module.exports = {
  forbidden,
  options: {
    // Type-only imports tie modules together as well as any.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
}
