// A backend for an app with in-app purchases, without packages.
//
// The backend verifies the transactions that the app sends, requests the customer's history from the App Store, receives notifications, and
// asks verifyReceipt about receipts of old versions of the app. A test passes the settings of a local store instead of Apple's; all other
// code is the code of production.

import { createServer } from 'node:http';
import { VerificationError, apiToken, verifySignedData } from './jws.js';

/** The addresses of Apple's services. The root certificates are at https://www.apple.com/certificateauthority/. */
export const apple = {
  // In production: https://api.storekit.apple.com
  serverAPI: 'https://api.storekit-sandbox.apple.com',
  productionVerifyReceipt: 'https://buy.itunes.apple.com/verifyReceipt',
  sandboxVerifyReceipt: 'https://sandbox.itunes.apple.com/verifyReceipt',
};

/** The purchases that the backend knows, and the calls that change them. */
export class Backend {
  /**
   * @param {object} settings `bundleId`, `environment`, `rootCertificates` in PEM, `privateKey`, `keyId` and `issuerId` of the key from
   *   App Store Connect, and the addresses `serverAPI`, `productionVerifyReceipt` and `sandboxVerifyReceipt`
   */
  constructor(settings) {
    this.settings = settings;
    this.purchases = new Map();
    this.notifications = new Set();
  }

  /** Verifies a transaction and keeps its newest revision. */
  record(signedTransaction) {
    const transaction = verifySignedData(signedTransaction, this.settings);
    const known = this.purchases.get(transaction.transactionId);
    if (!known || known.signedDate <= transaction.signedDate) this.purchases.set(transaction.transactionId, transaction);
    return transaction;
  }

  /** Requests a transaction from the App Store Server API, and records it. */
  async recordTransaction(transactionId) {
    return this.record((await this.callServerAPI(`/inApps/v1/transactions/${transactionId}`)).signedTransactionInfo);
  }

  /** Records all transactions of the customer who made a purchase, page by page, and returns their number. */
  async recordHistory(transactionId) {
    let count = 0;
    for (let query = ''; ; ) {
      const page = await this.callServerAPI(`/inApps/v2/history/${transactionId}${query}`);
      for (const signed of page.signedTransactions) this.record(signed);
      count += page.signedTransactions.length;
      if (!page.hasMore) return count;
      query = `?revision=${encodeURIComponent(page.revision)}`;
    }
  }

  async callServerAPI(path) {
    const headers = { Authorization: `Bearer ${apiToken(this.settings)}` };
    const response = await fetch(`${this.settings.serverAPI}${path}`, { headers });
    if (!response.ok) throw new Error(`the App Store Server API responded with ${response.status}: ${await response.text()}`);
    return response.json();
  }

  /** Records the transaction of a notification; a repeated notification has no effect. */
  receive(signedPayload) {
    const notification = verifySignedData(signedPayload, this.settings);
    if (this.notifications.has(notification.notificationUUID)) return;
    if (notification.data?.signedTransactionInfo) this.record(notification.data.signedTransactionInfo);
    this.notifications.add(notification.notificationUUID);
  }

  /** Returns the response of verifyReceipt; a receipt of the sandbox is sent to the sandbox. */
  async validateReceipt(receipt) {
    const ask = async (url) => {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ 'receipt-data': receipt }) });
      if (!response.ok) throw new Error(`verifyReceipt responded with ${response.status}`);
      return response.json();
    };
    const answer = await ask(this.settings.productionVerifyReceipt);
    return answer.status === 21007 ? ask(this.settings.sandboxVerifyReceipt) : answer;
  }

  /** Whether a purchase is in effect at a date, in milliseconds since 1970. */
  isEntitled(originalTransactionId, productId, date) {
    return [...this.purchases.values()].some(
      (purchase) =>
        purchase.originalTransactionId === originalTransactionId &&
        purchase.productId === productId &&
        purchase.revocationDate === undefined &&
        (purchase.expiresDate === undefined || purchase.expiresDate > date),
    );
  }

  /** Returns an HTTP server: `POST /purchases` for the app, and `POST /notifications` for the App Store. */
  server() {
    return createServer(async (request, response) => {
      const respond = (status, answer) => {
        response.writeHead(status, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(answer));
      };
      try {
        let text = '';
        for await (const chunk of request) text += chunk;
        const body = JSON.parse(text);
        if (request.url === '/purchases') return respond(200, { productId: this.record(body.signedTransaction).productId });
        if (request.url !== '/notifications') return respond(404, { error: 'not found' });
        this.receive(body.signedPayload);
        respond(200, {});
      } catch (error) {
        if (error instanceof VerificationError) return respond(403, { error: error.message });
        respond(error instanceof SyntaxError || error instanceof TypeError ? 400 : 500, { error: 'malformed request' });
      }
    });
  }
}
