// Dredd loads hook files as CommonJS and gives them nothing but `hooks`; `register` travels in its configuration.
const hooks = require('hooks')

hooks.configuration.custom.register(hooks)
