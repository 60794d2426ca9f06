package import HTTPTypes
public import Hummingbird
public import NIOCore
import PurchaseModel
package import Wire

extension Request {
    /// Reads the whole body of the request; a repeated call returns the same body.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: An error with status 413 when the body or its announced length exceeds `limit` bytes, with status 400 when the client closed
    ///   the connection or the chunked encoding is invalid, with status 503 when the bodies of other requests leave no memory, and with
    ///   status 408 when the body arrives too slowly.
    public func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { throw BodyRefusal.tooLarge(limit: limit) }
        if let known = BodyBudget.share?.body {
            guard known.readableBytes <= limit else { throw BodyRefusal.tooLarge(limit: limit) }
            return known
        }
        var whole = ByteBuffer()
        do {
            for try await part in body {
                guard part.readableBytes <= limit - whole.readableBytes else { throw BodyRefusal.tooLarge(limit: limit) }
                guard BodyBudget.share?.reserve(part.readableBytes) != false else { throw BodyRefusal.memoryExhausted }
                whole.writeImmutableBuffer(part)
            }
            BodyBudget.share?.body = whole
            return whole
        } catch let refusal as any WireRefusal {
            throw refusal
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw BodyRefusal.incomplete
        }
    }
}

/// The reason why a server refuses a request because of its body.
package enum BodyRefusal: WireRefusal, Equatable {
    /// The body is longer than `limit` bytes, the maximum for the endpoint.
    case tooLarge(limit: Int)
    /// The body is not the JSON that the endpoint accepts; `place` is the path in the JSON at which decoding failed.
    case unreadable(place: String)
    /// The body ended before its announced length, or its chunked encoding is invalid.
    case incomplete
    /// The body is not UTF-8.
    case notUTF8
    /// A text of the body contains a control character.
    case controlCharacter
    /// The bodies of other requests occupy all of the memory that the server reserves for request bodies.
    case memoryExhausted

    package var status: HTTPResponse.Status {
        switch self {
        case .tooLarge: .contentTooLarge
        case .unreadable, .incomplete, .notUTF8, .controlCharacter: .badRequest
        case .memoryExhausted: .serviceUnavailable
        }
    }

    package var wireError: WireError {
        switch self {
        case .tooLarge(let limit):
            WireError(code: "body.too-large", message: "The request body is larger than \(limit) bytes. Send a smaller body.")
        case .unreadable(let place):
            WireError(code: "body.unreadable", message: "The request body is not valid JSON for this endpoint. Correct: \(place).")
        case .incomplete:
            WireError(code: "body.incomplete", message: "The request body is incomplete. Send the request again.")
        case .notUTF8:
            WireError(code: "body.not-utf-8", message: "The request body is not UTF-8. Send JSON in UTF-8.")
        case .controlCharacter:
            WireError(
                code: "body.control-character",
                message: "The request body contains a control character other than a tab or a line break. Remove the control character."
            )
        case .memoryExhausted:
            WireError(code: "body.memory-exhausted", message: "The server has no memory left for the request body. Try again later.")
        }
    }

    package var retryAfterSeconds: Int? { self == .memoryExhausted ? 1 : nil }
}
