import Foundation
import FoundationExtras
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import StoreProtocol
import Wire
import WireServer

/// Adds the routes that create, list, describe and remove the stores of a host.
struct HostController: Sendable {
    let host: StoreHost
    /// The path to which browsers that request `/` are redirected; nil for no redirect.
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
            guard let store = host.store(named: name) else { throw HostError.storeUnknown }
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
        Local App Store for \(store.context.apps.all.map(\.bundleID.rawValue).joined(separator: ", ")): a test server that charges no money.

        For developers' servers:
          POST /sandbox/verifyReceipt, /production/verifyReceipt
               /inApps/…, /groups/… (App Store Server API, sandbox), /production/… (App Store Server API, production)
        For devices:           POST /device/v1/…
        For people and tests:       /control/v1/…
        More stores:           POST /stores creates a store with the paths above after /stores/NAME
        Root certificate and API key: GET /store

        """
    }

    /// Reads the parameters of a new store from a request.
    ///
    /// The body is a JSON object, a `.storekit` file, or empty. The query may contain further parameters, which take precedence.
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

    /// Returns the base URL with which a client addressed this host, such as `http://127.0.0.1:7700`.
    static func base(of request: Request) -> String {
        "\(request.head.scheme ?? "http")://\(request.head.authority ?? "127.0.0.1")"
    }
}

/// A decoder that recognizes a `.storekit` file by its keys, which a JSON request for a new store does not have.
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
