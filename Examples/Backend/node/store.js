// One `tillroll store up` process for all tests, and a store with its own clock, accounts and keys for each test.
//
// Copy this file into the tests of your backend. With `node --test`, call `before(globalSetup)` and `after(globalTeardown)` in a test file.
// The exports also have the names that the global setup files of Vitest (`globalSetup`) and Jest have (`globalSetup`, and jest-teardown.js
// as `globalTeardown`). The variable TILLROLL is the path of the command, if it is not in the PATH.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

const storekit = new URL('../Shop.storekit', import.meta.url);

/** Starts the process; the variable TILLROLL_STORE is its address, also in the processes of the tests. */
export async function globalSetup() {
  const command = process.env.TILLROLL ?? 'tillroll';
  const host = spawn(command, ['store', 'up', '--port', '0', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = once(createInterface({ input: host.stdout }), 'line');
  const end = once(host, 'exit').then(([code]) => Promise.reject(new Error(`${command} store up ended with exit code ${code}`)));
  const [text] = await Promise.race([line, end]);
  // The process ends in globalTeardown.
  end.catch(() => {});
  process.env.TILLROLL_STORE = JSON.parse(text).url;
  globalThis.tillrollStoreHost = host;
}

/** Ends the process. */
export async function globalTeardown() {
  const host = globalThis.tillrollStoreHost;
  if (host === undefined) return;
  const end = once(host, 'exit');
  host.kill('SIGTERM');
  await end;
}

export { globalSetup as setup, globalTeardown as teardown, globalSetup as default };

async function request(method, url, body) {
  const response = await fetch(url, { method, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** A local store, and the part of its control API that the tests use; docs/openapi/control.yaml describes all of it. */
export class Store {
  /** Creates a store, which takes a few milliseconds. */
  static async create({ bundleId = 'com.example.shop' } = {}) {
    const url = `${process.env.TILLROLL_STORE}/stores?bundleID=${bundleId}`;
    return new Store(await request('POST', url, await readFile(storekit)));
  }

  constructor(description) {
    this.description = description;
    this.url = description.url;
  }

  remove() {
    return request('DELETE', this.url);
  }

  /** The settings of a backend; each replaces one of Apple's. */
  get settings() {
    const { bundleID, rootCertificate, apiKey, keyID, issuerID, serverAPI, sandboxVerifyReceipt, productionVerifyReceipt } = this.description;
    return {
      bundleId: bundleID, environment: 'Sandbox', rootCertificates: [rootCertificate], privateKey: apiKey, keyId: keyID, issuerId: issuerID,
      serverAPI, sandboxVerifyReceipt, productionVerifyReceipt,
    };
  }

  control(path, body) {
    const url = `${this.url}/control/v1/${path}`;
    return body === undefined ? request('GET', url) : request('POST', url, JSON.stringify(body));
  }

  /** Buys a product, and returns the signed transaction that the app would send to its backend. */
  async buy(productID, account = 'jane') {
    return (await this.control('purchases', { account, productID })).purchased.signedTransaction;
  }

  refund(transactionID) {
    return this.control('refunds', { transactionID });
  }

  advance(days) {
    return this.control('clock/advance', { seconds: days * 86_400 });
  }

  /** The store's time, in milliseconds since 1970. */
  async now() {
    return (await this.control('clock')).now;
  }

  /** Sets the URL for notifications. A change of the store returns when each resulting notification was sent once. */
  notify(sandboxURL) {
    return this.control(`apps/${this.description.bundleID}`, { sandboxURL });
  }

  /** Signs in on a new device, as an app does, and returns the app receipt in base64. */
  async receipt(account = 'jane') {
    const ask = async (path, body, token) => {
      const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      const response = await fetch(`${this.url}/device/v1/${path}`, { method: 'POST', body: JSON.stringify(body), headers });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json();
    };
    await this.control(`accounts/${account}`, { password: 'secret' });
    const device = randomUUID().toUpperCase();
    const { token } = await ask('sign-in', { account, password: 'secret', device, bundleID: this.description.bundleID, appVersion: '1.0' });
    return (await ask('receipt', { expired: false }, token)).receipt;
  }
}
