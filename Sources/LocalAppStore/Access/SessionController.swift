import Foundation
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import Wire
import WireServer

/// Adds the route with which a browser signs in to the console: the browser sends the token once and gets a cookie for later requests.
struct SessionController: Sendable {
    /// The path to which the sign-in page posts the token.
    static let path = "console/session"
    /// The maximum size of a sign-in request, in bytes.
    ///
    /// The limit is above any token's size, and small because the client is not yet authenticated.
    private static let sizeLimit = 4_096

    let access: ControlAccess

    func addRoutes(to router: Router<StoreRequestContext>) {
        router.post(RouterPath(Self.path)) { request, context in
            // A store without a token needs no sign-in: every client that passes the access control may use the console.
            guard case .token(let token) = access else { return Response(.ok, Empty()) }
            guard token.matches(try await Self.token(in: request)) else { throw AccessRefusal.tokenWrong }
            var response = Response(.ok, Empty())
            response.setCookie(token.cookie(for: request))
            return response
        }
    }

    private struct Body: Decodable {
        var token: String
    }

    private static func token(in request: Request) async throws -> String {
        let buffer = try await request.wholeBody(upTo: sizeLimit)
        return try Body(body: Data(buffer: buffer)).token
    }
}
