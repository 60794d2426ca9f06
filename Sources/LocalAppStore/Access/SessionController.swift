import Foundation
import Hummingbird
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseProtocol
import WireServer

/// Lets people sign in to the console: the token once, a cookie from then on.
struct SessionController: Sendable {
    /// Where the sign-in page posts the token.
    static let path = "console/session"
    /// More than any token needs; nobody has shown yet who they are.
    private static let sizeLimit = 4_096

    let access: ControlAccess

    func addRoutes(to router: Router<StoreRequestContext>) {
        router.post(RouterPath(Self.path)) { request, context in
            // Without a token nobody has to sign in, and whoever may come here is welcome.
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
