import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseProtocol
import WireServer

/// Creates, lists and removes the stores of a host.
struct HostController: Sendable {
    let host: StoreHost
    /// The redirect target for browsers that request `/`.
    let page: String?

    func addRoutes(to router: Router<StoreRequestContext>) {
        router.get("/") { request, context in
            let store = try context.store
            if let page, request.headers[.accept]?.contains("text/html") == true { return Response.redirect(to: page, type: .found) }
            return Self.landingPage(of: store).response(from: request, context: context)
        }
        router.get("/stores") { request, context in
            let base = Self.base(of: request)
            let otherStores = host.names.compactMap { name in host.store(named: name).map { StoreDescription($0, base, name: name) } }
            return Response(.ok, StoresReply(stores: [StoreDescription(host.defaultStore, base, name: nil)] + otherStores))
        }
        router.post("/stores") { request, context in
            let (name, store) = try await host.createStore(try await Self.createRequest(of: request))
            return Response(.created, StoreDescription(store, Self.base(of: request), name: name))
        }
        router.get("/stores/{store}") { request, context in
            let name = try context.parameter("store")
            guard let store = host.store(named: name) else { throw StoreError.storeUnknown }
            return Response(.ok, StoreDescription(store, Self.base(of: request), name: name))
        }
        router.delete("/stores/{store}") { request, context in
            try host.remove(try context.parameter("store"))
            return Response(.ok, Empty())
        }
        router.get("/store") { request, context in
            let store = try context.store
            let name = store === host.defaultStore ? nil : store.name
            return Response(.ok, StoreDescription(store, Self.base(of: request), name: name))
        }
    }

    private static func landingPage(of store: LocalAppStore) -> String {
        """
        Local App Store for \(store.ledger.apps.all.map(\.bundleID.rawValue).joined(separator: ", ")): sells for tests, charges nobody.

        For developers' servers:
          POST /sandbox/verifyReceipt, /production/verifyReceipt
               /inApps/… is the App Store Server API of the sandbox, /production/inApps/… that of production
        For devices:           POST /device/v1/…
        For people and tests:       /control/v1/…
        Further stores:        POST /stores, then /stores/NAME/ before any of the above
        What to trust, which key signs tokens: GET /store

        """
    }

    /// Reads a request for a new store: a JSON object, or a `.storekit` file with the other parameters in the query, or an empty body.
    private static func createRequest(of request: Request) async throws -> CreateStoreRequest {
        let buffer = try await request.wholeBody(upTo: Catalog.sizeLimit)
        var createRequest = CreateStoreRequest()
        if buffer.readableBytes > 0 {
            let data = Data(buffer: buffer)
            if (try? WireJSON.decode(StorekitDetection.self, from: data))?.isStorekit == true {
                createRequest.storekit = JSONText(data)
            } else {
                createRequest = try CreateStoreRequest(body: data)
            }
        }
        createRequest.name = try request.query("name") ?? createRequest.name
        createRequest.bundleID = try request.query("bundleID").map { BundleID($0) } ?? createRequest.bundleID
        if let isPersistent = try request.query("isPersistent") { createRequest.isPersistent = isPersistent == "true" }
        return createRequest
    }

    /// The base URL that a request used for this host.
    static func base(of request: Request) -> String {
        "\(request.head.scheme ?? "http")://\(request.head.authority ?? "127.0.0.1")"
    }
}

/// The keys that identify a `.storekit` file; a JSON request for a new store does not have these keys.
private struct StorekitDetection: Decodable {
    var isStorekit: Bool

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case products
        case subscriptionGroups
        case nonRenewingSubscriptions
        case version
        case settings
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        isStorekit = CodingKeys.allCases.contains { container.contains($0) }
    }
}
