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

/// The middleware that records requests with their responses; it is the outermost one, and sees the responses of errors.
struct RequestLogMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: StoreRequestContext, next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        let path = request.loggedPath
        guard let store = context.requestedStore, RequestSurface.isLogged(path) else { return try await next(request, context) }
        let (notes, start) = (RequestNotes(), ContinuousClock.now)
        let response = try await RequestNotes.$current.withValue(notes) { try await next(request, context) }
        let duration = start.duration(to: .now)
        let date = store.context.clock.systemTime
        let body = await Self.body(of: response, at: path)
        // A request to a host name of production is listed with the prefix that means the same.
        let isByHost = context.environmentPrefix.isEmpty && context.environment == .production
        let answer = Answer(status: response.status.code, body, RequestSurface(path: path))
        // The secrets are those after the request, which can have changed the shared secret.
        let mask = SecretMask(store.context.apps.all.compactMap(\.row.sharedSecret) + [request.bearerToken].compactMap { $0 })
        // Secrets are replaced before a text is cut, so that no part of one is left.
        let shownPath = mask.path(path).cut(RequestLog.TextLimit.path)
        let shownQuery = request.uri.query.map { "?" + mask.query($0[...]).cut(RequestLog.TextLimit.query) } ?? ""
        let summary = RequestSummary(
            id: 0, date: date, surface: RequestSurface(path: path), method: request.method.rawValue.cut(RequestLog.TextLimit.method),
            path: (isByHost ? "/production" : context.environmentPrefix) + shownPath + shownQuery,
            environment: context.environment, status: response.status.code, microseconds: duration.microseconds,
            code: answer.code?.cut(RequestLog.TextLimit.code),
            reason: (notes.reason ?? answer.reason).map { mask.line($0).cut(RequestLog.TextLimit.reason) },
            account: notes.account ?? Self.account(path),
            client: request.headers[.userAgent].map { mask.line($0).cut(RequestLog.TextLimit.client) },
            requestID: response.headers[.requestID])
        store.requestLog.append(
            RequestLog.Entry(
                summary: summary, mask: mask, request: notes.body, requestLength: request.headers[.contentLength].flatMap { Int($0) },
                response: body, responseLength: response.body.contentLength))
        return response
    }

    /// Returns the body of a response that is in memory; nil for a stream, for content, and for a body that is too large for the log.
    private static func body(of response: Response, at path: String) async -> ByteBuffer? {
        guard let length = response.body.contentLength, (1...RequestLog.bodyLimit).contains(length), !path.hasPrefix(contentPrefix) else {
            return nil
        }
        let collector = BodyCollector()
        try? await response.body.write(collector)
        return collector.buffer
    }

    private static let contentPrefix = String(DeviceEndpoints.contentPath.prefix { $0 != "{" })

    /// The account that the path of a control request names.
    private static func account(_ path: String) -> AccountID? {
        let parts = path.split(separator: "/")
        guard parts.count >= 4, parts[0] == "control", parts[2] == "accounts" else { return nil }
        return parts[3].removingPercentEncoding.flatMap { IdentifierText.isValid($0) ? AccountID($0) : nil }
    }
}

extension Request {
    /// The path as the router reads it, without empty components.
    fileprivate var loggedPath: String { "/" + uri.path.split(separator: "/").joined(separator: "/") }
}

extension String {
    /// Returns the beginning of the text, at most `limit` bytes long; a character of several bytes is cut between its scalars.
    fileprivate func cut(_ limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(decoding: utf8[..<end], as: UTF8.self)
    }
}

/// The middleware that records the bodies of requests, behind the one that turns its errors into responses.
///
/// `verifyReceipt` answers such errors in its own way, and records the body itself.
struct RequestBodyMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: StoreRequestContext, next: @concurrent (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        // A body without a length, or with a large one, is passed on as it arrives.
        guard request.loggedPath != "/verifyReceipt", let notes = RequestNotes.current,
            let length = request.headers[.contentLength].flatMap({ Int($0) }),
            (1...RequestLog.bodyLimit).contains(length)
        else { return try await next(request, context) }
        let body = try await request.wholeBody(upTo: RequestLog.bodyLimit)
        notes.body = body
        return try await next(Request(head: request.head, body: RequestBody(buffer: body)), context)
    }
}

extension RequestSurface {
    /// Determines the interface of a path; nil for a path that belongs to none.
    init?(path: String) {
        if path.hasPrefix("/device/") {
            self = .device
        } else if ServerAPIEndpoint.owns(path: path) {
            self = .serverAPI
        } else if path.hasPrefix("/control/") || path == "/store" || path == "/stores" || path.hasPrefix("/stores/") {
            self = .control
        } else if path == "/ocsp" || path.hasPrefix("/ocsp/") {
            self = .ocsp
        } else if path == "/verifyReceipt" {
            self = .verifyReceipt
        } else {
            return nil
        }
    }

    /// Whether requests to a path are recorded: neither the pages of the console, nor the requests that read the log itself.
    static func isLogged(_ path: String) -> Bool {
        path != "/" && !path.hasPrefix("/console") && !path.hasPrefix(ControlEndpoints.requests.template)
    }
}

/// What a response says about the request: the code of its error, and the reason.
private struct Answer {
    var code: String?
    var reason: String?

    init(status: Int, _ body: ByteBuffer?, _ surface: RequestSurface?) {
        guard let body, surface != .ocsp else { return }
        if surface == .verifyReceipt {
            if let status = JSON.decode(VerifyReceiptStatusBody.self, body)?.status {
                code = "\(status)"
                if status != 0 { reason = VerifyReceiptStatus(rawValue: status).explanation }
                return
            }
        }
        guard status >= 400 else { return }
        if let error = JSON.decode(ServerAPIErrorBody.self, body) {
            (code, reason) = ("\(error.errorCode)", error.errorMessage)
        } else if let error = try? WireJSON.decode(WireError.self, from: Data(buffer: body)) {
            (code, reason) = (error.code, error.message)
        } else {
            reason = String(buffer: body).split(separator: "\n").dropFirst().joined(separator: " ")
        }
    }

    private enum JSON {
        static func decode<Value: Decodable>(_ type: Value.Type, _ body: ByteBuffer) -> Value? {
            try? JSONDecoder().decode(type, from: Data(buffer: body))
        }
    }

    private struct VerifyReceiptStatusBody: Decodable {
        var status: Int
    }

    private struct ServerAPIErrorBody: Decodable {
        var errorCode: Int
        var errorMessage: String
    }
}

/// Collects a body that is in memory already.
private final class BodyCollector: ResponseBodyWriter {
    private(set) var buffer = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws {
        self.buffer.writeImmutableBuffer(buffer)
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension Duration {
    fileprivate var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds.multipliedReportingOverflow(by: 1_000_000).partialValue &+ attoseconds / 1_000_000_000_000
    }
}

extension VerifyReceiptStatus {
    /// What a status other than 0 means, for a response whose processing has noted no more.
    ///
    /// The result is nil for an accepted receipt.
    fileprivate var explanation: String? {
        switch self {
        case .notPost: "verifyReceipt accepts POST only."
        case .malformed: "receipt-data is missing or malformed."
        case .notAuthenticated: "The receipt could not be authenticated."
        case .secretMismatch: "password is missing, or differs from the app's shared secret."
        case .unavailable: "The receipt server is unavailable."
        case .subscriptionExpired: nil
        case .testReceiptAtProduction: "A receipt of the sandbox was sent to production. Send it to the sandbox."
        case .productionReceiptAtTest: "A receipt of production was sent to the sandbox. Send it to production."
        case .accountNotFound: "The account was not found or was deleted."
        default: "verifyReceipt responded with status \(rawValue)."
        }
    }
}
