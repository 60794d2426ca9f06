export { globalTeardown as default } from './store.js';
