package import HummingbirdTesting
package import OpenStoreKit
package import PurchaseModel

/// A store of another process, or one of the stores of a host.
package struct ConnectedStore: StoreClient {
    package let transport: any StoreTransport

    /// Creates a client of the store under a path, such as `/stores/kept`, through the test client of its host.
    package init(_ client: any TestClientProtocol, path: String = "") {
        transport = TestClientTransport(client: client, path: path)
    }

    /// Creates a client of the store at a base URL.
    package init(at url: HTTPURL) {
        transport = HTTPStoreTransport(storeURL: url)
    }
}
