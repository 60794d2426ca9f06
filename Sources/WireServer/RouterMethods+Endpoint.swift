import Foundation
import HTTPTypes
public import Hummingbird
import NIOCore
import NIOFoundationCompat
public import PurchaseModel

/// How large a JSON body may be unless an endpoint says otherwise: receipts with a long history pass, floods do not.
public let defaultBodyLimit = 4 << 20

extension RouterMethods {
    /// Mounts an endpoint: reads its body within `limit`, refuses what is not its request with 400 or 413, and answers with JSON.
    @discardableResult
    public func mount<Body, Answer>(
        _ endpoint: Endpoint<Body, Answer>,
        limit: Int = defaultBodyLimit,
        handler: @escaping @Sendable (Body, Request, Context) async throws -> Answer
    ) -> Self {
        on(RouterPath(endpoint.template), method: endpoint.method.httpMethod) { request, context in
            let body = try await Body.read(from: request, of: endpoint, limit: limit)
            return Response(.ok, try await handler(body, request, context))
        }
    }
}

extension Decodable {
    /// Reads a request's body as JSON; what has none reads as an empty object.
    fileprivate static func read(from request: Request, of endpoint: Endpoint<some Any, some Any>, limit: Int) async throws -> Self {
        var data = Data("{}".utf8)
        if endpoint.method == .post {
            data = Data(buffer: try await request.wholeBody(upTo: limit))
        }
        do {
            return try WireJSON.decode(Self.self, from: data)
        } catch let error as DecodingError {
            throw BodyRefusal.unreadable(place: error.place)
        }
    }
}

extension Endpoint.Method {
    /// The method in HTTP's words.
    fileprivate var httpMethod: HTTPRequest.Method {
        switch self {
        case .get: .get
        case .post: .post
        case .delete: .delete
        }
    }
}

extension DecodingError {
    /// The path in the JSON at which reading failed, without any of its values.
    fileprivate var place: String {
        let path =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): context.codingPath
            case .keyNotFound(let key, let context): context.codingPath + [key]
            @unknown default: [any CodingKey]()
            }
        return path.isEmpty ? "the body" : path.map(\.stringValue).joined(separator: ".")
    }
}
