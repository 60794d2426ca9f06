// Tests of the backend with a local App Store: node --test

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { Backend } from './backend.js';
import { VerificationError } from './jws.js';
import { Store, globalSetup, globalTeardown } from './store.js';

const coins = 'com.example.shop.coins';
const pro = 'com.example.shop.pro';

before(globalSetup);
after(globalTeardown);

let store, backend, server, address;

beforeEach(async () => {
  store = await Store.create();
  backend = new Backend(store.settings);
  server = backend.server().listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${server.address().port}`;
});

afterEach(async () => {
  await store.remove();
  server.close();
  server.closeAllConnections();
});

test('the transaction of the app is verified', async () => {
  const body = JSON.stringify({ signedTransaction: await store.buy(coins) });
  const response = await fetch(`${address}/purchases`, { method: 'POST', body });
  assert.deepEqual(await response.json(), { productId: coins });
});

test('a transaction of another store is refused', async () => {
  const other = await Store.create();
  const signed = await other.buy(coins);
  assert.throws(() => backend.record(signed), new VerificationError('the root certificate is not trusted'));
  await other.remove();
});

for (const fault of [
  'expiredIntermediate', 'expiredLeaf', 'leafWithoutMarker', 'intermediateWithoutMarker', 'wrongRoot', 'swappedChain', 'changedPayload',
  'wrongKey', 'noX5C', 'algNone',
]) {
  test(`forged data is refused: ${fault}`, async () => {
    const { transactionId } = backend.record(await store.buy(coins));
    await store.control('faults', { kind: { signing: { fault } }, count: 1 });
    await assert.rejects(backend.recordTransaction(transactionId), VerificationError);
    assert.equal((await backend.recordTransaction(transactionId)).productId, coins);
  });
}

test('the history is read page by page', async () => {
  let signed;
  for (let count = 0; count < 25; count++) signed = await store.buy(coins);
  await store.buy(coins, 'ada');
  const { transactionId } = backend.record(signed);
  assert.equal(await backend.recordHistory(transactionId), 25);
  assert.equal(backend.purchases.size, 25);
});

test('notifications renew and end a subscription', async () => {
  await store.notify(`${address}/notifications`);
  const { originalTransactionId } = backend.record(await store.buy(pro));
  const isEntitled = async () => backend.isEntitled(originalTransactionId, pro, await store.now());
  assert.ok(await isEntitled());

  await store.advance(45);
  assert.equal(backend.purchases.size, 2);
  assert.ok(await isEntitled());

  const [latest] = [...backend.purchases.values()].sort((first, second) => second.purchaseDate - first.purchaseDate);
  await store.refund(latest.transactionId);
  assert.equal(await isEntitled(), false);
});

test('a repeated notification has no effect', async () => {
  await store.control('faults', { kind: { notificationDuplicated: {} } });
  await store.notify(`${address}/notifications`);
  await store.buy(coins);
  assert.equal(backend.notifications.size, 1);
  assert.equal(backend.purchases.size, 1);
});

test('verifyReceipt redirects a receipt of the sandbox', async () => {
  await store.buy(pro);
  const answer = await backend.validateReceipt(await store.receipt());
  assert.equal(answer.status, 0);
  assert.equal(answer.environment, 'Sandbox');
  assert.deepEqual(answer.latest_receipt_info.map((each) => each.product_id), [pro]);
});
